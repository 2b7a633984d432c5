//! The outputs of an answer that say something. Between its transcripts a speech service sends messages of its own
//! (`SpeechStarted`, `Metadata`), also as the last one: those show nothing, and aren't the result.

use crate::domain::adapters::Adapter;
use crate::domain::event::RawJson;
use crate::domain::protocols::Failure;

pub(super) struct Heard {
    adapter: Adapter,
    /// The last one, where the adapter knows signs of life.
    last: Option<RawJson>,
}

impl Heard {
    pub(super) fn new(adapter: Adapter) -> Self {
        Self { adapter, last: None }
    }

    /// Whether an output is to be shown.
    pub(super) fn says_something(&mut self, raw: &RawJson) -> bool {
        let says_something = !self.adapter.is_sign_of_life(raw);
        if says_something && self.adapter == Adapter::Voice {
            self.last = Some(raw.clone());
        }
        says_something
    }

    /// The result of an answer whose last output is `raw`: the last one that says something.
    pub(super) fn last(self, raw: RawJson) -> Result<RawJson, Failure> {
        if !self.adapter.is_sign_of_life(&raw) {
            return Ok(raw);
        }
        self.last.ok_or_else(|| Failure::retryable("empty_answer", "the answer has no transcript"))
    }
}
