//! What a claim brings into what it was made from: a verb of which nothing is said, a name out of another story.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Near, Sentence};
use crate::domain::synthesis::support::{self, Kind, NUMBERS};
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::clauses::unheard_of;
use crate::domain::synthesis::verify::compared::made_up;
use crate::domain::synthesis::verify::connecting::is_connecting;

use crate::domain::synthesis::verify::grave;
use crate::domain::synthesis::verify::meaning::is_light;
use crate::domain::synthesis::verify::reason::{Reason, named, shown, verb};
use crate::domain::synthesis::verify::scope::joined;
use crate::domain::synthesis::verify::stitched::is_stitched;
use crate::domain::text::words::{Lexicon, Term, Word};

/// Sentences near a claim in which a comparison is looked for.
const NEAR_MAX: usize = 16;
/// Sentences after one that names something, in which it may be meant without its name.
const MEANT_WITHIN: usize = 2;

impl Sentence<'_> {
    /// A word that does harm where it isn't so, and of which nothing is said.
    pub(super) fn grave(&self, texts: &[&support::Evidence<'_>], against: Against<'_, '_>) -> Option<Reason> {
        let is_said = |term: Term| texts.iter().any(|text| text.has(term));
        let word = &self.text[grave::unsaid(&self.words, is_said)?];
        Some(Reason::unsaid(against.chosen, against.evidence.sources, word))
    }

    /// A clause of which nothing stands in what it cites.
    pub(super) fn added(
        &self,
        texts: &[&support::Evidence<'_>],
        against: Against<'_, '_>,
        near: &Near<'_>,
    ) -> Option<Reason> {
        let is_known = |word: &Word| {
            texts.iter().any(|text| text.has(NUMBERS.normal(word).0)) || near.says(&self.text[word.range()])
        };
        let range = unheard_of(self.text, &self.words, is_known)?;
        Some(Reason::unsaid(against.chosen, against.evidence.sources, &self.text[range]))
    }

    /// A comparison that nothing near it makes.
    pub(super) fn compared(&self, against: Against<'_, '_>) -> Option<Reason> {
        let near = self.of(against).take(NEAR_MAX);
        let near: Vec<&str> = near.map(|(at, _)| against.evidence.said[at].text.as_ref()).collect();
        let word = made_up(self.text, &near)?;
        let (sources, says) = (
            named(against.chosen, against.evidence.sources),
            verb(against.chosen, "doesn't compare", "don't compare"),
        );
        Some(Reason::new("unsupported", format!("{sources} {says}: “{word}”")))
    }

    /// Its first or its last word, where what is cited hasn't it and another source has: what is said of one was made of what is
    /// said of another.
    pub(super) fn brought_from_elsewhere(
        &self,
        texts: &[&support::Evidence<'_>],
        against: Against<'_, '_>,
        near: &Near<'_>,
    ) -> Option<Reason> {
        let terms = &self.claim.terms;
        let ends = [0, terms.len().saturating_sub(1)];
        let foreign = |at: &usize| {
            let Some(term) = terms.get(*at) else { return false };
            let word = self.text[term.range.clone()].to_lowercase();
            let is_word = term.kind == Kind::Word && !is_connecting(&word) && !is_light(&word);
            is_word
                && !texts.iter().any(|text| text.has(term.term))
                && against.evidence.all.has(term.term)
                && !against.evidence.asks(term.term)
                && !near.says(&word)
        };
        let word = &self.text[terms[ends.into_iter().find(foreign)?].range.clone()];
        Some(Reason::unsaid(against.chosen, against.evidence.sources, word))
    }

    /// Words of two statements that have nothing to do with each other.
    pub(super) fn stitched(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> Option<Reason> {
        let mut clauses = joined(self.text);
        if clauses.is_empty() {
            clauses.push(0..self.text.len());
        }
        let clause = clauses.into_iter().find(|clause| {
            let within = self.claim.terms.iter().filter(|term| clause.contains(&term.range.start));
            let terms = within.filter(|term| !self.joins(&term.range));
            let terms: Vec<(Term, bool)> =
                terms.map(|term| (term.term, self.is_definite(&term.range))).collect();
            is_stitched(lexicon, against, &terms)
        })?;
        let text = shown(self.text[clause].trim());
        Some(Reason::new(
            "names_swapped",
            format!("no statement of {} says “{text}”", named(against.chosen, against.evidence.sources)),
        ))
    }

    /// Whether a word says nothing of whom the rest is said: a small one, or that something rose or fell, as two figures may tell.
    fn joins(&self, word: &Range<usize>) -> bool {
        let lowered = self.text[word.clone()].to_lowercase();
        let mut marks = self.features.marks.iter();
        is_light(&lowered)
            || is_connecting(&lowered)
            || marks.any(|marked| marked.start == word.start && marked.mark.moves())
    }

    /// Whether a word is said to be known: `the trial`.
    fn is_definite(&self, word: &Range<usize>) -> bool {
        const ARTICLES: &[&str] = &[
            "the", "der", "die", "das", "den", "dem", "le", "la", "les", "el", "los", "las", "il", "lo",
            "gli",
        ];
        let is_name = word.start > 0 && self.text[word.clone()].starts_with(char::is_uppercase);
        let before = self.text[..word.start].trim_end().rsplit(' ').next().unwrap_or_default();
        !is_name && ARTICLES.contains(&before.to_lowercase().as_str())
    }

    /// A name behind the first one, of which nothing else of the claim is said.
    pub(super) fn name_of_another_story(&self, against: Against<'_, '_>) -> Option<Reason> {
        let terms = &self.claim.terms;
        let alone = |name: &Range<usize>| {
            let own = terms[name.clone()].iter().map(|term| term.term);
            let others = terms[..name.start].iter().chain(&terms[name.end..]).map(|term| term.term);
            !are_told_together(against, own, others)
        };
        let name = self.names_in_order().into_iter().skip(1).find(alone)?;
        let written = &self.text[terms[name.start].range.start..terms[name.end - 1].range.end];
        let (sources, says) =
            (named(against.chosen, against.evidence.sources), verb(against.chosen, "says", "say"));
        let detail = format!("what {sources} {says} of “{}” is something else", shown(written));
        Some(Reason::new("names_swapped", detail))
    }

    /// The names of the claim, each as a range of its terms; a first word with a capital is one.
    fn names_in_order(&self) -> Vec<Range<usize>> {
        let mut names: Vec<Range<usize>> = Vec::new();
        for (at, term) in self.claim.terms.iter().enumerate() {
            let begins = at == 0 && self.text[term.range.clone()].starts_with(char::is_uppercase);
            if term.kind != Kind::Name && !begins {
                continue;
            }
            let gap = |from: usize| self.text.get(from..term.range.start).unwrap_or_default();
            match names.last_mut() {
                Some(last) if last.end == at && gap(self.claim.terms[at - 1].range.end).trim().is_empty() => {
                    last.end += 1;
                }
                _ => names.push(at..at + 1),
            }
        }
        names
    }
}

/// Whether a sentence that has one of some terms, or one soon after it, has one of others. O(postings · log postings).
fn are_told_together(
    against: Against<'_, '_>,
    name: impl Iterator<Item = Term> + Clone,
    others: impl Iterator<Item = Term> + Clone,
) -> bool {
    let mut places = against.chosen.iter().filter_map(|place| against.evidence.places.get(*place));
    places.any(|index| {
        let having = |term: Term| index.text.sentences_with(term);
        let with: BTreeSet<usize> = others.clone().flat_map(having).collect();
        name.clone().flat_map(having).any(|at| with.range(at..=at + MEANT_WITHIN).next().is_some())
    })
}
