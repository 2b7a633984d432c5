//! What the store does to an append, and what its sender is told.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;
use tributary::domain::record::Answer;
use tributary::domain::verdict::Verdict;
use tributary::edge::telemetry::otlp::Telemetry as Exporters;
use tributary::engine::coordinator::SubmitError;
use tributary::engine::ports::result_cache::StoreError;
use tributary::engine::telemetry::{Meters, Telemetry};

use crate::fixtures::{idempotency, session_key};
use crate::scene::{Scene, accepted, memory, partial, revised, settings, success, verdicts};
use crate::scripted::{Fault, ScriptedStore};

#[tokio::test(start_paused = true)]
async fn a_store_that_comes_back_in_time_stores_once() {
    let scene = Scene::running().await;
    scene.store.next([Fault::Unavailable, Fault::Unavailable, Fault::Unavailable]);
    scene.tells(partial(1)).await.unwrap();
    assert_eq!(scene.contents().await, [1]);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_is_down_for_longer_is_said_to_be_and_nothing_was_stored() {
    let scene = Scene::running().await;
    scene.store.always_from_now(Some(Fault::Unavailable));
    let (before, began) = (scene.state().await, Instant::now());
    let error = scene.submits(vec![partial(1)], None).await.unwrap_err();
    assert!(matches!(error, SubmitError::Store(StoreError::Unavailable(_))), "{error:?}");
    assert!(began.elapsed() <= Duration::from_secs(5), "the bound holds: {:?}", began.elapsed());
    assert!(began.elapsed() >= Duration::from_secs(4), "and is used");
    assert_eq!(scene.state().await, before);
    scene.store.always_from_now(None);
    scene.tells(partial(2)).await.unwrap();
    assert_eq!(scene.contents().await, [2]);
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_append_that_was_not_applied_is_repeated() {
    let scene = Scene::running().await;
    scene.store.next([Fault::TimedOutBefore, Fault::TimedOutBefore]);
    scene.tells(partial(1)).await.unwrap();
    assert_eq!(scene.contents().await, [1]);
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_append_that_was_applied_is_not_doubled() {
    let scene = Scene::running().await;
    scene.store.next([Fault::TimedOutAfter(Vec::new())]);
    let reply = scene.submits(vec![partial(1), partial(2)], None).await.unwrap();
    assert_eq!(scene.contents().await, [1, 2]);
    assert_eq!(reply.state, scene.state().await);
    scene.tells(partial(3)).await.unwrap();
    assert_eq!(scene.contents().await, [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_append_is_found_even_if_others_wrote_after_it() {
    let scene = Scene::running().await;
    scene.store.next([Fault::TimedOutAfter(vec![partial(90), partial(91)]), Fault::Unavailable]);
    let reply = scene.submits(vec![partial(1)], None).await.unwrap();
    let at = accepted(&reply.answers[0]).unwrap();
    assert_eq!(scene.contents().await, [1, 90, 91]);
    assert_eq!(scene.log().await[at.0 as usize - 1].sequence, at);
    scene.tells(partial(2)).await.unwrap();
    assert_eq!(scene.contents().await, [1, 90, 91, 2]);
}

#[tokio::test(start_paused = true)]
async fn where_no_answer_ever_comes_the_outcome_is_unknown() {
    for last in [Fault::TimedOutBefore, Fault::Unavailable] {
        let exporters = Exporters::start(|_| None, "test").unwrap();
        let telemetry = Telemetry::new(Meters::new(&exporters.meter()), None);
        let scene = Scene::told_to(telemetry, ScriptedStore::over(memory(|_| {})), settings()).begun().await;
        scene.store.next([Fault::TimedOutBefore]);
        scene.store.always_from_now(Some(last));
        let error = scene.submits(vec![partial(1)], None).await.unwrap_err();
        assert_eq!(
            error,
            SubmitError::OutcomeUnknown,
            "one append that wasn't answered may have been applied"
        );
        let counted = exporters.prometheus_text().unwrap();
        let counted = counted.lines().find(|line| {
            line.starts_with("tributary_append_failures_total{") && line.contains("\"outcome_unknown\"")
        });
        assert!(counted.unwrap().ends_with(" 1"), "as the sender was told: {counted:?}");
        assert_eq!(failures(&exporters), 1.0);
    }
}

/// A store that keeps so few entries that an append is trimmed before its writer asks again.
fn forgetful() -> Scene {
    Scene::over(ScriptedStore::over(memory(|settings| settings.ring_entries = 3)), settings())
}

#[tokio::test(start_paused = true)]
async fn an_append_that_was_trimmed_before_it_was_found_is_unknown_where_a_repeat_is_not_safe() {
    let scene = forgetful().begun().await;
    scene.store.next([Fault::TimedOutAfter((90..99).map(partial).collect())]);
    let before = scene.state().await.steps[0].subagents[0].revision;
    let outcome = scene.submits(vec![partial(1)], None).await;
    let revisions = scene.state().await.steps[0].subagents[0].revision - before;
    assert_eq!(outcome.map(|reply| reply.answers).unwrap_err(), SubmitError::OutcomeUnknown);
    assert_eq!(revisions, 10, "the event of this append once, and nine others");
}

#[tokio::test(start_paused = true)]
async fn an_append_that_is_longer_than_the_log_is_known_by_where_it_leads() {
    let scene = forgetful().begun().await;
    scene.store.next([Fault::TimedOutAfter(Vec::new())]);
    let reply = scene.submits((1..=9).map(partial).collect(), None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Accepted; 9]);
    assert_eq!((reply.cursor, &reply.state), (scene.state().await.position, &scene.state().await));
}

#[tokio::test(start_paused = true)]
async fn an_append_that_was_trimmed_is_decided_again_where_that_is_safe() {
    let scene = forgetful().begun().await;
    scene.store.next([Fault::TimedOutAfter((10..20).map(|n| revised(n, n)).collect())]);
    let reply = scene.submits(vec![revised(5, 1)], None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Stale], "done, for the sender");
    scene.store.next([Fault::TimedOutAfter((30..40).map(|n| revised(n, n)).collect())]);
    let keyed = scene.submits(vec![partial(7)], Some(idempotency("key", 1))).await.unwrap();
    assert_eq!(verdicts(&keyed), [Verdict::Accepted], "as it was answered the first time");
    assert_eq!(scene.state().await.steps[0].subagents[0].revision, 39);
}

#[tokio::test(start_paused = true)]
async fn a_full_store_is_told_at_once_and_room_helps() {
    let scene = Scene::running().await;
    scene.store.next([Fault::Full]);
    let began = Instant::now();
    let error = scene.submits(vec![partial(1)], None).await.unwrap_err();
    assert!(matches!(error, SubmitError::Store(StoreError::Full(_))), "{error:?}");
    assert_eq!(began.elapsed(), Duration::ZERO, "waiting wouldn't help");
    scene.tells(partial(2)).await.unwrap();
    assert_eq!(scene.contents().await, [2]);
}

#[tokio::test(start_paused = true)]
async fn what_was_stored_of_a_long_submission_before_the_store_went_is_said() {
    let scene =
        Scene::with(tributary::engine::coordinator::CoordinatorSettings { batch_entries: 10, ..settings() });
    let scene = scene.begun().await;
    let gate = scene.store.hold_next();
    let submitted = scene.has_submitted((0..30).map(partial).collect()).await;
    gate.holds_one().await;
    scene.store.always_from_now(Some(Fault::Unavailable));
    gate.open();
    let reply = submitted.await.unwrap();
    assert!(matches!(reply.stopped, Some(SubmitError::Store(_))), "{:?}", reply.stopped);
    assert_eq!(reply.answers.len(), scene.contents().await.len());
    assert_eq!(reply.cursor, scene.state().await.position);
}

#[tokio::test(start_paused = true)]
async fn after_a_conflict_everything_is_decided_again_on_what_the_other_wrote() {
    let scene = Scene::running().await;
    scene.store.next([Fault::Rival(vec![revised(1, 1)]), Fault::Rival(vec![revised(2, 2)])]);
    let reply = scene.submits(vec![revised(1, 1), revised(2, 9), revised(3, 3)], None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Stale, Verdict::Conflict, Verdict::Accepted]);
    assert_eq!(scene.contents().await, [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn after_a_conflict_a_result_of_an_ended_step_is_late() {
    let scene = Scene::running().await;
    scene.store.next([Fault::Rival(vec![crate::fixtures::cancel(None)])]);
    let reply = scene.submits(vec![success()], None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Late]);
    let late = scene.coordinator.session(&scene.key).await.unwrap().late;
    assert_eq!(late.values().sum::<u64>(), 1, "counted once, not once a decision");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_stores_nothing_is_not_given_without_the_store() {
    let scene = Scene::running().await;
    scene.tells(revised(1, 1)).await.unwrap();
    scene.store.cannot_confirm.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = scene.submits(vec![revised(1, 1)], None).await.unwrap_err();
    assert!(matches!(error, SubmitError::Store(StoreError::Unavailable(_))), "{error:?}");
    scene.store.cannot_confirm.store(false, std::sync::atomic::Ordering::Relaxed);
    assert!(
        matches!(scene.tells(revised(1, 1)).await, Ok(Answer::Event(d)) if d.verdict == Verdict::Duplicate)
    );
}

#[tokio::test(start_paused = true)]
async fn two_sends_of_one_request_at_once_are_stored_once() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let held = scene.has_submitted(vec![partial(0)]).await;
    gate.holds_one().await;
    let send = || scene.submits(vec![partial(1), partial(2)], Some(idempotency("key", 1)));
    let (mut first, mut second) = (send(), send());
    assert!(futures::poll!(&mut first).is_pending() && futures::poll!(&mut second).is_pending());
    gate.open();
    held.await.unwrap();
    let (first, second) = (first.await.unwrap(), second.await.unwrap());
    assert_eq!((first.answers, first.cursor), (second.answers, second.cursor));
    assert_eq!(scene.contents().await, [0, 1, 2]);
}

#[tokio::test(start_paused = true)]
async fn who_comes_behind_others_to_a_store_that_is_down_waits_no_longer_than_they() {
    let scene = Scene::running().await;
    scene.store.always_from_now(Some(Fault::Unavailable));
    let waits = (0..20_u64).map(async |turn| {
        tokio::time::sleep(Duration::from_millis(500 * turn)).await;
        let began = Instant::now();
        let error = scene.submits(vec![partial(turn)], None).await.unwrap_err();
        assert!(matches!(error, SubmitError::Store(StoreError::Unavailable(_))), "{error:?}");
        began.elapsed()
    });
    let waited = futures::future::join_all(waits).await;
    assert!(waited[0] >= Duration::from_secs(4), "the bound is used: {waited:?}");
    assert!(waited.iter().all(|waited| *waited <= Duration::from_secs(5)), "and holds for all: {waited:?}");
    assert_eq!(scene.contents().await, Vec::<u64>::new());
    scene.store.always_from_now(None);
    scene.tells(partial(99)).await.unwrap();
    assert_eq!(scene.contents().await, [99]);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_never_agrees_is_asked_with_pauses_and_not_for_ever() {
    let scene = Scene::running().await;
    scene.store.always_from_now(Some(Fault::Contradiction));
    let (asked, began) = (scene.store.attempts.load(Ordering::Relaxed), Instant::now());
    let error = scene.submits(vec![partial(1)], None).await.unwrap_err();
    assert!(matches!(error, SubmitError::Store(StoreError::Unavailable(_))), "{error:?}");
    assert!(began.elapsed() <= Duration::from_secs(5), "the bound holds: {:?}", began.elapsed());
    let asked = scene.store.attempts.load(Ordering::Relaxed) - asked;
    assert!((17..60).contains(&asked), "{asked} appends");
    scene.store.always_from_now(None);
    scene.tells(partial(2)).await.unwrap();
    assert_eq!(scene.contents().await, [2]);
}

#[tokio::test(start_paused = true)]
async fn others_who_are_first_a_few_times_cost_no_time() {
    let scene = Scene::running().await;
    scene.store.next((0..16).map(|_| Fault::Contradiction));
    let began = Instant::now();
    scene.tells(partial(1)).await.unwrap();
    assert_eq!(began.elapsed(), Duration::ZERO);
    assert_eq!(scene.contents().await, [1]);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_never_agrees_keeps_no_service_from_stopping() {
    let scene = Scene::running().await;
    scene.store.always_from_now(Some(Fault::Contradiction));
    let waiting = scene.has_submitted(vec![partial(1)]).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let began = Instant::now();
    scene.coordinator.drain();
    assert_eq!(waiting.await.unwrap_err(), SubmitError::Draining);
    scene.coordinator.drained().await;
    assert!(began.elapsed() <= Duration::from_secs(1), "{:?}", began.elapsed());
}

/// How many appends `/metrics` would call failed.
fn failures(exporters: &Exporters) -> f64 {
    let metrics = exporters.prometheus_text().unwrap();
    let lines = metrics.lines().filter(|line| line.starts_with("tributary_append_failures_total{"));
    lines.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
}

#[tokio::test(start_paused = true)]
async fn whatever_is_not_stored_for_the_stores_sake_is_counted() {
    let exporters = Exporters::start(|_| None, "test").unwrap();
    let telemetry = Telemetry::new(Meters::new(&exporters.meter()), None);
    let scene = Scene::told_to(telemetry, ScriptedStore::over(memory(|_| {})), settings()).begun().await;
    scene.tells(revised(1, 1)).await.unwrap();
    scene.store.cannot_confirm.store(true, Ordering::Relaxed);
    scene.store.cannot_read.store(true, Ordering::Relaxed);
    let is_away = |told| matches!(told, Err(SubmitError::Store(StoreError::Unavailable(_))));
    assert_eq!(failures(&exporters), 0.0);
    assert!(is_away(scene.submits(vec![revised(1, 1)], None).await), "a repeat");
    assert_eq!(failures(&exporters), 1.0);
    assert!(
        is_away(scene.submits(vec![success()], None).await),
        "what ends a step needs what was said in it"
    );
    assert_eq!(failures(&exporters), 2.0);
    let other = Scene { key: session_key("sess-2"), ..scene };
    assert!(is_away(other.submits(vec![partial(1)], None).await), "a session that isn't in memory");
    assert_eq!(failures(&exporters), 3.0);
}
