//! The blocks of a Markdown text, in order and without gaps.
//!
//! One pass over the lines by the rules of CommonMark 0.31 §4 and §5 and of GitHub's tables (GFM §4.10), flat instead of
//! nested: an item of a list is a block, and what is indented below it are blocks of their own. A fence runs to its
//! closing fence or to the end of the text, also inside a list. A line that may be a label right between two items is no part of the
//! first, as it would be there: `Not included:`. O(n): a line is looked at once, and once more where the
//! line before it could be the header of a table.

use std::ops::Range;

mod line;
#[cfg(test)]
mod tests;

use line::{Line, Until};

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heading with `#` marks or underlined.
    Heading {
        /// 1 to 6.
        level: u8,
    },
    /// Lines of prose; anything that is nothing else.
    Paragraph,
    /// One item of a list with its continuation lines, without the items nested in it.
    ListItem {
        /// Columns before the marker: a tab goes on to the next multiple of 4.
        indent: usize,
        /// Whether the marker is a number.
        ordered: bool,
    },
    /// Lines that begin with `>`, and those that continue them.
    Quote,
    /// Code between fences, or indented by four columns.
    Code {
        /// Whether its first line is a fence.
        fenced: bool,
        /// Whether its last line is the closing fence; false: it runs to the end of the text or is indented.
        closed: bool,
    },
    /// A header row, a delimiter row and rows.
    Table,
    /// A thematic break: `---`, `***`, `___`.
    Rule,
    /// A block of HTML, a comment, a declaration.
    Html,
}

/// A block and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its bytes, with the blank lines after it (and before the first one).
    pub range: Range<usize>,
}

impl Block {
    /// The bytes without blank lines around: from the start of the first line, with its indentation, to the last byte that
    /// isn't white space (of ASCII). Empty where the text is nothing but that.
    pub fn content(&self, text: &str) -> Range<usize> {
        let block = &text[self.range.clone()];
        let blank = block.len() - block.trim_ascii_start().len();
        let line = block[..blank].rfind('\n').map_or(0, |newline| newline + 1);
        let end = self.range.start + block.trim_ascii_end().len();
        (self.range.start + line).min(end.max(self.range.start))..end
    }
}

/// The blocks of a text. Each begins where the one before it ends, the first at 0, and the last ends with the text. An
/// empty text has none; one of white space has one empty paragraph.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut parse = Parse {
        bytes: text.as_bytes(),
        found: Vec::with_capacity(text.len() / 128 + 1),
        open: Open::Nothing,
        list: false,
    };
    let mut at = 0;
    while at < text.len() {
        let line = Line::at(parse.bytes, at);
        at = line.next;
        parse.line(&line);
    }
    if parse.found.is_empty() && !text.is_empty() {
        parse.found.push(Block { kind: Kind::Paragraph, range: 0..0 });
    }
    let mut end = text.len();
    for block in parse.found.iter_mut().rev() {
        block.range.end = end;
        end = block.range.start;
    }
    if let Some(first) = parse.found.first_mut() {
        first.range.start = 0;
    }
    parse.found
}

/// Which block the next line may continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Paragraph,
    Item,
    Quote,
    /// A table of which only the header has been read: its delimiter row is next.
    Header,
    Table,
    Indented,
    Fence {
        mark: u8,
        length: usize,
    },
    Html(Until),
}

struct Parse<'t> {
    bytes: &'t [u8],
    found: Vec<Block>,
    open: Open,
    /// Whether we are in a list: there indentation isn't code.
    list: bool,
}

impl Parse<'_> {
    fn start(&mut self, line: &Line<'_>, kind: Kind, open: Open) {
        self.found.push(Block { kind, range: line.start..line.start });
        self.open = open;
        match kind {
            Kind::ListItem { .. } => self.list = true,
            Kind::Heading { .. }
            | Kind::Paragraph
            | Kind::Quote
            | Kind::Code { .. }
            | Kind::Table
            | Kind::Rule
            | Kind::Html => {
                self.list &= line.indent >= 2;
            }
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        if self.raw(line) {
            return;
        }
        if line.text.is_empty() {
            // Indented code goes on after blank lines, everything else doesn't.
            self.open = if self.open == Open::Indented { Open::Indented } else { Open::Nothing };
            return;
        }
        let prose = matches!(self.open, Open::Paragraph | Open::Item | Open::Quote);
        if line.indent >= 4 && !self.list {
            match self.open {
                Open::Paragraph | Open::Item | Open::Quote | Open::Indented => return,
                Open::Nothing | Open::Header | Open::Table | Open::Fence { .. } | Open::Html(_) => {}
            }
            return self.start(line, Kind::Code { fenced: false, closed: false }, Open::Indented);
        }
        if let Some((mark, length)) = line.fence() {
            return self.start(
                line,
                Kind::Code { fenced: true, closed: false },
                Open::Fence { mark, length },
            );
        }
        if let Some(level) = line.heading() {
            return self.start(line, Kind::Heading { level }, Open::Nothing);
        }
        if let Some(level) = line.underline().filter(|_| self.open == Open::Paragraph) {
            if let Some(last) = self.found.last_mut() {
                last.kind = Kind::Heading { level };
            }
            self.open = Open::Nothing;
            return;
        }
        if line.is_rule() {
            return self.start(line, Kind::Rule, Open::Nothing);
        }
        if let Some(item) =
            line.item().filter(|item| self.list || self.open != Open::Paragraph || item.interrupts)
        {
            return self.start(
                line,
                Kind::ListItem { indent: line.indent, ordered: item.ordered },
                Open::Item,
            );
        }
        if line.text[0] == b'>' {
            if self.open != Open::Quote {
                self.start(line, Kind::Quote, Open::Quote);
            }
            return;
        }
        if let Some(until) = line.html().filter(|until| !prose || *until != Until::BlankOfTag) {
            let open = if until.is_met(line.text) { Open::Nothing } else { Open::Html(until) };
            return self.start(line, Kind::Html, open);
        }
        if self.open != Open::Table && line.is_header(&Line::at(self.bytes, line.next)) {
            return self.start(line, Kind::Table, Open::Header);
        }
        // By CommonMark it would belong to the item above it; nobody means that.
        let is_label =
            self.open == Open::Item && line.is_label() && Line::at(self.bytes, line.next).item().is_some();
        if is_label || !prose && self.open != Open::Table {
            self.start(line, Kind::Paragraph, Open::Paragraph);
        }
    }

    /// A line inside a fence or HTML, or a delimiter row: whether it was one.
    fn raw(&mut self, line: &Line<'_>) -> bool {
        match self.open {
            Open::Fence { mark, length } => {
                if line.closes(mark, length) {
                    if let Some(last) = self.found.last_mut() {
                        last.kind = Kind::Code { fenced: true, closed: true };
                    }
                    self.open = Open::Nothing;
                }
                true
            }
            Open::Html(until) => {
                let blank = matches!(until, Until::Blank | Until::BlankOfTag);
                if blank && line.text.is_empty() || until.is_met(line.text) {
                    self.open = Open::Nothing;
                }
                true
            }
            Open::Header => {
                self.open = Open::Table;
                true
            }
            Open::Nothing | Open::Paragraph | Open::Item | Open::Quote | Open::Table | Open::Indented => {
                false
            }
        }
    }
}
