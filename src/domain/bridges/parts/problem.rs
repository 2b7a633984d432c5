//! Why a stream failed.

use serde::Deserialize;
use serde_json::value::RawValue;

/// What is told of a problem document (RFC 9457).
#[derive(Debug, Default, Deserialize)]
pub struct Problem {
    code: Option<String>,
    title: Option<String>,
    detail: Option<String>,
}

impl Problem {
    /// Reads a document; of what is none, nothing is known.
    pub fn read(document: &RawValue) -> Self {
        serde_json::from_str(document.get()).unwrap_or_default()
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        self.code.as_deref().unwrap_or("internal")
    }

    /// What is wrong, for a person.
    pub fn text(&self) -> &str {
        self.detail.as_deref().or(self.title.as_deref()).unwrap_or("the stream failed")
    }
}
