//! What a text may begin with, by its first letter or letters: most phrases are out by them.

/// Phrases in small letters with which a text may begin.
pub struct Beginnings {
    phrases: &'static [&'static str],
    /// The first bytes of all, a bit for each by its lower five: a letter has the same in whatever case.
    firsts: u32,
}

impl Beginnings {
    /// Those of a list.
    pub const fn new(phrases: &'static [&'static str]) -> Self {
        let (mut firsts, mut at) = (0, 0);
        while at < phrases.len() {
            firsts |= bit(phrases[at].as_bytes()[0]);
            at += 1;
        }
        Self { phrases, firsts }
    }

    /// Those that begin with the same letter as a text; a text begins with no other.
    pub fn like(&self, text: &str) -> impl Iterator<Item = &'static str> {
        let first = text.as_bytes().first().filter(|first| self.firsts & bit(**first) != 0);
        let phrases = if first.is_some() { self.phrases } else { &[] };
        let first = first.map(u8::to_ascii_lowercase);
        phrases.iter().copied().filter(move |phrase| phrase.as_bytes().first().copied() == first)
    }
}

const fn bit(byte: u8) -> u32 {
    1 << (byte & 31)
}

/// Bits that tell heads apart: some ten for each of the longest list.
const BITS: usize = 1 << 12;

/// The first bytes of phrases in small letters, compared as one number: nearly every text is out by them.
pub struct Heads<const BYTES: usize> {
    /// Ascending.
    heads: Vec<[u8; BYTES]>,
    /// A bit for each, which several may share: what has none needn't be looked for.
    bits: [u64; BITS / 64],
    /// Phrases that are shorter than that.
    short: Vec<&'static str>,
}

impl<const BYTES: usize> Heads<BYTES> {
    /// Those of lists.
    pub fn of(lists: &[&'static [&'static str]]) -> Self {
        let (mut heads, mut short, mut bits) = (Vec::new(), Vec::new(), [0; BITS / 64]);
        for phrase in lists.iter().copied().flatten().copied() {
            match phrase.as_bytes().first_chunk() {
                Some(head) => {
                    let bit = bit_of(head);
                    bits[bit / 64] |= 1 << (bit % 64);
                    heads.push(*head);
                }
                None => short.push(phrase),
            }
        }
        heads.sort_unstable();
        heads.dedup();
        Self { heads, bits, short }
    }

    /// Whether a text may begin with one of them, whatever the case of its letters of ASCII; in doubt it may.
    pub fn may_begin(&self, text: &str) -> bool {
        let Some(head) = head::<BYTES>(text) else { return true };
        let bit = bit_of(&head);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1 && self.heads.binary_search(&head).is_ok()
            || self.short.iter().any(|short| head.starts_with(short.as_bytes()))
    }
}

/// The bit of a head: one of [`BITS`].
fn bit_of(head: &[u8]) -> usize {
    head.iter().fold(0, |all, byte| all * 31 + usize::from(*byte)) % BITS
}

/// The first bytes of a text, letters of ASCII as small ones. `None` where it has fewer, or where `’` may be among them, which phrases
/// write as `'`.
pub fn head<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    const APOSTROPHE: u8 = 0xE2;
    let mut head = *text.as_bytes().first_chunk::<BYTES>()?;
    // In place: to map an array of bytes costs several times as much.
    head.make_ascii_lowercase();
    (!head.contains(&APOSTROPHE)).then_some(head)
}

#[cfg(test)]
mod tests {
    use super::{Beginnings, Heads};

    #[test]
    fn texts_are_out_by_their_first_letters_but_in_doubt() {
        let heads = Heads::<4>::of(&[&["it's unclear", "où ", "a"], &["wo ", "这是"]]);
        for may in
            ["It's unclear", "It’s unclear", "It'S", "Wo es", "Où est", "A", "", "An", "always", "这是"]
        {
            assert!(heads.may_begin(may), "{may}");
        }
        for other in ["It is unclear", "Wood", "这不是", "où,"] {
            assert!(!heads.may_begin(other), "{other}");
        }
    }

    #[test]
    fn phrases_with_the_first_letter_of_a_text_are_tried() {
        static PHRASES: Beginnings = Beginnings::new(&["some", "several", "über", "no"]);
        let like = |text: &str| PHRASES.like(text).collect::<Vec<_>>();
        assert_eq!(like("Such"), ["some", "several"]);
        assert_eq!(like("über 5"), ["über"]);
        assert_eq!(like("Nobody"), ["no"]);
        assert_eq!(like("none"), ["no"]);
        for other in ["", "Every", "3", "中文", "."] {
            assert!(like(other).is_empty(), "{other}");
        }
    }
}
