//! Strings, in the quotes of JSON and of what models mix up with it.

use super::super::TEXT_CHARS_MAX;
use super::super::escapes::Escapes;
use super::closing::closes;
use super::node::Node;
use super::note::Note;

/// A string that was read.
pub(super) struct Read {
    /// Its text; broken if it never ends or is too long.
    pub(super) node: Node,
    /// Where the text goes on.
    pub(super) end: usize,
    /// Why it is broken.
    pub(super) note: Option<Note>,
}

/// Whether a string may begin with `c`.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '‘')
}

/// Reads the string whose opening quote is at byte `at` of `text`.
pub(super) fn string(text: &str, at: usize) -> Read {
    for quotes in ["\"\"\"", "'''"] {
        if text[at..].starts_with(quotes) {
            return tripled(text, at + quotes.len(), quotes);
        }
    }
    let open = text[at..].chars().next().unwrap_or('"');
    let start = at + open.len_utf8();
    let mut escapes = Escapes::new();
    let mut out = Kept::default();
    for (offset, c) in text[start..].char_indices() {
        let end = start + offset + c.len_utf8();
        if ends(open, c) && !escapes.takes(c) && closes(&text[end..], c) {
            escapes.end(&mut out.text);
            return out.read(end);
        }
        escapes.take(c, &mut out.text);
        out.bound();
    }
    Read { node: Node::Broken, end: text.len(), note: Some(Note::Cut) }
}

/// A string in three quotes: all up to the next three.
fn tripled(text: &str, start: usize, quotes: &str) -> Read {
    let mut escapes = Escapes::new();
    let mut out = Kept::default();
    for (offset, c) in text[start..].char_indices() {
        let at = start + offset;
        if quotes.starts_with(c) && !escapes.takes(c) && text[at..].starts_with(quotes) {
            escapes.end(&mut out.text);
            return out.read(at + quotes.len());
        }
        escapes.take(c, &mut out.text);
        out.bound();
    }
    Read { node: Node::Broken, end: text.len(), note: Some(Note::Cut) }
}

/// Whether `c` may end a string that `open` began.
fn ends(open: char, c: char) -> bool {
    match open {
        '“' => matches!(c, '”' | '"'),
        '‘' => matches!(c, '’' | '\''),
        _ => c == open,
    }
}

/// A text, or that it was too long to be kept.
#[derive(Default)]
struct Kept {
    text: String,
    long: bool,
}

impl Kept {
    /// Lets go of what is too long for sure.
    fn bound(&mut self) {
        if self.text.len() > TEXT_CHARS_MAX * 4 {
            self.text.clear();
            self.long = true;
        }
    }

    fn read(self, end: usize) -> Read {
        let long =
            self.long || self.text.len() > TEXT_CHARS_MAX && self.text.chars().count() > TEXT_CHARS_MAX;
        match long {
            true => Read { node: Node::Broken, end, note: Some(Note::TooLong) },
            false => Read { node: Node::Text(self.text), end, note: None },
        }
    }
}
