//! An aggregated result, as this service gave it out, back as what the tasks brought.
//!
//! Taken: of each result its `task_id`, `task`, `subagent`, `content`, `sources` (numbers), `relevance`, `confidence`,
//! `partial`, `notes` and `href`; of each source its `id`, `url`, `title`, `type`, `quality` and first snippet; of each
//! failure its `task_id`, `task`, `subagent`, `status` and `error`. A source's number becomes its id in the task, so a
//! `[n]` in the content means what it meant; a number that none of the sources has is refused. Everything else is left
//! out and unknown fields are passed over: a later version may have more. A result that is partial and a failure of the
//! same task and subagent become one task. A result into which others were merged (`merged`) stands for those, too, where
//! the findings tell who they are of.

use std::collections::BTreeMap;

mod twins;
mod whole;

pub(super) use twins::twins;
pub(super) use whole::whole;

use super::fields::{Fields, Issues, Place, short};
use super::results::{content, error_text};
use super::{NAME_CHARS_MAX, RESULTS_MAX, SOURCES_PER_REQUEST_MAX, TASK_CHARS_MAX};
use crate::domain::aggregate::LeftOut;
use crate::domain::aggregate::input::{FailureStatus, InputStatus, SourceInput, TaskInput};
use crate::domain::aggregate::json::{items, member, members, number, text};
use crate::domain::aggregate::take_in::{CUT_AWAY, CUT_AWAY_TEXT};
use crate::domain::text::clean::is_blank;
use crate::domain::verdict::Code;

/// Notes of one result that are taken.
const NOTES_MAX: usize = 32;

pub(super) fn read(json: &str, place: &Place, issues: &mut Issues) -> Vec<TaskInput> {
    let Some(given) = Fields::read(json, place.clone(), None, issues) else { return Vec::new() };
    given.require("results", issues);
    let sources: BTreeMap<u32, SourceInput> = given
        .array("sources", SOURCES_PER_REQUEST_MAX, issues)
        .unwrap_or_default()
        .into_iter()
        .filter_map(numbered)
        .collect();
    let mut tasks = Vec::new();
    for (index, item) in
        given.array("results", RESULTS_MAX, issues).unwrap_or_default().into_iter().enumerate()
    {
        tasks.extend(result(item, given.at("results").item(index), &sources, issues));
    }
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (place, task) in tasks.iter().enumerate().filter(|(_, task)| task.status == InputStatus::Partial) {
        places.insert((task.task_id.clone(), task.subagent.clone()), place);
    }
    for (index, item) in
        given.array("failures", RESULTS_MAX, issues).unwrap_or_default().into_iter().enumerate()
    {
        let Some(failed) = failure(item, given.at("failures").item(index), issues) else { continue };
        match places
            .remove(&(failed.task_id.clone(), failed.subagent.clone()))
            .and_then(|place| tasks.get_mut(place))
        {
            Some(partial) => (partial.status, partial.error) = (failed.status, failed.error),
            None => tasks.push(failed),
        }
    }
    tasks
}

/// What an aggregated result without results says that it left out for its relevance; `tasks` is how many failed.
pub(super) fn left_out(json: &str, tasks: &[TaskInput]) -> LeftOut {
    let count = |name: &str| -> Option<usize> {
        let given = members(json)?;
        let metadata = members(member(&given, "metadata")?)?;
        serde_json::from_str(member(&metadata, name)?).ok()
    };
    let all = count("filtered_results").unwrap_or_default().min(RESULTS_MAX);
    let has_failed =
        |task: &TaskInput| matches!(task.status, InputStatus::Failed(_)) && task.content.is_empty();
    if all == 0 || !tasks.iter().all(has_failed) {
        return LeftOut::default();
    }
    let whole = count("total_input_results").map_or(all, |total| total.saturating_sub(tasks.len()).min(all));
    LeftOut { all, whole }
}

/// A source with its number, which is its id from now on.
fn numbered(item: &str) -> Option<(u32, SourceInput)> {
    let mut source = SourceInput::from_json(item)?;
    let number = source.id.as_deref()?.parse().ok()?;
    let snippets = members(item).and_then(|source| member(&source, "snippets").and_then(items));
    source.snippet = source.snippet.or_else(|| snippets?.first().copied().and_then(text));
    Some((number, source))
}

fn result(
    item: &str,
    place: Place,
    sources: &BTreeMap<u32, SourceInput>,
    issues: &mut Issues,
) -> Option<TaskInput> {
    let fields = Fields::read(item, place, None, issues)?;
    let cited = cited(&fields, sources, issues);
    let partial = fields.boolean("partial", issues) == Some(true);
    let mut said =
        fields.get("content").map(|json| content(json, &fields.at("content"), issues)).unwrap_or_default();
    let notes = fields.array("notes", NOTES_MAX, issues).unwrap_or_default().into_iter().filter_map(text);
    // A partial result's own note is made anew.
    let mut notes: Vec<String> = notes.filter(|note| !note.starts_with("partial: ")).collect();
    // There was a text, and room for none of it.
    let is_cut = fields.boolean("truncated", issues) == Some(true);
    if is_cut && matches!(said.content.trim(), "" | CUT_AWAY_TEXT) {
        said.content = CUT_AWAY_TEXT.to_owned();
        notes.retain(|note| !note.starts_with("clipped: "));
        notes.push(CUT_AWAY.to_owned());
    }
    Some(TaskInput {
        task_id: fields.required_text("task_id", NAME_CHARS_MAX, issues)?,
        task: fields.text("task", TASK_CHARS_MAX, issues),
        subagent: fields.required_text("subagent", NAME_CHARS_MAX, issues)?,
        status: if partial { InputStatus::Partial } else { InputStatus::Success },
        content: said.content,
        error: None,
        sources: cited,
        // The reported part: it is blended with the question again.
        relevance: reported(&fields).or_else(|| fields.share("relevance", issues)),
        confidence: fields.share("confidence", issues),
        href: fields.text("href", TASK_CHARS_MAX, issues),
        notes,
        subagents: None,
        place: 0,
    })
}

/// The sources that a result names by their numbers. A number that none has would be lost without a word, and what it was the evidence
/// of would have none.
fn cited(fields: &Fields<'_>, sources: &BTreeMap<u32, SourceInput>, issues: &mut Issues) -> Vec<SourceInput> {
    let numbers = fields.array("sources", SOURCES_PER_REQUEST_MAX, issues).unwrap_or_default();
    let mut cited = Vec::with_capacity(numbers.len());
    for (index, number) in numbers.into_iter().enumerate() {
        match serde_json::from_str(number).ok().and_then(|number: u32| sources.get(&number)) {
            Some(source) => cited.push(source.clone()),
            None => {
                let detail = format!("`{}` is the `id` of none of the `sources`", short(number));
                issues.add(Code::InvalidEvent, &fields.at("sources").item(index), detail);
            }
        }
    }
    cited
}

fn reported(fields: &Fields<'_>) -> Option<f64> {
    let detail = members(fields.get("relevance_detail")?)?;
    number(member(&detail, "reported")?)
}

fn failure(item: &str, place: Place, issues: &mut Issues) -> Option<TaskInput> {
    let fields = Fields::read(item, place, None, issues)?;
    let status = fields.text("status", NAME_CHARS_MAX, issues).unwrap_or_default();
    let task_id = fields.required_text("task_id", NAME_CHARS_MAX, issues)?;
    // What failed is named in texts: by its task, where nobody says who did it.
    let named = fields.text("subagent", NAME_CHARS_MAX, issues).filter(|name| !name.chars().all(is_blank));
    Some(TaskInput {
        subagent: named.unwrap_or_else(|| task_id.clone()),
        task_id,
        task: fields.text("task", TASK_CHARS_MAX, issues),
        status: InputStatus::Failed(FailureStatus::named(&status)),
        error: fields.typed("error", "a string", error_text, issues),
        ..TaskInput::default()
    })
}
