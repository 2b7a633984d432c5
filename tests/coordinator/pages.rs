//! A page of a session that the store had lost in part, and got back while the page was made.

use std::sync::Arc;

use tributary::domain::position::Sequence;
use tributary::engine::mux::{LogWindow, PageRequest, StartAt, StreamMux, View};
use tributary::engine::telemetry::Telemetry;

use crate::fixtures::MUX;
use crate::scene::{Scene, partial};

#[tokio::test]
async fn what_was_put_back_after_the_window_was_asked_for_is_shown() {
    let scene = Scene::running().await;
    let before = scene.state().await.position;
    for content in 1..=7 {
        scene.tells(partial(content)).await.unwrap();
    }
    let log = scene.log().await;
    let mux = StreamMux::new(scene.store.clone(), MUX, Telemetry::off());
    for start in [StartAt::Start, StartAt::Tail, StartAt::Sequence(before.sequence), StartAt::Cursor(before)]
    {
        let window = LogWindow::default();
        window.stand_at(before, false, false);
        *scene.store.stale.lock() = Some(Arc::new(window));
        let request = PageRequest { key: scene.key.clone(), view: View::default(), start, limit: log.len() };
        let page = mux.page(request).await.unwrap().unwrap();
        assert_eq!(page.tail, Sequence(log.len() as u64), "{start:?}");
        assert_eq!(page.next, scene.state().await.position, "{start:?}");
        assert_eq!(page.events, log[page.from.0 as usize..], "{start:?}");
    }
}
