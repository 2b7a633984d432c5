//! Many threads at once: exactly one writer wins each place, and what was forgotten is really gone.

use std::sync::Arc;

use tokio::sync::Barrier;
use tributary::domain::position::Sequence;
use tributary::engine::ports::result_cache::Appended;

use super::{Memory, settings};
use crate::bench::{Bench, Bounds};
use crate::fixtures::post;
use crate::writer::{Writer, partial, read};

const WRITERS: usize = 4;
const ROUNDS: usize = 200;

/// Runs `each` of `WRITERS` tasks, all beginning at once.
async fn at_once<T: Send + 'static, F>(each: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
{
    let barrier = Arc::new(Barrier::new(WRITERS));
    let tasks: Vec<_> = (0..WRITERS)
        .map(|n| {
            let (barrier, work) = (barrier.clone(), each(n));
            tokio::spawn(async move {
                barrier.wait().await;
                work.await
            })
        })
        .collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_writers_exactly_one_wins_and_the_others_are_told() {
    let cache = Memory::of(settings(Bounds::default())).cache();
    let mut writer = Writer::new("s");
    writer.begins(&*cache).await;
    for _ in 0..ROUNDS {
        let appended = at_once(|_| {
            let (cache, mut own) = (cache.clone(), writer.clone());
            async move {
                let appended = own.tries(&*cache, &[partial()]).await.unwrap();
                (appended, own)
            }
        })
        .await;
        let winners: Vec<_> = appended.iter().filter(|(a, _)| matches!(a, Appended::Stored { .. })).collect();
        assert_eq!(winners.len(), 1);
        let before = writer.log.len();
        writer = winners[0].1.clone();
        for (appended, _) in &appended {
            if let Appended::Conflict(missed) = appended {
                assert_eq!(missed.entries, writer.log[before..]);
            }
        }
    }
    assert_eq!(read(&*cache, &writer.key, 0).await, writer.log);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_beginners_exactly_one_begins() {
    let cache = Memory::of(settings(Bounds::default())).cache();
    for round in 0..ROUNDS {
        let name = format!("session-{round}");
        let appended = at_once(|_| {
            let (cache, mut own) = (cache.clone(), Writer::new(&name));
            async move { own.tries(&*cache, &[post("p").expects("crm", "r").command()]).await.unwrap() }
        })
        .await;
        assert_eq!(appended.iter().filter(|a| matches!(a, Appended::Stored { .. })).count(), 1);
        let window = cache.follow(&Writer::new(&name).key).await.unwrap();
        assert_eq!(window.after(Sequence(0), 9).unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_first_append_that_meets_a_delete_is_in_the_log_that_is_found_unless_it_was_deleted() {
    let memory = Memory::of(settings(Bounds::default()));
    for round in 0..2_000 {
        let name = format!("session-{round}");
        // What a reader left behind: a place that may go at the same moment.
        drop(memory.cache().follow(&Writer::new(&name).key).await.unwrap());
        let done = at_once(|n| {
            let (memory, cache, mut own) = (memory.0.clone(), memory.cache(), Writer::new(&name));
            async move {
                match n {
                    0 => {
                        let begun = own.tries(&*cache, &[post("p").expects("crm", "r").command()]).await;
                        matches!(begun, Ok(Appended::Stored { .. }))
                    }
                    1 => {
                        memory.sweep();
                        false
                    }
                    _ => cache.forget(&own.key).await.unwrap(),
                }
            }
        })
        .await;
        let deletes = done[2..].iter().filter(|deleted| **deleted).count();
        let left = read(&*memory.cache(), &Writer::new(&name).key, 0).await.len();
        assert!(done[0] && deletes <= 1, "round {round}: {done:?}");
        assert_eq!(left, 1 - deletes, "round {round}: stored, so there or deleted");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn forgetting_while_others_write_and_sweep_loses_no_byte_of_the_account() {
    let memory = Memory::of(settings(Bounds::default()));
    for _ in 0..ROUNDS {
        let (memory, cache) = (memory.0.clone(), memory.cache());
        at_once(|n| {
            let (memory, cache, mut own) = (memory.clone(), cache.clone(), Writer::new("s"));
            async move {
                for _ in 0..10 {
                    match n {
                        0 => drop(cache.forget(&own.key).await),
                        1 => memory.sweep(),
                        _ => {
                            let _ = own.tries(&*cache, &[post("p").expects("crm", "r").command()]).await;
                            own = Writer::new("s");
                        }
                    }
                }
            }
        })
        .await;
        cache.forget(&Writer::new("s").key).await.unwrap();
        assert_eq!(memory.bytes(), 0);
    }
}
