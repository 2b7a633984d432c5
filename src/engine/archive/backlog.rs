//! Which sessions have entries that the archive hasn't got: names and positions, no entries.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use tokio::sync::Notify;

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
}

#[derive(Debug, Default)]
struct Inner {
    noted: HashMap<SessionKey, Position>,
    /// Who waits longest comes first.
    order: VecDeque<SessionKey>,
    /// Sessions of the round that is under way: what they said isn't archived before its end.
    under_way: usize,
    late: VecDeque<LateResult>,
}

impl Backlog {
    /// A log goes as far as `position` now.
    pub fn note(&self, key: &SessionKey, position: Position) {
        let mut inner = self.inner.lock();
        if let Some(known) = inner.noted.get_mut(key) {
            *known = position;
            return;
        }
        inner.noted.insert(key.clone(), position);
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
            let position = inner.noted.remove(&key)?;
            Some((key, position))
        });
        let noted: Vec<Noted> = noted.collect();
        inner.under_way = noted.len();
        (noted, inner.late.drain(..).collect())
    }

    /// The round is over; what wasn't done has been given back.
    pub(super) fn finish(&self) {
        self.inner.lock().under_way = 0;
    }

    /// Gives back what wasn't done. What was noted meanwhile is newer.
    pub(super) fn give_back(&self, noted: Vec<Noted>, late: Vec<LateResult>) {
        let mut inner = self.inner.lock();
        for (key, position) in noted.into_iter().rev() {
            if !inner.noted.contains_key(&key) {
                inner.noted.insert(key.clone(), position);
                inner.order.push_front(key);
            }
        }
        for late in late.into_iter().rev().take(LATE_MAX) {
            inner.late.push_front(late);
        }
    }

    pub(super) fn forget(&self, key: &SessionKey) {
        let mut inner = self.inner.lock();
        inner.late.retain(|late| late.key != *key);
        if inner.noted.remove(key).is_some() {
            inner.order.retain(|noted| noted != key);
        }
    }

    /// Sessions that have something that isn't archived yet; one that grows while it is archived counts twice.
    pub fn sessions(&self) -> usize {
        let inner = self.inner.lock();
        inner.order.len() + inner.under_way
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
