//! What is noted of the work for an answer: how long each piece took, what models answered, what that cost.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use tokio::time::Instant;

use super::asking::Asker;
use super::models::{Completed, NotCompleted};
use super::outcome::{Answered, Stage};
use crate::engine::telemetry::Meters;

impl Asker<'_> {
    /// Notes how long a piece of work took.
    pub(super) async fn timed<T>(&mut self, name: &'static str, work: impl Future<Output = T>) -> T {
        let begun = Instant::now();
        let done = work.await;
        let stage = Stage { name, begun, ended: Instant::now(), answered: None, failed: None };
        self.stages.push(stage);
        done
    }

    /// Notes what came of a question.
    pub(super) fn note(
        &mut self,
        name: &'static str,
        begun: Instant,
        completed: Result<Completed, NotCompleted>,
    ) -> Result<Completed, NotCompleted> {
        let meters = &self.synthesiser.parts.telemetry.meters;
        let tried = match &completed {
            Ok(completed) => &completed.tried,
            Err(failed) => &failed.tried,
        };
        for tried in tried.iter().filter(|tried| tried.asked) {
            for _ in 0..tried.times {
                meters.model_asked(name, tried.code);
            }
        }
        self.explaining.end(&completed);
        let mut stage = Stage { name, begun, ended: Instant::now(), answered: None, failed: None };
        match &completed {
            Ok(done) => {
                let (tokens, cost) = (done.spent.tokens, done.spent.micros);
                meters.model_asked(name, if done.cached { "cached" } else { "ok" });
                meters.model_answered(done.first_token_ms, done.took_ms);
                stage.answered = Some(Answered {
                    provider: done.provider,
                    model: done.model.clone(),
                    input_tokens: tokens.input,
                    output_tokens: tokens.output,
                    cost_micros: cost,
                    is_cached: done.cached,
                });
            }
            Err(failed) => stage.failed = Some(failed.code.to_owned()),
        }
        self.stages.push(stage);
        completed
    }
}

/// A call that may be given up before anything came of it: by the end of its time, or because nobody wants it any more. It was
/// made all the same.
pub(super) struct Unended<'m> {
    meters: &'m Meters,
    name: &'static str,
    /// Whether a model was asked.
    pub(super) asked: AtomicBool,
}

impl<'m> Unended<'m> {
    pub(super) fn new(meters: &'m Meters, name: &'static str) -> Self {
        Self { meters, name, asked: AtomicBool::new(false) }
    }

    /// Something came of it, which is noted as that.
    pub(super) fn end(self) {
        self.asked.store(false, Relaxed);
    }
}

impl Drop for Unended<'_> {
    fn drop(&mut self) {
        if self.asked.load(Relaxed) {
            self.meters.model_asked(self.name, "given_up");
        }
    }
}
