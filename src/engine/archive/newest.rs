//! The last events of outputs that a store lost: a replica puts back no more of a log than it holds, and what an output said
//! before that is in the archive alone.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::cache::ArchivedCache;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::Sequence;
use crate::domain::session::SessionState;
use crate::engine::mux::{Latest, add_missing, misses_after};
use crate::engine::ports::archive::ArchiveError;
use crate::engine::ports::result_cache::{Misses, Snapshot};

/// Entries read at once.
const STRIDE: usize = 1_000;
/// How long a snapshot waits for what it lacks.
const PATIENCE: Duration = Duration::from_secs(2);

/// The last of everything in a part of an archived log.
#[derive(Debug)]
pub(super) struct Newest {
    from: Sequence,
    to: Sequence,
    latest: Vec<Arc<Entry>>,
}

impl ArchivedCache {
    /// A snapshot with what it lacks, as far as the archive has that. Where the archive doesn't answer, the snapshot says so: who
    /// needs all of it waits.
    pub(super) async fn with_archived(&self, key: &SessionKey, mut snapshot: Snapshot) -> Snapshot {
        let Some(Misses { state, .. }) = snapshot.misses.take() else { return snapshot };
        let stored = snapshot.entries.len();
        let added = self.add_archived(key, &state, &mut snapshot.entries).await;
        snapshot.is_archived |= snapshot.entries.len() > stored;
        let are_away = added.is_err();
        if let Err(error) = added {
            tracing::debug!(session = %key.session, %error, "what a snapshot lacks wasn't read in the archive");
        }
        let is_whole = misses_after(&state, &snapshot.entries).is_none();
        snapshot.misses = (!is_whole).then_some(Misses { state, are_away });
        snapshot
    }

    async fn add_archived(
        &self,
        key: &SessionKey,
        state: &SessionState,
        entries: &mut Vec<Arc<Entry>>,
    ) -> Result<(), ArchiveError> {
        if mutant!("lost-results-not-read-in-the-archive") {
            return Ok(());
        }
        let until = Instant::now() + PATIENCE;
        let is_slow = |_| ArchiveError::Unavailable("it takes long to read what a snapshot lacks".into());
        // A storm of readers has it read once.
        let _one_at_a_time = timeout_at(until, self.reading.lock(key)).await.map_err(is_slow)?;
        let Some(after) = misses_after(state, entries) else { return Ok(()) };
        let (mut from, mut to, mut latest) = (after, after, Latest::default());
        if let Some(known) = self.newest.get(key).filter(|known| known.from <= after) {
            (from, to) = (known.from, known.to);
            known.latest.iter().for_each(|entry| latest.note_if_of(state, entry));
            let mut whole = entries.clone();
            add_missing(&mut whole, &latest.entries());
            if misses_after(state, &whole).is_none() {
                *entries = whole;
                return Ok(());
            }
        }
        let mut read = Ok(());
        while to < state.position.sequence {
            let page = match timeout_at(until, self.archive.read(key, to, STRIDE))
                .await
                .map_err(is_slow)
                .flatten()
            {
                Ok(page) => page,
                Err(error) => {
                    read = Err(error);
                    break;
                }
            };
            let Some(last) = page.last() else { break };
            to = last.sequence;
            page.iter().for_each(|entry| latest.note_if_of(state, entry));
        }
        let latest = latest.entries();
        add_missing(entries, &latest);
        // What comes after the state's place was left out, and is looked at by who knows a later one.
        let to = to.min(state.position.sequence);
        // Who asks next goes on from there.
        self.newest.put(key.clone(), Arc::new(Newest { from, to, latest }));
        read
    }
}
