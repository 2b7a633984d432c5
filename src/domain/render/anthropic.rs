//! Anthropic's `search_result` content blocks, which its models cite by themselves.
//!
//! The shape is the Messages API's (platform.claude.com, "Search results"): `type`, `source`, `title`, `content` as
//! an array of at least one text block whose text isn't empty, and `citations`, which must be the same in all blocks of
//! a request. Blocks go into a user message or a tool's result as they are. They carry data by construction; here
//! only what is hidden is taken out.

use serde_json::{Value, json};

use super::inert::{self, NAME_MAX, TITLE_MAX};
use super::passages::passages;
use crate::domain::aggregate::result::{
    AggregatedResult, Contradiction, Failure, Source, Statement, TaskResult,
};
use crate::domain::text::phrases::begins_with_any;

/// A text block isn't ended by a blank line before it has as many bytes: a citation points at a block, so blocks are
/// passages, neither lines nor whole reports.
const PASSAGE_BYTES_MIN: usize = 400;

/// Failures, contradictions and gaps of each kind that are named.
const NAMED_MAX: usize = 50;

/// How the notes begin that stand in a result's title.
const MARKS: [&str; 3] = ["partial:", "refused:", "clipped:"];

/// Where there is no synthesis because it was withheld, and where this is a draft, a block that says so (`source` is
/// `status`). Then one block for each result (`source` is where its full original is, or `task:` and its id), then what the aggregation
/// noted: what failed, what contradicts and what is missing (`source` is `failures`, `contradictions` or `gaps`), one for each
/// source that has excerpts (`source` is its address, or `source:` and its number), and the list of all numbers (`sources`).
/// What says nothing is left out. O(n).
pub fn anthropic(result: &AggregatedResult) -> Value {
    let failed = match super::failures_heading(result) {
        "What failed" if result.results.is_empty() => "No result: what failed",
        heading => heading,
    };
    let notes = [
        noted("failures", failed, &result.failures, of_failure),
        noted("contradictions", "Contradictions", &result.contradictions, of_contradiction),
        noted("gaps", "What is missing", &result.gaps, |gap| inert::line(gap, 2 * TITLE_MAX)),
    ];
    let status = noted("status", "About this result", &status(result), String::clone);
    let results = status.into_iter().chain(result.results.iter().filter_map(of_result));
    let excerpts = result.sources.iter().filter_map(of_source);
    let blocks = results.chain(notes.into_iter().flatten()).chain(excerpts).chain(numbers(&result.sources));
    Value::Array(blocks.collect())
}

/// What whoever answers from the results must know of them.
fn status(result: &AggregatedResult) -> Vec<String> {
    let withheld = super::withheld(result);
    let withheld = withheld.map(|why| format!("There is no synthesis: {}", inert::line(why, 2 * TITLE_MAX)));
    let draft = (!result.metadata.is_final).then(|| "A draft: more may follow.".to_owned());
    withheld.into_iter().chain(draft).collect()
}

/// What the `[n]` of the other blocks stand for.
fn numbers(sources: &[Source]) -> Option<Value> {
    let line = |source: &Source| {
        let address = source.url.as_deref().and_then(inert::web_link).unwrap_or_default();
        format!("[{}] {} {address}", source.id, title_of(source)).trim_end().to_owned()
    };
    let lines: Vec<String> = sources.iter().map(line).collect();
    block("sources".to_owned(), "Sources".to_owned(), text_block(&lines.join("\n")).into_iter().collect())
}

fn title_of(source: &Source) -> String {
    let title = inert::line(&source.title, TITLE_MAX);
    if title.is_empty() { format!("Source {}", source.id) } else { title }
}

/// A block of what the aggregation says itself, a text block for each item, so that it can be cited alone.
fn noted<T>(source: &str, title: &str, items: &[T], line: impl Fn(&T) -> String) -> Option<Value> {
    let texts = items.iter().take(NAMED_MAX).filter_map(|item| text_block(&line(item)));
    block(source.to_owned(), title.to_owned(), texts.collect())
}

fn of_failure(failure: &Failure) -> String {
    let task = inert::line(failure.task.as_deref().unwrap_or(&failure.task_id), TITLE_MAX);
    let (subagent, status) =
        (inert::line(&failure.subagent, NAME_MAX), inert::line(&failure.status, NAME_MAX));
    format!("{task} ({subagent}): {status}, {}", inert::line(&failure.error, 2 * TITLE_MAX))
}

fn of_contradiction(contradiction: &Contradiction) -> String {
    let said = |Statement { text, lead_in, source, subagent }: &Statement| {
        let source = source.map(|number| format!(", [{number}]")).unwrap_or_default();
        let above =
            lead_in.as_deref().map(|line| format!("{}: ", inert::line(line, TITLE_MAX))).unwrap_or_default();
        format!("{above}“{}” ({}{source})", inert::line(text, 2 * TITLE_MAX), inert::line(subagent, NAME_MAX))
    };
    let said: Vec<String> = contradiction.statements.iter().map(said).collect();
    let description = inert::line(&contradiction.description, 2 * TITLE_MAX);
    format!("{}: {}", description.trim_end_matches('.'), said.join(" against "))
}

fn of_result(result: &TaskResult) -> Option<Value> {
    let source = match result.href.as_deref().filter(|href| !href.trim().is_empty()) {
        Some(href) => inert::line(href, 2 * TITLE_MAX),
        None => format!("task:{}", inert::line(&result.task_id, TITLE_MAX)),
    };
    let task = inert::line(result.task.as_deref().unwrap_or(&result.task_id), TITLE_MAX);
    let subagent = inert::line(&result.subagent, NAME_MAX);
    // There is no other place to say that it is a part only, or what a refused step had found.
    let marks = result.notes.iter().filter(|note| begins_with_any(note, &MARKS));
    let marks: String = marks.map(|note| format!(" – {}", inert::line(note, TITLE_MAX))).collect();
    let title = format!("{task} ({subagent}){marks}");
    let content = inert::block(&result.content);
    block(source, title, passages(&content, PASSAGE_BYTES_MIN).filter_map(text_block).collect())
}

fn of_source(source: &Source) -> Option<Value> {
    let address = source.url.as_deref().and_then(inert::web_link);
    let texts = source.snippets.iter().filter_map(|snippet| text_block(&inert::block(snippet))).collect();
    block(address.unwrap_or_else(|| format!("source:{}", source.id)), title_of(source), texts)
}

fn block(source: String, title: String, content: Vec<Value>) -> Option<Value> {
    (!content.is_empty()).then(|| {
        json!({
            "type": "search_result",
            "source": source,
            "title": title,
            "content": content,
            "citations": { "enabled": true },
        })
    })
}

/// A text block; nothing for a text that the API would refuse as empty.
fn text_block(text: &str) -> Option<Value> {
    let text = text.trim_matches('\n').trim_end();
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}
