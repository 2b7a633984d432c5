//! Steps below steps: by `parent_step_id` of the child or `expected_children` of the parent, in either order of arrival.

use std::collections::{HashMap, HashSet};
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
        Links::of(&self.state).below_all(steps)
    }

    /// All below some steps, without those themselves unless another of them is above.
    pub(super) fn strictly_below(&self, steps: &[StepId]) -> Vec<StepId> {
        let links = Links::of(&self.state);
        links.below_all(steps.iter().flat_map(|id| links.below(id).iter().copied()))
    }

    /// Refuses a step that would make a ring of the tree, or make it deeper than its bound. The ways up and down are those
    /// that there would be with the new step.
    pub(super) fn check_depth(&self, new: &Directive) -> Result<(), Refusal> {
        // Who expects it counted it then.
        if new.parent_step_id.is_none() && new.expected_children.is_empty() {
            return Ok(());
        }
        let links = Links::of(&self.state).with(new);
        check_ring(&links, new)?;
        let bound = self.limits.tree_depth;
        let above = levels(&new.plan_step_id, bound, |step| links.above(step));
        let below = levels(&new.plan_step_id, bound, |step| links.below(step));
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
}

/// The ways up and down between the steps of a session, posted or not. There may be as many as a session has steps times the
/// children that each expects, so they are gathered once for all that is asked of them.
pub(super) struct Links<'a> {
    below: HashMap<&'a StepId, Vec<&'a StepId>>,
    above: HashMap<&'a StepId, Vec<&'a StepId>>,
}

impl<'a> Links<'a> {
    pub(super) fn of(state: &'a SessionState) -> Self {
        let mut links = Self { below: HashMap::new(), above: HashMap::new() };
        // The children that a step expects come before those that name it.
        state.steps.iter().for_each(|step| links.add_expected(&step.directive));
        state.steps.iter().for_each(|step| links.add_parent(&step.directive));
        links
    }

    fn with(mut self, new: &'a Directive) -> Self {
        self.add_expected(new);
        self.add_parent(new);
        self
    }

    fn add_expected(&mut self, parent: &'a Directive) {
        parent.expected_children.iter().for_each(|child| self.add(&parent.plan_step_id, child));
    }

    fn add_parent(&mut self, child: &'a Directive) {
        child.parent_step_id.iter().for_each(|parent| self.add(parent, &child.plan_step_id));
    }

    fn add(&mut self, parent: &'a StepId, child: &'a StepId) {
        self.below.entry(parent).or_default().push(child);
        self.above.entry(child).or_default().push(parent);
    }

    /// The steps right below one.
    fn below(&self, step: &StepId) -> &[&'a StepId] {
        self.below.get(step).map_or(&[], Vec::as_slice)
    }

    /// Whether any step is above or below it.
    pub(super) fn is_in_tree(&self, step: &StepId) -> bool {
        !(self.below(step).is_empty() && self.above(step).is_empty())
    }

    /// The steps right above one.
    fn above(&self, step: &StepId) -> &[&'a StepId] {
        self.above.get(step).map_or(&[], Vec::as_slice)
    }

    /// Steps and all below them, children first.
    fn below_all<'s>(&self, steps: impl IntoIterator<Item = &'s StepId>) -> Vec<StepId> {
        let (mut seen, mut found) = (HashSet::new(), Vec::new());
        for id in steps {
            self.collect(id, &mut seen, &mut found);
        }
        found
    }

    fn collect(&self, id: &StepId, seen: &mut HashSet<StepId>, found: &mut Vec<StepId>) {
        if !seen.insert(id.clone()) {
            return;
        }
        for child in self.below(id) {
            self.collect(child, seen, found);
        }
        found.push(id.clone());
    }
}

/// Refuses a step that would be below itself. A ring is closed by the new step's own links: by a child that it would be below, or
/// else by its parent.
fn check_ring(links: &Links<'_>, new: &Directive) -> Result<(), Refusal> {
    let id = &new.plan_step_id;
    let refused = |pointer: String| {
        Err(Refusal::at(Code::InvalidEvent, pointer, format!("the step `{id}` would be below itself")))
    };
    let above = reached(id, |step| links.above(step));
    if let Some(index) = new.expected_children.iter().position(|child| above.contains(child)) {
        return refused(format!("/expected_children/{index}"));
    }
    let below = reached(id, |step| links.below(step));
    match &new.parent_step_id {
        Some(parent) if below.contains(parent) => refused("/parent_step_id".to_owned()),
        Some(_) | None => Ok(()),
    }
}

/// A step, and all that it leads to.
fn reached<'a, 'l>(from: &'a StepId, next: impl Fn(&StepId) -> &'l [&'a StepId]) -> HashSet<&'a StepId>
where
    'a: 'l,
{
    let (mut seen, mut left) = (HashSet::from([from]), vec![from]);
    while let Some(step) = left.pop() {
        left.extend(next(step).iter().copied().filter(|step| seen.insert(*step)));
    }
    seen
}

/// How many levels there are from `first` on, itself counted, up to one more than `bound`: a ring never ends.
fn levels<'a, 'l>(first: &'a StepId, bound: usize, next: impl Fn(&StepId) -> &'l [&'a StepId]) -> usize
where
    'a: 'l,
{
    let mut level = HashSet::from([first]);
    let mut count = 0;
    while !level.is_empty() && count <= bound {
        count += 1;
        level = level.iter().flat_map(|step| next(step).iter().copied()).collect();
    }
    count
}
