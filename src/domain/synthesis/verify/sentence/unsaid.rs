//! Words of a claim that claim something and that nothing says: `left` where the source has `joined`.

use std::cell::OnceCell;
use std::ops::Range;

use super::{Sentence, head};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::quality::quotes;
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::connecting::is_connecting;
use crate::domain::synthesis::verify::evidence::Evidence;
use crate::domain::synthesis::verify::meaning::{Spoken, Tongue, korean, wide};
use crate::domain::synthesis::verify::reason::Reason;
use crate::domain::text::language;
use crate::domain::text::words::{Kind, Lexicon, Word};

/// Related sentences in which words are looked for.
const NEAR_MAX: usize = 16;
/// Of the closest of them, what stands before and behind is looked at, too: it may say `it`.
const CLOSEST_MAX: usize = 4;
const BEFORE: usize = 1;
const BEHIND: usize = 2;
/// From this share on a claim is one sentence in other words. In languages other than English its small words count, too.
const COPIED_MIN: f64 = 0.8;
const COPIED_ELSEWHERE_MIN: f64 = 0.4;
/// Words of a claim that tells of much.
const MUCH: usize = 6;
/// Of so many words that claim something, one may be its own where it tells of much, up to so many.
const TOLERATED_OF: usize = 2;
const TOLERATED_MAX: usize = 4;
/// Beginnings of words that say by how much something rose or fell.
const MULTIPLYING: &[&str] = &["doubl", "tripl", "quadrupl", "halv"];

/// What a sentence may have been made from.
pub(super) struct Near<'e> {
    /// Its sentences, the closest first.
    places: Vec<usize>,
    texts: Vec<&'e str>,
    tongue: Option<Tongue>,
    /// Its words, once somebody asks for them.
    spoken: OnceCell<Option<Spoken<'e>>>,
}

impl<'e> Near<'e> {
    fn spoken(&self) -> Option<&Spoken<'e>> {
        let read = || self.tongue.clone().map(|tongue| Spoken::of(tongue, &self.texts));
        self.spoken.get_or_init(read).as_ref()
    }

    /// Its sentences.
    pub fn texts(&self) -> &[&'e str] {
        &self.texts
    }

    /// Whether a word stands in it with a capital where no sentence begins.
    pub fn names(&self, word: &str) -> bool {
        let inside = |text: &&str| {
            text.match_indices(word)
                .any(|(at, _)| at > 0 && !text[..at].trim_end().ends_with(['.', '!', '?']))
        };
        self.texts.iter().any(inside)
    }

    /// Whether one of its words says the same as another.
    pub fn says(&self, word: &str) -> bool {
        self.spoken().is_some_and(|spoken| spoken.says(&word.to_lowercase(), None))
    }
}

impl Sentence<'_> {
    /// What it may have been made from, of what some places say.
    pub(super) fn near<'e>(&self, against: Against<'e, '_>) -> Near<'e> {
        let mut places: Vec<usize> = self.of(against).take(NEAR_MAX).map(|(at, _)| at).collect();
        let cites = |at: usize| against.has(at);
        for closest in 0..places.len().min(CLOSEST_MAX) {
            let at = places[closest];
            let around = at.saturating_sub(BEFORE)..=(at + BEHIND).min(against.evidence.said.len() - 1);
            let of_one = |other: &usize| {
                against.evidence.said[*other].by == against.evidence.said[at].by && cites(*other)
            };
            for other in around.filter(of_one) {
                if !places.contains(&other) {
                    places.push(other);
                }
            }
        }
        let texts: Vec<&str> = places.iter().map(|at| against.evidence.said[*at].text.as_ref()).collect();
        Near { places, texts, tongue: self.tongue.clone(), spoken: OnceCell::new() }
    }

    /// A word that claims something, of which nothing is said near what it was made from.
    pub(super) fn unsaid(
        &self,
        lexicon: &mut Lexicon,
        against: Against<'_, '_>,
        near: &Near<'_>,
    ) -> Option<Reason> {
        let (unsaid, of) = match language::told(self.whole) {
            "Chinese" | "Japanese" => wide::unsaid(
                self.text,
                &near.texts,
                &self.told_elsewhere(lexicon, against.evidence, &near.places),
            ),
            "Korean" => korean::unsaid(self.text, &near.texts),
            _ => self.unsaid_words(lexicon, against.evidence, near)?,
        };
        let first = unsaid.first().filter(|_| unsaid.len() > self.tolerated(near, unsaid.len(), of))?;
        Some(Reason::unsaid(against.chosen, against.evidence.sources, &self.text[first.clone()]))
    }

    /// How many words of `of` that claim something may be of its own: none where it is one sentence but for these, or a part of one; a
    /// share where it tells of much.
    fn tolerated(&self, near: &Near<'_>, unsaid: usize, of: usize) -> usize {
        let shares = self.related.iter().filter(|(at, _)| near.places.contains(at));
        let closest = shares.map(|(_, share)| *share).fold(0.0, f64::max);
        let missing = ((1.0 - closest) * self.claim.terms.len() as f64).round() as usize;
        let is_english = near.tongue.as_ref().is_some_and(Tongue::is_english);
        let is_copy = closest >= if is_english { COPIED_MIN } else { COPIED_ELSEWHERE_MIN };
        match is_copy || missing <= unsaid || self.claim.terms.len() < MUCH {
            true => 0,
            false => (of / TOLERATED_OF).clamp(1, TOLERATED_MAX),
        }
    }

    /// Its words that claim something and that nothing near it says, of how many; nothing where each stands there as it is, or the language
    /// isn't known.
    fn unsaid_words(
        &self,
        lexicon: &mut Lexicon,
        evidence: &Evidence<'_>,
        near: &Near<'_>,
    ) -> Option<(Vec<Range<usize>>, usize)> {
        let stands = |word: &Word| evidence.all.sentences_with(word.term).any(|at| near.places.contains(&at));
        let says = |word: &Word| word.kind == Kind::Content && !self.is_a_name(evidence, word);
        let divides_verbs = near.tongue.as_ref().is_some_and(|tongue| tongue.name() == "German");
        if !divides_verbs && self.words.iter().all(|word| !says(word) || stands(word)) {
            return None; // the usual case, for which nothing is stemmed
        }
        let spoken = near.spoken()?;
        let told = self.told_elsewhere(lexicon, evidence, &near.places);
        let lowered = |word: &Word| self.text[word.range()].to_lowercase();
        let claims = |word: &Word| {
            let (tongue, lowered) = (spoken.tongue(), lowered(word));
            let is_adverb = lowered.ends_with("ly") && is_connecting(&lowered);
            says(word)
                && !told.iter().any(|range| range.contains(&word.start))
                && !tongue.is_light(tongue.bare(&lowered))
                && !is_adverb
        };
        let claiming = self.words.iter().enumerate().filter(|(_, word)| claims(word));
        let is_said = |(at, word): &(usize, &Word)| {
            let next = self.words.get(at + 1).map(lowered);
            stands(word) || spoken.says(&lowered(word), next.as_deref())
        };
        let (said, unsaid): (Vec<_>, Vec<_>) = claiming.partition(is_said);
        let particle = spoken.other_particle(self.text);
        let particle = particle.and_then(|word| self.text.rfind(word).map(|at| at..at + word.len()));
        let of = said.len() + unsaid.len();
        Some((unsaid.into_iter().map(|(_, word)| word.range()).chain(particle).collect(), of))
    }

    /// Whether a word names something, or is a part of a name or a figure: these are tested elsewhere.
    fn is_a_name(&self, evidence: &Evidence<'_>, word: &Word) -> bool {
        let written = &self.text[word.range()];
        let is_first = self.words.first().is_some_and(|first| first.start == word.start);
        let is_capital = written.starts_with(char::is_uppercase);
        is_capital && (!is_first || evidence.is_name(word.term) || written.len() == 1)
            || written.contains(char::is_numeric)
    }

    /// What is tested elsewhere: figures, quotations, negations, and words of pairs, as `rose` and `fell`, of which what is near has one of
    /// the same side.
    fn told_elsewhere(
        &self,
        lexicon: &mut Lexicon,
        evidence: &Evidence<'_>,
        places: &[usize],
    ) -> Vec<Range<usize>> {
        let figures = self.features.figures.iter().map(|figure| figure.range());
        let quoted = quotes(self.text).into_iter();
        let quoted = quoted.filter_map(|quote| self.text.find(quote).map(|at| at..at + quote.len()));
        let mut told: Vec<Range<usize>> = figures.chain(quoted).collect();
        if self.features.marks.is_empty() {
            return told;
        }
        let near: Vec<Features<'_>> = places.iter().map(|at| head(lexicon, evidence, *at)).collect();
        let has = |mark| near.iter().any(|of| of.marks.iter().any(|marked| marked.mark == mark));
        let marks = self.features.marks.iter().filter(|marked| {
            let multiplies = MULTIPLYING.iter().any(|word| self.text[marked.start..].starts_with(word));
            marked.mark.belongs_to_negation() || (!multiplies && has(marked.mark))
        });
        told.extend(marks.map(|marked| marked.range()));
        told
    }
}
