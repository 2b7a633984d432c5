//! What a reader was told it has seen: no hole, no double, nothing outside of what a frame says it covers.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use super::SseEvent;

/// What a frame says of itself, and of its events only their numbers.
#[derive(Debug, Deserialize)]
pub struct Frame {
    /// The first sequence that it covers.
    pub from: u64,
    /// The last.
    pub to: u64,
    events: Vec<Numbered>,
    #[serde(default)]
    coalesced: Vec<u64>,
    complete: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Numbered {
    sequence: u64,
}

/// The part of a log that a reader has covered, over all its connections.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// What it began after.
    pub from: u64,
    /// What it has reached.
    pub to: u64,
    /// The events that it was shown.
    pub events: BTreeSet<u64>,
    /// The events that it was told were left out.
    pub coalesced: BTreeSet<u64>,
}

impl Coverage {
    /// Nothing yet, after what an `open` event says.
    pub fn after(open: &Value) -> Self {
        let from = open["from"].as_u64().unwrap();
        Self { from, to: from, ..Self::default() }
    }

    /// Another connection begins: it must continue where the last one ended.
    #[track_caller]
    pub fn resume(&mut self, open: &Value) {
        assert_eq!(
            (open["recovered"].as_bool(), open["from"].as_u64()),
            (Some(true), Some(self.to)),
            "{open}"
        );
    }

    /// Takes a frame: it continues without a hole, its events are new, in order and inside.
    #[track_caller]
    pub fn take(&mut self, event: &SseEvent) {
        assert!(matches!(event.name.as_str(), "planner_stream" | "snapshot"), "no frame: {event:?}");
        let frame: Frame = serde_json::from_str(&event.data).unwrap();
        assert_eq!(frame.from, self.to + 1, "a frame continues what was covered: {}", event.data);
        assert!(frame.to >= frame.from, "a frame covers something: {}", event.data);
        assert!(frame.events.len() <= 5, "a frame has at most five events");
        let in_order = frame.events.windows(2).all(|two| two[0].sequence < two[1].sequence);
        assert!(in_order, "events are in order: {}", event.data);
        for sequence in frame.events.iter().map(|event| event.sequence) {
            self.check_inside(&frame, sequence);
            assert!(self.events.insert(sequence), "{sequence} came twice");
        }
        for sequence in frame.coalesced.iter().copied() {
            self.check_inside(&frame, sequence);
            assert!(!self.events.contains(&sequence), "{sequence} was shown and left out");
            assert!(self.coalesced.insert(sequence), "{sequence} was left out twice");
        }
        if event.name == "planner_stream" || frame.complete == Some(true) {
            let id = event.id.as_deref().unwrap_or_else(|| panic!("a frame without an id: {event:?}"));
            assert_eq!(
                id.split('_').nth(1),
                Some(frame.to.to_string().as_str()),
                "the id is the frame's end"
            );
        }
        self.to = frame.to;
    }

    #[track_caller]
    fn check_inside(&self, frame: &Frame, sequence: u64) {
        assert!((frame.from..=frame.to).contains(&sequence), "{sequence} is outside of its frame");
    }

    /// Every sequence of the log up to `to` was shown or named as left out, once.
    #[track_caller]
    pub fn assert_whole(&self, to: u64) {
        assert_eq!(self.to, to, "covered up to");
        let told: BTreeSet<u64> = self.events.union(&self.coalesced).copied().collect();
        let whole: BTreeSet<u64> = (self.from + 1..=to).collect();
        let missing: Vec<_> = whole.difference(&told).collect();
        let foreign: Vec<_> = told.difference(&whole).collect();
        assert!(missing.is_empty() && foreign.is_empty(), "missing {missing:?}, foreign {foreign:?}");
    }
}
