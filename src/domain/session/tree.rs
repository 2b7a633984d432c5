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
        // A step that nobody sees is no part of one that everybody sees, nor the other way round.
        let beside = move |child: &StepState| child.directive.shadow == step.directive.shadow;
        let named = move |child: &&Arc<StepState>| {
            let is_child = child.directive.parent_step_id.as_ref() == Some(step.id());
            is_child && !expected.contains(child.id()) && beside(child)
        };
        let posted = self.steps.iter().filter(named).map(|child| Ok(&**child));
        let of_name = move |id| self.step(id).filter(|child| beside(child)).ok_or(id);
        expected.iter().map(of_name).chain(posted)
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

    /// The open ones among steps and all below them, children first. What has ended, or was never posted, is passed
    /// through: below it something may be open.
    pub(super) fn open_below(&self, steps: &[StepId]) -> Vec<StepId> {
        let mut open = self.below(steps);
        open.retain(|id| self.state.step(id).is_some_and(StepState::is_running));
        open
    }

    /// Steps and all below them, posted or not, children first.
    pub(super) fn below(&self, steps: &[StepId]) -> Vec<StepId> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for id in steps {
            self.collect(id, &mut seen, &mut found);
        }
        found
    }

    /// All below some steps, without those themselves unless another of them is above.
    pub(super) fn strictly_below(&self, steps: &[StepId]) -> Vec<StepId> {
        let children: Vec<StepId> = steps.iter().flat_map(|id| self.children_of(id)).collect();
        self.below(&children)
    }

    fn collect(&self, id: &StepId, seen: &mut BTreeSet<StepId>, found: &mut Vec<StepId>) {
        if !seen.insert(id.clone()) {
            return;
        }
        for child in self.children_of(id) {
            self.collect(&child, seen, found);
        }
        found.push(id.clone());
    }

    /// Refuses a step that would make a ring of the tree, or make it deeper than its bound. The ways up and down are those
    /// that there would be with the new step.
    pub(super) fn check_depth(&self, new: &Directive) -> Result<(), Refusal> {
        self.check_ring(new)?;
        let bound = self.limits.tree_depth;
        let id = &new.plan_step_id;
        let above = levels(id, bound, |step| {
            let own = new.parent_step_id.iter().filter(|_| step == id);
            let by_new = new.expected_children.contains(step).then_some(id);
            self.parents(step).into_iter().chain(own.chain(by_new).cloned()).collect()
        });
        let below = levels(id, bound, |step| self.children_with(new, step));
        if above + below <= bound + 1 {
            return Ok(());
        }
        let pointer = if new.parent_step_id.is_some() { "/parent_step_id" } else { "/expected_children" };
        Err(Refusal::at(Code::LimitReached, pointer, format!("a tree of steps has at most {bound} levels")))
    }

    /// Refuses a step that waits for one that it doesn't see, or is waited for so: one of both runs in shadow.
    pub(super) fn check_shadow(&self, new: &Directive) -> Result<(), Refusal> {
        let is_apart = |step: &StepState| step.directive.shadow != new.shadow;
        let unseen = |child: &StepId| self.state.step(child).is_some_and(is_apart);
        let refused = |pointer: String, waits: &StepId| {
            let text =
                format!("the step `{waits}` waits for one that it doesn't see: one of both runs in shadow");
            Refusal::at(Code::InvalidEvent, pointer, text)
        };
        if let Some(index) = new.expected_children.iter().position(unseen) {
            return Err(refused(format!("/expected_children/{index}"), &new.plan_step_id));
        }
        let waits = |step: &&Arc<StepState>| {
            is_apart(step) && step.directive.expected_children.contains(&new.plan_step_id)
        };
        match self.state.steps.iter().find(waits) {
            Some(parent) => Err(refused("/shadow".to_owned(), parent.id())),
            None => Ok(()),
        }
    }

    /// Refuses a step that would be below itself. A ring is closed by the new step's own links: by a child that it would be
    /// below, or else by its parent.
    fn check_ring(&self, new: &Directive) -> Result<(), Refusal> {
        let id = &new.plan_step_id;
        let is_above = |step: &StepId| reaches(step, id, |step| self.children_with(new, step));
        let text = format!("the step `{id}` would be below itself");
        if let Some(index) = new.expected_children.iter().position(is_above) {
            return Err(Refusal::at(Code::InvalidEvent, format!("/expected_children/{index}"), text));
        }
        match &new.parent_step_id {
            Some(parent) if reaches(id, parent, |step| self.children_of(step)) => {
                Err(Refusal::at(Code::InvalidEvent, "/parent_step_id", text))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The steps below one, were a new one there.
    fn children_with(&self, new: &Directive, step: &StepId) -> Vec<StepId> {
        let id = &new.plan_step_id;
        let own = new.expected_children.iter().filter(|_| step == id);
        let by_new = (new.parent_step_id.as_ref() == Some(step)).then_some(id);
        self.children_of(step).into_iter().chain(own.chain(by_new).cloned()).collect()
    }

    /// The steps below one, whether it, or they, were posted or not.
    fn children_of(&self, id: &StepId) -> Vec<StepId> {
        let expected = self.state.step(id).into_iter().flat_map(|step| &step.directive.expected_children);
        let named = self.state.steps.iter().filter(|step| step.directive.parent_step_id.as_ref() == Some(id));
        expected.chain(named.map(|step| step.id())).cloned().collect()
    }
}

/// Whether a step is another, or leads to it.
fn reaches(from: &StepId, to: &StepId, next: impl Fn(&StepId) -> Vec<StepId>) -> bool {
    let (mut seen, mut left) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(step) = left.pop() {
        if step == *to {
            return true;
        }
        if seen.insert(step.clone()) {
            left.extend(next(&step));
        }
    }
    false
}

/// How many levels there are from `first` on, itself counted, up to one more than `bound`: a ring never ends.
fn levels(first: &StepId, bound: usize, next: impl Fn(&StepId) -> Vec<StepId>) -> usize {
    let mut level = BTreeSet::from([first.clone()]);
    let mut count = 0;
    while !level.is_empty() && count <= bound {
        count += 1;
        level = level.iter().flat_map(&next).collect();
    }
    count
}
