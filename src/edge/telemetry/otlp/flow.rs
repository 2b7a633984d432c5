//! What becomes of spans: how many wait, and how many were exported, failed or dropped.
//!
//! The SDK's queue is bounded by a number of spans. One span may hold a prompt, so what waits is bounded in bytes as well,
//! and both are looked at before a span is converted: a full queue costs three loads and an addition.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// What waiting spans hold at most, in bytes: 2,048 with 8 KiB each.
pub(super) const QUEUE_BYTES: usize = 16 << 20;

/// The counts; shared by who ends spans and who exports them.
#[derive(Debug)]
pub(super) struct Flow {
    room: usize,
    closed: AtomicBool,
    waiting: AtomicUsize,
    waiting_bytes: AtomicUsize,
    exported: AtomicU64,
    failed: AtomicU64,
    dropped: AtomicU64,
}

/// The totals since the start. Each span that was wanted is in one of them once it is over and out of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Totals {
    /// The collector took them.
    pub exported: u64,
    /// An export of them failed, and was given up.
    pub failed: u64,
    /// There was no room for them.
    pub dropped: u64,
}

impl Flow {
    /// Room for that many spans; not more than the SDK's queue has.
    pub fn new(room: usize) -> Self {
        Self {
            room,
            closed: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            waiting_bytes: AtomicUsize::new(0),
            exported: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            dropped: AtomicU64::new(0),
        }
    }

    /// Takes a place in the queue, or counts the span as dropped. Those that come in at once may go over the bound of
    /// bytes by one span each.
    pub fn enter(&self) -> bool {
        // The first look keeps most of those that are turned away from writing where all others read.
        let entered = !self.is_full() && self.take_place();
        if !entered {
            self.dropped.fetch_add(1, Relaxed);
        }
        entered
    }

    /// Whether there is a place; where not, the span that isn't made is counted as dropped.
    pub fn has_room(&self) -> bool {
        let full = self.is_full();
        self.dropped.fetch_add(u64::from(full), Relaxed);
        !full
    }

    fn is_full(&self) -> bool {
        self.closed.load(Relaxed)
            || self.waiting.load(Relaxed) >= self.room
            || self.waiting_bytes.load(Relaxed) >= QUEUE_BYTES
    }

    /// Counts one in, unless others that looked at the same time took the last place.
    fn take_place(&self) -> bool {
        let has_room = self.waiting.fetch_add(1, Relaxed) < self.room;
        if !has_room {
            self.waiting.fetch_sub(1, Relaxed);
        }
        has_room
    }

    /// Says how large a span is that took a place.
    pub fn weigh(&self, bytes: usize) {
        self.waiting_bytes.fetch_add(bytes, Relaxed);
    }

    /// A batch left the queue.
    pub fn left(&self, spans: usize, bytes: usize) {
        self.waiting.fetch_sub(spans, Relaxed);
        self.waiting_bytes.fetch_sub(bytes, Relaxed);
    }

    /// An export is over.
    pub fn ended(&self, spans: usize, exported: bool) {
        let total = if exported { &self.exported } else { &self.failed };
        total.fetch_add(spans as u64, Relaxed);
    }

    /// Takes no more spans.
    pub fn close(&self) {
        self.closed.store(true, Relaxed);
    }

    /// What became of spans until now.
    pub fn totals(&self) -> Totals {
        Totals {
            exported: self.exported.load(Relaxed),
            failed: self.failed.load(Relaxed),
            dropped: self.dropped.load(Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_without_a_place_is_dropped() {
        let flow = Flow::new(2);
        assert!(flow.enter() && flow.enter());
        assert!(!flow.enter());
        flow.left(1, 0);
        assert!(flow.enter());
        assert_eq!(flow.totals().dropped, 1);
    }

    #[test]
    fn large_spans_fill_the_queue_by_their_bytes() {
        let flow = Flow::new(1_000);
        assert!(flow.enter());
        flow.weigh(QUEUE_BYTES);
        assert!(!flow.enter());
        flow.left(1, QUEUE_BYTES);
        assert!(flow.enter());
    }

    #[test]
    fn a_closed_flow_takes_nothing() {
        let flow = Flow::new(1);
        flow.close();
        assert!(!flow.enter());
    }

    #[test]
    fn of_those_that_saw_the_last_place_one_takes_it() {
        let flow = Flow::new(1);
        assert!(flow.take_place());
        assert!(!flow.take_place() && !flow.take_place());
        flow.left(1, 0);
        assert!(flow.enter() && !flow.enter());
    }
}
