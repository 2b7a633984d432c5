//! A tenant's list of sessions is never short of one, and doesn't grow for ever.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tributary::domain::ids::SessionId;
use tributary::domain::time::Timestamp;
use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::{Appended, ResultCache, StoreError};

use super::line::Line;
use super::waiting::eventually;
use super::{settings, settings_at};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, begin};

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
    assert_eq!(cache.sessions(&stays.key.tenant, None, 9).await.unwrap(), [stays.state.clone().into()]);
    // Nor does one that left no trace: its tombstone is over, or its first append never came.
    server.command(&["ZADD", "tributary:sessions:default", "0", "never"]);
    assert_eq!(cache.sessions(&stays.key.tenant, None, 9).await.unwrap().len(), 1);
    assert_eq!(names(), ":1");
}

#[tokio::test]
async fn session_whose_name_is_taken_out_before_its_first_append_is_listed_after_it() {
    let server = RedisServer::start();
    let line = Line::to(server.port).await;
    let writes = RedisCache::connect(settings_at(line.url(), Bounds::default())).await.unwrap();
    let lists = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let writer = Writer::new("s");
    let tenant = writer.key.tenant.clone();
    let append = writer.append_of(&[begin()], writes.load(&writer.key).await.unwrap().now);
    line.hold_scripts(true);
    let taking_out = async {
        eventually("the name to be there", async || {
            (server.command(&["ZCARD", "tributary:sessions:default"]) == ":1").then_some(())
        })
        .await;
        assert_eq!(lists.sessions(&tenant, None, 9).await.unwrap(), []);
        assert_eq!(server.command(&["ZCARD", "tributary:sessions:default"]), ":0");
        line.hold_scripts(false);
    };
    let (appended, ()) = futures::join!(writes.append(&append), taking_out);
    assert!(matches!(appended, Ok(Appended::Stored { .. })), "{appended:?}");
    assert_eq!(lists.sessions(&tenant, None, 9).await.unwrap(), [append.state.clone().into()]);
}

#[tokio::test]
async fn a_list_that_redis_lost_is_mended_by_who_holds_its_sessions() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (first, second) = (begun(&cache, "s-1").await, begun(&cache, "s-2").await);
    let list = async || cache.sessions(&first.key.tenant, None, 9).await.unwrap();
    assert_eq!(server.command(&["DEL", "tributary:sessions:default"]), ":1");
    assert_eq!(list().await, []);
    cache.sweep(false).await;
    assert_eq!(list().await, [first.state.clone().into(), second.state.clone().into()]);
}

#[tokio::test]
async fn session_that_cannot_be_read_is_listed_and_takes_no_other_away() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (damaged, newer, whole) =
        (begun(&cache, "a").await, begun(&cache, "b").await, begun(&cache, "c").await);
    server.command(&["HSET", "tributary:{default/a}:meta", "session", "{damaged"]);
    server.command(&["HSET", "tributary:{default/b}:meta", "format", "200"]);
    let list = async |after: Option<&SessionId>, limit| {
        cache.sessions(&whole.key.tenant, after, limit).await.unwrap()
    };
    let found = list(None, 9).await;
    let [first, second, third] = &found[..] else { panic!("{found:?}") };
    assert_eq!(first.session, damaged.key.session);
    assert!(matches!(&first.state, Err(StoreError::Corrupt(_))), "{first:?}");
    assert_eq!(second.session, newer.key.session);
    assert!(matches!(&second.state, Err(StoreError::Newer(why)) if why.contains("format 200")), "{second:?}");
    assert_eq!(*third, whole.state.clone().into());
    // They count as the others do, and are gone past.
    assert_eq!(list(None, 1).await.len(), 1);
    assert_eq!(list(Some(&newer.key.session), 9).await, [whole.state.clone().into()]);
}
