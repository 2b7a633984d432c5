//! The outputs of a step as AG-UI's subagents.
//!
//! ```text
//! Expected ── first heard of ──► Running ── terminal ──► Ended
//! ```
//!
//! An output's text is a message that grows; where the next partial isn't the last one and more, that message ends as
//! `replaced`, and another one begins with the whole. Everything else that is said of it (that it waits, works or tries
//! again, its table or card) is one activity, in place.

use std::collections::BTreeMap;

use serde_json::Value;

use super::event::{AgEvent, Outcome};
use super::tell::Told;
use crate::domain::bridges::parts::{Grown, Growth, OutputSaid};
use crate::domain::record::SubagentStatus;

/// The outputs of a step.
#[derive(Debug)]
pub struct Outputs {
    run_id: String,
    by_key: BTreeMap<String, Output>,
}

#[derive(Debug)]
struct Output {
    state: State,
    task: Option<String>,
    growth: Growth,
    /// Messages so far.
    messages: u32,
    /// The message that is open.
    message: Option<String>,
    /// Whether there is an activity: then it ends with the output.
    has_activity: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Expected,
    Running,
    Ended,
}

impl Output {
    fn new(task: Option<String>) -> Self {
        let (growth, messages, message, has_activity) = Default::default();
        Self { state: State::Expected, task, growth, messages, message, has_activity }
    }
}

impl Outputs {
    /// None yet. Their ids begin with the run's, as those of another run with the same client must be others.
    pub fn new(run_id: &str) -> Self {
        Self { run_id: run_id.to_owned(), by_key: BTreeMap::new() }
    }

    /// Takes note of what each was asked.
    pub fn expect(&mut self, expected: &[Value]) {
        for item in expected {
            let field = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
            if let Some(key) = field("result_key") {
                self.by_key.entry(key).or_insert_with(|| Output::new(field("task")));
            }
        }
    }

    /// One is heard of.
    pub fn start(&mut self, stage: &str, result_key: &str, told: &mut Told<'_>) {
        let id = self.id(result_key);
        let output = self.by_key.entry(result_key.to_owned()).or_insert_with(|| Output::new(None));
        if output.state == State::Expected {
            output.state = State::Running;
            let description = output.task.as_deref();
            told.event(AgEvent::SubagentStarted { subagent_run_id: &id, name: stage, description });
        }
    }

    /// One has said something, or something was said for it. After its end nothing is told of it.
    pub fn take<'a>(&mut self, said: &OutputSaid<'a>, told: &mut Told<'a>) {
        let before = told.metadata;
        told.metadata.revision = Some(said.revision);
        told.metadata.attempt = Some(said.attempt);
        told.metadata.result_key = Some(said.result_key);
        self.start(said.stage, said.result_key, told);
        let id = self.id(said.result_key);
        if let Some(output) = self.by_key.get_mut(said.result_key).filter(|one| one.state == State::Running) {
            if let Some(text) = said.text() {
                output.text(&id, text, told);
            }
            output.activity(&id, said, told);
            if said.status.is_terminal() {
                output.end(&id, said, told);
            }
        }
        told.metadata = before;
    }

    /// Ends those that are running.
    pub fn close(&mut self, code: &str, message: &str, told: &mut Told<'_>) {
        let running = self.by_key.iter_mut().filter(|(_, output)| output.state == State::Running);
        for (key, output) in running {
            let subagent_run_id = &format!("{}/{key}", self.run_id);
            output.end_message(subagent_run_id, told);
            output.state = State::Ended;
            told.event(AgEvent::SubagentError { subagent_run_id, message, code });
        }
    }

    fn id(&self, result_key: &str) -> String {
        format!("{}/{result_key}", self.run_id)
    }
}

impl Output {
    fn text(&mut self, id: &str, text: &str, told: &mut Told<'_>) {
        let tail = match self.growth.take(text) {
            Grown::Not => return,
            Grown::By(tail) => tail,
            Grown::Anew(whole) => {
                told.metadata.replaced = true;
                self.end_message(id, told);
                told.metadata.replaced = false;
                whole
            }
        };
        if tail.is_empty() {
            return;
        }
        let message_id = match &self.message {
            Some(message_id) => message_id,
            None => {
                self.messages += 1;
                let message_id = self.message.insert(format!("{id}/{}", self.messages));
                told.start_message(message_id, None, Some(id));
                message_id
            }
        };
        told.content(message_id, tail, Some(id));
    }

    fn end_message(&mut self, id: &str, told: &mut Told<'_>) {
        if let Some(message_id) = self.message.take() {
            told.end_message(&message_id, Some(id));
        }
    }

    fn end(&mut self, id: &str, said: &OutputSaid<'_>, told: &mut Told<'_>) {
        self.end_message(id, told);
        self.state = State::Ended;
        if said.status == SubagentStatus::Success {
            let (result, outcome) = (said.payload, Outcome::Success);
            told.event(AgEvent::SubagentFinished { subagent_run_id: id, result, outcome });
        } else {
            let (message, code) = (&*said.failure(), said.code());
            told.event(AgEvent::SubagentError { subagent_run_id: id, message, code });
        }
    }

    /// Where it stands, with its table or card; what was told as text stands in its message.
    fn activity(&mut self, id: &str, said: &OutputSaid<'_>, told: &mut Told<'_>) {
        let stands_in_text = match said.status {
            SubagentStatus::Pending | SubagentStatus::InProgress | SubagentStatus::Retry => false,
            SubagentStatus::Partial
            | SubagentStatus::Success
            | SubagentStatus::Error
            | SubagentStatus::Timeout
            | SubagentStatus::Degraded
            | SubagentStatus::Refused
            | SubagentStatus::Cancelled => said.card().is_none(),
        };
        if stands_in_text && !(self.has_activity && said.status.is_terminal()) {
            return;
        }
        self.has_activity = true;
        told.event(AgEvent::ActivitySnapshot {
            message_id: &format!("{id}/activity"),
            activity_type: "SUBAGENT",
            content: &said.standing(),
            subagent_run_id: Some(id),
        });
    }
}
