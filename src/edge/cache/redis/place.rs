//! Where a session's log stands, as one field of `meta` says it (`place.lua`).

use crate::domain::position::{Chain, Epoch, Position, Sequence};
use crate::domain::time::Timestamp;

/// Bytes of a position: epoch 16, padded with zeros · sequence 8 · chain 8, big-endian.
pub(super) const WHERE: usize = 32;
/// Bytes before the position: layout and mark.
const BEFORE: usize = 2;

/// A position as scripts compare it.
pub(super) fn where_of(position: Position) -> [u8; WHERE] {
    let mut bytes = [0; WHERE];
    let epoch = position.epoch.as_str().as_bytes();
    bytes[..epoch.len()].copy_from_slice(epoch);
    bytes[16..24].copy_from_slice(&position.sequence.0.to_be_bytes());
    bytes[24..].copy_from_slice(&position.chain.0.to_be_bytes());
    bytes
}

/// The same back.
pub(super) fn read_where(bytes: &[u8]) -> Option<Position> {
    let digits = std::str::from_utf8(bytes.get(..16)?).ok()?.trim_end_matches('\0');
    let epoch: Epoch = digits.parse().ok()?;
    Some(Position { epoch, sequence: Sequence(number(bytes, 16)?), chain: Chain(number(bytes, 24)?) })
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The place, with what belongs to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) position: Position,
    /// The oldest entry of the log.
    pub(super) oldest: Sequence,
    /// When the data's time is over.
    pub(super) expires: Timestamp,
    /// As far as the archive has it.
    pub(super) archived: Sequence,
}

impl Place {
    /// Out of the field.
    pub(super) fn read(field: &[u8]) -> Option<Self> {
        let (position, numbers) = field.get(BEFORE..)?.split_at_checked(WHERE)?;
        Some(Self {
            position: read_where(position)?,
            oldest: Sequence(number(numbers, 0)?),
            expires: Timestamp(number(numbers, 16)? as i64),
            archived: Sequence(number(numbers, 32)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_back_with_epochs_of_any_length() {
        for epoch in ["abcdef", "75c8d120", "0123456789abcdef"] {
            let position = Position { sequence: Sequence(7), ..Position::start(epoch.parse().unwrap()) };
            assert_eq!(read_where(&where_of(position)), Some(position));
        }
        assert_eq!(read_where(b""), None);
        assert_eq!(read_where(&[0; WHERE]), None);
    }

    #[test]
    fn a_place_that_is_cut_short_is_none() {
        let position = Position::start("abcdef".parse().unwrap());
        let numbers = [3_u64, 900, 1_800_000, 0, 2];
        let mut field = vec![2, 0];
        field.extend(where_of(position));
        field.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        let place = Place::read(&field).unwrap();
        assert_eq!(place.position, position);
        assert_eq!((place.oldest.0, place.expires.0, place.archived.0), (3, 1_800_000, 2));
        for cut in 0..field.len() {
            assert!(Place::read(&field[..cut]).is_none(), "cut at {cut}");
        }
    }
}
