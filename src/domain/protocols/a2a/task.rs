//! What an agent's results come to, one by one: its task's state, its output, and how the answer ends.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::failure;
use super::output::{Output, quoted};
use super::shapes::{ArtifactUpdate, Envelope, Found, Message, Probe, State, Status, StatusUpdate, Task};
use crate::domain::canonical_json::Text;
use crate::domain::event::parse_event;
use crate::domain::ids::{InvalidId, SubagentKey};
use crate::domain::protocols::part::message;
use crate::domain::protocols::tally::empty;
use crate::domain::protocols::{End, Failure, Said};

/// Longest id of a task that is remembered, in bytes. Those of the official SDKs have 36.
const ID_BYTES_MAX: usize = 512;

/// What is known of the agent's task.
#[derive(Debug)]
pub(super) struct TaskSoFar {
    pub output: Output,
    id: Option<String>,
    state: State,
    /// Whether the agent answered with a message.
    answered: bool,
    failure: Option<Failure>,
    said_pending: bool,
    said_working: bool,
    /// Whether anything was read.
    begun: bool,
}

impl TaskSoFar {
    /// Nothing yet; at most `output_bytes` of output.
    pub fn new(output_bytes: usize) -> Self {
        Self {
            output: Output::new(output_bytes),
            id: None,
            state: State::Unknown,
            answered: false,
            failure: None,
            said_pending: false,
            said_working: false,
            begun: false,
        }
    }

    /// The stream says, not in the protocol's words, that it broke off.
    pub fn broke_off(&mut self, text: &str) {
        self.begun = true;
        self.failure = Some(Failure::retryable("rpc_error", text));
    }

    /// One JSON-RPC response, or a result without one.
    pub fn response(&mut self, text: &str, said: &mut VecDeque<Said>) -> Result<(), Failure> {
        self.begun = true;
        let envelope: Envelope<'_> = message(text)?;
        match (envelope.error, envelope.result, envelope.jsonrpc) {
            (Some(error), _, _) => self.failure = Some(failure::of_error(error)),
            (None, Some(result), _) => return self.result(result.get(), said),
            (None, None, None) => return self.result(text, said),
            (None, None, Some(_)) => {}
        }
        Ok(())
    }

    fn result(&mut self, text: &str, said: &mut VecDeque<Said>) -> Result<(), Failure> {
        let probe: Probe<'_> = match text.starts_with('{') {
            true => fields(text)?,
            false => return Ok(()),
        };
        match probe.found(text) {
            Some(Found::Task(text)) => {
                let task: Task<'_> = fields(text)?;
                self.named(task.id);
                for artifact in &task.artifacts {
                    self.output.artifact(artifact, false)?;
                }
                self.status(task.status, task.metadata, said)
            }
            Some(Found::StatusUpdate(text)) => {
                let update: StatusUpdate<'_> = fields(text)?;
                self.named(update.task_id);
                self.status(update.status, update.metadata, said)
            }
            Some(Found::ArtifactUpdate(text)) => {
                let update: ArtifactUpdate<'_> = fields(text)?;
                let append = update.append.unwrap_or(false);
                update.artifact.map_or(Ok(()), |artifact| self.output.artifact(&artifact, append))
            }
            Some(Found::Message(text)) => {
                let message: Message<'_> = fields(text)?;
                self.output.message(&message.parts)?;
                self.answered = true;
                Ok(())
            }
            // A kind of result that comes with a later version.
            None => Ok(()),
        }
    }

    fn status(
        &mut self,
        status: Option<Status<'_>>,
        metadata: Option<&RawValue>,
        said: &mut VecDeque<Said>,
    ) -> Result<(), Failure> {
        let Some(Status { state, message }) = status else { return Ok(()) };
        if state == State::Unknown {
            return Ok(());
        }
        match state {
            State::Submitted if !self.said_pending && !self.said_working => {
                self.said_pending = true;
                said.push_back(progress("pending", "")?);
            }
            State::Working => self.working(message.as_ref(), said)?,
            State::Completed if self.output.is_empty() => {
                self.output.message(message.as_ref().map_or(&[], |message| &*message.parts))?;
            }
            State::Unknown
            | State::Submitted
            | State::Completed
            | State::Failed
            | State::Canceled
            | State::InputRequired
            | State::Rejected
            | State::AuthRequired => self.failure = failure::of_state(state, message.as_ref(), metadata),
        }
        // Only now: what can't be held isn't a last word.
        self.state = state;
        Ok(())
    }

    fn working(&mut self, message: Option<&Message<'_>>, said: &mut VecDeque<Said>) -> Result<(), Failure> {
        let note = message.map(failure::text_of).unwrap_or_default();
        let is_news = !self.said_working || !note.is_empty();
        if is_news && self.output.is_empty() {
            self.said_working = true;
            said.push_back(progress("in_progress", &note)?);
        }
        Ok(())
    }

    fn named(&mut self, id: Option<Text<'_>>) {
        if let Some(Text(id)) = id.filter(|Text(id)| id.len() <= ID_BYTES_MAX)
            && self.id.as_deref() != Some(&*id)
        {
            self.id = Some(id.into_owned());
        }
    }

    /// The task's id, while the agent may still work on it.
    pub fn open_id(&self) -> Option<&str> {
        self.id.as_deref().filter(|_| !self.is_over())
    }

    /// Whether all has been said: by a message, an error, a final state, or an interrupted one (nobody answers the agent
    /// here).
    pub fn is_over(&self) -> bool {
        self.answered || self.failure.is_some() || self.state == State::Completed
    }

    /// What it came to. `is_stream`: nothing more would come.
    pub fn end(&mut self, is_stream: bool) -> Result<End, Failure> {
        if let Some(failure) = self.failure.take() {
            return Ok(End::Failed(failure));
        }
        if self.answered || self.state == State::Completed {
            let raw = self.output.raw().ok_or_else(|| Failure::malformed("the agent's output is no JSON"))?;
            return Ok(End::Success(Some(raw)));
        }
        match self.state {
            _ if !self.begun => Err(empty()),
            State::Submitted | State::Working if !is_stream => Ok(End::LeftOpen),
            State::Unknown if !is_stream => Err(Failure::malformed("the answer is none of the protocol's")),
            State::Unknown
            | State::Submitted
            | State::Working
            | State::Completed
            | State::Failed
            | State::Canceled
            | State::InputRequired
            | State::Rejected
            | State::AuthRequired => {
                Err(Failure::retryable("ended_early", "the agent's stream ended before its task did"))
            }
        }
    }
}

/// An event without an output, and what the agent notes to it.
fn progress(status: &str, note: &str) -> Result<Said, Failure> {
    let text = match note {
        "" => format!("{{\"status\":\"{status}\"}}"),
        note => format!("{{\"payload\":{{\"progress\":{}}},\"status\":\"{status}\"}}", quoted(note)),
    };
    // The event names no subagent, so any key agrees with it.
    let key: SubagentKey = "a2a".parse().map_err(|error: InvalidId| Failure::malformed(error.to_string()))?;
    let event = parse_event(&text, &key).map_err(|refusal| Failure::malformed(refusal.detail))?;
    Ok(Said::Event(event))
}

/// The fields of a part of a message that was found to be sound.
fn fields<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure::malformed(format!("the agent's answer: {error}")))
}
