//! A reader of a step: which of the agents' events it has seen, how often, and where it would go on.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use anyhow::{Context, Result};

use crate::step::body::Body;
use crate::step::dialect::{Dialect, Position};
use crate::step::sse::Sse;

/// An event's revision is so many times its agent, plus its token, which counts from 1.
pub const AGENT: u64 = 1_000_000;

/// A reader, connected or not.
pub struct Follower {
    socket: Option<TcpStream>,
    body: Body,
    sse: Sse,
    pub position: Position,
    /// How often each event came, by agent and token.
    seen: Vec<u8>,
    tokens: usize,
    /// Different events seen.
    pub distinct: usize,
    /// Events seen again.
    pub doubled: usize,
    /// Read, but not yet covered by a position: who goes on from there gets them again.
    uncovered: Vec<u64>,
    pub bytes: u64,
    /// The server ended its stream, or refused one.
    pub has_ended: bool,
}

impl Follower {
    /// One that expects so many tokens of each of `agents`.
    pub fn new(agents: usize, tokens: usize) -> Self {
        Self {
            socket: None,
            body: Body::new(),
            sse: Sse::default(),
            position: Position::default(),
            seen: vec![0; agents * tokens],
            tokens,
            distinct: 0,
            doubled: 0,
            uncovered: Vec::new(),
            bytes: 0,
            has_ended: false,
        }
    }

    /// Asks on a fresh connection. What was read of an event that isn't whole counts only where the position does too.
    pub fn connect(&mut self, mut socket: TcpStream, request: &[u8], dialect: &dyn Dialect) -> Result<()> {
        socket.write_all(request).context("asking for a step's events")?;
        self.socket = Some(socket);
        self.body = Body::new();
        self.uncovered.clear();
        if !dialect.counts_characters() {
            self.sse = Sse::default();
        }
        Ok(())
    }

    pub fn disconnect(&mut self) {
        self.socket = None;
    }

    /// Whether the stream has begun.
    pub fn is_open(&self) -> bool {
        self.body.status == Some(200)
    }

    /// Whether nothing more can come or is needed.
    pub fn is_done(&self) -> bool {
        self.has_ended || self.distinct == self.seen.len()
    }

    pub fn lost(&self) -> usize {
        self.seen.len() - self.distinct
    }

    /// Reads once. An answer other than 200 and an end are noted, not errors: some servers can't do what is asked.
    pub fn read(&mut self, buffer: &mut [u8], dialect: &dyn Dialect) -> Result<()> {
        let Some(socket) = &mut self.socket else { return Ok(()) };
        let count = match socket.read(buffer) {
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(());
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => 0,
            Err(error) => return Err(error).context("reading a step's events"),
        };
        self.bytes += count as u64;
        let content = self.body.feed(&buffer[..count])?;
        self.position.characters += content.len() as u64;
        let mut covered = Vec::new();
        let (position, uncovered) = (&mut self.position, &mut self.uncovered);
        self.sse.feed(&content, |event| {
            if dialect.read(event, position, uncovered) {
                covered.append(uncovered);
            }
        });
        covered.into_iter().for_each(|revision| self.count(revision));
        if count == 0 || self.body.has_ended() || self.body.status.is_some_and(|status| status != 200) {
            self.has_ended = true;
            self.socket = None;
        }
        Ok(())
    }

    fn count(&mut self, revision: u64) {
        let at = (revision / AGENT) as usize * self.tokens + (revision % AGENT) as usize - 1;
        // An event that nobody sent would be the generator's own fault, and a loss elsewhere.
        let Some(seen) = self.seen.get_mut(at) else { return };
        if *seen == 0 {
            self.distinct += 1;
        } else {
            self.doubled += 1;
        }
        *seen = seen.saturating_add(1);
    }
}
