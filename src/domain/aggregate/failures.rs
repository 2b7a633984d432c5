//! What failed, and why: lines for a person, and the text where nothing else is left.
//!
//! Facts only, in the order of the tasks; what was written by others (names, tasks, errors) is shown as plain text.

use super::input::{FailureStatus, TaskInput};
use super::result::Failure;
use crate::domain::text::clean::{escape_inline, one_line};

/// Failures that are listed one by one.
pub const LINES_MAX: usize = 50;
/// Characters of a name that are shown.
const NAME_CHARS_MAX: usize = 128;
/// Characters of a task or a query that are shown.
const TASK_CHARS_MAX: usize = 300;
/// Characters of an error that are shown in a line.
const ERROR_CHARS_MAX: usize = 500;

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

/// One failure as an item of a Markdown list, without a line break.
pub fn line(failure: &Failure) -> String {
    let shown = |text: &str, max| escape_inline(&one_line(text, max));
    let mut line = format!("- **{}**", shown(&failure.subagent, NAME_CHARS_MAX));
    match failure.task.as_deref().map(|task| shown(task, TASK_CHARS_MAX)).filter(|task| !task.is_empty()) {
        Some(task) => line.push_str(&format!(" was to answer “{task}”")),
        None => line.push_str(&format!(", task {}", shown(&failure.task_id, NAME_CHARS_MAX))),
    }
    line.push_str(&format!(": {}", what_happened(&failure.status)));
    let error = shown(&failure.error, ERROR_CHARS_MAX);
    if error.is_empty() {
        line.push('.');
    } else {
        line.push_str(&format!(" ({})", error.trim_end_matches('.')));
        line.push('.');
    }
    line
}

fn what_happened(status: &str) -> &'static str {
    match FailureStatus::named(status) {
        FailureStatus::Error => "an error",
        FailureStatus::Timeout => "no answer in time",
        FailureStatus::Degraded => "not available",
        FailureStatus::Refused => "ended by a safety decision",
        FailureStatus::Cancelled => "cancelled",
        FailureStatus::Pending => "not finished",
        FailureStatus::Empty => "nothing found",
        FailureStatus::Pointer => "only a pointer to another text",
        FailureStatus::Refusal => "declined to answer",
        FailureStatus::Lost => "lost by the store",
    }
}

/// The answer where there is no result: that there is none, and what failed and why.
///
/// The failures come in any order; beyond [`LINES_MAX`] they are counted. Of `total` tasks `filtered` were left
/// out for their relevance, and so many are still `running`. A failure that is no task's, a safety decision, is listed only.
pub fn fallback(
    failures: &[Failure],
    (total, filtered): (usize, usize),
    running: usize,
    query: Option<&str>,
) -> String {
    let query =
        query.map(|query| escape_inline(&one_line(query, TASK_CHARS_MAX))).filter(|query| !query.is_empty());
    let about = query.map(|query| format!(" to “{query}”")).unwrap_or_default();
    let mut sorted: Vec<&Failure> = failures.iter().collect();
    sorted.sort_by(|a, b| order(a).cmp(&order(b)));
    let left_out = match filtered {
        0 => String::new(),
        1 => {
            "the only result was left out, since it is less relevant than `min_relevance` asks for".to_owned()
        }
        count => format!(
            "all {count} results were left out, since they are less relevant than `min_relevance` asks for"
        ),
    };
    let mut text = match total.saturating_sub(filtered) {
        1 if running > 0 => format!("There is no answer{about} yet: the only task is still running.\n"),
        count if running >= count && running > 0 => {
            format!("There is no answer{about} yet: all {count} tasks are still running.\n")
        }
        count if running > 0 => {
            let are = if running == 1 { "is" } else { "are" };
            format!("There is no answer{about} yet: of the {count} tasks {running} {are} still running.\n")
        }
        0 if filtered > 0 && sorted.is_empty() => return format!("There is no answer{about}: {left_out}."),
        count if filtered > 0 => {
            let others =
                if count == 1 { "one other task".to_owned() } else { format!("{count} other tasks") };
            format!("There is no answer{about}: {left_out}, and {others} brought none.\n")
        }
        0 if sorted.is_empty() => {
            return format!(
                "There is no answer{about}: no task brought a result, and none reported a failure."
            );
        }
        0 if filtered > 0 => format!("There is no answer{about}: {left_out}.\n"),
        0 => format!("There is no answer{about}: no task brought a result.\n"),
        1 => format!("There is no answer{about}: the only task brought no usable result.\n"),
        2 => format!("There is no answer{about}: neither of the 2 tasks brought a usable result.\n"),
        count => format!("There is no answer{about}: none of the {count} tasks brought a usable result.\n"),
    };
    for failure in sorted.iter().take(LINES_MAX) {
        text.push('\n');
        text.push_str(&line(failure));
    }
    if let Some(more) = sorted.len().checked_sub(LINES_MAX).filter(|more| *more > 0) {
        text.push_str(&format!("\n- and {more} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(task_id: &str, task: Option<&str>, status: &str, error: &str) -> Failure {
        let (task_id, task) = (task_id.to_owned(), task.map(str::to_owned));
        Failure {
            task_id,
            task,
            status: status.to_owned(),
            error: error.to_owned(),
            subagent: "crm_agent".to_owned(),
            subagents: 1,
        }
    }

    #[test]
    fn the_fallback_says_what_failed_and_why_in_the_order_of_tasks() {
        let failures = [
            failed("b", Some("How?\n# Heading"), "timeout", "after 8 s."),
            failed("a", None, "error", "<b>503</b>\nfrom `crm`"),
        ];
        let text = "There is no answer to “Why \\*so\\*?”: neither of the 2 tasks brought a usable result.\n\n\
            - **crm_agent**, task a: an error (\\<b\\>503\\</b\\> from \\`crm\\`).\n\
            - **crm_agent** was to answer “How? # Heading”: no answer in time (after 8 s).";
        assert_eq!(fallback(&failures, (2, 0), 0, Some("Why *so*?")), text);
        let [first, second] = failures;
        assert_eq!(fallback(&[second, first], (2, 0), 0, Some("Why *so*?")), text);
    }

    #[test]
    fn what_is_still_running_brings_no_answer_yet() {
        let failures = [failed("a", None, "pending", "it is still running")];
        for (total, begins) in [
            (
                1,
                "There is no answer to “Why?” yet: the only task is still running.\n\n- **crm_agent**, task a: not finished",
            ),
            (3, "There is no answer to “Why?” yet: of the 3 tasks 1 is still running.\n\n- "),
        ] {
            let text = fallback(&failures, (total, 0), 1, Some("Why?"));
            assert!(text.starts_with(begins), "{text}");
        }
    }

    #[test]
    fn many_failures_are_counted() {
        let failures: Vec<Failure> = (0..60).map(|n| failed(&format!("t{n}"), None, "empty", "")).collect();
        let text = fallback(&failures, (failures.len(), 0), 0, None);
        assert!(text.starts_with("There is no answer: none of the 60 tasks"), "{text}");
        assert!(text.ends_with("\n- and 10 more"), "{text}");
        assert_eq!(
            fallback(&[], (0, 0), 0, None),
            "There is no answer: no task brought a result, and none reported a failure."
        );
    }

    #[test]
    fn safety_decision_is_listed_and_is_no_task() {
        let task = failed("a", None, "refused", "ended by a safety decision");
        let decision = failed("safety", None, "refused", "p: no");
        let text = fallback(&[task, decision.clone()], (1, 0), 0, None);
        assert!(text.starts_with("There is no answer: the only task brought no usable result."), "{text}");
        assert!(text.contains("p: no"), "{text}");
        let text = fallback(&[decision], (0, 0), 0, None);
        assert!(
            text.starts_with("There is no answer: no task brought a result.\n") && text.contains("p: no"),
            "{text}"
        );
    }
}
