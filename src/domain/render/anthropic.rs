//! Anthropic's `search_result` content blocks, which its models cite by themselves.
//!
//! The shape is the Messages API's (platform.claude.com, "Search results"): `type`, `source`, `title`, `content` as
//! an array of at least one text block whose text isn't empty, and `citations`, which must be the same in all blocks of
//! a request. Blocks go into a user message or a tool's result as they are. They carry data by construction; here
//! only what is hidden is taken out.

use serde_json::{Value, json};

use super::inert;
use super::markdown::{NAME_MAX, TITLE_MAX};
use super::passages::passages;
use crate::domain::aggregate::result::{AggregatedResult, Source, TaskResult};

/// A text block isn't ended by a blank line before it has as many bytes: a citation points at a block, so blocks are
/// passages, neither lines nor whole reports.
const PASSAGE_BYTES_MIN: usize = 400;

/// Failures that are named where there is nothing else.
const FAILURES_MAX: usize = 50;

/// How the notes begin that stand in a result's title.
const MARKS: [&str; 3] = ["partial:", "refused:", "clipped:"];

/// One block for each result (`source` is where its full original is, or `task:` and its id), then one for each source
/// that has excerpts (`source` is its address, or `source:` and its number). What says nothing is left out. Where there is
/// no result, one block says what failed and why (`source` is `failures`). O(n).
pub fn anthropic(result: &AggregatedResult) -> Value {
    if result.results.is_empty() {
        return Value::Array(of_failures(result).into_iter().collect());
    }
    let results = result.results.iter().filter_map(of_result);
    Value::Array(results.chain(result.sources.iter().filter_map(of_source)).collect())
}

fn of_failures(result: &AggregatedResult) -> Option<Value> {
    let failures = result.failures.iter().take(FAILURES_MAX).map(|failure| {
        let task = inert::line(failure.task.as_deref().unwrap_or(&failure.task_id), TITLE_MAX);
        let (subagent, status) =
            (inert::line(&failure.subagent, NAME_MAX), inert::line(&failure.status, NAME_MAX));
        format!("{task} ({subagent}): {status}, {}", inert::line(&failure.error, 2 * TITLE_MAX))
    });
    let failures: Vec<String> = failures.collect();
    block(
        "failures".to_owned(),
        "No result: what failed".to_owned(),
        text_block(&failures.join("\n")).into_iter().collect(),
    )
}

fn of_result(result: &TaskResult) -> Option<Value> {
    let source = match result.href.as_deref().filter(|href| !href.trim().is_empty()) {
        Some(href) => inert::line(href, 2 * TITLE_MAX),
        None => format!("task:{}", inert::line(&result.task_id, TITLE_MAX)),
    };
    let task = inert::line(result.task.as_deref().unwrap_or(&result.task_id), TITLE_MAX);
    let subagent = inert::line(&result.subagent, NAME_MAX);
    // There is no other place to say that it is a part only, or what a refused step had found.
    let marks = result.notes.iter().filter(|note| MARKS.iter().any(|mark| note.starts_with(mark)));
    let marks: String = marks.map(|note| format!(" – {}", inert::line(note, TITLE_MAX))).collect();
    let title = format!("{task} ({subagent}){marks}");
    let content = inert::block(&result.content);
    block(source, title, passages(&content, PASSAGE_BYTES_MIN).filter_map(text_block).collect())
}

fn of_source(source: &Source) -> Option<Value> {
    let address = source.url.as_deref().and_then(inert::web_link);
    let texts = source.snippets.iter().filter_map(|snippet| text_block(&inert::block(snippet))).collect();
    let title = inert::line(&source.title, TITLE_MAX);
    let title = if title.is_empty() { format!("Source {}", source.id) } else { title };
    block(address.unwrap_or_else(|| format!("source:{}", source.id)), title, texts)
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
