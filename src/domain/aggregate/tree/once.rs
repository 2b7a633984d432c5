//! A step below two others comes up by two ways, and is one step: what its subagents brought counts once.

use std::collections::BTreeMap;

use super::{Child, NEVER, NOT_YET, OPEN};
use crate::domain::aggregate::input::{InputStatus, TaskInput};

/// Leaves of each subagent's result, and of each step that brought nothing, what came up by one way: by the one that has more of it, as one of two
/// may have ended before it came, and by the first of equals.
pub(super) fn leave_each_once(below: &mut [(Child, Vec<TaskInput>)]) {
    if below.len() < 2 {
        return;
    }
    let mut best: BTreeMap<String, ((bool, bool), usize)> = BTreeMap::new();
    for (at, (_, brought)) in below.iter().enumerate() {
        for task in brought {
            let Some(origin) = origin(task) else { continue };
            let has = (task.status == InputStatus::Success, !task.content.is_empty());
            let known = best.entry(origin.to_owned()).or_insert((has, at));
            if known.0 < has {
                *known = (has, at);
            }
        }
    }
    // By another way it has ended, and its subagents say what became of it.
    let ended_elsewhere = |step: &str, at: usize| {
        let below_it = format!("{step}/");
        let mut subagents =
            best.range(below_it.clone()..).take_while(|(origin, _)| origin.starts_with(&below_it));
        subagents.any(|(_, (_, by))| *by != at)
    };
    for (at, (_, brought)) in below.iter_mut().enumerate() {
        brought.retain(|task| {
            let Some(origin) = origin(task) else { return true };
            let is_best = best.get(origin).is_none_or(|(_, by)| *by == at);
            is_best && !(stands_for_a_step(task) && ended_elsewhere(origin, at))
        });
    }
}

/// Whether it says that a step hadn't ended, or was never there.
fn stands_for_a_step(task: &TaskInput) -> bool {
    task.error.as_deref().is_some_and(|error| [OPEN, NOT_YET, NEVER].contains(&error))
}

/// The step that a result is of, and its key there: the end of its path; for what stands for a step without a result the step alone. `None` for what
/// stands for a whole step, whose path is its name.
fn origin(task: &TaskInput) -> Option<&str> {
    let path = &*task.task_id;
    let mut slashes = path.rmatch_indices('/').map(|(slash, _)| &path[slash + 1..]);
    let last = slashes.next();
    if stands_for_a_step(task) {
        return Some(last.unwrap_or(path));
    }
    last?;
    Some(slashes.next().unwrap_or(path))
}
