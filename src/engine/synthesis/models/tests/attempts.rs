//! How often one model is asked, and when.

use std::time::Duration;

use tokio::time::Instant;

use super::scripted::*;
use crate::domain::breaker::{BreakerSettings, BreakerState};
use crate::engine::ports::language_model::{ModelError, ModelRequest, StopReason};
use crate::engine::synthesis::models::{ModelSettings, ModelSlot};

#[tokio::test(start_paused = true)]
async fn retry_after_is_obeyed_and_at_most_a_tenth_longer() {
    for asked_ms in [700, 2_000, 15_000] {
        let a = Scripted::new("a", vec![status(429, Some(asked_ms))], answers("yes"));
        let done = complete(&models(&[&a], settings())).await.unwrap();
        let waited = a.gaps()[0] - 1;
        // The first delay's jitter is below what is asked for.
        assert!((asked_ms..=asked_ms + asked_ms / 10 + 1).contains(&waited), "{waited} for {asked_ms}");
        assert_eq!((done.attempts, &*done.text), (2, "yes"));
        assert_eq!(codes(&done.tried), [("a", "rate_limited", 1)]);
    }
}

#[tokio::test(start_paused = true)]
async fn delays_without_retry_after_stay_below_the_doubling_ceiling() {
    let mut longest = [0, 0];
    for _ in 0..200 {
        let a = Scripted::new("a", vec![status(429, None), status(500, None)], answers("yes"));
        complete(&models(&[&a], settings())).await.unwrap();
        for (longest, gap) in longest.iter_mut().zip(a.gaps()) {
            *longest = gap.max(*longest);
        }
    }
    assert!((51..=103).contains(&longest[0]) && (101..=203).contains(&longest[1]), "{longest:?}");
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_beyond_the_time_goes_to_the_next_model_at_once() {
    let a = Scripted::new("a", vec![], status(429, Some(90_000)));
    let b = Scripted::new("b", vec![], answers("b"));
    let began = Instant::now();
    let done = complete(&models(&[&a, &b], settings())).await.unwrap();
    assert_eq!((&*done.model, a.asked()), ("b", 1));
    assert!(began.elapsed() < Duration::from_millis(50));
}

#[tokio::test(start_paused = true)]
async fn a_429_of_the_last_model_is_waited_for_as_long_as_there_is_time() {
    let a = Scripted::new("a", vec![status(429, Some(3_000)); 8], answers("at last"));
    let models = models(&[&a], settings());
    let done = complete(&models).await.unwrap();
    assert_eq!((&*done.text, done.attempts), ("at last", 9));
    assert_eq!(codes(&done.tried), [("a", "rate_limited", 8)]);
    let (_, _, view) = &models.breakers()[0];
    assert_eq!((view.state, view.calls, view.failure_rate), (BreakerState::Closed, 1, 0.0));
}

#[tokio::test(start_paused = true)]
async fn a_429_is_waited_for_to_the_second_where_only_what_is_added_to_it_would_be_too_late() {
    for _ in 0..20 {
        let a = Scripted::new("a", vec![status(429, Some(9_000))], answers("yes"));
        let models = models(&[&a], settings());
        let done = heard(&models, &budget(&models, 10_100)).await.0.unwrap();
        assert_eq!((&*done.text, done.attempts), ("yes", 2));
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_said_for_how_long_is_asked_again_where_nobody_else_answers() {
    let a = Scripted::new("a", vec![status(429, Some(45_000))], answers("a at last"));
    let b = Scripted::new("b", vec![], status(400, None));
    let short = |slot: &ModelSlot| {
        request(slot).map(|request| ModelRequest { patience: Duration::from_secs(40), ..request })
    };
    let models = models(&[&a, &b], settings());
    let done = models.complete(&short, &budget(&models, 60_000), key(), &mut |_| {}).await.unwrap();
    assert_eq!((&*done.text, a.asked(), b.asked()), ("a at last", 2, 1));
    assert!((45_000..46_000).contains(&done.took_ms), "{}", done.took_ms);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_would_answer_too_late_is_not_asked_again() {
    let a = Scripted::new("a", vec![status(429, Some(59_500))], answers("a at last"));
    let b = Scripted::new("b", vec![], status(400, None));
    let failed = complete(&models(&[&a, &b], settings())).await.unwrap_err();
    assert_eq!((failed.code, a.asked(), b.asked()), ("models_failed", 1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_429_with_nothing_to_wait_for_does_not_become_a_storm() {
    let a = Scripted::new("a", vec![], status(429, Some(0)));
    let backoff = crate::domain::backoff::BackoffSettings { base_ms: 0, most_ms: 0 };
    let models = models(&[&a], ModelSettings { backoff, ..settings() });
    let failed = complete(&models).await.unwrap_err();
    assert!((50..=64).contains(&a.asked()), "{}", a.asked());
    assert_eq!(failed.code, "models_failed");
}

#[tokio::test(start_paused = true)]
async fn a_429_before_another_model_is_tried_as_often_as_anything() {
    let a = Scripted::new("a", vec![], status(429, None));
    let b = Scripted::new("b", vec![], answers("b"));
    let done = complete(&models(&[&a, &b], settings())).await.unwrap();
    assert_eq!((codes(&done.tried), &*done.model), (vec![("a", "rate_limited", 3)], "b"));
}

#[tokio::test(start_paused = true)]
async fn errors_that_pass_are_tried_again_and_others_are_not() {
    let cases = [
        (status(500, None), 3),
        (status(529, None), 3),
        (vec![Fails(ModelError::Unreachable("refused".into()))], 3),
        (vec![Says("half"), Fails(ModelError::Truncated)], 3),
        (vec![Says("half"), Vanishes], 3),
        (status(400, None), 1),
        (status(401, None), 1),
        (vec![Fails(ModelError::ContextExceeded)], 1),
    ];
    for (does, asked) in cases {
        let a = Scripted::new("a", vec![], does.clone());
        let failed = complete(&models(&[&a], settings())).await.unwrap_err();
        assert_eq!((a.asked(), failed.attempts), (asked, asked as u32), "{does:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_said_is_taken_back_before_another_attempt_and_only_then() {
    let half = vec![Waits(5), Says("ha"), Says("lf"), Fails(ModelError::Truncated)];
    let a = Scripted::new("a", vec![half, status(500, None)], answers("whole"));
    let models = models(&[&a], settings());
    let (done, said) = heard(&models, &budget(&models, 60_000)).await;
    assert_eq!(said, ["ha", "lf", "⟲", "whole"]);
    let done = done.unwrap();
    assert_eq!((&*done.text, done.first_token_ms), ("whole", Some(10)));
    assert_eq!(codes(&done.tried), [("a", "truncated", 1), ("a", "server_error", 1)]);
}

#[tokio::test(start_paused = true)]
async fn a_model_that_hangs_is_left_when_its_patience_is_over() {
    let a = Scripted::new("a", vec![], vec![Says("I think"), Hangs]);
    let b = Scripted::new("b", vec![], answers("b"));
    let models = models(&[&a, &b], ModelSettings { attempts: 1, ..settings() });
    let budget = budget(&models, 90_000);
    let (done, said) = heard(&models, &budget).await;
    let done = done.unwrap();
    assert_eq!(
        (codes(&done.tried), said),
        (vec![("a", "timeout", 1)], vec!["I think".to_owned(), "⟲".to_owned(), "b".to_owned()])
    );
    assert!((60_000..61_000).contains(&done.took_ms), "{}", done.took_ms);
    assert_eq!((a.running(), b.running()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn a_model_that_hangs_again_and_again_leaves_time_for_the_next() {
    // As a call that says nothing for 20 s is given up.
    let silent = Fails(ModelError::TimedOut);
    let a = Scripted::new("a", vec![], vec![Waits(20_000), silent]);
    let b = Scripted::new("b", vec![], answers("b"));
    let models = models(&[&a, &b], settings());
    let patient = |slot: &ModelSlot| {
        request(slot).map(|request| ModelRequest { patience: Duration::from_secs(40), ..request })
    };
    let done = models.complete(&patient, &budget(&models, 60_000), key(), &mut |_| {}).await.unwrap();
    assert_eq!((codes(&done.tried), &*done.text), (vec![("a", "timeout", 2)], "b"));
    assert!((40_000..41_500).contains(&done.took_ms), "{}", done.took_ms);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_ends_everything_and_is_told_to_the_model() {
    let a = Scripted::new("a", vec![status(500, None)], vec![Hangs]);
    let b = Scripted::new("b", vec![], answers("b"));
    let models = models(&[&a, &b], settings());
    let failed = heard(&models, &budget(&models, 3_000)).await.0.unwrap_err();
    assert_eq!((failed.code, failed.attempts, b.asked()), ("deadline_exceeded", 2, 0));
    assert!((2_999..=3_001).contains(&failed.took_ms), "{}", failed.took_ms);
    assert!(a.calls.lock()[1].request.patience <= Duration::from_millis(2_999));
    // Less than anybody could have known in.
    assert_eq!(models.breakers()[0].2.calls, 1);
}

#[tokio::test(start_paused = true)]
async fn silence_up_to_the_deadline_counts_against_the_model() {
    let a = Scripted::new("a", vec![], vec![Hangs]);
    let models = models(&[&a], settings());
    heard(&models, &budget(&models, 6_000)).await.0.unwrap_err();
    assert_eq!(models.breakers()[0].2.failure_rate, 1.0);
}

#[tokio::test(start_paused = true)]
async fn a_breaker_opens_lets_one_probe_through_and_closes() {
    let a = Scripted::new(
        "a",
        vec![status(500, None); 4],
        vec![Waits(300), Says("a"), Stops(StopReason::End, None)],
    );
    let b = Scripted::new("b", vec![], answers("b"));
    let breaker = BreakerSettings { minimum_calls: 4, ..BreakerSettings::default() };
    let models = models(&[&a, &b], ModelSettings { breaker, attempts: 2, ..settings() });
    for _ in 0..2 {
        assert_eq!(complete(&models).await.unwrap().model, "b");
    }
    assert_eq!(models.breakers()[0].2.state, BreakerState::Open);
    let done = complete(&models).await.unwrap();
    assert_eq!((codes(&done.tried), a.asked()), (vec![("a", "breaker_open", 1)], 4));
    assert!(!done.tried[0].asked && done.attempts == 1);

    tokio::time::sleep(Duration::from_millis(5_000)).await;
    assert_eq!(models.breakers()[0].2.state, BreakerState::HalfOpen);
    // One probes, the other doesn't wait for it.
    let (first, second) = tokio::join!(complete(&models), complete(&models));
    assert_eq!((&*first.unwrap().model, &*second.unwrap().model), ("a", "b"));
    assert_eq!(models.breakers()[0].2.state, BreakerState::Closed);
    assert_eq!(complete(&models).await.unwrap().model, "a");
}

#[tokio::test(start_paused = true)]
async fn a_breaker_does_not_open_for_429_refusals_and_wrong_requests() {
    for does in [status(429, None), status(400, None), vec![Stops(StopReason::Refusal, None)]] {
        let a = Scripted::new("a", vec![], does);
        let b = Scripted::new("b", vec![], answers("b"));
        let breaker = BreakerSettings { minimum_calls: 1, ..BreakerSettings::default() };
        let models = models(&[&a, &b], ModelSettings { breaker, ..settings() });
        for _ in 0..10 {
            complete(&models).await.unwrap();
        }
        assert_eq!(models.breakers()[0].2.state, BreakerState::Closed);
    }
}
