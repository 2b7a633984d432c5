//! The two generations of A2A's JSON: 0.3 tells objects apart by `kind`, 1.0 wraps them and leaves out what is false.

use serde_json::{Map, Value, json};

/// The same answer every time.
const TIMESTAMP: &str = "2026-01-01T00:00:00.000Z";

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V03,
    V10,
}

/// What a task is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Submitted,
    Working,
    Completed,
    Failed,
}

/// A part of an artifact.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Text(String),
    Data(Value),
    Link { url: String, title: String },
}

/// An artifact.
#[derive(Debug, Clone)]
pub(super) struct Artifact {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) parts: Vec<Part>,
}

/// One answer's ids, in the words of one version.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) version: Version,
    pub(super) rpc_id: Value,
    pub(super) task_id: String,
    pub(super) context_id: String,
    /// What a failure's metadata says.
    pub(super) retryable: bool,
}

impl Shape {
    /// A JSON-RPC answer.
    pub(super) fn result(&self, result: Value) -> Value {
        json!({"jsonrpc": "2.0", "id": self.rpc_id, "result": result})
    }

    /// A task as it stands.
    pub(super) fn task(&self, state: State, artifacts: &[Artifact], asked: Option<Value>) -> Value {
        let mut task = Map::new();
        task.insert("id".into(), json!(self.task_id));
        task.insert("contextId".into(), json!(self.context_id));
        let message = (state == State::Failed).then_some("it failed as it was told");
        task.insert("status".into(), self.state(state, message));
        if !artifacts.is_empty() {
            let artifacts = artifacts.iter().map(|artifact| self.whole(artifact)).collect();
            task.insert("artifacts".into(), Value::Array(artifacts));
        }
        if let Some(asked) = asked {
            task.insert("history".into(), json!([asked]));
        }
        self.note_failure(state, &mut task);
        self.wrapped("task", "task", task)
    }

    /// A task changes its state.
    pub(super) fn status(&self, state: State, message: Option<&str>) -> Value {
        let mut update = self.ids();
        update.insert("status".into(), self.state(state, message));
        if self.version == Version::V03 {
            update.insert("final".into(), json!(matches!(state, State::Completed | State::Failed)));
        }
        self.note_failure(state, &mut update);
        self.wrapped("status-update", "statusUpdate", update)
    }

    /// An artifact comes, or grows.
    pub(super) fn artifact(&self, artifact: &Artifact, appends: bool, is_last: bool) -> Value {
        let mut update = self.ids();
        update.insert("artifact".into(), self.whole(artifact));
        for (name, value) in [("append", appends), ("lastChunk", is_last)] {
            if value || self.version == Version::V03 {
                update.insert(name.into(), json!(value));
            }
        }
        self.wrapped("artifact-update", "artifactUpdate", update)
    }

    fn wrapped(&self, kind: &str, name: &str, mut object: Map<String, Value>) -> Value {
        match self.version {
            Version::V03 => {
                object.insert("kind".into(), json!(kind));
                Value::Object(object)
            }
            Version::V10 => json!({ name: object }),
        }
    }

    fn ids(&self) -> Map<String, Value> {
        let mut ids = Map::new();
        ids.insert("taskId".into(), json!(self.task_id));
        ids.insert("contextId".into(), json!(self.context_id));
        ids
    }

    fn note_failure(&self, state: State, object: &mut Map<String, Value>) {
        if state == State::Failed {
            object.insert("metadata".into(), json!({"retryable": self.retryable}));
        }
    }

    fn state(&self, state: State, message: Option<&str>) -> Value {
        let name = match (self.version, state) {
            (Version::V03, State::Submitted) => "submitted",
            (Version::V03, State::Working) => "working",
            (Version::V03, State::Completed) => "completed",
            (Version::V03, State::Failed) => "failed",
            (Version::V10, State::Submitted) => "TASK_STATE_SUBMITTED",
            (Version::V10, State::Working) => "TASK_STATE_WORKING",
            (Version::V10, State::Completed) => "TASK_STATE_COMPLETED",
            (Version::V10, State::Failed) => "TASK_STATE_FAILED",
        };
        let mut status = json!({"state": name, "timestamp": TIMESTAMP});
        if let Some(message) = message {
            status["message"] = self.message(message);
        }
        status
    }

    fn message(&self, text: &str) -> Value {
        let mut message = self.ids();
        message.insert("messageId".into(), json!(format!("{}-{}", self.task_id, text.len())));
        message.insert("parts".into(), json!([self.part(&Part::Text(text.to_owned()))]));
        let role = match self.version {
            Version::V03 => {
                message.insert("kind".into(), json!("message"));
                "agent"
            }
            Version::V10 => "ROLE_AGENT",
        };
        message.insert("role".into(), json!(role));
        Value::Object(message)
    }

    fn whole(&self, artifact: &Artifact) -> Value {
        let parts: Vec<_> = artifact.parts.iter().map(|part| self.part(part)).collect();
        json!({"artifactId": artifact.id, "name": artifact.name, "parts": parts})
    }

    fn part(&self, part: &Part) -> Value {
        match (self.version, part) {
            (Version::V03, Part::Text(text)) => json!({"kind": "text", "text": text}),
            (Version::V03, Part::Data(data)) => json!({"kind": "data", "data": data}),
            (Version::V03, Part::Link { url, title }) => {
                json!({"kind": "file", "file": {"uri": url, "name": title, "mimeType": "text/html"}})
            }
            (Version::V10, Part::Text(text)) => json!({"text": text, "mediaType": "text/plain"}),
            (Version::V10, Part::Data(data)) => json!({"data": data, "mediaType": "application/json"}),
            (Version::V10, Part::Link { url, title }) => {
                json!({"url": url, "filename": title, "mediaType": "text/html"})
            }
        }
    }
}
