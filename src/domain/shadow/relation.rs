//! What two statements are to each other, whichever comes first.

use crate::domain::near_duplicates::{Features, near, order_is_kept};
use crate::domain::synthesis::claims::names_differ;
use crate::domain::synthesis::contradictions::differ::{agree, negations, opposite};
use crate::domain::text::figures::{Figure, Unit};

use super::pairs::Shared;

/// Shared content of two statements about the same: of the one with less, and of both.
const SUBJECT: (f64, f64) = (0.8, 0.6);
/// The same where a single word decides.
const WORD: (f64, f64) = (0.85, 0.7);
/// Figures of which every two are compared; with more, all must be the same.
const FIGURES_MAX: usize = 24;

/// What two statements are to each other. The texts are the first's and the second's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Relation {
    /// They say the same.
    Same,
    /// They say the same but for these figures.
    Numbers(Vec<String>, Vec<String>),
    /// One denies the other; the words that do so.
    Opposite(String, String),
}

impl Relation {
    /// Which of two relations binds closer: the lower.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::Same => 0,
            Self::Numbers(..) => 1,
            Self::Opposite(..) => 2,
        }
    }
}

/// The relation of two statements that share so much; `None` where they are about different things.
pub(super) fn relation(one: &Features<'_>, other: &Features<'_>, shared: Shared) -> Option<Relation> {
    if near(one, other) || near(other, one) {
        return Some(Relation::Same);
    }
    if names_differ(one, other) || !shared.at_least(SUBJECT) {
        return None;
    }
    let flipped = negations(one) != negations(other);
    let against = opposite(one, other);
    match (flipped, against) {
        // `didn't fall` and `rose` may say the same, or not.
        (true, Some(_)) => None,
        (true, None) => shared.at_least(WORD).then(|| Relation::Opposite(negation(one), negation(other))),
        (false, Some((mine, theirs))) => shared.at_least(WORD).then(|| {
            let word = |of: &Features<'_>, start, end| of.text[start..end].to_owned();
            Relation::Opposite(word(one, mine.start, mine.end), word(other, theirs.start, theirs.end))
        }),
        (false, None) => by_figures(one, other, shared),
    }
}

fn negation(of: &Features<'_>) -> String {
    let marked = of.marks.iter().find(|marked| marked.mark.is_negation());
    marked.map(|marked| of.text[marked.range()].to_owned()).unwrap_or_default()
}

fn by_figures(one: &Features<'_>, other: &Features<'_>, shared: Shared) -> Option<Relation> {
    let (mine, theirs) = differing(one, other)?;
    if mine.is_empty() && theirs.is_empty() {
        let kept = order_is_kept(one, other) || order_is_kept(other, one);
        return kept.then_some(Relation::Same);
    }
    // A sentence with more in it may well have a figure more.
    if mine.is_empty() != theirs.is_empty() && !shared.is_all() {
        return None;
    }
    let all = || mine.iter().chain(&theirs);
    // A date beside other figures says when they hold: another date, another fact.
    let counts = |of: &Features<'_>| of.figures.iter().any(|figure| !date(&figure));
    let both_dated = mine.iter().any(date) && theirs.iter().any(date);
    if both_dated && (counts(one) || counts(other)) {
        return None;
    }
    // `H100` and `A100` are names, unless all else is the same.
    if all().any(label) && !shared.is_all() {
        return None;
    }
    let written = |of: &Features<'_>, figures: &[&Figure]| {
        figures.iter().map(|figure| of.text[figure.range()].to_owned()).collect()
    };
    Some(Relation::Numbers(written(one, &mine), written(other, &theirs)))
}

fn date(figure: &&Figure) -> bool {
    matches!(figure.unit, Unit::Date | Unit::Weekday)
}

fn label(figure: &&Figure) -> bool {
    matches!(figure.unit, Unit::Label | Unit::Ordinal)
}

/// The figures of each that no figure of the other agrees with. `None` where there are too many to say.
fn differing<'f>(
    one: &'f Features<'_>,
    other: &'f Features<'_>,
) -> Option<(Vec<&'f Figure>, Vec<&'f Figure>)> {
    if one.figures_digest() == other.figures_digest() {
        return Some((Vec::new(), Vec::new()));
    }
    if one.figures.len().max(other.figures.len()) > FIGURES_MAX {
        return None;
    }
    let (mut mine, mut theirs) = (one.figures.iter().collect(), other.figures.iter().collect());
    take_pairs(&mut mine, &mut theirs, &|a, b| a.same(b));
    take_pairs(&mut mine, &mut theirs, &|a, b| a.comparable(b) && agree(a, b));
    Some((mine, theirs))
}

/// Takes figures away that have an equal on the other side, one for one.
fn take_pairs<'f>(
    mine: &mut Vec<&'f Figure>,
    theirs: &mut Vec<&'f Figure>,
    equal: &dyn Fn(&Figure, &Figure) -> bool,
) {
    mine.retain(|figure| {
        let found = theirs.iter().position(|other| equal(figure, other));
        found.map(|at| theirs.remove(at)).is_none()
    });
}
