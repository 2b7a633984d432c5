//! What stands in a cell, as Markdown has it: on one line, with marks for the tags that it has marks for.

use crate::domain::text::entities::{decoded, entity};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::tags::Tag;

/// Bytes of a cell: what is longer is no cell of a table, but a part of a page's layout.
pub(super) const CELL_BYTES_MAX: usize = 600;
/// Marks that may be open at once.
const OPEN_MAX: usize = 8;
/// Tags within a line that say nothing.
#[rustfmt::skip]
const SILENT: &[&str] = &["span", "font", "u", "small", "big", "label", "nobr", "wbr", "time", "data", "abbr", "bdi"];
/// Tags that end a line, for which a blank stands.
const LINES: &[&str] = &["br", "p", "div", "center", "ul", "ol"];
/// Tags that stay as they are: those that Markdown has no marks for.
const KEPT: &[&str] =
    &["sup", "sub", "del", "s", "strike", "ins", "mark", "kbd", "samp", "var", "cite", "q", "code"];

/// A cell that is read.
#[derive(Debug, Default)]
pub(super) struct Cell<'t> {
    pub text: String,
    /// Whether it heads its row or column.
    pub is_head: bool,
    pub columns: usize,
    pub rows: usize,
    /// Whether what follows stands in backticks.
    pub is_in_code: bool,
    open: Vec<Open<'t>>,
}

/// A tag whose other half is awaited, and where it stands in the text.
#[derive(Debug)]
struct Open<'t> {
    tag: Tag<'t>,
    at: usize,
}

impl<'t> Cell<'t> {
    pub fn of(tag: &Tag<'t>) -> Self {
        let span = |name| tag.attribute(name).and_then(|span| span.trim().parse().ok()).unwrap_or(1).max(1);
        Self { is_head: tag.is("th"), columns: span("colspan"), rows: span("rowspan"), ..Self::default() }
    }

    /// Adds text; `None` where it is too long for a cell, or has a fence.
    pub fn push(&mut self, text: &str) -> Option<()> {
        if text.contains("```") || self.text.len() > CELL_BYTES_MAX {
            return None;
        }
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (c, taken) = shown(rest).unwrap_or((c, c.len_utf8()));
            match c {
                c if c.is_whitespace() => self.blank(),
                '|' if !self.text.ends_with('\\') => self.text.push_str("\\|"),
                c => {
                    self.is_in_code ^= c == '`';
                    self.text.push(c);
                }
            }
            rest = &rest[taken..];
            if self.text.len() > CELL_BYTES_MAX {
                return None;
            }
        }
        Some(())
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// Adds what a tag stands for; `None` where no line can hold it.
    pub fn push_tag(&mut self, tag: &Tag<'t>) -> Option<()> {
        if tag.name == "!--" {
            return Some(());
        }
        if self.is_in_code || tag.is_one_of(KEPT) {
            return self.push_raw(tag.written);
        }
        if tag.is_one_of(&["b", "strong", "i", "em", "a"]) {
            return if tag.closes { self.close(tag) } else { self.open(*tag) };
        }
        match tag {
            _ if tag.is_one_of(SILENT) => {}
            _ if tag.is_one_of(LINES) => self.blank(),
            _ if tag.is("li") => self.item(tag.closes),
            _ if tag.is("img") => self.push(&decoded(tag.attribute("alt").unwrap_or_default()))?,
            _ => return None,
        }
        Some(())
    }

    /// Items of a list are parted by semicolons.
    fn item(&mut self, closes: bool) {
        let is_next = !closes && self.text.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ')');
        if is_next {
            self.text.truncate(self.text.trim_end().len());
            self.text.push(';');
        }
        self.blank();
    }

    /// Adds what is written as it is, but on one line and in one cell.
    fn push_raw(&mut self, written: &str) -> Option<()> {
        self.is_in_code ^= written.matches('`').count() % 2 == 1;
        for (at, word) in written.split_whitespace().enumerate() {
            if at > 0 {
                self.blank();
            }
            self.text.push_str(&word.replace("\\|", "|").replace('|', "\\|"));
        }
        (self.text.len() <= CELL_BYTES_MAX && !written.contains("```")).then_some(())
    }

    fn open(&mut self, tag: Tag<'t>) -> Option<()> {
        self.open.push(Open { tag, at: self.text.len() });
        (self.open.len() <= OPEN_MAX).then_some(())
    }

    /// Puts marks around what stands between the two halves of a tag; a half alone is left out.
    fn close(&mut self, tag: &Tag<'t>) -> Option<()> {
        let Some(place) = self.open.iter().rposition(|open| open.tag.is(tag.name)) else { return Some(()) };
        // What is open within it has no other half.
        self.open.truncate(place + 1);
        let Some(Open { tag: begin, at }) = self.open.pop() else { return Some(()) };
        let whole = self.text.split_off(self.text.floor_char_boundary(at));
        let inside = whole.trim();
        let ends_blank = whole.ends_with(' ');
        if whole.starts_with(' ') {
            self.blank();
        }
        match begin.attribute("href").filter(|_| begin.is("a") && !inside.is_empty()) {
            Some(href) => match address(href).filter(|_| !inside.contains(['[', ']'])) {
                Some(address) => self.text.push_str(&format!("[{inside}]({address})")),
                None => {
                    self.push_raw(begin.written)?;
                    self.text.push_str(inside);
                    self.text.push_str("</a>");
                }
            },
            None => {
                let mark = if begin.is_one_of(&["b", "strong"]) { "**" } else { "*" };
                let is_marked = inside.is_empty() || inside.contains('*') || begin.is("a");
                let mark = if is_marked { "" } else { mark };
                self.text.push_str(&format!("{mark}{inside}{mark}"));
            }
        }
        if ends_blank {
            self.blank();
        }
        Some(())
    }

    /// Its text, where nothing is left open.
    pub fn finish(mut self) -> Self {
        self.text.truncate(self.text.trim_end().len());
        self
    }
}

/// An address as a link of Markdown may have it.
fn address(href: &str) -> Option<String> {
    let href = decoded(href.trim());
    let is_of_the_web = begins_with_any(&href, &["https://", "http://", "mailto:"]);
    let is_plain =
        !href.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '|' | '\\'));
    (is_of_the_web && is_plain).then(|| href.into_owned())
}

/// The character that a reference stands for which `rest` begins with, and its bytes: where that is a mark in Markdown it stays.
fn shown(rest: &str) -> Option<(char, usize)> {
    let (c, length) = rest.starts_with('&').then(|| entity(rest))??;
    let behind = &rest[length..];
    let next = behind.chars().next();
    let is_name = |c: char| c == '#' || c.is_ascii_alphanumeric();
    let is_mark = match c {
        '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        // It would begin another.
        '&' => next.is_some_and(is_name) && behind.trim_start_matches(is_name).starts_with(';'),
        c => matches!(c, '`' | '*' | '_' | '[' | ']' | '\\' | '~'),
    };
    (!is_mark).then_some((c, length))
}
