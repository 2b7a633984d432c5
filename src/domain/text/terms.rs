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

    // As `write` has their bytes, without looking for chunks: figures are hashed field by field.
    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_i32(&mut self, number: i32) {
        self.write_u32(number as u32);
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_usize(number as usize);
    }
}

/// Bits by which terms that aren't known are told from those that are.
const BITS: usize = 1 << 13;

/// A fixed list of words, asked about every word of a text: nearly none is in it, and a bit says so of most.
#[derive(Debug)]
pub struct KnownTerms<V> {
    known: TermMap<V>,
    bits: Box<[u64; BITS / 64]>,
}

impl<V> KnownTerms<V> {
    /// What is known of a term.
    #[inline]
    pub fn get(&self, term: Term) -> Option<&V> {
        if self.may_hold(term) { self.known.get(&term) } else { None }
    }

    /// All terms that are known, in no order.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.known.keys().copied()
    }

    /// Whether a term may be known; where not, it isn't.
    #[inline]
    pub fn may_hold(&self, term: Term) -> bool {
        let bit = bit(term);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }
}

impl<V> From<TermMap<V>> for KnownTerms<V> {
    fn from(known: TermMap<V>) -> Self {
        let mut bits = Box::new([0; BITS / 64]);
        for bit in known.keys().map(|term| bit(*term)) {
            bits[bit / 64] |= 1 << (bit % 64);
        }
        Self { known, bits }
    }
}

fn bit(term: Term) -> usize {
    term.0 as usize % BITS
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

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::*;

    #[test]
    fn numbers_are_hashed_as_their_bytes() {
        let hashed = |value: &dyn Fn(&mut TermHasher)| {
            let mut hasher = TermHasher(7);
            value(&mut hasher);
            hasher.finish()
        };
        let bytes = |bytes: &[u8]| hashed(&|hasher| hasher.write(bytes));
        assert_eq!(hashed(&|hasher| 200_u8.hash(hasher)), bytes(&[200]));
        assert_eq!(hashed(&|hasher| 70_000_u32.hash(hasher)), bytes(&70_000_u32.to_le_bytes()));
        assert_eq!(hashed(&|hasher| (-3_i32).hash(hasher)), bytes(&(-3_i32).to_le_bytes()));
        assert_eq!(hashed(&|hasher| (-3_isize).hash(hasher)), bytes(&(-3_i64).to_le_bytes()));
        assert_eq!(hashed(&|hasher| 9_usize.hash(hasher)), bytes(&9_u64.to_le_bytes()));
        assert_eq!(hashed(&|hasher| (5_u128 << 90).hash(hasher)), bytes(&(5_u128 << 90).to_le_bytes()));
    }

    #[test]
    fn known_terms_are_found_and_no_others() {
        let known = KnownTerms::from(table([("rise", 1), ("fall", 2)]));
        let term = |word: &str| Lexicon::default().words(word)[0].term;
        assert_eq!(known.get(term("rises")), Some(&1));
        assert_eq!(known.get(term("fall")), Some(&2));
        assert_eq!(known.get(term("price")), None);
        assert_eq!(known.get(Term(term("fall").0 ^ 1 << 60)), None, "the bit alone doesn't tell");
    }
}
