//! A tenant's list of sessions is never short of one, and doesn't grow for ever.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::join_all;
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::ResultCache;

use super::settings;
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::Writer;

async fn begun(cache: &RedisCache, name: &str) -> Writer {
    let mut writer = Writer::new(name);
    writer.begins(cache).await;
    writer
}

#[tokio::test]
async fn names_of_sessions_that_are_gone_leave_though_nobody_lists_them() {
    let server = RedisServer::start();
    let bounds = Bounds::default();
    let cache = RedisCache::connect(settings(&server, bounds)).await.unwrap();
    let begin = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    cache.set_now(Timestamp(begin));
    for number in 0..150 {
        begun(&cache, &format!("gone-{number}")).await;
    }
    let names = || server.command(&["ZCARD", "tributary:sessions:default"]);
    assert_eq!(names(), ":150");
    // The last of their deadlines and five minutes.
    let hours = Duration::from_secs(7_200).as_millis() as i64;
    cache.set_now(Timestamp(begin + hours));
    let stays = begun(&cache, "m-stays").await;
    cache.sweep(false).await;
    assert_eq!(names(), ":1");
    assert_eq!(cache.sessions(&stays.key.tenant, None, 9).await.unwrap(), std::slice::from_ref(&stays.state));
    // Nor does one that left no trace: its tombstone is over, or its first append never came.
    server.command(&["ZADD", "tributary:sessions:default", "0", "never"]);
    assert_eq!(cache.sessions(&stays.key.tenant, None, 9).await.unwrap().len(), 1);
    assert_eq!(names(), ":1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn session_that_begins_while_others_list_is_listed() {
    let server = RedisServer::start();
    let connect = async || RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (writes, lists) = (connect().await, connect().await);
    let tenant = Writer::new("any").key.tenant;
    let writing = async {
        for round in 0..25 {
            let names: Vec<String> = (0..16).map(|number| format!("s-{round}-{number}")).collect();
            join_all(names.iter().map(|name| begun(&writes, name))).await;
        }
    };
    let listing = async { while lists.sessions(&tenant, None, 1_000).await.is_ok() {} };
    tokio::select! {
        () = writing => {}
        () = listing => panic!("the list can't be read"),
    }
    assert_eq!(writes.sessions(&tenant, None, 1_000).await.unwrap().len(), 400);
}
