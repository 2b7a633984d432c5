//! Kept answers in a private Redis.

use std::time::{Duration, Instant};

use tributary::edge::cache::RedisCache;
use tributary::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};
use tributary::engine::ports::result_cache::ResultCache;

use super::settings;
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::Writer;

const HOUR: Duration = Duration::from_secs(3_600);
/// The number of places.
const PLACES: u128 = 2_048;
/// What the answers of the session are kept as.
const NOTED: &str = "tributary:{default/s}:answers";

fn answer(text: &str) -> KeptAnswer {
    KeptAnswer { text: text.to_owned(), answered_by: Some("dated".into()) }
}

#[tokio::test]
async fn an_answer_is_found_again_and_only_by_its_own_key() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    assert_eq!(cache.get(CacheKey(7)).await, Ok(None));
    cache.put(CacheKey(7), answer("sept \u{1F600}"), HOUR).await.unwrap();
    assert_eq!(cache.get(CacheKey(7)).await, Ok(Some(answer("sept \u{1F600}"))));
    // The same place, another request.
    assert_eq!(cache.get(CacheKey(7 + PLACES)).await, Ok(None));
    cache.put(CacheKey(7 + PLACES), answer("other"), HOUR).await.unwrap();
    assert_eq!(cache.get(CacheKey(7)).await, Ok(None));
    assert_eq!(cache.get(CacheKey(7 + PLACES)).await, Ok(Some(answer("other"))));
}

#[tokio::test]
async fn answers_are_bounded_in_number_in_bytes_and_in_age() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    for key in 0..PLACES + 300 {
        cache.put(CacheKey(key), answer("a"), HOUR).await.unwrap();
    }
    assert_eq!(server.command(&["DBSIZE"]), format!(":{PLACES}"));
    cache.put(CacheKey(1), answer(&"x".repeat(128 * 1024 + 1)), HOUR).await.unwrap();
    assert_eq!(cache.get(CacheKey(1 + PLACES)).await, Ok(Some(answer("a"))));
    let left: u64 = server.command(&["PTTL", "tributary:completion:5"])[1..].trim().parse().unwrap();
    assert!((3_500_000..=3_600_000).contains(&left), "{left}");
    cache.put(CacheKey(9), answer("long"), Duration::MAX).await.unwrap();
    assert_eq!(cache.get(CacheKey(9)).await, Ok(Some(answer("long"))));
}

#[tokio::test]
async fn what_belongs_to_a_session_goes_with_it_and_nothing_else() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let mut writer = Writer::new("s");
    writer.begins(&cache).await;
    let session = &writer.key;
    for key in 1..=3 {
        cache.put(CacheKey(key), answer("a"), HOUR).await.unwrap();
        cache.belongs(CacheKey(key), session, HOUR).await.unwrap();
    }
    // Another request's answer has its place now.
    cache.put(CacheKey(3 + PLACES), answer("other"), HOUR).await.unwrap();
    cache.put(CacheKey(4), answer("b"), HOUR).await.unwrap();
    let left: u64 = server.command(&["PTTL", NOTED])[1..].trim().parse().unwrap();
    assert!((3_500_000..=3_600_000).contains(&left), "{left}");
    assert!(ResultCache::forget(&cache, session).await.unwrap());
    CompletionCache::forget(&cache, session).await.unwrap();
    let mut found = Vec::new();
    for key in [1, 2, 3 + PLACES, 4] {
        found.push(cache.get(CacheKey(key)).await.unwrap().is_some());
    }
    assert_eq!(found, [false, false, true, true]);
    assert_eq!(server.command(&["EXISTS", NOTED]), ":0");
}

#[tokio::test]
async fn what_is_put_while_its_session_is_deleted_goes_as_well() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let mut writer = Writer::new("s");
    writer.begins(&cache).await;
    cache.put(CacheKey(1), answer("a"), HOUR).await.unwrap();
    assert!(ResultCache::forget(&cache, &writer.key).await.unwrap());
    CompletionCache::forget(&cache, &writer.key).await.unwrap();
    cache.belongs(CacheKey(1), &writer.key, HOUR).await.unwrap();
    assert_eq!(cache.get(CacheKey(1)).await, Ok(None));
}

#[tokio::test]
async fn what_cannot_be_read_or_reached_is_an_error_and_no_panic() {
    let server = RedisServer::start();
    let cache = RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    cache.put(CacheKey(3), answer("a"), HOUR).await.unwrap();
    server.command(&["SET", "tributary:completion:3", "rubbish"]);
    assert!(matches!(cache.get(CacheKey(3)).await, Err(CacheError::Corrupt(_))));
    drop(server);
    let began = Instant::now();
    assert!(matches!(cache.get(CacheKey(3)).await, Err(CacheError::Unavailable(_))));
    assert!(began.elapsed() < Duration::from_secs(10));
}
