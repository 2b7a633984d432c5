//! Frames: up to five events with the range they cover, many frames a write, built once for all who stand at the same
//! place.

use std::collections::HashSet;
use std::sync::Arc;

use bytes::Bytes;
use tokio::time::Instant;

use super::framing::Framing;
use super::view::View;
use crate::domain::entry::Entry;
use crate::domain::ids::StepId;
use crate::domain::position::{Epoch, Position, Sequence};
use crate::domain::record::{Output, Record};

/// What a frame of one event needs around it, about.
const FRAME_BYTES: usize = 160;

/// How a reader wants its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The text around.
    pub framing: Framing,
    /// Events a frame at most.
    pub batch: usize,
    /// Bytes after which a chunk takes no further frame.
    pub chunk_bytes: usize,
}

/// Frames for one write, and how far they lead.
#[derive(Debug, Clone)]
pub struct Chunk {
    /// The frames; empty where nothing of the view passed.
    pub bytes: Bytes,
    /// The place after the last entry that was looked at.
    pub scanned: Position,
    /// The last sequence that a frame covers.
    pub covered: Sequence,
    /// Whether it ended because it was full, not because there was no more.
    pub full: bool,
    /// Whether the last entry of the view's step is in it.
    pub ended: bool,
    /// How many frames.
    pub frames: u32,
    /// How many events were skipped.
    pub coalesced: u32,
    /// When the first of its events came, where that isn't long ago.
    pub came_at: Option<Instant>,
}

/// Builds frames of `entries`, which follow `scanned` without a hole; what was covered before ends at `covered`.
pub fn build(
    entries: &[Arc<Entry>],
    scanned: Position,
    covered: Sequence,
    view: &View,
    layout: Layout,
    coalesce: bool,
) -> Chunk {
    let skipped = if coalesce { superseded(entries, view) } else { HashSet::new() };
    let bytes = entries.iter().map(|entry| entry.wire().map_or(0, <[u8]>::len) + FRAME_BYTES).sum();
    let mut chunk = ChunkBuilder::new(scanned, covered, layout, bytes);
    for entry in entries {
        if chunk.is_full() {
            chunk.full = true;
            break;
        }
        if skipped.contains(&entry.sequence) {
            chunk.skipped.push(entry.sequence);
            chunk.coalesced += 1;
        } else if view.shows(entry)
            && let Some(wire) = entry.wire()
        {
            chunk.add(wire);
        }
        chunk.pass(entry);
        if view.ends_with(entry) {
            chunk.ended = true;
            break;
        }
    }
    chunk.finish()
}

/// The partials that a later event of the same output in the same backlog replaces.
fn superseded(entries: &[Arc<Entry>], view: &View) -> HashSet<Sequence> {
    let mut later: HashSet<&Output> = HashSet::new();
    let mut skipped = HashSet::new();
    for entry in entries.iter().rev().filter(|entry| view.shows(entry)) {
        if let Record::Subagent { output, status, .. } = &entry.record {
            let replaced = !later.insert(output);
            let is_lost = status.is_terminal() && mutant!("terminal-coalesced");
            if replaced && entry.record.is_partial() || is_lost {
                skipped.insert(entry.sequence);
            }
        }
    }
    skipped
}

struct ChunkBuilder<'a> {
    out: Vec<u8>,
    layout: Layout,
    epoch: Epoch,
    scanned: Position,
    covered: Sequence,
    /// The events of the frame that is open.
    events: Vec<&'a [u8]>,
    events_bytes: usize,
    /// What the frame that is open leaves out.
    skipped: Vec<Sequence>,
    full: bool,
    ended: bool,
    frames: u32,
    coalesced: u32,
}

impl<'a> ChunkBuilder<'a> {
    fn new(scanned: Position, covered: Sequence, layout: Layout, bytes: usize) -> Self {
        Self {
            out: Vec::with_capacity(bytes.min(2 * layout.chunk_bytes)),
            layout,
            epoch: scanned.epoch,
            scanned,
            covered,
            events: Vec::with_capacity(layout.batch),
            events_bytes: 0,
            skipped: Vec::new(),
            full: false,
            ended: false,
            frames: 0,
            coalesced: 0,
        }
    }

    fn is_full(&self) -> bool {
        self.events.is_empty() && self.out.len() >= self.layout.chunk_bytes
    }

    fn add(&mut self, wire: &'a [u8]) {
        if self.events.len() == self.layout.batch {
            self.close_frame();
        }
        self.events.push(wire);
        self.events_bytes += wire.len();
    }

    fn pass(&mut self, entry: &Entry) {
        self.scanned = entry.position(self.epoch);
        if !self.events.is_empty() && self.out.len() + self.events_bytes >= self.layout.chunk_bytes {
            self.close_frame();
        }
    }

    fn close_frame(&mut self) {
        let Self { out, layout, events, skipped, scanned, covered, .. } = self;
        layout.framing.event(out, "planner_stream", Some(scanned), |out| {
            let from = if mutant!("frame-covers-too-much") { *covered } else { covered.next() };
            write_frame(out, from, scanned.sequence, events, skipped, None);
        });
        self.frames += 1;
        self.covered = self.scanned.sequence;
        self.events.clear();
        self.events_bytes = 0;
        self.skipped.clear();
    }

    fn finish(mut self) -> Chunk {
        if !self.events.is_empty() {
            self.close_frame();
        }
        let Self { out, scanned, covered, full, ended, frames, coalesced, .. } = self;
        Chunk { bytes: out.into(), scanned, covered, full, ended, frames, coalesced, came_at: None }
    }
}

/// Writes a frame's JSON.
pub fn write_frame(
    out: &mut Vec<u8>,
    from: Sequence,
    to: Sequence,
    events: &[&[u8]],
    coalesced: &[Sequence],
    complete: Option<bool>,
) {
    out.extend_from_slice(b"{\"from\":");
    out.extend_from_slice(itoa::Buffer::new().format(from.0).as_bytes());
    out.extend_from_slice(b",\"to\":");
    out.extend_from_slice(itoa::Buffer::new().format(to.0).as_bytes());
    out.extend_from_slice(b",\"events\":[");
    for (index, event) in events.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(event);
    }
    out.push(b']');
    if !coalesced.is_empty() {
        out.extend_from_slice(b",\"coalesced\":");
        serde_json::to_writer(&mut *out, coalesced).expect("numbers are JSON");
    }
    if let Some(complete) = complete {
        out.extend_from_slice(if complete { b",\"complete\":true" } else { b",\"complete\":false" });
    }
    out.push(b'}');
}

/// Who of a step's readers, or of the whole session's, may share a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareKey {
    /// The reader's place, with its branch: at the same sequence of another branch other entries follow.
    pub scanned: Position,
    /// What it was shown before.
    pub covered: Sequence,
    /// Its layout.
    pub layout: Layout,
    /// Whether partials are skipped.
    pub coalesce: bool,
}

/// The last few chunks of a session, for whoever stands at the same place.
#[derive(Debug, Default)]
pub struct FrameCache {
    chunks: Vec<Shared>,
    /// The oldest, once there are as many as may be.
    next: usize,
    /// The one that was put in last: what most look for.
    latest: usize,
}

#[derive(Debug)]
struct Shared {
    key: ShareKey,
    step: Option<StepId>,
    chunk: Chunk,
}

const SHARED_CHUNKS: usize = 8;

impl FrameCache {
    /// The chunk for readers of `step`, unless the log has moved on since it was built.
    pub fn get(&self, key: &ShareKey, step: Option<&StepId>, tail: Position) -> Option<Chunk> {
        let (older, from_latest) = self.chunks.split_at(self.latest);
        let Shared { chunk, .. } = from_latest.iter().chain(older).find(|shared| shared.is_for(key, step))?;
        (chunk.full || chunk.ended || chunk.scanned == tail).then(|| chunk.clone())
    }

    /// Keeps a chunk in place of the oldest.
    pub fn put(&mut self, key: ShareKey, step: Option<&StepId>, chunk: Chunk) {
        if let Some(known) = self.chunks.iter().position(|shared| shared.is_for(&key, step)) {
            self.chunks[known].chunk = chunk;
            self.latest = known;
            return;
        }
        let shared = Shared { key, step: step.cloned(), chunk };
        if self.chunks.len() < SHARED_CHUNKS {
            self.latest = self.chunks.len();
            self.chunks.push(shared);
        } else {
            self.latest = self.next;
            self.chunks[self.latest] = shared;
            self.next = (self.next + 1) % SHARED_CHUNKS;
        }
    }

    /// Lets all go.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Shared {
    fn is_for(&self, key: &ShareKey, step: Option<&StepId>) -> bool {
        self.key == *key && self.step.as_ref() == step
    }
}
