//! What entries of a sheet say that can't both be true.

use super::entries::Entry;
use crate::domain::aggregate::result::QualityIssue;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::{Said, Statement, statements};
use crate::domain::synthesis::contradictions::contradictions;
use crate::domain::text::clean::one_line;

/// Contradictions that are told.
const TOLD_MAX: usize = 20;
/// Characters of a statement that are told.
const STATEMENT_CHARS_MAX: usize = 300;

/// The code of an issue that tells a contradiction.
pub(super) const CODE: &str = "contradiction";

/// What of some issues tells of contradictions.
pub(super) fn of(issues: &[QualityIssue]) -> impl Iterator<Item = &str> {
    issues.iter().filter(|issue| issue.code == CODE).map(|issue| issue.detail.as_str())
}

/// Each in a sentence with both statements and the places of their entries, from 1; an entry doesn't contradict itself.
pub(super) fn contested(entries: &[Entry<'_>]) -> Vec<String> {
    let names: Vec<String> = entries.iter().map(|entry| format!("entry {}", entry.number)).collect();
    let all: Vec<Statement<'_>> = entries
        .iter()
        .zip(&names)
        .flat_map(|(entry, name)| statements(Said { subagent: name, ..Said::uncited(&entry.said) }))
        .collect();
    let mut reader = Reader::default();
    let features: Vec<_> = all.iter().map(|said| reader.read(said.text)).collect();
    let found = contradictions(&all, &features).found.into_iter().take(TOLD_MAX);
    found
        .map(|found| {
            let [one, other] = &found.statements;
            let [mine, theirs] = [one, other].map(|said| one_line(&said.text, STATEMENT_CHARS_MAX));
            let what = found.description.trim_end_matches('.');
            format!("{what}: “{mine}” ({}) and “{theirs}” ({})", one.subagent, other.subagent)
        })
        .collect()
}
