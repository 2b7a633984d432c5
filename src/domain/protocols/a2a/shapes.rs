//! The JSON of Agent2Agent answers, in the shapes of 1.0 and of 0.3.
//!
//! 1.0 (the ProtoJSON of `lf.a2a.v1`) says what a result is by the member it stands below (`{"task": …}`), 0.3 by a
//! `kind` inside of it; parts, statuses and artifacts differ only in names, so one type reads both. Only what is used is
//! read: other fields, and parts of kinds that come later, make no difference. `null` counts as absent, the `snake_case`
//! names that ProtoJSON allows are taken too, and labels of a wrong type count as absent; content of a wrong type is
//! malformed, since leaving it out would change the answer.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::domain::canonical_json::Text;

/// A JSON-RPC 2.0 response.
#[derive(Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow)]
    pub jsonrpc: Option<&'a RawValue>,
    pub result: Option<&'a RawValue>,
    pub error: Option<&'a RawValue>,
}

/// What kind of a result an object is: wrapped (1.0), by `kind` (0.3), or told by the fields it has.
#[derive(Deserialize)]
pub(super) struct Probe<'a> {
    #[serde(borrow, default, deserialize_with = "fitting")]
    kind: Option<Text<'a>>,
    task: Option<&'a RawValue>,
    message: Option<&'a RawValue>,
    #[serde(rename = "statusUpdate", alias = "status_update")]
    status_update: Option<&'a RawValue>,
    #[serde(rename = "artifactUpdate", alias = "artifact_update")]
    artifact_update: Option<&'a RawValue>,
    // The fields that tell where neither is there.
    #[serde(rename = "taskId", alias = "task_id")]
    task_id: Option<&'a RawValue>,
    status: Option<&'a RawValue>,
    artifact: Option<&'a RawValue>,
    parts: Option<&'a RawValue>,
}

/// A result, its text not read yet.
pub(super) enum Found<'a> {
    Task(&'a str),
    Message(&'a str),
    StatusUpdate(&'a str),
    ArtifactUpdate(&'a str),
}

impl<'a> Probe<'a> {
    /// What `text`, which this was read from, is; `None`: nothing that is known.
    pub fn found(&self, text: &'a str) -> Option<Found<'a>> {
        match self.kind.as_ref().map(|Text(kind)| kind.as_ref()) {
            Some("task") => return Some(Found::Task(text)),
            Some("message") => return Some(Found::Message(text)),
            Some("status-update") => return Some(Found::StatusUpdate(text)),
            Some("artifact-update") => return Some(Found::ArtifactUpdate(text)),
            Some(_) | None => {}
        }
        let inner = |raw: Option<&'a RawValue>| raw.map(RawValue::get).filter(|text| text.starts_with('{'));
        let wrapped = inner(self.task)
            .map(Found::Task)
            .or_else(|| inner(self.message).map(Found::Message))
            .or_else(|| inner(self.status_update).map(Found::StatusUpdate))
            .or_else(|| inner(self.artifact_update).map(Found::ArtifactUpdate));
        wrapped.or(match (self.artifact, self.status, self.parts) {
            (Some(_), _, _) => Some(Found::ArtifactUpdate(text)),
            (None, Some(_), _) if self.task_id.is_some() => Some(Found::StatusUpdate(text)),
            (None, Some(_), _) => Some(Found::Task(text)),
            (None, None, Some(_)) => Some(Found::Message(text)),
            (None, None, None) => None,
        })
    }
}

/// A task: what it has come to, and all its artifacts.
#[derive(Deserialize)]
pub(super) struct Task<'a> {
    #[serde(borrow, default, deserialize_with = "fitting")]
    pub id: Option<Text<'a>>,
    pub status: Option<Status<'a>>,
    #[serde(default, deserialize_with = "listed")]
    pub artifacts: Vec<Artifact<'a>>,
    pub metadata: Option<&'a RawValue>,
}

/// A task's status changed.
#[derive(Deserialize)]
pub(super) struct StatusUpdate<'a> {
    #[serde(borrow, default, deserialize_with = "fitting", rename = "taskId", alias = "task_id")]
    pub task_id: Option<Text<'a>>,
    pub status: Option<Status<'a>>,
    pub metadata: Option<&'a RawValue>,
}

/// A task has a new artifact, or more of one.
#[derive(Deserialize)]
pub(super) struct ArtifactUpdate<'a> {
    #[serde(borrow)]
    pub artifact: Option<Artifact<'a>>,
    #[serde(default, deserialize_with = "fitting")]
    pub append: Option<bool>,
}

/// A state, and what the agent says to it.
#[derive(Deserialize)]
pub(super) struct Status<'a> {
    #[serde(default)]
    pub state: State,
    #[serde(borrow)]
    pub message: Option<Message<'a>>,
}

/// A message of the agent.
#[derive(Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default, deserialize_with = "listed")]
    pub parts: Vec<Part<'a>>,
    pub metadata: Option<&'a RawValue>,
}

/// A piece of a task's output.
#[derive(Deserialize)]
pub(super) struct Artifact<'a> {
    #[serde(borrow, rename = "artifactId", alias = "artifact_id")]
    pub id: Option<Text<'a>>,
    #[serde(default, deserialize_with = "listed")]
    pub parts: Vec<Part<'a>>,
}

/// A piece of a message or an artifact: the one of `text`, `data`, `url`, `raw` (1.0) and `file` (0.3) that is there.
#[derive(Deserialize)]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub text: Option<Text<'a>>,
    pub data: Option<&'a RawValue>,
    pub url: Option<Text<'a>>,
    pub raw: Option<Text<'a>>,
    #[serde(default, deserialize_with = "fitting")]
    pub filename: Option<Text<'a>>,
    #[serde(default, deserialize_with = "fitting", rename = "mediaType", alias = "media_type")]
    pub media_type: Option<Text<'a>>,
    pub file: Option<File<'a>>,
}

/// The file of a part in 0.3.
#[derive(Deserialize)]
pub(super) struct File<'a> {
    #[serde(borrow)]
    pub uri: Option<Text<'a>>,
    pub bytes: Option<Text<'a>>,
    #[serde(default, deserialize_with = "fitting")]
    pub name: Option<Text<'a>>,
    #[serde(default, deserialize_with = "fitting", rename = "mimeType")]
    pub media_type: Option<Text<'a>>,
}

/// The states of a task (specification 1.0, section 4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum State {
    /// Not given, `unknown`, or a state of a later version: says nothing.
    #[default]
    Unknown,
    Submitted,
    Working,
    Completed,
    Failed,
    Canceled,
    InputRequired,
    Rejected,
    AuthRequired,
}

impl State {
    /// `TASK_STATE_INPUT_REQUIRED` (1.0), `input-required` (0.3), or the number that ProtoJSON allows in its place.
    fn named(name: &str) -> Self {
        let name = name.strip_prefix("TASK_STATE_").unwrap_or(name);
        let same = |other: &str| {
            name.len() == other.len()
                && name
                    .bytes()
                    .zip(other.bytes())
                    .all(|(a, b)| a.eq_ignore_ascii_case(&b) || (matches!(a, b'-' | b'_') && b == b'_'))
        };
        let states = [
            ("submitted", Self::Submitted),
            ("working", Self::Working),
            ("completed", Self::Completed),
            ("failed", Self::Failed),
            ("canceled", Self::Canceled),
            ("cancelled", Self::Canceled),
            ("input_required", Self::InputRequired),
            ("rejected", Self::Rejected),
            ("auth_required", Self::AuthRequired),
        ];
        states.iter().find(|(known, _)| same(known)).map_or(Self::Unknown, |(_, state)| *state)
    }

    fn numbered(number: &str) -> Self {
        match number {
            "1" => Self::Submitted,
            "2" => Self::Working,
            "3" => Self::Completed,
            "4" => Self::Failed,
            "5" => Self::Canceled,
            "6" => Self::InputRequired,
            "7" => Self::Rejected,
            "8" => Self::AuthRequired,
            _ => Self::Unknown,
        }
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let name = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        Ok(name.map_or_else(|| Self::numbered(raw), Self::named))
    }
}

/// A list that may be `null`.
fn listed<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::<Vec<T>>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A label, where it is of its type.
fn fitting<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let raw = Option::<&'de RawValue>::deserialize(deserializer)?;
    Ok(raw.and_then(|raw| serde_json::from_str(raw.get()).ok()))
}
