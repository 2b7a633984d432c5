//! The figures of a sentence: whether they stand in what it cites, and there with something else of it, not apart from what it
//! puts beside them, and of what they count there.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Sentence, head};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::support::{self, Kind};
use crate::domain::synthesis::verify::against::Against;

use crate::domain::synthesis::verify::elsewhere::{of_another_event, of_another_scale};
use crate::domain::synthesis::verify::objects::counts_another;
use crate::domain::synthesis::verify::pairs::parted;
use crate::domain::synthesis::verify::reason::{Reason, named, verb};
use crate::domain::synthesis::verify::what::What;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::{self, Lexicon, Term, Word};

/// Related sentences in which a figure is looked for that is written otherwise.
const LOOKED_AT_MAX: usize = 16;
/// Related sentences in which two things are looked for together.
const PARTED_MAX: usize = 16;

impl Sentence<'_> {
    pub(super) fn figures(
        &self,
        lexicon: &mut Lexicon,
        texts: &[&support::Evidence<'_>],
        against: Against<'_, '_>,
        reasons: &mut Vec<Reason>,
    ) {
        let is_figure = |word: &&Word| {
            // Digits of other scripts are no numbers to the words of a text.
            let foreign = |c: char| !c.is_ascii() && c.is_numeric();
            word.kind == words::Kind::Number || self.text[word.range()].contains(foreign)
        };
        let digits = self.words.iter().filter(is_figure);
        let spelled = self.claim.terms.iter().filter(|term| term.kind == Kind::Figure);
        let figures = digits
            .map(|word| (word.range(), word.term))
            .chain(spelled.map(|term| (term.range.clone(), term.term)));
        let mut told = BTreeSet::new();
        let mut near: Option<Vec<Figure>> = None;
        for (range, term) in figures {
            if !told.insert(term) {
                continue;
            }
            let (figure, sources) =
                (&self.text[range.clone()], named(against.chosen, against.evidence.sources));
            let is_written = texts.iter().any(|text| text.has(term));
            if !is_written {
                let near = near.get_or_insert_with(|| self.figures_near(lexicon, against));
                if self.is_written_otherwise(near, &range) {
                    continue;
                }
            }
            if !is_written {
                let detail = format!("the figure {figure} isn't in {sources}");
                reasons.push(Reason::new("figure_not_in_source", detail));
            } else if self.claim.terms.len() > 3 && !self.belongs(against, term) {
                let detail = format!("the figure {figure} belongs to something else in {sources}");
                reasons.push(Reason::new("figure_misplaced", detail));
            }
        }
    }

    /// Whether one of some figures is that of which a word is a part: `$500 million` for `$500M`.
    fn is_written_otherwise(&self, near: &[Figure], range: &Range<usize>) -> bool {
        let has_word = |figure: &&Figure| figure.start <= range.start && range.end <= figure.end;
        let mine = self.features.figures.iter().find(has_word).filter(|mine| mine.unit != Unit::Label);
        mine.is_some_and(|mine| near.iter().any(|theirs| What::of(theirs) == What::of(mine)))
    }

    /// The figures of what is nearest to it.
    fn figures_near(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> Vec<Figure> {
        let near = self.of(against).take(LOOKED_AT_MAX);
        near.flat_map(|(at, _)| head(lexicon, against.evidence, at).figures).collect()
    }

    /// Whether a sentence that has a term has something else of this one too.
    fn belongs(&self, against: Against<'_, '_>, term: Term) -> bool {
        let having: BTreeSet<usize> = against.evidence.all.sentences_with(term).collect();
        let alone = 1.5 / self.claim.terms.len() as f64;
        self.of(against).any(|(at, share)| having.contains(&at) && share > alone)
    }

    /// Two things that every sentence which has both keeps apart, or something that its figure doesn't count.
    pub(super) fn parted(&self, lexicon: &mut Lexicon, against: Against<'_, '_>) -> Option<Reason> {
        let near = self.of(against).take(PARTED_MAX);
        let near: Vec<Features<'_>> = near.map(|(at, _)| head(lexicon, against.evidence, at)).collect();
        let sources = named(against.chosen, against.evidence.sources);
        let parted = parted(&self.features, &near)
            .map(|(one, other)| format!("{one} and {other} don't belong together in {sources}"));
        let detail = parted.or_else(|| {
            let (mine, theirs) = counts_another(&self.features, &near)?;
            Some(format!("a figure counts “{mine}” that counts “{theirs}” in {sources}"))
        });
        let detail = detail.or_else(|| {
            let other =
                of_another_scale(&self.features, &near).or_else(|| of_another_event(&self.features, &near));
            let (mine, theirs) = other?;
            Some(format!(
                "the figure {mine} stands where {sources} {} {theirs}",
                verb(against.chosen, "has", "have")
            ))
        });
        detail.map(|detail| Reason::new("figure_misplaced", detail))
    }
}
