//! A normalised payload (what an adapter made of a subagent's output) as Markdown with its sources.
//!
//! | kind | becomes |
//! |---|---|
//! | documentation | `answer`; `citations` are the sources |
//! | row_selection | a table; the selected rows are marked, and it is said how many rows there are beside those shown |
//! | action_workflow | the summary, then action, state and parameters as a list |
//! | voice | the transcript |
//! | safety | nothing: a decision is no result |
//! | generic | `content` and `sources`, and short members beside a text of another name, as a list; `data`, or an object without a text, becomes a fenced JSON block; a number alone is itself |
//!
//! Of the state of a conversation only its answer is read: neither its messages nor what stands beside them.
//!
//! Nothing fails: what can't be read so becomes a fenced block as it stands. Linear in the payload.

use super::annotations;
use super::input::{SourceInput, read_sources, share};
use super::json::{Member, boolean, items, member, members, number, pretty, scalar, text};
use crate::domain::adapters::{CONTENT_ALIASES, conversation};
use crate::domain::synthesis::claims::Told;
use crate::domain::text::clean::fenced;

pub(super) mod limits;
mod table;
#[cfg(test)]
mod tests;
mod workflow;

/// Sources of one payload that are read.
pub const SOURCES_MAX: usize = 1_000;

/// Which adapter made a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadKind {
    /// An answer with citations.
    Documentation,
    /// A table with selected rows.
    RowSelection,
    /// An action to confirm.
    ActionWorkflow,
    /// A transcript.
    Voice,
    /// A decision.
    Safety,
    /// Any other.
    Generic,
}

impl PayloadKind {
    /// The kind of the adapter, or of the subagent's key, that is called `name`.
    pub fn named(name: &str) -> Self {
        match name {
            "documentation" => Self::Documentation,
            "row_selection" => Self::RowSelection,
            "action_workflow" => Self::ActionWorkflow,
            "voice" => Self::Voice,
            "safety" => Self::Safety,
            _ => Self::Generic,
        }
    }
}

/// What a payload says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Read {
    /// Markdown; empty where it says nothing.
    pub content: String,
    /// What it names as sources, in its order.
    pub sources: Vec<SourceInput>,
    /// Relevance as reported, any number.
    pub relevance: Option<f64>,
    /// Confidence as reported, any number.
    pub confidence: Option<f64>,
    /// What is odd about it: rows that aren't shown, a transcript that isn't final, a model that stopped at its limit.
    pub notes: Vec<String>,
}

impl Read {
    /// Whether it neither says anything nor names a source.
    pub fn is_silent(&self) -> bool {
        self.content.trim().is_empty() && self.sources.is_empty()
    }
}

/// What the payload `json` of an adapter of that kind says; `None` for a safety decision, which is no result.
pub fn read_payload(kind: PayloadKind, json: &str) -> Option<Read> {
    // No adapter has seen what comes with a request.
    let opened = Some(kind).filter(|kind| *kind == PayloadKind::Generic);
    let opened = opened.and_then(|_| conversation::opened(json.trim()));
    let json = opened.as_ref().map_or(json, |opened| opened.get());
    let members = members(json);
    let read = match (kind, members) {
        (PayloadKind::Safety, _) => return None,
        (_, None) => without_members(json),
        (PayloadKind::Documentation, Some(members)) => answer(json, &members, "answer", "citations"),
        (PayloadKind::RowSelection | PayloadKind::ActionWorkflow, Some(members))
            if is_unrecognised(&members) =>
        {
            as_sent(&members)
        }
        (PayloadKind::RowSelection, Some(members)) => {
            table::read(&members).unwrap_or_else(|| generic(json, &members))
        }
        (PayloadKind::ActionWorkflow, Some(members)) => {
            workflow::action(&members).unwrap_or_else(|| generic(json, &members))
        }
        (PayloadKind::Voice, Some(members)) => {
            workflow::voice(&members).unwrap_or_else(|| generic(json, &members))
        }
        (PayloadKind::Generic, Some(members)) => generic(json, &members),
    };
    Some(read)
}

/// Whether an adapter says that it found nothing of what its cards are made of.
fn is_unrecognised(members: &[Member<'_>]) -> bool {
    member(members, "recognised").and_then(boolean) == Some(false)
}

/// What was sent that an adapter made an empty card of: without what that has of its own.
fn as_sent(members: &[Member<'_>]) -> Read {
    const OF_A_CARD: [&str; 12] = [
        "title",
        "columns",
        "rows",
        "row_count",
        "truncated",
        "selected",
        "action",
        "state",
        "summary",
        "parameters",
        "requires_confirmation",
        "recognised",
    ];
    let sent = members.iter().filter(|(key, _)| !OF_A_CARD.contains(&key.as_ref()));
    let sent: Vec<Member<'_>> = sent.map(|(key, value)| (key.clone(), *value)).collect();
    let json: Vec<String> =
        sent.iter().map(|(key, value)| format!("{}:{value}", serde_json::json!(key))).collect();
    generic(&format!("{{{}}}", json.join(",")), &sent)
}

/// A string, a number, an array, or no JSON at all.
fn without_members(json: &str) -> Read {
    let plain = json.trim();
    let content = match text(plain) {
        Some(text) => text,
        None if plain.is_empty() || plain == "null" => String::new(),
        // A number is an answer, and not data.
        None if number(plain).is_some() || boolean(plain).is_some() => plain.to_owned(),
        None if conversation::is_chat(plain) => String::new(),
        None => block(plain),
    };
    Read { content, ..Read::default() }
}

fn generic(json: &str, members: &[Member<'_>]) -> Read {
    let mut read = answer(json, members, "content", "sources");
    beside(&mut read.content, members);
    read
}

/// Adds to a text that an adapter took from another member, `{"summary": "…", "error_rate": 0.07}`, what stands beside it
/// and isn't said there: it would be lost otherwise.
fn beside(content: &mut String, members: &[Member<'_>]) {
    let is_text = |(key, value): &&Member<'_>| {
        CONTENT_ALIASES.contains(&key.as_ref()) && text(value).is_some_and(|text| content.starts_with(&text))
    };
    if content.trim().is_empty() || is_state(members) || !members.iter().any(|member| is_text(&member)) {
        return;
    }
    let told = Told::by(std::iter::once(content.as_str()));
    let mut list = String::new();
    // An adapter has given the text to `content`, too.
    let is_whole = |value: &str| text(value).is_some_and(|text| text.trim() == content.trim());
    for (key, value) in members.iter().filter(|(key, value)| key != "data" && !is_whole(value)) {
        if told.lack(key, value) {
            workflow::labelled(&mut list, key, value);
        } else if let Some(text) =
            text(value).filter(|text| text.contains(' ') && !content.contains(text.trim()))
            && !Told::is_about(key)
        {
            list.push_str(&format!("- **{}:** {}\n", key.replace('_', " "), text.trim()));
        }
    }
    if !list.is_empty() {
        content.push_str("\n\n");
        content.push_str(list.trim_end());
    }
}

/// Whether an object is the state of an agent, where what stands beside the answer is what it was made of.
fn is_state(members: &[Member<'_>]) -> bool {
    members.iter().any(|(key, value)| {
        matches!(key.as_ref(), "generation" | "final_report") && text(value).is_some()
            || conversation::is_chat(value)
    })
}

/// An object whose text and sources are the members of those names.
fn answer(json: &str, members: &[Member<'_>], content: &str, sources: &str) -> Read {
    let said = member(members, content).and_then(scalar).unwrap_or_default();
    let mut read = Read {
        content: said,
        sources: member(members, sources).map(|json| read_sources(json, SOURCES_MAX)).unwrap_or_default(),
        relevance: member(members, "relevance").and_then(share),
        confidence: member(members, "confidence").and_then(share),
        notes: limits::stopped_early(members).into_iter().collect(),
    };
    // The answer of an API keeps what it names beside its text.
    if read.sources.is_empty() {
        read.sources = annotations::of(json);
        read.content = annotations::marked(std::mem::take(&mut read.content), read.sources.len());
    } else {
        annotations::complete(&mut read.sources, json);
    }
    let is_said = |data: &&str| !is_empty(data) && !conversation::is_chat(data.trim());
    if let Some(data) = member(members, "data").filter(is_said) {
        if !read.content.trim().is_empty() {
            read.content.push_str("\n\n");
        }
        // A number is an answer where there is no other.
        let said = if read.content.is_empty() { scalar(data) } else { text(data) };
        read.content.push_str(&said.unwrap_or_else(|| block(data)));
    }
    // A text that is an object or a list of blocks is the answer all the same.
    let object = member(members, content)
        .filter(|value| value.trim_start().starts_with(['{', '[']) && !is_empty(value));
    if let Some(object) = object.filter(|_| read.content.trim().is_empty()) {
        read.content = block(object);
    } else if read.content.trim().is_empty() {
        // What was asked, and what tools gave, is no answer.
        let is_own = |(_, value): &&Member<'_>| !conversation::is_chat(value);
        let own: Vec<Member<'_>> = members.iter().filter(is_own).cloned().collect();
        if says_more(&own, &[content, sources]) {
            let whole = own.len() == members.len();
            let json = if whole { json.to_owned() } else { written(&own) };
            read.content = block(&without_empty(&json, &own, &[content, sources]));
        }
    }
    read
}

/// An object without those members where they are empty: an adapter adds what was missing, and nobody said that.
fn without_empty(json: &str, members: &[Member<'_>], names: &[&str]) -> String {
    let is_added = |(key, value): &&Member<'_>| names.contains(&key.as_ref()) && is_empty(value);
    if !members.iter().any(|member| is_added(&member)) {
        return json.to_owned();
    }
    let kept: Vec<Member<'_>> = members.iter().filter(|member| !is_added(member)).cloned().collect();
    written(&kept)
}

fn written(members: &[Member<'_>]) -> String {
    let members: Vec<String> =
        members.iter().map(|(key, value)| format!("{}:{value}", serde_json::json!(key))).collect();
    format!("{{{}}}", members.join(","))
}

/// Whether an object has members that say something, beside those that are read anyway.
fn says_more(members: &[Member<'_>], read: &[&str]) -> bool {
    const ABOUT: [&str; 6] = ["relevance", "confidence", "data", "sources", "citations", "retrieval_count"];
    // Of a language model that said nothing: what it cost, and calls of tools that nobody has made.
    const OF_A_MODEL: [&str; 4] = ["model", "usage", "tool_calls", "refusal"];
    let is_models = members.iter().any(|(key, _)| limits::REASONS.contains(&key.as_ref()));
    members.iter().any(|(key, value)| {
        let key = key.as_ref();
        let is_about =
            ABOUT.contains(&key) || limits::REASONS.contains(&key) || is_models && OF_A_MODEL.contains(&key);
        !read.contains(&key) && !is_about && !is_empty(value)
    })
}

/// Whether a value is null, a blank string, `[]` or `{}`.
fn is_empty(json: &str) -> bool {
    let json = json.trim();
    let hollow = |inner: Option<&str>| inner.is_some_and(|inner| inner.trim().is_empty());
    json == "null"
        || json
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .is_some_and(|text| text.trim().is_empty())
        || hollow(json.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')))
        || hollow(json.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')))
}

/// A fenced block: pretty where it is JSON.
fn block(json: &str) -> String {
    match serde_json::from_str::<serde::de::IgnoredAny>(json) {
        Ok(_) => fenced(&pretty(json), "json"),
        Err(_) => fenced(json, ""),
    }
}
