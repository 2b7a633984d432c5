//! Offsets: our cursor, turned so that offsets sort as the log does.
//!
//! The protocol wants offsets that increase lexicographically (section 8), and clients may compare them. A cursor is
//! `<epoch>_<sequence>_<chain>`; an offset is `<sequence>_<epoch>_<chain>` with 20 digits of sequence, so it holds the
//! whole cursor, and a resume is checked by chain as everywhere else.

use std::fmt;
use std::str::FromStr;

use crate::domain::position::{Chain, Position, Sequence};

/// Digits of a sequence: as many as the greatest has.
const SEQUENCE_DIGITS: usize = 20;
/// Digits of a chain.
const CHAIN_DIGITS: usize = 16;

/// The place after an entry of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Offset(pub Position);

/// A text that isn't an offset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an offset is -1, now, or what `Stream-Next-Offset` said")]
pub struct InvalidOffset;

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { epoch, sequence, chain } = self.0;
        write!(f, "{:0SEQUENCE_DIGITS$}_{epoch}_{chain}", sequence.0)
    }
}

impl FromStr for Offset {
    type Err = InvalidOffset;
    fn from_str(text: &str) -> Result<Self, InvalidOffset> {
        let mut parts = text.split('_');
        let (Some(sequence), Some(epoch), Some(chain), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(InvalidOffset);
        };
        let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if sequence.len() != SEQUENCE_DIGITS
            || !sequence.bytes().all(|b| b.is_ascii_digit())
            || chain.len() != CHAIN_DIGITS
            || !chain.bytes().all(lower_hex)
        {
            return Err(InvalidOffset);
        }
        Ok(Self(Position {
            epoch: epoch.parse().map_err(|_| InvalidOffset)?,
            sequence: Sequence(sequence.parse().map_err(|_| InvalidOffset)?),
            chain: Chain(u64::from_str_radix(chain, 16).map_err(|_| InvalidOffset)?),
        }))
    }
}

/// Where reading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// `-1`: at the oldest that there is.
    Beginning,
    /// `now`: after what is there.
    Now,
    /// After a place that was given before.
    After(Offset),
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beginning => f.write_str("-1"),
            Self::Now => f.write_str("now"),
            Self::After(offset) => offset.fmt(f),
        }
    }
}

impl FromStr for Start {
    type Err = InvalidOffset;
    fn from_str(text: &str) -> Result<Self, InvalidOffset> {
        match text {
            "-1" => Ok(Self::Beginning),
            "now" => Ok(Self::Now),
            offset => offset.parse().map(Self::After),
        }
    }
}
