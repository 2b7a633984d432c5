//! The answer of an Agent2Agent agent (A2A 1.0, and 0.3 before it), and the request for it.
//!
//! An answer is a stream of JSON-RPC responses over Server-Sent Events (`SendStreamingMessage`, in 0.3 `message/stream`)
//! or one JSON-RPC response (`SendMessage`, `message/send`). Both versions are read, by their shapes; so is the HTTP+JSON
//! binding, whose results stand there without an envelope.
//!
//! | the agent says | here |
//! |---|---|
//! | a message | the success |
//! | `submitted` | an event `pending`, which whoever was asked need not be told |
//! | `working` | an event `in_progress`, its message as payload `{"progress": "…"}` |
//! | artifacts | the output so far (`output_so_far`) |
//! | `completed` | the success: the artifacts, else the message of the status |
//! | `failed`, `rejected`, `canceled`, `input-required`, `auth-required` | a failure: `task_failed`, `rejected`, `cancelled`, `input_required`, `auth_required` |
//! | a JSON-RPC error | a failure (`failure.rs` has the codes) |
//! | the stream ends in another state | the failure `ended_early`, retryable |
//! | one JSON response in another state | accepted, and left open; where no stream was asked for, the caller asks after the task |
//!
//! Once there is output, `in_progress` isn't said any more: as a later revision it would take the output's place. A
//! message, an error, and a state that is final or interrupted (nobody gives the agent more input during a call) are its
//! last word: what follows makes no difference.

use std::collections::VecDeque;

use self::task::TaskSoFar;
use super::form::Form;
use super::part::trimmed;
use super::{Bounds, End, Failure, ReadAnswer, Said};
use crate::domain::event::RawJson;

mod about;
mod failure;
mod manner;
mod output;
mod request;
mod shapes;
mod task;
#[cfg(test)]
mod tests;

pub use self::about::{a2a_inquiry, a2a_withdrawal, read_withdrawal};
pub use self::manner::{A2aChoice, A2aManner, A2aTried, read_refusal};
pub use self::request::{A2aIds, A2aRequest, A2aVersion, a2a_request};

/// Reads the answer of an agent.
#[derive(Debug)]
pub(super) struct A2aReader {
    body: Form,
    task: TaskSoFar,
}

impl A2aReader {
    /// A reader of one answer. `is_json`: its content type says that it is no stream.
    pub(super) fn new(bounds: Bounds, is_json: bool) -> Self {
        Self { body: Form::of(bounds, is_json), task: TaskSoFar::new(bounds.text_bytes) }
    }
}

impl ReadAnswer for A2aReader {
    fn feed(&mut self, chunk: &[u8], said: &mut VecDeque<Said>) -> Result<(), Failure> {
        let chunk = self.body.begin(chunk);
        match &mut self.body {
            Form::Unknown(_) => Ok(()),
            Form::Whole(body) => body.feed(chunk),
            Form::Stream(decoder) => {
                let task = &mut self.task;
                decoder.feed(chunk, &mut |event| match trimmed(event.data) {
                    // Proxies keep streams open with empty events.
                    "" => Ok(()),
                    _ if task.is_over() => Ok(()),
                    text if event.name == "error" && !text.starts_with('{') => {
                        task.broke_off(text);
                        Ok(())
                    }
                    text => task.response(text, said),
                })
            }
        }
    }

    fn is_over(&self) -> bool {
        self.task.is_over()
    }

    fn finish(&mut self, said: &mut VecDeque<Said>) -> Result<End, Failure> {
        // What can't be read broke off, which the end tells.
        if matches!(self.body, Form::Stream(_)) && !self.is_over() && self.feed(b"\n\n", said).is_err() {
            return self.task.end(true);
        }
        let Form::Whole(body) = &self.body else { return self.task.end(true) };
        match body.text()? {
            "" => {}
            text => self.task.response(text, said)?,
        }
        self.task.end(false)
    }

    fn output_so_far(&mut self) -> Option<RawJson> {
        self.task.output.take_changed()
    }

    fn text_len(&self) -> usize {
        self.task.output.text_len()
    }

    fn open_task(&self) -> Option<&str> {
        self.task.open_id()
    }
}
