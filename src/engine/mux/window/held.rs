//! What a window holds, under its lock.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::domain::entry::Entry;
use crate::domain::position::{Position, Sequence};
use crate::engine::mux::marks::Marks;
use crate::engine::mux::tail::{Tail, WindowBounds};
use crate::engine::mux::wake_list::WakeList;

#[derive(Debug, Default)]
pub(super) struct Inner {
    pub(super) position: Option<Position>,
    pub(super) entries: VecDeque<Arc<Entry>>,
    pub(super) bytes: usize,
    pub(super) ended: bool,
    pub(super) expired: bool,
    /// Entries after this one aren't trimmed; `None`: all may be.
    pub(super) held_after: Option<Sequence>,
    pub(super) held_bytes: usize,
    pub(super) version: u64,
    pub(super) readers: usize,
    pub(super) waiting: WakeList,
    pub(super) marks: Marks,
}

impl Inner {
    pub(super) fn tail(&self) -> Tail {
        let next = self.position.map_or(Sequence(1), |position| position.sequence.next());
        Tail {
            position: self.position,
            oldest: self.entries.front().map_or(next, |entry| entry.sequence),
            ended: self.ended,
            expired: self.expired,
            version: self.version,
            readers: self.readers,
        }
    }

    pub(super) fn is_continued_by(&self, first: &Entry, after: Position) -> bool {
        let Some(known) = self.position else { return true };
        known.epoch == after.epoch
            && known.sequence == first.sequence.previous()
            && known.chain == first.previous_chain
    }

    /// The index of the first entry after `after`; `None` where that is older than the window.
    pub(super) fn index_after(&self, after: Sequence) -> Option<usize> {
        let oldest = self.tail().oldest;
        let index = (after.0 + 1).checked_sub(oldest.0)?;
        usize::try_from(index).ok().map(|index| index.min(self.entries.len()))
    }

    /// Lets all entries go. Returns the bytes freed.
    pub(super) fn clear(&mut self) -> usize {
        self.entries = VecDeque::new();
        self.marks.clear();
        self.held_bytes = 0;
        std::mem::take(&mut self.bytes)
    }

    /// Entries come that don't continue what is here: none of them was archived.
    pub(super) fn start_anew(&mut self, entries: &[Arc<Entry>]) {
        self.clear();
        let before = entries.first().map_or(Sequence(0), |first| first.sequence.previous());
        self.held_after = self.held_after.map(|_| before);
    }

    /// Holds the entries after `sequence` only; never more than were held before.
    pub(super) fn release(&mut self, sequence: Sequence) {
        let from = self.held_after.map_or(0, |held| self.index_after(held).unwrap_or(0));
        let weight = |entry: &Arc<Entry>| entry.weight();
        if self.held_after.is_none() {
            self.held_bytes = self.bytes;
        }
        let released = self.entries.range(from..).take_while(|entry| entry.sequence <= sequence);
        self.held_bytes -= released.map(weight).sum::<usize>();
        self.held_after = Some(self.held_after.map_or(sequence, |held| held.max(sequence)));
    }

    pub(super) fn trim(&mut self, bounds: WindowBounds) {
        let one = usize::from(!mutant!("last-entry-trimmed"));
        while self.entries.len() > one && (self.entries.len() > bounds.entries || self.bytes > bounds.bytes) {
            let is_held = |oldest: &Arc<Entry>| self.held_after.is_some_and(|held| oldest.sequence > held);
            if self.entries.front().is_some_and(is_held) && !mutant!("trim-passes-the-archive") {
                return;
            }
            if let Some(oldest) = self.entries.pop_front() {
                self.bytes -= oldest.weight();
            }
        }
    }
}
