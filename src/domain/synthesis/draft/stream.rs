//! Reads a draft while the model writes it, and says what is new for a reader who watches.
//!
//! The texts that a reader wants come out char by char, with their escapes resolved: `findings/0/topic`,
//! `findings/0/transition`, `findings/0/content`, `contradictions/0/description`, `gaps/0`, `summary`. Content and summary
//! go through the citation rewriter, so a marker that points to nothing never gets out. Numbers count the items as they
//! were written: of a valid draft they are the ones of [`read`](super::read), unless it leaves out blank items.
//!
//! Promises: the deltas of a text, joined by path, are the same however it is cut; no delta holds half a char; a few
//! hundred bytes are held back at most; time is linear; nothing panics. Where the text isn't JSON any more, except for
//! line ends in strings and commas, there are no more deltas: the whole answer is read with more patience later.
//!
//! ```text
//!  front ── <think> ─► thought ── </think> ─► front ── { or [ before a quote or an object ─► draft ─► front, or silent
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use self::front::{Front, Seen};
use self::json::{Json, Step};
use self::text::Text;

mod front;
mod json;
mod place;
#[cfg(test)]
mod tests;
mod text;

/// New text of one part of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta {
    /// The part: names and numbers of items with `/` between them (`findings/0/content`).
    pub path: String,
    /// Where in the part's text it belongs, in bytes of UTF-8; at 0 the part begins, again if it had begun before.
    pub offset: usize,
    /// What is new; empty only where a part is taken back, at 0.
    pub text: String,
}

impl Delta {
    /// Takes a part back that was shown: what it belonged to isn't gone on with.
    pub fn emptied(path: String) -> Self {
        Self { path, offset: 0, text: String::new() }
    }
}

/// Joins deltas that continue their predecessor.
#[must_use]
pub fn merge(deltas: Vec<Delta>) -> Vec<Delta> {
    let mut merged: Vec<Delta> = Vec::new();
    for delta in deltas {
        match merged.last_mut() {
            Some(last) if last.path == delta.path && last.offset + last.text.len() == delta.offset => {
                last.text.push_str(&delta.text);
            }
            _ => merged.push(delta),
        }
    }
    merged
}

/// The reader of one draft that is being written.
#[derive(Debug)]
pub struct DraftStream {
    known: Arc<BTreeSet<u32>>,
    /// What stands in front of a draft, or between two.
    front: Front,
    /// The draft that has begun.
    json: Option<Json>,
    /// The string of it that is being shown.
    text: Option<Text>,
    /// Whether anything was shown.
    shown: bool,
    /// There is nothing more to say.
    silent: bool,
}

impl DraftStream {
    /// A stream over a draft whose markers may cite `ids`.
    #[must_use]
    pub fn new(ids: &BTreeSet<u32>) -> Self {
        let known = Arc::new(ids.clone());
        DraftStream { known, front: Front::new(), json: None, text: None, shown: false, silent: false }
    }

    /// Takes the next piece of the answer; returns what can be shown of it, at most one delta for each text in it.
    pub fn push(&mut self, chunk: &str) -> Vec<Delta> {
        let mut deltas = Vec::new();
        for c in chunk.chars() {
            self.take(c, &mut deltas);
        }
        deltas.extend(self.text.as_mut().and_then(Text::delta));
        deltas
    }

    /// Ends the answer: returns what was held back of the text that it ends in.
    pub fn finish(&mut self) -> Vec<Delta> {
        self.silent = true;
        self.text.take().and_then(Text::finish).into_iter().collect()
    }

    fn take(&mut self, c: char, deltas: &mut Vec<Delta>) {
        if self.silent {
            return;
        }
        if let Some(text) = &mut self.text {
            if text.take(c) {
                deltas.extend(self.text.take().and_then(Text::finish));
            }
            return;
        }
        let json = match &mut self.json {
            Some(json) => json,
            None => match self.front.take(c) {
                Seen::Nothing => return,
                Seen::Object => self.json.insert(Json::object()),
                Seen::List => self.json.insert(Json::list()),
            },
        };
        match json.take(c) {
            Step::On => {}
            Step::Show(path, rewritten) => {
                self.shown = true;
                self.text = Some(Text::new(path, rewritten.then(|| Arc::clone(&self.known))));
            }
            Step::End => {
                (self.front, self.json) = (Front::new(), None);
                self.silent = self.shown;
            }
            Step::Lost => self.silent = true,
        }
    }
}
