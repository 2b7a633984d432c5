//! Which sessions have entries that the archive hasn't got: names and positions, no entries.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::domain::ids::SessionKey;
use crate::domain::position::Position;
use crate::engine::ports::archive::LateResult;

/// Late results that wait at most; they are counted for analytics only, so that the oldest may go.
const LATE_MAX: usize = 65_536;

/// A session and how far its log is known to go.
pub(super) type Noted = (SessionKey, Position);

/// What the archiver still has to look at. Its size follows the number of sessions, not how much they say.
#[derive(Debug, Default)]
pub struct Backlog {
    inner: Mutex<Inner>,
    changed: Notify,
    /// Appends that aren't noted yet: readers may see them already.
    coming: AtomicUsize,
}

/// An append that is being made, until it is noted, or dropped.
pub(super) struct Coming<'b>(&'b AtomicUsize);

impl Drop for Coming<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Debug, Default)]
struct Inner {
    noted: HashMap<SessionKey, Note>,
    /// Who waits longest comes first.
    order: VecDeque<SessionKey>,
    /// Sessions of the round that is under way, and since when they wait: what they said isn't archived before its end.
    under_way: HashMap<SessionKey, Instant>,
    late: VecDeque<LateResult>,
}

/// How far a log goes, and since when that isn't archived.
#[derive(Debug, Clone, Copy)]
struct Note {
    position: Position,
    since: Instant,
}

impl Inner {
    /// Before all that came later; what was noted meanwhile goes farther, and has waited as long.
    fn put_back(&mut self, key: SessionKey, note: Note) {
        if let Some(known) = self.noted.get_mut(&key) {
            known.since = known.since.min(note.since);
            return;
        }
        self.noted.insert(key.clone(), note);
        self.order.push_front(key);
    }
}

impl Backlog {
    /// Something is about to be appended. Held until it is noted, as otherwise nothing would seem to wait in between.
    pub(super) fn coming(&self) -> Coming<'_> {
        self.coming.fetch_add(1, Ordering::SeqCst);
        Coming(&self.coming)
    }

    /// A log goes as far as `position` now.
    pub fn note(&self, key: &SessionKey, position: Position) {
        let mut inner = self.inner.lock();
        if let Some(known) = inner.noted.get_mut(key) {
            // Who read a position before an append may note it afterwards.
            let is_behind =
                position.epoch == known.position.epoch && position.sequence < known.position.sequence;
            if !is_behind {
                known.position = position;
            }
            return;
        }
        inner.noted.insert(key.clone(), Note { position, since: Instant::now() });
        inner.order.push_back(key.clone());
        drop(inner);
        self.changed.notify_one();
    }

    pub(super) fn note_late(&self, late: LateResult) {
        let mut inner = self.inner.lock();
        inner.late.push_back(late);
        if inner.late.len() > LATE_MAX {
            inner.late.pop_front();
        }
        drop(inner);
        self.changed.notify_one();
    }

    /// Takes the sessions that wait longest, and all late results, for a round: until [`Backlog::finish`] they still count.
    pub(super) fn take(&self, most: usize) -> (Vec<Noted>, Vec<LateResult>) {
        let mut inner = self.inner.lock();
        let count = most.min(inner.order.len());
        let keys: Vec<SessionKey> = inner.order.drain(..count).collect();
        let noted = keys.into_iter().filter_map(|key| {
            let Note { position, since } = inner.noted.remove(&key)?;
            inner.under_way.insert(key.clone(), since);
            Some((key, position))
        });
        let noted: Vec<Noted> = noted.collect();
        (noted, inner.late.drain(..).collect())
    }

    /// The round is over; what wasn't done has been given back.
    pub(super) fn finish(&self) {
        self.inner.lock().under_way.clear();
    }

    /// Gives back what wasn't done; it has waited all the time. What was noted meanwhile goes farther.
    pub(super) fn give_back(&self, noted: Vec<Noted>, late: Vec<LateResult>) {
        let mut inner = self.inner.lock();
        for (key, position) in noted.into_iter().rev() {
            let since = inner.under_way.get(&key).copied().unwrap_or_else(Instant::now);
            inner.put_back(key, Note { position, since });
        }
        let room = LATE_MAX.saturating_sub(inner.late.len());
        for late in late.into_iter().rev().take(room) {
            inner.late.push_front(late);
        }
    }

    /// Gives back what has more than fitted its round: the rest waits from now on.
    pub(super) fn go_on(&self, noted: Vec<Noted>) {
        let mut inner = self.inner.lock();
        for (key, position) in noted.into_iter().rev() {
            inner.put_back(key, Note { position, since: Instant::now() });
        }
    }

    pub(super) fn forget(&self, key: &SessionKey) {
        let mut inner = self.inner.lock();
        inner.late.retain(|late| late.key != *key);
        if inner.noted.remove(key).is_some() {
            inner.order.retain(|noted| noted != key);
        }
    }

    /// Sessions that have something that isn't archived yet; one that grows while it is archived counts twice. 0 says that all
    /// that anybody has seen is archived.
    pub fn sessions(&self) -> usize {
        // Looked at first: what is noted in between is among the others then.
        let coming = self.coming.load(Ordering::SeqCst);
        let inner = self.inner.lock();
        (inner.order.len() + inner.under_way.len()).max(coming.min(1))
    }

    /// How long the one has waited that waits longest.
    pub fn lag(&self) -> Duration {
        let inner = self.inner.lock();
        let noted = inner.noted.values().map(|note| note.since);
        let since = inner.under_way.values().copied().chain(noted).min();
        since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    pub(super) fn is_empty(&self) -> bool {
        let inner = self.inner.lock();
        inner.order.is_empty() && inner.late.is_empty()
    }

    /// Waits until there is something to do.
    pub(super) async fn wait(&self) {
        while self.is_empty() {
            self.changed.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::TenantId;
    use crate::domain::position::Sequence;
    use crate::domain::record::Output;
    use crate::domain::time::Timestamp;

    fn key(session: &str) -> SessionKey {
        SessionKey { tenant: TenantId::default_tenant(), session: session.parse().unwrap() }
    }

    fn place() -> Position {
        Position::start("7f3a91".parse().unwrap())
    }

    async fn after(seconds: u64) {
        tokio::time::advance(Duration::from_secs(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn lag_is_that_of_the_session_that_waits_longest_while_its_round_runs_too() {
        let backlog = Backlog::default();
        assert_eq!(backlog.lag(), Duration::ZERO);
        backlog.note(&key("a"), place());
        after(10).await;
        backlog.note(&key("b"), place());
        let (noted, _) = backlog.take(1);
        assert_eq!((noted[0].0.clone(), backlog.lag().as_secs()), (key("a"), 10));
        backlog.finish();
        after(1).await;
        assert_eq!(backlog.lag().as_secs(), 1, "`a` is archived");
    }

    #[test]
    fn a_position_that_was_read_before_the_last_append_does_not_take_its_place() {
        let backlog = Backlog::default();
        let at = |sequence| Position { sequence: Sequence(sequence), ..place() };
        backlog.note(&key("a"), at(12));
        backlog.note(&key("a"), at(11));
        let (noted, _) = backlog.take(1);
        assert_eq!(noted[0].1.sequence, Sequence(12));
        backlog.finish();
        backlog.note(&key("a"), at(12));
        let anew = Position { epoch: "7f3a92".parse().unwrap(), ..at(3) };
        backlog.note(&key("a"), anew);
        assert_eq!(backlog.take(1).0[0].1, anew, "a log that began anew is shorter");
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_back_from_a_round_that_failed_has_waited_all_the_time() {
        let backlog = Backlog::default();
        backlog.note(&key("a"), place());
        after(10).await;
        let (noted, late) = backlog.take(10);
        backlog.note(&key("a"), place());
        backlog.give_back(noted, late);
        backlog.finish();
        after(5).await;
        assert_eq!((backlog.lag().as_secs(), backlog.sessions()), (15, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn what_did_not_fit_a_round_that_succeeded_waits_from_then_on() {
        let backlog = Backlog::default();
        backlog.note(&key("a"), place());
        after(10).await;
        let (noted, _) = backlog.take(10);
        backlog.go_on(noted);
        backlog.finish();
        after(2).await;
        assert_eq!(backlog.lag().as_secs(), 2);
    }

    #[test]
    fn late_results_that_come_back_take_the_room_that_is_left() {
        let backlog = Backlog::default();
        let (step, stage, result_key) = ("p".parse().unwrap(), "crm".parse().unwrap(), "r".parse().unwrap());
        let output = Output { step, stage, result_key };
        let late = |id| LateResult { id, at: Timestamp(0), key: key("a"), output: output.clone() };
        let all = LATE_MAX as u64;
        (0..all).for_each(|id| backlog.note_late(late(id)));
        let (noted, taken) = backlog.take(10);
        (all..all + 2).for_each(|id| backlog.note_late(late(id)));
        backlog.give_back(noted, taken);
        let (_, kept) = backlog.take(10);
        assert!(kept.iter().map(|late| late.id).eq(2..all + 2), "the oldest are let go of");
    }

    #[test]
    fn what_is_seen_before_it_is_noted_waits() {
        let backlog = Backlog::default();
        let coming = backlog.coming();
        assert_eq!(backlog.sessions(), 1);
        backlog.note(&key("a"), place());
        assert_eq!(backlog.sessions(), 1, "it is the same");
        drop(coming);
        assert_eq!(backlog.sessions(), 1);
        let _ = backlog.take(1);
        backlog.finish();
        assert_eq!(backlog.sessions(), 0);
        drop(backlog.coming());
        assert_eq!(backlog.sessions(), 0, "it was refused, or broke off");
    }
}
