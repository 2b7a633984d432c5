//! What steps came to, for the steps above them: one that several expect is made once, and not once for each way that leads to it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::ids::StepId;
use crate::domain::position::Sequence;

/// Results by step.
#[derive(Debug, Default)]
pub(super) struct Made(Mutex<Results>);

#[derive(Debug, Default)]
struct Results {
    /// Of steps that have ended. They stand until something else is heard of the step.
    ended: HashMap<StepId, AggregatedResult>,
    /// Of those that haven't, as far as the log counts for the step above; for one question only.
    unfinished: HashMap<(StepId, Option<Sequence>), AggregatedResult>,
}

impl Made {
    /// Another result is asked for.
    pub fn begin(&self) {
        self.with(|results| results.unfinished.clear());
    }

    /// Something is heard of a step.
    pub fn forget(&mut self, step: &StepId) {
        self.with(|results| results.ended.remove(step));
    }

    /// The result of a step that has ended.
    pub fn ended(&self, step: &StepId, make: impl FnOnce() -> AggregatedResult) -> AggregatedResult {
        if let Some(known) = self.with(|results| results.ended.get(step).cloned()) {
            return known;
        }
        let made = make();
        self.with(|results| results.ended.insert(step.clone(), made.clone()));
        made
    }

    /// What a step that hasn't ended had brought before `until`.
    pub fn unfinished(
        &self,
        step: &StepId,
        until: Option<Sequence>,
        make: impl FnOnce() -> AggregatedResult,
    ) -> AggregatedResult {
        let key = (step.clone(), until);
        if let Some(known) = self.with(|results| results.unfinished.get(&key).cloned()) {
            return known;
        }
        let made = make();
        self.with(|results| results.unfinished.insert(key, made.clone()));
        made
    }

    /// Never held while a result is made: that asks for others.
    fn with<T>(&self, act: impl FnOnce(&mut Results) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A copy knows nothing yet.
impl Clone for Made {
    fn clone(&self) -> Self {
        Self::default()
    }
}
