//! What a statement says without the words that only join a thing and its figure, and with one word for what has several: `has a maximum
//! depth of 281 m`, `reaches a depth of 318 m`, `lies 62 m deep`.

use std::sync::LazyLock;

use crate::domain::distinct::distinct;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Term;

/// What says nothing itself.
const LIGHT: &str = "reach reached consist consists comprise comprises stand stands stood amount amounts come came lie lies number numbers \
                     count counts need needs require requires take takes make makes total put puts limit limited allow allows \
                     give gives get gets serve serves remain remained record recorded report reported page site website method \
                     entire whole main overall around approximately roughly located available currently today said says \
                     de la le les du des un une el los las del al au aux en et y que qui est es son ha han a ont sont fue era était \
                     der die das den dem ein eine einen einer im am vom von mit ist sind hat haben und zu bei lag liegt beträgt gehört \
                     tiene tienen avait compte comptait possède atteint es está";
/// Words for the same.
#[rustfmt::skip]
const SAME: &[&str] = &[
    "depth deep deepest", "height high tall", "length long", "width wide", "age old aged", "weight weighs heavy weighed", "cost costs price priced pay pays fee charge fare",
    "employ employs employees staff workforce headcount workers", "produce production output produced", "warranty guarantee guaranteed", "founded established foundation", "begin start starts begins began",
    "end ends ended finish finished", "population inhabitants residents", "revenue turnover", "release released publish published launch launched", "detected discovered", "garantía garantías", "arrive arrived",
    "opened inaugurated", "built constructed", "written wrote", "won win", "fly flies flights flight", "kill killed died dead", "injured hurt wounded",
];

/// A light word has no other.
static KNOWN: LazyLock<KnownTerms<Option<Term>>> = LazyLock::new(|| {
    let light = LIGHT.split_whitespace().map(|word| (word, None));
    let term = |word: &str| terms::table([(word, ())]).keys().next().copied();
    let same = SAME.iter().flat_map(|words| {
        let first = words.split(' ').next().and_then(term);
        words.split(' ').map(move |word| (word, first))
    });
    terms::table(light.chain(same)).into()
});

/// The distinct terms of a content, ascending.
pub(super) fn gist(content: &[Term]) -> Vec<Term> {
    let said = |term: &Term| KNOWN.get(*term).copied().unwrap_or(Some(*term));
    distinct(content.iter().filter_map(said))
}
