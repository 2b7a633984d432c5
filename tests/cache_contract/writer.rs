//! A writer as the coordinator is one: decides commands on the state it knows and appends what comes of them.

use std::sync::Arc;

use tributary::domain::entry::Entry;
use tributary::domain::event::SenderStatus;
use tributary::domain::ids::SessionKey;
use tributary::domain::limits::SessionLimits;
use tributary::domain::position::{AppendId, Epoch, Position, Sequence};
use tributary::domain::session::{Batch, Command, SessionState};
use tributary::domain::time::Timestamp;
use tributary::engine::ports::result_cache::{Append, Appended, Missed, Read, ResultCache, StoreError};
use tributary::engine::telemetry::Origin;

use crate::fixtures::{combine, id, post, say, session_key};

/// One writer of one session.
#[derive(Debug, Clone)]
pub struct Writer {
    pub key: SessionKey,
    pub state: Arc<SessionState>,
    /// The entries that it stored.
    pub log: Vec<Arc<Entry>>,
}

impl Writer {
    /// A writer of a session that nobody began.
    pub fn new(session: &str) -> Self {
        Self::at(session, Position::start(Epoch::from_random(fastrand::u32(..))))
    }

    /// A writer that knows of a session only where it stands.
    pub fn at(session: &str, position: Position) -> Self {
        let state = Arc::new(SessionState::new(id(session), position));
        Self { key: session_key(session), state, log: Vec::new() }
    }

    /// What an append of some commands would be.
    pub fn append_of(&self, commands: &[Command], now: Timestamp) -> Append {
        let (limits, append_id) = (SessionLimits::default(), AppendId(fastrand::u64(..)));
        let mut batch = Batch::new(&self.state, &limits, now, append_id);
        for command in commands {
            batch.decide(command).unwrap();
            combine(&mut batch);
        }
        let only_ends = batch.only_ends();
        let (entries, state) = batch.into_parts();
        Append {
            key: self.key.clone(),
            expected: self.state.position,
            append_id,
            entries,
            state: Arc::new(state),
            only_ends,
            origin: Origin::unknown(),
        }
    }

    /// Appends, and says how that went.
    pub async fn tries(
        &mut self,
        cache: &dyn ResultCache,
        commands: &[Command],
    ) -> Result<Appended, StoreError> {
        let now = cache.load(&self.key).await?.now;
        let append = self.append_of(commands, now);
        let appended = cache.append(&append).await;
        if matches!(appended, Ok(Appended::Stored { .. })) {
            self.state = append.state;
            self.log.extend(append.entries);
        }
        appended
    }

    /// Appends what nothing stands against.
    pub async fn writes(&mut self, cache: &dyn ResultCache, commands: &[Command]) -> &mut Self {
        let appended = self.tries(cache, commands).await;
        assert!(matches!(appended, Ok(Appended::Stored { .. })), "{appended:?}");
        self
    }

    /// Begins a step `p` that expects `r` of `crm`.
    pub async fn begins(&mut self, cache: &dyn ResultCache) -> &mut Self {
        self.writes(cache, &[begin()]).await
    }

    /// Begins and ends a step.
    pub async fn begins_and_ends(&mut self, cache: &dyn ResultCache) -> &mut Self {
        self.begins(cache).await.writes(cache, &[success()]).await
    }

    pub fn position(&self) -> Position {
        self.state.position
    }
}

/// A step `p` that expects `r` of `crm`.
pub fn begin() -> Command {
    post("p").expects("crm", "r").with("deadline_ms", 1_000).command()
}

/// A partial of `r`; each is another entry.
pub fn partial() -> Command {
    say("p", "crm", SenderStatus::Partial).command()
}

/// The success of `r`.
pub fn success() -> Command {
    say("p", "crm", SenderStatus::Success).command()
}

/// What an append missed that stood elsewhere.
pub fn missed(appended: Result<Appended, StoreError>) -> Missed {
    match appended {
        Ok(Appended::Conflict(missed)) => missed,
        other => panic!("not a conflict: {other:?}"),
    }
}

/// Everything after `after` that the store still has.
pub async fn read(cache: &dyn ResultCache, key: &SessionKey, after: u64) -> Vec<Arc<Entry>> {
    match cache.read(key, Sequence(after), usize::MAX).await.unwrap() {
        Read::Entries(entries) | Read::Archived(entries) => entries,
        Read::Trimmed { oldest } => panic!("trimmed up to {oldest}"),
    }
}

pub fn sequences(entries: &[Arc<Entry>]) -> Vec<u64> {
    entries.iter().map(|entry| entry.sequence.0).collect()
}
