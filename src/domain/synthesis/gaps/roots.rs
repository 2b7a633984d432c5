//! Words of one root: `guidance` of a question is told by who guided, and `termination` by who may terminate.

use crate::domain::distinct::distinct;
use crate::domain::synthesis::gaps::aspect;
use crate::domain::text::words::{Lexicon, Term};

/// Letters of a word that is looked at, and of a root.
const WORD_MIN: usize = 5;
const ROOT_MIN: usize = 4;
/// Endings, the longest first.
#[rustfmt::skip]
const ENDINGS: [&str; 35] = [
    "isation", "ization", "ability", "ibility", "ations", "ation", "ition", "ments", "ances", "ences", "ating", "ment", "ance", "ence", "ness", "able", "ible", "tion", "sion", "ated", "ates", "ings",
    "ing", "ity", "ive", "ous", "ful", "ate", "ers", "ed", "er", "or", "es", "e", "s",
];

/// The roots of a question's words, each with what the word asks for.
pub(super) struct Roots(Vec<(String, Term)>);

impl Roots {
    pub fn of(query: &str, lexicon: &mut Lexicon) -> Self {
        let words = lexicon.words(query).into_iter().filter(|word| word.is_content());
        let roots = words.filter_map(|word| Some((root(&query[word.range()])?, aspect(word.term))));
        let roots: Vec<(String, Term)> = distinct(roots);
        Self(roots)
    }

    /// What was asked for by a word of the same root. Most words begin with other letters.
    pub fn asked_by(&self, word: &str) -> Option<Term> {
        let mut head = *word.as_bytes().first_chunk::<ROOT_MIN>()?;
        head.make_ascii_lowercase();
        let begins = |of: &&(String, Term)| of.0.as_bytes().first_chunk() == Some(&head);
        let mut alike = self.0.iter().filter(begins).peekable();
        alike.peek()?;
        let root = root(word)?;
        alike.find(|(own, _)| *own == root).map(|(_, term)| *term)
    }
}

/// A word of Latin letters without its ending, in small letters; none where hardly a letter is left.
fn root(word: &str) -> Option<String> {
    let is_plain = word.len() >= WORD_MIN && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let lower = is_plain.then(|| word.to_ascii_lowercase())?;
    // Most endings are out by their last letter.
    let last = lower.as_bytes().last();
    let endings = ENDINGS.iter().filter(|end| end.as_bytes().last() == last);
    let rest = endings.filter_map(|end| lower.strip_suffix(end)).find(|rest| rest.len() >= ROOT_MIN);
    Some(rest.map_or(lower.as_str(), |rest| rest.trim_end_matches('e')).to_owned())
        .filter(|root| root.len() >= ROOT_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_root_ask_for_the_same() {
        let mut lexicon = Lexicon::default();
        for (asked, said, is_told) in [
            ("guidance", "guided", true),
            ("guidance", "Guides", true),
            ("termination", "terminate", true),
            ("interpretability", "interpret", true),
            ("measurement", "measures", true),
            ("guidance", "guilds", false),
            ("warranty", "warning", false),
            ("price", "pride", false),
            ("cons", "con", false),
        ] {
            let roots = Roots::of(asked, &mut lexicon);
            assert_eq!(roots.asked_by(said).is_some(), is_told, "{asked}, {said}");
        }
    }
}
