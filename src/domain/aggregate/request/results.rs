//! The items of `results`.

use std::collections::BTreeSet;

use serde_json::value::RawValue;

use super::fields::{Fields, Issues, Place, check_length};
use super::{
    CONTENT_CHARS_MAX, NAME_CHARS_MAX, RESULTS_MAX, SOURCES_PER_REQUEST_MAX, SOURCES_PER_RESULT_MAX,
    TASK_CHARS_MAX,
};
use crate::domain::adapters::answer_in;
use crate::domain::aggregate::input::{FailureStatus, InputStatus, SourceInput, TaskInput};
use crate::domain::aggregate::json::{items, member, members, scalar, text};
use crate::domain::aggregate::payload::{PayloadKind, Read, read_payload};
use crate::domain::text::clean::one_line;
use crate::domain::verdict::Code;

const KNOWN: &[&str] =
    &["task_id", "task", "subagent", "success", "content", "error", "sources", "relevance", "confidence"];

/// Characters of a task's id that a problem shows.
const SHOWN_CHARS_MAX: usize = 80;

/// Longest error that is taken as a whole, in characters; a longer one (a stack trace) is taken from its start.
const ERROR_CHARS_MAX: usize = 16_384;

pub(super) fn required(body: &Fields<'_>, issues: &mut Issues) -> Vec<TaskInput> {
    body.require("results", issues);
    let items = body.array("results", RESULTS_MAX, issues).unwrap_or_default();
    let place = body.at("results");
    let read = |(index, item)| Some((index, one(item, place.item(index), issues)?));
    let results: Vec<(usize, TaskInput)> = items.into_iter().enumerate().filter_map(read).collect();
    refuse_doubles(&results, &place, issues);
    let results: Vec<TaskInput> = results.into_iter().map(|(_, result)| result).collect();
    let sources: usize = results.iter().map(|result| result.sources.len()).sum();
    if sources > SOURCES_PER_REQUEST_MAX {
        let detail = format!("the results have {sources} sources; the limit is {SOURCES_PER_REQUEST_MAX}");
        issues.add(Code::LimitReached, &place, detail);
    }
    results
}

/// A task is named once: failures, markers and merged results name it by its id.
fn refuse_doubles(results: &[(usize, TaskInput)], place: &Place, issues: &mut Issues) {
    let mut known = BTreeSet::new();
    for (index, result) in results {
        if !known.insert(result.task_id.as_str()) {
            let detail =
                format!("the task_id `{}` is there twice", one_line(&result.task_id, SHOWN_CHARS_MAX));
            issues.add(Code::InvalidEvent, &place.item(*index).below("task_id"), detail);
        }
    }
}

/// One item; where something is wrong with it the issues say so, and what is returned isn't used.
fn one(item: &str, place: Place, issues: &mut Issues) -> Option<TaskInput> {
    let fields = Fields::read(item, place, Some(KNOWN), issues)?;
    let task_id = fields.required_text("task_id", NAME_CHARS_MAX, issues);
    let subagent = fields.required_text("subagent", NAME_CHARS_MAX, issues);
    let task = fields.text("task", TASK_CHARS_MAX, issues);
    fields.require("success", issues);
    let success = fields.boolean("success", issues);
    let said =
        fields.get("content").map(|json| content(json, &fields.at("content"), issues)).unwrap_or_default();
    let error = fields.typed("error", "a string", error_text, issues);
    let own = sources(&fields, "sources", issues);
    Some(TaskInput {
        task_id: task_id?,
        task,
        subagent: subagent?,
        status: if success? { InputStatus::Success } else { InputStatus::Failed(FailureStatus::Error) },
        content: said.content,
        error,
        sources: if own.is_empty() { said.sources } else { own },
        relevance: fields.share("relevance", issues).or(said.relevance),
        confidence: fields.share("confidence", issues).or(said.confidence),
        href: None,
        notes: said.notes,
        subagents: None,
        place: 0,
    })
}

/// A content: a string is Markdown, any other JSON the payload of a generic subagent, or the answer of an API as it came.
pub(super) fn content(json: &str, place: &Place, issues: &mut Issues) -> Read {
    let read = match text(json) {
        Some(content) => Read { content, ..Read::default() },
        None => {
            let answer = RawValue::from_string(json.to_owned()).ok().and_then(|raw| answer_in(&raw.into()));
            let payload = answer.as_ref().map_or(json, |answer| answer.get());
            read_payload(PayloadKind::Generic, payload).unwrap_or_default()
        }
    };
    check_length(&read.content, CONTENT_CHARS_MAX, place, issues);
    read
}

/// A string, or the message of an object; a bare number is a code. Cut at [`ERROR_CHARS_MAX`].
pub(super) fn error_text(json: &str) -> Option<String> {
    let said = match members(json) {
        Some(error) => ["message", "detail", "error", "code"]
            .iter()
            .find_map(|name| member(&error, name).and_then(scalar)),
        None => scalar(json).filter(|said| said != "true" && said != "false"),
    };
    said.map(|said| said.chars().take(ERROR_CHARS_MAX).collect())
}

/// The sources under `name`: strings and objects; any other item is an issue, and so is a known member of a wrong type.
/// One that says nothing stays as an empty source, so that the others keep their places.
pub(super) fn sources(fields: &Fields<'_>, name: &str, issues: &mut Issues) -> Vec<SourceInput> {
    let place = fields.at(name);
    let items = fields.array(name, SOURCES_PER_RESULT_MAX, issues).unwrap_or_default();
    let read = |(index, item): (usize, &str)| {
        // The index of an issue is that of the result, whichever source it is about.
        let place = Place { index: place.index, pointer: format!("{}/{index}", place.pointer) };
        if text(item).is_none() {
            if members(item).is_none() {
                issues.add(Code::InvalidEvent, &place, "a source has to be a string or an object");
                return SourceInput::default();
            }
            check_source(item, place, issues);
        }
        SourceInput::from_json(item).unwrap_or_default()
    };
    items.into_iter().enumerate().map(read).collect()
}

fn check_source(item: &str, place: Place, issues: &mut Issues) {
    let Some(source) = Fields::read(item, place, None, issues) else { return };
    for name in ["url", "title", "type", "snippet"] {
        source.typed(name, "a string", text, issues);
    }
    for (name, what) in [("id", "a string or a number"), ("quality", "a word or a number")] {
        let plain = |json| scalar(json).filter(|_| items(json).is_none());
        source.typed(name, what, plain, issues);
    }
}
