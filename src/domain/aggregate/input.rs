//! What a task brought, before anything is decided of it: one form for results of a step and for those of a request.
//!
//! Sources come as strings (a URL, a Markdown link, `Title - https://…`, a plain title) and as objects `{url?, title?,
//! type?, quality?, snippet?, id?}`; other members are left out. Nothing here fails: a source that says nothing is none.

use super::json::{Member, items, member, members, number, scalar, text};
use super::result::SourceQuality;
use super::source_kind::SourceKind;

mod source_text;
#[cfg(test)]
mod tests;

/// What one task brought.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskInput {
    /// The task; in a step its `result_key`.
    pub task_id: String,
    /// What it was asked.
    pub task: Option<String>,
    /// Who did it.
    pub subagent: String,
    /// How it ended, if it did.
    pub status: InputStatus,
    /// What it says, Markdown; empty where it says nothing.
    pub content: String,
    /// What went wrong, in its own words.
    pub error: Option<String>,
    /// What it names as sources, in its own order: local numbers may be places in it.
    pub sources: Vec<SourceInput>,
    /// Relevance as reported: any number, to be clamped to 0..=1; `None` where there was no number.
    pub relevance: Option<f64>,
    /// Confidence as reported: any number, to be clamped to 0..=1.
    pub confidence: Option<f64>,
    /// Where the full original is, in a step.
    pub href: Option<String>,
    /// What is known to be odd about the content before it is judged: a table that holds a part of its rows, a model
    /// that stopped at its limit of tokens.
    pub notes: Vec<String>,
    /// How many subagents it stands for, where that isn't one: a step below that hadn't ended, or was refused, is told
    /// beside its subagents, and each of those counts once.
    pub subagents: Option<usize>,
    /// Its place among those that are equal besides, before their ids are asked: what depends on another comes behind it.
    pub place: usize,
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum InputStatus {
    /// It is done.
    #[default]
    Success,
    /// It has more to say: still running.
    Partial,
    /// It brought no result; `content` is what there was until then.
    Failed(FailureStatus),
}

/// Why there is no result, as `failures` says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureStatus {
    /// It says that it failed.
    Error,
    /// It didn't end in time.
    Timeout,
    /// It wasn't called: switched off, or known to be failing.
    Degraded,
    /// A safety decision.
    Refused,
    /// It was ended from outside.
    Cancelled,
    /// It hasn't ended.
    Pending,
    /// A success without content.
    Empty,
    /// A success that points at something else: "see above".
    Pointer,
    /// A success that declines to answer.
    Refusal,
    /// A success that was stored, and that the store lost before it was combined.
    Lost,
}

impl FailureStatus {
    /// Every status.
    pub const ALL: [Self; 10] = [
        Self::Error,
        Self::Timeout,
        Self::Degraded,
        Self::Refused,
        Self::Cancelled,
        Self::Pending,
        Self::Empty,
        Self::Pointer,
        Self::Refusal,
        Self::Lost,
    ];

    /// The status as the wire shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Degraded => "degraded",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::Pending => "pending",
            Self::Empty => "empty",
            Self::Pointer => "pointer",
            Self::Refusal => "refusal",
            Self::Lost => "lost",
        }
    }

    /// The status that the wire shows as `text`; any other text is an error.
    pub fn named(text: &str) -> Self {
        Self::ALL.into_iter().find(|status| status.as_str() == text).unwrap_or(Self::Error)
    }
}

/// A source as one task names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct SourceInput {
    /// Its id in the task's own text; a number where it is cited as `[n]`.
    pub id: Option<String>,
    /// Its address, as given: it may be none that can be a link.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// What it is said to be; counts only where there is no URL to tell it.
    pub kind: Option<SourceKind>,
    /// How good it is said to be.
    pub quality: Option<SourceQuality>,
    /// An excerpt.
    pub snippet: Option<String>,
}

impl SourceInput {
    /// A source given as a text; `None` where the text is blank.
    pub fn from_text(text: &str) -> Option<Self> {
        source_text::read(text)
    }

    /// A source given as JSON, a string or an object; `None` for anything else, and where it says nothing.
    pub fn from_json(json: &str) -> Option<Self> {
        if let Some(text) = text(json) {
            return Self::from_text(&text);
        }
        let members = members(json)?;
        let string =
            |names: &[&str]| first(&members, names, |json| text(json).filter(|text| !text.trim().is_empty()));
        let mut source = Self {
            id: first(&members, &["id"], scalar).filter(|id| !id.trim().is_empty()),
            url: string(&["url", "link", "href", "uri"])
                .or_else(|| string(&["source", "source_url"]).filter(|url| url.contains("://"))),
            title: string(&["title", "name"]),
            kind: string(&["type"]).and_then(|kind| kind_named(&kind)),
            quality: member(&members, "quality").or_else(|| member(&members, "score")).and_then(quality_of),
            snippet: string(&["snippet", "excerpt", "quote"]),
        };
        source.url_from_title();
        source.says_something().then_some(source)
    }

    /// Whether there is anything by which it could be looked up.
    pub fn says_something(&self) -> bool {
        let Self { id, url, title, snippet, kind: _, quality: _ } = self;
        [id, url, title, snippet].iter().any(|part| part.is_some())
    }

    /// Takes the address out of a title, where it stands only there.
    fn url_from_title(&mut self) {
        let Some(read) = self.title.as_deref().filter(|_| self.url.is_none()).and_then(Self::from_text)
        else {
            return;
        };
        if read.url.is_some() {
            (self.url, self.title) = (read.url, read.title);
        }
    }
}

/// The sources of a JSON array, at most `max`; empty for anything else.
pub(super) fn read_sources(json: &str, max: usize) -> Vec<SourceInput> {
    items(json).unwrap_or_default().into_iter().filter_map(SourceInput::from_json).take(max).collect()
}

fn first<T>(members: &[Member<'_>], names: &[&str], read: impl Fn(&str) -> Option<T>) -> Option<T> {
    names.iter().find_map(|name| member(members, name).and_then(&read))
}

/// The quality that a JSON value names: HIGH, MEDIUM, LOW or REJECTED in any case, or a number of 0 to 1 (0.75 and up
/// HIGH, 0.5 and up MEDIUM, else LOW), also as a string.
pub(super) fn quality_of(json: &str) -> Option<SourceQuality> {
    let word = scalar(json)?;
    let word = word.trim();
    let named = |name: &str| word.eq_ignore_ascii_case(name);
    if named("high") {
        Some(SourceQuality::High)
    } else if named("medium") {
        Some(SourceQuality::Medium)
    } else if named("low") {
        Some(SourceQuality::Low)
    } else if named("rejected") {
        Some(SourceQuality::Rejected)
    } else {
        word.parse().ok().and_then(quality_of_score)
    }
}

fn quality_of_score(score: f64) -> Option<SourceQuality> {
    match score {
        score if !(0.0..=1.0).contains(&score) => None,
        score if score >= 0.75 => Some(SourceQuality::High),
        score if score >= 0.5 => Some(SourceQuality::Medium),
        _ => Some(SourceQuality::Low),
    }
}

/// The kind that a word names, in any case.
pub(super) fn kind_named(word: &str) -> Option<SourceKind> {
    match word.trim().to_ascii_lowercase().as_str() {
        "slack" => Some(SourceKind::Slack),
        "confluence" => Some(SourceKind::Confluence),
        "web" | "webpage" | "website" | "url" => Some(SourceKind::Web),
        "document" | "doc" | "file" | "pdf" => Some(SourceKind::Document),
        "other" => Some(SourceKind::Other),
        _ => None,
    }
}

/// A number, also as a string; `None` for anything else, and for one that is none.
pub(super) fn share(json: &str) -> Option<f64> {
    number(json).or_else(|| text(json)?.trim().parse().ok()).filter(|number| number.is_finite())
}
