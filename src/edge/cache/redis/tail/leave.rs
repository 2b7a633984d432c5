//! Letting go of what a tail holds.

use super::Tail;
use crate::domain::entry::Entry;
use crate::domain::position::{Position, Sequence};
use crate::engine::mux::Latest;

impl Tail {
    /// The data's time is over, at `position`.
    pub(in super::super) fn expire(&self, position: Position, ended: bool) {
        let mut inner = self.inner.lock();
        inner.state = None;
        inner.latest = Latest::default();
        inner.aside = Vec::new();
        inner.oldest = position.sequence.next();
        let tail = self.window.tail();
        if tail.expired && tail.position == Some(position) {
            return;
        }
        self.window.stand_at(position, ended, true);
    }

    /// The log goes on from `position`, without an entry here.
    pub(in super::super) fn stand_at(&self, position: Position, ended: bool, expired: bool) {
        let mut inner = self.inner.lock();
        inner.state = None;
        if expired {
            inner.latest = Latest::default();
        }
        inner.oldest = position.sequence.next();
        self.window.stand_at(position, ended, expired);
    }

    /// The session is gone.
    pub(in super::super) fn forget(&self) {
        let mut inner = self.inner.lock();
        inner.state = None;
        inner.latest = Latest::default();
        inner.aside = Vec::new();
        inner.oldest = Sequence(1);
        inner.heard = Sequence(0);
        if self.window.tail().position.is_some() {
            self.window.forget();
        }
    }

    /// What is held belongs to a branch that doesn't go on; the place stays, as sequences never go backwards.
    pub(in super::super) fn leave_branch(&self) {
        let mut inner = self.inner.lock();
        inner.state = None;
        inner.left_at = self.window.tail().position;
    }

    /// Whether what is held up to this place was handed over already, when its branch was left here.
    pub(in super::super) fn has_left(&self, held: Position) -> bool {
        self.inner.lock().left_at == Some(held)
    }

    /// Keeps of the last of everything what the log has that goes on: of another branch it would be told as well, beside what comes
    /// of deciding that again.
    pub(in super::super) fn keep_newest(&self, goes_on: impl Fn(&Entry) -> bool) {
        if !mutant!("newest-of-a-lost-branch-kept") {
            self.inner.lock().latest.retain(goes_on);
        }
    }
}
