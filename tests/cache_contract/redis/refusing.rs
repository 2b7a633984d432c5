//! A Redis that answers and takes no writes isn't ready, though nobody sends; of a cluster, where no node does.

use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::ResultCache;

use super::cluster::Scene;
use super::settings;
use super::waiting::eventually;
use crate::bench::Bounds;
use crate::fixtures::session_key;
use crate::redis_server::RedisServer;

#[tokio::test]
async fn a_store_that_takes_no_writes_is_not_ready_though_nobody_sends() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    eventually("its line", async || cache.health().ok()).await;
    for (begins, ends, why) in [
        (&["REPLICAOF", "127.0.0.1", "1"][..], &["REPLICAOF", "NO", "ONE"][..], "READONLY"),
        (&["CONFIG", "SET", "maxmemory", "1"], &["CONFIG", "SET", "maxmemory", "0"], "OOM"),
    ] {
        server.expect_ok(begins);
        cache.sweep(false).await;
        // That it can be read says nothing about writes.
        cache.load(&session_key("s")).await.unwrap();
        let told = cache.health().unwrap_err();
        assert!(told.to_uppercase().replace(' ', "").contains(why), "{told}");
        assert!(cache.connections().iter().all(|(_, is_up)| *is_up), "{why}: its connections are up");
        server.expect_ok(ends);
        cache.sweep(false).await;
        assert_eq!(cache.health(), Ok(()), "{why} is over");
    }
    assert_eq!(server.command(&["EXISTS", "tributary:nothing"]), ":0");
}

#[tokio::test]
async fn a_cluster_of_which_no_node_takes_writes_is_not_ready() {
    let Scene { cluster, here, .. } = Scene::new().await;
    let told = async |why: &str| {
        eventually(format!("readiness without {why}"), async || {
            here.sweep(false).await;
            here.health().err().filter(|told| told.contains(why))
        })
        .await;
        assert!(here.connections().iter().all(|(_, is_up)| *is_up), "{why}: its connections are up");
    };
    let is_ready = async || {
        eventually("readiness", async || {
            here.sweep(false).await;
            here.health().ok()
        })
        .await;
    };
    is_ready().await;
    for node in &cluster.nodes {
        node.expect_ok(&["CONFIG", "SET", "maxmemory", "1"]);
    }
    told("used memory").await;
    // The sessions of one node go on, as they do where the others are gone.
    cluster.nodes[1].expect_ok(&["CONFIG", "SET", "maxmemory", "0"]);
    is_ready().await;
    for node in &cluster.nodes {
        node.expect_ok(&["CONFIG", "SET", "maxmemory", "0"]);
        node.expect_ok(&["CONFIG", "SET", "cluster-require-full-coverage", "yes"]);
        node.expect_ok(&["CLUSTER", "DELSLOTSRANGE", "0", "99"]);
    }
    told("cluster is down").await;
}
