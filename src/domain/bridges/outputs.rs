//! What is known of a step so far: its outputs, and what was made of them.
//!
//! Bridges whose protocols speak of a state, or of what is new in a text, fold a step's events into this. It holds the
//! last of everything, so its size is that of the step's outputs, however many events there are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Event;
use super::growth::{Growth, growth, text_of};

/// Policy outcomes that are kept: the last ones.
const POLICIES_MAX: usize = 32;

/// A step so far.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    /// `content` of its `step_started`.
    pub started: Option<Value>,
    /// Its outputs by `result_key`.
    pub outputs: BTreeMap<String, Output>,
    /// `content` of its last `policy_outcome`s.
    pub policies: Vec<Value>,
    /// `content` of its last `planner_progress`.
    pub progress: Option<Value>,
    /// `content` of its `aggregation`.
    pub aggregation: Option<Value>,
    /// `content` of its `synthesis`.
    pub synthesis: Option<Value>,
    /// The draft of the summary, as far as it is written.
    pub draft: String,
    /// How often it was begun anew.
    pub drafts: u64,
    /// `status` of its `plan_step_completed`.
    pub ended: Option<String>,
    /// When the last event was, RFC 3339.
    pub at: String,
}

/// One output.
#[derive(Debug, Default, Clone)]
pub(super) struct Output {
    /// The subagent's key.
    pub stage: String,
    /// `pending` … `cancelled`.
    pub status: String,
    /// Of its last event.
    pub revision: u64,
    /// From 1.
    pub attempt: u64,
    /// Its text so far.
    pub text: String,
    /// The revision with which this text began, where it isn't the first.
    pub rewritten: Option<u64>,
    /// The last payload.
    pub payload: Option<Value>,
    /// Of its last event.
    pub error: Option<Value>,
    /// Of its last event.
    pub reason: Option<String>,
}

impl Output {
    /// Whether nothing follows.
    pub fn is_terminal(&self) -> bool {
        matches!(self.status.as_str(), "success" | "error" | "timeout" | "degraded" | "refused" | "cancelled")
    }
}

/// What an event did to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Nothing.
    Nothing,
    /// It goes on; its new part begins at this byte.
    On(usize),
    /// It begins anew.
    Anew,
}

impl Outputs {
    /// Takes an event of the step, and says what it did to the text of its output, or to the draft.
    pub fn take(&mut self, event: &Event<'_>) -> Written {
        event.timestamp.clone_into(&mut self.at);
        let content = &event.content;
        match event.event_type {
            "step_started" => self.started = Some(content.clone()),
            "subagent_started" => self.began(content),
            "planner_stream" => return self.output(content),
            "policy_outcome" => {
                if self.policies.len() == POLICIES_MAX {
                    self.policies.remove(0);
                }
                self.policies.push(content.clone());
            }
            "planner_progress" => self.progress = Some(content.clone()),
            "aggregation" => self.aggregation = Some(content.clone()),
            "synthesis_delta" => return self.delta(content),
            "synthesis" => self.synthesis = Some(content.clone()),
            "plan_step_completed" => self.ended = Some(text(content, "status").to_owned()),
            // The end of an output also stands in its last event; a later type is for later bridges.
            _ => {}
        }
        Written::Nothing
    }

    fn began(&mut self, content: &Value) {
        let output = self.outputs.entry(text(content, "result_key").to_owned()).or_default();
        text(content, "stage").clone_into(&mut output.stage);
        output.attempt = number(content, "attempt");
        if output.status.is_empty() {
            "pending".clone_into(&mut output.status);
        }
    }

    fn output(&mut self, content: &Value) -> Written {
        let output = self.outputs.entry(text(content, "result_key").to_owned()).or_default();
        text(content, "stage").clone_into(&mut output.stage);
        text(content, "status").clone_into(&mut output.status);
        output.revision = number(content, "revision");
        output.attempt = number(content, "attempt");
        output.error = content.get("error").cloned();
        output.reason = content.get("reason").and_then(Value::as_str).map(str::to_owned);
        let Some(payload) = content.get("payload") else { return Written::Nothing };
        let written = match text_of(payload).map(|new| growth(&output.text, new)) {
            Some(Growth::Same) => Written::Nothing,
            None => {
                if !output.text.is_empty() {
                    output.text.clear();
                    output.rewritten = Some(output.revision);
                }
                Written::Nothing
            }
            Some(Growth::By(tail)) => {
                let from = output.text.len();
                output.text.push_str(tail);
                Written::On(from)
            }
            Some(Growth::Anew(whole)) => {
                whole.clone_into(&mut output.text);
                output.rewritten = Some(output.revision);
                Written::Anew
            }
        };
        output.payload = Some(payload.clone());
        written
    }

    /// Only the summary is followed: other paths are parts of a result that is told as a whole.
    fn delta(&mut self, content: &Value) -> Written {
        if text(content, "path") != "summary" {
            return Written::Nothing;
        }
        let from = number(content, "offset") as usize;
        let tail = text(content, "text");
        if from == self.draft.len() {
            self.draft.push_str(tail);
            return Written::On(from);
        }
        tail.clone_into(&mut self.draft);
        self.drafts += 1;
        Written::Anew
    }

    /// What was made of the outputs: of the synthesis, else of the aggregation.
    pub fn summary(&self) -> Option<&str> {
        let made = self.synthesis.as_ref().or(self.aggregation.as_ref())?;
        Some(text(made, "summary"))
    }

    /// `completed`, `partial_failure`, `failed`, `cancelled`, `refused`, or `in_progress`.
    pub fn status(&self) -> &str {
        self.ended.as_deref().unwrap_or("in_progress")
    }
}

/// A text field, empty where there is none.
pub(super) fn text<'a>(content: &'a Value, field: &str) -> &'a str {
    content.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A count, 0 where there is none.
fn number(content: &Value, field: &str) -> u64 {
    content.get(field).and_then(Value::as_u64).unwrap_or_default()
}
