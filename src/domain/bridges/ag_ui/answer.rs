//! The step's answer as messages of the run's own: the draft while it is written, then what is delivered.
//!
//! ```text
//! synthesis_delta*  ──►  a message for each draft, ended as `replaced`
//! synthesis         ──►  the result
//! (none of them)    ──►  the aggregation's summary as the result, when the step ends
//! ```

use super::tell::Told;
use crate::domain::bridges::parts::{Draft, Grown, Growth, Piece};

/// What was told of an answer.
#[derive(Debug)]
pub struct Answer {
    run_id: String,
    draft: Draft,
    /// The draft's message while it is open, and how many there were.
    open: Option<String>,
    drafts: u32,
    /// What is delivered if nothing better comes.
    summary: Option<String>,
    /// What was delivered, and how many times: once, unless the log changed.
    delivered: Growth,
    results: u32,
}

impl Answer {
    /// Nothing yet. Its ids begin with the run's.
    pub fn new(run_id: &str) -> Self {
        let (draft, open, drafts, summary, delivered, results) = Default::default();
        Self { run_id: run_id.to_owned(), draft, open, drafts, summary, delivered, results }
    }

    /// There is an aggregation.
    pub fn aggregated(&mut self, summary: &str) {
        self.summary = Some(summary.to_owned());
    }

    /// A piece of a draft: one message for each draft, its texts as paragraphs.
    pub fn drafted(&mut self, path: &str, offset: u64, text: &str, told: &mut Told<'_>) {
        if offset == 0 && text.is_empty() {
            // All of it is taken back, a text at a time. A message can't be, but it is replaced.
            self.draft = Draft::default();
            return self.close(told);
        }
        let piece = self.draft.take(path, offset, text);
        if piece == Piece::Anew {
            self.close(told);
        }
        told.metadata.draft = true;
        match &self.open {
            Some(message_id) if piece == Piece::Next => told.content(message_id, "\n\n", None),
            Some(_) => {}
            None => {
                self.drafts += 1;
                let message_id = self.open.insert(format!("{}/draft/{}", self.run_id, self.drafts));
                told.start_message(message_id, Some("draft"), None);
            }
        }
        if let Some(message_id) = &self.open {
            told.content(message_id, text, None);
        }
        told.metadata.draft = false;
    }

    /// It was written.
    pub fn written(&mut self, summary: &str, told: &mut Told<'_>) {
        self.close(told);
        if summary.is_empty() || self.delivered.take(summary) == Grown::Not {
            return;
        }
        self.results += 1;
        let message_id = &format!("{}/result/{}", self.run_id, self.results);
        told.start_message(message_id, None, None);
        told.content(message_id, summary, None);
        told.end_message(message_id, None);
    }

    /// The step ends: what there is, is delivered.
    pub fn ended(&mut self, told: &mut Told<'_>) {
        if let Some(summary) = self.summary.take().filter(|_| self.results == 0) {
            self.written(&summary, told);
        }
    }

    /// Ends the draft's message: whatever follows replaces it.
    pub fn close(&mut self, told: &mut Told<'_>) {
        if let Some(message_id) = self.open.take() {
            (told.metadata.draft, told.metadata.replaced) = (true, true);
            told.end_message(&message_id, None);
            (told.metadata.draft, told.metadata.replaced) = (false, false);
        }
    }
}
