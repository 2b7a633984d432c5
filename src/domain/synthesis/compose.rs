//! The extractive synthesis: quotations, put in order.
//!
//! Every sentence is a quotation with its source and its subagent; between them stand headings and topics only. It says
//! what was found, where statements disagree, what is missing and what failed, in that order, and ends with the list of
//! its sources. The same parts give the same bytes.

use std::fmt::Write;

use self::labels::Labels;
use crate::domain::aggregate::input::FailureStatus;
use crate::domain::aggregate::result::{Contradiction, Failure, Finding};
use crate::domain::directive::SynthesisOptions;
use crate::domain::text::clean::{self, escape_but_citations, escape_inline, quoted_line};
use crate::domain::text::scripts::is_wide_or_mark;

mod composition;
mod in_short;
mod labels;
mod lead;
mod link_labels;
mod positions;
mod small_talk;
mod sources;
#[cfg(test)]
mod tests;
mod told;
mod written;

pub use composition::{Part, compose_prose, inert_prose};
use in_short::in_short;
pub use in_short::{Asked, summarise};
pub use labels::{Language, in_language_of, lacks_headings, language};
use lead::{below, is_item, is_of_series, led, led_among, stands_below};
pub use lead::{lead, lead_among, lead_of, turning_lead};
pub use link_labels::labels_apart;
pub use positions::{Position, compose_positions, compose_written_positions};
pub use small_talk::without_small_talk;
pub use sources::with_sources;
use told::told;
pub use told::{has_line, in_language};
use written::set_out;
pub use written::{Set, compose_written, summarise_written};

/// Words of a synthesis where nobody says how many.
const WORDS: usize = 400;
/// Contradictions that a synthesis quotes: the result lists them all.
const CONTRADICTIONS_MAX: usize = 30;

/// What a synthesis is made of. `sources` are numbers as they stand in the texts.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// What was found, the best supported first.
    pub findings: &'a [Finding],
    /// Where statements disagree.
    pub contradictions: &'a [Contradiction],
    /// What is missing.
    pub gaps: &'a [String],
    /// What failed.
    pub failures: &'a [Failure],
}

/// Writes a synthesis: what its findings leave out beyond the wanted length stands in the result's `findings` only, and it says
/// how much that is.
pub fn compose(parts: Parts<'_>, options: &SynthesisOptions) -> String {
    let shown = within_length(parts.findings, options.target_length).into_iter();
    let set: Vec<Set<'_>> = shown.map(|finding| Set { finding, transition: None }).collect();
    set_out((&set, parts.findings.len()), parts, options, uncited_gap_line)
}

/// Behind what was found: where statements disagree, what is missing as `gap_line` writes it, what failed.
fn with_the_rest(
    mut out: String,
    parts: Parts<'_>,
    options: &SynthesisOptions,
    (labels, gap_line): (&Labels, fn(&str) -> String),
) -> String {
    if options.include_contradictions {
        contradictions(&mut out, parts.contradictions, labels);
    }
    if options.include_gaps {
        gaps(&mut out, parts.gaps, labels, gap_line);
    }
    failures(&mut out, parts.failures, labels);
    out.truncate(out.trim_end().len());
    out
}

/// `“…” [1][2] — *documentation*`.
pub fn quotation(finding: &Finding) -> String {
    let Finding { content, sources, contributors, .. } = finding;
    quoted(content, sources, contributors)
}

fn quoted(text: &str, sources: &[u32], subagents: &[String]) -> String {
    let mut out = format!("“{}”", quoted_line(text));
    if !sources.is_empty() {
        out.push(' ');
        cite(&mut out, sources);
    }
    let _ = write!(out, " — *{}*", names(subagents));
    out
}

/// `… [1][2]`: the words alone, with their sources.
pub fn cited(finding: &Finding) -> String {
    let mut out = quoted_line(&finding.content);
    let is_stopped = is_stopped(&out);
    if !finding.sources.is_empty() {
        out.push(' ');
        cite(&mut out, &finding.sources);
    }
    if !is_stopped {
        out.push('.');
    }
    out
}

/// Whether a sentence ends with a stop. It may have lost it with a marker before it; without one it would run into the next.
pub fn is_stopped(text: &str) -> bool {
    let said = text.trim_end_matches(['"', '\'', '”', '’', '»', '」', ')', '）']);
    said.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

fn cite(out: &mut String, sources: &[u32]) {
    for source in sources {
        let _ = write!(out, "[{source}]");
    }
}

/// The subagents, as they are named behind what they say.
fn names(subagents: &[String]) -> String {
    subagents.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ")
}

/// What somebody named something: a bounded line in which nothing is markup.
fn plain(text: &str) -> String {
    /// Characters that are shown.
    const CHARS_MAX: usize = 300;
    escape_inline(&clean::one_line(text, CHARS_MAX))
}

/// As many findings as the wanted length has room for, at least one. A very long one leaves room for others: the first
/// counts half at most, and a later one that doesn't fit is passed over.
fn within_length(findings: &[Finding], target_length: Option<u32>) -> Vec<&Finding> {
    /// Words of a sentence that is very long.
    const LONG: usize = 100;
    let most = target_length.map_or(WORDS, |words| words as usize);
    let mut words = 0;
    let mut shown = Vec::new();
    for finding in findings {
        let own = length(&finding.content);
        let counted = if shown.is_empty() { own.min(LONG.max(most / 2)) } else { own };
        if shown.is_empty() || words + counted <= most {
            words += counted;
            shown.push(finding);
        } else if own <= LONG {
            break;
        }
    }
    shown
}

/// Words of a text; two Chinese or Japanese characters count as one.
pub fn length(text: &str) -> usize {
    let words = text.split_whitespace().filter(|word| !word.contains(is_wide_or_mark)).count();
    words + text.chars().filter(|c| is_wide_or_mark(*c)).count().div_ceil(2)
}

/// How many findings there was no room for.
fn more(out: &mut String, left: usize, labels: &Labels) {
    let said = match left {
        0 => return,
        1 => labels.one_more.to_owned(),
        _ => labels.more.replace("{}", &left.to_string()),
    };
    let _ = writeln!(out, "*{said}*\n");
}

fn contradictions(out: &mut String, contradictions: &[Contradiction], labels: &Labels) {
    heading(out, labels.contradictions, contradictions.is_empty());
    for contradiction in contradictions.iter().take(CONTRADICTIONS_MAX) {
        let _ = writeln!(out, "- {}", quoted_line(&told(&contradiction.description, labels)));
        for statement in &contradiction.statements {
            let source: Vec<u32> = statement.source.into_iter().collect();
            let who = std::slice::from_ref(&statement.subagent);
            let lead = statement.lead_in.as_deref();
            let _ = writeln!(out, "  - {}", below(lead, quoted(&statement.text, &source, who)));
        }
        let _ = writeln!(out, "  - {}", quoted_line(&told(&contradiction.suggestion, labels)));
    }
    let left = contradictions.len().saturating_sub(CONTRADICTIONS_MAX);
    if left > 0 {
        let said = labels.more_contradictions.replace("{}", &left.to_string());
        let _ = writeln!(out, "\n*{said}*");
    }
    if !contradictions.is_empty() {
        out.push('\n');
    }
}

fn gaps(out: &mut String, gaps: &[String], labels: &Labels, gap_line: fn(&str) -> String) {
    list(out, labels.gaps, gaps.iter().map(|gap| gap_line(&told(gap, labels))));
}

/// A gap as it stands in a synthesis: it quotes names, questions and errors of others. What it cites it may cite.
pub fn gap_line(gap: &str) -> String {
    escape_but_citations(&clean::one_line(gap, gap.len()))
}

/// A gap that was measured: it cites nothing, whatever brackets stand in a question or an error.
fn uncited_gap_line(gap: &str) -> String {
    escape_inline(&clean::one_line(gap, gap.len()))
}

/// A text, and below it the parts but for what was found: that is the text.
pub fn with_parts_below(text: &str, parts: Parts<'_>, options: &SynthesisOptions) -> String {
    let labels = Labels::of(options.language.as_deref(), parts.findings);
    with_the_rest(format!("{text}\n\n"), parts, options, (labels, uncited_gap_line))
}

fn failures(out: &mut String, failures: &[Failure], labels: &Labels) {
    let (unfinished, failed): (Vec<&Failure>, Vec<&Failure>) =
        failures.iter().partition(|failure| is_unfinished(failure));
    list(out, labels.failures, failed.into_iter().map(failure_line));
    list(out, labels.unfinished, unfinished.into_iter().map(failure_line));
}

/// Whether what is among the failures may still end.
pub fn is_unfinished(failure: &Failure) -> bool {
    failure.status == FailureStatus::Pending.as_str()
}

/// A text that more may follow, which says so at its beginning.
pub fn as_draft(text: &str, findings: &[Finding], options: &SynthesisOptions) -> String {
    let labels = Labels::of(options.language.as_deref(), findings);
    format!("*{}*\n\n{text}", labels.draft)
}

/// `**crm** (How is …?): timeout — deadline`.
pub fn failure_line(failure: &Failure) -> String {
    let task = failure.task.as_deref().map(|task| format!(" ({})", plain(task))).unwrap_or_default();
    let Failure { subagent, status, error, .. } = failure;
    let why = if error.is_empty() { String::new() } else { format!(" — {}", plain(error)) };
    format!("**{}**{task}: {status}{why}", plain(subagent))
}

fn list(out: &mut String, label: &str, items: impl ExactSizeIterator<Item = String>) {
    if items.len() == 0 {
        return;
    }
    heading(out, label, false);
    for item in items {
        let _ = writeln!(out, "- {item}");
    }
    out.push('\n');
}

fn heading(out: &mut String, label: &str, is_empty: bool) {
    if !is_empty {
        let _ = writeln!(out, "## {label}\n");
    }
}
