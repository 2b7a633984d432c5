//! What of a session a reader wants to see, and from where.

use serde::Deserialize;

use crate::domain::entry::Entry;
use crate::domain::ids::{StepId, SubagentKey};
use crate::domain::position::{InvalidCursor, Position, Sequence, is_plain_number};
use crate::domain::record::{EventType, Record};

/// A reader's filters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// One step; `None`: all of the session.
    pub step: Option<StepId>,
    /// Only these subagents' events; empty: all.
    pub subagents: Vec<SubagentKey>,
    /// Only these types; empty: all.
    pub types: Vec<EventType>,
}

impl View {
    /// Whether nothing but a step is chosen, so that readers share frames.
    pub fn is_plain(&self) -> bool {
        self.subagents.is_empty() && self.types.is_empty()
    }

    /// Whether nothing is chosen.
    pub fn shows_all(&self) -> bool {
        self.step.is_none() && self.is_plain()
    }

    /// Whether a reader of this view sees the entry. What concerns the whole session is seen in every step.
    pub fn shows(&self, entry: &Entry) -> bool {
        let record = &entry.record;
        let Some(event_type) = record.event_type() else { return false };
        // The same record may stand without an event.
        entry.wire().is_some()
            && !entry.unseen
            && self.holds_step(record)
            && (self.types.is_empty() || self.types.contains(&event_type))
            && (self.subagents.is_empty()
                || mutant!("filter-ignored")
                || record.output().is_some_and(|output| self.subagents.contains(&output.stage))
                || (event_type == EventType::PolicyOutcome && self.is_about_chosen(entry)))
    }

    /// Whether a safety decision is about one of the chosen subagents. Only its event says so; there are few.
    fn is_about_chosen(&self, decision: &Entry) -> bool {
        #[derive(Deserialize)]
        struct Wire {
            content: Content,
        }
        #[derive(Deserialize)]
        struct Content {
            stage: Option<SubagentKey>,
        }
        let wire = decision.wire().and_then(|wire| serde_json::from_slice::<Wire>(wire).ok());
        wire.and_then(|wire| wire.content.stage).is_some_and(|stage| self.subagents.contains(&stage))
    }

    fn holds_step(&self, record: &Record) -> bool {
        match (&self.step, record.step()) {
            (Some(wanted), Some(step)) => wanted == step,
            (None, _) | (_, None) => true,
        }
    }

    /// Whether the entry is the last one of this view's step.
    pub fn ends_with(&self, entry: &Entry) -> bool {
        matches!((&self.step, &entry.record), (Some(wanted), Record::StepEnded { step }) if wanted == step)
    }
}

/// Where a reader starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartAt {
    /// At the beginning.
    #[default]
    Start,
    /// After what is there.
    Tail,
    /// With the last of everything instead of every event.
    Snapshot,
    /// After a cursor that this or another log gave.
    Cursor(Position),
    /// After a sequence, whatever came before it.
    Sequence(Sequence),
    /// With the last so many events.
    Last(usize),
}

impl std::str::FromStr for StartAt {
    type Err = InvalidCursor;
    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        match text {
            "start" => Ok(Self::Start),
            "tail" => Ok(Self::Tail),
            "snapshot" => Ok(Self::Snapshot),
            number if is_plain_number(number) => {
                number.parse().map(|n| Self::Sequence(Sequence(n))).map_err(|_| InvalidCursor)
            }
            cursor => cursor.parse().map(Self::Cursor),
        }
    }
}
