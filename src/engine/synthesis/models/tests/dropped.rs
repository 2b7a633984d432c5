//! Futures that are dropped wherever they wait give everything back.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use futures::task::noop_waker;

use super::scripted::*;
use crate::domain::breaker::{BreakerSettings, BreakerState};
use crate::domain::ids::SessionKey;
use crate::domain::synthesis::budget::Spent;
use crate::engine::ports::completion_cache::{CacheError, CacheKey, CompletionCache, KeptAnswer};
use crate::engine::ports::language_model::{ModelError, StopReason};
use crate::engine::synthesis::Purse;
use crate::engine::synthesis::models::*;

/// A cache that takes some time and finds nothing.
struct Slow;

impl CompletionCache for Slow {
    fn get(&self, _: CacheKey) -> BoxFuture<'_, Result<Option<KeptAnswer>, CacheError>> {
        async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok(None)
        }
        .boxed()
    }

    fn put(&self, _: CacheKey, _: KeptAnswer, _: Duration) -> BoxFuture<'_, Result<(), CacheError>> {
        async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            Ok(())
        }
        .boxed()
    }

    fn belongs<'a>(
        &'a self,
        key: CacheKey,
        _: &'a SessionKey,
        age: Duration,
    ) -> BoxFuture<'a, Result<(), CacheError>> {
        self.put(key, KeptAnswer { text: String::new(), answered_by: None }, age)
    }

    fn forget<'a>(&'a self, _: &'a SessionKey) -> BoxFuture<'a, Result<(), CacheError>> {
        async { Ok(()) }.boxed()
    }
}

fn scripts() -> Vec<Vec<Does>> {
    let breaks_off = vec![Waits(20), Says("a"), Waits(20), Fails(ModelError::Truncated)];
    let whole = vec![Waits(20), Says("b"), Waits(20), Says("c"), Waits(20), Stops(StopReason::End, None)];
    vec![status(429, Some(200)), breaks_off, whole]
}

fn is_given_back(models: &Models, budget: &Purse, a: &Scripted) {
    assert_eq!(models.shared.places.available_permits(), 1);
    assert_eq!(budget.held(), Spent::default());
    assert_eq!(a.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn dropped_at_any_time_a_completion_gives_back_its_place_and_its_reservation() {
    let mut finished = false;
    let (mut ms, mut calls_seen) = (0, Vec::new());
    while !finished {
        let a = Scripted::new("a", scripts(), answers("never"));
        let models =
            Models::new(vec![slot(&a)], Some(Arc::new(Slow)), ModelSettings { calls_max: 1, ..settings() });
        let budget = budget(&models, 60_000);
        // Time stands still but for this: every wait is met at every millisecond of it.
        let completing = tokio::time::timeout(Duration::from_millis(ms), heard(&models, &budget)).await;
        finished = completing.is_ok();
        is_given_back(&models, &budget, &a);
        // What a server took is paid for.
        calls_seen.push(budget.spent().calls);
        assert!(complete(&models).await.is_ok());
        ms += 1;
    }
    // Jitter makes the waits differ from one round to the next.
    calls_seen.sort();
    calls_seen.dedup();
    assert!(ms > 350, "{ms}");
    assert_eq!(calls_seen, [0, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn what_was_written_until_it_is_dropped_is_paid_for() {
    let slowly = vec![Waits(10), Says("one two"), Waits(100), Says(" three four five"), Hangs];
    let a = Scripted::new("a", vec![], slowly);
    let models = models(&[&a], settings());
    let mut written = Vec::new();
    for ms in [5, 50, 500] {
        let budget = budget(&models, 60_000);
        let dropped = tokio::time::timeout(Duration::from_millis(ms), heard(&models, &budget)).await;
        assert!(dropped.is_err());
        assert!(budget.spent().tokens.input > 16 && budget.spent().micros > 0, "{:?}", budget.spent());
        written.push((budget.spent().calls, budget.spent().tokens.output));
    }
    assert_eq!(written, [(1, 0), (1, 2), (1, 5)]);
}

#[tokio::test(start_paused = true)]
async fn while_it_is_written_it_is_known_what_dropping_it_would_cost() {
    let slowly = vec![Waits(10), Says("one two"), Waits(100), Says(" three four five"), Hangs];
    let a = Scripted::new("a", vec![], slowly);
    let (models, mut so_far) = (models(&[&a], settings()), Vec::new());
    let budget = budget(&models, 60_000);
    let mut asking = Box::pin(heard(&models, &budget));
    for ms in [5, 50, 500] {
        assert!(tokio::time::timeout(Duration::from_millis(ms), asking.as_mut()).await.is_err());
        assert_eq!(budget.spent(), Spent::default());
        so_far.push(budget.so_far());
    }
    let written: Vec<_> = so_far.iter().map(|so_far| (so_far.calls, so_far.tokens.output)).collect();
    assert_eq!(written, [(1, 0), (1, 2), (1, 5)]);
    drop(asking);
    assert_eq!((so_far.last(), budget.so_far()), (Some(&budget.spent()), budget.spent()));
}

#[tokio::test(start_paused = true)]
async fn dropped_while_it_waits_for_a_place_a_completion_leaves_the_queue() {
    let a = Scripted::new("a", vec![], vec![Waits(1_000), Says("a"), Stops(StopReason::End, None)]);
    let models = models(&[&a], ModelSettings { calls_max: 1, ..settings() });
    let budget = budget(&models, 60_000);
    let waits = async {
        assert!(tokio::time::timeout(Duration::from_millis(300), heard(&models, &budget)).await.is_err());
        // The first is still at it.
        assert_eq!((a.running(), budget.held().calls), (1, 1));
    };
    let (first, ()) = tokio::join!(heard(&models, &budget), waits);
    assert!(first.0.is_ok());
    assert_eq!(a.asked(), 1);
    is_given_back(&models, &budget, &a);
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_is_dropped_leaves_its_right_to_the_next() {
    let breaker = BreakerSettings { minimum_calls: 1, ..BreakerSettings::default() };
    let a = Scripted::new("a", vec![status(500, None), vec![Hangs]], answers("a"));
    let models = models(&[&a], ModelSettings { breaker, attempts: 1, calls_max: 1, ..settings() });
    complete(&models).await.unwrap_err();
    tokio::time::sleep(Duration::from_millis(5_000)).await;
    let budget = budget(&models, 60_000);
    {
        let mut probe = Box::pin(heard(&models, &budget));
        let polled = probe.as_mut().poll(&mut Context::from_waker(&noop_waker()));
        assert!(matches!(polled, Poll::Pending));
        assert_eq!(a.running(), 1);
        // While it probes nobody else is let through.
        assert!(models.shared.breakers.is_open(0));
    }
    is_given_back(&models, &budget, &a);
    assert_eq!(models.breakers()[0].2.state, BreakerState::HalfOpen);
    assert!(complete(&models).await.is_ok());
    assert_eq!(models.breakers()[0].2.state, BreakerState::Closed);
}
