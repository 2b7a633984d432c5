//! What another replica wrote meanwhile, as the store tells a writer that stands elsewhere.

use std::sync::Arc;

use super::super::task::SessionTask;
use super::Stored;
use crate::domain::ids::StepId;
use crate::domain::record::Record;
use crate::engine::ports::result_cache::{Append, Missed};

impl SessionTask {
    /// Whether what was missed can be applied to the state: all that it is about is known, or comes with it. A state that
    /// was made up after a session's end knows no steps, and a rollback of the store may bring them back.
    pub(super) fn continues(&self, missed: &Missed) -> bool {
        let mut started: Vec<&StepId> = Vec::new();
        missed.state.is_some()
            || missed.entries.iter().all(|entry| {
                if let Record::StepStarted { directive, .. } = &entry.record {
                    started.push(&directive.plan_step_id);
                }
                let mut about =
                    entry.record.outputs().iter().map(|output| &output.step).chain(entry.record.step());
                about.all(|step| started.contains(&step) || self.state.step(step).is_some())
            })
    }

    /// What was missed starts with the append itself where that had been applied after all. Of one that is longer than the log that
    /// the store keeps only its end can be seen: the store stands where it leads to.
    pub(super) fn conflict(&mut self, missed: Missed, append: &Append, uncertain: bool) -> Stored {
        let begins = missed.entries.first().is_some_and(|entry| entry.append_id == append.append_id);
        let stands = missed.state.as_ref().map(|state| state.position) == Some(append.state.position);
        let applied = begins || uncertain && stands;
        if applied && !mutant!("append-id-not-looked-for") {
            self.shared.clock.observe(missed.now);
            self.shared.telemetry.meters.stored(append.entries.len(), append.origin.came_at.elapsed());
            return Stored::Yes;
        }
        self.shared.telemetry.meters.conflict();
        let lost = uncertain && missed.state.is_some();
        self.catch_up(missed);
        if lost { Stored::Lost } else { Stored::Again }
    }

    /// An answer that stores nothing is true only if nobody else wrote meanwhile.
    pub(super) async fn confirm(&mut self) -> Stored {
        if self.waiting.is_empty() || mutant!("answer-not-confirmed") {
            return Stored::Yes;
        }
        self.shared.cache.settled().await;
        match self.shared.cache.confirm(&self.key, self.state.position).await {
            Ok(None) => Stored::Yes,
            Ok(Some(missed)) => {
                self.catch_up(missed);
                Stored::Again
            }
            Err(error) => {
                self.shared.telemetry.meters.not_stored(error.name());
                Stored::No(error.into())
            }
        }
    }

    fn catch_up(&mut self, missed: Missed) {
        self.shared.clock.observe(missed.now);
        // Who wrote may have moved the wake-up, or taken it away.
        self.announced = None;
        if let Some(state) = missed.state {
            return self.replace_state(state);
        }
        let state = Arc::make_mut(&mut self.state);
        for entry in &missed.entries {
            if mutant!("conflict-not-folded") {
                state.position = entry.position(state.position.epoch);
                continue;
            }
            state.apply(entry);
        }
    }
}
