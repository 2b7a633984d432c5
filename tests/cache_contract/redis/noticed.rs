//! A Redis that was emptied, or a node of a cluster that was started anew, is noticed without a new line: what is held goes back, and who holds
//! nothing waits.

use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Presence, ResultCache};

use super::cluster::Scene;
use super::waiting::eventually;
use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, missed, partial, read};

async fn replica(server: &RedisServer) -> RedisCache {
    let replica = RedisCache::connect(settings(server, Bounds::default())).await.unwrap();
    eventually("its line", async || replica.health().ok()).await;
    replica.settled().await;
    replica.sweep(false).await;
    replica
}

#[tokio::test]
async fn who_holds_nothing_of_what_was_emptied_is_not_told_that_it_is_unknown() {
    let server = RedisServer::start();
    let (here, there) = (replica(&server).await, replica(&server).await);
    let mut writer = Writer::new("s");
    writer.begins(&here).await;
    assert!(matches!(there.load(&Writer::new("t").key).await.unwrap().presence, Presence::Unknown));
    assert!(!there.may_lack() && !there.settled().await, "nothing was lost");
    let line = there.line();
    server.expect_ok(&["FLUSHALL"]);
    assert!(matches!(there.load(&writer.key).await.unwrap().presence, Presence::Unknown));
    assert!(there.may_lack(), "it may come again");
    assert!(there.settled().await, "nobody goes on meanwhile");
    assert_ne!(there.line(), line, "what only an archive has is looked after");
    assert!(!there.settled().await, "once");
}

#[tokio::test]
async fn who_has_just_started_is_told_by_the_others_that_something_was_lost() {
    let mut server = RedisServer::start();
    let here = replica(&server).await;
    assert!(!here.may_lack(), "nobody is there who could say so");
    let mut writer = Writer::new("s");
    writer.begins(&here).await;
    server.kill();
    server.restart();
    let heard = || server.text(&["INFO", "commandstats"]).contains("cmdstat_publish:");
    eventually("a word to those who are there by then", async || heard().then_some(())).await;
    let there = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    eventually("a word to who has come since", async || there.may_lack().then_some(())).await;
    there.settled().await;
    let loaded = there.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()));
    let unasked = RedisCache::connect(settings(&RedisServer::start(), Bounds::default())).await.unwrap();
    unasked.settled().await;
    assert!(!unasked.may_lack());
}

#[tokio::test]
async fn what_nobody_reads_is_put_back_where_a_redis_was_emptied() {
    let server = RedisServer::start();
    let here = replica(&server).await;
    let mut writer = Writer::new("s");
    writer.begins(&here).await;
    server.expect_ok(&["FLUSHALL"]);
    here.sweep(false).await;
    let back = || server.command(&["EXISTS", &keys_of("s")[0]]) == ":1";
    eventually("the session without another word", async || back().then_some(())).await;
    assert!(here.may_lack());
}

/// The store loses a session that `here` knows but for the last of it, which `there` wrote. `reads`: it is read there before it is
/// written to.
async fn lost_where_one_knows_more(lost: &[&str], reads: bool) {
    let server = RedisServer::start();
    let (here, there) = (replica(&server).await, replica(&server).await);
    let mut writer = Writer::new("s");
    writer.begins(&here).await.writes(&here, &[partial()]).await;
    let mut other = writer.clone();
    other.writes(&there, &[partial()]).await;
    server.command(lost);
    if reads {
        let window = here.refresh(&writer.key).await.unwrap();
        assert_eq!(window.tail().position, Some(other.position()), "{lost:?}");
    }
    let append = writer.append_of(&[partial()], writer.state.last_at);
    let missed = missed(here.append(&append).await);
    assert_eq!(missed.entries, other.log[writer.log.len()..], "{lost:?}");
    other.writes(&there, &[partial()]).await;
    here.refresh(&writer.key).await.unwrap();
    assert_eq!(read(&here, &writer.key, 0).await, other.log, "nothing is lost, and the epoch stays");
}

#[tokio::test]
async fn who_holds_less_of_what_was_lost_without_a_word_lets_others_go_first() {
    let [meta, log, latest] = keys_of("s");
    let keys: &[&str] = &["DEL", &meta, &log, &latest];
    for (lost, reads) in [(&["FLUSHALL"][..], false), (&["FLUSHALL"], true), (keys, false), (keys, true)] {
        lost_where_one_knows_more(lost, reads).await;
    }
}

#[tokio::test]
async fn a_node_of_a_cluster_that_was_started_anew_is_noticed() {
    let mut scene = Scene::new().await;
    let writers = scene.begun().await;
    for replica in [&scene.here, &scene.there] {
        eventually("its line", async || replica.health().ok()).await;
        replica.settled().await;
        replica.sweep(false).await;
        assert!(!replica.may_lack() && !replica.settled().await);
    }
    // Not the one that the subscriptions are made at: no line is new.
    let (node, writer) = (2, &writers[2]);
    let line = scene.there.line();
    scene.cluster.nodes[node].kill();
    scene.cluster.nodes[node].restart();
    scene.cluster.until_whole();
    let stranger = Writer::new(&format!("{}-unknown", scene.sessions[node]));
    let mut has_waited = false;
    eventually("who asks for what isn't known", async || {
        // A command may meet the line that was cut; who asks waits before each.
        has_waited |= scene.there.settled().await;
        let loaded = scene.there.load(&stranger.key).await.ok()?;
        assert!(matches!(loaded.presence, Presence::Unknown));
        scene.there.may_lack().then_some(())
    })
    .await;
    assert!(has_waited || scene.there.settled().await, "nobody goes on meanwhile");
    assert_ne!(scene.there.line(), line);
    scene.here.sweep(false).await;
    eventually("the session without another word", async || {
        let loaded = scene.there.load(&writer.key).await.ok()?;
        matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()).then_some(())
    })
    .await;
}
