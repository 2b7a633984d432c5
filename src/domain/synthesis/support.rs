//! Is a claim supported by the text that it cites? A lexical answer, explained term by term.
//!
//! No language model: what is measured is how much of the claim is found, and how close together. A claim whose words
//! are all on the page but pages apart has its pairs of words nowhere side by side, so pairs count for more than words;
//! a figure or a name that the evidence doesn't have counts for most. Five such measures ([`Features`]) go through a
//! logistic function whose coefficients `scripts/fit_support.py` has fitted on WiCE (Kamoi et al. 2023, "WiCE:
//! Real-World Entailment for Claims in Wikipedia"; supported against partially or not supported).
//!
//! It can't see a relation turned round ("A bought B") or a paraphrase without a common word.
//! O(evidence + terms of the claim × sentences) for a claim, terms being at most [`TERMS_MAX`].

use std::cell::LazyCell;
use std::ops::Range;

use memchr::memmem;

pub use self::claim::{Kind, TERMS_MAX};
pub use self::evidence::{Evidence, Read};

pub(super) use self::claim::{Claim, NUMBERS};
use self::masks::Masks;
use crate::domain::text::words::{Lexicon, Word};

mod claim;
mod evidence;
mod masks;
#[cfg(test)]
mod tests;

/// From this score on a claim counts as supported: where the mean of sensitivity and specificity on WiCE is highest
/// (`scripts/fit_support.py` prints it).
pub const SUPPORTED_MIN: f64 = 0.42;

/// Sentences that are named as evidence at most.
const SENTENCES_MAX: usize = 3;
/// Sentences that two words of a claim may be apart and still belong together: a sentence and the two before it.
const PAIR_WINDOW: usize = 3;
/// Sentences in which the best passage is looked for.
const PASSAGE_WINDOW: usize = 5;
/// A single sentence with so much of a claim says the same, or, with another negation, the opposite.
const SAME_STATEMENT_MIN: f64 = 0.8;
/// What is left of the score of a claim whose best sentence says the opposite.
const NEGATION_FACTOR: f64 = 0.4;

/// The logistic model: intercept, then a coefficient for each of [`Features::as_array`].
/// Fitted by `scripts/fit_support.py`. AUROC on WiCE's development set, supported against the rest: 0.847 on the set
/// itself, 0.834 cross-validated (nested), 0.837 ± 0.023 on the other half of random halves.
const INTERCEPT: f64 = -4.7267;
const COEFFICIENTS: [f64; 5] = [3.1644, 0.8291, 3.3241, -0.5950, -0.1496];

/// What is measured of a claim and its evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features {
    /// Pairs of the claim's terms that occur within three neighbouring sentences, share of all pairs, 0 to 1.
    pub pairs: f64,
    /// Idf-weighted share of the claim's terms in the best five neighbouring sentences, 0 to 1.
    pub passage: f64,
    /// Share of the claim's figures that occur anywhere, 0 to 1; 1 where it has none.
    pub figures: f64,
    /// Names (capitalised words, the first left out) that occur nowhere.
    pub names_missing: f64,
    /// Clauses: each is one more thing that could be wrong.
    pub clauses: f64,
}

impl Features {
    /// In the order of the fields.
    pub fn as_array(&self) -> [f64; 5] {
        let Self { pairs, passage, figures, names_missing, clauses } = *self;
        [pairs, passage, figures, names_missing, clauses]
    }
}

/// A sentence of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of the texts given.
    pub evidence: usize,
    /// Which of its sentences.
    pub sentence: usize,
}

/// A part of the claim that no sentence of the evidence has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Where in the claim, in bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// How far a claim is supported, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Support {
    /// 0 to 1: the estimated probability that a reader would call it supported.
    pub score: f64,
    /// Up to three sentences that together have most of the claim, the best first.
    pub sentences: Vec<Place>,
    /// What wasn't found, in the order of the claim.
    pub missing: Vec<Missing>,
    /// Whether a sentence that says nearly the same has a negation and the claim has none, or the reverse.
    pub negation_differs: bool,
    /// Whether the claim stands in the evidence word for word.
    pub verbatim: bool,
    /// What the score was made from.
    pub features: Features,
}

impl Support {
    /// Whether the score is at least [`SUPPORTED_MIN`].
    pub fn is_supported(&self) -> bool {
        self.score >= SUPPORTED_MIN
    }

    /// The same, whatever is negated: for who looks at negations closer.
    pub fn has_support(&self) -> bool {
        let factor = if self.negation_differs { NEGATION_FACTOR } else { 1.0 };
        self.score >= SUPPORTED_MIN * factor
    }
}

/// How far a claim is supported by texts taken together. The order of the texts makes no difference to the score.
///
/// A claim without a word that says anything, or without evidence, has the score 0.
pub fn support(lexicon: &mut Lexicon, claim: &str, evidence: &[&Evidence<'_>]) -> Support {
    support_of(claim, &Claim::read(claim, &lexicon.words(claim)), evidence)
}

/// Whether a claim that was read already is supported, as [`Support::is_supported`] has it. Costs less than to explain it:
/// of a quotation nothing else need be known.
pub(super) fn is_supported(claim: &str, parsed: &Claim, evidence: &[&Evidence<'_>]) -> bool {
    let masks = Masks::of(parsed, evidence);
    is_verbatim(claim, evidence, &masks) || explained(claim, parsed, evidence, &masks).is_supported()
}

/// Whether a claim is a sentence of its evidence, to the byte, which [`is_supported`] then finds as well: nearly all claims are
/// quotations, and of these nothing need be looked up. `words` are the claim's.
pub(super) fn is_quoted(claim: &str, words: &[Word], evidence: &[&Evidence<'_>]) -> bool {
    words.iter().any(Word::is_content)
        && evidence.iter().any(|text| text.says(claim))
        && begins_with_words(claim, without_stop(claim))
}

/// What [`support`] finds, of a claim that was read already.
pub(super) fn support_of(claim: &str, parsed: &Claim, evidence: &[&Evidence<'_>]) -> Support {
    explained(claim, parsed, evidence, &Masks::of(parsed, evidence))
}

fn explained(claim: &str, parsed: &Claim, evidence: &[&Evidence<'_>], masks: &Masks) -> Support {
    let features = features(parsed, masks);
    let sentences = masks.cover(SENTENCES_MAX);
    let missing = parsed.terms.iter().enumerate().filter(|&(i, _)| !masks.has(i));
    let missing = missing.map(|(_, term)| Missing { range: term.range.clone(), kind: term.kind }).collect();
    let best = sentences.first().copied();
    let opposite = |place: Place| {
        masks.share(place) >= SAME_STATEMENT_MIN
            && evidence[place.evidence].is_negated(place.sentence) != parsed.negated
    };
    let negation_differs = best.is_some_and(opposite);
    let verbatim = best.is_some() && is_verbatim(claim, evidence, masks);
    let score = match (best, verbatim, negation_differs) {
        (None, _, _) => 0.0,
        (Some(_), true, _) => 1.0,
        (Some(_), false, true) => NEGATION_FACTOR * logistic(&features),
        (Some(_), false, false) => logistic(&features),
    };
    Support { score, sentences, missing, negation_differs: negation_differs && !verbatim, verbatim, features }
}

fn features(claim: &Claim, masks: &Masks) -> Features {
    let missing = |kind: Kind| {
        let of_kind = |&(i, term): &(usize, &claim::ClaimTerm)| term.kind == kind && !masks.has(i);
        claim.terms.iter().enumerate().filter(of_kind).count() as f64
    };
    let figures = claim.terms.iter().filter(|term| term.kind == Kind::Figure).count() as f64;
    Features {
        pairs: masks.pairs(PAIR_WINDOW),
        passage: masks.passage(PASSAGE_WINDOW),
        figures: if figures > 0.0 { 1.0 - missing(Kind::Figure) / figures } else { 1.0 },
        names_missing: missing(Kind::Name),
        clauses: claim.clauses as f64,
    }
}

fn logistic(features: &Features) -> f64 {
    let weighted = features.as_array().into_iter().zip(COEFFICIENTS).map(|(value, weight)| value * weight);
    1.0 / (1.0 + (-(INTERCEPT + weighted.sum::<f64>())).exp())
}

/// Whether a sentence contains the claim word for word, its closing punctuation aside.
fn is_verbatim(claim: &str, evidence: &[&Evidence<'_>], masks: &Masks) -> bool {
    let mut complete = masks.complete().peekable();
    if complete.peek().is_none() {
        return false; // the usual case, for which nothing is prepared
    }
    let wanted = without_stop(claim);
    // A quotation is mostly all of its sentence; a finder, which takes long to prepare, is for the others.
    let finder = LazyCell::new(|| memmem::Finder::new(wanted));
    let holds = |place: &Place| {
        let sentence = evidence[place.evidence].sentence(place.sentence);
        begins_with_words(sentence, wanted) || contains_words(sentence, wanted, &finder)
    };
    complete.any(|place| holds(&place))
}

fn without_stop(claim: &str) -> &str {
    claim.trim().trim_end_matches(|c: char| !c.is_alphanumeric())
}

/// Whether a text begins with `wanted`, and no letter or digit right behind it.
fn begins_with_words(text: &str, wanted: &str) -> bool {
    let rest = text.strip_prefix(wanted).filter(|_| !wanted.is_empty());
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Whether `wanted` stands in the text with no letter or digit right before or after it. Nothing stands nowhere: it would
/// be found between the bytes of a character, too.
pub(super) fn contains_words(text: &str, wanted: &str, finder: &memmem::Finder<'_>) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !wanted.is_empty()
        && finder.find_iter(text.as_bytes()).any(|at| {
            !is_word(text[..at].chars().next_back()) && !is_word(text[at + wanted.len()..].chars().next())
        })
}
