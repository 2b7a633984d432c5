//! Two words for one that says the same: `stepped down` for `resigned`.
//!
//! Most of what holds a sentence against another one looks at one word at a time, and would miss both. So it is read again with the
//! word that its source has, in the same tense, and must stand as that.

use std::collections::BTreeSet;

use super::Sentence;
use crate::domain::synthesis::contradictions::plain::base_of;
use crate::domain::synthesis::verify::against::Against;

use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::words::Lexicon;

/// Sentences in which the word is looked for.
const LOOKED_AT_MAX: usize = 4;

impl Sentence<'_> {
    /// The sentences that support it with such a word.
    pub(super) fn rephrased(
        &self,
        lexicon: &mut Lexicon,
        against: Against<'_, '_>,
    ) -> Option<BTreeSet<usize>> {
        let text = self.in_one_word(against)?;
        Sentence::read(lexicon, against.evidence, &text).as_written(lexicon, against).ok()
    }

    /// Its text with the first two words that a source has one for.
    fn in_one_word(&self, against: Against<'_, '_>) -> Option<String> {
        let tongue = self.tongue.as_ref()?;
        let words: Vec<_> = tokens(self.text).collect();
        words.windows(2).find_map(|two| {
            let [(first, verb), (second, particle)] = two else { return None };
            if self.text[first.end..second.start] != *" " || !tongue.is_phrase(verb, particle) {
                return None;
            }
            let both = format!("{verb} {particle}");
            let near = self.of(against).take(LOOKED_AT_MAX);
            let texts = near.map(|(at, _)| against.evidence.said[at].text.as_ref());
            // Where it stands as it is, it is no other way of saying it.
            let one = texts.filter(|text| !text.to_lowercase().contains(&both)).find_map(|text| {
                let says = |(_, word): &(_, String)| {
                    is_past(word) == is_past(verb) && tongue.is_said_in_two(word, verb, particle)
                };
                tokens(text).find(says)
            })?;
            Some(format!("{}{}{}", &self.text[..first.start], one.1, &self.text[second.end..]))
        })
    }
}

/// Whether an English verb tells what was.
fn is_past(word: &str) -> bool {
    word.ends_with("ed") || base_of(word) != word && !word.ends_with('s') && !word.ends_with("ing")
}
