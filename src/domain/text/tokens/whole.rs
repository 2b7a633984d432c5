//! Pieces that are one token: nearly all of a text's. Looking one up is ten times faster than encoding it.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use bpe_openai::o200k_base;

use crate::domain::text::terms::TermHasher;

/// Longer tokens aren't known here.
const BYTES_MAX: usize = 15;

/// The tokens of `o200k_base` of up to [`BYTES_MAX`] bytes: about 4 MB. That each of them is encoded as itself is tested.
static TOKENS: LazyLock<HashSet<(u64, u64), BuildHasherDefault<TermHasher>>> = LazyLock::new(|| {
    let bpe = &o200k_base().bpe;
    let tokens = 0..u32::try_from(bpe.num_tokens()).unwrap_or(u32::MAX);
    tokens.filter_map(|token| key(bpe.token_bytes(token))).collect()
});

/// Up to [`BYTES_MAX`] bytes and how many they are, so that no two texts have the same.
fn key(bytes: &[u8]) -> Option<(u64, u64)> {
    let length = bytes.len();
    let (low, high) = match length {
        1..8 => (up_to_eight(bytes), 0),
        8..=BYTES_MAX => (up_to_eight(&bytes[..8]), up_to_eight(&bytes[8..])),
        _ => return None,
    };
    Some((low, high | (length as u64) << 56))
}

/// Up to eight bytes as a number, read in pieces that overlap: copying a few bytes would take longer than looking them up.
fn up_to_eight(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << (8 * (length - 4));
    }
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Slots of [`SHORT`]: more than twice its tokens, so that one place in memory is looked at, mostly.
const SLOTS: usize = 1 << 18;

/// The same of up to seven bytes, which most pieces have, by themselves: as [`key`] packs them, 0 where there is none; each
/// stands in the first slot that is free from its own on.
static SHORT: LazyLock<Box<[u64]>> = LazyLock::new(|| {
    let mut slots = vec![0; SLOTS].into_boxed_slice();
    for packed in TOKENS.iter().filter_map(|key| short(*key)) {
        let free = slots_from(packed).find(|slot| slots[*slot] == 0);
        if let Some(free) = free {
            slots[free] = packed;
        }
    }
    slots
});

/// A key of up to seven bytes as one number.
fn short((low, high): (u64, u64)) -> Option<u64> {
    (high >> 56 < 8).then_some(low | high)
}

/// The slots in which a token may stand, the first first.
fn slots_from(packed: u64) -> impl Iterator<Item = usize> {
    let first = packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 46;
    (0..SLOTS).map(move |step| (first as usize + step) % SLOTS)
}

/// Whether all that is looked up here is there, and with it the vocabulary.
pub(super) fn is_read() -> bool {
    LazyLock::get(&SHORT).is_some()
}

pub(super) fn read() {
    LazyLock::force(&SHORT);
}

/// Whether a text is one token of `o200k_base`; false also where it is too long to be known.
#[inline]
pub(super) fn is_token(bytes: &[u8]) -> bool {
    let Some(key) = key(bytes) else { return false };
    match short(key) {
        Some(packed) => {
            let slots = &**SHORT;
            let found =
                slots_from(packed).map(|slot| slots[slot]).find(|other| *other == packed || *other == 0);
            found == Some(packed)
        }
        None => TOKENS.contains(&key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_token_is_encoded_as_itself() {
        let bpe = &o200k_base().bpe;
        let mut known = 0;
        for token in 0..bpe.num_tokens() as u32 {
            let bytes = bpe.token_bytes(token);
            if is_token(bytes) {
                assert_eq!(bpe.count(bytes), 1, "{token}: {bytes:?}");
                known += 1;
            }
        }
        assert!(known > 150_000, "{known}");
    }
}
