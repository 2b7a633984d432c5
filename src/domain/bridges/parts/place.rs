//! Which events of a connection are new.
//!
//! A snapshot in the middle of a connection repeats what was read before it. Within one life of the log (an epoch), what a
//! frame covered doesn't come again.

use crate::domain::bridges::{Event, Frame, Open};

/// How far a connection has been read.
#[derive(Debug, Clone, Default)]
pub struct Place {
    epoch: Option<Box<str>>,
    /// The last sequence that was covered.
    read: u64,
}

impl Place {
    /// Takes note of where the log stands. Another epoch is another log: nothing of it has been read.
    pub fn open(&mut self, open: &Open<'_>) {
        if open.epoch != self.epoch.as_deref() {
            *self = Self { epoch: open.epoch.map(Into::into), read: 0 };
        }
    }

    /// Whether an event of the next frame hasn't been read.
    pub fn is_new(&self, event: &Event<'_>) -> bool {
        event.sequence > self.read
    }

    /// Takes note of a frame whose events have been looked at.
    pub fn cover(&mut self, frame: &Frame<'_>) {
        self.read = self.read.max(frame.to);
    }
}
