//! A wake-up is announced where it isn't lost before the append that needs it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::FutureExt;
use futures::future::ready;
use tributary::domain::ids::SessionKey;
use tributary::domain::record::Answer;
use tributary::domain::time::Timestamp;
use tributary::engine::coordinator::AggregationCoordinator;
use tributary::engine::ports::result_cache::StoreFuture;
use tributary::engine::ports::wake_index::{Claim, WakeIndex, Work};
use tributary::engine::telemetry::Telemetry;

use crate::fixtures::{post, session_key};
use crate::scene::{Scene, memory, settings};
use crate::scripted::ScriptedStore;

/// An index that only notes that something was announced.
struct Index(Arc<ScriptedStore>);

impl WakeIndex for Index {
    fn wake_at<'a>(&'a self, _: &'a SessionKey, _: Work, _: Timestamp) -> StoreFuture<'a, ()> {
        ready(Ok(())).boxed()
    }

    fn wake_by<'a>(&'a self, _: &'a SessionKey, _: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        ready(Ok(at)).boxed()
    }

    fn announce<'a>(&'a self, _: &'a SessionKey, _: Work, at: Timestamp) -> StoreFuture<'a, Timestamp> {
        self.0.asked.lock().push("announce");
        ready(Ok(at)).boxed()
    }

    fn move_wake<'a>(
        &'a self,
        _: &'a SessionKey,
        _: Work,
        _: Timestamp,
        _: Option<Timestamp>,
    ) -> StoreFuture<'a, bool> {
        ready(Ok(true)).boxed()
    }

    fn due(&self, _: Work) -> StoreFuture<'_, Vec<Claim>> {
        ready(Ok(Vec::new())).boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_announced_stands_in_a_store_that_has_settled_and_is_said_again_where_it_was_lost() {
    let store = ScriptedStore::over(memory(|_| {}));
    let index: Arc<dyn WakeIndex> = Arc::new(Index(store.clone()));
    let coordinator =
        AggregationCoordinator::new(store.clone(), Some(index), settings(), (None, None), Telemetry::off());
    let scene = Scene { store, coordinator, key: session_key("sess-1") };
    let step = |id| post(id).expects("crm", "r").with("deadline_ms", 60_000).command();
    for (id, loses) in [("p", false), ("q", true)] {
        scene.store.asked.lock().clear();
        scene.store.loses_announcement.store(loses, Ordering::Relaxed);
        // Each is due before what was announced.
        let directive = match loses {
            false => step(id),
            true => post(id).expects("crm", "r").with("deadline_ms", 30_000).command(),
        };
        assert_eq!(scene.tells(directive).await, Ok(Answer::Step { created: true }));
        let asked = scene.store.asked.lock().clone();
        let again = if loses { &["announce", "settled"][..] } else { &[] };
        let expected = [&["settled", "announce", "settled"], again, &["append"]].concat();
        assert!(asked.ends_with(&expected), "{asked:?}");
    }
}
