//! Where something stands in a session's log.
//!
//! A [`Position`] is `{epoch, sequence, chain}` and, as text, the cursor that readers keep:
//! `<epoch>_<sequence>_<chain>` with 16 hex digits of chain. The chain is a running hash over everything before it,
//! so two logs that handed out the same sequence for different entries are told apart by one comparison.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The number of an entry in its session: dense, from 1. 0 is the place before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Sequence(pub u64);

impl Sequence {
    /// The number after this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The number before this one, 0 staying 0.
    pub fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names one life of a log: 6 to 16 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Epoch {
    digits: [u8; 16],
    length: u8,
}

impl Epoch {
    /// The epoch with the eight hex digits of `random`.
    pub fn from_random(random: u32) -> Self {
        format!("{random:08x}").parse().expect("eight hex digits are an epoch")
    }

    fn as_bytes(&self) -> &[u8] {
        &self.digits[..usize::from(self.length)]
    }

    /// The epoch's digits.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("hex digits are UTF-8")
    }
}

impl FromStr for Epoch {
    type Err = InvalidCursor;
    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if !(6..=16).contains(&text.len()) || !text.bytes().all(hex) {
            return Err(InvalidCursor);
        }
        let mut digits = [0; 16];
        digits[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Self { digits, length: text.len() as u8 })
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Names one append, so that a writer whose append timed out can find out whether it was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AppendId(pub u64);

/// The running hash of a log (XXH3-64, seeded with the chain before).
///
/// It shows forks and corruption; it is no signature: who may write the log is decided elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Chain(pub u64);

impl Chain {
    /// The chain of an empty log.
    pub fn seed(epoch: Epoch) -> Self {
        Self(if mutant!("chain-without-epoch") { 0 } else { xxh3_64(epoch.as_str().as_bytes()) })
    }

    /// The chain after an entry with the bytes `encoded`, appended by `append_id`.
    pub fn next(self, append_id: AppendId, encoded: &[u8]) -> Self {
        Self(xxh3_64_with_seed(encoded, self.0 ^ append_id.0.rotate_left(32)))
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The place after the entry `sequence`; as text, a reader's cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Which life of the log.
    pub epoch: Epoch,
    /// The last entry before this place.
    pub sequence: Sequence,
    /// The running hash up to here.
    pub chain: Chain,
}

impl Position {
    /// The place before the first entry of `epoch`.
    pub fn start(epoch: Epoch) -> Self {
        Self { epoch, sequence: Sequence(0), chain: Chain::seed(epoch) }
    }
}

impl Position {
    /// Adds the cursor's text. It stands in every frame and every answer, so it is put together without `fmt`.
    pub fn write_to(&self, out: &mut Vec<u8>) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        out.extend_from_slice(self.epoch.as_bytes());
        out.push(b'_');
        out.extend_from_slice(itoa::Buffer::new().format(self.sequence.0).as_bytes());
        out.push(b'_');
        let nibble = |place: u32| HEX[(self.chain.0 >> (60 - 4 * place)) as usize & 15];
        out.extend((0..16).map(nibble));
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(56);
        self.write_to(&mut text);
        f.write_str(std::str::from_utf8(&text).expect("a cursor is ASCII"))
    }
}

impl Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that isn't a cursor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a cursor is <epoch>_<sequence>_<chain>: 6 to 16 lowercase hex digits, a number, 16 hex digits")]
pub struct InvalidCursor;

impl FromStr for Position {
    type Err = InvalidCursor;
    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let mut parts = text.split('_');
        let (Some(epoch), Some(sequence), Some(chain), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(InvalidCursor);
        };
        let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if chain.len() != 16 || !chain.bytes().all(lower_hex) || !is_plain_number(sequence) {
            return Err(InvalidCursor);
        }
        Ok(Self {
            epoch: epoch.parse()?,
            sequence: Sequence(sequence.parse().map_err(|_| InvalidCursor)?),
            chain: Chain(u64::from_str_radix(chain, 16).map_err(|_| InvalidCursor)?),
        })
    }
}

/// Digits only and no leading zero: one text for one number.
pub fn is_plain_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_its_text() {
        for text in ["7f3a91_0_9c1b2d3e00a1b2c3", "0123456789abcdef_18446744073709551615_0000000000000000"] {
            assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_only_looks_like_a_cursor_is_refused() {
        for text in [
            "",
            "start",
            "7f3a91",
            "7f3a9_1_9c1b2d3e00a1b2c3",
            "7F3A91_1_9c1b2d3e00a1b2c3",
            "7f3a91_-1_9c1b2d3e00a1b2c3",
            "7f3a91_01_9c1b2d3e00a1b2c3",
            "7f3a91_+1_9c1b2d3e00a1b2c3",
            "7f3a91_1_9c1b2d3e00a1b2c",
            "7f3a91_1_9C1B2D3E00A1B2C3",
            "7f3a91_18446744073709551616_9c1b2d3e00a1b2c3",
            "7f3a91_1_9c1b2d3e00a1b2c3_",
            "0123456789abcdef0_1_9c1b2d3e00a1b2c3",
        ] {
            assert_eq!(text.parse::<Position>(), Err(InvalidCursor), "{text}");
        }
    }

    #[test]
    fn chains_differ_by_epoch_append_and_bytes() {
        let seed = Chain::seed("7f3a91".parse().unwrap());
        let next = seed.next(AppendId(1), b"entry");
        assert_ne!(seed, Chain::seed("7f3a92".parse().unwrap()));
        assert_ne!(next, seed.next(AppendId(2), b"entry"));
        assert_ne!(next, seed.next(AppendId(1), b"entrz"));
        assert_eq!(next, seed.next(AppendId(1), b"entry"));
    }
}
