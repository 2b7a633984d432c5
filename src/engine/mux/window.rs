//! The part of a session's log that this process holds, and who waits at its end.
//!
//! A store keeps a window up to date; readers take entries out of it and wait. It is bounded: what it has let go is
//! read from the store. For the memory cache the window *is* the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use parking_lot::Mutex;
use tokio::time::Instant;

mod held;

use super::frames::FrameCache;
use super::tail::{Tail, WindowBounds};
use super::wake_list::WakeSlot;
use crate::domain::entry::Entry;
use crate::domain::position::{Chain, Position, Sequence};
use crate::engine::telemetry::{Emit, Origin};
use held::Inner;

/// The recent entries of one session.
#[derive(Debug, Default)]
pub struct LogWindow {
    inner: Mutex<Inner>,
    /// That of `inner`, for who only wants to know whether anything changed.
    version: AtomicU64,
    frames: Mutex<FrameCache>,
}

impl LogWindow {
    /// Adds entries that continue the window, or start it anew where they don't. Returns by how many bytes it grew.
    pub fn push(
        &self,
        entries: &[Arc<Entry>],
        position: Position,
        ended: bool,
        bounds: WindowBounds,
    ) -> isize {
        self.push_from(&Origin::unknown(), entries, position, ended, bounds)
    }

    /// Adds entries of which it is known where they came from.
    pub fn push_from(
        &self,
        origin: &Origin,
        entries: &[Arc<Entry>],
        position: Position,
        ended: bool,
        bounds: WindowBounds,
    ) -> isize {
        let mut inner = self.inner.lock();
        let before = inner.bytes;
        let continues = match entries.first() {
            Some(first) => inner.is_continued_by(first, position),
            None => inner.position.is_none_or(|known| known == position),
        };
        if !continues {
            inner.start_anew(entries);
            self.frames.lock().clear();
        }
        let is_read = inner.readers > 0;
        inner.marks.add(position.sequence, origin, is_read);
        let added: usize = entries.iter().map(|entry| entry.weight()).sum();
        inner.entries.extend(entries.iter().cloned());
        inner.bytes += added;
        inner.held_bytes += inner.held_after.map_or(0, |_| added);
        inner.trim(bounds);
        inner.position = Some(position);
        inner.ended = ended;
        inner.expired = false;
        let grown = inner.bytes as isize - before as isize;
        self.changed(inner);
        grown
    }

    /// Keeps every entry after `sequence`, until it is told of a later one; what is beyond the bounds before goes. Returns
    /// the bytes freed.
    pub fn hold_after(&self, sequence: Sequence, bounds: WindowBounds) -> usize {
        let mut inner = self.inner.lock();
        let before = inner.bytes;
        inner.release(sequence);
        inner.trim(bounds);
        before - inner.bytes
    }

    /// Bytes of the entries that are held, by [`LogWindow::hold_after`].
    pub fn held_bytes(&self) -> usize {
        self.inner.lock().held_bytes
    }

    /// Stands at a position without any entry, as a log does whose data is elsewhere.
    pub fn stand_at(&self, position: Position, ended: bool, expired: bool) {
        let mut inner = self.inner.lock();
        inner.clear();
        inner.position = Some(position);
        inner.ended = ended;
        inner.expired = expired;
        inner.held_after = inner.held_after.map(|_| position.sequence);
        self.changed(inner);
    }

    /// Lets the data go and keeps the position. Returns the bytes freed.
    pub fn expire(&self) -> usize {
        let mut inner = self.inner.lock();
        let freed = inner.clear();
        inner.expired = true;
        self.frames.lock().clear();
        self.changed(inner);
        freed
    }

    /// Forgets everything, the position too. Returns the bytes freed.
    pub fn forget(&self) -> usize {
        let mut inner = self.inner.lock();
        let freed = inner.clear();
        inner.position = None;
        inner.ended = false;
        inner.expired = false;
        inner.held_after = inner.held_after.map(|_| Sequence(0));
        self.frames.lock().clear();
        self.changed(inner);
        freed
    }

    fn changed(&self, mut inner: parking_lot::MutexGuard<'_, Inner>) {
        inner.version += 1;
        // Before those are woken who wait: whoever still finds the old one is among them.
        self.version.store(inner.version, Ordering::Release);
        let woken = if mutant!("wake-up-missed") { Vec::new() } else { inner.waiting.take() };
        drop(inner);
        for waker in woken {
            waker.wake();
        }
    }

    /// Where the log stands.
    pub fn tail(&self) -> Tail {
        self.inner.lock().tail()
    }

    /// Bytes of the entries held.
    pub fn bytes(&self) -> usize {
        self.inner.lock().bytes
    }

    /// The entries after `after`, at most `limit`; `None` where the window has let some of them go.
    pub fn after(&self, after: Sequence, limit: usize) -> Option<Vec<Arc<Entry>>> {
        let inner = self.inner.lock();
        let from = inner.index_after(after)?;
        Some(inner.entries.range(from..).take(limit).cloned().collect())
    }

    /// The last entries, newest first, as long as `keep_going` says so.
    pub fn newest_first(&self, mut keep_going: impl FnMut(&Entry) -> bool) {
        let inner = self.inner.lock();
        for entry in inner.entries.iter().rev() {
            if !keep_going(entry) {
                return;
            }
        }
    }

    /// The chain at `sequence`, where it is known.
    pub fn chain_at(&self, sequence: Sequence) -> Option<Chain> {
        let inner = self.inner.lock();
        if let Some(position) = inner.position.filter(|position| position.sequence == sequence) {
            return Some(position.chain);
        }
        let index = inner.index_after(sequence)?;
        inner.entries.get(index).map(|next| next.previous_chain)
    }

    /// Where the append came from that leads to `last`, and that came here by another way first.
    pub fn adopt(&self, last: Sequence, origin: &Origin) {
        self.inner.lock().marks.adopt(last, origin);
    }

    /// A reader gets the entries after `after` up to `to`: when the first came, and whom to tell that somebody has them.
    pub fn delivered(&self, after: Sequence, to: Sequence) -> (Option<Instant>, Vec<Emit>) {
        self.inner.lock().marks.delivered(after, to)
    }

    /// Where the log stands. The waker is left: no change falls between the look and the wait.
    pub fn tail_to_wait_at(&self, slot: &mut WakeSlot, cx: &mut Context<'_>) -> Tail {
        let mut inner = self.inner.lock();
        inner.waiting.wait(slot, cx.waker());
        inner.tail()
    }

    /// The version of the last change; where it is that of a tail, whose waker was left there is still waiting.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Waits until the version is another than `seen`.
    pub fn poll_changed(&self, seen: u64, slot: &mut WakeSlot, cx: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.inner.lock();
        if inner.version != seen {
            return Poll::Ready(());
        }
        inner.waiting.wait(slot, cx.waker());
        Poll::Pending
    }

    /// A reader comes. `Err` with the count where there are `most` already.
    pub fn enter(&self, most: usize) -> Result<(), usize> {
        let mut inner = self.inner.lock();
        if inner.readers >= most {
            return Err(inner.readers);
        }
        inner.readers += 1;
        Ok(())
    }

    /// A reader goes.
    pub fn leave(&self, slot: &mut WakeSlot) {
        let mut inner = self.inner.lock();
        inner.waiting.leave(slot);
        inner.readers -= 1;
    }

    /// Readers at present.
    pub fn readers(&self) -> usize {
        self.inner.lock().readers
    }

    /// The frames that readers share.
    pub(super) fn frames(&self) -> &Mutex<FrameCache> {
        &self.frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::position::AppendId;
    use crate::domain::record::Record;
    use crate::domain::time::Timestamp;
    use crate::engine::mux::frames::{Chunk, Layout, ShareKey};
    use crate::engine::mux::framing::Framing;

    const BOUNDS: WindowBounds = WindowBounds { entries: 100, bytes: 1 << 20 };

    /// The entry that an append makes of nothing but its id: others make other branches.
    fn entry(after: Position, append_id: u64) -> Arc<Entry> {
        let record = Record::Progress { step: "p".parse().unwrap() };
        Arc::new(Entry::seal(after, AppendId(append_id), Timestamp(1), record, b"{}"))
    }

    fn key(scanned: Position) -> ShareKey {
        let layout = Layout { framing: Framing::Sse, batch: 5, chunk_bytes: 1_024 };
        ShareKey { scanned, covered: scanned.sequence, layout, coalesce: false }
    }

    fn ended_at(scanned: Position) -> Chunk {
        Chunk {
            bytes: b"old"[..].into(),
            scanned,
            covered: scanned.sequence,
            full: false,
            ended: true,
            frames: 1,
            coalesced: 0,
            came_at: None,
        }
    }

    #[test]
    fn frames_of_a_branch_are_for_readers_of_that_branch_only() {
        let start = Position::start("7f3a91".parse().unwrap());
        let [old, new] = [7, 8].map(|append_id| entry(start, append_id).position(start.epoch));
        let end = entry(old, 9).position(start.epoch);
        let mut frames = FrameCache::default();
        frames.put(key(old), None, ended_at(end));
        assert!(frames.get(&key(old), None, end).is_some());
        assert!(frames.get(&key(new), None, end).is_none());
        assert!(frames.get(&key(old), Some(&"p".parse().unwrap()), end).is_none());
    }

    #[test]
    fn log_that_does_not_continue_lets_the_frames_of_the_old_one_go() {
        let start = Position::start("7f3a91".parse().unwrap());
        let window = LogWindow::default();
        let first = entry(start, 7);
        let position = first.position(start.epoch);
        window.push(&[first], position, false, BOUNDS);
        window.frames().lock().put(key(start), None, ended_at(position));
        let next = entry(position, 7);
        let after = next.position(start.epoch);
        window.push(&[next], after, false, BOUNDS);
        assert!(window.frames().lock().get(&key(start), None, after).is_some());
        let other = entry(start, 8);
        let fork = other.position(start.epoch);
        window.push(&[other], fork, false, BOUNDS);
        assert!(window.frames().lock().get(&key(start), None, fork).is_none());
    }
}
