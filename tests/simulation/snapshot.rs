//! What a snapshot must hold: the last entry of each slot, up to its place.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tributary::domain::entry::Entry;
use tributary::domain::position::Position;
use tributary::domain::record::Record;
use tributary::engine::mux::snapshot_slot;

use crate::ledger::Ledger;

/// What the store may have done to a session before it gave a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    /// Nothing: the snapshot is known to the byte.
    Whole,
    /// Its time may have been over: the snapshot is of what came after.
    Expired,
    /// It has lost data: what is shown was stored once, in that order.
    Lost,
}

/// What is wrong with a snapshot of these events at that place.
pub fn wrong(ledger: &Ledger, shown: &[&[u8]], at: Position, past: Past) -> Option<String> {
    let (log, is_whole) = ledger.up_to(at);
    match past {
        Past::Whole if !is_whole => Some(format!("a snapshot at {at}, which was never stored")),
        Past::Whole => differs(shown, &expected(&log), at),
        // A life begins where it does; after it, and before the next, there is nothing.
        Past::Expired => {
            let is_of_a_life = (0..log.len()).any(|from| expected(&log[from..]) == shown);
            (!is_of_a_life && !shown.is_empty())
                .then(|| format!("the snapshot at {at} is that of no life of the session"))
        }
        Past::Lost => shown
            .windows(2)
            .any(|two| sequence_of(two[0]) >= sequence_of(two[1]))
            .then(|| format!("the snapshot at {at} isn't in order"))
            .or_else(|| {
                let unknown = shown.iter().find(|event| !ledger.has_stored(sequence_of(event), event, at))?;
                Some(format!("the snapshot at {at} shows what was never stored: {}", text(unknown)))
            }),
    }
}

fn differs(shown: &[&[u8]], expected: &[&[u8]], at: Position) -> Option<String> {
    let numbers = |events: &[&[u8]]| events.iter().map(|event| sequence_of(event)).collect::<Vec<_>>();
    (shown != expected).then(|| {
        format!("the snapshot at {at} holds {:?} instead of {:?}", numbers(shown), numbers(expected))
    })
}

/// Of each slot the last; of what an output said before its end only the last of all.
fn expected(log: &[Arc<Entry>]) -> Vec<&[u8]> {
    let mut last: BTreeMap<String, &Arc<Entry>> = BTreeMap::new();
    for entry in log {
        if let Some(slot) = snapshot_slot(entry) {
            last.insert(slot, entry);
        }
    }
    let mut entries: Vec<_> = last.into_values().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.sequence));
    let mut spoken = BTreeSet::new();
    entries.retain(|entry| match &entry.record {
        Record::Subagent { output, status, .. } if !status.is_terminal() => {
            spoken.insert((output.step.clone(), output.result_key.clone()))
        }
        _ => true,
    });
    entries.into_iter().rev().filter_map(|entry| entry.wire()).collect()
}

fn sequence_of(event: &[u8]) -> u64 {
    let event: serde_json::Value = serde_json::from_slice(event).unwrap();
    event["sequence"].as_u64().expect("each event has a sequence")
}

fn text(event: &[u8]) -> String {
    String::from_utf8_lossy(event).into_owned()
}
