//! What a reader was told it has seen: no hole, no double, nothing outside of what a frame says it covers.

use std::collections::BTreeSet;

use serde_json::Value;

use super::SseEvent;

/// The part of a log that a reader has covered, over all its connections.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// What it began after.
    pub from: u64,
    /// What it has reached.
    pub to: u64,
    /// The events that it was shown, in order.
    pub events: Vec<u64>,
    /// The events that it was told were left out, in order.
    pub coalesced: Vec<u64>,
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
        let frame = event.json();
        let (from, to) = (frame["from"].as_u64().unwrap(), frame["to"].as_u64().unwrap());
        assert_eq!(from, self.to + 1, "a frame continues what was covered: {}", event.data);
        let events: Vec<u64> =
            frame["events"].as_array().unwrap().iter().map(|event| number(&event["sequence"])).collect();
        assert!(events.len() <= 5, "a frame has at most five events");
        let coalesced: Vec<u64> = frame["coalesced"].as_array().into_iter().flatten().map(number).collect();
        for told in [&events, &coalesced] {
            // In order and inside of frames that follow one another: nothing can come twice.
            let in_order = told.windows(2).all(|two| two[0] < two[1]);
            let inside = told.iter().all(|sequence| (from..=to).contains(sequence));
            assert!(in_order && inside, "out of order, or outside of the frame: {}", event.data);
        }
        assert!(to >= from && coalesced.iter().all(|left_out| !events.contains(left_out)), "{}", event.data);
        if event.name == "planner_stream" || frame["complete"] == true {
            let id = event.id.as_deref().unwrap_or_else(|| panic!("a frame without an id: {event:?}"));
            assert_eq!(id.split('_').nth(1), Some(to.to_string().as_str()), "the id is the frame's end");
        }
        self.events.extend(events);
        self.coalesced.extend(coalesced);
        self.to = to;
    }

    /// Every sequence of the log up to `to` was shown or named as left out, once.
    #[track_caller]
    pub fn assert_whole(&self, to: u64) {
        assert_eq!(self.to, to, "covered up to");
        if self.coalesced.is_empty() && self.events.iter().copied().eq(self.from + 1..=to) {
            return;
        }
        let told: BTreeSet<u64> = self.events.iter().chain(&self.coalesced).copied().collect();
        let whole: BTreeSet<u64> = (self.from + 1..=to).collect();
        let missing: Vec<_> = whole.difference(&told).collect();
        let foreign: Vec<_> = told.difference(&whole).collect();
        assert!(missing.is_empty() && foreign.is_empty(), "missing {missing:?}, foreign {foreign:?}");
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}
