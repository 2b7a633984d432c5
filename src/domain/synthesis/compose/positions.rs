//! Reasoning: what contradicts comes first, then each position in its own words.

use std::fmt::Write;

use super::labels::Labels;
use super::{Parts, contradictions, failures, gaps, led, more, plain, uncited_gap_line};
use crate::domain::directive::SynthesisOptions;

/// Findings of one position that are quoted at most.
const QUOTED: usize = 5;

/// A position: who holds it, and what it was asked.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a> {
    /// The contributor, as findings name it.
    pub subagent: &'a str,
    /// What it is about.
    pub title: Option<&'a str>,
}

/// Writes positions side by side: a section each, in their order. What several say stands in each of theirs, with all
/// names, so that agreement can be seen.
pub fn compose_positions(parts: Parts<'_>, positions: &[Position<'_>], options: &SynthesisOptions) -> String {
    let labels = Labels::of(options.language.as_deref(), parts.findings);
    let mut out = String::new();
    if options.include_contradictions {
        contradictions(&mut out, parts.contradictions, labels);
    }
    for position in positions {
        let own = |contributors: &[String]| contributors.iter().any(|name| name == position.subagent);
        let mut findings = parts.findings.iter().filter(|finding| own(&finding.contributors));
        let title = plain(position.title.unwrap_or(position.subagent));
        let is_shared = positions.iter().filter(|other| other.title == position.title).nth(1).is_some();
        // Who was asked the same is told by name.
        let who = if is_shared && position.title.is_some() {
            format!(" ({})", plain(position.subagent))
        } else {
            String::new()
        };
        let _ = writeln!(out, "## {}: {title}{who}\n", labels.position);
        for finding in findings.by_ref().take(QUOTED) {
            let _ = writeln!(out, "- {}", led(finding));
        }
        out.push('\n');
        more(&mut out, findings.count(), labels);
    }
    if options.include_gaps {
        gaps(&mut out, parts.gaps, labels, uncited_gap_line);
    }
    failures(&mut out, parts.failures, labels);
    out.truncate(out.trim_end().len());
    out
}
