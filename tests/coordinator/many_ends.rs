//! What ends many steps at once is decided in pieces: nobody else's session waits for it, and no store gets it as one append.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::advance;
use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::record::{Answer, Record, StepStatus};
use tributary::domain::verdict::Verdict;

use crate::fixtures::{cancel, idempotency, post, say};
use crate::scene::{Scene, settings, verdicts};
use crate::scripted::Fault;

const STEPS: usize = 40;
const PIECE: usize = 64;

/// Steps of four outputs within so long. The first is below the last two.
async fn many(deadline_ms: u64) -> Scene {
    let scene = Scene::with({
        let mut settings = settings();
        settings.batch_entries = PIECE;
        settings
    });
    let outputs = |step: &str| {
        let step = post(step).with("deadline_ms", deadline_ms).with("more_steps", true);
        (0..4).fold(step, |step, n| step.expects("crm", &format!("r{n}")))
    };
    scene.tells(outputs("leaf").command()).await.unwrap();
    for n in 0..STEPS {
        scene.tells(outputs(&format!("p{n}")).command()).await.unwrap();
    }
    for (above, below) in [("middle", "leaf"), ("root", "middle")] {
        let step = post(above).with("deadline_ms", deadline_ms).with("more_steps", true);
        scene.tells(step.expects_child(below).command()).await.unwrap();
    }
    scene.store.stored.lock().clear();
    scene
}

/// Several appends, none much larger than a piece and the end of one step, results counted.
fn in_pieces(scene: &Scene) {
    let sizes = scene.store.sizes();
    assert!(sizes.len() > 5 && sizes.iter().all(|size| *size <= 2 * PIECE), "{sizes:?}");
}

fn ends(log: &[Arc<Entry>]) -> usize {
    log.iter().filter(|entry| matches!(entry.record, Record::StepEnded { .. })).count()
}

async fn all_ended_as(scene: &Scene, status: StepStatus) {
    assert!(scene.state().await.steps.iter().all(|step| step.status == status && step.ended.is_some()));
    assert_eq!(ends(&scene.log().await), STEPS + 3, "each once");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_session_ends_piece_by_piece_and_is_answered_when_all_has_ended() {
    let scene = many(60_000).await;
    let key = Some(idempotency("once", 1));
    let reply = scene.submits(vec![cancel(None)], key.clone()).await.unwrap();
    in_pieces(&scene);
    all_ended_as(&scene, StepStatus::Cancelled).await;
    let length = scene.log().await.len();
    let again = scene.submits(vec![cancel(None)], key).await.unwrap();
    assert_eq!((again.answers, again.cursor), (reply.answers, reply.cursor));
    assert_eq!(scene.log().await.len(), length);
}

#[tokio::test(start_paused = true)]
async fn a_cancel_whose_store_went_in_the_middle_goes_on_when_it_is_sent_again() {
    let scene = many(60_000).await;
    let gate = scene.store.hold_next();
    let cancelled = scene.has_submitted(vec![cancel(None)]).await;
    gate.holds_one().await;
    scene.store.always_from_now(Some(Fault::Unavailable));
    gate.open();
    assert!(cancelled.await.is_err());
    let ended = ends(&scene.log().await);
    assert!(ended > 0 && ended < STEPS, "{ended}");
    scene.store.always_from_now(None);
    assert!(matches!(scene.tells(cancel(None)).await, Ok(Answer::Done(Some(_)))));
    all_ended_as(&scene, StepStatus::Cancelled).await;
    assert_eq!(scene.tells(cancel(None)).await, Ok(Answer::Done(None)));
}

#[tokio::test(start_paused = true)]
async fn what_is_due_in_many_steps_fires_piece_by_piece_and_before_what_came_after_it() {
    let scene = many(1_000).await;
    advance(Duration::from_millis(999)).await;
    let gate = scene.store.hold_next();
    let held = scene.has_submitted(vec![say("p0", "crm", SenderStatus::Partial).about("r1").command()]).await;
    gate.holds_one().await;
    advance(Duration::from_millis(1)).await;
    let last = format!("p{}", STEPS - 1);
    let event =
        scene.has_submitted(vec![say(&last, "crm", SenderStatus::Success).about("r1").command()]).await;
    gate.open();
    held.await.unwrap();
    assert_eq!(verdicts(&event.await.unwrap()), [Verdict::Late]);
    in_pieces(&scene);
    all_ended_as(&scene, StepStatus::Failed).await;
}
