//! Nodes below one that weighs positions: a position that one subagent holds is that subagent's, word for word.

use std::collections::{BTreeMap, BTreeSet};

use super::{Child, Outcome, is_written};
use crate::domain::aggregate::input::TaskInput;
use crate::domain::aggregate::result::{AggregatedResult, TaskResult};

/// The children whose position is what one subagent said. A position is known by its name: subagents that say something in
/// several places stand under the names of these.
pub(super) fn alone(tasks: &[TaskInput], children: &[Child]) -> BTreeSet<String> {
    let mut held: BTreeMap<&str, usize> = BTreeMap::new();
    let name = |child| only(child).map_or(child.id.as_str(), |said| said.subagent.as_str());
    for name in tasks.iter().map(|task| task.subagent.as_str()).chain(children.iter().map(name)) {
        *held.entry(name).or_default() += 1;
    }
    let is_alone = |child: &&Child| only(child).is_some_and(|said| held[said.subagent.as_str()] == 1);
    children.iter().filter(is_alone).map(|child| child.id.clone()).collect()
}

fn only(child: &Child) -> Option<&TaskResult> {
    let Outcome::Ended(result) = &child.outcome else { return None };
    match &result.results[..] {
        [only] if only.merged.is_empty() && !is_written(result) => Some(only),
        _ => None,
    }
}

impl Child {
    /// What its one subagent said, asked what the node is for, and its failures.
    pub(super) fn as_it_was_said(&self) -> Vec<TaskInput> {
        let mut brought = self.tasks(None);
        for said in brought.iter_mut().filter(|task| !task.content.is_empty()) {
            said.task = self.goal.clone().or(said.task.take());
        }
        brought
    }
}

/// Where the whole of a step's result is.
pub(super) fn href(result: &AggregatedResult) -> Option<String> {
    let (session, step) = (result.session_id.as_ref()?, result.plan_step_id.as_ref()?);
    Some(format!("/planner/sessions/{session}/steps/{step}/result"))
}
