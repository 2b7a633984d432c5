//! The answers of a session's steps that language models write: which are due, which run here, which are over.
//!
//! They follow the log as calls do: who writes is said by a fence, and a writing runs as long as its fence stands.

use std::collections::{BTreeSet, HashMap};

use super::task::SessionTask;
use crate::domain::ids::StepId;
use crate::domain::session::{Command, ReplicaId, WritingTicket};
use crate::domain::time::Timestamp;
use crate::engine::synthesis::{RunningWriting, StepWriter, WritingJob};

/// Writings that run here, by their tickets.
pub(super) type Writing = HashMap<WritingTicket, RunningWriting>;

impl SessionTask {
    /// Who writes; nobody, once the service stops: what runs may finish, nothing new begins.
    pub(super) fn writer(&self) -> Option<&StepWriter> {
        self.shared.writer.as_ref().filter(|_| !self.shared.is_draining())
    }

    /// When there is an answer to write for this replica.
    pub(super) fn next_writing(&self, replica: ReplicaId) -> Option<Timestamp> {
        self.writer().and_then(|_| self.state.next_writing(replica))
    }

    /// Takes the answers that are due.
    pub(super) fn plan_writings(
        &self,
        (replica, lease_ms): (ReplicaId, Option<u64>),
        now: Timestamp,
        commands: &mut Vec<Command>,
    ) {
        if self.writer().is_none() {
            return;
        }
        let due =
            self.state.writings().filter(|(_, writing)| writing.due_for(replica).is_some_and(|at| at <= now));
        let steps: Vec<StepId> = due.map(|(step, _)| step.id().clone()).collect();
        commands.extend(steps.into_iter().map(|step| Command::TakeWriting { step, replica, lease_ms }));
    }

    /// Begins the writings that this replica has taken and ends those that aren't its own any more. Returns whether any
    /// is its own.
    pub(super) fn follow_writings(&mut self, replica: ReplicaId) -> bool {
        let own: BTreeSet<WritingTicket> =
            self.state.writings_of(replica).map(|(ticket, _)| ticket).collect();
        self.writings.retain(|ticket, _| own.contains(ticket));
        let any = !own.is_empty();
        let Some(writer) = &self.shared.writer else { return any };
        for ticket in own {
            if self.writings.contains_key(&ticket) {
                continue;
            }
            let Some((_, writing)) = self.state.writings().find(|(step, _)| *step.id() == ticket.step) else {
                continue;
            };
            let until = self.shared.clock.instant_of(writing.until);
            let job = WritingJob {
                key: self.key.clone(),
                ticket: ticket.clone(),
                state: self.state.clone(),
                until,
            };
            let running = writer.start(job, self.shared.coordinator());
            self.writings.insert(ticket, running);
        }
        any
    }
}
