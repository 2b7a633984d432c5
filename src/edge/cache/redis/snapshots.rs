//! Snapshots: the last of everything. A small one is one answer of the script. A large one would hold up Redis, and everybody's answers on the
//! connection that all share, for as long as it takes: it is read in pieces, each at its own moment, and what was appended since the
//! first is laid over them, so that it stands for one place all the same.

use std::sync::Arc;

use redis::Value;

use super::Shared;
use super::meta::Meta;
use super::reply::restore;
use super::tail::Tail;
use super::value::number;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::Position;
use crate::domain::time::Timestamp;
use crate::engine::mux::{Latest, misses_after};
use crate::engine::ports::result_cache::{Misses, Presence, Snapshot, StoreError};

/// How often a snapshot in pieces is begun anew, whose log went to another epoch or was trimmed meanwhile.
const TRIES: usize = 4;
/// Answers in which what was appended meanwhile is read, before it is begun anew.
const CATCH_UPS: usize = 64;

/// The last of everything, in order, and what was known of the session where it stands.
#[derive(Default)]
struct Newest {
    now: Timestamp,
    meta: Meta,
    entries: Vec<Arc<Entry>>,
}

/// What the script answers first.
enum First {
    Whole(Newest),
    /// Names, and how long their entries are.
    Names(Meta, Vec<(Value, u64)>),
}

impl Shared {
    pub(super) async fn snapshot(&self, key: &SessionKey) -> Result<Option<Snapshot>, StoreError> {
        let tail = self.tail(key);
        let mut newest = self.newest(&tail).await?;
        if newest.meta.lacks().is_some_and(|lack| lack.is_awaited(newest.now) && tail.awaits(lack)) {
            self.await_beginning(&tail).await?;
            newest = self.newest(&tail).await?;
        }
        let Newest { now, meta, mut entries } = newest;
        let Presence::Live(state) = meta.presence(&key.session, now, self.lifetime())? else {
            return Ok(None);
        };
        let position = state.position;
        self.put_newest_back(&tail, &state, &mut entries).await?;
        let misses = misses_after(&state, &entries).map(|_| Misses { state, are_away: false });
        Ok(Some(Snapshot { lacks: meta.lacks(), misses, ..Snapshot::whole(position, entries) }))
    }

    async fn newest(&self, tail: &Tail) -> Result<Newest, StoreError> {
        for _ in 0..TRIES {
            let newest = match self.first_of_newest(tail).await? {
                First::Whole(newest) => Some(newest),
                First::Names(meta, names) => match meta.position() {
                    Some(place) => self.newest_in_pieces(tail, place, &names).await?,
                    None => Some(Newest::default()),
                },
            };
            if let Some(newest) = newest {
                return Ok(newest);
            }
        }
        Err(StoreError::Unavailable("a log moved faster than its last events could be read".into()))
    }

    async fn first_of_newest(&self, tail: &Tail) -> Result<First, StoreError> {
        let answer = self.link.call(&self.scripts.snapshot, |command| {
            command.arg(2).arg(&tail.keys.meta).arg(&tail.keys.latest);
            command.arg(self.set_now()).arg(self.settings.piece_bytes);
        });
        match <[Value; 3]>::try_from(array(answer.await?)?) {
            Ok([now, meta, entries]) => Newest::read(now, meta, &array(entries)?).map(First::Whole),
            Err(parts) => {
                let [_, meta, names, lengths] = <[Value; 4]>::try_from(parts).map_err(|_| unreadable())?;
                let lengths = array(lengths)?.into_iter().map(|length| number(&length));
                Ok(First::Names(Meta::read(meta), array(names)?.into_iter().zip(lengths).collect()))
            }
        }
    }

    /// The entries of these names, with everything laid over them that was appended after `place`; `None` where the log doesn't lead on
    /// from there any more.
    async fn newest_in_pieces(
        &self,
        tail: &Tail,
        place: Position,
        names: &[(Value, u64)],
    ) -> Result<Option<Newest>, StoreError> {
        let mut latest = Latest::default();
        for piece in pieces(names, self.settings.piece_bytes) {
            let mut command = redis::cmd("HMGET");
            command.arg(&tail.keys.latest);
            for (name, _) in piece {
                command.arg(super::value::bytes(name.clone()));
            }
            for entry in array(self.link.run(&command).await?)?.iter().filter(|value| **value != Value::Nil) {
                latest.note(&restore(entry, place.epoch)?);
            }
        }
        self.caught_up(tail, place, latest).await
    }

    async fn caught_up(
        &self,
        tail: &Tail,
        mut place: Position,
        mut latest: Latest,
    ) -> Result<Option<Newest>, StoreError> {
        for _ in 0..CATCH_UPS {
            let answer = self.link.call(&self.scripts.since, |command| {
                command.arg(2).arg(&tail.keys.meta).arg(&tail.keys.log);
                command.arg(self.set_now()).arg(place.sequence.0).arg(self.settings.piece_bytes);
            });
            let [now, meta, since] =
                <[Value; 3]>::try_from(array(answer.await?)?).map_err(|_| unreadable())?;
            let since = Newest::read(now, meta, &array(since)?)?;
            for entry in &since.entries {
                if entry.sequence != place.sequence.next() || entry.previous_chain != place.chain {
                    return Ok(None);
                }
                latest.note(entry);
                place = entry.position(place.epoch);
            }
            if since.meta.position() == Some(place) {
                return Ok(Some(Newest { entries: latest.entries(), ..since }));
            }
            if since.entries.is_empty() {
                break;
            }
        }
        Ok(None)
    }
}

impl Newest {
    fn read(now: Value, meta: Value, entries: &[Value]) -> Result<Self, StoreError> {
        let meta = Meta::read(meta);
        let Some(position) = meta.position() else { return Ok(Self { meta, ..Self::default() }) };
        let entries = entries.iter().map(|bytes| restore(bytes, position.epoch));
        let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(|entry| entry.sequence);
        Ok(Self { now: Timestamp(number(&now) as i64), meta, entries })
    }
}

/// As many at once as have so many bytes together, and one at least.
fn pieces(names: &[(Value, u64)], bytes: usize) -> impl Iterator<Item = &[(Value, u64)]> {
    let mut rest = names;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = rest.iter().take_while(|(_, length)| {
            sum += *length;
            sum <= bytes as u64
        });
        let (piece, others) = rest.split_at_checked(fits.count().max(1))?;
        rest = others;
        Some(piece)
    })
}

fn array(value: Value) -> Result<Vec<Value>, StoreError> {
    if let Value::Array(values) = value { Ok(values) } else { Err(unreadable()) }
}

fn unreadable() -> StoreError {
    StoreError::Corrupt("what is known of a session can't be read".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hold_what_fits_and_one_at_least() {
        let lengths =
            |lengths: &[u64]| lengths.iter().map(|length| (Value::Nil, *length)).collect::<Vec<_>>();
        for (given, expected) in [
            (&[][..], &[][..]),
            (&[4, 6, 1, 9], &[2, 2][..]),
            (&[20, 1, 20, 20], &[1, 1, 1, 1]),
            (&[0, 0, 10, 1], &[3, 1]),
        ] {
            let names = lengths(given);
            let found: Vec<_> = pieces(&names, 10).map(<[_]>::len).collect();
            assert_eq!(found, expected, "{given:?}");
        }
    }
}
