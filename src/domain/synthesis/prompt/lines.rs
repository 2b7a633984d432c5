//! The lines of the material: JSON Lines, each with a member that says what it is and which.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::encode::{clean, json, line};
use super::reduce::Detail;
use super::shorten::beginning;
use crate::domain::aggregate::result::{
    Contradiction, Failure, Finding, Level, Source, SourceQuality, Statement, TaskResult,
};
use crate::domain::aggregate::source_kind::SourceKind;
use crate::domain::render::inert;
use crate::domain::text::tokens::Tokenizer;

/// Characters of what is said about a text, in full and in short.
const ABOUT_CHARS_MAX: usize = 400;
const ABOUT_CHARS_SHORT: usize = 120;
/// Characters of a name.
const NAME_CHARS_MAX: usize = 100;
/// Bytes of an address; a longer one says nothing.
const URL_BYTES_MAX: usize = 500;
/// Characters of an excerpt.
const SNIPPET_CHARS_MAX: usize = 600;
/// Numbers of sources in a short line.
const SOURCES_SHORT: usize = 6;

/// What of the material can be left out: a text with who says it.
#[derive(Debug, Clone)]
pub(super) enum Unit<'a> {
    /// A claim and its number.
    Claim(usize, &'a Finding),
    /// A whole result, of which no sentence is a claim.
    Result(usize, &'a TaskResult),
    /// A part of a document, with all that it says.
    Part(usize, &'a TaskResult),
    /// A note of a context sheet, with the numbers in it.
    Entry(usize, &'a str, Vec<u32>),
}

#[derive(Serialize)]
struct ClaimLine<'a> {
    claim: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<String>,
    text: Cow<'a, str>,
    subagents: Vec<String>,
    sources: &'a [u32],
    confidence: Level,
}

#[derive(Serialize)]
struct ResultLine<'a> {
    result: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    text: Cow<'a, str>,
    subagents: [String; 1],
    sources: &'a [u32],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

#[derive(Serialize)]
struct EntryLine<'a> {
    entry: usize,
    text: Cow<'a, str>,
}

impl Unit<'_> {
    /// Who says it, each of whom should stay heard.
    pub(super) fn voices(&self) -> Vec<Cow<'_, str>> {
        match self {
            Self::Claim(_, finding) => finding.contributors.iter().map(|name| name.as_str().into()).collect(),
            Self::Result(_, result) | Self::Part(_, result) => vec![result.subagent.as_str().into()],
            Self::Entry(number, ..) => vec![number.to_string().into()],
        }
    }

    /// Its text.
    pub(super) fn said(&self) -> &str {
        match self {
            Self::Claim(_, finding) => &finding.content,
            Self::Result(_, result) => &result.content,
            Self::Part(_, result) => result.whole.as_ref().unwrap_or(&result.content),
            Self::Entry(_, text, _) => text,
        }
    }

    /// The numbers that its line has, of those that are known.
    pub(super) fn sources(&self, detail: &Detail, known: &Sources<'_>) -> Vec<u32> {
        let all: &[u32] = match self {
            Self::Claim(_, finding) => &finding.sources,
            Self::Result(_, result) | Self::Part(_, result) => &result.sources,
            Self::Entry(_, _, cited) => cited,
        };
        let shown = if detail.is_short { SOURCES_SHORT } else { usize::MAX };
        all.iter().filter(|number| known.contains_key(number)).take(shown).copied().collect()
    }

    /// Its line, with its end.
    pub(super) fn line(&self, sources: &[u32], detail: &Detail, tokenizer: &Tokenizer) -> String {
        let about = if detail.is_short { ABOUT_CHARS_SHORT } else { ABOUT_CHARS_MAX };
        let text = |whole: &str| -> String {
            let short = detail.text_tokens.map_or(whole.into(), |most| beginning(whole, most, tokenizer));
            clean(&short).into_owned()
        };
        match self {
            Self::Claim(claim, finding) => ended(json(&ClaimLine {
                claim: *claim,
                topic: (!detail.is_short).then(|| line(&finding.topic, about)),
                text: text(&finding.content).into(),
                subagents: names(&finding.contributors, detail),
                sources,
                confidence: finding.confidence,
            })),
            Self::Result(number, result) | Self::Part(number, result) => ended(json(&ResultLine {
                result: *number,
                task: result.task.as_deref().filter(|_| !detail.is_short).map(|task| line(task, about)),
                text: text(self.said()).into(),
                subagents: [line(&result.subagent, NAME_CHARS_MAX)],
                sources,
                partial: result.partial,
            })),
            Self::Entry(entry, content, _) => {
                ended(json(&EntryLine { entry: *entry, text: text(content).into() }))
            }
        }
    }
}

/// Names of subagents; those left out are counted.
fn names(all: &[String], detail: &Detail) -> Vec<String> {
    let shown = detail.names_max.min(all.len());
    let mut names: Vec<String> = all[..shown].iter().map(|name| line(name, NAME_CHARS_MAX)).collect();
    if shown < all.len() {
        names.push(format!("and {} more", all.len() - shown));
    }
    names
}

#[derive(Serialize)]
struct ContradictionLine {
    contradiction: usize,
    about: String,
    statements: Vec<StatementPart>,
}

#[derive(Serialize)]
struct StatementPart {
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_in: Option<String>,
    text: String,
    subagent: String,
    source: Option<u32>,
}

/// What is said beside the claims, and the sources that it names.
#[derive(Debug, Clone)]
pub(super) enum Aside<'a> {
    /// A contradiction and its number.
    Contradiction(usize, &'a Contradiction),
    /// What is missing.
    Gap(&'a str),
    /// Who brought nothing.
    Failure(&'a Failure),
}

impl Aside<'_> {
    pub(super) fn sources(&self) -> Vec<u32> {
        match self {
            Self::Contradiction(_, said) => said.statements.iter().filter_map(|side| side.source).collect(),
            Self::Gap(_) | Self::Failure(_) => Vec::new(),
        }
    }

    /// Its line, with its end.
    pub(super) fn line(&self, known: &Sources<'_>) -> String {
        ended(match self {
            Self::Contradiction(number, said) => json(&ContradictionLine {
                contradiction: *number,
                about: line(&said.description, ABOUT_CHARS_MAX),
                statements: said.statements.iter().map(|side| statement(side, known)).collect(),
            }),
            Self::Gap(gap) => json(&serde_json::json!({ "gap": line(gap, ABOUT_CHARS_MAX) })),
            Self::Failure(failure) => json(&FailureLine {
                failure: line(&failure.subagent, NAME_CHARS_MAX),
                task: failure.task.as_deref().map(|task| line(task, ABOUT_CHARS_SHORT)),
                status: line(&failure.status, NAME_CHARS_MAX),
                why: line(&failure.error, ABOUT_CHARS_SHORT),
            }),
        })
    }
}

/// Quotations stay whole: a part of one can't be quoted.
fn statement(side: &Statement, known: &Sources<'_>) -> StatementPart {
    StatementPart {
        lead_in: side.lead_in.as_deref().map(|above| line(above, ABOUT_CHARS_SHORT)),
        text: clean(&side.text).into_owned(),
        subagent: line(&side.subagent, NAME_CHARS_MAX),
        source: side.source.filter(|number| known.contains_key(number)),
    }
}

#[derive(Serialize)]
struct FailureLine {
    failure: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    status: String,
    why: String,
}

/// Sources by their numbers.
pub(super) type Sources<'a> = BTreeMap<u32, SourceInfo<'a>>;

/// What a number stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceInfo<'a> {
    pub title: &'a str,
    pub url: Option<&'a str>,
    pub kind: Option<SourceKind>,
    pub quality: Option<SourceQuality>,
    pub snippet: Option<&'a str>,
}

#[derive(Serialize)]
struct SourceLine {
    source: u32,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<SourceKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<SourceQuality>,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<String>,
}

impl<'a> SourceInfo<'a> {
    /// Of a source; an excerpt only where nobody cites it, since else the claims say what it says.
    pub(super) fn of(source: &'a Source) -> Self {
        let snippet = source.snippets.iter().map(String::as_str).find(|snippet| !snippet.trim().is_empty());
        Self {
            title: &source.title,
            url: source.url.as_deref(),
            kind: Some(source.kind),
            quality: source.quality,
            snippet,
        }
    }

    pub(super) fn line(&self, number: u32, cited: bool, detail: &Detail) -> String {
        let url = self.url.filter(|url| detail.urls && url.len() <= URL_BYTES_MAX).and_then(inert::web_link);
        ended(json(&SourceLine {
            source: number,
            title: line(self.title, detail.title_chars),
            kind: self.kind.filter(|_| url.is_none()),
            url,
            quality: self.quality,
            snippet: self.snippet.filter(|_| !cited).map(|snippet| line(snippet, SNIPPET_CHARS_MAX)),
        }))
    }
}

/// A failing item and why it failed, on its line.
pub(super) fn item(number: usize, draft: &Value, reasons: &[String]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|reason| line(reason, ABOUT_CHARS_MAX)).collect();
    ended(json(&serde_json::json!({ "item": number, "draft": draft, "reasons": reasons })))
}

fn ended(mut json: String) -> String {
    json.push('\n');
    json
}
