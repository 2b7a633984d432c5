//! All that somebody says below labels, none of them below a heading: which thing it is of may be told by none of them.

use std::collections::BTreeMap;

use super::super::rows::NAMING;
use super::NAMES;
use super::told::Told;
use crate::domain::synthesis::gaps::parts;
use crate::domain::text::phrases::has_any;

/// Labels with the same behind them that tell one thing without a name.
const SAME_MIN: usize = 2;
/// How many differ at most where no more are the same.
const DIFFERING_MAX: usize = 2;

/// What asks for a comparison: whoever answers may speak of one of several.
#[rustfmt::skip]
const COMPARING: [&str; 14] = [
    "compar", "versus", " vs", "differen", "vergleich", "unterschied", "différen", "diferen", "confront", "сравн", "比较", "对比", "比較", "비교",
];

/// What somebody says below labels: by the label in small letters. Empty where several things stand below one.
#[derive(Default)]
pub(super) struct Sheet<'s> {
    lines: BTreeMap<String, &'s str>,
    told: BTreeMap<String, Told<'s>>,
    /// How many lines there are.
    count: usize,
}

/// The sheets of all who have one.
#[derive(Default)]
pub(super) struct Sheets<'s>(BTreeMap<&'s str, Sheet<'s>>);

impl<'s> Sheets<'s> {
    pub(super) fn add(&mut self, who: &'s str, label: &str, line: &'s str, told: Option<Told<'s>>) {
        let sheet = self.0.entry(who).or_default();
        sheet.count += 1;
        let label = label.to_lowercase();
        sheet.lines.entry(label.clone()).and_modify(|text| *text = "").or_insert(line);
        sheet.told.extend(told.map(|told| (label, told)));
    }

    /// Whether what two say differs in one of the labels that both have, and is the same in what names the thing, or in some others; or each
    /// is all that its subagent `says`, with the same labels, nothing but amounts differs, and the query asks for no comparison.
    pub(super) fn are_of_one(
        &self,
        one: &str,
        other: &str,
        (query, says): (&str, &dyn Fn(&str) -> usize),
    ) -> bool {
        let (Some(mine), Some(theirs)) = (self.0.get(one), self.0.get(other)) else { return false };
        let (mut is_named, mut same, mut differing) = (false, 0, 0);
        let (mut are_amounts, mut has_words) = (mine.lines.keys().eq(theirs.lines.keys()), false);
        for (label, text) in &mine.lines {
            let Some(their_text) = theirs.lines.get(label) else { continue };
            let is_same = text == their_text && !text.is_empty();
            is_named |= is_same && (NAMES.contains(&label.as_str()) || NAMING.contains(&label.as_str()));
            same += usize::from(is_same);
            differing += usize::from(!is_same);
            let both = mine.told.get(label).zip(theirs.told.get(label));
            are_amounts &= is_same || both.is_some_and(|(mine, theirs)| mine.differ(theirs).is_some());
            has_words |= !is_same && both.is_some_and(|(mine, _)| mine.is_word());
        }
        let are_all = || says(one) == mine.count && says(other) == theirs.count && !compares(query);
        (is_named || same >= SAME_MIN) && differing == 1
            // Many things are in the same few states.
            || are_amounts && differing <= if has_words { same } else { same.max(DIFFERING_MAX) } && are_all()
    }
}

/// Whether a query asks one thing, and not for a comparison.
pub(in super::super) fn asks_one(query: &str) -> bool {
    !query.is_empty() && !compares(query) && parts(query).len() == 1
}

fn compares(query: &str) -> bool {
    let query = query.to_lowercase();
    has_any(&query, &COMPARING)
}
