//! What failed, and why: lines for a person, and the text where nothing else is left.
//!
//! Facts only, in the order of the tasks; what was written by others (names, tasks, errors) is shown as plain text.

use super::input::{FailureStatus, TaskInput};
use super::result::Failure;

mod fallback;
mod words;

pub use fallback::{LINES_MAX, fallback, nothing_quotable};

/// The failure of a task that was judged to have no result, or to be a part of one.
pub fn failure(input: &TaskInput, status: FailureStatus, error: &str) -> Failure {
    Failure {
        task_id: input.task_id.clone(),
        task: input.task.clone(),
        status: status.as_str().to_owned(),
        error: error.to_owned(),
        subagent: input.subagent.clone(),
        subagents: input.subagents.unwrap_or(1),
    }
}

/// Puts failures in the order in which they are shown: by task, then by subagent.
pub fn sort(failures: &mut [Failure]) {
    failures.sort_by(|a, b| order(a).cmp(&order(b)));
}

fn order(failure: &Failure) -> (&str, &str, &str, &str) {
    (&failure.task_id, &failure.subagent, &failure.status, &failure.error)
}
