//! What is done where a task can't be read by mistake of the service: it fails, and says so; the others are combined.

use crate::domain::aggregate::input::{FailureStatus, InputStatus, TaskInput};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::{Question, Request};
use crate::domain::contained::contained;

/// What is told of it.
const UNREADABLE: &str = "the service failed to read it, which it logged; the output is kept as it came";

/// What `combine` makes of a request; where that panics, of the request without the tasks that it panics at.
///
/// # Panics
/// Where `combine` does without any text.
pub(super) fn without_unreadable(
    request: Request,
    combine: impl Fn(Request) -> AggregatedResult,
) -> AggregatedResult {
    let mut again = request.clone();
    if let Some(result) = contained(|| combine(request)) {
        return result;
    }
    for at in 0..again.tasks.len() {
        let alone = Request { tasks: vec![again.tasks[at].clone()], ..again.clone() };
        if contained(|| combine(alone)).is_none() {
            again.tasks[at].forget_unreadable();
        }
    }
    let rest = again.clone();
    contained(|| combine(rest)).unwrap_or_else(|| {
        again.tasks.iter_mut().for_each(TaskInput::forget_unreadable);
        combine(Request { question: Question::default(), ..again })
    })
}

impl TaskInput {
    /// Makes it one that the service failed to read.
    pub(in crate::domain::aggregate) fn forget_unreadable(&mut self) {
        let this = std::mem::take(self);
        *self = Self {
            task_id: this.task_id,
            subagent: this.subagent,
            status: InputStatus::Failed(FailureStatus::Error),
            error: Some(UNREADABLE.to_owned()),
            href: this.href,
            subagents: this.subagents,
            place: this.place,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::aggregate::options::Options;
    use crate::domain::aggregate::{Place, Style};

    fn request(query: &str, contents: &[&str]) -> Request {
        let tasks = contents.iter().zip('a'..).map(|(content, id)| TaskInput {
            task_id: id.to_string(),
            subagent: id.to_string(),
            content: (*content).to_owned(),
            ..TaskInput::default()
        });
        Request {
            question: Question { query: Some(query.to_owned()), goal: None },
            tasks: tasks.collect(),
            options: Options::default(),
            place: Place::nowhere(),
            style: Style::Findings,
        }
    }

    /// A way to combine that makes a mistake at some texts.
    fn combined(request: Request) -> AggregatedResult {
        without_unreadable(request, |request| {
            let query = request.question.query.iter().map(String::as_str);
            let mut texts = query.chain(request.tasks.iter().map(|task| task.content.as_str()));
            assert!(!texts.any(|text| text.contains("poison")), "a mistake");
            assert!(
                request.tasks.iter().filter(|task| task.content.contains("half")).count() < 2,
                "a mistake"
            );
            super::super::combine(request)
        })
    }

    fn failed(result: &AggregatedResult) -> Vec<&str> {
        result.failures.iter().map(|failure| failure.task_id.as_str()).collect()
    }

    #[test]
    fn task_that_cannot_be_read_fails_and_the_others_are_combined() {
        const GOOD: &str = "The library opens at 9:00.";
        let result = combined(request("When?", &[GOOD, "It is poison."]));
        assert_eq!((result.findings.len(), failed(&result)), (1, vec!["b"]));
        assert_eq!(result.failures[0].error, UNREADABLE);
        // Where only several together can't be read, or what was asked, none is.
        assert_eq!(
            failed(&combined(request("When?", &[GOOD, "One half.", "The other half."]))),
            ["a", "b", "c"]
        );
        assert_eq!(failed(&combined(request("Is it poison?", &[GOOD]))), ["a"]);
    }
}
