//! One reader: where it is in its stream, what it expects on coming back, and what it claims to know.

use std::collections::VecDeque;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::sse::Decoder;
use crate::truth::{Faults, Segment};

/// How many of its last cursors a reader keeps to fall behind with.
const RECENT: usize = 4;

/// A place in a stream.
#[derive(Clone)]
pub struct Cursor {
    pub id: String,
    pub sequence: u64,
}

/// The `data` of an `open` event, as far as it matters here.
#[derive(Deserialize)]
pub struct Open {
    pub from: u64,
    pub tail: u64,
    pub recovered: bool,
    pub reason: String,
}

/// A reader, connected or not.
pub struct Reader {
    pub stream: usize,
    pub path: String,
    /// Verdicts that are fine when it comes (back).
    pub expected: &'static [&'static str],
    /// What it comes back with.
    pub cursor: Option<Cursor>,
    /// Its first cursor of all.
    pub first: Option<Cursor>,
    /// The last ones, the oldest first.
    pub recent: VecDeque<Cursor>,
    /// Everything up to here is known; `None` while a snapshot is awaited.
    pub covered: Option<u64>,
    pub segments: Vec<Segment>,
    /// The stream's tail when it was opened; it has caught up when it is there.
    pub tail: Option<u64>,
    pub has_caught_up: bool,
    /// It came to the stream's end.
    pub has_ended: bool,
    /// The code of an `error` event on this connection.
    pub error: Option<String>,
    pub retry_ms: Option<u64>,
    pub connected_at: Instant,
    pub last_frame_at: Option<Instant>,
    pub decoder: Decoder,
}

impl Reader {
    /// A reader of `path` that begins with whatever `path` says.
    pub fn new(stream: usize, path: String) -> Self {
        Self {
            stream,
            path,
            expected: &["new"],
            cursor: None,
            first: None,
            recent: VecDeque::new(),
            covered: None,
            segments: Vec::new(),
            tail: None,
            has_caught_up: false,
            has_ended: false,
            error: None,
            retry_ms: None,
            connected_at: Instant::now(),
            last_frame_at: None,
            decoder: Decoder::new(),
        }
    }

    /// Makes ready for a connection and returns its request.
    pub fn request(&mut self) -> String {
        self.decoder = Decoder::new();
        self.connected_at = Instant::now();
        (self.tail, self.has_caught_up, self.error) = (None, false, None);
        let cursor = match &self.cursor {
            Some(cursor) => format!("last-event-id: {}\r\n", cursor.id),
            None => String::new(),
        };
        let path = &self.path;
        format!("GET {path} HTTP/1.1\r\nhost: storms\r\naccept: text/event-stream\r\n{cursor}\r\n")
    }

    /// Goes back to an earlier place: what comes after it comes again.
    pub fn go_back_to(&mut self, cursor: Option<Cursor>) {
        self.covered = cursor.as_ref().map(|cursor| cursor.sequence);
        self.cursor = cursor;
        self.recent.clear();
    }

    /// Takes the verdict at the head of a connection, or in the middle of one.
    pub fn open(&mut self, open: &Open, id: Option<&str>, faults: &mut Faults) {
        if !self.expected.contains(&open.reason.as_str()) {
            eprintln!("  a reader of {} expected {:?}: {}", self.path, self.expected, open.reason);
            faults.verdicts += 1;
        }
        self.tail = Some(open.tail);
        if !open.recovered {
            (self.covered, self.cursor) = (None, None);
            return;
        }
        let continues = self.segments.last().is_some_and(|segment| segment.to == open.from);
        if let Some(covered) = self.covered {
            faults.gaps += open.from.saturating_sub(covered);
            faults.doubles += covered.saturating_sub(open.from);
        }
        if !continues {
            self.begin(open.from);
        }
        self.covered = Some(open.from);
        self.keep(id, open.from);
        self.look_whether_caught_up();
    }

    fn begin(&mut self, from: u64) {
        self.segments.push(Segment { from, to: from, ..Segment::default() });
    }

    fn keep(&mut self, id: Option<&str>, sequence: u64) {
        let Some(id) = id else { return };
        let cursor = Cursor { id: id.to_owned(), sequence };
        self.first.get_or_insert_with(|| cursor.clone());
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(cursor.clone());
        self.cursor = Some(cursor);
    }

    /// Takes a frame of events that was looked into already.
    pub fn frame(&mut self, frame: &Segment, id: Option<&str>, faults: &mut Faults) -> Result<()> {
        let covered = self.covered.context("events where a snapshot was due")?;
        faults.gaps += (frame.from).saturating_sub(covered);
        faults.doubles += covered.saturating_sub(frame.from);
        let segment = self.segments.last_mut().context("events before a verdict")?;
        segment.to = frame.to;
        segment.events += frame.events;
        segment.sum = segment.sum.wrapping_add(frame.sum);
        segment.coalesced.extend(&frame.coalesced);
        self.covered = Some(frame.to);
        self.keep(id, frame.to);
        self.look_whether_caught_up();
        Ok(())
    }

    /// Takes the last frame of a snapshot: everything up to `to` is known, and none of it counted.
    pub fn snapshot(&mut self, to: u64, id: Option<&str>) {
        self.begin(to);
        self.covered = Some(to);
        self.keep(id, to);
        self.look_whether_caught_up();
    }

    fn look_whether_caught_up(&mut self) {
        let is_there = |tail| self.covered.is_some_and(|covered| covered >= tail);
        self.has_caught_up = self.has_caught_up || self.tail.is_some_and(is_there);
    }
}
