//! Every subagent with a result is heard: by a finding that it contributes to, by a quotation, or by a gap that says why not.

use std::collections::BTreeSet;

use super::WrittenFinding;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::synthesis::verify::{Evidence, is_said, is_sound};
use crate::domain::text::words::Lexicon;

/// Quotations that are tried for one subagent.
const TRIES_MAX: usize = 8;

/// What was added.
pub(super) struct Missing {
    /// Quotations.
    pub added: usize,
    /// For those of whom nothing can be quoted.
    pub gaps: Vec<String>,
}

/// Adds what is missing to the findings.
pub(super) fn fill(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    baseline: &AggregatedResult,
    findings: &mut Vec<WrittenFinding>,
) -> Missing {
    let mut missing = Missing { added: 0, gaps: Vec::new() };
    let expected: BTreeSet<&str> = baseline.results.iter().map(|result| result.subagent.as_str()).collect();
    for subagent in expected {
        let is_of = |contributors: &[String]| contributors.iter().any(|name| name == subagent);
        if findings.iter().any(|finding| is_of(&finding.contributors)) {
            continue;
        }
        let own = baseline.findings.iter().filter(|finding| is_of(&finding.contributors));
        let mut quoted = false;
        for finding in own.take(TRIES_MAX) {
            let said = findings.iter().map(|finding| finding.content.as_str());
            if is_said(lexicon, &finding.content, said) || !is_sound(lexicon, evidence, finding) {
                continue;
            }
            findings.push(WrittenFinding::quoting(finding));
            missing.added += 1;
            quoted = true;
            break;
        }
        if !quoted {
            missing.gaps.push(format!(
                "The synthesis quotes nothing of {subagent}: no sentence of its result could be quoted with a source."
            ));
        }
    }
    missing
}
