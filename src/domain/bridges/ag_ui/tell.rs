//! Writing what one event of the log makes: when, and where from, are the same for all of it.

use super::event::{AgEvent, Line, Metadata};
use crate::domain::bridges::Event;
use crate::domain::bridges::parts::unix_ms;

/// What is written on account of one event.
pub struct Told<'a> {
    out: &'a mut Vec<u8>,
    timestamp: Option<u64>,
    /// What is said of each of the events.
    pub metadata: Metadata<'a>,
}

/// Writes on account of an event.
pub fn told<'a>(event: &'a Event<'_>, out: &'a mut Vec<u8>) -> Told<'a> {
    let metadata =
        Metadata { sequence: Some(event.sequence), telemetry: event.telemetry, ..Metadata::default() };
    Told { out, timestamp: unix_ms(event.timestamp), metadata }
}

impl<'a> Told<'a> {
    /// Writes on account of something else.
    pub fn plain(out: &'a mut Vec<u8>) -> Self {
        Self { out, timestamp: None, metadata: Metadata::default() }
    }

    /// Writes an event.
    pub fn event(&mut self, event: AgEvent<'_>) {
        Line { event, timestamp: self.timestamp, metadata: self.metadata }.write(self.out);
    }

    /// Begins a message.
    pub fn start_message(&mut self, message_id: &str, name: Option<&str>, subagent_run_id: Option<&str>) {
        self.event(AgEvent::TextMessageStart { message_id, role: "assistant", name, subagent_run_id });
    }

    /// Adds to a message.
    pub fn content(&mut self, message_id: &str, delta: &str, subagent_run_id: Option<&str>) {
        if !delta.is_empty() {
            self.event(AgEvent::TextMessageContent { message_id, delta, subagent_run_id });
        }
    }

    /// Ends a message.
    pub fn end_message(&mut self, message_id: &str, subagent_run_id: Option<&str>) {
        self.event(AgEvent::TextMessageEnd { message_id, subagent_run_id });
    }
}
