//! Steps below steps: by `parent_step_id` of the child or `expected_children` of the parent, in either order of arrival.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::batch::Batch;
use super::state::{SessionState, StepState};
use crate::domain::directive::Directive;
use crate::domain::ids::StepId;
use crate::domain::verdict::{Code, Refusal};

impl SessionState {
    /// The children of a step: those it expects (`Err` where never posted), then those that name it as their parent.
    pub fn children<'a>(
        &'a self,
        step: &'a StepState,
    ) -> impl Iterator<Item = Result<&'a StepState, &'a StepId>> {
        let expected = &step.directive.expected_children;
        let named = move |child: &&Arc<StepState>| {
            child.directive.parent_step_id.as_ref() == Some(step.id()) && !expected.contains(child.id())
        };
        let posted = self.steps.iter().filter(named).map(|child| Ok(&**child));
        expected.iter().map(|id| self.step(id).ok_or(id)).chain(posted)
    }
}

impl Batch<'_> {
    /// The steps above this one: its `parent_step_id`, posted or not, and those that expect it.
    pub(super) fn parents(&self, id: &StepId) -> Vec<StepId> {
        let own = self.state.step(id).and_then(|step| step.directive.parent_step_id.clone());
        let expecting = self.state.steps.iter().filter(|step| step.directive.expected_children.contains(id));
        let mut parents: Vec<StepId> =
            own.into_iter().chain(expecting.map(|step| step.id().clone())).collect();
        parents.dedup();
        parents
    }

    /// A step and the open ones below it, children first.
    pub(super) fn open_below(&self, id: &StepId) -> Vec<StepId> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        self.collect_open(id, &mut seen, &mut found);
        found
    }

    fn collect_open(&self, id: &StepId, seen: &mut BTreeSet<StepId>, found: &mut Vec<StepId>) {
        let Some(step) = self.state.step(id).filter(|step| step.ended.is_none()) else { return };
        if !seen.insert(id.clone()) {
            return;
        }
        for child in self.state.children(step).flatten() {
            self.collect_open(child.id(), seen, found);
        }
        found.push(id.clone());
    }

    /// Refuses a step that would make the tree deeper than its bound, or a ring of it.
    pub(super) fn check_depth(&self, new: &Directive) -> Result<(), Refusal> {
        let bound = self.limits.tree_depth;
        let id = &new.plan_step_id;
        let above = self.parents(id).into_iter().chain(new.parent_step_id.clone());
        let above = levels(above.collect(), bound, |step| self.parents(step));
        let named = self.state.steps.iter().filter(|step| step.directive.parent_step_id.as_ref() == Some(id));
        let below = new.expected_children.iter().chain(named.map(|step| step.id())).cloned();
        let below = levels(below.collect(), bound, |step| {
            let children = self.state.step(step).into_iter().flat_map(|step| self.state.children(step));
            children.map(|child| child.map_or_else(Clone::clone, |child| child.id().clone())).collect()
        });
        if above + 1 + below <= bound {
            return Ok(());
        }
        let text = format!("a tree of steps has at most {bound} levels, and no step is below itself");
        Err(Refusal::at(Code::LimitReached, "/parent_step_id", text))
    }
}

/// How many levels there are from `first` on, up to one more than `bound`: a ring never ends.
fn levels(first: BTreeSet<StepId>, bound: usize, next: impl Fn(&StepId) -> Vec<StepId>) -> usize {
    let mut level = first;
    let mut count = 0;
    while !level.is_empty() && count <= bound {
        count += 1;
        level = level.iter().flat_map(&next).collect();
    }
    count
}
