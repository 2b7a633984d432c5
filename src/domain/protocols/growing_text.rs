//! A text that arrives in deltas and is shown as a whole now and then.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::Failure;
use crate::domain::event::RawJson;

/// A text of bounded length. Adding costs only what is added; the JSON is built when it is asked for.
#[derive(Debug)]
pub struct GrowingText {
    text: String,
    bytes_max: usize,
    changed: bool,
}

#[derive(Serialize)]
struct Content<'a> {
    content: &'a str,
}

impl GrowingText {
    /// An empty text that may grow to `bytes_max` bytes of UTF-8.
    pub fn new(bytes_max: usize) -> Self {
        Self { text: String::new(), bytes_max, changed: false }
    }

    /// Adds to the end. Over the bound, `answer_too_large`, and nothing is added.
    pub fn push(&mut self, delta: &str) -> Result<(), Failure> {
        if self.text.len() + delta.len() > self.bytes_max {
            return Err(Failure::too_large("a text", self.bytes_max));
        }
        self.text.push_str(delta);
        self.changed |= !delta.is_empty();
        Ok(())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// `{"content": "…"}`, where the text changed since it was last asked for.
    pub fn take_changed(&mut self) -> Option<RawJson> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        // A string always has JSON; should it not, there is just nothing to show.
        let raw: Box<RawValue> = to_raw_value(&Content { content: &self.text }).ok()?;
        Some(Arc::from(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_grows_and_is_shown_only_where_it_changed() {
        let mut text = GrowingText::new(4);
        let shown = |text: &mut GrowingText| text.take_changed().map(|raw| raw.get().to_owned());
        assert_eq!(shown(&mut text), None);
        text.push("a\"").unwrap();
        assert_eq!(shown(&mut text).unwrap(), r#"{"content":"a\""}"#);
        text.push("").unwrap();
        assert_eq!(shown(&mut text), None);
        text.push("bc").unwrap();
        assert_eq!(text.push("e").unwrap_err().code, "answer_too_large");
        assert_eq!(shown(&mut text).unwrap(), r#"{"content":"a\"bc"}"#);
        assert_eq!(text.as_str(), "a\"bc");
    }
}
