//! Bridges: the log as other protocols' clients read it.
//!
//! A bridge is one more cursor on the log: it takes what a reader's connection brings, in order, and writes another
//! protocol's bytes. It decides nothing else: what isn't in the log isn't in its stream.

pub mod a2a;
pub mod ag_ui;
pub mod ai_sdk;
pub mod durable_streams;
mod growth;
pub mod langgraph;
mod outputs;
mod parts;
mod place;
#[cfg(test)]
mod tests;

pub use place::{InvalidPlace, Place};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// What a reader's connection brings, in order.
#[derive(Debug)]
pub enum Signal<'a> {
    /// The first of every connection; again where the log changed under the reader.
    Open(Open<'a>),
    /// Events that continue what was read.
    Frame(Frame<'a>),
    /// Events that replace what was read; the last of them is `complete`.
    Snapshot(Frame<'a>),
    /// Nothing is new, and the connection lives.
    Heartbeat,
    /// The reader is asked to come back at its place.
    Drain {
        /// Its place.
        cursor: Option<&'a str>,
    },
    /// Nothing will follow: `plan_step_completed`, `session_closed` or `expired`.
    End {
        /// The reader's place.
        cursor: Option<&'a str>,
        /// Why.
        reason: &'a str,
    },
    /// Nothing will follow, because of what the problem document (RFC 9457) says.
    Error(&'a RawValue),
}

/// Where a connection begins (docs/reading.md, 3).
#[derive(Debug, Deserialize)]
pub struct Open<'a> {
    /// Of the log; none where nothing is there yet.
    pub epoch: Option<&'a str>,
    /// What the first event follows.
    pub from: u64,
    /// The log's last sequence.
    pub tail: u64,
    /// Its oldest sequence that can be read.
    pub oldest: u64,
    /// Whether this continues the place that was asked for.
    pub recovered: bool,
    /// Why it begins there.
    pub reason: &'a str,
}

/// Events, and the sequences that they cover.
#[derive(Debug, Deserialize)]
pub struct Frame<'a> {
    /// The place after it; a snapshot's only where it is complete.
    #[serde(skip)]
    pub cursor: Option<&'a str>,
    /// The first sequence.
    pub from: u64,
    /// The last.
    pub to: u64,
    /// What of it is seen.
    #[serde(borrow)]
    pub events: Vec<&'a RawValue>,
    /// Of a snapshot: whether it is the last one.
    #[serde(default)]
    pub complete: bool,
}

/// An event, as far as bridges look into it.
#[derive(Debug, Deserialize)]
pub struct Event<'a> {
    /// `step_started`, `planner_stream`, …
    #[serde(rename = "type", borrow)]
    pub event_type: &'a str,
    /// The step, where it is of one.
    #[serde(default, borrow)]
    pub plan_step_id: Option<&'a str>,
    /// Its place.
    pub sequence: u64,
    /// RFC 3339.
    #[serde(borrow)]
    pub timestamp: &'a str,
    /// By its type.
    pub content: Value,
    /// Its trace.
    #[serde(default, borrow)]
    pub telemetry: Option<&'a RawValue>,
}

impl<'a> Event<'a> {
    /// Reads an event of a frame. `None` can't happen for events of the log; a bridge leaves such a one out.
    pub fn read(raw: &'a RawValue) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }
}

/// Whether a bridge's stream goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It does.
    More,
    /// It is complete: the answer ends after what was written.
    Done,
}

/// Translates a connection. One value serves one connection.
pub trait Bridge: Send {
    /// Takes what came next, and writes what the client reads of it, whole events of its protocol.
    fn take(&mut self, signal: &Signal<'_>, out: &mut Vec<u8>) -> Next;
}

/// Adds an event to an event stream.
fn write_event(out: &mut Vec<u8>, event: &impl Serialize) {
    let before = out.len();
    out.extend_from_slice(b"data: ");
    match serde_json::to_writer(&mut *out, event) {
        Ok(()) => out.extend_from_slice(b"\n\n"),
        // Plain data with text keys can't fail; half an event must not be sent in any case.
        Err(_) => out.truncate(before),
    }
}
