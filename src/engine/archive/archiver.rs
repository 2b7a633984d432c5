//! `Archiver`: a cursor on every log that has grown, and the task that moves them.
//!
//! A round takes the sessions that wait, reads what each has after its cursor, writes all of it in one transaction, and
//! tells the cache. Where anything fails, all of it waits for the next round: writing twice does no harm. A cursor that
//! isn't known any more is the archive's own position, and so are all when the archive turns out to have gone back.

mod missing;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::backlog::{Backlog, Noted};
use super::cache::ArchivedCache;
use super::cut::cut;
use crate::domain::ids::SessionKey;
use crate::domain::position::Position;
use crate::engine::clock::jittered;
use crate::engine::ports::archive::{Archive, ArchiveBatch, ArchiveError, Segment};
use crate::engine::ports::result_cache::{ResultCache, StoreError};
use crate::engine::telemetry::Meters;
use missing::Missing;

/// Cursors that are remembered; beyond, all are asked of the archive again.
const CURSORS_MAX: usize = 65_536;
const BACKOFF_FIRST: Duration = Duration::from_millis(50);
const BACKOFF_MOST: Duration = Duration::from_secs(1);

/// How far each log is archived, as far as remembered.
pub(super) type Cursors = HashMap<SessionKey, Position>;

/// Settings of the archiver. Every field is a key of the configuration.
#[derive(Debug, Clone, Copy)]
pub struct ArchiverSettings {
    /// Entries of one transaction at most.
    pub batch_entries: usize,
    /// Bytes of one transaction at most; a larger entry goes alone.
    pub batch_bytes: usize,
    /// How long entries wait for others, so that they share a transaction.
    pub linger: Duration,
}

/// Moves entries from a cache to its archive.
pub struct Archiver {
    cache: Arc<dyn ResultCache>,
    archive: Arc<dyn Archive>,
    backlog: Arc<Backlog>,
    cursors: Arc<Mutex<Cursors>>,
    settings: ArchiverSettings,
    meters: Arc<Meters>,
}

/// Why a round didn't come to its end.
#[derive(Debug, thiserror::Error)]
enum RoundError {
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("the cache: {0}")]
    Cache(#[from] StoreError),
    /// Of one session.
    #[error("the log lacks its beginning, which somebody may be about to put back")]
    Beginning,
    /// Of one session.
    #[error("others archived and trimmed the log faster than it could be read")]
    Overtaken,
}

impl RoundError {
    /// Whether it is about one session, and no wait helps: it is looked at again when it grows.
    fn is_of_one(&self) -> bool {
        matches!(
            self,
            Self::Cache(StoreError::Newer(_) | StoreError::Corrupt(_))
                | Self::Archive(ArchiveError::Corrupt(_))
        )
    }
}

/// What a round has to write.
#[derive(Default)]
struct Round {
    batch: ArchiveBatch,
    bytes: usize,
    /// Sessions of the batch that have more.
    unfinished: Vec<Noted>,
    /// Sessions that the archive has already.
    level: Vec<Noted>,
    /// Archived entries that their logs have left.
    left: u64,
}

impl Archiver {
    /// The archiver of a cache. There is one in a process.
    pub fn new(of: &ArchivedCache, settings: ArchiverSettings, meters: Arc<Meters>) -> Self {
        Self {
            cache: of.inner.clone(),
            archive: of.archive.clone(),
            backlog: of.backlog.clone(),
            cursors: of.writing.clone(),
            settings,
            meters,
        }
    }

    /// Archives until `stop`, and then what is left. An archive that is away is waited for, also then: the caller bounds
    /// it by dropping this.
    pub async fn run(self, stop: CancellationToken) {
        let (mut backoff, mut failing_since) = (BACKOFF_FIRST, None);
        loop {
            tokio::select! {
                biased;
                () = self.backlog.wait() => {}
                () = stop.cancelled() => break,
            }
            if failing_since.is_none() {
                tokio::select! {
                    () = sleep(self.settings.linger) => {}
                    () = stop.cancelled() => {}
                }
            }
            let ended = self.round().await;
            self.backlog.finish();
            match ended {
                Ok(()) => {
                    if let Some(since) = failing_since.take() {
                        let seconds = Instant::now().duration_since(since).as_secs();
                        tracing::info!(seconds, "the archive is back");
                    }
                    backoff = BACKOFF_FIRST;
                }
                Err(error) => {
                    if failing_since.is_none() {
                        tracing::warn!(%error, "nothing can be archived; the cache keeps it meanwhile");
                        failing_since = Some(Instant::now());
                    }
                    sleep(jittered(backoff)).await;
                    backoff = (backoff * 2).min(BACKOFF_MOST);
                }
            }
        }
    }

    /// Takes what waits, and writes it; where that fails, it waits again.
    async fn round(&self) -> Result<(), RoundError> {
        let mut cursors = self.cursors.lock().await;
        if cursors.len() > CURSORS_MAX {
            cursors.clear();
        }
        let (noted, late) = self.backlog.take(self.settings.batch_entries);
        let mut round = Round::default();
        round.batch.late = late;
        let written = match self.collect(&noted, &cursors, &mut round).await {
            Ok(()) => self.archive.write(&round.batch).await.map_err(RoundError::from),
            Err(error) => Err(error),
        };
        if let Err(error) = written {
            if matches!(error, RoundError::Archive(ArchiveError::Behind(_))) {
                cursors.clear();
            }
            self.backlog.give_back(noted, round.batch.late);
            return Err(error);
        }
        self.meters.archived.add(round.batch.entries() as u64);
        self.meters.archive_left.add(round.left);
        for segment in &round.batch.segments {
            let Some(end) = segment.end() else { continue };
            cursors.insert(segment.key.clone(), end);
            round.level.push((segment.key.clone(), end));
        }
        drop(cursors);
        self.backlog.go_on(round.unfinished);
        self.tell(&round.level).await
    }

    /// The cache may let go of what is archived.
    async fn tell(&self, level: &[Noted]) -> Result<(), RoundError> {
        for (index, (key, position)) in level.iter().enumerate() {
            let Err(error) = self.cache.archived(key, *position).await else { continue };
            let error = RoundError::from(error);
            if error.is_of_one() {
                tracing::error!(session = %key.session, %error, "a session is archived and can't be told so");
                continue;
            }
            self.backlog.go_on(level[index..].to_vec());
            return Err(error);
        }
        Ok(())
    }

    /// What the sessions have after their cursors, as much as fits a transaction.
    async fn collect(&self, noted: &[Noted], cursors: &Cursors, round: &mut Round) -> Result<(), RoundError> {
        for (key, position) in noted {
            let room = self.settings.batch_entries.saturating_sub(round.batch.entries());
            if room == 0 || round.bytes >= self.settings.batch_bytes {
                round.unfinished.push((key.clone(), *position));
                continue;
            }
            let missing = self.missing(key, *position, cursors.get(key).copied(), room).await;
            let (mut entries, left) = match missing {
                Ok(Missing::Nothing) => {
                    round.level.push((key.clone(), *position));
                    continue;
                }
                Ok(Missing::Entries(entries, left)) => (entries, left),
                Err(RoundError::Beginning | RoundError::Overtaken) => {
                    round.unfinished.push((key.clone(), *position));
                    continue;
                }
                Err(error) if error.is_of_one() => {
                    tracing::error!(session = %key.session, %error, "a session can't be archived, while others are");
                    continue;
                }
                Err(error) => return Err(error),
            };
            round.left += left;
            round.bytes += cut(&mut entries, self.settings.batch_bytes - round.bytes);
            // A log that is gone, or went back. Nobody may be told that the archive has it: what was lost may just be put back.
            let Some(last) = entries.last() else {
                if self.cache.may_lack() {
                    round.unfinished.push((key.clone(), *position));
                }
                continue;
            };
            if last.sequence < position.sequence {
                round.unfinished.push((key.clone(), *position));
            }
            if let Some(cursor) = cursors.get(key) {
                round.batch.remembered.push((key.clone(), cursor.sequence));
            }
            round.batch.segments.push(Segment { key: key.clone(), epoch: position.epoch, entries });
        }
        Ok(())
    }
}
