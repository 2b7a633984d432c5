//! A database that takes no writes for a while, as one does whose disk is nearly full.

use tributary::engine::ports::archive::Archive;

use crate::contract::DELETED;
use crate::fixtures::session_key;
use crate::harness::eventually;
use crate::postgres::{Server, archive_at};

/// A connection keeps what it was opened with: where it isn't used again, who can write does.
#[tokio::test]
async fn database_that_was_read_only_is_written_as_soon_as_it_can_be() {
    let server = Server::start().await;
    let url = server.database().await;
    let (_, name) = url.rsplit_once('/').unwrap();
    let archive = archive_at(&url).await;
    let key = session_key("s");
    server.administer(format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
    let end = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    server.administer(end).await;
    eventually("a refusal", || async {
        let refused = archive.forget(&key, DELETED).await.err()?.to_string();
        refused.contains("read-only transaction").then_some(())
    })
    .await;
    // Several of its connections know nothing else.
    let refused = futures::future::join_all((0..4).map(|_| archive.forget(&key, DELETED))).await;
    assert!(refused.iter().all(Result::is_err), "{refused:?}");
    server.administer(format!("ALTER DATABASE {name} RESET default_transaction_read_only")).await;
    archive.forget(&key, DELETED).await.expect("its connections are new ones");
    assert_eq!(archive.health(), Ok(()));
    archive.close().await;
}
