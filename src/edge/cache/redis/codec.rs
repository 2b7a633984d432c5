//! Entries as bytes: in the stream `log`, in the hash `latest`, and in what is published.
//!
//! ```text
//! entry    sequence 8 · append_id 8 · previous_chain 8 · chain 8 · length of record 4 · record · wire
//! message  kind 1 · flags 1 (1: ended, 2: fresh) · epoch 16, padded with zeros · then per entry: length 4 · entry
//! ```
//!
//! Numbers are big-endian. An append's message is put together once; its script gets the parts, and puts them together again where
//! somebody listens.

use std::sync::Arc;

use crate::domain::entry::{CorruptEntry, Entry};
use crate::domain::position::{AppendId, Chain, Epoch, Position, Sequence};

/// Bytes before the record.
const ENTRY_HEAD: usize = 36;
/// Bytes before the first entry of a message.
pub(super) const MESSAGE_HEAD: usize = 18;

const KIND_ENTRIES: u8 = 1;
const KIND_FORGOTTEN: u8 = 2;
const KIND_MOVED: u8 = 3;
const FLAG_ENDED: u8 = 1;
const FLAG_FRESH: u8 = 2;

/// What is told on a session's channel.
#[derive(Debug)]
pub(super) enum Message {
    /// An append; `fresh`: nothing that was before it counts any more.
    Entries { epoch: Epoch, entries: Vec<Arc<Entry>>, ended: bool, fresh: bool },
    /// The session was deleted.
    Forgotten,
    /// The log goes on elsewhere: another epoch began.
    Moved,
}

/// The message of an append.
pub(super) fn message_of(epoch: Epoch, entries: &[Arc<Entry>], ended: bool, fresh: bool) -> Vec<u8> {
    let bytes: usize = entries.iter().map(|entry| entry.weight()).sum();
    let mut out = Vec::with_capacity(MESSAGE_HEAD + bytes);
    out.extend([KIND_ENTRIES, if ended { FLAG_ENDED } else { 0 } | if fresh { FLAG_FRESH } else { 0 }]);
    let digits = epoch.as_str().as_bytes();
    out.extend_from_slice(digits);
    out.resize(MESSAGE_HEAD, 0);
    for entry in entries {
        let start = out.len();
        out.extend([0; 4]);
        write_entry(&mut out, entry);
        let length = (out.len() - start - 4) as u32;
        out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    }
    out
}

/// The entries of a message that was put together here, as the log holds them.
pub(super) fn entries_of(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = message.get(MESSAGE_HEAD..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, after) = rest.split_first_chunk()?;
        let (entry, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        rest = after;
        Some(entry)
    })
}

/// The message that a session was deleted.
pub(super) fn forgotten() -> Vec<u8> {
    bare(KIND_FORGOTTEN)
}

/// The message that the log goes on elsewhere.
pub(super) fn moved() -> Vec<u8> {
    bare(KIND_MOVED)
}

fn bare(kind: u8) -> Vec<u8> {
    let mut out = vec![kind];
    out.resize(MESSAGE_HEAD, 0);
    out
}

/// An entry as the log holds it.
pub(super) fn entry_bytes(entry: &Entry) -> Vec<u8> {
    let mut out = Vec::with_capacity(entry.weight());
    write_entry(&mut out, entry);
    out
}

fn write_entry(out: &mut Vec<u8>, entry: &Entry) {
    let record = entry.record_bytes();
    out.extend(entry.sequence.0.to_be_bytes());
    out.extend(entry.append_id.0.to_be_bytes());
    out.extend(entry.previous_chain.0.to_be_bytes());
    out.extend(entry.chain.0.to_be_bytes());
    out.extend((record.len() as u32).to_be_bytes());
    out.extend_from_slice(record);
    out.extend_from_slice(entry.wire().unwrap_or_default());
}

/// Reads a message back.
///
/// # Errors
/// Where it is cut short, of another kind, or an entry in it is broken.
pub(super) fn read_message(bytes: &[u8]) -> Result<Message, CorruptEntry> {
    let short = || CorruptEntry::new("a message is cut short");
    let (head, mut rest) = bytes.split_at_checked(MESSAGE_HEAD).ok_or_else(short)?;
    match head[0] {
        KIND_FORGOTTEN => return Ok(Message::Forgotten),
        KIND_MOVED => return Ok(Message::Moved),
        KIND_ENTRIES => {}
        other => return Err(CorruptEntry::new(format!("messages of kind {other} aren't known"))),
    }
    let digits = std::str::from_utf8(&head[2..]).unwrap_or_default().trim_end_matches('\0');
    let epoch: Epoch = digits.parse().map_err(|_| CorruptEntry::new("a message has no epoch"))?;
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk().ok_or_else(short)?;
        let (entry, after) =
            after.split_at_checked(u32::from_be_bytes(*length) as usize).ok_or_else(short)?;
        entries.push(Arc::new(read_entry(entry, epoch)?));
        rest = after;
    }
    let is_set = |flag: u8| head[1] & flag != 0;
    Ok(Message::Entries { epoch, entries, ended: is_set(FLAG_ENDED), fresh: is_set(FLAG_FRESH) })
}

/// Reads an entry back; its chain tells whether it is whole.
///
/// # Errors
/// Where it isn't.
pub(super) fn read_entry(bytes: &[u8], epoch: Epoch) -> Result<Entry, CorruptEntry> {
    let number =
        |at: usize| bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes);
    let length = || bytes.get(32..ENTRY_HEAD).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
    let parts = || Some((number(0)?, number(8)?, number(16)?, number(24)?, length()?));
    let body = || bytes.get(ENTRY_HEAD..);
    let short = || CorruptEntry::new("an entry is cut short");
    let ((sequence, append_id, previous, chain, length), body) = parts().zip(body()).ok_or_else(short)?;
    let (record, wire) = body.split_at_checked(length as usize).ok_or_else(short)?;
    let previous = Position { epoch, sequence: Sequence(sequence).previous(), chain: Chain(previous) };
    Entry::restore(previous, AppendId(append_id), Chain(chain), record, wire)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::record::Record;
    use crate::domain::time::Timestamp;

    fn entries() -> (Epoch, Vec<Arc<Entry>>) {
        let mut place = Position::start("7f3a91".parse().unwrap());
        let entries = [&b"{\"a\":1}"[..], b"", "{\"b\":\"ü\"}".as_bytes()].map(|wire| {
            let record = Record::Progress { step: "p".parse().unwrap() };
            let entry = Entry::seal(place, AppendId(9), Timestamp(5), record, wire);
            place = entry.position(place.epoch);
            Arc::new(entry)
        });
        (place.epoch, entries.to_vec())
    }

    #[test]
    fn a_message_is_read_back() {
        let (epoch, entries) = entries();
        let bytes = message_of(epoch, &entries, true, false);
        match read_message(&bytes).unwrap() {
            Message::Entries { epoch: read_epoch, entries: read, ended, fresh: false } => {
                assert_eq!((read_epoch, read, ended), (epoch, entries, true));
            }
            other @ (Message::Forgotten | Message::Moved | Message::Entries { .. }) => {
                panic!("entries were sent: {other:?}")
            }
        }
        assert!(matches!(read_message(&forgotten()), Ok(Message::Forgotten)));
    }

    #[test]
    fn what_is_cut_or_changed_is_noticed() {
        let (epoch, entries) = entries();
        let whole = message_of(epoch, &entries, false, true);
        let ends: Vec<usize> = {
            let mut at = MESSAGE_HEAD;
            let step = |entry: &Arc<Entry>| {
                at += 4 + ENTRY_HEAD + entry.record_bytes().len() + entry.wire().unwrap_or_default().len();
                at
            };
            std::iter::once(MESSAGE_HEAD).chain(entries.iter().map(step)).collect()
        };
        for cut in 0..whole.len() {
            let fits = ends.contains(&cut);
            assert_eq!(read_message(&whole[..cut]).is_ok(), fits, "cut at {cut}");
        }
        let mut changed = whole.clone();
        *changed.last_mut().unwrap() ^= 1;
        assert!(read_message(&changed).is_err());
    }
}
