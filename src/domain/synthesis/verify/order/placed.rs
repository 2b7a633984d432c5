//! Where and when something is so, which may be told first or last: `in Ohio revenue rose`, `revenue rose in Ohio`.
//!
//! A preposition tells what belongs to it wherever that stands, as long as it is the only one of its kind: `in Ohio` and `in Texas` may
//! have changed places.

use super::place;
use crate::domain::near_duplicates::{Element, Features};

/// What stands before where or when something is so, in languages in which the order of words tells who does what; in Spanish `a` also
/// before whom something is done to.
#[rustfmt::skip]
const PLACING: &[&str] = &[
    "in", "at", "on", "near", "within", "during", "since", "à", "en", "dans", "chez", "depuis", "a", "desde", "durante", "nel", "nella", "negli", "nelle", "nei", "dal", "em", "no", "na",
    "nos", "nas", "ao", "aos",
];
/// What may stand between it and what belongs to it.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "its", "their", "le", "la", "les", "l", "un", "une", "el", "los", "las", "una", "il", "lo", "gli", "i", "o", "os", "as", "um", "uma",
];

/// Leaves out of a claim's elements those that such a word leads to in both.
pub(super) fn leave_out(
    (claim, mine): (&Features<'_>, &mut Vec<&Element>),
    (said, theirs): (&Features<'_>, &[&Element]),
) {
    let (leads, their_leads) = (leads(claim, mine), leads(said, theirs));
    if leads.iter().all(Option::is_none) {
        return;
    }
    let common: Vec<Option<usize>> = mine.iter().map(|element| place(mine, theirs, element)).collect();
    let is_only = |lead: &str| {
        let is_its = |(at, other): (usize, &Option<&str>)| *other == Some(lead) && common[at].is_some();
        // Words that follow each other are led to once.
        let places: Vec<usize> =
            leads.iter().enumerate().filter(|entry| is_its((entry.0, entry.1))).map(|(at, _)| at).collect();
        places.windows(2).all(|two| two[1] == two[0] + 1)
    };
    let kept: Vec<bool> = (0..mine.len())
        .map(|at| {
            let lead = leads[at].zip(common[at].and_then(|at| their_leads[at]));
            !lead.is_some_and(|(mine, theirs)| mine == theirs && is_only(mine))
        })
        .collect();
    let mut kept = kept.into_iter();
    mine.retain(|_| kept.next().unwrap_or(true));
}

/// By element, what leads to it: words that stand directly behind each other are led to together.
fn leads<'f>(of: &'f Features<'_>, elements: &[&Element]) -> Vec<Option<&'f str>> {
    let mut leads: Vec<Option<&'f str>> = Vec::with_capacity(elements.len());
    let mut end = 0;
    for element in elements {
        let gap = of.text.get(end..element.start).unwrap_or_default();
        let goes_on = !leads.is_empty() && gap == " ";
        let mut words = gap.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let lead = words.find(|word| !ARTICLES.contains(&word.to_lowercase().as_str()));
        // `a` is an article, too, where nothing else is before it.
        let marker = || gap.split(|c: char| !c.is_alphanumeric()).find(|word| word.eq_ignore_ascii_case("a"));
        let placing = |word: &str| PLACING.iter().find(|placing| placing.eq_ignore_ascii_case(word)).copied();
        let lead = match lead {
            _ if goes_on => leads.last().copied().flatten(),
            Some(word) => placing(word),
            None => marker().filter(|_| gap.split_whitespace().count() > 1).and_then(placing),
        };
        leads.push(lead);
        end = element.end;
    }
    leads
}
