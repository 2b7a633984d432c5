//! What a window had to leave of a log that was put back without its beginning.
//!
//! Such a log may begin after all that is held, and a window that follows it leaves that. It can't be joined yet: another replica holds
//! what lies between, and where that is slow it comes after any wait. So what was left is kept as long as a replica may hold something, and
//! goes in front of the log once that begins where it ends (`beginning`).

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Tail;
use crate::domain::entry::Entry;
use crate::domain::position::Sequence;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::Lack;

impl Tail {
    /// Sets aside what is held where it ends before `oldest`, with which the log begins that lacks what was before; lets it go where the log
    /// lacks nothing, or nobody is waited for any more.
    pub(in super::super) fn set_aside(&self, lacks: Option<Lack>, oldest: Sequence, now: Timestamp) {
        let mut inner = self.inner.lock();
        if lacks.is_none_or(|lack| now.since_ms(lack.since) >= Lack::HELD_MS) {
            inner.aside = Vec::new();
            return;
        }
        let tail = self.window.tail();
        let is_before = tail.position.is_some_and(|held| held.sequence.next() < oldest);
        if !is_before || tail.expired {
            return;
        }
        let ends = |aside: &[Arc<Entry>]| [aside.first(), aside.last()].map(|entry| entry.map(|it| it.chain));
        let before = ends(&inner.aside);
        inner.aside.retain(|entry| entry.sequence < tail.oldest);
        inner.aside.extend(self.entries());
        let surplus = self.beyond_bounds(&inner.aside);
        inner.aside.drain(..surplus);
        if ends(&inner.aside) != before {
            // Also where nobody reads it, the next sweep looks whether it can be joined.
            self.uncompared.store(true, Ordering::Release);
        }
    }

    /// Notes that the store was compared with what is held. What is set aside waits for the next sweep; it is looked for under the lock, or
    /// what is set aside meanwhile would wait for nobody.
    pub(in super::super) fn note_compared(&self) {
        let inner = self.inner.lock();
        self.uncompared.store(!inner.aside.is_empty(), Ordering::Release);
    }

    /// All that is held, in order: what was set aside, and the window.
    pub(in super::super) fn held(&self) -> Vec<Arc<Entry>> {
        let (oldest, window) = (self.window.tail().oldest, self.entries());
        let mut held = self.inner.lock().aside.clone();
        held.retain(|entry| entry.sequence < oldest);
        held.extend(window);
        held
    }

    /// How many of the first are too many for a log.
    fn beyond_bounds(&self, entries: &[Arc<Entry>]) -> usize {
        let mut bytes = 0;
        let fits = entries.iter().rev().take(self.bounds.entries).take_while(|entry| {
            bytes += entry.weight();
            bytes <= self.bounds.bytes
        });
        entries.len() - fits.count()
    }
}
