//! `WakeIndex`: which session has something due, and when, for stores that several replicas share.
//!
//! A wake-up is only a hint: what is due is judged from the session's state. So a spurious or doubled one does no harm,
//! and one that was claimed by a replica that died comes again after the claim's time. None is taken away by somebody who
//! doesn't know of it: who moves one says where it stood when he looked.

use super::result_cache::StoreFuture;
use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;

/// What is to be done for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A deadline is to be decided.
    Deadline,
    /// Entries are to be archived.
    Archive,
}

/// A session with something due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The session.
    pub key: SessionKey,
    /// Until then nobody else finds it, and there it stands in the index.
    pub until: Timestamp,
}

/// The index of wake-ups. The module's text is the contract.
pub trait WakeIndex: Send + Sync + 'static {
    /// Has a session looked at when `at` has come, and not before.
    fn wake_at<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, ()>;

    /// Has a session looked at when `at` has come, or before where that was said already. Gives when.
    fn wake_by<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, Timestamp>;

    /// The same, before what is due then is stored. Not before that had the time for it: who looked earlier would find
    /// nothing due, and take the wake-up away.
    fn announce<'a>(&'a self, key: &'a SessionKey, work: Work, at: Timestamp) -> StoreFuture<'a, Timestamp>;

    /// Moves a wake-up that stands at `from`, or takes it away. `false`: somebody else has moved it, and it stays there.
    fn move_wake<'a>(
        &'a self,
        key: &'a SessionKey,
        work: Work,
        from: Timestamp,
        to: Option<Timestamp>,
    ) -> StoreFuture<'a, bool>;

    /// The sessions with something of that kind due, claimed for a while.
    fn due(&self, work: Work) -> StoreFuture<'_, Vec<Claim>>;
}
