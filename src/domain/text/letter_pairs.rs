//! Which pairs of neighbouring letters a text has: few texts have any of the many phrases that are looked for in them, and a pair that is
//! missing rules a phrase out sooner than a search.

/// The letters of a byte, whatever its case: five bits.
const LETTERS: usize = 1 << 5;

/// The pairs of neighbouring bytes of a text, whatever their case.
pub struct LetterPairs([u64; LETTERS * LETTERS / 64]);

impl LetterPairs {
    /// Those of a text. Linear in its length.
    pub fn of(text: &str) -> Self {
        let mut pairs = [0; LETTERS * LETTERS / 64];
        for pair in text.as_bytes().windows(2) {
            let bit = bit(pair);
            pairs[bit / 64] |= 1 << (bit % 64);
        }
        Self(pairs)
    }

    /// Whether a phrase may stand in the text, in whatever case; where not, it doesn't.
    pub fn may_have(&self, phrase: &str) -> bool {
        phrase.as_bytes().windows(2).all(|pair| {
            let bit = bit(pair);
            self.0[bit / 64] >> (bit % 64) & 1 == 1
        })
    }
}

fn bit(pair: &[u8]) -> usize {
    let letter = |byte: u8| usize::from(byte) % LETTERS;
    pair.iter().fold(0, |bit, byte| bit * LETTERS + letter(*byte))
}

/// A text in which many phrases are looked for, of which it has few.
pub struct Searched<'t> {
    /// The text itself.
    pub text: &'t str,
    pairs: LetterPairs,
}

impl<'t> Searched<'t> {
    /// A text. Linear in its length.
    pub fn new(text: &'t str) -> Self {
        Self { text, pairs: LetterPairs::of(text) }
    }

    /// Where a phrase first stands in it.
    pub fn find(&self, phrase: &str) -> Option<usize> {
        if self.pairs.may_have(phrase) { self.text.find(phrase) } else { None }
    }

    /// Whether a phrase stands in it.
    pub fn contains(&self, phrase: &str) -> bool {
        self.pairs.may_have(phrase) && self.text.contains(phrase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_text_is_found() {
        let text = "Die Störung dauerte 3 Stunden, 原因は故障。";
        let searched = Searched::new(text);
        for (from, _) in text.char_indices() {
            for (to, c) in text[from..].char_indices() {
                let phrase = &text[from..from + to + c.len_utf8()];
                assert_eq!(searched.find(phrase), text.find(phrase), "{phrase}");
                assert!(searched.contains(phrase), "{phrase}");
            }
        }
        assert_eq!(searched.find(""), Some(0));
    }

    #[test]
    fn what_stands_nowhere_in_it_is_not() {
        let searched = Searched::new("banana");
        for phrase in ["nab", "nn", "Banana", "ananas", "x"] {
            assert_eq!(searched.find(phrase), None, "{phrase}");
            assert!(!searched.contains(phrase), "{phrase}");
        }
        let pairs = LetterPairs::of("banana");
        assert!(pairs.may_have("NAN") && !pairs.may_have("nab"), "whatever the case");
    }
}
