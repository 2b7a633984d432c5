//! What the archive hasn't got of a log. Other replicas archive and trim it meanwhile, and it may have gone back or elsewhere.

use std::sync::Arc;

use super::{Archiver, RoundError};
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Position, Sequence};
use crate::engine::archive::cut::keep_together;
use crate::engine::ports::result_cache::Read;

/// How often a log is read again in a round that others trim meanwhile.
const READ_TRIES: usize = 8;

/// What the archive hasn't got of a log.
pub(super) enum Missing {
    /// Nothing: the archive's chain says so.
    Nothing,
    /// These entries, none where the log has none; and how many the archive has that the log has left.
    Entries(Vec<Arc<Entry>>, u64),
}

impl Archiver {
    /// What the archive hasn't got of a log that goes as far as `noted`, at most `room` entries.
    pub(super) async fn missing(
        &self,
        key: &SessionKey,
        noted: Position,
        cursor: Option<Position>,
        room: usize,
    ) -> Result<Missing, RoundError> {
        let cursor = match cursor {
            Some(cursor) => Some(cursor),
            None => self.archive.session(key).await?.map(|session| session.position),
        };
        let Some(cursor) = cursor else {
            return Ok(Missing::Entries(self.read(key, Sequence(0), room).await?, 0));
        };
        if noted.sequence <= cursor.sequence {
            let known = self.archive.chain_at(key, noted.sequence).await?;
            if known == Some(noted.chain) {
                return Ok(Missing::Nothing);
            }
        } else {
            let entries = self.read(key, cursor.sequence, room).await?;
            if entries.first().is_none_or(|first| first.previous_chain == cursor.chain) {
                return Ok(Missing::Entries(entries, 0));
            }
        }
        let ancestor = self.ancestor(key, cursor.sequence.min(noted.sequence)).await?;
        // Looked for in growing steps, the ancestor may lie a little higher: what is told is told once a branch, at its most.
        let left = cursor.sequence.0.saturating_sub(ancestor.0);
        Ok(Missing::Entries(self.read(key, ancestor, room).await?, left))
    }

    /// The last place before `below` where archive and log agree: in growing steps, as it is near as a rule.
    async fn ancestor(&self, key: &SessionKey, below: Sequence) -> Result<Sequence, RoundError> {
        let mut back = 1;
        loop {
            let place = Sequence(below.0.saturating_sub(back));
            if place == Sequence(0) {
                return Ok(place);
            }
            match self.cache.read(key, place, 1).await? {
                Read::Entries(entries) | Read::Archived(entries) => {
                    let own = entries.first().map(|next| next.previous_chain);
                    if own.is_some() && own == self.archive.chain_at(key, place).await? {
                        return Ok(place);
                    }
                }
                Read::Trimmed { oldest } => return Ok(oldest.previous()),
            }
            back *= 2;
        }
    }

    async fn read(
        &self,
        key: &SessionKey,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Arc<Entry>>, RoundError> {
        let mut read = self.cache.read(key, after, limit).await?;
        for _ in 0..READ_TRIES {
            let Read::Trimmed { oldest } = read else { break };
            let loaded = self.cache.load(key).await?;
            if loaded.lacks.is_some_and(|lack| lack.is_awaited(loaded.now)) {
                return Err(RoundError::Beginning);
            }
            // As a rule another replica has archived them, and may do so again before this is read.
            let archived = self.archive.session(key).await?.map(|session| session.position.sequence);
            if archived.is_none_or(|archived| archived < oldest.previous()) {
                tracing::error!(session = %key.session, after = after.0, oldest = oldest.0, "entries were gone before they were archived");
            }
            read = self.cache.read(key, oldest.previous(), limit).await?;
        }
        let Some(mut entries) = read.entries() else { return Err(RoundError::Overtaken) };
        if entries.len() == limit {
            keep_together(&mut entries);
        }
        Ok(entries)
    }
}
