//! Notes what language models are asked and answer while an answer is written, where somebody may ask for it later.

use parking_lot::Mutex;
use tokio::time::Instant;

use super::explanations::Explanations;
use super::models::{Completed, ModelSlot, NotCompleted, Tried};
use super::purse::SharedBudget;
use super::told::GIVEN_UP;
use super::write::Synthesiser;
use crate::domain::ids::{SessionKey, StepId};
use crate::domain::synthesis::budget::Spent;
use crate::domain::synthesis::explanation::{
    ExplainedCall, ExplainedRequest, ExplainedText, ExplainedTry, Explanation,
};
use crate::domain::synthesis::prompt::Prompt;
use crate::domain::synthesis::verify::CheckLog;
use crate::engine::clock::millis;
use crate::engine::ports::language_model::{ModelRequest, StopReason};

/// What is noted of the answer of a step; of others nothing. Dropped, whatever ends the work, it is kept where it can be
/// asked for.
pub(super) struct Explaining<'s> {
    of_step: Option<OfStep<'s>>,
    explanation: Explanation,
    /// What pays for the calls, and knows what one cost that nobody heard the end of.
    budget: SharedBudget,
    /// The call that is under way. It is noted while others look at the rest.
    open: Mutex<Option<Open>>,
}

/// A call that is under way.
struct Open {
    call: ExplainedCall,
    begun: Instant,
    /// What had been spent when it began.
    spent_before: Spent,
}

struct OfStep<'s> {
    explanations: &'s Explanations,
    key: SessionKey,
    step: StepId,
}

impl<'s> Explaining<'s> {
    /// Notes everything, or nothing where nobody can ask for it.
    pub(super) fn new(
        synthesiser: &'s Synthesiser,
        of_step: Option<&(SessionKey, StepId)>,
        budget: SharedBudget,
    ) -> Self {
        let explanations = synthesiser.explanations();
        let of_step = of_step.filter(|_| explanations.is_on());
        let of_step =
            of_step.map(|(key, step)| OfStep { explanations, key: key.clone(), step: step.clone() });
        Self { of_step, explanation: Explanation::default(), budget, open: Mutex::default() }
    }

    /// A call begins.
    pub(super) fn begin(&self, purpose: &'static str, prompt: &Prompt) {
        if self.of_step.is_some() {
            let (call, spent_before) = (call(purpose, prompt), self.budget.spent());
            *self.open.lock() = Some(Open { call, begun: Instant::now(), spent_before });
        }
    }

    /// This is about to be sent.
    pub(super) fn sends(&self, slot: &ModelSlot, request: &ModelRequest) {
        if let Some(open) = self.open.lock().as_mut() {
            open.call.requests.push(ExplainedRequest {
                provider: slot.model.provider(),
                model: slot.model.model().to_owned(),
                system: request.system.as_str().into(),
                user: request.user.as_str().into(),
                schema: request.schema.as_ref().map(|schema| schema.json.get().into()),
                temperature: request.temperature,
                output_tokens_max: request.output_tokens_max,
            });
        }
    }

    /// A call ends.
    pub(super) fn end(&mut self, completed: &Result<Completed, NotCompleted>) {
        let Some(Open { mut call, .. }) = self.open.get_mut().take() else { return };
        match completed {
            Ok(done) => {
                call.tried = done.tried.iter().map(tried).collect();
                call.answer = Some(ExplainedText::from(done.text.as_str()));
                (call.model, call.answered_by) = (Some(done.model.clone()), done.answered_by.clone());
                call.stop = Some(stop(&done.stop));
                call.cached = done.cached;
                (call.input_tokens, call.output_tokens) = (done.spent.tokens.input, done.spent.tokens.output);
                call.took_ms = done.took_ms;
            }
            Err(failed) => {
                call.tried = failed.tried.iter().map(tried).collect();
                call.failed = Some(failed.code);
                let tokens = failed.spent.tokens;
                (call.input_tokens, call.output_tokens) = (tokens.input, tokens.output);
                call.took_ms = failed.took_ms;
            }
        }
        self.explanation.calls.push(call);
    }

    /// What the checks found.
    pub(super) fn checked(&mut self, log: impl FnOnce() -> CheckLog) {
        if self.of_step.is_some() {
            self.explanation.checks = Some(log());
        }
    }
}

impl Drop for Explaining<'_> {
    fn drop(&mut self) {
        let Some(OfStep { explanations, key, step }) = &self.of_step else { return };
        if let Some(open) = self.open.get_mut().take() {
            self.explanation.calls.push(open.given_up(self.budget.spent()));
        }
        explanations.put(key, step, std::mem::take(&mut self.explanation));
    }
}

impl Open {
    /// The call as it is told where nobody heard its end, with what was booked for it and its attempts until `spent`.
    fn given_up(self, spent: Spent) -> ExplainedCall {
        let booked = spent.minus(self.spent_before).tokens;
        ExplainedCall {
            failed: Some(GIVEN_UP),
            input_tokens: booked.input,
            output_tokens: booked.output,
            took_ms: millis(self.begun.elapsed()),
            ..self.call
        }
    }
}

fn call(purpose: &'static str, prompt: &Prompt) -> ExplainedCall {
    ExplainedCall {
        purpose,
        prompt: prompt.name.clone(),
        prompt_version: prompt.version.clone(),
        requests: Vec::new(),
        tried: Vec::new(),
        answer: None,
        model: None,
        answered_by: None,
        stop: None,
        cached: false,
        failed: None,
        input_tokens: 0,
        output_tokens: 0,
        took_ms: 0,
    }
}

fn tried(of: &Tried) -> ExplainedTry {
    ExplainedTry { provider: of.provider, model: of.model.clone(), code: of.code, times: of.times }
}

fn stop(reason: &StopReason) -> String {
    match reason {
        StopReason::End => "end".to_owned(),
        StopReason::Length => "length".to_owned(),
        StopReason::Refusal => "refusal".to_owned(),
        StopReason::Filtered => "filtered".to_owned(),
        StopReason::Other(word) => word.clone(),
    }
}
