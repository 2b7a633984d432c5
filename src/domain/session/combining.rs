//! The end of a step: what its outputs were combined into, then its last event.
//!
//! A step that is completed isn't over before its result is there. [`Batch::to_combine`] names the steps that wait for
//! theirs; who reads the outputs and combines them is the engine's affair, as payloads aren't part of the state. The
//! engine does so before it appends, so that the end of a step and its result are stored together or not at all, and
//! once, whichever replica sees the step end.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::batch::Batch;
use super::state::StepState;
use super::writing::Spent;
use crate::domain::event::ArcJson;
use crate::domain::ids::StepId;
use crate::domain::record::{OpenPart, Record};
use crate::domain::wire::{CitedSource, Content, WireTelemetry};

/// What the outputs of a step were combined into, as its last events tell it.
#[derive(Debug, Clone)]
pub struct Combined {
    /// Which step.
    pub step: StepId,
    /// The answer in a few sentences.
    pub summary: String,
    /// The sources that the summary cites.
    pub sources: Vec<CitedSource>,
    /// Counts, and how it was made: a JSON object.
    pub metadata: Arc<RawValue>,
    /// The answer that was written, where the directive wants one.
    pub synthesis: Option<Synthesised>,
    /// What outputs of steps below it that haven't ended said in part, where there are such.
    pub open: Option<Vec<OpenPart>>,
    /// Whether there is anything that a language model could write about.
    pub has_material: bool,
    /// Tokens of the results that are part of it; told in traces only.
    pub tokens: usize,
    /// Characters of the whole answer; told in traces only.
    pub synthesis_length: usize,
}

/// The answer that was written.
#[derive(Debug, Clone)]
pub struct Synthesised {
    /// The answer in a few sentences; empty where its quality keeps it from being delivered.
    pub summary: String,
    /// The sources that the summary cites.
    pub sources: Vec<CitedSource>,
    /// Who wrote it: `extractive` or `llm`.
    pub method: &'static str,
    /// How good it is: a JSON object.
    pub quality: Arc<RawValue>,
    /// What a result needs of it that doesn't follow from the outputs; absent where it was extracted, as asked.
    pub written: Option<ArcJson>,
    /// What language models cost for it.
    pub spent: Spent,
}

impl Batch<'_> {
    /// A step that was completed in this batch and waits for its result; children come before the steps above them.
    ///
    /// Nothing else is to be decided before: what a log says doesn't depend on how commands were batched.
    pub fn to_combine(&self) -> Option<&StepState> {
        let waits = |id: &StepId| self.completed.contains(id);
        let is_next = |step: &&StepState| {
            let mut children = self.state.children(step).filter_map(Result::ok);
            !children.any(|child| waits(child.id()))
        };
        self.completed.iter().filter_map(|id| self.state.step(id)).find(is_next)
    }

    /// `aggregation`; then `synthesis`, `plan_step_completed`, and whatever waited only for this step, unless a language
    /// model is to write the answer first.
    ///
    /// A result for a step that isn't waiting for one changes nothing: it has its own.
    pub fn combine(&mut self, combined: &Combined) {
        let Combined { step: id, summary, sources, metadata, synthesis, .. } = combined;
        let waiting = self.state.step(id).filter(|step| !step.is_running() && step.ended.is_none());
        let Some(step) = waiting else { return };
        let (is_new, writes) = (step.writing.is_none(), combined.has_material && self.will_write(step));
        let (context, budget) = (step.context.clone(), step.directive.synthesis.budget.clone());
        self.completed.retain(|waiting| waiting != id);
        if mutant!("end-before-aggregation") {
            self.finish_step(id, synthesis.as_ref());
        }
        if is_new {
            let most_ms = budget.and_then(|budget| budget.time_ms).unwrap_or(u64::MAX);
            let writing_ms = self.limits.writing_ms.filter(|_| writes).map(|ms| ms.min(most_ms));
            let href = self.href(id);
            let writing = writing_ms.map(|ms| self.now.plus_ms(ms));
            // Nothing is combined anew; what a language model writes of it comes with `synthesis`.
            let content = Content::Aggregation { is_final: true, summary, sources, metadata, href: &href };
            let record = Record::Aggregated { step: id.clone(), writing, open: combined.open.clone() };
            self.emit(record, content, WireTelemetry::new(&context, None));
            if writing.is_some() {
                return;
            }
        }
        self.finish_step(id, synthesis.as_ref());
    }

    /// `synthesis`, `plan_step_completed`, and then whatever waited only for this step.
    pub(super) fn finish_step(&mut self, id: &StepId, synthesis: Option<&Synthesised>) {
        let Some(step) = self.state.step(id) else { return };
        let (status, context, href) = (step.status, step.context.clone(), self.href(id));
        let telemetry = || WireTelemetry::new(&context, None);
        if let Some(Synthesised { summary, sources, method, quality, written, spent }) = synthesis {
            let content = Content::Synthesis { summary, sources, method, quality, href: &href };
            let record = Record::Synthesised { step: id.clone(), written: written.clone(), spent: *spent };
            self.emit(record, content, telemetry());
        }
        let more_steps = self.state.more_steps;
        let content = Content::PlanStepCompleted { status, href, more_steps };
        self.emit(Record::StepEnded { step: id.clone() }, content, telemetry());
        self.finish_above(id);
    }

    fn href(&self, id: &StepId) -> String {
        format!("/planner/sessions/{}/steps/{id}/result", self.state.session)
    }
}
