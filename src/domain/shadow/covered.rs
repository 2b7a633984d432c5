//! A statement that has no equal on the other side, but is supported by what that side says together.

use super::pairs::Shared;
use super::relation::{Relation, relation};
use crate::domain::near_duplicates::{Features, Reader};
use crate::domain::synthesis::contradictions::differ::{content, negations, opposite};
use crate::domain::synthesis::support::{Evidence, support};
use crate::domain::text::words::Lexicon;

/// Support from which on a statement counts as said: above that of a citation, as here nothing but the words tells
/// that the two are about the same.
pub(super) const COVERED_MIN: f64 = 0.6;

/// Both sides as evidence for the other's statements.
pub(super) struct Covered<'r, 't> {
    lexicon: &'r mut Lexicon,
    ours: (Evidence<'t>, &'r [Features<'t>]),
    legacy: (Evidence<'t>, &'r [Features<'t>]),
}

impl<'r, 't> Covered<'r, 't> {
    pub(super) fn new(reader: &'r mut Reader, ours: &'r [Features<'t>], legacy: &'r [Features<'t>]) -> Self {
        let lexicon = reader.lexicon();
        let ours = (evidence(lexicon, ours), ours);
        let legacy = (evidence(lexicon, legacy), legacy);
        Self { lexicon, ours, legacy }
    }

    /// Which of our statements says most of one of the monolith's, where ours together say it.
    pub(super) fn by_ours(&mut self, claim: &Features<'_>) -> Option<usize> {
        by(self.lexicon, claim, &self.ours)
    }

    /// The same the other way round.
    pub(super) fn by_legacy(&mut self, claim: &Features<'_>) -> Option<usize> {
        by(self.lexicon, claim, &self.legacy)
    }
}

/// Whether two statements with the same words were held against each other and found to say different things, which
/// support can't see: who does what to whom.
fn told_apart(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let shared = Shared::between(&content(claim), &content(said));
    match relation(claim, said, shared) {
        Some(Relation::Same) => false,
        Some(Relation::Numbers(..) | Relation::Opposite(..)) => true,
        None => shared.is_all(),
    }
}

fn evidence<'t>(lexicon: &mut Lexicon, features: &[Features<'t>]) -> Evidence<'t> {
    let texts: Vec<&'t str> = features.iter().map(|of| of.text).collect();
    Evidence::new(lexicon, &texts)
}

fn by(
    lexicon: &mut Lexicon,
    claim: &Features<'_>,
    (evidence, features): &(Evidence<'_>, &[Features<'_>]),
) -> Option<usize> {
    let support = support(lexicon, claim.text, &[evidence]);
    let places: Vec<usize> = support.sentences.iter().map(|place| place.sentence).collect();
    let best = *places.first()?;
    let said = features.get(best)?;
    let among = |place: &usize| features.get(*place).into_iter().flat_map(|of| &of.figures);
    let has_figures =
        claim.figures.iter().all(|figure| places.iter().flat_map(among).any(|other| figure.same(other)));
    let holds = support.score >= COVERED_MIN
        && !support.negation_differs
        && support.features.names_missing == 0.0
        && has_figures
        && negations(claim) == negations(said)
        && opposite(claim, said).is_none()
        && !told_apart(claim, said);
    holds.then_some(best)
}
