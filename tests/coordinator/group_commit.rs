//! Group commit: what comes while an append is under way forms the next one, within bounds.

use futures::future::join_all;
use tributary::domain::record::{Answer, Record};
use tributary::engine::coordinator::CoordinatorSettings;

use crate::fixtures::post;
use crate::scene::{Scene, accepted, partial, settings, success};

async fn running_with(change: impl FnOnce(&mut CoordinatorSettings)) -> Scene {
    let mut settings = settings();
    change(&mut settings);
    Scene::with(settings).begun().await
}

#[tokio::test(start_paused = true)]
async fn while_an_append_hangs_what_comes_forms_one_append() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let first = scene.has_submitted(vec![partial(0)]).await;
    gate.holds_one().await;
    let mut waiting = Vec::new();
    for content in 1..=100 {
        waiting.push(scene.has_submitted(vec![partial(content)]).await);
    }
    gate.open();
    first.await.unwrap();
    join_all(waiting).await.into_iter().for_each(|reply| drop(reply.unwrap()));
    assert_eq!(scene.store.sizes(), [2, 100], "the first with its `subagent_started`");
    let appends = scene.store.stored.lock().clone();
    assert!(appends[1].iter().all(|entry| entry.append_id == appends[1][0].append_id));
}

#[tokio::test(start_paused = true)]
async fn an_append_has_so_many_entries_at_most_whoever_they_are_from() {
    let scene = running_with(|settings| settings.batch_entries = 16).await;
    let gate = scene.store.hold_next();
    let mut waiting = vec![scene.has_submitted(vec![partial(0)]).await];
    gate.holds_one().await;
    for step in 0..20 {
        let directive =
            post(&format!("step-{step}")).expects("crm", "r").expects("voice", "s").disabled("crm");
        waiting.push(scene.has_submitted(vec![directive.command()]).await);
    }
    waiting.push(scene.has_submitted(vec![partial(1)]).await);
    gate.open();
    for reply in join_all(waiting).await {
        assert!(reply.unwrap().answers.iter().all(Result::is_ok));
    }
    // Three entries a directive: started, degraded, completed. The partial is another.
    assert_eq!(scene.log().await.len(), 1 + 2 + 20 * 3 + 1);
    assert!(scene.store.sizes().iter().all(|size| *size <= 16), "{:?}", scene.store.sizes());
    assert!(scene.store.sizes().len() <= 7, "and they are filled: {:?}", scene.store.sizes());
}

#[tokio::test(start_paused = true)]
async fn a_step_that_ends_closes_its_append_with_its_result() {
    let scene = running_with(|settings| settings.batch_entries = 256).await;
    let gate = scene.store.hold_next();
    let mut waiting = vec![scene.has_submitted(vec![partial(0)]).await];
    gate.holds_one().await;
    for step in 0..3 {
        let directive = post(&format!("step-{step}")).expects("crm", "r").disabled("crm").command();
        waiting.push(scene.has_submitted(vec![directive]).await);
    }
    gate.open();
    join_all(waiting).await.into_iter().for_each(|reply| drop(reply.unwrap()));
    assert_eq!(scene.store.sizes(), [2, 7, 7, 7], "whatever waited behind it");
    for append in &scene.store.stored.lock()[1..] {
        assert!(matches!(append[6].record, Record::StepEnded { .. }));
        assert!(matches!(append[4].record, Record::Aggregated { .. }));
    }
}

#[tokio::test(start_paused = true)]
async fn what_stands_before_a_steps_end_does_not_wait_for_its_result() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let first = scene.has_submitted(vec![partial(0)]).await;
    gate.holds_one().await;
    let others = scene.has_submitted(vec![partial(1), partial(2), success()]).await;
    gate.open();
    first.await.unwrap();
    let reply = others.await.unwrap();
    assert_eq!(reply.answers.iter().filter_map(accepted).count(), 3, "one answer all the same");
    assert_eq!(scene.store.sizes(), [2, 2, 6]);
    let appends = scene.store.stored.lock().clone();
    assert!(appends[1].iter().all(|entry| matches!(entry.record, Record::Subagent { .. })));
    assert!(matches!(appends[2][5].record, Record::StepEnded { .. }), "the end is stored with its result");
}

#[tokio::test(start_paused = true)]
async fn a_long_submission_is_stored_in_several_appends_and_answered_as_one() {
    let scene = running_with(|settings| settings.batch_entries = 10).await;
    let reply = scene.submits((0..95).map(partial).collect(), None).await.unwrap();
    assert_eq!(reply.answers.iter().filter_map(accepted).count(), 95);
    assert_eq!(scene.contents().await, (0..95).collect::<Vec<_>>());
    assert!(scene.store.sizes().iter().all(|size| *size <= 10), "{:?}", scene.store.sizes());
    assert!(scene.store.sizes().len() <= 11, "{:?}", scene.store.sizes());
}

#[tokio::test(start_paused = true)]
async fn an_append_has_so_many_bytes_at_most() {
    let scene = running_with(|settings| settings.batch_bytes = 4_096).await;
    let reply = scene.submits((0..40).map(partial).collect(), None).await.unwrap();
    assert_eq!(reply.answers.iter().filter_map(accepted).count(), 40);
    let appends = scene.store.stored.lock().clone();
    for append in &appends {
        let bytes: usize = append.iter().map(|entry| entry.weight()).sum();
        assert!(bytes <= 4_096, "{bytes} bytes in {} entries", append.len());
    }
    assert!(appends.len() > 5);
}

#[tokio::test(start_paused = true)]
async fn a_single_command_that_makes_more_goes_alone() {
    let scene = running_with(|settings| settings.batch_entries = 4).await;
    let many = (0..30).fold(post("many"), |directive, n| directive.expects("crm", &format!("r{n}")));
    let commands = vec![partial(1), many.disabled("crm").command(), partial(2)];
    let reply = scene.submits(commands, None).await.unwrap();
    assert_eq!(reply.answers[1], Ok(Answer::Step { created: true }));
    // Thirty outputs, two entries each, and the step's five.
    assert_eq!(scene.store.sizes(), [2, 65, 1]);
}

#[tokio::test(start_paused = true)]
async fn senders_beyond_the_inbox_wait_in_turn_and_none_is_lost() {
    let scene = running_with(|settings| settings.inbox = 2).await;
    let gate = scene.store.hold_next();
    let mut waiting = Vec::new();
    for content in 0..60 {
        waiting.push(scene.has_submitted(vec![partial(content)]).await);
    }
    gate.open();
    join_all(waiting).await.into_iter().for_each(|reply| drop(reply.unwrap()));
    assert_eq!(scene.contents().await, (0..60).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn what_needs_no_entry_is_answered_without_an_append() {
    let scene = Scene::running().await;
    scene.tells(success()).await.unwrap();
    let attempts = scene.store.sizes().len();
    scene.tells(success()).await.unwrap();
    assert_eq!(scene.store.sizes().len(), attempts);
}
