//! One text of a draft that is shown while it is written.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::TEXT_CHARS_MAX;
use super::super::escapes::Escapes;
use super::Delta;
use crate::domain::synthesis::citations::Rewriter;

/// A text behind its opening quote.
#[derive(Debug)]
pub(super) struct Text {
    path: String,
    /// Bytes that were shown.
    offset: usize,
    chars: usize,
    escapes: Escapes,
    /// Text that wasn't rewritten yet.
    read: String,
    rewriter: Option<Rewriter<'static>>,
}

impl Text {
    /// The text at `path`; if there are `known` numbers, markers of all others are left out.
    pub(super) fn new(path: String, known: Option<Arc<BTreeSet<u32>>>) -> Self {
        Text {
            path,
            offset: 0,
            chars: 0,
            escapes: Escapes::new(),
            read: String::new(),
            rewriter: known.map(Rewriter::keeping),
        }
    }

    /// Takes the next char; whether it was the closing quote.
    pub(super) fn take(&mut self, c: char) -> bool {
        if c == '"' && !self.escapes.takes(c) {
            return true;
        }
        let before = self.read.len();
        self.escapes.take(c, &mut self.read);
        self.chars += self.read[before..].chars().count();
        if self.chars > TEXT_CHARS_MAX {
            self.read.truncate(before); // an endless repetition
        }
        false
    }

    /// What can be shown now.
    pub(super) fn delta(&mut self) -> Option<Delta> {
        let read = std::mem::take(&mut self.read);
        let text = match &mut self.rewriter {
            Some(rewriter) => {
                let mut out = String::with_capacity(read.len());
                rewriter.push(&read, &mut out);
                out
            }
            None => read,
        };
        if text.is_empty() {
            return None;
        }
        let offset = self.offset;
        self.offset += text.len();
        Some(Delta { path: self.path.clone(), offset, text })
    }

    /// The text has ended: shows the rest.
    pub(super) fn finish(mut self) -> Option<Delta> {
        self.escapes.end(&mut self.read);
        let mut text = std::mem::take(&mut self.read);
        if let Some(mut rewriter) = self.rewriter.take() {
            let read = std::mem::take(&mut text);
            rewriter.push(&read, &mut text);
            rewriter.finish(&mut text);
        }
        (!text.is_empty()).then_some(Delta { path: self.path, offset: self.offset, text })
    }
}
