//! What a replica took and didn't archive before it was killed, another one archives.

use tributary::domain::ids::{SessionKey, TenantId};
use tributary::edge::archive::{ArchiveUrl, SqlArchive};
use tributary::engine::ports::archive::Archive;

use super::load::start;
use super::scene::{replica, whole_log};
use crate::harness::eventually;
use crate::redis_server::RedisServer;

#[tokio::test]
async fn what_a_killed_replica_left_unarchived_is_archived_by_another() {
    let redis = RedisServer::start();
    let url = format!("sqlite://{}", redis.folder().join("archive.db").display());
    // It waits for more to archive, and doesn't look after what is due: it is killed before it does either.
    let slow = [("ARCHIVE__URL", &*url), ("ARCHIVE__BATCH_WAIT_MS", "10000"), ("CACHE__SWEEP_MS", "60000")];
    let first = replica(&redis.url(), &[&slow[..], &[("ARCHIVE__LOOK_AFTER_MS", "500")]].concat()).await;
    let planner = first.client().planner("s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "x").await;
    let log = whole_log(first.client(), "s").await;
    first.signal("KILL");
    drop(first);

    let archive = SqlArchive::at(&url.parse::<ArchiveUrl>().unwrap()).unwrap();
    let key = SessionKey { tenant: TenantId::default_tenant(), session: "s".parse().unwrap() };
    assert_eq!(archive.session(&key).await.unwrap(), None, "nothing is archived yet");
    let second = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
    let position = eventually("the session to be archived", || async {
        archive.session(&key).await.unwrap().map(|session| session.position)
    })
    .await;
    assert_eq!(position.sequence.0, log.len() as u64);
    assert_eq!(whole_log(second.client(), "s").await, log);
    archive.close().await;
}
