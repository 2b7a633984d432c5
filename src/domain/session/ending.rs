//! What ends things, or only speaks of them: progress, cancel, close, deadlines.

use std::sync::Arc;

use super::batch::Batch;
use super::completion::CANCELLED;
use super::state::{StepState, SubagentState};
use super::tree::Links;
use crate::domain::ids::StepId;
use crate::domain::record::{Answer, Record, StepStatus, SubagentStatus};
use crate::domain::requests::Progress;
use crate::domain::verdict::{Code, Refusal};
use crate::domain::wire::{Content, WireTelemetry};

/// About the entries that the end of a step makes, besides those of its outputs.
const ENTRIES_OF_AN_END: usize = 4;
/// Its terminal, and that it is completed.
const ENTRIES_OF_AN_OUTPUT: usize = 2;

impl Batch<'_> {
    pub(super) fn progress(&mut self, step: &StepId, progress: &Progress) -> Result<Answer, Refusal> {
        let context = self.running_step(step)?.context.clone();
        self.check_room()?;
        let record = Record::Progress { step: step.clone() };
        let sequence = self.emit(record, Content::Progress(progress), WireTelemetry::new(&context, None));
        Ok(Answer::Done(Some(sequence)))
    }

    /// Ends a step, or all that run. What has ended stays as it is; a step that was cancelled may be cancelled again.
    pub(super) fn cancel(&mut self, step: Option<&StepId>, reason: Option<&str>) -> Result<Answer, Refusal> {
        let reason = reason.unwrap_or(CANCELLED);
        let steps = match step {
            Some(id) if self.known_step(id)?.status == StepStatus::Cancelled => Vec::new(),
            Some(id) if self.known_step(id)?.writing().is_some() => vec![id.clone()],
            Some(id) => {
                self.running_step(id)?;
                vec![id.clone()]
            }
            None => {
                self.check_session_known()?;
                let unfinished = self.unfinished_steps();
                self.fitting(unfinished)
            }
        };
        let before = self.state.position.sequence;
        self.end_by_force(&steps, StepStatus::Cancelled, SubagentStatus::Cancelled, reason);
        let after = self.state.position.sequence;
        Ok(Answer::Done((after > before).then_some(after)))
    }

    /// Of steps that end together those that fit a batch. The steps of trees all do: one that waits for those below it would end by their
    /// count, were it left for the next.
    fn fitting(&mut self, mut steps: Vec<StepId>) -> Vec<StepId> {
        let links = Links::of(&self.state);
        let entries = |id: &StepId| {
            let step = self.state.step(id);
            step.map_or(0, |step| ENTRIES_OF_AN_END + ENTRIES_OF_AN_OUTPUT * step.open_subagents().count())
        };
        let mut count: usize = steps.iter().filter(|id| links.is_in_tree(id)).map(entries).sum();
        let all = steps.len();
        steps.retain(|id| {
            let is_kept = links.is_in_tree(id) || count < self.entries_most;
            count += if is_kept && !links.is_in_tree(id) { entries(id) } else { 0 };
            is_kept
        });
        self.is_unfinished = steps.len() < all;
        steps
    }

    pub(super) fn close(&mut self) -> Result<Answer, Refusal> {
        self.check_session_known()?;
        if self.state.closed {
            return Ok(Answer::Done(None));
        }
        Ok(Answer::Done(Some(self.emit_hidden(Record::SessionClosed))))
    }

    pub(super) fn check_session_known(&self) -> Result<(), Refusal> {
        if self.state.steps.is_empty() {
            let text = format!("no directive was posted for the session `{}`", self.state.session);
            return Err(Refusal::new(Code::UnknownSession, text));
        }
        Ok(())
    }

    /// Ends what is overdue by `now`. A step whose own time is over ends with all it has. Children come first: where
    /// both are overdue, the parent counts what its child came to. So does one above a child that isn't overdue itself
    /// but ends with the last one below it: it doesn't wait for a result that this batch makes later.
    pub(super) fn deadlines(&mut self) -> Answer {
        self.hurry_overdue();
        for id in self.open_below(&self.open_steps()) {
            if self.size().0 >= self.entries_most {
                self.is_unfinished = true;
                break;
            }
            let Some(step) = self.state.step(&id).filter(|step| step.is_running()) else { continue };
            let now = self.now.plus_ms(u64::from(mutant!("deadline-fires-early")));
            let step_overdue = step.deadline <= now;
            let overdue = |subagent: &Arc<SubagentState>| subagent.deadline <= now || step_overdue;
            let mut ended = self.open_subagents(&id);
            ended.retain(overdue);
            for subagent in &ended {
                let own = subagent.deadline <= self.now;
                let reason = if own { "deadline" } else { "step_deadline" };
                self.force(subagent, SubagentStatus::Timeout, reason);
            }
            for subagent in &ended {
                self.heed_safety(subagent, SubagentStatus::Timeout, None);
            }
            if step_overdue {
                self.conclude(&id, None);
            } else {
                self.finish_if(&id, Self::is_settled);
            }
        }
        Answer::Done(None)
    }

    /// Those that run, and those whose answer is being written.
    pub(super) fn unfinished_steps(&self) -> Vec<StepId> {
        let unfinished = |step: &&Arc<StepState>| step.is_running() || step.writing().is_some();
        self.state.steps.iter().filter(unfinished).map(|step| step.id().clone()).collect()
    }

    pub(super) fn open_steps(&self) -> Vec<StepId> {
        self.state.steps.iter().filter(|step| step.is_running()).map(|step| step.id().clone()).collect()
    }
}
