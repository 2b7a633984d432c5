//! Logs that are longer than what a replica holds of them, in a store that went back or lost them.

use std::sync::Arc;

use tributary::domain::event::SenderStatus;
use tributary::domain::policy::PolicyDecision;
use tributary::domain::position::{Epoch, Position};
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Append, Appended, Restored, ResultCache};
use tributary::engine::ports::wake_index::{WakeIndex, Work};

use super::forks::{go_back, keep, stored};
use super::waiting::eventually;
use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::fixtures::{post, safety, say};
use crate::redis_server::RedisServer;
use crate::writer::{Writer, partial};

/// Entries that a replica holds.
const RING: usize = 8;

async fn replica(server: &RedisServer) -> RedisCache {
    let bounds = Bounds { ring_entries: RING, backlog_bytes: Some(1 << 20), ..Bounds::default() };
    RedisCache::connect(settings(server, bounds)).await.unwrap()
}

/// A session of three times what a replica holds, in one that only writes it, and how it was after the first two entries, which the
/// store kept.
async fn longer_than_the_ring() -> (RedisServer, RedisCache, Writer, Writer) {
    let server = RedisServer::start();
    let here = replica(&server).await;
    let mut writer = Writer::new("s");
    writer.begins(&here).await.writes(&here, &[partial()]).await;
    let before = writer.clone();
    keep(&server);
    for _ in 0..3 * RING {
        writer.writes(&here, &[partial()]).await;
        // What is archived may leave the log.
        here.archived(&writer.key, writer.position()).await.unwrap();
    }
    (server, here, writer, before)
}

/// What an archive that has the log up to `to` puts back after `before`.
fn out_of_the_archive(writer: &Writer, before: &Writer, to: usize) -> Append {
    let entries = writer.log[before.log.len()..to].to_vec();
    let mut state = (*before.state).clone();
    entries.iter().for_each(|entry| state.apply(entry));
    let again = before.append_of(&[partial()], before.state.last_at);
    Append { append_id: entries[0].append_id, state: Arc::new(state), entries, ..again }
}

#[tokio::test]
async fn older_entries_that_are_put_back_here_leave_what_is_held() {
    let (server, here, writer, before) = longer_than_the_ring().await;
    go_back(&server);
    let archived = writer.log.len() - RING / 2;
    let append = out_of_the_archive(&writer, &before, archived - RING);
    assert!(
        matches!(here.append(&append).await.unwrap(), Appended::Stored { .. }),
        "before all that is held"
    );
    let mut there = before.clone();
    there.state = append.state;
    there.log = writer.log[..archived - RING].to_vec();
    let append = out_of_the_archive(&writer, &there, archived);
    assert!(matches!(here.append(&append).await.unwrap(), Appended::Stored { .. }), "up to the middle of it");
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    assert_eq!(now.position(), writer.position(), "what isn't archived is back, and readers go on");
    assert!(here.lost().is_empty());
}

/// How many scripts were run by their names.
fn scripts(server: &RedisServer) -> u64 {
    let stats = server.text(&["INFO", "commandstats"]);
    let calls = stats.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")).unwrap_or("0");
    calls.split(',').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn what_lies_before_what_is_held_is_waited_for_while_the_archive_puts_it_back() {
    let (server, here, writer, before) = longer_than_the_ring().await;
    go_back(&server);
    let there = replica(&server).await;
    let seen = scripts(&server);
    let looking = tokio::spawn({
        let (here, key) = (here.clone(), writer.key.clone());
        async move { here.refresh(&key).await.map(drop) }
    });
    // It has found the older place, and looks again and again; who doesn't wait is done by then.
    eventually("several looks", async || {
        (scripts(&server) > seen + 5 || looking.is_finished()).then_some(())
    })
    .await;
    let append = out_of_the_archive(&writer, &before, writer.log.len() - RING / 2);
    assert!(matches!(there.append(&append).await.unwrap(), Appended::Stored { .. }), "nobody began anew");
    looking.await.unwrap().unwrap();
    let now = stored(&server, &writer).await;
    assert_eq!(now.position(), writer.position(), "what isn't archived is back, in the same epoch");
    assert!(here.lost().is_empty());
}

/// The store loses the session, and where it stood after the first entries is put back in a new epoch, as who asks an archive does.
fn lost(server: &RedisServer, before: &Writer) -> Position {
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
    Position { epoch: Epoch::from_random(7), ..before.position() }
}

#[tokio::test]
async fn what_is_held_is_decided_again_where_the_store_goes_on_from_before_all_of_it() {
    let (server, here, writer, before) = longer_than_the_ring().await;
    let mut state = (*before.state).clone();
    state.position = lost(&server, &before);
    let found = Restored { state: Arc::new(state), latest: Vec::new(), left: before.position() };
    assert!(replica(&server).await.restore(&writer.key, &found).await.unwrap());
    here.refresh(&writer.key).await.unwrap();
    let lost = here.lost();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0].entries, writer.log[writer.log.len() - RING..]);
}

#[tokio::test]
async fn a_session_that_was_taken_for_expired_before_all_that_is_held_is_put_back() {
    let (server, here, writer, before) = longer_than_the_ring().await;
    let place = lost(&server, &before);
    assert!(replica(&server).await.remember(&writer.key, place, false).await.unwrap());
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    assert_eq!(now.position().sequence, writer.position().sequence);
    assert_eq!(now.state.steps, writer.state.steps);
}

#[tokio::test]
async fn a_state_without_entries_that_no_archive_has_is_put_back_to_stay() {
    let (server, here, writer, before) = longer_than_the_ring().await;
    let place = lost(&server, &before);
    assert!(replica(&server).await.remember(&writer.key, place, false).await.unwrap());
    here.refresh(&writer.key).await.unwrap();
    let now = stored(&server, &writer).await;
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["EXISTS", &log]), ":0", "its epoch has only begun");
    assert_eq!(server.command(&["DEL", &meta, &latest]), ":2");
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(stored(&server, &writer).await.position(), now.position());
    assert_eq!([&meta, &latest].map(|key| server.command(&["PTTL", key])), [":-1"; 2], "what isn't archived");
    here.archived(&writer.key, now.position()).await.unwrap();
    assert_ne!(server.command(&["PTTL", &meta]), ":-1", "what is");
}

#[tokio::test]
async fn a_decision_of_a_lost_branch_is_not_told_beside_what_comes_of_deciding_it_again() {
    let server = RedisServer::start();
    let (here, there) = (replica(&server).await, replica(&server).await);
    let mut writer = Writer::new("s");
    writer.begins(&here).await;
    let mut other = writer.clone();
    keep(&server);
    writer.writes(&here, &[safety(Some("p"), PolicyDecision::Allow, None, Some(false))]).await;
    let slot = format!("policy {}", writer.position().sequence);
    for _ in 0..2 * RING {
        writer.writes(&here, &[partial()]).await;
        here.archived(&writer.key, writer.position()).await.unwrap();
    }
    go_back(&server);
    let last_word = say("q", "crm", SenderStatus::Success).command();
    other.writes(&there, &[post("q").expects("crm", "r").command(), last_word]).await;
    here.refresh(&writer.key).await.unwrap();
    let mut goes_on = stored(&server, &other).await;
    assert_eq!(goes_on.state.steps.len(), 2, "the other branch goes on");
    goes_on.writes(&here, &[post("t").expects("crm", "r").command()]).await;
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(stored(&server, &goes_on).await.position(), goes_on.position());
    assert_eq!(server.command(&["HEXISTS", &latest, "started t"]), ":1");
    assert_eq!(server.command(&["HEXISTS", &latest, &slot]), ":0");
}

/// A session whose output `w` was quiet for longer than what a replica holds; of what it said the store kept the first.
async fn long_quiet(here: &RedisCache, server: &RedisServer) -> Writer {
    let mut writer = Writer::new("s");
    writer.writes(here, &[post("p").expects("crm", "r").expects("web", "w").command()]).await;
    let said = |agent| say("p", agent, SenderStatus::Partial).command();
    writer.writes(here, &[said("web")]).await;
    keep(server);
    writer.writes(here, &[said("web")]).await;
    for _ in 0..2 * RING {
        writer.writes(here, &[said("crm")]).await;
        here.archived(&writer.key, writer.position()).await.unwrap();
    }
    writer
}

/// What a snapshot has of `w`.
fn last_of_w(server: &RedisServer) -> Vec<Vec<u8>> {
    let latest = &keys_of("s")[2];
    ["partial p w", "last p w"].map(|slot| server.raw(&["HGET", latest, slot])).into()
}

#[tokio::test]
async fn an_older_last_word_in_the_store_gives_way_to_what_a_replica_saw() {
    let server = RedisServer::start();
    let here = replica(&server).await;
    let _writer = long_quiet(&here, &server).await;
    let whole = last_of_w(&server);
    assert_eq!(server.command(&["RENAME", "kept:latest", &keys_of("s")[2]]), "+OK");
    assert_ne!(last_of_w(&server), whole);
    // Every replica adds what it saw with a new line.
    server.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
    eventually("the newer one", async || (last_of_w(&server) == whole).then_some(())).await;
}

#[tokio::test]
async fn the_newest_that_redis_let_go_is_put_back_by_who_saw_what_its_log_has_no_more() {
    let server = RedisServer::start();
    let (here, stranger) = (replica(&server).await, replica(&server).await);
    let writer = long_quiet(&here, &server).await;
    let (whole, latest) = (last_of_w(&server), &keys_of("s")[2]);
    assert_eq!(server.command(&["DEL", latest]), ":1");
    let snapshot = stranger.snapshot(&writer.key).await.unwrap().unwrap();
    assert!(snapshot.misses.is_some(), "the log begins later");
    assert_eq!(last_of_w(&server)[0], server.raw(&["HGET", latest, "nothing"]));
    let snapshot = here.snapshot(&writer.key).await.unwrap().unwrap();
    assert!(snapshot.misses.is_none());
    assert_eq!(last_of_w(&server), whole);
}

#[tokio::test]
async fn what_is_added_where_there_is_no_log_stays_no_longer_than_the_data() {
    let server = RedisServer::start();
    let bounds = Bounds { ring_entries: RING, ..Bounds::default() };
    let here = RedisCache::connect(settings(&server, bounds)).await.unwrap();
    let _writer = long_quiet(&here, &server).await;
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &log, &latest]), ":2");
    server.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
    let time = |key: &str| server.command(&["PTTL", key])[1..].parse::<i64>().unwrap();
    let left = eventually("what was seen", async || Some(time(&latest)).filter(|left| *left != -2)).await;
    // The place stays for another `tombstone_ms`.
    let place = time(&meta);
    assert!(left > 0 && left < place - bounds.tombstone_ms as i64 / 2, "{left} of {place}");
}

#[tokio::test]
async fn what_could_not_be_added_when_a_log_was_put_back_is_added_later() {
    let server = RedisServer::start();
    let here = replica(&server).await;
    let writer = long_quiet(&here, &server).await;
    let whole = last_of_w(&server);
    for work in [Work::Deadline, Work::Archive] {
        here.wake_by(&writer.key, work, Timestamp(1)).await.unwrap();
    }
    // From here on only scripts that it knows: the one that asks for what is lacking was never sent.
    server.expect_ok(&["ACL", "SETUSER", "default", "-eval"]);
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(server.command(&["EXISTS", &meta, &log, &latest]), ":3", "the entries are back all the same");
    assert_ne!(last_of_w(&server), whole);
    server.expect_ok(&["ACL", "SETUSER", "default", "+eval"]);
    here.sweep(true).await;
    assert_eq!(last_of_w(&server), whole);
}
