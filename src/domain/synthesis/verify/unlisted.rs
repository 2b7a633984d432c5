//! What a baseline quotes and doesn't list.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::Said;
use super::plain::plain;
use crate::domain::aggregate::result::AggregatedResult;

/// What the baseline quotes of results that it merged into others, whose texts it doesn't list.
pub(super) fn unlisted<'r>(
    result: &'r AggregatedResult,
    said: &[Said<'r>],
    own: &BTreeMap<&str, usize>,
) -> Vec<Said<'r>> {
    let sources = result.sources.len();
    let known: BTreeSet<&str> = said.iter().map(|said| said.text.as_ref()).collect();
    let findings = result.findings.iter().map(|finding| {
        let by = finding.contributors.iter().map(String::as_str).collect();
        (finding.content.as_str(), by, finding.sources.clone())
    });
    let statements = result.contradictions.iter().flat_map(|found| &found.statements).map(|statement| {
        let by: Vec<&str> = vec![&statement.subagent];
        (statement.text.as_str(), by, statement.source.into_iter().collect())
    });
    let mut found = Vec::new();
    for (text, by, cited) in findings.chain(statements) {
        let text = plain(text, sources);
        if known.contains(text.as_ref()) {
            continue;
        }
        let numbers = cited.into_iter().map(|number: u32| (number as usize).wrapping_sub(1));
        let mut places: Vec<usize> = numbers.filter(|place| *place < sources).collect();
        if places.is_empty() {
            places.extend(by.iter().filter_map(|name| own.get(name)));
        }
        found.push(Said { text, by, places });
    }
    found
}
