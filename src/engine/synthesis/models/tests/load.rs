//! Many completions at once: all of them end, in bounds, in their order.

use std::sync::atomic::Ordering;

use futures::future::join_all;

use super::scripted::*;
use crate::domain::breaker::BreakerSettings;
use crate::engine::synthesis::models::*;

#[tokio::test(start_paused = true)]
async fn two_hundred_at_once_are_answered_eight_at_a_time_and_in_order() {
    let a = Scripted::new("a", vec![], answers("a"));
    let models = models(&[&a], ModelSettings { calls_max: 8, ..settings() });
    let done = parking_lot::Mutex::new(Vec::new());
    let one = async |n: usize| {
        let completed = complete(&models).await.unwrap();
        done.lock().push((n, completed.took_ms));
    };
    join_all((0..200).map(one)).await;
    let done = done.into_inner();
    assert_eq!((a.asked(), a.most_running.load(Ordering::SeqCst)), (200, 8));
    // First come, first served: a batch of eight takes 10 ms.
    assert!(done.iter().enumerate().all(|(place, (n, _))| place / 8 == n / 8), "{done:?}");
    assert!((250..=300).contains(&done[199].1), "{done:?}");
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_place_counts_against_the_time() {
    let a = Scripted::new("a", vec![], vec![Hangs]);
    let models = models(&[&a], ModelSettings { calls_max: 1, ..settings() });
    let (long, short) = (budget(&models, 10_000), budget(&models, 2_000));
    let (_, waited) = tokio::join!(heard(&models, &long), heard(&models, &short));
    let failed = waited.0.unwrap_err();
    assert_eq!((failed.code, failed.attempts, failed.took_ms / 10), ("deadline_exceeded", 0, 200));
    assert_eq!(a.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_its_next_attempt_has_no_place() {
    let a = Scripted::new("a", vec![status(429, Some(5_000))], answers("a"));
    let models = models(&[&a], ModelSettings { calls_max: 1, ..settings() });
    let (first, second) = tokio::join!(complete(&models), complete(&models));
    assert!(first.unwrap().took_ms >= 5_000);
    assert!(second.unwrap().took_ms < 100);
}

#[tokio::test(start_paused = true)]
async fn a_completion_can_go_to_another_thread() {
    fn sent<T: Send>(future: T) -> T {
        future
    }
    let a = Scripted::new("a", vec![], answers("a"));
    let models = models(&[&a], settings());
    let budget = budget(&models, 1_000);
    let mut on_text = |_: TextSaid<'_>| {};
    assert!(sent(models.complete(&request, &budget, key(), &mut on_text)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_place_at_a_model_that_is_not_asked() {
    let a = Scripted::new("a", vec![], status(500, None));
    let breaker = BreakerSettings { minimum_calls: 1, ..BreakerSettings::default() };
    let models = models(&[&a], ModelSettings { calls_max: 1, breaker, ..settings() });
    complete(&models).await.unwrap_err();
    let _taken = models.shared.places.acquire().await.unwrap();
    let failed = complete(&models).await.unwrap_err();
    assert_eq!((failed.code, failed.took_ms, a.asked()), ("models_degraded", 0, 1));
}
