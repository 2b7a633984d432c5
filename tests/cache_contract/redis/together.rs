//! Appends of several sessions that wait at the same moment go in one script, and each is stored or isn't by itself.

use futures::future::join_all;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Append, Appended, ResultCache};

use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, missed, partial, read};

/// More than go in one script.
const SESSIONS: usize = 40;

/// How many scripts were run.
fn scripts(server: &RedisServer) -> usize {
    let stats = server.text(&["INFO", "commandstats"]);
    let calls = stats.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")).unwrap_or("0");
    calls.split(',').next().unwrap().parse().unwrap()
}

/// Sessions that have begun, and an append of each.
async fn begun(cache: &RedisCache) -> (Vec<Writer>, Vec<Append>) {
    let (mut writers, mut appends) = (Vec::new(), Vec::new());
    for number in 0..SESSIONS {
        let mut writer = Writer::new(&format!("s{number}"));
        writer.begins(cache).await;
        let now = cache.load(&writer.key).await.unwrap().now;
        appends.push(writer.append_of(&[partial()], now));
        writers.push(writer);
    }
    (writers, appends)
}

#[tokio::test]
async fn appends_that_wait_at_the_same_moment_go_together() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (mut writers, appends) = begun(&cache).await;
    let before = scripts(&server);
    for told in join_all(appends.iter().map(|append| cache.append(append))).await {
        assert!(matches!(told, Ok(Appended::Stored { .. })), "{told:?}");
    }
    let run = scripts(&server) - before;
    assert!(run <= 5, "{run} scripts for {SESSIONS} appends");
    let reader = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    for (writer, append) in writers.iter_mut().zip(appends) {
        writer.log.extend(append.entries);
        assert_eq!(read(&reader, &writer.key, 0).await, writer.log);
    }
}

#[tokio::test]
async fn what_one_session_is_refused_or_lacks_is_no_other_sessions() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let other = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (writers, appends) = begun(&cache).await;
    // Another replica writes to the first.
    let mut ahead = writers[0].clone();
    ahead.writes(&other, &[partial()]).await;
    // The second can't be written to; of the third there is no place for snapshots.
    for (session, key) in [("s1", 1), ("s2", 2)] {
        let key = &keys_of(session)[key];
        server.command(&["DEL", key]);
        server.expect_ok(&["SET", key, "another's"]);
    }
    let mut told = join_all(appends.iter().map(|append| cache.append(append))).await.into_iter();
    assert_eq!(missed(told.next().unwrap()).entries, ahead.log[writers[0].log.len()..]);
    assert!(told.next().unwrap().is_err());
    let found = missed(told.next().unwrap());
    assert_eq!(found.entries, appends[2].entries, "it is stored, and found by its id");
    for told in told {
        assert!(matches!(told, Ok(Appended::Stored { .. })), "{told:?}");
    }
    for (writer, append) in writers.iter().zip(&appends).skip(3) {
        assert_eq!(read(&other, &writer.key, 0).await, [&writer.log[..], &append.entries].concat());
    }
}
