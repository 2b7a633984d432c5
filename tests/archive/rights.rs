//! `tributary check` finds out that a database takes no writes from this user.

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tributary::edge::archive::{ArchiveUrl, SqlArchive, Tables};
use tributary::engine::ports::archive::ArchiveError;

use crate::postgres::{Server, archive_at};

async fn reach(url: &str) -> Result<Tables, ArchiveError> {
    let archive = SqlArchive::at(&url.parse::<ArchiveUrl>().unwrap()).unwrap();
    let reached = archive.reach().await;
    archive.close().await;
    reached
}

#[tokio::test]
async fn user_who_may_only_read_is_told_so_without_a_trace() {
    let server = Server::start().await;
    let url = server.database().await;
    let as_reader = url.replace("postgres@", "reader@");
    let mut admin = PgConnection::connect(&url).await.unwrap();
    let run = async |admin: &mut PgConnection, sql: String| {
        sqlx::query(AssertSqlSafe(sql)).execute(admin).await.unwrap();
    };
    run(&mut admin, "CREATE ROLE reader LOGIN".to_owned()).await;
    let refused = reach(&as_reader).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied for schema public"), "{refused}");
    assert!(matches!(reach(&url).await, Ok(Tables::Behind(_))), "who may make tables can begin");

    archive_at(&url).await.close().await;
    run(&mut admin, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader".to_owned()).await;
    let refused = reach(&as_reader).await.unwrap_err().to_string();
    assert!(refused.contains("permission denied for table sessions"), "{refused}");
    assert_eq!(reach(&url).await, Ok(Tables::Current));

    let (_, name) = url.rsplit_once('/').unwrap();
    run(&mut admin, format!("ALTER DATABASE {name} SET default_transaction_read_only = on")).await;
    let refused = reach(&url).await.unwrap_err().to_string();
    assert!(refused.contains("read-only transaction"), "{refused}");
}
