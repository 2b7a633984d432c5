//! What of an answer says something. Between its transcripts a speech service sends messages of its own
//! (`SpeechStarted`, `Metadata`), also as the last one: those show nothing, and aren't the result. An agent that is asked after its
//! task again and again says each time that it works: that is news once.

use crate::domain::adapters::Adapter;
use crate::domain::event::{RawJson, SenderStatus, SubagentEvent};
use crate::domain::protocols::Failure;

pub(super) struct Heard {
    adapter: Adapter,
    /// The last one, where the adapter knows signs of life.
    last: Option<RawJson>,
    /// What it said last of how far it is.
    progress: Option<Option<RawJson>>,
    /// Whether it is asked again and again.
    is_asked_again: bool,
}

impl Heard {
    pub(super) fn new(adapter: Adapter) -> Self {
        Self { adapter, last: None, progress: None, is_asked_again: false }
    }

    /// Whether an output is to be shown.
    pub(super) fn says_something(&mut self, raw: &RawJson) -> bool {
        let says_something = !self.adapter.is_sign_of_life(raw);
        if says_something && self.adapter == Adapter::Voice {
            self.last = Some(raw.clone());
        }
        says_something
    }

    /// From here on the agent is asked after its task.
    pub(super) fn ask_again(&mut self) {
        self.is_asked_again = true;
    }

    /// Whether an event isn't what an agent that is asked again has said before.
    pub(super) fn is_news(&mut self, event: &SubagentEvent) -> bool {
        if event.status != SenderStatus::InProgress {
            return true;
        }
        let said = |payload: &Option<RawJson>| payload.as_ref().map(|payload| payload.get().to_owned());
        let is_known = self.progress.as_ref().is_some_and(|known| said(known) == said(&event.payload));
        self.progress = Some(event.payload.clone());
        !(is_known && self.is_asked_again)
    }

    /// The result of an answer whose last output is `raw`: the last one that says something.
    pub(super) fn last(&mut self, raw: RawJson) -> Result<RawJson, Failure> {
        if !self.adapter.is_sign_of_life(&raw) {
            return Ok(raw);
        }
        self.last.take().ok_or_else(|| Failure::retryable("empty_answer", "the answer has no transcript"))
    }
}
