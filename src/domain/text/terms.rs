//! Tables by term. Terms are hashes already, so that nothing is hashed again.

use std::hash::{BuildHasherDefault, Hasher};

use super::words::{Lexicon, Term};

/// A map by term. Its order means nothing: never iterate over it for an output.
pub type TermMap<V> = std::collections::HashMap<Term, V, BuildHasherDefault<TermHasher>>;

/// A set of terms. Its order means nothing: never iterate over it for an output.
pub type TermSet = std::collections::HashSet<Term, BuildHasherDefault<TermHasher>>;

/// A set of pairs of terms, likewise.
pub type PairSet = std::collections::HashSet<(Term, Term), BuildHasherDefault<TermHasher>>;

/// Takes what it is given as the hash, mixed.
#[derive(Debug, Default, Clone, Copy)]
pub struct TermHasher(u64);

impl Hasher for TermHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// A table of known words by their terms.
pub fn table<'w, V: Copy>(words: impl IntoIterator<Item = (&'w str, V)>) -> TermMap<V> {
    let mut lexicon = Lexicon::default();
    let mut table = TermMap::default();
    for (word, value) in words {
        if let [only] = lexicon.words(word)[..] {
            table.entry(only.term).or_insert(value);
        }
    }
    table
}
