//! What of a node's result goes up to the node above it.

use std::iter::once;

use crate::domain::aggregate::input::{InputStatus, SourceInput, TaskInput};
use crate::domain::aggregate::result::{AggregatedResult, Method, Source};
use crate::domain::synthesis::compose::{cited, gap_line, has_line, quotation, turning_lead};
use crate::domain::text::clean::quoted_line;
use crate::domain::text::phrases::begins_with_any;

/// Whether a synthesis is a list of quotations with notes between them: quoted again, its marks and notes would pass for
/// what somebody said.
pub(super) fn lists_quotations(result: &AggregatedResult) -> bool {
    result.findings.iter().any(|finding| result.body.contains(&quotation(finding)))
}

/// Whether a synthesis quotes nothing and only says what is missing: nobody said that.
pub(in crate::domain::aggregate) fn only_lacks(result: &AggregatedResult) -> bool {
    let is_noted = |gap: &String| has_line(&result.body, gap, gap_line);
    result.findings.is_empty() && result.gaps.iter().any(is_noted)
}

/// Whether a language model wrote it: its body is laid out for readers, with notes, and with what is missing.
pub(super) fn is_written(result: &AggregatedResult) -> bool {
    result.metadata.method == Method::Llm
}

/// What was found, in its own words, with its sources; a paragraph for each topic, or a list below one that turns what it leads in.
pub(super) fn findings_as_prose(result: &AggregatedResult) -> String {
    let mut out = String::new();
    let mut before: Option<(&str, Option<&str>)> = None;
    for finding in &result.findings {
        let (topic, lead) = (finding.topic.as_str(), turning_lead(finding));
        let is_same = before == Some((topic, lead));
        out.push_str(match (is_same, lead) {
            _ if before.is_none() => "",
            (true, Some(_)) => "\n",
            (true, None) => " ",
            (false, _) => "\n\n",
        });
        if let Some(lead) = lead {
            if !is_same {
                out.push_str(&format!("{}:\n\n", quoted_line(lead)));
            }
            out.push_str("- ");
        }
        out.push_str(&cited(finding));
        before = Some((topic, lead));
    }
    out
}

pub(super) fn is_judged(note: &str) -> bool {
    begins_with_any(note, &["clipped:", "clamped:", "partial:", "error:", "refused:"])
}

/// A source as the node above takes it in: its number is how the texts cite it. Each of its excerpts comes along, and where it
/// has an address, by which it is known, each of its titles.
pub(super) fn source_inputs(source: &Source) -> impl Iterator<Item = SourceInput> {
    let others = source.url.is_some().then_some(&source.other_titles).into_iter().flatten();
    let titles: Vec<&String> = once(&source.title).chain(others).collect();
    (0..titles.len().max(source.snippets.len())).map(move |at| SourceInput {
        id: Some(source.id.to_string()),
        url: source.url.clone(),
        title: Some((*titles.get(at).unwrap_or(&&source.title)).clone()),
        kind: Some(source.kind),
        quality: source.quality,
        snippet: source.snippets.get(at).cloned(),
    })
}

/// How many subagents a node that hasn't ended stands for: those that said nothing yet. Where only others of its subagents
/// are at work, none; where none is known, one.
pub(super) fn standing_for(silent: &[TaskInput], others: &[TaskInput]) -> usize {
    let is_at_work = |task: &TaskInput| task.status == InputStatus::Partial;
    match silent.iter().map(|task| task.subagents.unwrap_or(1)).sum() {
        0 if !others.iter().any(is_at_work) => 1,
        count => count,
    }
}
