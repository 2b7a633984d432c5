//! One entry of a log: `{wire?, record}` and its place in the chain.
//!
//! Both parts are encoded once, into one buffer, when the entry is made: stores keep the bytes, readers get the
//! `wire` part as it is.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::position::{AppendId, Chain, Epoch, Position, Sequence};
use super::record::{Record, encode_record};
use super::time::Timestamp;

/// Room for the record of an ordinary event.
const RECORD_BYTES: usize = 256;

/// An entry, sealed: nothing of it changes any more.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its number in the session.
    pub sequence: Sequence,
    /// When it was decided, by the store's clock.
    pub at: Timestamp,
    /// The append that brought it.
    pub append_id: AppendId,
    /// The chain before it.
    pub previous_chain: Chain,
    /// The chain with it.
    pub chain: Chain,
    /// What it means to the fold.
    pub record: Record,
    /// Whether its event is kept without being shown: that of a step in the shadow.
    pub unseen: bool,
    encoded: Box<[u8]>,
    wire_at: usize,
}

#[derive(Deserialize)]
struct StoredRecordLine {
    at: Timestamp,
    #[serde(default)]
    unseen: bool,
    record: Record,
}

/// The payload that readers of an event are shown.
#[derive(Deserialize)]
struct Shown<'a> {
    #[serde(borrow)]
    content: ShownContent<'a>,
}

#[derive(Deserialize)]
struct ShownContent<'a> {
    #[serde(borrow)]
    payload: &'a RawValue,
}

/// Stored bytes that are no entry.
#[derive(Debug, thiserror::Error)]
#[error("a stored entry can't be read: {0}")]
pub struct CorruptEntry(String);

impl CorruptEntry {
    /// Bytes that aren't an entry, and why.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl Entry {
    /// Makes the entry after `previous`. `wire` is one line of JSON, empty where there is no event.
    pub fn seal(previous: Position, append_id: AppendId, at: Timestamp, record: Record, wire: &[u8]) -> Self {
        let mut encoded = Vec::with_capacity(RECORD_BYTES + wire.len());
        encode_record(at, false, &record, &mut encoded);
        let wire_at = encoded.len();
        encoded.extend_from_slice(wire);
        Self::of_bytes(previous, append_id, at, (record, false), (&encoded, wire_at))
    }

    /// Makes the entry after `previous` of its bytes: the record's, and from `wire_at` on those of its event. `unseen`: the event is kept, and
    /// no reader sees it.
    pub fn of_bytes(
        previous: Position,
        append_id: AppendId,
        at: Timestamp,
        (record, unseen): (Record, bool),
        (encoded, wire_at): (&[u8], usize),
    ) -> Self {
        Self {
            sequence: previous.sequence.next(),
            at,
            append_id,
            previous_chain: previous.chain,
            chain: previous.chain.next(append_id, encoded),
            record,
            unseen,
            // As long as it is and no longer: it is kept for long.
            encoded: encoded.into(),
            wire_at,
        }
    }

    /// Reads back what [`Entry::record_bytes`] and [`Entry::wire`] gave.
    ///
    /// # Errors
    /// Where the record can't be read, or the chain doesn't match the bytes.
    pub fn restore(
        previous: Position,
        append_id: AppendId,
        chain: Chain,
        record: &[u8],
        wire: &[u8],
    ) -> Result<Self, CorruptEntry> {
        let line: StoredRecordLine =
            serde_json::from_slice(record).map_err(|error| CorruptEntry::new(error.to_string()))?;
        let encoded: Box<[u8]> = [record, wire].concat().into();
        if previous.chain.next(append_id, &encoded) != chain {
            return Err(CorruptEntry(format!("the chain breaks at {}", previous.sequence.next())));
        }
        Ok(Self {
            sequence: previous.sequence.next(),
            at: line.at,
            append_id,
            previous_chain: previous.chain,
            chain,
            record: line.record,
            unseen: line.unseen,
            encoded,
            wire_at: record.len(),
        })
    }

    /// The event as readers see it, unless it is `unseen`: one line of JSON, the same bytes each time.
    pub fn wire(&self) -> Option<&[u8]> {
        (self.wire_at < self.encoded.len()).then(|| &self.encoded[self.wire_at..])
    }

    /// Whether its event, one of a subagent, has a payload: it stands right behind the attempt.
    pub fn carries_payload(&self) -> bool {
        // Made once: making one costs more than a search, and this is asked of every event.
        static ATTEMPT: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(b",\"attempt\":"));
        let wire = self.wire().unwrap_or_default();
        let Some(at) = ATTEMPT.find(wire) else { return false };
        let behind = &wire[at + ATTEMPT.needle().len()..];
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        behind[digits..].starts_with(b",\"payload\":")
    }

    /// Its event with what the subagent sent as its payload, where readers are shown a part of that only.
    pub fn original_wire(&self) -> Vec<u8> {
        let wire = self.wire().unwrap_or_default();
        let Record::Subagent { original: Some(original), .. } = &self.record else { return wire.to_vec() };
        let shown = serde_json::from_slice::<Shown<'_>>(wire).ok().map(|shown| shown.content.payload.get());
        let at = shown.and_then(|shown| {
            (shown.as_ptr() as usize).checked_sub(wire.as_ptr() as usize).zip(Some(shown.len()))
        });
        match at.and_then(|(at, len)| Some((wire.get(..at)?, wire.get(at + len..)?))) {
            Some((before, after)) => [before, original.0.get().as_bytes(), after].concat(),
            None => wire.to_vec(),
        }
    }

    /// The record as it is stored.
    pub fn record_bytes(&self) -> &[u8] {
        &self.encoded[..self.wire_at]
    }

    /// What it counts for where bytes are bounded: its own, and a flat share for what surrounds them in memory.
    pub fn weight(&self) -> usize {
        self.encoded.len() + 320
    }

    /// The place after it.
    pub fn position(&self, epoch: Epoch) -> Position {
        Position { epoch, sequence: self.sequence, chain: self.chain }
    }

    /// The place before it.
    pub fn previous_position(&self, epoch: Epoch) -> Position {
        Position { epoch, sequence: self.sequence.previous(), chain: self.previous_chain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_known_by_its_place() {
        let of = |wire: &str| {
            let (previous, id) = (Position::start(Epoch::from_random(1)), AppendId(1));
            Entry::seal(previous, id, Timestamp(0), Record::SessionClosed, wire.as_bytes()).carries_payload()
        };
        assert!(of(r#"{"content":{"stage":"a","attempt":12,"payload":{}}}"#));
        for wire in [
            r#"{"content":{"stage":"a","attempt":1},"telemetry":{"metrics":{"a":1,"payload":2}}}"#,
            r#"{"content":{"stage":"a","attempt":1,"error":{"code":",\"payload\":"}}}"#,
            r#"{"content":{"stage":"a","attempt":1"#,
            "",
        ] {
            assert!(!of(wire), "{wire}");
        }
    }

    #[test]
    fn an_entry_is_restored_from_its_bytes_and_a_changed_byte_is_noticed() {
        let start = Position::start("7f3a91".parse().unwrap());
        let record = Record::Progress { step: "p".parse().unwrap() };
        let entry = Entry::seal(start, AppendId(7), Timestamp(5), record, br#"{"type":"planner_progress"}"#);
        let wire = entry.wire().unwrap();
        let again = Entry::restore(start, AppendId(7), entry.chain, entry.record_bytes(), wire).unwrap();
        assert_eq!(again, entry);
        let mut changed = wire.to_vec();
        changed[3] ^= 1;
        assert!(Entry::restore(start, AppendId(7), entry.chain, entry.record_bytes(), &changed).is_err());
    }
}
