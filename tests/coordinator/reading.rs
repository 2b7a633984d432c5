//! A reader of a session that is forgotten, and begins anew, while the store is asked for what the reader lacks.

use std::future::poll_fn;

use futures::poll;
use tributary::engine::mux::{Framing, ReadRequest, Reader, StartAt, StreamMux, View};
use tributary::engine::telemetry::Telemetry;

use crate::fixtures::MUX;
use crate::scene::{Scene, memory, partial, settings};
use crate::scripted::{Gate, ScriptedStore};

async fn reader(scene: &Scene) -> Reader {
    let request = ReadRequest {
        key: scene.key.clone(),
        view: View::default(),
        start: StartAt::Tail,
        framing: Framing::Sse,
        batch: None,
        coalesce: true,
        caller: None,
        lives: None,
    };
    StreamMux::new(scene.store.clone(), MUX, Telemetry::off()).open(request).await.unwrap()
}

async fn next(reader: &mut Reader) -> String {
    let bytes = poll_fn(|cx| reader.poll_next(cx)).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test]
async fn a_log_that_is_shorter_than_the_readers_place_by_then_is_read_anew() {
    let store = ScriptedStore::over(memory(|settings| settings.ring_entries = 4));
    let scene = Scene::over(store, settings()).begun().await;
    for content in 1..=5 {
        scene.tells(partial(content)).await.unwrap();
    }
    let mut reader = reader(&scene).await;
    next(&mut reader).await;
    for content in 6..=20 {
        scene.tells(partial(content)).await.unwrap();
    }
    let gate = Gate::closed();
    *scene.store.read_gate.lock() = Some(gate.clone());
    let mut reading = Box::pin(next(&mut reader));
    assert!(poll!(&mut reading).is_pending());
    gate.holds_one().await;
    scene.coordinator.forget(&scene.key).await.unwrap();
    let scene = scene.begun().await;
    gate.open();
    let opened = reading.await;
    let epoch = scene.state().await.position.epoch.to_string();
    assert!(opened.starts_with("event: open\n") && opened.contains(&epoch), "{opened}");
}
