//! What a text may begin with, by its first letter: most phrases are out by it.

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

#[cfg(test)]
mod tests {
    use super::Beginnings;

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
