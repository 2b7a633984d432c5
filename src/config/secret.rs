//! Texts that must never reach a log, an answer or a panic's message.

use std::fmt;

use serde::{Deserialize, Deserializer};

/// A password, a key, or an address that may hold one. Empty means not set.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself: for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is one.
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_set() { "<hidden>" } else { "<not set>" })
    }
}

impl<'de> Deserialize<'de> for Secret {
    /// Through a JSON value, because the usual message for a wrong type quotes the value.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let serde_json::Value::String(text) = serde_json::Value::deserialize(deserializer)? else {
            return Err(serde::de::Error::custom("a text in quotes is expected"));
        };
        Ok(Self(text))
    }
}
