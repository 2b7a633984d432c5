//! Order, and what a submission needs to be taken.

use std::time::Duration;

use futures::future::join_all;
use tributary::domain::record::Answer;
use tributary::domain::verdict::{Code, Verdict};
use tributary::engine::coordinator::SubmitError;
use tributary::engine::ports::result_cache::Presence;

use crate::fixtures::{post, session_key};
use crate::scene::{Scene, accepted, memory, partial, settings, success, verdicts};
use crate::scripted::ScriptedStore;

#[tokio::test(start_paused = true)]
async fn commands_of_a_submission_are_decided_in_their_order() {
    let scene = Scene::running().await;
    let commands = (1..=50).map(partial).chain([success(), partial(99)]).collect();
    let reply = scene.submits(commands, None).await.unwrap();
    assert_eq!(scene.contents().await, (1..=50).chain([0]).collect::<Vec<_>>());
    let sequences: Vec<_> = reply.answers.iter().filter_map(accepted).collect();
    assert!(sequences.len() == 51 && sequences.is_sorted());
    assert_eq!(verdicts(&reply).last(), Some(&Verdict::Late), "after the success");
}

#[tokio::test(start_paused = true)]
async fn submissions_are_decided_in_the_order_of_their_coming() {
    let scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let mut waiting = Vec::new();
    for content in 1..=20 {
        waiting.push(scene.has_submitted(vec![partial(content)]).await);
    }
    gate.open();
    for reply in join_all(waiting).await {
        assert_eq!(verdicts(&reply.unwrap()), [Verdict::Accepted]);
    }
    assert_eq!(scene.contents().await, (1..=20).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_reply_speaks_of_the_state_in_which_it_was_stored() {
    let scene = Scene::running().await;
    let reply = scene.submits(vec![partial(1)], None).await.unwrap();
    assert_eq!(reply.state, scene.state().await);
    assert_eq!(reply.cursor, reply.state.position);
    assert_eq!(Some(reply.cursor.sequence), accepted(&reply.answers[0]));
}

#[tokio::test(start_paused = true)]
async fn a_refused_command_does_not_stop_those_after_it() {
    let scene = Scene::running().await;
    let stranger = crate::fixtures::say("p", "voice", tributary::domain::event::SenderStatus::Success);
    let reply = scene.submits(vec![partial(1), stranger.command(), partial(2)], None).await.unwrap();
    assert_eq!(reply.answers[1].as_ref().unwrap_err().code, Code::UnknownSubagent);
    assert_eq!(scene.contents().await, [1, 2]);
    assert_eq!(reply.stopped, None);
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_began_takes_only_a_directive() {
    let scene = Scene::new();
    assert_eq!(scene.submits(vec![partial(1)], None).await.unwrap_err(), SubmitError::UnknownSession);
    assert_eq!(scene.coordinator.active(), 0, "guessing starts nothing");
    let both = vec![post("p").expects("crm", "r").command(), partial(1)];
    let reply = scene.submits(both, None).await.unwrap();
    assert_eq!(reply.answers[0], Ok(Answer::Step { created: true }));
    assert_eq!(scene.contents().await, [1]);
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_data_has_expired_goes_on_only_with_a_directive() {
    let store = ScriptedStore::over(memory(|settings| settings.ttl_ms = 1_000));
    let settings =
        tributary::engine::coordinator::CoordinatorSettings { idle: Duration::from_millis(10), ..settings() };
    let scene = Scene::over(store, settings).begun().await;
    scene.tells(success()).await.unwrap();
    let last = scene.state().await.position;
    tokio::time::advance(Duration::from_secs(2)).await;
    while scene.coordinator.active() > 0 {
        tokio::task::yield_now().await;
    }
    scene.store.inner.sweep();
    let loaded = scene.coordinator.session(&scene.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Expired(position) if position == last));
    assert_eq!(scene.submits(vec![partial(1)], None).await.unwrap_err(), SubmitError::SessionExpired);
    scene.tells(post("q").expects("crm", "r").command()).await.unwrap();
    let state = scene.state().await;
    assert_eq!((state.position.epoch, state.position.sequence), (last.epoch, last.sequence.next()));
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_append_hangs_holds_up_no_other() {
    let mut scene = Scene::running().await;
    let gate = scene.store.hold_next();
    let mut held = scene.submits(vec![partial(1)], None);
    assert!(futures::poll!(&mut held).is_pending());
    gate.holds_one().await;
    let other = Scene { key: session_key("sess-2"), ..Scene::over(scene.store.clone(), settings()) };
    other.begun().await.tells(success()).await.unwrap();
    assert!(futures::poll!(&mut held).is_pending());
    drop(held);
    scene.key = session_key("sess-1");
    gate.open();
    scene.tells(partial(2)).await.unwrap();
    assert_eq!(scene.contents().await, [1, 2], "who hangs up has spoken all the same");
}
