//! Safety decisions that the orchestrator is told of: work like calls, taken by a fence, tried until it is delivered.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::call::{Fence, ReplicaId, due_for};
use crate::domain::position::Sequence;
use crate::domain::record::{Answer, Record};
use crate::domain::time::Timestamp;

/// Decisions of a session that wait to be posted.
const WAITING_MAX: usize = 64;
/// A post waits for its place and takes up to ten seconds each, and isn't renewed: others leave it alone longer than that.
const POST_LEASE_MS: u64 = 30_000;

/// A safety decision that is to be posted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Its event.
    pub decision: Sequence,
    /// Not to be tried before.
    pub due_at: Timestamp,
    /// How often it was tried.
    pub tried: u32,
    /// How often it was taken.
    taken: u64,
    /// Who posts it now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    fence: Option<Fence>,
}

/// A notice that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoticeTicket {
    /// The decision's event.
    pub decision: Sequence,
    /// The number of its fence.
    pub number: u64,
    /// Whose that is.
    pub replica: ReplicaId,
}

impl Notice {
    pub(super) fn due(decision: Sequence, at: Timestamp) -> Self {
        Self { decision, due_at: at, tried: 0, taken: 0, fence: None }
    }

    /// When `replica` may take it.
    pub fn due_for(&self, replica: ReplicaId) -> Option<Timestamp> {
        due_for(self.fence, self.due_at, replica)
    }
}

/// The notices of a session that aren't delivered yet, in the order of their decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notices(Arc<Vec<Notice>>);

impl Notices {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.0.iter()
    }

    /// When `replica` has one to take.
    pub fn next_for(&self, replica: ReplicaId) -> Option<Timestamp> {
        self.iter().filter_map(|notice| notice.due_for(replica)).min()
    }

    /// Those that `replica` posts.
    pub fn of(&self, replica: ReplicaId) -> impl Iterator<Item = (NoticeTicket, &Notice)> {
        self.iter().filter_map(move |notice| {
            let fence = notice.fence.filter(|fence| fence.replica == replica)?;
            Some((NoticeTicket { decision: notice.decision, number: fence.number, replica }, notice))
        })
    }

    pub(super) fn due_for_others(&self) -> Option<Timestamp> {
        self.iter().filter_map(|notice| notice.fence.map_or(Some(notice.due_at), |fence| fence.until)).min()
    }

    /// Whether another decision can wait to be posted. Beyond this the orchestrator is long out of reach.
    pub(super) fn has_room(&self) -> bool {
        self.0.len() < WAITING_MAX
    }

    /// Those that `replica` posts.
    pub(super) fn decisions_of(&self, replica: ReplicaId) -> Vec<Sequence> {
        self.of(replica).map(|(ticket, _)| ticket.decision).collect()
    }

    pub(super) fn release(&mut self, decisions: &[Sequence]) {
        if decisions.is_empty() {
            return;
        }
        for notice in Arc::make_mut(&mut self.0) {
            if decisions.contains(&notice.decision) {
                notice.fence = None;
            }
        }
    }

    pub(super) fn push(&mut self, notice: Notice) {
        Arc::make_mut(&mut self.0).push(notice);
    }

    pub(super) fn take(&mut self, decision: Sequence, fence: Fence) {
        let notices = Arc::make_mut(&mut self.0);
        if let Some(notice) = notices.iter_mut().find(|notice| notice.decision == decision) {
            notice.taken = fence.number;
            notice.fence = Some(fence);
        }
    }

    pub(super) fn tried(&mut self, decision: Sequence, retry_at: Option<Timestamp>) {
        let notices = Arc::make_mut(&mut self.0);
        let Some(retry_at) = retry_at else { return notices.retain(|notice| notice.decision != decision) };
        if let Some(notice) = notices.iter_mut().find(|notice| notice.decision == decision) {
            notice.tried += 1;
            notice.due_at = retry_at;
            notice.fence = None;
        }
    }

    fn find(&self, decision: Sequence) -> Option<&Notice> {
        self.iter().find(|notice| notice.decision == decision)
    }
}

impl Batch<'_> {
    pub(super) fn take_notice(
        &mut self,
        decision: Sequence,
        replica: ReplicaId,
        lease_ms: Option<u64>,
    ) -> Answer {
        let notice = self.state.notices.find(decision);
        let due = |notice: &&Notice| notice.due_for(replica).is_some_and(|at| at <= self.now);
        if let Some(notice) = notice.filter(due) {
            let number = notice.taken + 1;
            let until = lease_ms.map(|ms| self.now.plus_ms(ms.max(POST_LEASE_MS)));
            self.emit_hidden(Record::NoticeTaken { decision, fence: Fence { number, replica, until } });
        }
        Answer::Done(None)
    }

    pub(super) fn notice_tried(&mut self, ticket: &NoticeTicket, retry_at: Option<Timestamp>) -> Answer {
        let decision = ticket.decision;
        let held = self.state.notices.find(decision).and_then(|notice| notice.fence);
        if held.is_some_and(|fence| (fence.number, fence.replica) == (ticket.number, ticket.replica)) {
            self.emit_hidden(Record::NoticeTried { decision, retry_at });
        }
        Answer::Done(None)
    }
}
