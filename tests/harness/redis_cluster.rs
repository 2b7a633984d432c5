//! A private Redis Cluster: three masters without replicas, each a real process on a free port of 127.0.0.1.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::time::{Duration, Instant};

use crate::redis_server::RedisServer;

/// How long the nodes may take to agree.
const PATIENCE: Duration = Duration::from_secs(30);
/// After how long nodes that don't know each other are introduced once more.
const MEET_AGAIN: Duration = Duration::from_secs(3);
const NODES: usize = 3;
const SLOTS: usize = 16_384;
/// A node that is gone is missed after a second, and the others go on.
const SETTINGS: [&str; 10] = [
    "--save",
    "",
    "--appendonly",
    "no",
    "--cluster-enabled",
    "yes",
    "--cluster-node-timeout",
    "1000",
    "--cluster-require-full-coverage",
    "no",
];

/// A running cluster. A node that is gone takes only its slots with it.
pub struct RedisCluster {
    pub nodes: Vec<RedisServer>,
}

impl RedisCluster {
    /// Starts the nodes, divides the slots among them, and waits until each knows of all.
    pub fn start() -> Self {
        let nodes = (0..NODES).map(|_| RedisServer::start_with(&SETTINGS));
        let cluster = Self { nodes: nodes.collect() };
        for (index, node) in cluster.nodes.iter().enumerate() {
            let (from, to) = (index * SLOTS / NODES, (index + 1) * SLOTS / NODES - 1);
            node.expect_ok(&["CLUSTER", "ADDSLOTSRANGE", &from.to_string(), &to.to_string()]);
            node.expect_ok(&["CLUSTER", "SET-CONFIG-EPOCH", &(index + 1).to_string()]);
        }
        cluster.meet();
        cluster.until_whole();
        cluster
    }

    /// Introduces the nodes to each other.
    fn meet(&self) {
        let first = self.nodes[0].port.to_string();
        for node in &self.nodes[1..] {
            node.expect_ok(&["CLUSTER", "MEET", "127.0.0.1", &first]);
        }
    }

    /// The addresses of all nodes.
    pub fn url(&self) -> String {
        self.nodes.iter().map(RedisServer::url).collect::<Vec<_>>().join(",")
    }

    /// Which node has a key.
    pub fn node_of(&self, key: &str) -> usize {
        let slot = self.nodes[0].command(&["CLUSTER", "KEYSLOT", key]);
        let slot: usize = slot.trim_start_matches(':').parse().unwrap();
        (0..NODES).find(|index| slot < (index + 1) * SLOTS / NODES).unwrap()
    }

    /// Moves the slot of these keys, and them with it, to another node.
    pub fn move_slot(&self, keys: &[&str], to: usize) {
        let slot = self.nodes[0].command(&["CLUSTER", "KEYSLOT", keys[0]]);
        let slot = slot.trim_start_matches(':');
        let (source, target) = (&self.nodes[self.node_of(keys[0])], &self.nodes[to]);
        let (source_id, target_id) = (source.text(&["CLUSTER", "MYID"]), target.text(&["CLUSTER", "MYID"]));
        target.expect_ok(&["CLUSTER", "SETSLOT", slot, "IMPORTING", &source_id]);
        source.expect_ok(&["CLUSTER", "SETSLOT", slot, "MIGRATING", &target_id]);
        let port = target.port.to_string();
        source.expect_ok(&[&["MIGRATE", "127.0.0.1", &port, "", "0", "5000", "KEYS"], keys].concat());
        for node in [target, source] {
            node.expect_ok(&["CLUSTER", "SETSLOT", slot, "NODE", &target_id]);
        }
    }

    /// Waits until every node sees all slots in good hands.
    pub fn until_whole(&self) {
        let begun = Instant::now();
        let mut met = begun;
        let whole = |node: &RedisServer| {
            let info = node.text(&["CLUSTER", "INFO"]);
            ["cluster_state:ok", "cluster_slots_ok:16384", "cluster_known_nodes:3"]
                .iter()
                .all(|fact| info.contains(fact))
        };
        while !self.nodes.iter().all(whole) {
            assert!(begun.elapsed() < PATIENCE, "{}", self.nodes[0].text(&["CLUSTER", "INFO"]));
            // Who isn't heard of for the nodes' time-out, on a busy machine, is a stranger again.
            if met.elapsed() > MEET_AGAIN {
                self.meet();
                met = Instant::now();
            }
            std::thread::yield_now();
        }
    }
}
