//! A sentence in a language whose small words and forms count as words that its source hasn't: `2023 wurde in Graz ein neuer Radweg
//! eröffnet` of `eröffnete 2023 in Graz einen neuen Radweg`.
//!
//! How much of a claim is found is measured by its words as they are written. Where that isn't enough, one sentence that says each of its
//! words in some form supports it, if nothing is changed in it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Sentence, head, holds};
use crate::domain::synthesis::quality::quotes;
use crate::domain::synthesis::verify::against::Against;

use crate::domain::synthesis::verify::meaning::{Spoken, Tongue, korean, wide};
use crate::domain::synthesis::verify::same::changed;
use crate::domain::text::language;
use crate::domain::text::words::{Lexicon, Term};

/// Sentences that are looked at.
const LOOKED_AT_MAX: usize = 3;
/// What says in Chinese that something was done.
const DONE: [char; 2] = ['了', '已'];
/// Words of a claim that say something, before one sentence can be told by them.
const WORDS_MIN: usize = 3;

impl Sentence<'_> {
    /// Whether one sentence of some places says all of its words, and nothing else than it does.
    pub(super) fn is_said_by_one(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> bool {
        let closest: Vec<usize> = self.of(against).take(LOOKED_AT_MAX).map(|(at, _)| at).collect();
        closest.into_iter().any(|at| {
            let said = head(lexicon, against.evidence, at);
            let quotes = quotes(self.text).iter().any(|quote| holds(said.text, quote));
            let claim = (&self.features, self.whole, self.tongue.as_ref());
            self.is_all_in(lexicon, said.text)
                && changed(claim, &said, 1.0, quotes, against.evidence).is_none()
        })
    }

    /// Whether a text has each of its words that say something, in some form.
    fn is_all_in(&self, lexicon: &mut Lexicon, text: &str) -> bool {
        let figures: Vec<Range<usize>> = self.features.figures.iter().map(|figure| figure.range()).collect();
        let is_all = |(unsaid, of): (Vec<Range<usize>>, usize)| unsaid.is_empty() && of >= WORDS_MIN;
        match (language::told(self.whole), &self.tongue) {
            // `降低了` isn't said by `可以降低`.
            ("Chinese" | "Japanese", _) if self.text.contains(DONE) && !text.contains(DONE) => false,
            ("Chinese" | "Japanese", _) => is_all(wide::unsaid(self.text, &[text], &figures)),
            ("Korean", _) => is_all(korean::unsaid(self.text, &[text])),
            (_, Some(tongue)) if !tongue.is_english() => self.are_words_in(lexicon, tongue, text),
            _ => false,
        }
    }

    fn are_words_in(&self, lexicon: &mut Lexicon, tongue: &Tongue, text: &str) -> bool {
        let inside: BTreeSet<Term> = lexicon.words(text).into_iter().map(|word| word.term).collect();
        let spoken = Spoken::of(tongue.clone(), &[text]);
        let lowered: Vec<String> =
            self.words.iter().map(|word| self.text[word.range()].to_lowercase()).collect();
        let says = |at: &usize| self.words[*at].is_content() && !tongue.is_light(tongue.bare(&lowered[*at]));
        let saying: Vec<usize> = (0..self.words.len()).filter(says).collect();
        let is_said = |at: &usize| {
            inside.contains(&self.words[*at].term)
                || spoken.says(&lowered[*at], lowered.get(*at + 1).map(String::as_str))
        };
        saying.len() >= WORDS_MIN && saying.iter().all(is_said) && spoken.other_particle(self.text).is_none()
    }
}
