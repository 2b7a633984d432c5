//! What is told of results that were gathered: what was left out, what is still running, what a safety decision ended.

use super::Gathered;
use crate::domain::aggregate::input::FailureStatus;
use crate::domain::aggregate::result::Failure;
use crate::domain::aggregate::take_in::NOT_ENDED;
use crate::domain::aggregate::{LeftOut, RefusedBy, failures};

/// Why there is nothing in a draft of what hasn't ended.
const RUNNING: &str = "it is still running";

impl Gathered {
    /// That results are left out because there are too many, here or in a node below: nobody sees that elsewhere.
    pub(in crate::domain::aggregate) fn too_many(&self) -> impl Iterator<Item = String> {
        let told = |(count, whose): (usize, &str)| {
            let results = if count == 1 { "1 result is".to_owned() } else { format!("{count} results are") };
            (count > 0).then(|| format!("{results} left out{whose}: no more results are asked for."))
        };
        let below = " further down, the least relevant of each node";
        [(self.beyond, ", the least relevant"), (self.beyond_below, below)].into_iter().filter_map(told)
    }

    /// Counts what was left out before, of an aggregated result that is combined again: nothing else is known of it.
    pub(in crate::domain::aggregate) fn count_left_out(&mut self, before: LeftOut) {
        self.total += before.whole;
        self.successful += before.whole;
        self.filtered += before.all;
    }

    /// Says of what hasn't ended in a draft that it runs: nobody waits for it in vain yet.
    pub(in crate::domain::aggregate) fn mark_running(&mut self) {
        let pending = FailureStatus::Pending.as_str();
        let waits = |failure: &&mut Failure| failure.status == pending && failure.error == NOT_ENDED;
        self.failures.iter_mut().filter(waits).for_each(|failure| failure.error = RUNNING.to_owned());
    }

    /// Says that a safety decision ended the step: as a failure, and on what was found before.
    pub(in crate::domain::aggregate) fn mark_refused(&mut self, refused: &RefusedBy) {
        // A safety subagent that failed is listed already: what followed from that says more.
        let (listed, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.failures)
            .into_iter()
            .partition(|failure| failure.task_id == refused.task_id);
        self.failures = others;
        self.failures.push(Failure {
            task_id: refused.task_id.clone(),
            task: None,
            status: FailureStatus::Refused.as_str().to_owned(),
            error: refused.error.clone(),
            subagent: refused.subagent.clone(),
            subagents: listed.iter().map(|failure| failure.subagents).sum(),
        });
        failures::sort(&mut self.failures);
        for kept in &mut self.kept {
            kept.notes.push(format!(
                "refused: found before the step was ended by a safety decision ({})",
                refused.error
            ));
        }
    }
}
