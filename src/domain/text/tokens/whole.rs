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
    let mut packed = [0; 16];
    packed.get_mut(..bytes.len()).filter(|_| bytes.len() <= BYTES_MAX)?.copy_from_slice(bytes);
    packed[BYTES_MAX] = bytes.len() as u8;
    let packed = u128::from_le_bytes(packed);
    Some((packed as u64, (packed >> 64) as u64))
}

/// Whether a text is one token of `o200k_base`; false also where it is too long to be known.
pub(super) fn is_token(bytes: &[u8]) -> bool {
    key(bytes).is_some_and(|key| TOKENS.contains(&key))
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
