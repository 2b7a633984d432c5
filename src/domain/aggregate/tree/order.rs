//! Siblings in the order of `depends_on`, and results in that of the prose.

use std::collections::{BTreeMap, BTreeSet};

use super::{Child, TaskInput};
use crate::domain::aggregate::Placed;
use crate::domain::aggregate::result::{AggregatedResult, TaskResult};

/// Children so that each comes after those it depends on, and otherwise as they were given (Kahn's algorithm with the
/// given order as the tie-break). A ring is broken at the child that was given first; unknown names are passed over.
pub fn in_order(children: Vec<Child>) -> Vec<Child> {
    let order = ordered(&children.iter().collect::<Vec<_>>());
    let mut children: Vec<Option<Child>> = children.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| children[at].take()).collect()
}

fn ordered(children: &[&Child]) -> Vec<usize> {
    let index: BTreeMap<&str, usize> =
        children.iter().enumerate().map(|(at, child)| (child.id.as_str(), at)).collect();
    let mut waits_for: Vec<BTreeSet<usize>> = Vec::with_capacity(children.len());
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); children.len()];
    for (at, child) in children.iter().enumerate() {
        let before = child.depends_on.iter().filter_map(|id| index.get(id.as_str()).copied());
        let before: BTreeSet<usize> = before.filter(|&before| before != at).collect();
        before.iter().for_each(|&before| followers[before].push(at));
        waits_for.push(before);
    }
    let free = |at: &usize| waits_for[*at].is_empty();
    let mut ready: BTreeSet<usize> = (0..children.len()).filter(free).collect();
    let mut left: BTreeSet<usize> = (0..children.len()).collect();
    let mut order = Vec::with_capacity(children.len());
    while let Some(next) = ready.pop_first().or_else(|| left.first().copied()) {
        left.remove(&next);
        order.push(next);
        for &follower in &followers[next] {
            waits_for[follower].remove(&next);
            if waits_for[follower].is_empty() && left.contains(&follower) {
                ready.insert(follower);
            }
        }
    }
    order
}

/// Which child comes before which, among what is equal besides, whatever the order they were given in.
pub(super) struct Ranks {
    by_id: BTreeMap<String, usize>,
    /// Whether a child depends on another.
    depend: bool,
    /// By task that was brought, whose it is.
    of_tasks: Vec<usize>,
}

impl Ranks {
    pub(super) fn of(children: &[Child]) -> Self {
        let mut by_name: Vec<&Child> = children.iter().collect();
        by_name.sort_by_key(|child| &child.id);
        let ids: BTreeSet<&str> = children.iter().map(|child| child.id.as_str()).collect();
        let depends =
            |child: &Child| child.depends_on.iter().any(|id| *id != child.id && ids.contains(id.as_str()));
        let order = ordered(&by_name);
        Self {
            by_id: order.into_iter().zip(0..).map(|(at, rank)| (by_name[at].id.clone(), rank)).collect(),
            depend: children.iter().any(depends),
            of_tasks: Vec::new(),
        }
    }

    /// Notes whose the next tasks are.
    pub(super) fn note(&mut self, child: &str, tasks: usize) {
        let rank = self.by_id.get(child).copied().unwrap_or_default();
        self.of_tasks.extend(std::iter::repeat_n(rank, tasks));
    }

    /// Gives the tasks that were noted their places. Where nothing depends on anything, here or below, their ids tell.
    pub(super) fn set_places(&self, tasks: &mut [TaskInput]) {
        if !self.depend && tasks.iter().all(|task| task.place == 0) {
            return;
        }
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        let key = |&at: &usize| (self.of_tasks.get(at), tasks[at].place, tasks[at].task_id.as_str());
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        for (at, place) in order.into_iter().zip(1..) {
            tasks[at].place = place;
        }
    }
}

/// The results in the order of their positions.
pub(in crate::domain) fn positions(result: &AggregatedResult) -> Vec<&TaskResult> {
    let places: BTreeMap<&str, usize> =
        result.style.positions().iter().map(String::as_str).zip(0..).collect();
    let mut listed: Vec<&TaskResult> = result.results.iter().collect();
    listed.sort_by_key(|task| places.get(task.task_id.as_str()).copied());
    listed
}

/// The results in the order of the prose, each with the chapters that it stands in there; of what is no composition, the
/// most relevant first.
pub(in crate::domain) fn in_its_order(
    result: &AggregatedResult,
) -> impl Iterator<Item = (&TaskResult, &[String])> {
    let places =
        result.style.prose().iter().zip(0..).map(|(placed, at)| (placed.task_id.as_str(), (at, placed)));
    let places: BTreeMap<&str, (usize, &Placed)> = places.collect();
    let place = |task: &&TaskResult| places.get(task.task_id.as_str()).copied();
    let mut listed: Vec<&TaskResult> = result.results.iter().collect();
    listed.sort_by_key(|task| place(task).map(|(at, _)| at));
    let chapters = |task| place(&task).map_or(&[][..], |(_, placed)| placed.chapters.as_slice());
    let listed: Vec<_> = listed.into_iter().map(|task| (task, chapters(task))).collect();
    listed.into_iter()
}
