//! Writing a step's answer: taken, said, written, or given up for the extractive one.

use super::batch::Batch;
use super::call::{Fence, ReplicaId};
use super::combining::Synthesised;
use super::state::StepState;
use super::writing::WritingTicket;
use crate::domain::directive::SynthesisMode;
use crate::domain::ids::StepId;
use crate::domain::record::{Answer, Record, StepStatus};
use crate::domain::synthesis::draft::Delta;
use crate::domain::verdict::Refusal;
use crate::domain::wire::{Content, WireTelemetry};

/// Why an answer is extracted that a language model was to write.
const NO_MODEL: &str = "no language model is configured";
/// A command that comes too late changes nothing.
const NOTHING: Answer = Answer::Done(None);

impl Batch<'_> {
    /// Whether a language model is to write the answer of a step, once that is completed.
    pub(super) fn will_write(&self, step: &StepState) -> bool {
        step.directive.synthesis.mode == SynthesisMode::Llm
            && self.limits.writing_ms.is_some()
            && !self.hurried.contains_key(step.id())
    }

    /// Whether nothing of a step below another is open, nor waits to be written.
    pub(super) fn is_settled(&self, child: &StepState) -> bool {
        let hurried = self.hurried.contains_key(child.id());
        let waits = child.writing().is_some() || self.will_write(child);
        child.ended.is_some() || (!child.is_running() && (hurried || !waits))
    }

    /// Gives a step whose answer is being written another status than its outputs had: nobody saw its end yet. Readers are
    /// told by its last event; `step_completed` stays what it was, how its outputs ended.
    pub(super) fn end_writing(&mut self, id: &StepId, status: StepStatus) {
        if self.state.step(id).is_some_and(|step| step.writing().is_some() && step.status != status) {
            self.emit_hidden(Record::StepCompleted { step: id.clone(), status });
        }
    }

    /// Takes the time to write away from a step: it gets the extractive answer, which says why.
    pub(super) fn hurry(&mut self, id: &StepId, reason: &str) {
        self.hurried.entry(id.clone()).or_insert_with(|| reason.to_owned());
        let writes = self.state.step(id).is_some_and(|step| step.writing().is_some());
        if writes && !self.completed.contains(id) {
            self.completed.push(id.clone());
        }
    }

    /// Takes it away from those whose time is over, and from all below a step whose deadline has come: that one doesn't
    /// wait for what they would write.
    pub(super) fn hurry_overdue(&mut self) {
        let now = self.now;
        let overdue = |step: &&std::sync::Arc<StepState>| step.is_running() && step.deadline <= now;
        let above: Vec<StepId> =
            self.state.steps.iter().filter(overdue).map(|step| step.id().clone()).collect();
        for id in above {
            let shadow = self.state.step(&id).is_some_and(|step| step.directive.shadow);
            for below in self.strictly_below(std::slice::from_ref(&id)) {
                // A step that nobody sees is no part of one that everybody sees, nor the other way round.
                if self.state.step(&below).is_some_and(|step| step.directive.shadow == shadow) {
                    self.hurry(&below, "the step above ran out of time");
                }
            }
        }
        let late: Vec<StepId> = self
            .state
            .writings()
            .filter(|(_, writing)| writing.until <= now)
            .map(|(step, _)| step.id().clone())
            .collect();
        for id in late {
            self.hurry(&id, "the language model didn't finish in time");
        }
    }

    /// Why no language model writes the answer of a step, whether one was asked for or not.
    pub fn why_extractive(&self, id: &StepId) -> Option<&str> {
        let no_model = self.limits.writing_ms.is_none().then_some(NO_MODEL);
        self.hurried.get(id).map(String::as_str).or(no_model)
    }

    /// Takes the writing of a step's answer, if it is due for that replica.
    pub(super) fn take_writing(&mut self, id: &StepId, replica: ReplicaId, lease_ms: Option<u64>) -> Answer {
        let writing = self.state.step(id).and_then(StepState::writing);
        let due = writing.filter(|writing| writing.due_for(replica).is_some_and(|at| at <= self.now));
        if let Some(writing) = due {
            let fence = Fence {
                number: writing.taken() + 1,
                replica,
                until: lease_ms.map(|ms| self.now.plus_ms(ms)),
            };
            self.emit_hidden(Record::WritingTaken { step: id.clone(), fence });
        }
        NOTHING
    }

    /// The step of a ticket, while its fence stands.
    fn written_by(&self, ticket: &WritingTicket) -> Option<&StepState> {
        let step = self.state.step(&ticket.step)?;
        let fence = step.writing()?.fence()?;
        ((fence.number, fence.replica) == (ticket.number, ticket.replica)).then_some(step)
    }

    /// `synthesis_delta`s: the next pieces of a draft.
    pub(super) fn writing_said(
        &mut self,
        ticket: &WritingTicket,
        deltas: &[Delta],
    ) -> Result<Answer, Refusal> {
        let Some(step) = self.written_by(ticket) else { return Ok(NOTHING) };
        let context = step.context.clone();
        self.check_room()?;
        let mut last = None;
        for Delta { path, offset, text } in deltas {
            let writing = self.state.step(&ticket.step).and_then(StepState::writing);
            let (place, lane) = writing.map_or((0, 0), |writing| (writing.said, writing.lane));
            let step = ticket.step.clone();
            let record = Record::SynthesisDelta { step, number: ticket.number, place, lane };
            let content = Content::SynthesisDelta { path, offset: *offset, text };
            last = Some(self.emit(record, content, WireTelemetry::new(&context, None)));
        }
        Ok(Answer::Done(last))
    }

    /// `synthesis`, and the end of the step.
    pub(super) fn written(&mut self, ticket: &WritingTicket, synthesised: &Synthesised) -> Answer {
        if self.written_by(ticket).is_none() {
            return NOTHING;
        }
        // Somebody may have taken its time away in this batch; what is there now is better than what would be made.
        self.completed.retain(|waiting| *waiting != ticket.step);
        self.finish_step(&ticket.step, Some(synthesised));
        Answer::Done(Some(self.state.position.sequence))
    }
}
