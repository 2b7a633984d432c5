//! Short labels: what a finding is about, in the words of the results.

use crate::domain::aggregate::near_duplicates::{Features, Role};
use crate::domain::text::terms::TermMap;

/// In how many statements each term occurs.
pub(super) type Frequency = TermMap<u32>;

pub(super) fn frequency(features: &[Features<'_>]) -> Frequency {
    let mut frequency = TermMap::default();
    for term in features.iter().flat_map(|of| &of.terms) {
        *frequency.entry(*term).or_insert(0) += 1;
    }
    frequency
}

/// How long a label may be, in characters.
const TOPIC_MAX: usize = 60;

/// The heading where it is short enough; otherwise up to three of the sentence's words that occur in most statements,
/// names first, as they are written.
pub(super) fn topic(heading: &str, of: &Features<'_>, frequency: &Frequency) -> String {
    let bare =
        heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | ')' | '、' | '#'));
    let bare = bare.trim_start_matches(|c: char| "一二三四五六七八九十（）、".contains(c)).trim();
    if !bare.is_empty() && bare.chars().count() <= TOPIC_MAX {
        return bare.to_owned();
    }
    let mut words: Vec<_> = (of.elements.iter())
        .filter(|element| matches!(element.role, Role::Content | Role::Name))
        .map(|element| {
            (element.role == Role::Name, frequency.get(&element.term).copied().unwrap_or(0), element)
        })
        .collect();
    words.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.start.cmp(&b.2.start)));
    words.dedup_by_key(|word| word.2.term);
    words.truncate(3);
    words.sort_by_key(|word| word.2.start);
    let label: Vec<&str> = words.iter().map(|word| &of.text[word.2.start..word.2.end]).collect();
    let label = if label.is_empty() { of.text.to_owned() } else { label.join(" ") };
    label.chars().take(TOPIC_MAX).collect()
}
