//! `WakeIndex`: which session has something due, and when, for stores that several replicas share.
//!
//! A wake-up is only a hint: what is due is judged from the session's state. So a spurious or doubled one does no harm,
//! and one that was claimed by a replica that died comes again after the claim's time.

use futures::future::BoxFuture;

use super::result_cache::StoreError;
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

/// The index of wake-ups. The module's text is the contract.
pub trait WakeIndex: Send + Sync + 'static {
    /// Has a session looked at when `at` has come, or never where there is none.
    fn wake_at<'a>(
        &'a self,
        key: &'a SessionKey,
        work: Work,
        at: Option<Timestamp>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The sessions with something of that kind due, claimed for a while.
    fn due(&self, work: Work) -> BoxFuture<'_, Result<Vec<SessionKey>, StoreError>>;
}
