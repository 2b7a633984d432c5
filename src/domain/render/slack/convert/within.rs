//! What is written within the limit: marks and links with their ends reserved, lines, texts as far as they fit.

use super::Writer;
use crate::domain::render::cut;
use crate::domain::render::slack::escape::{code_stand_in, stand_in, width, write_all};

/// How many columns of a table are shown.
const COLUMNS_MAX: usize = 20;
/// How deep lists are indented.
const INDENT_MAX: usize = 4;

impl Writer {
    /// Writes what begins a mark or a link and reserves the room for its end; refuses where there isn't enough for
    /// both, inside a link, and in a column that isn't shown.
    pub(super) fn begin(&mut self, start: &str, end: &str) -> bool {
        self.line_break();
        let (first, last) = (cut::units(start), cut::units(end));
        let fits = !self.is_full && !self.in_link && !self.is_beyond() && self.room() > first + last;
        if fits {
            self.out.push_str(start);
            self.used += first;
            self.reserved += last;
        }
        fits
    }

    /// Whether this column of a table is one too many.
    pub(super) fn is_beyond(&self) -> bool {
        self.column > COLUMNS_MAX
    }

    /// Our own text.
    pub(super) fn raw(&mut self, text: &str) {
        self.line_break();
        self.whole(text);
    }

    /// A text that is written as a whole or ends the message.
    fn whole(&mut self, text: &str) {
        let length = cut::units(text);
        if self.is_full || self.room() < length {
            self.is_full = true;
            return;
        }
        self.out.push_str(text);
        self.used += length;
    }

    /// Begins the line that is due, where something stands before it.
    fn line_break(&mut self) {
        let breaks = std::mem::take(&mut self.breaks);
        let quote = if self.quotes > 0 && !self.is_code { "> " } else { "" };
        let lines = if self.out.is_empty() { 0 } else { breaks };
        if lines == 0 && !self.out.is_empty() {
            return;
        }
        if self.is_bare_item() {
            self.whole("…");
        }
        let mut line = format!("\n{quote}").repeat(lines.saturating_sub(1));
        if lines > 0 {
            line.push('\n');
        }
        line.push_str(quote);
        if !self.is_code {
            line.push_str(&"  ".repeat(self.lists.len().saturating_sub(1).min(INDENT_MAX)));
        }
        if line.is_empty() {
            return;
        }
        self.whole(&line);
    }

    /// Whether the line is an item's `-` so far and nothing else: alone, it would make a heading of the line above
    /// (CommonMark 0.31, section 4.3).
    pub(super) fn is_bare_item(&self) -> bool {
        self.out.ends_with("- ")
            && self.out.bytes().rev().take_while(|b| *b != b'\n').all(|b| b" ->".contains(&b))
    }

    /// Their text: as much of it as fits.
    pub(super) fn text(&mut self, text: &str) {
        if self.is_beyond() {
            return;
        }
        self.line_break();
        if self.is_full {
            return;
        }
        let (dialect, code) = (self.dialect, self.is_code);
        let stands = |at, c| match code {
            true => code_stand_in(dialect, text, at, c),
            false => stand_in(dialect, text, at, c),
        };
        let fits = cut::prefix(text, self.room(), |at, c| width(stands(at, c), c));
        let from = self.out.len();
        write_all(&mut self.out, fits, stands);
        self.used += cut::units(&self.out[from..]);
        self.is_full = fits.len() < text.len();
    }

    /// Writes what was reserved for it.
    pub(super) fn write_end(&mut self, end: &str) {
        let length = cut::units(end);
        self.reserved -= length;
        self.used += length;
        self.out.push_str(end);
    }

    /// How much more fits, with an ellipsis behind it.
    fn room(&self) -> usize {
        self.limit.saturating_sub(self.used + self.reserved + 1)
    }
}
