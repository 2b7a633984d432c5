//! What an event says, as far as bridges tell it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::domain::bridges::Event;
use crate::domain::record::{StepStatus, SubagentStatus};

/// What an event says.
#[derive(Debug)]
pub enum Said<'a> {
    /// `step_started`: what is expected, and all that was said.
    StepStarted {
        /// `{stage, result_key, task?, deadline}` each.
        expected: &'a [Value],
        /// The event's content.
        content: &'a Value,
    },
    /// `subagent_started`.
    OutputStarted {
        /// The kind of subagent.
        stage: &'a str,
        /// Which of its outputs.
        result_key: &'a str,
    },
    /// `planner_stream`.
    Output(OutputSaid<'a>),
    /// `planner_progress`: `{message, percent?, payload?}`.
    Progress(&'a Value),
    /// `policy_outcome`: `{decision, policy, reason, severity, stage?, terminate}`.
    Policy(&'a Value),
    /// `step_completed`: `{status, counts}`.
    StepCompleted(&'a Value),
    /// `aggregation`.
    Aggregation {
        /// The answer that was put together from the outputs.
        summary: &'a str,
        /// `{final, summary, sources?, metadata, href}`.
        content: &'a Value,
    },
    /// `synthesis_delta`: a piece of a draft.
    Delta {
        /// Which text of the draft grows.
        path: &'a str,
        /// Where in it the piece begins, in bytes; 0 begins that text anew.
        offset: u64,
        /// The piece.
        text: &'a str,
    },
    /// `synthesis`: what is delivered.
    Synthesis {
        /// The text.
        summary: &'a str,
        /// `{summary, sources?, method, quality, href}`.
        content: &'a Value,
    },
    /// `plan_step_completed`.
    Ended(Ended<'a>),
}

/// What was said of an output.
#[derive(Debug, Clone, Copy)]
pub struct OutputSaid<'a> {
    /// The kind of subagent.
    pub stage: &'a str,
    /// Which of its outputs.
    pub result_key: &'a str,
    /// Where it stands.
    pub status: SubagentStatus,
    /// Its place among the output's revisions.
    pub revision: u64,
    /// The attempt.
    pub attempt: u64,
    /// As its adapter made it.
    pub payload: Option<&'a Value>,
    /// `{code?, message?, retryable?}`.
    pub error: Option<&'a Value>,
    /// Why it ended, where it didn't say so itself.
    pub reason: Option<&'a str>,
}

/// How a step ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// In a word.
    pub status: StepStatus,
    /// `{status, href, more_steps}`.
    pub content: &'a Value,
}

/// Reads an event; `None` where a bridge has nothing to tell of it.
///
/// `subagent_completed` is one of those: it repeats the terminal before it, and a snapshot doesn't have it.
pub fn said<'a>(event: &'a Event<'_>) -> Option<Said<'a>> {
    let content = &event.content;
    let text = |name: &str| content.get(name).and_then(Value::as_str);
    Some(match event.event_type {
        "step_started" => {
            let expected = content.get("expected").and_then(Value::as_array);
            Said::StepStarted { expected: expected.map(Vec::as_slice).unwrap_or_default(), content }
        }
        "subagent_started" => Said::OutputStarted { stage: text("stage")?, result_key: text("result_key")? },
        "planner_stream" => Said::Output(output(content)?),
        "planner_progress" => Said::Progress(content),
        "policy_outcome" => Said::Policy(content),
        "step_completed" => Said::StepCompleted(content),
        "aggregation" => Said::Aggregation { summary: text("summary")?, content },
        "synthesis_delta" => {
            let offset = content.get("offset")?.as_u64()?;
            Said::Delta { path: text("path")?, offset, text: text("text")? }
        }
        "synthesis" => Said::Synthesis { summary: text("summary")?, content },
        "plan_step_completed" => {
            let status = StepStatus::deserialize(content.get("status")?).ok()?;
            Said::Ended(Ended { status, content })
        }
        _ => return None,
    })
}

fn output(content: &Value) -> Option<OutputSaid<'_>> {
    let text = |name: &str| content.get(name).and_then(Value::as_str);
    let number = |name: &str| content.get(name).and_then(Value::as_u64);
    Some(OutputSaid {
        stage: text("stage")?,
        result_key: text("result_key")?,
        status: SubagentStatus::deserialize(content.get("status")?).ok()?,
        revision: number("revision")?,
        attempt: number("attempt")?,
        payload: content.get("payload").filter(|payload| !payload.is_null()),
        error: content.get("error").filter(|error| !error.is_null()),
        reason: text("reason"),
    })
}

impl<'a> OutputSaid<'a> {
    /// The text of its payload: an answer, a content, a transcript, or a card's summary.
    pub fn text(&self) -> Option<&'a str> {
        let fields = ["answer", "content", "transcript", "summary"];
        fields.iter().find_map(|name| self.payload?.get(name)?.as_str())
    }

    /// Its payload where that is more than a text that is read: a table, a card.
    pub fn card(&self) -> Option<&'a Value> {
        let is_read = |payload: &Value| {
            let fields = ["answer", "content", "transcript"];
            fields.iter().any(|name| payload.get(name).is_some_and(Value::is_string))
        };
        self.payload.filter(|payload| !is_read(payload))
    }

    /// Where it stands, as an object: what was said but for the text.
    pub fn standing(&self) -> Value {
        let mut standing = json!({
            "stage": self.stage, "result_key": self.result_key, "status": self.status.as_str(),
            "revision": self.revision, "attempt": self.attempt,
        });
        let optional = [("reason", self.reason.map(Value::from)), ("error", self.error.cloned())];
        for (name, value) in optional.into_iter().chain([("payload", self.card().cloned())]) {
            if let Some(value) = value {
                standing[name] = value;
            }
        }
        standing
    }

    /// Why it failed, for a person.
    pub fn failure(&self) -> Cow<'a, str> {
        match (self.of_error("message"), self.reason) {
            (Some(message), Some(reason)) if self.timed_out() => format!("{reason}, after: {message}").into(),
            (message, reason) => message.or(reason).unwrap_or_else(|| self.status.as_str()).into(),
        }
    }

    /// Why it failed, as a word: its sender's own code, else the status that it ended with.
    pub fn code(&self) -> &'a str {
        self.of_error("code").filter(|_| !self.timed_out()).unwrap_or_else(|| self.status.as_str())
    }

    /// Then its error is that of an attempt before.
    fn timed_out(&self) -> bool {
        self.status == SubagentStatus::Timeout
    }

    fn of_error(&self, member: &str) -> Option<&'a str> {
        self.error?.get(member)?.as_str()
    }
}
