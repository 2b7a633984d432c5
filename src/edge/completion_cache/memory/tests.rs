//! Answers are found until they are too old or too many.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const HOUR: Duration = Duration::from_secs(3_600);

fn cache(entries_max: usize, bytes_max: usize) -> MemoryCompletions {
    MemoryCompletions::new(MemoryCompletionsSettings { entries_max, bytes_max, answer_bytes_max: 1_000 })
}

fn answer(bytes: usize) -> KeptAnswer {
    KeptAnswer { text: "x".repeat(bytes), answered_by: None }
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_found_until_it_is_too_old() {
    let cache = cache(10, 100_000);
    assert_eq!(cache.get(CacheKey(1)).await, Ok(None));
    cache.put(CacheKey(1), answer(5), HOUR).await.unwrap();
    tokio::time::advance(HOUR - Duration::from_millis(1)).await;
    assert_eq!(cache.get(CacheKey(1)).await, Ok(Some(answer(5))));
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(cache.get(CacheKey(1)).await, Ok(None));
    assert_eq!((cache.len(), cache.bytes()), (0, 0));
}

#[tokio::test]
async fn what_belongs_to_a_session_goes_with_it() {
    let cache = cache(10, 100_000);
    let session = |name: &str| SessionKey { tenant: "t".parse().unwrap(), session: name.parse().unwrap() };
    for (key, of) in [(1, Some("s")), (2, Some("other")), (3, None), (4, Some("s"))] {
        cache.put(CacheKey(key), answer(5), HOUR).await.unwrap();
        if let Some(of) = of {
            cache.belongs(CacheKey(key), &session(of), HOUR).await.unwrap();
        }
    }
    cache.forget(&session("s")).await.unwrap();
    let mut found = Vec::new();
    for key in 1..=4 {
        found.push(cache.get(CacheKey(key)).await.unwrap().is_some());
    }
    assert_eq!(found, [false, true, true, false]);
    assert_eq!(cache.bytes(), 2 * weight(&answer(5)));
}

#[tokio::test(start_paused = true)]
async fn what_was_used_longest_ago_goes_first() {
    let cache = cache(2, 100_000);
    for key in [1, 2] {
        cache.put(CacheKey(key), answer(5), HOUR).await.unwrap();
    }
    cache.get(CacheKey(1)).await.unwrap();
    cache.put(CacheKey(3), answer(5), HOUR).await.unwrap();
    let mut found = Vec::new();
    for key in [1, 2, 3] {
        found.push(cache.get(CacheKey(key)).await.unwrap().is_some());
    }
    assert_eq!(found, [true, false, true]);
}

#[tokio::test(start_paused = true)]
async fn what_does_not_fit_is_not_kept() {
    for (entries, bytes, length, age) in [
        (10, 100_000, 1_001, HOUR),
        (10, 500, 400, HOUR),
        (0, 100_000, 1, HOUR),
        (10, 100_000, 1, Duration::ZERO),
    ] {
        let cache = cache(entries, bytes);
        cache.put(CacheKey(1), answer(length), age).await.unwrap();
        assert!(cache.is_empty());
    }
    // No age is too long to be reckoned with.
    let cache = cache(1, 1_000);
    cache.put(CacheKey(1), answer(1), Duration::MAX).await.unwrap();
    assert_eq!(cache.len(), 1);
}

proptest! {
    #[test]
    fn bounds_hold_whatever_is_put(puts in vec((0..20u128, 0..1_200usize, any::<bool>()), 0..200)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let cache = cache(8, 4_000);
            for (key, bytes, gets) in puts {
                if gets {
                    let _found = cache.get(CacheKey(key)).await;
                } else {
                    cache.put(CacheKey(key), answer(bytes), HOUR).await.unwrap();
                }
                let kept = cache.kept.lock();
                let held: usize = kept.entries.values().map(|entry| weight(&entry.answer)).sum();
                assert!(kept.bytes == held && held <= 4_000 && kept.entries.len() <= 8);
                assert_eq!(kept.by_use.len(), kept.entries.len());
            }
        });
    }
}
