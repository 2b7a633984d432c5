//! Several replicas on one Redis, all of them real processes: any takes any call, and none loses anything when one of
//! them, or Redis, is killed, frozen, cut off, or comes back with less than it had.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/redis_server.rs"]
mod redis_server;

mod archived;
mod asked;
mod beginnings;
mod branches;
mod checking;
mod clocks;
mod crashes;
mod deadlines;
mod emptied;
mod expired;
mod lines;
mod load;
mod loading;
mod long;
mod lost;
mod newcomers;
mod one_log;
mod reading;
mod restarts;
mod scene;
mod told;
mod tripwire;
mod unreadable;
mod versions;
