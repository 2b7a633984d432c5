//! Sentences that are too long to be quoted: a text without stops, a list of thousands of words.
//!
//! A part of one may say another thing than the whole, so none is shown: the text of the result has them. What they say still
//! counts as said, as evidence and for the gaps.

use std::collections::BTreeSet;

use crate::domain::synthesis::claims::Finding;

/// Bytes of a sentence that is quoted at most: some of a result's default limit of tokens is left for others.
const QUOTED_BYTES_MAX: usize = 4 << 10;
/// Subagents that are named at most.
const NAMED_MAX: usize = 12;

/// Whether a sentence is too long to be quoted.
pub(super) fn is_too_long(text: &str) -> bool {
    text.len() > QUOTED_BYTES_MAX
}

/// The findings that can be quoted, and those that can't.
pub(super) fn apart(findings: Vec<Finding<'_>>) -> (Vec<Finding<'_>>, Vec<Finding<'_>>) {
    let is_quoted = |finding: &Finding<'_>| !is_too_long(finding.content);
    // Nearly always all are: then none is moved.
    if findings.iter().all(is_quoted) {
        return (findings, Vec::new());
    }
    findings.into_iter().partition(is_quoted)
}

/// What says that some aren't quoted, and whose they are.
pub(super) fn unquoted(findings: &[Finding<'_>]) -> Option<String> {
    let whose: BTreeSet<&str> = findings.iter().flat_map(|finding| &finding.contributors).copied().collect();
    let named: Vec<&str> = whose.iter().take(NAMED_MAX).copied().collect();
    let more = whose.len() - named.len();
    let others = if more > 0 { format!(" and {more} others") } else { String::new() };
    let (count, is, stand) = match findings.len() {
        0 => return None,
        1 => ("1 sentence".to_owned(), "is", "it stands"),
        count => (format!("{count} sentences"), "are", "they stand"),
    };
    let kib = QUOTED_BYTES_MAX >> 10;
    Some(format!(
        "{count} of {}{others} {is} longer than {kib} KiB and not quoted: {stand} in the full texts of the results.",
        named.join(", ")
    ))
}
