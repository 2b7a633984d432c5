//! Waiting for the next change of a log, for who isn't a stream.

use std::future::poll_fn;
use std::sync::Arc;

use super::wake_list::WakeSlot;
use super::window::LogWindow;

/// Counts as a reader while it waits: its window isn't let go of.
struct Waiting {
    window: Arc<LogWindow>,
    slot: WakeSlot,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.window.leave(&mut self.slot);
    }
}

/// Waits until a window's version is another than `seen`.
pub async fn changed(window: &Arc<LogWindow>, seen: u64) {
    let entered = window.enter(usize::MAX);
    debug_assert!(entered.is_ok(), "there is room for all readers that there can be");
    let mut waiting = Waiting { window: window.clone(), slot: WakeSlot::default() };
    poll_fn(|cx| {
        let Waiting { window, slot } = &mut waiting;
        window.poll_changed(seen, slot, cx)
    })
    .await;
}
