//! The context sheet of `POST /answers`.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

use super::fields::{Fields, Issues, Place};
use super::{CONTENT_CHARS_MAX, NAME_CHARS_MAX, RESULTS_MAX, SOURCES_PER_REQUEST_MAX, TASK_CHARS_MAX};
use crate::domain::aggregate::input::{TaskInput, quality_of};
use crate::domain::aggregate::json::{scalar, text};
use crate::domain::aggregate::result::SourceQuality;
use crate::domain::aggregate::take_in::{leave_out, unwrapped};
use crate::domain::directive::{AggregationOptions, SynthesisOptions};
use crate::domain::verdict::Code;

/// The body of `POST /answers`.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerRequest {
    /// What has to be answered.
    pub objective: String,
    /// What is known.
    pub sheet: Sheet,
    /// Options that say how results are combined.
    pub aggregation: AggregationOptions,
    /// Options that say how it is written.
    pub synthesis: SynthesisOptions,
}

/// A context sheet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// How the work on it ended: `completed`, `aborted` or any other word.
    pub status: String,
    /// What was found, in order.
    pub entries: Vec<SheetEntry>,
    /// The sources.
    pub citations: Vec<SheetCitation>,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SheetEntry {
    /// Markdown, without what no reader is meant to see.
    pub content: String,
    /// What was left out of it.
    pub notes: Vec<String>,
    /// Ids of its citations.
    pub citations: Vec<SheetId>,
}

/// A source of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetCitation {
    /// Its id in the sheet.
    pub id: SheetId,
    /// Its title.
    pub title: Option<String>,
    /// Its address as given.
    pub url: Option<String>,
    /// How good it is.
    pub quality: Option<SourceQuality>,
}

/// An id of a sheet, given out as it came: a number stays a number. `1` and `"1"` are the same id.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SheetId {
    /// A whole number.
    Number(u64),
    /// A text.
    Text(String),
}

impl SheetId {
    fn read(json: &str) -> Option<Self> {
        let id = text(json).map(Self::Text).or_else(|| serde_json::from_str(json).ok().map(Self::Number))?;
        let chars = id.to_string().chars().count();
        (1..=NAME_CHARS_MAX).contains(&chars).then_some(id)
    }
}

impl fmt::Display for SheetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl PartialEq for SheetId {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for SheetId {}

pub(super) fn read(body: &Fields<'_>, issues: &mut Issues) -> Sheet {
    let Some(json) = body.require("sheet", issues) else { return Sheet::default() };
    let known = ["status", "entries", "citations"];
    let Some(sheet) = Fields::read(json, body.at("sheet"), Some(&known), issues) else {
        return Sheet::default();
    };
    sheet.require("entries", issues);
    let (entries_at, citations_at) = (sheet.at("entries"), sheet.at("citations"));
    let entries = sheet.array("entries", RESULTS_MAX, issues).unwrap_or_default();
    let citations = sheet.array("citations", SOURCES_PER_REQUEST_MAX, issues).unwrap_or_default();
    Sheet {
        status: sheet.required_text("status", NAME_CHARS_MAX, issues).unwrap_or_default(),
        entries: entries
            .into_iter()
            .enumerate()
            .filter_map(|(index, json)| entry(json, entries_at.item(index), issues))
            .collect(),
        citations: citations
            .into_iter()
            .enumerate()
            .filter_map(|(index, json)| citation(json, citations_at.item(index), issues))
            .collect(),
    }
}

fn entry(json: &str, place: Place, issues: &mut Issues) -> Option<SheetEntry> {
    let fields = Fields::read(json, place, Some(&["content", "citations"]), issues)?;
    fields.require("content", issues);
    let content = fields.text("content", CONTENT_CHARS_MAX, issues);
    let mut citations = Vec::new();
    for (index, json) in
        fields.array("citations", SOURCES_PER_REQUEST_MAX, issues).unwrap_or_default().iter().enumerate()
    {
        match SheetId::read(json) {
            Some(id) => citations.push(id),
            None => {
                issues.add(
                    Code::InvalidEvent,
                    &fields.at("citations").item(index),
                    "an id is a string or a whole number",
                );
            }
        }
    }
    let mut said = TaskInput { content: content?, ..TaskInput::default() };
    leave_out(&mut said);
    let content = unwrapped(&said.content).unwrap_or(said.content);
    Some(SheetEntry { content, notes: said.notes, citations })
}

/// Open, as all sources are: other members are left out.
fn citation(json: &str, place: Place, issues: &mut Issues) -> Option<SheetCitation> {
    let fields = Fields::read(json, place, None, issues)?;
    fields.require("id", issues);
    let id = fields.typed("id", "a string or a whole number", SheetId::read, issues);
    let title = fields.text("title", TASK_CHARS_MAX, issues);
    let url = fields.text("url", TASK_CHARS_MAX, issues);
    let quality =
        fields.typed("quality", "a word or a number", |json| scalar(json).map(|_| quality_of(json)), issues);
    Some(SheetCitation { id: id?, title, url, quality: quality.flatten() })
}
