//! A store that has lost what the archive has: it was restarted from an older file, or a replica of it that was behind took
//! its place, while no process held the session.
//!
//! Where the archive goes on from where the store stands, on the same chain, its entries are appended again, byte for byte,
//! before anything is read or decided: cursors, verdicts and sequences stay what they were. Where something else was
//! stored in their place meanwhile, the log decides, and the archive keeps them beside it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, StreamExt};
use tokio::time::{Instant, sleep};

use super::cache::{ArchivedCache, away};
use super::lost::PATIENCE;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchivedSession;
use crate::engine::ports::result_cache::{AGAIN, Append, Appended, Loaded, Presence, StoreError, fitting};
use crate::engine::ports::wake_index::Work;
use crate::engine::telemetry::Origin;

/// How often, and after what pause, a log is looked at that others are putting back.
const TRIES: usize = 100;
const PAUSE: Duration = Duration::from_millis(10);
/// Bytes that are put in front of a log at most: more than a log holds as a rule.
const IN_FRONT_BYTES: usize = 32 << 20;
/// Sessions of one question to the archive, and those that are looked at together.
const PAGE: usize = 256;
const LOOKED_AT_ONCE: usize = 128;

/// What became of looking after a log.
enum Looked {
    /// The store has all that the archive has, or went another way.
    Level,
    /// Entries were put back.
    PutBack,
    /// Somebody else wrote meanwhile: it is to be looked at again.
    Overtaken,
}

impl ArchivedCache {
    /// `load`, of a store that has lost nothing which the archive has. Where the archive is away that isn't known.
    pub(super) async fn load_whole(&self, key: &SessionKey) -> Result<Loaded, StoreError> {
        for _ in 0..TRIES {
            let loaded = self.inner.load(key).await?;
            let Presence::Live(state) = &loaded.presence else { return Ok(loaded) };
            // Only a store that replicas share can have lost what its archive has.
            if self.wake_index.is_none() || self.archive.health().is_err() {
                return Ok(loaded);
            }
            match self.put_back(key, state).await? {
                Looked::Level if self.put_in_front(key, &loaded).await => {}
                Looked::Level => return Ok(loaded),
                Looked::PutBack => {}
                Looked::Overtaken => sleep(PAUSE).await,
            }
        }
        Err(StoreError::Unavailable("what the archive has of the session is being put back".into()))
    }

    /// Puts what the archive has in front of a log that lacks its beginning. `false` where nothing changed. An archive that
    /// is away is asked again later.
    pub(super) async fn put_in_front(&self, key: &SessionKey, loaded: &Loaded) -> bool {
        let Some(lack) = loaded.lacks.filter(|_| self.in_front.get(key).is_none()) else { return false };
        self.in_front.put(key.clone(), ());
        let put = async {
            let (mut newest, mut after) = (Newest::default(), lack.from.previous());
            while after.next() < loaded.oldest {
                let page = self.archive.read(key, after, AGAIN).await.map_err(away)?;
                let Some(last) = page.last() else { break };
                after = last.sequence;
                newest.add(page.into_iter().filter(|entry| entry.sequence < loaded.oldest));
            }
            self.inner.put_in_front(key, newest.entries.make_contiguous()).await
        };
        put.await.unwrap_or_else(|error: StoreError| {
            tracing::debug!(session = %key.session, %error, "what the archive has of a log's beginning wasn't put back");
            false
        })
    }

    /// Appends what the archive has after `state`.
    async fn put_back(&self, key: &SessionKey, state: &Arc<SessionState>) -> Result<Looked, StoreError> {
        let archived = match self.archive.session(key).await {
            Ok(Some(archived)) => archived,
            Ok(None) => return Ok(Looked::Level),
            Err(error) => {
                tracing::debug!(session = %key.session, %error, "whether the store has all that was archived isn't known");
                return Ok(Looked::Level);
            }
        };
        let (mut state, mut count) = (SessionState::clone(state), 0);
        while state.position.sequence < archived.position.sequence {
            let mut entries = self.archive.read(key, state.position.sequence, AGAIN).await.map_err(away)?;
            entries.truncate(fitting(&entries));
            if entries.first().is_none_or(|next| next.previous_chain != state.position.chain) {
                break;
            }
            let more = entries.len();
            if !self.append_again(key, &mut state, entries).await? {
                self.meters.restored.add(count as u64);
                return Ok(Looked::Overtaken);
            }
            count += more;
        }
        if count == 0 {
            return Ok(Looked::Level);
        }
        self.meters.restored.add(count as u64);
        tracing::warn!(session = %key.session, entries = count, "the store had lost entries: they were put back out of the archive");
        self.inner.archived(key, state.position).await?;
        self.wake(key, &state).await?;
        Ok(Looked::PutBack)
    }

    /// `false` where somebody else wrote: what that was is seen by who loads it.
    async fn append_again(
        &self,
        key: &SessionKey,
        state: &mut SessionState,
        entries: Vec<Arc<Entry>>,
    ) -> Result<bool, StoreError> {
        let (expected, append_id) = (state.position, entries[0].append_id);
        entries.iter().for_each(|entry| state.apply(entry));
        let (key, state, origin) = (key.clone(), Arc::new(state.clone()), Origin::unknown());
        let append = Append { key, expected, append_id, entries, state, only_ends: false, origin };
        Ok(matches!(self.inner.append(&append).await?, Appended::Stored { .. }))
    }

    /// The store's index of deadlines may have gone back with it.
    pub(super) async fn wake(&self, key: &SessionKey, state: &SessionState) -> Result<(), StoreError> {
        match (&self.wake_index, state.next_wake()) {
            (Some(index), Some(next)) => index.wake_by(key, Work::Deadline, next).await.map(drop),
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
        let mut failed = Ok(());
        loop {
            // None changes that late: those with a running step.
            let page =
                self.archive.unfinished(Timestamp(i64::MAX), after.as_ref(), PAGE).await.map_err(away)?;
            after = page.last().filter(|_| page.len() == PAGE).map(|last| last.key.clone());
            // One wait for all of them: each for itself, sessions that nobody holds would take minutes.
            let until = Instant::now() + PATIENCE;
            let looked = stream::iter(page).map(async |session| self.look_after(&session, until).await);
            // One that can't be looked after keeps no other one waiting.
            for looked in looked.buffer_unordered(LOOKED_AT_ONCE).collect::<Vec<_>>().await {
                match looked {
                    Ok(is_mended) => mended += usize::from(is_mended),
                    Err(error) => failed = Err(error),
                }
            }
            if after.is_none() {
                return failed.map(|()| mended);
            }
        }
    }

    async fn look_after(&self, session: &ArchivedSession, until: Instant) -> Result<bool, StoreError> {
        let key = &session.key;
        match self.inner.load(key).await?.presence {
            // Who overtakes it looks after it.
            Presence::Live(state) => Ok(matches!(self.put_back(key, &state).await?, Looked::PutBack)),
            Presence::Unknown => self.find_again(session, until).await,
            Presence::Expired(_) | Presence::Archived(_) => Ok(false),
        }
    }
}

/// The last of what is read of a log, as far as there is room in front of another part of it.
#[derive(Default)]
struct Newest {
    entries: VecDeque<Arc<Entry>>,
    bytes: usize,
}

impl Newest {
    fn add(&mut self, page: impl Iterator<Item = Arc<Entry>>) {
        for entry in page {
            self.bytes += entry.weight();
            self.entries.push_back(entry);
        }
        while self.bytes > IN_FRONT_BYTES {
            self.bytes -= self.entries.pop_front().map_or(self.bytes, |entry| entry.weight());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::position::{AppendId, Position};
    use crate::domain::record::Record;

    /// An entry that carries so many bytes.
    fn entry(bytes: usize) -> Arc<Entry> {
        let (start, wire) = (Position::start("7f3a91".parse().unwrap()), vec![b'x'; bytes]);
        Arc::new(Entry::seal(start, AppendId(1), Timestamp(1), Record::SessionClosed, &wire))
    }

    #[test]
    fn so_much_is_put_in_front_and_the_oldest_stays_behind() {
        let (first, others) = (entry(1), entry(1 << 20));
        let (room, mut newest) = (IN_FRONT_BYTES / others.weight(), Newest::default());
        newest.add([first.clone()].into_iter());
        newest.add(std::iter::repeat_n(others.clone(), room));
        assert_eq!(newest.entries.len(), room + 1, "as much as there is room for");
        newest.add([others.clone()].into_iter());
        assert_eq!((newest.entries.len(), newest.bytes), (room, room * others.weight()));
        assert!(newest.entries.iter().all(|entry| Arc::ptr_eq(entry, &others)), "the newest");
    }
}
