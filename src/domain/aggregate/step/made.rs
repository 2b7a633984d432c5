//! What steps came to, for the steps above them: one that several expect is made once, and not once for each way that leads to it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use super::log::Seen;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::tree::only_lacks;
use crate::domain::ids::StepId;
use crate::domain::position::Sequence;

/// Results by step.
#[derive(Debug, Default)]
pub(super) struct Made(Mutex<Results>);

#[derive(Debug, Default)]
struct Results {
    /// Of steps that have ended. They stand until something else is heard of the step.
    ended: HashMap<StepId, Known>,
    /// Of those that haven't, as far as the log counts for the step above; for one question only.
    unfinished: HashMap<AsOf, Known>,
    /// The last that was heard of a step and of those below it before a place; for one question only.
    heard: HashMap<(StepId, Sequence), Sequence>,
}

/// What a step came to.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub result: AggregatedResult,
    /// Whether it only says what is missing: each step above asks.
    pub only_lacks: bool,
}

/// A step that hasn't ended, as it was before some place in the log: the same between two places at which something was heard of it or of
/// those below it. `open` is which parts count of what had been said by then.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct AsOf {
    step: StepId,
    heard: Option<Sequence>,
    open: Option<usize>,
}

impl AsOf {
    pub fn new(step: &StepId, heard: Option<Sequence>, below: Seen<'_>) -> Self {
        Self { step: step.clone(), heard, open: below.open.map(|parts| parts.as_ptr().addr()) }
    }
}

impl Made {
    /// Another result is asked for.
    pub fn begin(&self) {
        self.with(|results| {
            results.unfinished.clear();
            results.heard.clear();
        });
    }

    /// Something is heard of a step.
    pub fn forget(&mut self, step: &StepId) {
        self.with(|results| results.ended.remove(step));
    }

    /// The result of a step that has ended.
    pub fn ended(&self, step: &StepId, make: impl FnOnce() -> AggregatedResult) -> Known {
        self.once(|results| &mut results.ended, step.clone(), || Known::of(make()))
    }

    /// What a step that hasn't ended had brought.
    pub fn unfinished(&self, as_of: AsOf, make: impl FnOnce() -> AggregatedResult) -> Known {
        self.once(|results| &mut results.unfinished, as_of, || Known::of(make()))
    }

    /// The last that was heard of a step, and of those below it, before `until`.
    pub fn heard(&self, step: &StepId, until: Sequence, find: impl FnOnce() -> Sequence) -> Sequence {
        self.once(|results| &mut results.heard, (step.clone(), until), find)
    }

    /// What is known already, or is made now.
    fn once<K: Eq + Hash, V: Clone>(
        &self,
        of: impl Fn(&mut Results) -> &mut HashMap<K, V>,
        key: K,
        make: impl FnOnce() -> V,
    ) -> V {
        if let Some(known) = self.with(|results| of(results).get(&key).cloned()) {
            return known;
        }
        let made = make();
        self.with(|results| of(results).insert(key, made.clone()));
        made
    }

    /// Never held while a result is made: that asks for others.
    fn with<T>(&self, act: impl FnOnce(&mut Results) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Known {
    fn of(result: AggregatedResult) -> Self {
        Self { only_lacks: only_lacks(&result), result }
    }
}

/// A copy knows nothing yet.
impl Clone for Made {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::domain::aggregate::options::Options;
    use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};

    #[test]
    fn a_step_is_made_once_for_all_who_saw_the_same_of_it() {
        let (made, count, step) = (Made::default(), Cell::new(0), "s".parse().unwrap());
        let ask = |heard: Option<u64>| {
            let as_of = AsOf::new(&step, heard.map(Sequence), Seen::default());
            made.unfinished(as_of, || {
                count.set(count.get() + 1);
                let (question, options, place) = (Question::default(), Options::default(), Place::nowhere());
                aggregate(Request { question, tasks: Vec::new(), options, place, style: Style::Findings })
            });
            count.get()
        };
        assert_eq!([Some(3), Some(3), Some(5), None, Some(3), None].map(ask), [1, 1, 2, 3, 3, 3]);
        made.begin();
        assert_eq!(ask(Some(3)), 4, "another question");
    }
}
