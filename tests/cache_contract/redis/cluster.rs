//! The shared store on a Redis Cluster of three nodes.

use std::time::Duration;

use tributary::domain::position::Sequence;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Presence, ResultCache, StoreError};
use tributary::engine::ports::wake_index::{WakeIndex, Work};

use super::waiting::eventually;
use super::{keys_of, settings_at};
use crate::bench::Bounds;
use crate::redis_cluster::RedisCluster;
use crate::writer::{Writer, missed, partial, read};

/// A cluster, two replicas on it, and a session on each node.
pub(super) struct Scene {
    pub(super) cluster: RedisCluster,
    pub(super) here: RedisCache,
    pub(super) there: RedisCache,
    pub(super) sessions: Vec<String>,
}

impl Scene {
    pub(super) async fn new() -> Self {
        let cluster = RedisCluster::start();
        let mut settings = settings_at(cluster.url(), Bounds::default());
        settings.address.response_timeout = Duration::from_secs(1);
        settings.address.connection_timeout = Duration::from_secs(1);
        let here = RedisCache::connect(settings.clone()).await.unwrap();
        let there = RedisCache::connect(settings).await.unwrap();
        let on = |node: usize| {
            let names = (0..).map(|n| format!("s-{n}"));
            names.into_iter().find(|name| cluster.node_of(&keys_of(name)[0]) == node).unwrap()
        };
        let sessions = (0..cluster.nodes.len()).map(on).collect();
        Self { cluster, here, there, sessions }
    }

    /// A session on each node, begun by the one and followed by the other.
    pub(super) async fn begun(&self) -> Vec<Writer> {
        let mut writers = Vec::new();
        for session in &self.sessions {
            let mut writer = Writer::new(session);
            writer.begins(&self.here).await;
            self.there.follow(&writer.key).await.unwrap();
            writers.push(writer);
        }
        writers
    }
}

/// The keys of a session share a slot, or `EXISTS` of all three would be refused.
#[tokio::test]
async fn a_session_of_a_cluster_is_one_log_for_two_replicas() {
    let scene = Scene::new().await;
    for (node, session) in scene.sessions.iter().enumerate() {
        let mut writer = Writer::new(session);
        let window = scene.there.follow(&writer.key).await.unwrap();
        let mut behind = writer.begins(&scene.here).await.clone();
        writer.writes(&scene.here, &[partial(), partial()]).await;
        eventually("what is published", async || {
            (window.tail().position == Some(writer.position())).then_some(())
        })
        .await;
        assert_eq!(window.after(Sequence(0), usize::MAX).unwrap(), writer.log);
        assert_eq!(read(&scene.there, &writer.key, 0).await, writer.log);
        let missed = missed(behind.tries(&scene.there, &[partial()]).await);
        assert_eq!(missed.entries, writer.log[1..]);
        assert!(scene.there.confirm(&writer.key, writer.position()).await.unwrap().is_none());
        let [meta, log, latest] = keys_of(session);
        assert_eq!(scene.cluster.nodes[node].command(&["EXISTS", &meta, &log, &latest]), ":3");
    }
    for node in &scene.cluster.nodes {
        let info = node.text(&["INFO", "clients"]);
        let clients = info.lines().find_map(|line| line.strip_prefix("connected_clients:")).unwrap();
        assert!(clients.parse::<usize>().unwrap() <= 2 * 6 + 1, "of two replicas, and this one: {clients}");
    }
    let tenant = tributary::domain::ids::TenantId::default_tenant();
    assert_eq!(scene.there.sessions(&tenant, None, 10).await.unwrap().len(), scene.sessions.len());
}

#[tokio::test]
async fn scripts_that_a_cluster_forgot_are_sent_again() {
    let scene = Scene::new().await;
    let mut writers = scene.begun().await;
    for node in &scene.cluster.nodes {
        node.expect_ok(&["SCRIPT", "FLUSH"]);
    }
    for writer in &mut writers {
        writer.writes(&scene.here, &[partial()]).await;
        let window = scene.there.refresh(&writer.key).await.unwrap();
        assert_eq!(window.tail().position, Some(writer.position()));
    }
}

#[tokio::test]
async fn a_session_that_moves_to_another_node_goes_on() {
    let scene = Scene::new().await;
    let mut writers = scene.begun().await;
    let writer = &mut writers[0];
    let window = scene.there.follow(&writer.key).await.unwrap();
    let keys = keys_of(&scene.sessions[0]);
    scene.cluster.move_slot(&keys.each_ref().map(String::as_str), 1);
    assert_eq!(scene.cluster.nodes[1].command(&["EXISTS", &keys[0]]), ":1");
    writer.writes(&scene.here, &[partial()]).await;
    let position = Some(writer.position());
    eventually("a reader", async || (window.tail().position == position).then_some(())).await;
    assert_eq!(read(&scene.here, &writer.key, 0).await, writer.log);
}

#[tokio::test]
async fn a_node_that_is_gone_takes_only_its_sessions_with_it() {
    let mut scene = Scene::new().await;
    let mut writers = scene.begun().await;
    // The first is the one that the subscriptions are made at.
    for gone in 0..writers.len() {
        scene.cluster.nodes[gone].kill();
        for (node, writer) in writers.iter_mut().enumerate().filter(|(node, _)| *node != gone) {
            let stored = eventually("an append elsewhere", async || {
                writer.tries(&scene.here, &[partial()]).await.ok().map(|_| ())
            });
            stored.await;
            let position = writer.position();
            eventually(format!("a reader of node {node} without node {gone}"), async || {
                let window = scene.there.follow(&writer.key).await.ok()?;
                (window.tail().position == Some(position)).then_some(())
            })
            .await;
        }
        let failed = writers[gone].tries(&scene.here, &[partial()]).await.unwrap_err();
        assert!(matches!(failed, StoreError::Unavailable(_) | StoreError::TimedOut), "{failed:?}");
        for replica in [&scene.here, &scene.there] {
            eventually("readiness without a node", async || {
                replica.sweep(false).await;
                replica.health().ok()
            })
            .await;
        }
        scene.cluster.nodes[gone].restart();
        scene.cluster.until_whole();
        let back = &mut writers[gone];
        // It came back empty: who holds the entries puts them back.
        eventually("the session to go on", async || {
            back.tries(&scene.here, &[partial()]).await.ok().map(|_| ())
        })
        .await;
        assert_eq!(read(&scene.here, &back.key, 0).await, back.log);
        let position = back.position();
        eventually("its reader", async || {
            let window = scene.there.follow(&back.key).await.ok()?;
            (window.tail().position == Some(position)).then_some(())
        })
        .await;
    }
    for writer in &writers {
        let loaded = scene.there.load(&writer.key).await.unwrap();
        assert!(matches!(loaded.presence, Presence::Live(state) if state.position == writer.position()));
    }
}

#[tokio::test]
async fn wake_ups_of_the_other_nodes_are_found_while_one_is_gone() {
    let mut scene = Scene::new().await;
    let (due, far) = (tributary::domain::time::Timestamp(1), 64);
    let keys: Vec<_> = (0..far).map(|n| crate::fixtures::session_key(&format!("w-{n}"))).collect();
    for key in &keys {
        scene.here.wake_at(key, Work::Deadline, due).await.unwrap();
    }
    scene.cluster.nodes[1].kill();
    let mut found = std::collections::BTreeSet::new();
    eventually("what is due on two nodes", async || {
        found.extend(
            scene
                .there
                .due(Work::Deadline)
                .await
                .ok()?
                .into_iter()
                .map(|claim| claim.key.session.to_string()),
        );
        (found.len() > 20).then_some(())
    })
    .await;
    scene.cluster.nodes[1].restart();
    assert!(found.len() < keys.len(), "the lost node had some");
}
