//! A text that is told whole, again and again, as what it grows by.
//!
//! A subagent's partial carries its text so far; clients of other protocols want the new tail. What was told is kept as a
//! length and a digest, so that a reader costs the same however long its texts are.

use xxhash_rust::xxh3::xxh3_128;

/// What was told of a text.
#[derive(Debug, Clone, Default)]
pub struct Growth {
    /// Bytes of UTF-8.
    bytes: usize,
    /// XXH3-128 of them.
    digest: Option<u128>,
}

/// What a text is after what was told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grown<'a> {
    /// The same.
    Not,
    /// It goes on with this.
    By(&'a str),
    /// It is another one. What was told of it is no longer true.
    Anew(&'a str),
}

impl Growth {
    /// Takes the text so far. Linear in its length.
    pub fn take<'a>(&mut self, text: &'a str) -> Grown<'a> {
        let told = text.as_bytes().get(..self.bytes);
        let goes_on = told.is_some_and(|told| self.digest.is_none_or(|digest| digest == xxh3_128(told)));
        let tail = text.get(self.bytes..).filter(|_| goes_on);
        let grown = match tail {
            Some("") => return Grown::Not,
            Some(tail) => Grown::By(tail),
            None => Grown::Anew(text),
        };
        *self = Self { bytes: text.len(), digest: Some(xxh3_128(text.as_bytes())) };
        grown
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_grows_stays_or_is_another_one() {
        let steps = [
            ("", Grown::Not),
            ("ab", Grown::By("ab")),
            ("ab", Grown::Not),
            ("abü", Grown::By("ü")),
            ("abö", Grown::Anew("abö")),
            ("abö c", Grown::By(" c")),
            ("ab", Grown::Anew("ab")),
            ("", Grown::Anew("")),
            ("x", Grown::By("x")),
        ];
        let mut growth = Growth::default();
        for (text, expected) in steps {
            assert_eq!(growth.take(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn tails_since_it_was_last_told_anew_make_the_text(texts in prop::collection::vec("[aü🎈]{0,4}", 0..20)) {
            let (mut growth, mut told) = (Growth::default(), String::new());
            for text in &texts {
                match growth.take(text) {
                    Grown::Not => {}
                    Grown::By(tail) => told.push_str(tail),
                    Grown::Anew(whole) => told = whole.to_owned(),
                }
                prop_assert_eq!(&told, text);
            }
        }
    }
}
