//! Deadlines fire by themselves, and of result and timeout exactly one wins. The clock is paused, so a `sleep` moves it
//! and waits for nothing.

use std::time::Duration;

use futures::future::join;
use tokio::time::{Instant, advance, sleep};
use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::record::{Record, StepStatus, SubagentStatus};
use tributary::domain::verdict::Verdict;
use tributary::engine::mux::LogWindow;
use tributary::engine::ports::result_cache::ResultCache;

use crate::fixtures::{post, say};
use crate::scene::{Scene, verdicts};
use crate::scripted::Fault;

/// Waits until the window shows what is wanted.
async fn until(window: &LogWindow, wanted: impl Fn(&LogWindow) -> bool) {
    let mut slot = Default::default();
    while !wanted(window) {
        let seen = window.tail().version;
        std::future::poll_fn(|cx| window.poll_changed(seen, &mut slot, cx)).await;
    }
}

/// A session with a step of two outputs, `fast` within 100 ms and `slow` within 1,000 ms.
async fn two() -> (Scene, std::sync::Arc<LogWindow>) {
    let scene = Scene::new();
    let directive = post("p").with("deadline_ms", 1_000).expects("crm", "fast").of_which("deadline_ms", 100);
    scene.tells(directive.expects("voice", "slow").command()).await.unwrap();
    let window = scene.store.inner.follow(&scene.key).await.unwrap();
    (scene, window)
}

fn terminals(log: &[std::sync::Arc<Entry>], of: &str) -> Vec<SubagentStatus> {
    let terminal = |entry: &std::sync::Arc<Entry>| match &entry.record {
        Record::Subagent { output, status, .. }
            if status.is_terminal() && output.result_key.as_str() == of =>
        {
            Some(*status)
        }
        _ => None,
    };
    log.iter().filter_map(terminal).collect()
}

#[tokio::test(start_paused = true)]
async fn a_deadline_fires_though_nobody_speaks() {
    let (scene, window) = two().await;
    let began = Instant::now();
    until(&window, |window| window.tail().position.unwrap().sequence.0 > 1).await;
    assert_eq!(began.elapsed(), Duration::from_millis(100));
    until(&window, |window| window.tail().ended).await;
    assert_eq!(began.elapsed(), Duration::from_millis(1_000));
    assert_eq!(scene.state().await.steps[0].status, StepStatus::Failed);
    let log = scene.log().await;
    assert_eq!(
        (terminals(&log, "fast"), terminals(&log, "slow")),
        (vec![SubagentStatus::Timeout], vec![SubagentStatus::Timeout])
    );
}

#[tokio::test(start_paused = true)]
async fn of_result_and_timeout_exactly_one_wins_however_close_they_are() {
    for ms in [98, 99, 100, 101, 102] {
        let (scene, window) = two().await;
        let result = async {
            sleep(Duration::from_millis(ms)).await;
            let event = say("p", "crm", SenderStatus::Success).command();
            verdicts(&scene.submits(vec![event], None).await.unwrap())[0]
        };
        let (verdict, ()) = join(result, until(&window, |window| window.tail().ended)).await;
        let expected = if ms < 100 {
            (Verdict::Accepted, SubagentStatus::Success)
        } else {
            (Verdict::Late, SubagentStatus::Timeout)
        };
        assert_eq!(
            (verdict, terminals(&scene.log().await, "fast")),
            (expected.0, vec![expected.1]),
            "at {ms} ms"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_passed_while_the_task_was_busy_comes_before_what_came_after_it() {
    let (scene, _) = two().await;
    let gate = scene.store.hold_next();
    let held = scene.has_submitted(vec![say("p", "voice", SenderStatus::Partial).command()]).await;
    gate.holds_one().await;
    advance(Duration::from_millis(500)).await;
    let event = scene.has_submitted(vec![say("p", "crm", SenderStatus::Success).command()]).await;
    gate.open();
    held.await.unwrap();
    assert_eq!(verdicts(&event.await.unwrap()), [Verdict::Late]);
    assert_eq!(terminals(&scene.log().await, "fast"), [SubagentStatus::Timeout]);
}

#[tokio::test(start_paused = true)]
async fn what_came_before_a_deadline_is_in_time_however_long_the_task_was_busy() {
    let (scene, window) = two().await;
    let gate = scene.store.hold_next();
    let held = scene.has_submitted(vec![say("p", "voice", SenderStatus::Partial).command()]).await;
    gate.holds_one().await;
    advance(Duration::from_millis(50)).await;
    let in_time = scene.has_submitted(vec![say("p", "crm", SenderStatus::Success).command()]).await;
    advance(Duration::from_millis(450)).await;
    let after = scene.has_submitted(vec![say("p", "crm", SenderStatus::Success).command()]).await;
    gate.open();
    held.await.unwrap();
    assert_eq!(verdicts(&in_time.await.unwrap()), [Verdict::Accepted]);
    assert_eq!(verdicts(&after.await.unwrap()), [Verdict::Late]);
    assert_eq!(terminals(&scene.log().await, "fast"), [SubagentStatus::Success]);
    // Its other output still has its own deadline.
    until(&window, |window| window.tail().ended).await;
    assert_eq!(terminals(&scene.log().await, "slow"), [SubagentStatus::Timeout]);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_the_store_was_down_for_fires_when_it_is_back() {
    let (scene, window) = two().await;
    scene.store.always_from_now(Some(Fault::Unavailable));
    sleep(Duration::from_secs(60)).await;
    assert_eq!(scene.log().await.len(), 1);
    scene.store.always_from_now(None);
    until(&window, |window| window.tail().ended).await;
    assert_eq!(scene.state().await.steps[0].status, StepStatus::Failed);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_that_a_full_store_refuses_is_tried_again_but_not_without_a_pause() {
    let (scene, window) = two().await;
    scene.store.next((0..100).map(|_| Fault::Full));
    let began = Instant::now();
    until(&window, |window| window.tail().ended).await;
    assert!(began.elapsed() >= Duration::from_secs(10), "ten times a second at most: {:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn deadlines_of_many_steps_fire_each_at_its_time() {
    let scene = Scene::new();
    for n in 1..=20_u64 {
        let directive = post(&format!("step-{n}")).expects("crm", "r").with("deadline_ms", n * 50);
        scene.tells(directive.with("more_steps", true).command()).await.unwrap();
    }
    let began = scene.state().await.steps[0].started_at;
    let window = scene.store.inner.follow(&scene.key).await.unwrap();
    until(&window, |window| window.tail().position.unwrap().sequence.0 >= 20 * 7).await;
    for (n, step) in (1..).zip(&scene.state().await.steps) {
        assert_eq!(step.ended.unwrap().at.since_ms(began), n * 50);
    }
}
