//! A few subagents, each with a request body of NDJSON that goes on and on: how fast events are taken in.
//!
//! nchan has no such thing, so there is nothing to stand it beside. Lines are made once and only their revisions are
//! patched, in place, so that one generator thread can feed a server on the other core.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use memchr::memmem;

use crate::event;
use crate::figures::Finding;
use crate::load::Load;
use crate::scale::Scale;
use crate::server::{Server, create_all};
use crate::servers::{Kind, Servers};
use crate::tributary::events;

/// Lines in a chunk.
const LINES: usize = 256;
/// Chunks in a body: some seconds of it, then an answer is due and the next body follows.
const CHUNKS: usize = 400;
/// The first revision. All up to 9,999,999 are of one width.
pub(super) const FIRST: u64 = 1_000_000;

/// Events of a session at most: a fast machine would reach `limits.events_per_session`.
const EVENTS: usize = 900_000;

/// One subagent's endless output.
pub(super) struct Feed {
    head: Vec<u8>,
    chunk: Vec<u8>,
    /// Where each line's revision stands in `chunk`.
    revisions: Vec<usize>,
    pub(super) revision: u64,
    /// Chunks sent of the current body.
    sent: usize,
    /// Chunks that it still sends.
    left: usize,
}

impl Feed {
    pub(super) fn new(server: &dyn Server, stream: usize) -> Result<Self> {
        let path = events(stream);
        let address = server.address();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n"
        );
        let line = event::body(FIRST) + "\n";
        let mut chunk = format!("{:x}\r\n", line.len() * LINES).into_bytes();
        let revision = br#""revision":"#;
        let at =
            memmem::find(line.as_bytes(), revision).context("an event without a revision")? + revision.len();
        let revisions = (0..LINES).map(|index| chunk.len() + index * line.len() + at).collect();
        chunk.extend(line.as_bytes().repeat(LINES));
        chunk.extend(b"\r\n");
        Ok(Self { head: head.into_bytes(), chunk, revisions, revision: FIRST, sent: 0, left: EVENTS / LINES })
    }

    /// One that ends after so many events, rounded to whole chunks; at most one body.
    pub(super) fn bounded(server: &dyn Server, stream: usize, events: u64) -> Result<Self> {
        let left = (events as usize / LINES).min(CHUNKS);
        Ok(Self { left, ..Self::new(server, stream)? })
    }

    /// Whether it has sent everything, but for the end of its body.
    pub(super) fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Sends chunks until the socket takes no more; begins and ends bodies on the way.
    pub(super) fn feed(&mut self, load: &mut Load, publisher: usize) -> Result<()> {
        while self.left > 0 && !load.publishers[publisher].is_blocked() {
            if self.sent == CHUNKS {
                self.end(load, publisher)?;
            }
            if self.sent == 0 {
                load.publishers[publisher].request(&self.head)?;
            }
            for at in &self.revisions {
                self.chunk[*at..at + 7].copy_from_slice(format!("{:07}", self.revision).as_bytes());
                self.revision += 1;
            }
            self.sent += 1;
            self.left -= 1;
            load.publishers[publisher].write(&self.chunk)?;
        }
        Ok(())
    }

    pub(super) fn end(&mut self, load: &mut Load, publisher: usize) -> Result<()> {
        self.sent = 0;
        load.publishers[publisher].write(b"0\r\n\r\n")
    }
}

pub fn run(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let server = servers.start(kind)?;
    create_all(server.as_ref(), scale.bodies)?;
    let mut load = Load::new()?;
    let mut feeds = Vec::new();
    for stream in 0..scale.bodies {
        load.connect_publisher(server.address())?;
        load.watch_writes(stream, true)?;
        feeds.push(Feed::new(server.as_ref(), stream)?);
    }

    let (before, start) = (server.process().cpu()?, Instant::now());
    while start.elapsed() < scale.period && !feeds.iter().all(Feed::is_done) {
        for (publisher, feed) in feeds.iter_mut().enumerate() {
            feed.feed(&mut load, publisher)?;
        }
        load.turn(Duration::from_millis(20), &mut Vec::new())?;
    }
    for (publisher, feed) in feeds.iter_mut().enumerate() {
        feed.end(&mut load, publisher)?;
        load.watch_writes(publisher, load.publishers[publisher].is_blocked())?;
    }
    load.until_delivered(0)?;
    let (seconds, after) = (start.elapsed().as_secs_f64(), server.process().cpu()?);

    let sent: u64 = feeds.iter().map(|feed| feed.revision - FIRST).sum();
    let accepted: u64 = load.publishers.iter().map(|publisher| publisher.accepted).sum();
    ensure!(accepted == sent, "{accepted} of {sent} events were accepted");
    Ok(vec![
        ("events per second", sent as f64 / seconds),
        ("CPU per event", after.since(&before) as f64 / 1_000.0 / sent as f64),
    ])
}
