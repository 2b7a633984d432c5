//! Logs to write into an archive.

use std::sync::Arc;

use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::ids::SessionKey;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::{AppendId, Epoch, Position};
use tributary::domain::session::{Batch, Command, SessionState};
use tributary::domain::time::Timestamp;
use tributary::engine::ports::archive::{ArchiveBatch, Segment};

use crate::fixtures::{combine, id, post, say, session_key};

/// A session's log and its state.
#[derive(Debug, Clone)]
pub struct Log {
    pub key: SessionKey,
    pub state: SessionState,
    pub entries: Vec<Arc<Entry>>,
    pub now: Timestamp,
}

impl Log {
    /// An empty one.
    pub fn new(session: &str) -> Self {
        let start = Position::start(Epoch::from_random(fastrand::u32(..)));
        let state = SessionState::new(id(session), start);
        Self { key: session_key(session), state, entries: Vec::new(), now: Timestamp(1_000_000) }
    }

    /// One with a running step `p` that expects `r` of `crm`, and so many partials: with the subagent's start, two entries more.
    pub fn running(session: &str, partials: usize) -> Self {
        let mut log = Self::new(session);
        log.does(&[begin("p")]).says(partials);
        log
    }

    pub fn does(&mut self, commands: &[Command]) -> &mut Self {
        let limits = SessionLimits::default();
        let mut batch = Batch::new(&self.state, &limits, self.now, AppendId(fastrand::u64(..)));
        for command in commands {
            batch.decide(command).unwrap();
            combine(&mut batch);
        }
        let (entries, state) = batch.into_parts();
        self.entries.extend(entries);
        self.state = state;
        self
    }

    /// Adds so many partials, an append each.
    pub fn says(&mut self, partials: usize) -> &mut Self {
        for _ in 0..partials {
            self.does(&[partial()]);
        }
        self
    }

    pub fn position(&self) -> Position {
        self.state.position
    }

    /// The entries from `from` to `to`, sequences, both inclusive, to be written.
    pub fn part(&self, from: usize, to: usize) -> Segment {
        let entries = self.entries[from - 1..to].to_vec();
        Segment { key: self.key.clone(), epoch: self.state.position.epoch, entries }
    }

    /// All entries.
    pub fn whole(&self) -> Segment {
        self.part(1, self.entries.len())
    }
}

/// A batch of segments only.
pub fn batch(segments: impl IntoIterator<Item = Segment>) -> ArchiveBatch {
    ArchiveBatch { segments: segments.into_iter().collect(), ..Default::default() }
}

pub fn begin(step: &str) -> Command {
    post(step).expects("crm", "r").with("deadline_ms", 60_000).command()
}

pub fn partial() -> Command {
    say("p", "crm", SenderStatus::Partial).command()
}

pub fn success() -> Command {
    say("p", "crm", SenderStatus::Success).command()
}
