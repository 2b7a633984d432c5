//! A sentence in the words of its source: `stepped down` for `resigned`, `$1.5 million` for `$1,500,000`, `louder than the new one` for `quieter
//! than the old one`.
//!
//! Most of what holds a sentence against another one looks at the words as they are written. So one that doesn't stand is read again with the
//! words that its source has for the same, and must stand as that.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Sentence, head};
use crate::domain::synthesis::contradictions::plain::base_of;
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::inverted::inverted;
use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::synthesis::verify::what::What;
use crate::domain::text::figures::Unit;
use crate::domain::text::words::{Kind, Lexicon};

/// Sentences in which the word is looked for.
const LOOKED_AT_MAX: usize = 4;
/// Those whose words are put in.
const TAKEN_FROM_MAX: usize = 2;
/// Words that are put in.
const PUT_IN_MAX: usize = 4;

impl Sentence<'_> {
    /// The sentences that support it in other words.
    pub(super) fn rephrased(
        &self,
        lexicon: &mut Lexicon,
        against: Against<'_, '_>,
    ) -> Option<BTreeSet<usize>> {
        let one_word = self.in_one_word(against);
        let mut texts: Vec<String> = one_word.into_iter().collect();
        let near: Vec<usize> = self.of(against).take(TAKEN_FROM_MAX).map(|(at, _)| at).collect();
        for at in near {
            let said = against.evidence.said[at].text.as_ref();
            let language = self.tongue.as_ref()?.name();
            texts.extend(inverted(self.text, said, language));
            texts.extend(self.in_words_of(lexicon, against, at));
        }
        texts.dedup();
        texts.into_iter().find_map(|text| {
            Sentence::read(lexicon, against.evidence, &text).as_written(lexicon, against).ok()
        })
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

    /// Its text with the words and figures of a sentence that say the same as its own.
    fn in_words_of(&self, lexicon: &mut Lexicon, against: Against<'_, '_>, at: usize) -> Option<String> {
        let tongue = self.tongue.as_ref()?;
        let said = head(lexicon, against.evidence, at);
        let theirs: Vec<(String, String)> =
            tokens(said.text).map(|(_, word)| (tongue.stem(tongue.bare(&word)), word)).collect();
        let own: Vec<String> = tokens(self.text).map(|(_, word)| word).collect();
        let mut put: Vec<(Range<usize>, String)> = Vec::new();
        for figure in self.features.figures.iter().filter(|figure| figure.unit != Unit::Label) {
            let mine = &self.text[figure.range()];
            let same = said.figures.iter().find(|other| What::of(other) == What::of(figure));
            let same = same.map(|same| &said.text[same.range()]).filter(|same| *same != mine);
            put.extend(same.map(|same| (figure.range(), same.to_owned())));
        }
        // In other languages its form doesn't tell what was done from what is to be: `a vendu`, `a décidé de vendre`.
        let may = tongue.is_english();
        for word in self.words.iter().filter(|word| may && word.kind == Kind::Content) {
            let written = &self.text[word.range()];
            let lowered = written.to_lowercase();
            let stands = theirs.iter().any(|(_, other)| *other == lowered);
            let is_of_figure =
                self.features.figures.iter().any(|figure| figure.range().contains(&word.start));
            if stands || is_of_figure || !written.starts_with(char::is_lowercase) {
                continue;
            }
            let stem = tongue.stem(tongue.bare(&lowered));
            // A word in another form may be one that the source doesn't say so: `bought` for `will buy`.
            let is_another = |other: &str, text: &str| {
                stem != *other
                    && tongue.are_synonyms(&stem, other)
                    && !theirs.iter().any(|(known, _)| *known == stem)
                    && tense(text) == tense(&lowered)
            };
            let same = theirs.iter().find(|(other, text)| !own.contains(text) && is_another(other, text));
            put.extend(same.map(|(_, text)| (word.range(), text.clone())));
        }
        if put.is_empty() || put.len() > PUT_IN_MAX {
            return None;
        }
        put.sort_unstable_by_key(|(range, _)| range.start);
        let (mut text, mut end) = (String::with_capacity(self.text.len()), 0);
        for (range, word) in put {
            text.push_str(self.text.get(end..range.start)?);
            text.push_str(&word);
            end = range.end;
        }
        text.push_str(&self.text[end..]);
        Some(text)
    }
}

/// Whether an English verb tells what was, what is, or what is being done, as far as its ending says.
fn tense(word: &str) -> u8 {
    u8::from(is_past(word)) + 2 * u8::from(word.ends_with("ing"))
}

/// Whether an English verb tells what was.
fn is_past(word: &str) -> bool {
    word.ends_with("ed") || base_of(word) != word && !word.ends_with('s') && !word.ends_with("ing")
}
