//! `ShadowLog`: the monolith's answers, and what came of comparing them with ours.
//!
//! The contract, which one suite of tests checks against every implementation:
//!
//! 1. **One answer a step.** A later one takes the place of the earlier, with everything that came of that; a repeat
//!    under the same `Idempotency-Key` (of a tenant's session) changes nothing and finds what the first one came to, even
//!    if another answer has taken its place since. The last [`KEYS_MAX`] keys of a session are known.
//! 2. **An answer waits until it is compared**, durably where the log is: it may come before our step ends.
//! 3. **What was compared is stored once.** Of several that compared one answer, one is told that it stored it; none
//!    that compared an answer which was replaced or forgotten meanwhile.
//! 4. **Discrepancies are read newest first**, the gravest of a comparison first. A number never stands for another one.
//! 5. **What was forgotten is gone.** A session takes everything with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::ids::{SessionId, SessionKey, StepId, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::shadow::{Comparison, Discrepancy, Kind, Verdict};
use crate::domain::time::Timestamp;

use super::archive::ArchiveFuture;

/// `Idempotency-Key`s of a session that are known at least, those of answers that were replaced among them.
pub const KEYS_MAX: usize = 256;

/// The monolith's answer to a step, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotedResponse {
    /// The session.
    pub key: SessionKey,
    /// The step.
    pub step: StepId,
    /// A body that was found to be valid.
    pub body: Arc<str>,
    /// When it came.
    pub at: Timestamp,
}

/// An answer that isn't compared yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its number in the log: a later answer has a higher one.
    pub id: u64,
    /// What was sent.
    pub response: NotedResponse,
}

/// What became of an answer that was to be noted.
#[derive(Debug, Clone, PartialEq)]
pub enum Noted {
    /// It is stored, now or since the first such request, and waits.
    Waiting(Waiting),
    /// It was stored and compared before.
    Compared(Box<Comparison>),
    /// It was stored before, and another one took its place before it was compared.
    Replaced,
    /// The key was used for another request of the session; nothing was stored.
    Conflict,
}

/// Which discrepancies are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of this session.
    pub session: Option<SessionId>,
    /// Of comparisons with this verdict.
    pub verdict: Option<Verdict>,
    /// Of this kind. Doesn't narrow the summary.
    pub kind: Option<Kind>,
    /// Those with a lower number.
    pub after: Option<u64>,
    /// So many at most.
    pub limit: usize,
}

/// A discrepancy in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedDiscrepancy {
    /// Its number.
    pub id: u64,
    /// The session.
    pub key: SessionKey,
    /// The step.
    pub step: StepId,
    /// In what the two differ.
    pub discrepancy: Discrepancy,
    /// When that was found.
    pub at: Timestamp,
}

/// All comparisons of a session or a verdict together, or of all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// How often each verdict was given; those that never were are left out.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// How many discrepancies of each kind there are; kinds without any are left out.
    pub by_kind: BTreeMap<Kind, u64>,
    /// The mean of the agreements, 0 to 1, where there are any.
    pub agreement_average: Option<f64>,
    /// The median of our latencies in milliseconds, by nearest rank, where any is known.
    pub ours_p50_ms: Option<u64>,
    /// The same of the monolith's.
    pub legacy_p50_ms: Option<u64>,
}

/// Where the monolith's answers are kept. The module's text is the contract.
pub trait ShadowLog: Send + Sync + 'static {
    /// Stores an answer; it waits.
    fn note<'a>(
        &'a self,
        response: &'a NotedResponse,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, Noted>;

    /// Stores what came of comparing an answer, in its place. `false` where it didn't wait any more.
    fn settle<'a>(
        &'a self,
        waiting: &'a Waiting,
        comparison: &'a Comparison,
        at: Timestamp,
    ) -> ArchiveFuture<'a, bool>;

    /// Drops an answer that waits and will never be compared. One that doesn't wait any more stays.
    fn give_up<'a>(&'a self, waiting: &'a Waiting) -> ArchiveFuture<'a, ()>;

    /// At most `limit` answers that wait, by number, with a higher one than `after`.
    fn waiting(&self, after: u64, limit: usize) -> ArchiveFuture<'_, Vec<Waiting>>;

    /// A tenant's discrepancies, newest first.
    fn discrepancies<'a>(
        &'a self,
        tenant: &'a TenantId,
        wanted: &'a Wanted,
    ) -> ArchiveFuture<'a, Vec<LoggedDiscrepancy>>;

    /// A tenant's comparisons together: those of the session and the verdict that are wanted.
    fn summary<'a>(&'a self, tenant: &'a TenantId, wanted: &'a Wanted) -> ArchiveFuture<'a, Summary>;

    /// Forgets what there is of a session.
    fn forget<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, ()>;
}
