//! A step below two others comes up by two ways, and is one step: what its subagents brought counts once.

use std::collections::BTreeMap;

use super::Child;
use crate::domain::aggregate::input::{InputStatus, TaskInput};

/// Leaves of each subagent's result what came up by one way: by the one that has more of it, as one of two may have ended before it came, and
/// by the first of equals.
pub(super) fn leave_each_once(below: &mut [(Child, Vec<TaskInput>)]) {
    if below.len() < 2 {
        return;
    }
    let mut best: BTreeMap<String, ((bool, bool), usize)> = BTreeMap::new();
    for (at, (_, brought)) in below.iter().enumerate() {
        for task in brought {
            let Some(origin) = origin(&task.task_id) else { continue };
            let has = (task.status == InputStatus::Success, !task.content.is_empty());
            let known = best.entry(origin.to_owned()).or_insert((has, at));
            if known.0 < has {
                *known = (has, at);
            }
        }
    }
    for (at, (_, brought)) in below.iter_mut().enumerate() {
        brought.retain(|task| {
            let kept = origin(&task.task_id).and_then(|origin| best.get(origin));
            kept.is_none_or(|(_, by)| *by == at)
        });
    }
}

/// The step that a result is of, and its key there: the end of its path. `None` for what stands for a whole step, whose path is its name.
fn origin(path: &str) -> Option<&str> {
    let mut slashes = path.rmatch_indices('/');
    slashes.next()?;
    Some(slashes.next().map_or(path, |(slash, _)| &path[slash + 1..]))
}
