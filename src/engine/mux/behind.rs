//! What a verdict needs of entries that the window has let go: the store, or an archive behind it, may still have them.

use std::ops::Range;
use std::sync::Arc;

use super::stride::Stride;
use super::view::View;
use super::window::LogWindow;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Chain, Position, Sequence};
use crate::engine::ports::result_cache::{ResultCache, StoreError};

/// Entries looked at at once on the way back, at most.
const STRIDE: usize = 256;

/// A session's log, the window first.
pub(super) struct Behind<'a> {
    pub(super) cache: &'a dyn ResultCache,
    pub(super) key: &'a SessionKey,
    pub(super) window: &'a LogWindow,
}

impl Behind<'_> {
    /// The chain at a sequence of a log that stands at `tail`, where it is known.
    pub(super) async fn chain_at(
        &self,
        sequence: Sequence,
        tail: Position,
    ) -> Result<Option<Chain>, StoreError> {
        if sequence > tail.sequence {
            return Ok(None);
        }
        let chain = self.window.chain_at(sequence);
        if chain.is_some() || sequence == tail.sequence {
            return Ok(chain);
        }
        let next = self.after(sequence, 1).await?;
        Ok(next.first().map(|entry| entry.previous_chain))
    }

    /// The place before the last so many events of a view. A place within `places` is looked for: after an entry that isn't
    /// looked at any more, before those up to the last.
    pub(super) async fn before_last(
        &self,
        view: &View,
        events: usize,
        places: Range<Sequence>,
    ) -> Result<Sequence, StoreError> {
        Ok(self.look_back(view, events, places).await?.0)
    }

    /// Whether no reader of the session sees anything of what lies within `places`: such notes as who asked with which key.
    /// What can't be looked at any more may be seen.
    pub(super) async fn is_quiet(&self, places: Range<Sequence>) -> Result<bool, StoreError> {
        let nothing = (places.start, 1);
        Ok(self.look_back(&View::default(), 1, places).await? == nothing)
    }

    /// The place before the last so many events of a view, and how many of them weren't found.
    async fn look_back(
        &self,
        view: &View,
        events: usize,
        places: Range<Sequence>,
    ) -> Result<(Sequence, usize), StoreError> {
        let Range { start: floor, end: last } = places;
        let (mut left, mut place) = (events, last);
        let mut pass = |place: &mut Sequence, entry: &Entry| {
            if left == 0 || entry.sequence <= floor {
                return false;
            }
            if entry.sequence > last {
                return true;
            }
            left -= usize::from(view.shows(entry));
            *place = entry.sequence.previous();
            true
        };
        let (mut enough, mut stride) = (false, Stride::default());
        self.window.newest_first(|entry| {
            enough = !pass(&mut place, entry);
            !enough
        });
        while !enough && place > floor {
            let from = Sequence(place.0.saturating_sub(stride.entries(STRIDE) as u64)).max(floor);
            let limit = usize::try_from(place.0 - from.0).unwrap_or(usize::MAX);
            let entries = self.after(from, limit).await?;
            if entries.is_empty() {
                break;
            }
            stride.learn(&entries);
            enough = entries.iter().rev().any(|entry| !pass(&mut place, entry));
        }
        Ok((place, left))
    }

    /// The entries right after `after`, where they are still kept.
    async fn after(&self, after: Sequence, limit: usize) -> Result<Vec<Arc<Entry>>, StoreError> {
        let entries = self.cache.read(self.key, after, limit).await?.entries().unwrap_or_default();
        let follows = entries.first().is_some_and(|first| first.sequence == after.next());
        Ok(if follows { entries } else { Vec::new() })
    }
}
