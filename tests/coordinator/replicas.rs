//! Two coordinators over one store: each may know less than the other, and neither tells anything untrue.

use std::sync::Arc;

use tributary::domain::record::{Answer, Record};
use tributary::domain::verdict::{Code, Verdict};

use crate::fixtures::{cancel, post};
use crate::scene::{Scene, partial, revised, settings, success, verdicts};

/// Two replicas that both have the session, with its running step, in memory.
async fn two() -> (Scene, Scene) {
    let here = Scene::running().await;
    let there = Scene::over(here.store.clone(), settings());
    there.tells(revised(1, 1)).await.unwrap();
    here.tells(revised(2, 2)).await.unwrap();
    (here, there)
}

#[tokio::test(start_paused = true)]
async fn what_one_stored_is_a_duplicate_for_the_other() {
    let (here, there) = two().await;
    let stored = here.tells(revised(3, 3)).await.unwrap();
    let Answer::Event(first) = stored else { panic!("{stored:?}") };
    let reply = there.submits(vec![revised(3, 3)], None).await.unwrap();
    assert!(
        matches!(reply.answers[0], Ok(Answer::Event(d)) if d.verdict == Verdict::Duplicate && d.sequence == first.sequence)
    );
    assert_eq!(here.contents().await, [1, 2, 3]);
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_not_given_before_the_other_was_heard() {
    let (here, there) = two().await;
    here.tells(post("q").expects("crm", "r").command()).await.unwrap();
    let event = crate::fixtures::say("q", "crm", tributary::domain::event::SenderStatus::Success);
    let reply = there.submits(vec![event.command()], None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Accepted], "the step is known, if not here");
}

#[tokio::test(start_paused = true)]
async fn a_duplicate_here_may_be_stale_because_of_the_other() {
    let (here, there) = two().await;
    there.tells(revised(9, 9)).await.unwrap();
    let reply = here.submits(vec![revised(2, 2)], None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Stale]);
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_first_directive_was_refused_here_may_begin_elsewhere() {
    let mut limits = settings();
    limits.limits.tree_depth = 1;
    let here = Scene::with(limits);
    let refused = here.tells(post("p").expects("crm", "r").expects_child("q").command()).await;
    assert_eq!(refused.unwrap_err().code, Code::LimitReached);
    let there = Scene::over(here.store.clone(), settings()).begun().await;
    let reply = here.submits(vec![success()], None).await.unwrap();
    assert_eq!(verdicts(&reply), [Verdict::Accepted]);
    assert_eq!(there.contents().await, [0]);
}

#[tokio::test(start_paused = true)]
async fn both_begin_a_session_and_one_log_comes_of_it() {
    let here = Scene::new();
    let there = Scene::over(here.store.clone(), settings());
    let gate = here.store.hold_next();
    let late = here.has_submitted(vec![post("here").expects("crm", "r").command()]).await;
    gate.holds_one().await;
    there.tells(post("there").expects("crm", "r").command()).await.unwrap();
    gate.open();
    assert_eq!(late.await.unwrap().answers, [Ok(Answer::Step { created: true })]);
    let steps: Vec<_> = here.state().await.steps.iter().map(|step| step.id().to_string()).collect();
    assert_eq!(steps, ["there", "here"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_busy_replicas_lose_and_double_nothing() {
    const EACH: u64 = 300;
    let (here, there) = two().await;
    let (here, there) = (Arc::new(here), Arc::new(there));
    let writers: Vec<_> = [(here.clone(), 1_000), (there, 2_000)]
        .into_iter()
        .map(|(scene, from)| {
            tokio::spawn(async move {
                for content in from..from + EACH {
                    scene.tells(partial(content)).await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let contents = here.contents().await;
    for from in [1_000, 2_000] {
        let of_one: Vec<_> = contents.iter().filter(|c| (from..from + EACH).contains(*c)).copied().collect();
        assert_eq!(of_one, (from..from + EACH).collect::<Vec<_>>());
    }
    here.tells(cancel(None)).await.unwrap();
    let log = here.log().await;
    assert_eq!(log.iter().filter(|entry| matches!(entry.record, Record::StepEnded { .. })).count(), 1);
    assert!(log.windows(2).all(|pair| pair[1].previous_chain == pair[0].chain));
}
