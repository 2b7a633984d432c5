//! A store that has lost what the archive has: it was restarted from an older file, or a replica of it that was behind took
//! its place, while no process held the session.
//!
//! Where the archive goes on from where the store stands, on the same chain, its entries are appended again, byte for byte,
//! before anything is read or decided: cursors, verdicts and sequences stay what they were. Where something else was
//! stored in their place meanwhile, the log decides, and the archive keeps them beside it.

use std::sync::Arc;

use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::time::Instant;

use super::cache::{ArchivedCache, away};
use super::locate::in_new_epoch;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchivedSession;
use crate::engine::ports::result_cache::{Append, Appended, Loaded, Presence, StoreError};
use crate::engine::ports::wake_index::Work;
use crate::engine::telemetry::Origin;

/// Entries and bytes that are appended again at once.
const AGAIN: usize = 256;
const AGAIN_BYTES: usize = 256 * 1024;
/// Sessions of one question to the archive, and those that are looked at together.
const PAGE: usize = 256;
const LOOKED_AT_ONCE: usize = 16;

impl ArchivedCache {
    /// `load`, of a store that has lost nothing which the archive has. Where the archive is away that isn't known.
    pub(super) async fn load_whole(&self, key: &SessionKey) -> Result<Loaded, StoreError> {
        let loaded = self.inner.load(key).await?;
        let Presence::Live(state) = &loaded.presence else { return Ok(loaded) };
        // What a process holds it looks after itself.
        if self.inner.known(key).is_some() || self.archive.health().is_err() {
            return Ok(loaded);
        }
        if self.put_back(key, state).await? == 0 { Ok(loaded) } else { self.inner.load(key).await }
    }

    /// Appends what the archive has after `state`. Returns how many entries.
    async fn put_back(&self, key: &SessionKey, state: &Arc<SessionState>) -> Result<usize, StoreError> {
        let archived = match self.archive.session(key).await {
            Ok(Some(archived)) => archived,
            Ok(None) => return Ok(0),
            Err(error) => {
                tracing::debug!(session = %key.session, %error, "whether the store has all that was archived isn't known");
                return Ok(0);
            }
        };
        let (mut state, mut count) = (SessionState::clone(state), 0);
        while state.position.sequence < archived.position.sequence {
            let mut entries = self.archive.read(key, state.position.sequence, AGAIN).await.map_err(away)?;
            entries.truncate(fitting(&entries));
            let follows = entries.first().is_some_and(|next| next.previous_chain == state.position.chain);
            if !follows || !self.append_again(key, &mut state, entries, &mut count).await? {
                break;
            }
        }
        if count > 0 {
            self.meters.restored.add(count as u64);
            tracing::warn!(session = %key.session, entries = count, "the store had lost entries: they were put back out of the archive");
            self.inner.archived(key, state.position).await?;
            self.wake(key, &state).await?;
        }
        Ok(count)
    }

    /// `false` where somebody else wrote: what that was is seen by who loads it.
    async fn append_again(
        &self,
        key: &SessionKey,
        state: &mut SessionState,
        entries: Vec<Arc<Entry>>,
        count: &mut usize,
    ) -> Result<bool, StoreError> {
        let (expected, append_id, more) = (state.position, entries[0].append_id, entries.len());
        entries.iter().for_each(|entry| state.apply(entry));
        let (key, state, origin) = (
            key.clone(),
            Arc::new(state.clone()),
            Origin { came_at: Instant::now(), was_sent: false, emit: None },
        );
        let append = Append { key, expected, append_id, entries, state, origin };
        let is_stored = matches!(self.inner.append(&append).await?, Appended::Stored { .. });
        *count += if is_stored { more } else { 0 };
        Ok(is_stored)
    }

    /// The store's index of deadlines may have gone back with it.
    async fn wake(&self, key: &SessionKey, state: &SessionState) -> Result<(), StoreError> {
        match (&self.wake_index, state.next_wake()) {
            (Some(index), Some(next)) => index.wake_at(key, Work::Deadline, Some(next)).await,
            (None, _) | (_, None) => Ok(()),
        }
    }

    /// Looks whether a store that was away has every session with a running step as far as the archive has it: nobody
    /// may ask for one before its deadline. Returns how many were mended.
    ///
    /// # Errors
    /// Where the store or the archive doesn't answer.
    pub async fn look_after_running(&self) -> Result<usize, StoreError> {
        let (mut mended, mut after): (usize, Option<SessionKey>) = (0, None);
        loop {
            // None changes that late: those with a running step.
            let page =
                self.archive.unfinished(Timestamp(i64::MAX), after.as_ref(), PAGE).await.map_err(away)?;
            after = page.last().filter(|_| page.len() == PAGE).map(|last| last.key.clone());
            let looked = stream::iter(page).map(async |session| self.look_after(&session).await);
            let looked: Vec<bool> = looked.buffer_unordered(LOOKED_AT_ONCE).try_collect().await?;
            mended += looked.into_iter().filter(|is_mended| *is_mended).count();
            if after.is_none() {
                return Ok(mended);
            }
        }
    }

    async fn look_after(&self, session: &ArchivedSession) -> Result<bool, StoreError> {
        let key = &session.key;
        if self.inner.known(key).is_some() {
            return Ok(false);
        }
        match self.inner.load(key).await?.presence {
            Presence::Live(state) => Ok(self.put_back(key, &state).await? > 0),
            Presence::Unknown => {
                let Some(restored) = self.restored(key, in_new_epoch(session)).await? else {
                    return Ok(false);
                };
                let is_back = self.inner.restore(key, &restored).await?;
                if is_back {
                    self.inner.archived(key, restored.state.position).await?;
                    self.wake(key, &restored.state).await?;
                }
                Ok(is_back)
            }
            Presence::Expired(_) | Presence::Archived(_) => Ok(false),
        }
    }
}

/// How many of these entries go into one append.
fn fitting(entries: &[Arc<Entry>]) -> usize {
    let mut bytes = 0;
    let fits = entries.iter().take_while(|entry| {
        bytes += entry.weight();
        bytes <= AGAIN_BYTES
    });
    fits.count().max(1)
}
