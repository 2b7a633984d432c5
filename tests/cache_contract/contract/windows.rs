//! Windows get everything once and in order, wake who waits, and outlive what they show (2 of the contract).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};

use tributary::domain::position::Sequence;
use tributary::engine::mux::LogWindow;
use tributary::engine::ports::result_cache::Presence;

use crate::bench::{Bench, Bounds};
use crate::writer::{Writer, missed, partial, read, success};

/// Counts how often it was woken.
#[derive(Default)]
struct Bell(AtomicUsize);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Waits once for a change and says whether `change` woke it.
async fn is_woken_by(window: &LogWindow, change: impl Future<Output = ()>) -> bool {
    let bell = Arc::new(Bell::default());
    let waker = Waker::from(bell.clone());
    let mut slot = Default::default();
    let seen = window.tail().version;
    assert!(window.poll_changed(seen, &mut slot, &mut Context::from_waker(&waker)).is_pending());
    change.await;
    bell.0.load(Ordering::SeqCst) == 1 && window.tail().version != seen
}

pub async fn every_window_gets_each_append_once_and_in_order<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    let early = cache.follow(&writer.key).await.unwrap();
    assert_eq!(early.tail().position, None);
    writer.begins(&*cache).await;
    let late = cache.follow(&writer.key).await.unwrap();
    for _ in 0..5 {
        writer.writes(&*cache, &[partial(), partial()]).await;
        missed(
            Writer::new("s")
                .tries(&*cache, &[crate::fixtures::post("x").expects("crm", "r").command()])
                .await,
        );
    }
    for window in [&early, &late] {
        assert_eq!(window.after(Sequence(0), usize::MAX).unwrap(), writer.log);
        assert_eq!(window.tail().position, Some(writer.position()));
        assert!(!window.tail().ended);
    }
    writer.writes(&*cache, &[success()]).await;
    assert!(early.tail().ended && late.tail().ended, "nothing more is expected");
}

pub async fn who_waits_is_woken_by_each_change<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    let window = cache.follow(&writer.key).await.unwrap();
    let begins = async {
        writer.begins(&*cache).await;
    };
    assert!(is_woken_by(&window, begins).await, "a beginning");
    let writes = async {
        writer.writes(&*cache, &[success()]).await;
    };
    assert!(is_woken_by(&window, writes).await, "an append");
    assert!(is_woken_by(&window, bench.pass(61_000 + 300_000)).await, "its expiry");
    assert!(window.tail().expired);
    assert!(
        is_woken_by(&window, async { assert!(cache.forget(&writer.key).await.unwrap()) }).await,
        "its end"
    );
    assert_eq!(window.tail().position, None);
}

pub async fn a_window_that_is_held_gets_what_comes_after_the_session_was_forgotten<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    // One waits for what isn't there yet, one has read; a planner deletes the session and begins it anew.
    let waits = cache.follow(&writer.key).await.unwrap();
    assert!(!cache.forget(&writer.key).await.unwrap(), "there was nothing");
    writer.begins(&*cache).await;
    assert_eq!(waits.after(Sequence(0), 9).unwrap(), writer.log);
    let has_read = cache.follow(&writer.key).await.unwrap();
    assert!(cache.forget(&writer.key).await.unwrap());
    let mut anew = Writer::new("s");
    anew.begins(&*cache).await;
    for window in [waits, has_read] {
        assert_eq!(window.after(Sequence(0), 9).unwrap(), anew.log);
    }
}

pub async fn forgetting_leaves_nothing<B: Bench>() {
    let bench = B::with(Bounds::default()).await;
    let cache = bench.cache();
    let mut writer = Writer::new("s");
    writer.begins_and_ends(&*cache).await;
    cache.note_late(&writer.key, writer.state.steps[0].subagents[0].output.clone()).await.unwrap();
    assert!(cache.forget(&writer.key).await.unwrap());
    let loaded = cache.load(&writer.key).await.unwrap();
    assert!(matches!(loaded.presence, Presence::Unknown) && loaded.late.is_empty());
    assert!(cache.snapshot(&writer.key).await.unwrap().is_none());
    assert_eq!(read(&*cache, &writer.key, 0).await, []);
    assert_eq!(cache.sessions(&writer.key.tenant, None, 9).await.unwrap().len(), 0);
    assert!(!cache.forget(&writer.key).await.unwrap(), "twice");
    let state =
        missed(writer.tries(&*cache, &[crate::fixtures::post("q").expects("crm", "r").command()]).await)
            .state;
    assert!(
        state.is_some_and(|state| state.steps.is_empty()),
        "a writer that knew it is told that it is gone"
    );
}
