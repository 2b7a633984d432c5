//! The log as Agent2Agent clients read it (A2A 1.0, JSON-RPC binding, server side): a step is a task, its session the
//! task's context, its outputs are artifacts.
//!
//! A stream is a list of JSON-RPC responses, each an event of `text/event-stream`: the task as it stands where the
//! reader begins, then one update for each event of the log that changes what a client sees:
//!
//! | our event | update |
//! |---|---|
//! | `step_started` | the task, `TASK_STATE_SUBMITTED` |
//! | `planner_stream` with a payload | `artifactUpdate` of the artifact `<result_key>`: what is new of its text with `append`, else the whole; `lastChunk` at `success`, then with the whole payload as a `data` part |
//! | `subagent_started`, `planner_stream` without one, `planner_progress`, `policy_outcome` | `statusUpdate`, `TASK_STATE_WORKING`, a message |
//! | `synthesis_delta` of the summary | `artifactUpdate` of `/draft` |
//! | `aggregation`, `synthesis` | `artifactUpdate` of `/result`, the second with `lastChunk` |
//! | `plan_step_completed` | `statusUpdate` with the final state; the stream ends |
//!
//! Each has its [`Place`] in `metadata` under [`CURSOR_URI`] and as the event's `id`. A reader who comes back with it gets
//! the task as it was there, then what followed. The protocol has no word for a stream that ends early, so on `drain`
//! nothing is said ([`Next::More`]) and the connection breaks off.

pub mod card;
pub mod request;
mod task;

use serde_json::{Value, json};

pub use self::request::{Call, Fault, Request};

use self::task::Names;
use super::outputs::{Outputs, text};
use super::place::{Start, Track};
use super::{Bridge, Event, Frame, Next, Place, Signal};

/// The extension that tells places: the key in `metadata`, and the URI in the agent's card.
pub const CURSOR_URI: &str = "urn:tributary:a2a:cursor";

/// The version of the protocol.
pub const VERSION: &str = "1.0";

/// A connection of an Agent2Agent client to one task.
#[derive(Debug)]
pub struct A2a {
    id: Value,
    names: Names,
    track: Track,
    outputs: Outputs,
    last: u64,
    is_shown: bool,
}

impl A2a {
    /// A reader of the step, whose request has `id`.
    pub fn new(id: Value, session_id: &str, plan_step_id: &str) -> Self {
        let names = Names { task: plan_step_id.to_owned(), context: session_id.to_owned() };
        let (track, outputs) = (Track::default(), Outputs::default());
        Self { id, names, track, outputs, last: 0, is_shown: false }
    }

    /// The same, who begins at `place`: what came before is given to [`Self::past`].
    pub fn resumed(mut self, place: Place) -> Self {
        self.track = Track::resumed(place);
        self
    }

    /// Takes an event from before the reader's place.
    pub fn past(&mut self, event: &Event<'_>) {
        self.last = event.sequence;
        self.outputs.take(event);
    }

    /// Whether there is a task: nothing of a step that expired, or runs in the shadow, is left to tell.
    pub fn has_begun(&self) -> bool {
        self.outputs.started.is_some()
    }

    /// Whether the step has ended, as far as events were taken.
    pub fn is_over(&self) -> bool {
        self.outputs.ended.is_some()
    }

    /// The task as far as events were taken, as the result of `GetTask`; `place` is where that is.
    pub fn task(&self, place: Option<&Place>) -> Value {
        task::task(&self.names, &self.outputs, place)
    }

    fn frame(&mut self, frame: &Frame<'_>, out: &mut Vec<u8>) {
        let events: Vec<Event<'_>> = frame.events.iter().filter_map(|raw| Event::read(raw)).collect();
        let last_told = events.iter().rposition(|event| task::is_told(event));
        for (index, event) in events.iter().enumerate() {
            let is_seen = self.track.seen(event) > 0;
            if !is_seen && !self.is_shown && self.outputs.started.is_some() {
                self.show(out);
            }
            let written = self.outputs.take(event);
            self.last = event.sequence;
            if is_seen {
                continue;
            }
            let place = match last_told {
                Some(told) if told == index && frame.cursor.is_some() => self.track.after(frame),
                Some(_) | None => self.track.within(event.sequence, 1),
            };
            if !self.is_shown {
                self.is_shown = true;
                let task = task::task(&self.names, &self.outputs, place.as_ref());
                self.write(json!({ "task": task }), place.as_ref(), out);
            } else if let Some(update) =
                task::update(&self.names, event, &self.outputs, written, place.as_ref())
            {
                self.write(update, place.as_ref(), out);
            }
        }
        self.track.took(frame);
        self.show_where_due(out);
    }

    /// Events that replace what was read are told as the task that they make.
    fn snapshot(&mut self, frame: &Frame<'_>, out: &mut Vec<u8>) {
        for event in frame.events.iter().filter_map(|raw| Event::read(raw)) {
            self.last = event.sequence;
            self.outputs.take(&event);
        }
        self.track.took(frame);
        if frame.complete && self.outputs.started.is_some() {
            self.is_shown = false;
            let place = self.track.after(frame);
            self.write_task(place.as_ref(), out);
        }
    }

    /// Shows the task, unless events that the reader has seen are still to come again.
    fn show_where_due(&mut self, out: &mut Vec<u8>) {
        if !self.is_shown && self.outputs.started.is_some() && !self.track.is_behind(self.last) {
            self.show(out);
        }
    }

    fn show(&mut self, out: &mut Vec<u8>) {
        let place = self.track.within(self.last, 1);
        self.write_task(place.as_ref(), out);
    }

    fn write_task(&mut self, place: Option<&Place>, out: &mut Vec<u8>) {
        self.is_shown = true;
        let task = task::task(&self.names, &self.outputs, place);
        self.write(json!({ "task": task }), place, out);
    }

    fn write(&self, result: Value, place: Option<&Place>, out: &mut Vec<u8>) {
        let response = json!({ "jsonrpc": "2.0", "id": self.id, "result": result });
        write(&response, place, out);
    }

    fn fail(&self, fault: &Fault, out: &mut Vec<u8>) {
        write(&fault.response(&self.id), None, out);
    }
}

impl Bridge for A2a {
    fn take(&mut self, signal: &Signal<'_>, out: &mut Vec<u8>) -> Next {
        match signal {
            Signal::Open(open) => {
                if self.track.open(open) == Start::Anew {
                    (self.outputs, self.last, self.is_shown) = (Outputs::default(), 0, false);
                } else if !self.track.has_more_to_skip() {
                    self.show_where_due(out);
                }
                Next::More
            }
            Signal::Frame(frame) => {
                self.frame(frame, out);
                Next::More
            }
            Signal::Snapshot(frame) => {
                self.snapshot(frame, out);
                Next::More
            }
            Signal::Heartbeat => {
                out.extend_from_slice(b": heartbeat\n\n");
                Next::More
            }
            Signal::Drain { .. } => Next::More,
            Signal::End { .. } => {
                if self.outputs.ended.is_none() {
                    self.fail(&Fault::task_not_found("no more is kept of the task, or it isn't shown"), out);
                }
                Next::Done
            }
            Signal::Error(problem) => {
                let problem: Value = serde_json::from_str(problem.get()).unwrap_or_default();
                self.fail(&Fault::of_problem(text(&problem, "code"), text(&problem, "detail")), out);
                Next::Done
            }
        }
    }
}

fn write(response: &Value, place: Option<&Place>, out: &mut Vec<u8>) {
    if let Some(place) = place {
        out.extend_from_slice(format!("id: {place}\n").as_bytes());
    }
    out.extend_from_slice(format!("data: {response}\n\n").as_bytes());
}

#[cfg(test)]
mod tests;
