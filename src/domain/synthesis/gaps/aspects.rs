//! What is asked in one word and answered in another: `How many people live in Rome?`, `The population is 2.8 million.`

use std::sync::LazyLock;

use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::text::figures::Unit;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Term;

/// Words for one aspect, a line each.
#[rustfmt::skip]
const ASPECTS: &[&[&str]] = &[
    &["price", "pricing", "cost", "fee", "charge", "tariff", "expensive", "cheap"],
    &["speed", "fast", "slow", "latency", "throughput"],
    &["pro", "pros", "advantage", "benefit", "strength", "upside", "merit"],
    &["con", "cons", "disadvantage", "drawback", "downside", "weakness", "shortcoming"],
    &["population", "people", "inhabitant", "resident", "live", "citizen"],
    &["employee", "staff", "worker", "workforce", "headcount", "employ"],
    &["revenue", "sales", "turnover"],
    &["risk", "danger", "hazard", "threat"],
    &["founder", "founded", "established", "started"],
    &["based", "headquarter", "headquartered", "located"],
    &["ceo", "chief", "head", "boss"],
    &["change", "rise", "rose", "fall", "fell", "grow", "grew", "increase", "decrease", "decline", "drop"],
];
const PRICE: u8 = 0;
const SPEED: u8 = 1;
/// Two of which each may be meant without its name, unless the other is called by its own.
const OPPOSITES: [u8; 2] = [2, 3];
/// Seconds that tell how fast something is, at most.
const FAST: f64 = 60.0;

static ASPECT: LazyLock<KnownTerms<u8>> = LazyLock::new(|| {
    let aspects = ASPECTS.iter().zip(0_u8..);
    terms::table(aspects.flat_map(|(words, at)| words.iter().map(move |word| (*word, at)))).into()
});

/// One term for all words of an aspect; other words stay.
pub(in crate::domain::synthesis) fn aspect(term: Term) -> Term {
    ASPECT.get(term).map_or(term, |at| named(*at))
}

fn named(aspect: u8) -> Term {
    Term(0xA59E_C700 | u64::from(aspect))
}

/// The aspects that figures tell without a word.
pub(super) fn told_by_figures<'f>(features: &'f Features<'_>) -> impl Iterator<Item = Term> + 'f {
    features.figures.iter().filter_map(|figure| {
        let is_fast =
            matches!(figure.unit, Unit::Measure { base: "s", .. }) && figure.high.approximate() <= FAST;
        let is_price = matches!(figure.unit, Unit::Money(_));
        is_price.then_some(PRICE).or(is_fast.then_some(SPEED)).map(named)
    })
}

/// Whether a part names nothing but advantages or disadvantages.
pub(super) fn is_side(part: &[Term]) -> bool {
    part.iter().all(|term| OPPOSITES.map(named).contains(term))
}

/// The advantage or disadvantage that a part asks for where only the other one is said.
pub(super) fn lacks_a_side(part: &[Term], asked: impl Fn(Term) -> bool, said: impl Fn(Term) -> bool) -> bool {
    let [one, other] = OPPOSITES.map(named);
    [(one, other), (other, one)]
        .into_iter()
        .any(|(mine, theirs)| part.contains(&mine) && asked(theirs) && !said(mine) && said(theirs))
}
