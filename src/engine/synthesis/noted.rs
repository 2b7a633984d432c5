//! What is noted of the work for an answer: how long each piece took, what models answered, what that cost.

use parking_lot::Mutex;
use tokio::time::Instant;

use super::asking::Asker;
use super::fallen::DEADLINE;
use super::models::{Completed, ModelSlot, NotCompleted};
use super::outcome::{Stage, StageCall};
use super::purse::Purse;
use super::told::{GIVEN_UP, Stages};
use crate::domain::synthesis::budget::Spent;
use crate::engine::ports::language_model::ModelRequest;
use crate::engine::telemetry::Meters;

/// A question that came to its end, to be noted.
pub(super) struct Ended {
    stage: Stage,
    completed: Result<Completed, NotCompleted>,
}

impl Asker<'_> {
    /// Notes how long a piece of work took.
    pub(super) async fn timed<T>(&mut self, name: &'static str, work: impl Future<Output = T>) -> T {
        let begun = Instant::now();
        let done = work.await;
        self.stages.add(Stage { name, begun, ended: Instant::now(), call: None, failed: None });
        done
    }

    /// Notes what came of a question.
    pub(super) fn note(&mut self, Ended { mut stage, completed }: Ended) -> Result<Completed, NotCompleted> {
        let meters = &self.synthesiser.parts.telemetry.meters;
        let name = stage.name;
        let (Ok(Completed { tried, .. }) | Err(NotCompleted { tried, .. })) = &completed;
        for tried in tried.iter().filter(|tried| tried.asked) {
            for _ in 0..tried.times {
                meters.model_asked(name, tried.code);
            }
        }
        self.explaining.end(&completed);
        match &completed {
            Ok(done) => {
                meters.model_asked(name, if done.cached { "cached" } else { "ok" });
                meters.model_answered(done.first_token_ms, done.took_ms);
                let call = stage.call.get_or_insert_default();
                (call.provider, call.model) = (done.provider, done.model.clone());
                call.answered_by.clone_from(&done.answered_by);
                call.is_cached = done.cached;
                call.output = self.stages.said(|| done.text.clone());
                call.cost(done.spent);
            }
            Err(failed) => {
                if failed.code == DEADLINE && failed.attempts > 0 {
                    meters.model_took(failed.took_ms);
                }
                stage.failed = Some(failed.code);
                if let Some(call) = &mut stage.call {
                    call.cost(failed.spent);
                }
            }
        }
        self.stages.add(stage);
        completed
    }
}

impl StageCall {
    fn cost(&mut self, spent: Spent) {
        (self.tokens, self.cost_micros) = (spent.tokens, spent.micros);
    }
}

/// A question that may be given up before anything came of it: by the end of its time, or because nobody wants it any more. It
/// was put all the same.
pub(super) struct UnderWay<'a> {
    meters: &'a Meters,
    stages: &'a Stages,
    /// What pays for it alone.
    paid: &'a Purse,
    name: &'static str,
    begun: Instant,
    /// Whoever was asked last, where anybody was.
    call: Mutex<Option<StageCall>>,
}

impl<'a> UnderWay<'a> {
    pub(super) fn new(asker: &'a Asker<'_>, name: &'static str, paid: &'a Purse) -> Self {
        let meters = &asker.synthesiser.parts.telemetry.meters;
        Self { meters, stages: &asker.stages, paid, name, begun: Instant::now(), call: Mutex::default() }
    }

    /// A model is about to be asked this.
    pub(super) fn sends(&self, slot: &ModelSlot, request: &ModelRequest) {
        let input = self.stages.said(|| format!("{}\n\n{}", request.system, request.user));
        let (provider, model) = (slot.model.provider(), slot.model.model().to_owned());
        *self.call.lock() = Some(StageCall { provider, model, input, ..StageCall::default() });
    }

    /// This came of it.
    pub(super) fn end(self, completed: Result<Completed, NotCompleted>) -> Ended {
        let call = self.call.lock().take();
        let stage = Stage { name: self.name, begun: self.begun, ended: Instant::now(), call, failed: None };
        Ended { stage, completed }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let Some(mut call) = self.call.get_mut().take() else { return };
        call.cost(self.paid.paid());
        let (begun, ended) = (self.begun, Instant::now());
        self.meters.model_asked(self.name, GIVEN_UP);
        self.meters.model_took(u64::try_from((ended - begun).as_millis()).unwrap_or(u64::MAX));
        self.stages.add(Stage { name: self.name, begun, ended, call: Some(call), failed: Some(GIVEN_UP) });
    }
}
