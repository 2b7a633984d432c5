//! What the hash `meta` of a session says.

use std::collections::HashMap;
use std::sync::Arc;

use redis::Value;

use super::place::Place;
use super::value::{bytes, pairs, text};
use crate::domain::ids::SessionId;
use crate::domain::position::{Chain, Epoch, Position, Sequence};
use crate::domain::record::Output;
use crate::domain::session::SessionState;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::{Lack, Presence, StoreError};

/// The newest layout of the keys that this program reads and writes.
pub(super) const FORMAT: u64 = 2;

/// When data and tombstones go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lifetime {
    pub(super) tombstone_ms: u64,
    /// Whether data waits for the archive.
    pub(super) is_gated: bool,
}

/// The fields of a session; none where it isn't there.
#[derive(Debug, Default)]
pub(super) struct Meta {
    fields: Vec<(String, Vec<u8>)>,
    place: Option<Place>,
}

impl Meta {
    /// Out of `HGETALL`.
    pub(super) fn read(value: Value) -> Self {
        let fields = pairs(value).into_iter().map(|(name, value)| (text(&name), bytes(value))).collect();
        let mut meta = Self { fields, place: None };
        meta.place = meta.read_place();
        meta
    }

    /// Format 1 had it in a field each.
    fn read_place(&self) -> Option<Place> {
        if let Some((_, field)) = self.fields.iter().find(|(name, _)| name == "place") {
            return Place::read(field);
        }
        Some(Place {
            position: position(self.get("epoch")?, self.get("sequence")?, self.get("chain")?)?,
            oldest: Sequence(self.number("oldest")),
            expires: Timestamp(self.number("expires") as i64),
            archived: Sequence(self.number("archived")),
        })
    }

    fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.fields.iter().find(|(known, _)| known == name)?;
        std::str::from_utf8(value).ok()
    }

    fn number(&self, name: &str) -> u64 {
        self.get(name).and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// Where the log stands.
    pub(super) fn position(&self) -> Option<Position> {
        self.place.map(|place| place.position)
    }

    /// The epochs that the log went through before; `None` where an older version wrote it.
    pub(super) fn past(&self) -> Option<&str> {
        self.get("past")
    }

    /// What the log lacks of its beginning, where it was put back without that.
    pub(super) fn lacks(&self) -> Option<Lack> {
        let (from, at) = self.get("torn")?.split_once(' ')?;
        let lack = Lack { from: Sequence(from.parse().ok()?), since: Timestamp(at.parse().ok()?) };
        self.place.filter(|place| lack.from < place.oldest).map(|_| lack)
    }

    /// Whether somebody deleted the session a short while ago, or this epoch of it: a mark that was lost and set again
    /// concerns no life that began after it.
    pub(super) fn is_forgotten(&self, epoch: Option<Epoch>) -> bool {
        let mark = self.get("forgotten");
        mark.is_some_and(|mark| mark == "1" || epoch.is_none_or(|epoch| epoch.as_str() == mark))
    }

    /// Where the log begins as far as it was trimmed.
    pub(super) fn log_begins(&self) -> Option<Sequence> {
        self.place.map(|place| place.oldest)
    }

    /// The oldest entry that can be read, where the log begins with `first`.
    pub(super) fn oldest(&self, first: Option<Sequence>) -> Sequence {
        let next = self.position().map_or(Sequence(1), |position| position.sequence.next());
        // A log that Redis evicted is gone whatever `oldest` says.
        first.map_or(next, |first| self.place.map_or(first, |place| first.max(place.oldest)))
    }

    /// Whether a session whose data's time is over expected nothing more.
    pub(super) fn is_ended(&self, session: &SessionId) -> bool {
        match (self.get("ended"), self.position()) {
            (Some(ended), _) => ended == "1",
            (None, Some(position)) => self.state(session, position).is_ok_and(|state| state.is_ended()),
            (None, None) => false,
        }
    }

    fn state(&self, session: &SessionId, position: Position) -> Result<SessionState, StoreError> {
        let fields: Vec<(&str, &[u8])> =
            self.fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        SessionState::from_fields(session.clone(), position, &fields)
            .map_err(|error| StoreError::Corrupt(error.to_string()))
    }

    /// The layout that these keys have.
    pub(super) fn check_format(&self) -> Result<(), StoreError> {
        let format = self.number("format");
        if format > FORMAT { Err(newer_format(format)) } else { Ok(()) }
    }

    /// Whether the session is there at `now`, and its state.
    pub(super) fn presence(
        &self,
        session: &SessionId,
        now: Timestamp,
        lifetime: Lifetime,
    ) -> Result<Presence, StoreError> {
        self.check_format()?;
        let Some(Place { position, expires, archived, .. }) = self.place else {
            return Ok(Presence::Unknown);
        };
        if now >= expires.plus_ms(lifetime.tombstone_ms) {
            return Ok(Presence::Unknown);
        }
        // Whatever the clock says: nothing but that it was there is known.
        let has_begun = self.number("began") <= position.sequence.0;
        let waits = lifetime.is_gated && archived < position.sequence;
        if !has_begun || now >= expires && !waits {
            return Ok(Presence::Expired(position));
        }
        Ok(Presence::Live(Arc::new(self.state(session, position)?)))
    }

    /// How many late results each output had.
    pub(super) fn late(&self) -> HashMap<Output, u64> {
        let counted = self.fields.iter().filter_map(|(name, value)| {
            let mut parts = name.strip_prefix("late ")?.split(' ');
            let output = Output {
                step: parts.next()?.parse().ok()?,
                stage: parts.next()?.parse().ok()?,
                result_key: parts.next()?.parse().ok()?,
            };
            Some((output, std::str::from_utf8(value).ok()?.parse().ok()?))
        });
        counted.collect()
    }
}

/// The field that counts an output's late results.
pub(super) fn late_field(output: &Output) -> String {
    format!("late {} {} {}", output.step, output.stage, output.result_key)
}

/// A position out of three fields.
fn position(epoch: &str, sequence: &str, chain: &str) -> Option<Position> {
    Some(Position {
        epoch: epoch.parse().ok()?,
        sequence: Sequence(sequence.parse().ok()?),
        chain: Chain(u64::from_str_radix(chain, 16).ok()?),
    })
}

/// The number that a script gives, which is negative where a newer version wrote the session.
pub(super) fn count_unless_newer(answer: &Value) -> Result<u64, StoreError> {
    let Value::Int(count) = answer else {
        return Err(StoreError::Corrupt("a script's answer can't be read".into()));
    };
    if *count < 0 { Err(newer_format(count.unsigned_abs())) } else { Ok(count.unsigned_abs()) }
}

/// Keys that a newer version wrote: this one must not touch them.
pub(super) fn newer_format(format: u64) -> StoreError {
    StoreError::Newer(format!(
        "the session was written by a newer version (format {format}, this one knows {FORMAT})"
    ))
}
