//! Every event that anybody was shown or told of, by stream and sequence: what readers are held against.
//!
//! Readers keep sums only. When all is over the sums of each are compared with those of the union of what all saw, and every
//! acknowledged event must be in that union, once.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context, Result};
use xxhash_rust::xxh3::xxh3_64;

use crate::response::number_after;

/// A stretch of a stream that a reader claims to know whole.
#[derive(Clone, Default)]
pub struct Segment {
    /// Exclusive.
    pub from: u64,
    /// Inclusive.
    pub to: u64,
    pub events: u64,
    /// Of the events' digests, wrapping.
    pub sum: u64,
    /// Sequences that the reader was told it is spared.
    pub coalesced: Vec<u64>,
}

/// An acknowledged event.
pub struct Acknowledged {
    pub stream: usize,
    pub revision: u64,
    pub sequence: u64,
}

/// What went wrong, counted.
#[derive(Default, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faults {
    /// Events that are missing in a stretch.
    pub gaps: u64,
    /// Events that came again.
    pub doubles: u64,
    /// Events whose bytes differ between two readers.
    pub differing: u64,
    /// Verdicts that a reader's cursor didn't deserve.
    pub verdicts: u64,
    /// Acknowledged events that nobody saw.
    pub lost: u64,
}

struct Entry {
    digest: u64,
    /// Of a subagent's event.
    revision: Option<u64>,
}

/// The streams.
#[derive(Default)]
pub struct Truth {
    streams: BTreeMap<usize, BTreeMap<u64, Entry>>,
    pub faults: Faults,
}

impl Truth {
    /// Takes an event's bytes as a reader got them: its sequence and digest.
    pub fn see(&mut self, stream: usize, event: &str) -> Result<(u64, u64)> {
        let bytes = event.as_bytes();
        let sequence = number_after(bytes, b"\"sequence\":").context("an event without a sequence")?;
        let digest = xxh3_64(bytes);
        let is_output = event.contains(r#""type":"planner_stream""#);
        let revision = || number_after(bytes, b"\"revision\":").filter(|_| is_output);
        let entry = self.streams.entry(stream).or_default().entry(sequence);
        let entry = entry.or_insert_with(|| Entry { digest, revision: revision() });
        if entry.digest != digest {
            self.faults.differing += 1;
        }
        Ok((sequence, digest))
    }

    /// Compares a reader's stretch with what is known now.
    pub fn check(&mut self, stream: usize, segment: &Segment) {
        let Some(entries) = self.streams.get(&stream) else { return };
        let (mut events, mut sum) = (segment.events, segment.sum);
        for sequence in &segment.coalesced {
            let Some(entry) = entries.get(sequence) else { continue };
            events += 1;
            sum = sum.wrapping_add(entry.digest);
        }
        let known = entries.range(segment.from + 1..=segment.to);
        let (count, total) = known
            .fold((0, 0_u64), |(count, total), (_, entry)| (count + 1, total.wrapping_add(entry.digest)));
        self.faults.gaps += u64::saturating_sub(count, events);
        self.faults.doubles += events.saturating_sub(count);
        self.faults.differing += u64::from(count == events && total != sum);
    }

    /// Looks for every acknowledged event in what was shown, and for each revision once.
    pub fn check_acknowledged(&mut self, acknowledged: &[Acknowledged]) {
        for event in acknowledged {
            let shown = self.streams.get(&event.stream).and_then(|stream| stream.get(&event.sequence));
            let is_there = shown.is_some_and(|entry| entry.revision == Some(event.revision));
            self.faults.lost += u64::from(!is_there);
        }
        for entries in self.streams.values() {
            let mut revisions = HashSet::new();
            let again = entries.values().filter_map(|entry| entry.revision);
            self.faults.doubles += again.filter(|revision| !revisions.insert(*revision)).count() as u64;
        }
    }

    /// Drops a stream that all its readers are done with.
    pub fn forget(&mut self, stream: usize) {
        self.streams.remove(&stream);
    }
}
