//! Reasoning: what contradicts comes first, then each position in its own words.

use std::fmt::Write;

use super::labels::Labels;
use super::written::{narrative, said, within_length};
use super::{Parts, Set, contradictions, failures, gap_line, gaps, led, more, plain, uncited_gap_line};
use crate::domain::aggregate::result::Finding;
use crate::domain::directive::{SynthesisFormat, SynthesisOptions};

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

impl Position<'_> {
    fn holds(&self, contributors: &[String]) -> bool {
        contributors.iter().any(|name| name == self.subagent)
    }

    fn heading(&self, all: &[Self], labels: &Labels) -> String {
        let title = plain(self.title.unwrap_or(self.subagent));
        let is_shared = all.iter().filter(|other| other.title == self.title).nth(1).is_some();
        // Who was asked the same is told by name.
        let who = if is_shared && self.title.is_some() {
            format!(" ({})", plain(self.subagent))
        } else {
            String::new()
        };
        format!("## {}: {title}{who}\n", labels.position)
    }
}

/// Writes positions side by side: a section each, in their order. What several say stands in each of theirs, with all
/// names, so that agreement can be seen.
pub fn compose_positions(parts: Parts<'_>, positions: &[Position<'_>], options: &SynthesisOptions) -> String {
    let sections = |out: &mut String, labels: &Labels| {
        for position in positions {
            let mut findings = parts.findings.iter().filter(|finding| position.holds(&finding.contributors));
            let _ = writeln!(out, "{}", position.heading(positions, labels));
            for finding in findings.by_ref().take(QUOTED) {
                let _ = writeln!(out, "- {}", led(finding));
            }
            out.push('\n');
            more(out, findings.count(), labels);
        }
    };
    around(parts, options, uncited_gap_line, sections)
}

/// The same of what a language model wrote of them: all of it that the wanted length has room for, in the form that is asked
/// for. A position of which nothing stands has no section.
pub fn compose_written_positions(
    set: &[Set<'_>],
    parts: Parts<'_>,
    positions: &[Position<'_>],
    options: &SynthesisOptions,
) -> String {
    let shown = within_length(set, options.target_length);
    let sections = |out: &mut String, labels: &Labels| {
        for position in positions {
            let of = |set: &&Set<'_>| position.holds(&set.finding.contributors);
            let own: Vec<Set<'_>> = shown.iter().filter(of).copied().collect();
            if own.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{}", position.heading(positions, labels));
            match options.format {
                SynthesisFormat::Structured => {
                    own.iter().for_each(|set| _ = writeln!(out, "- {}", item(set.finding)));
                    out.push('\n');
                }
                SynthesisFormat::Narrative => narrative(out, &own),
            }
            more(out, set.iter().filter(of).count() - own.len(), labels);
        }
    };
    around(parts, options, gap_line, sections)
}

/// What a model wrote, or a quotation with what must stand before it: no topic stands above it here.
fn item(finding: &Finding) -> String {
    if finding.by_model { said(finding) } else { led(finding) }
}

/// What contradicts, the sections, and what is missing and what failed.
fn around(
    parts: Parts<'_>,
    options: &SynthesisOptions,
    gap_line: fn(&str) -> String,
    sections: impl FnOnce(&mut String, &Labels),
) -> String {
    let labels = Labels::of(options.language.as_deref(), parts.findings);
    let mut out = String::new();
    if options.include_contradictions {
        contradictions(&mut out, parts.contradictions, labels);
    }
    sections(&mut out, labels);
    if options.include_gaps {
        gaps(&mut out, parts.gaps, labels, gap_line);
    }
    failures(&mut out, parts.failures, labels);
    out.truncate(out.trim_end().len());
    out
}
