//! What the script of an append answers.

use std::sync::Arc;
use std::time::Duration;

use redis::Value;

use super::codec::read_entry;
use super::meta::{Meta, newer_format};
use super::place::read_where;
use super::value::{bytes, number, text};
use super::writing::is_start;
use crate::domain::entry::Entry;
use crate::domain::position::{Epoch, Position, Sequence};
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::StoreError;

/// What the script answered.
pub(super) enum Reply {
    Stored {
        now: Timestamp,
        /// Where the log began with it: the epochs that were there before.
        past: Option<String>,
    },
    Conflict(Conflict),
    /// It is another replica's turn, for so long.
    Turn(Duration),
}

/// The log stands elsewhere.
pub(super) struct Conflict {
    pub(super) now: Timestamp,
    /// `None` where there is no log.
    pub(super) position: Option<Position>,
    /// Where a log without `meta` ends.
    pub(super) last_in_log: Sequence,
    pub(super) entries: Vec<Arc<Entry>>,
    pub(super) meta: Meta,
}

impl Conflict {
    /// Whether the store has no place for the session.
    pub(super) fn is_without_place(&self) -> bool {
        self.position.is_none()
    }

    /// Whether the store knows less than a writer at `expected`, or another branch: it has lost something.
    pub(super) fn is_behind(&self, expected: Position) -> bool {
        let Some(position) = self.position else { return !is_start(expected) };
        let diverges = || self.entries.first().is_some_and(|entry| entry.previous_chain != expected.chain);
        position.epoch == expected.epoch && (position.sequence <= expected.sequence || diverges())
    }
}

/// Reads it.
///
/// # Errors
/// Where it can't be read, or says that nothing may be written.
pub(super) fn read_reply(answer: Value, expected: Position) -> Result<Reply, StoreError> {
    let broken = || StoreError::Corrupt("a script's answer can't be read".into());
    if let Value::Int(now) = answer {
        return Ok(Reply::Stored { now: Timestamp(now), past: None });
    }
    let Value::Array(parts) = answer else { return Err(broken()) };
    let mut parts = parts.into_iter();
    let mut next = || parts.next().unwrap_or_default();
    let (kind, now) = (text(&next()), Timestamp(number(&next()) as i64));
    match &*kind {
        "stored" => {
            let past = parts.next().map(|past| text(&past));
            Ok(Reply::Stored { now, past })
        }
        "turn" => Ok(Reply::Turn(Duration::from_millis(number(&next()).clamp(1, 50)))),
        "format" => Err(newer_format(number(&next()))),
        "backlog" => Err(StoreError::Backlog("this session's log waits for it".into())),
        "conflict" => {
            let (place, last_in_log) = (bytes(next()), Sequence(number(&next())));
            let Value::Array(entries) = next() else { return Err(broken()) };
            let entries =
                entries.iter().map(|entry| restore(entry, expected.epoch)).collect::<Result<_, _>>()?;
            Ok(Reply::Conflict(Conflict {
                now,
                position: read_where(&place),
                last_in_log,
                entries,
                meta: Meta::read(next()),
            }))
        }
        _ => Err(broken()),
    }
}

/// An entry as the log holds it.
pub(super) fn restore(value: &Value, epoch: Epoch) -> Result<Arc<Entry>, StoreError> {
    let Value::BulkString(bytes) = value else {
        return Err(StoreError::Corrupt("an entry of the log has no bytes".into()));
    };
    read_entry(bytes, epoch).map(Arc::new).map_err(|error| StoreError::Corrupt(error.to_string()))
}
