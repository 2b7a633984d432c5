//! A language model that plays recorded answers, and fails where it has none.
//!
//! A cassette is a JSON file: the model, and answers with the texts by which their requests are known. Whole requests
//! wouldn't do: a fence in them is new each time. The first answer of which all texts occur is played, in the pieces in
//! which it was recorded; it may be played any number of times.
//!
//! ```json
//! {"model": "small-1", "answers": [
//!   {"system": ["You draft"], "user": ["tea"], "said": ["{\"findings\"", ": []}"], "stop": "end",
//!    "usage": {"input_tokens": 812, "output_tokens": 9}}]}
//! ```

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::StreamExt;
use futures::stream::{self, BoxStream};
use serde::Deserialize;
use tributary::engine::ports::language_model::{
    LanguageModel, ModelEnd, ModelError, ModelRequest, ModelSaid, ModelUsage, StopReason,
};

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    model: String,
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    /// Texts that all occur in the system prompt.
    #[serde(default)]
    system: Vec<String>,
    /// Texts that all occur in what the user says.
    #[serde(default)]
    user: Vec<String>,
    /// What the model said, piece by piece.
    said: Vec<String>,
    /// `end`, `length`, `refusal`, `filtered`, another reason, or `truncated`: then the answer breaks off.
    stop: String,
    usage: Option<Usage>,
}

#[derive(Deserialize, Clone, Copy)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
}

impl Answer {
    fn is_for(&self, request: &ModelRequest) -> bool {
        self.system.iter().all(|text| request.system.contains(text))
            && self.user.iter().all(|text| request.user.contains(text))
    }

    /// How it ended.
    fn end(&self, model: &str) -> Result<ModelSaid, ModelError> {
        let stop = match &*self.stop {
            "truncated" => return Err(ModelError::Truncated),
            "end" => StopReason::End,
            "length" => StopReason::Length,
            "refusal" => StopReason::Refusal,
            "filtered" => StopReason::Filtered,
            other => StopReason::Other(other.to_owned()),
        };
        let usage = self
            .usage
            .map(|Usage { input_tokens, output_tokens }| ModelUsage { input_tokens, output_tokens });
        Ok(ModelSaid::Done(ModelEnd { stop, usage, model: Some(model.to_owned()) }))
    }
}

/// Plays one file.
pub struct Cassette {
    recorded: Recorded,
    unknown: AtomicUsize,
}

impl Cassette {
    /// Reads a file.
    pub fn open(path: impl AsRef<Path>) -> Arc<Self> {
        let path = path.as_ref();
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let recorded =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Arc::new(Self { recorded, unknown: AtomicUsize::new(0) })
    }

    /// How many requests it had no answer for.
    pub fn unknown(&self) -> usize {
        self.unknown.load(Ordering::SeqCst)
    }
}

impl LanguageModel for Cassette {
    fn model(&self) -> &str {
        &self.recorded.model
    }

    fn provider(&self) -> &'static str {
        "cassette"
    }

    fn ask(&self, request: ModelRequest) -> BoxStream<'static, Result<ModelSaid, ModelError>> {
        let Some(answer) = self.recorded.answers.iter().find(|answer| answer.is_for(&request)) else {
            self.unknown.fetch_add(1, Ordering::SeqCst);
            let error = ModelError::NotConfigured("the cassette has no answer to this".into());
            return stream::once(async { Err(error) }).boxed();
        };
        let pieces = answer.said.iter().filter(|text| !text.is_empty()).cloned();
        let mut said: Vec<_> = pieces.map(|text| Ok(ModelSaid::Text(text))).collect();
        said.push(answer.end(&self.recorded.model));
        stream::iter(said).boxed()
    }
}
