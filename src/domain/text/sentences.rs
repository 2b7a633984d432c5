//! Where sentences begin and end, for prose in Latin scripts, Chinese and Japanese.
//!
//! A boundary stands after a terminator (`. ! ? …` and their relatives in other scripts) with the closing quotes,
//! brackets and citation markers that follow it, at a blank line, and at a line that starts a list item, a heading, a
//! table row or an entry of references. The rules follow Unicode Standard Annex #29 §5 (sentence boundaries) with lists
//! of abbreviations, which the annex leaves to others. Full stops of URLs, e-mail addresses, decimals and versions have
//! no space after them and therefore never are boundaries; the text of a Markdown link, inline code and a quotation that
//! closes within [`QUOTED_MAX`] on its line stay in one piece.
//!
//! One pass over the bytes, O(n): every look back is bounded by [`LOOK_BACK`], every look ahead is consumed or cached.

use std::ops::Range;

use crate::domain::text::scripts::is_wide_or_mark;

mod abbreviations;
mod addressed;
mod authors;
mod blanks;
mod following;
mod marks;
mod speaker;
#[cfg(test)]
mod tests;

pub use abbreviations::starts_sentence;
pub use authors::{authors_and_year, is_year};
pub use blanks::without_blanks;
use following::{char_at, closers, first_letter, skip_space, starts_entry};
use marks::{Mark, joined, mark_of};

/// How far a word before a full stop is looked for, in bytes. Longer words are no abbreviations.
const LOOK_BACK: usize = 24;
/// How deep brackets may be nested before links are no longer looked for.
const DEPTH_MAX: usize = 16;
/// How long the address of a Markdown link may be, in bytes.
const ADDRESS_MAX: usize = 4096;
/// How long a quotation may be that is kept whole, in bytes.
const QUOTED_MAX: usize = 320;

/// The sentences of a text as byte ranges: in order, not overlapping, trimmed of white space and never empty. Together
/// they hold every byte of the text that isn't white space.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        start: skip_space(text, 0),
        found: Vec::with_capacity(text.len() / 96 + 1),
        brackets: Vec::new(),
        quoted: 0,
        closing: Cached::new(b')'),
        line_end: Cached::new(b'\n'),
        code_end: Cached::new(b'`'),
    };
    scan.run();
    scan.found
}

/// What a byte may mean: most mean nothing, and are passed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Nothing,
    /// `.`, `!` or `?`.
    Terminator,
    Newline,
    Open,
    Close,
    Code,
    /// `"` and `(`, which may open what stays whole.
    Quote,
    /// The first byte of a character beyond ASCII that may be a terminator.
    Lead,
}

static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Nothing; 256];
    table[b'.' as usize] = Class::Terminator;
    table[b'!' as usize] = Class::Terminator;
    table[b'?' as usize] = Class::Terminator;
    table[b'\n' as usize] = Class::Newline;
    table[b'[' as usize] = Class::Open;
    table[b']' as usize] = Class::Close;
    table[b'`' as usize] = Class::Code;
    table[b'"' as usize] = Class::Quote;
    table[b'(' as usize] = Class::Quote;
    // … ‼ ⁇ “ „ and the paragraph separator; 。「『; ！？．｡; Devanagari danda; Arabic ؟ and ۔; Armenian ։; Ethiopic ።; «
    let leads = [0xE2, 0xE3, 0xEF, 0xE0, 0xD8, 0xDB, 0xD6, 0xE1, 0xC2];
    let mut at = 0;
    while at < leads.len() {
        table[leads[at]] = Class::Lead;
        at += 1;
    }
    table
}

/// Where a byte comes next: looked for once, and again only when the place has been passed.
struct Cached {
    byte: u8,
    at: Option<usize>,
}

impl Cached {
    fn new(byte: u8) -> Self {
        Self { byte, at: Some(0) }
    }

    /// The first place at or after `from`, which never goes back from call to call.
    fn after(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        let known = self.at?;
        if known < from || bytes.get(known) != Some(&self.byte) {
            self.at = memchr::memchr(self.byte, bytes.get(from..)?).map(|found| from + found);
        }
        self.at
    }
}

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// Where the sentence that is being read begins.
    start: usize,
    found: Vec<Range<usize>>,
    /// The open square brackets, for the texts of links.
    brackets: Vec<usize>,
    /// Where the last quotation ends: before it, nothing ends a sentence.
    quoted: usize,
    closing: Cached,
    line_end: Cached,
    code_end: Cached,
}

impl Scan<'_> {
    fn run(&mut self) {
        let mut at = self.start;
        while let Some(&byte) = self.bytes.get(at) {
            at = match CLASSES[usize::from(byte)] {
                Class::Nothing => {
                    let rest = &self.bytes[at..];
                    let is_some = |byte: &u8| CLASSES[usize::from(*byte)] != Class::Nothing;
                    at + rest.iter().position(is_some).unwrap_or(rest.len())
                }
                Class::Terminator | Class::Lead => self.terminator(at),
                Class::Newline => self.newline(at),
                Class::Open => {
                    if self.brackets.len() < DEPTH_MAX {
                        self.brackets.push(at);
                    }
                    at + 1
                }
                Class::Close => self.close(at),
                Class::Code => self.code(at),
                Class::Quote => self.quotation(at, char::from(byte)),
            };
        }
        self.end(self.bytes.len(), self.bytes.len());
    }

    /// Ends the sentence at `end` and begins the next one at the first character from `next` on.
    fn end(&mut self, end: usize, next: usize) -> usize {
        let end = self.start + self.text.get(self.start..end).map_or(0, |sentence| sentence.trim_end().len());
        if end > self.start {
            self.found.push(self.start..end);
        }
        self.start = skip_space(self.text, next);
        self.start.max(next)
    }

    /// A bracket closes: where an address follows, it was the text of a link, and boundaries inside it were none.
    fn close(&mut self, at: usize) -> usize {
        let Some(open) = self.brackets.pop() else { return at + 1 };
        if self.bytes.get(at + 1) != Some(&b'(') {
            return at + 1;
        }
        let line_end = self.line_end.after(self.bytes, at).unwrap_or(self.bytes.len());
        match self.closing.after(self.bytes, at) {
            Some(closing) if closing < line_end && closing - at <= ADDRESS_MAX => {
                while self.start > open {
                    let Some(last) = self.found.pop() else { break };
                    self.start = last.start;
                }
                closing + 1
            }
            _ => at + 1,
        }
    }

    /// Inline code with one mark on each side stays whole.
    fn code(&mut self, at: usize) -> usize {
        let line_end = self.line_end.after(self.bytes, at).unwrap_or(self.bytes.len());
        match self.code_end.after(self.bytes, at + 1) {
            Some(end) if end < line_end && end > at + 1 => end + 1,
            _ => at + 1,
        }
    }

    /// A quotation opens, where `open` is a mark that does so: what it says stays with the sentence that quotes it.
    fn quotation(&mut self, at: usize, open: char) -> usize {
        let next = at + open.len_utf8();
        if at >= self.quoted && following::opens_quotation(self.text, at, open) {
            let line_end = self.line_end.after(self.bytes, at).unwrap_or(self.bytes.len());
            let window = &self.bytes[next..line_end.min(next + QUOTED_MAX).max(next)];
            let length = following::quotation(window, open);
            self.quoted = length.map_or(self.quoted, |length| next + length);
        }
        next
    }

    fn newline(&mut self, at: usize) -> usize {
        let (mut next, mut blank) = (at + 1, false);
        while let Some(byte) =
            self.bytes.get(next).filter(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
        {
            blank |= *byte == b'\n';
            next += 1;
        }
        // A heading and a row of a table are one line.
        let line_only = matches!(self.bytes.get(self.start), Some(b'#' | b'|'));
        if blank || line_only || starts_entry(&self.bytes[next..]) || self.is_line_of_its_own(at, next) {
            self.brackets.clear(); // no link goes on from here
            return self.end(at, next);
        }
        next
    }

    /// Whether the line that ends at `at` ends its sentence without a stop: behind a citation or an address, or where two
    /// spaces break the line, what begins in capitals at `next` is another one.
    fn is_line_of_its_own(&self, at: usize, next: usize) -> bool {
        let line = self.text[self.start..at].trim_end_matches('\r');
        let said = line.trim_end();
        let last = said.rsplit([' ', '\n']).next().unwrap_or_default();
        let ends = said.ends_with([']', '】']) || last.contains("://") || line.ends_with("  ");
        ends && char_at(self.text, next).is_some_and(|first| first.is_uppercase() || is_wide_or_mark(first))
    }

    /// What may end a sentence: where it does, the marks that belong to it are taken along.
    fn terminator(&mut self, at: usize) -> usize {
        // Inside words, numbers and addresses; the commonest case by far.
        if self.bytes[at].is_ascii()
            && self.bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'/')
        {
            return at + 1;
        }
        let Some(first) = char_at(self.text, at) else { return at + 1 };
        let Some(mut mark) = mark_of(first) else { return self.quotation(at, first) };
        let mut end = at + first.len_utf8();
        if mark == Mark::Paragraph {
            return self.end(at, end);
        }
        while let Some((next, also)) = char_at(self.text, end).and_then(|next| Some((next, mark_of(next)?))) {
            if also == Mark::Paragraph {
                break;
            }
            mark = joined(mark, also);
            end += next.len_utf8();
        }
        if self.bytes[end..].starts_with(b"](") {
            return end; // the text of a link ends with it
        }
        let mut closed = closers(self.text, end);
        // `. »` and `.“`: what closes the quotation isn't a closing mark everywhere.
        let left = self.text.get(closed.end..self.quoted).unwrap_or_default().trim_start();
        if left.chars().count() == 1 {
            closed = closers(self.text, self.quoted);
        }
        if closed.end >= self.quoted && self.ends(mark, at, closed.end, closed.cited) {
            let end = speaker::speaker_end(self.text, self.start, closed.end).unwrap_or(closed.end);
            self.end(end, end)
        } else {
            addressed::going_on(self.text, end, closed.end)
        }
    }

    /// Whether a terminator at `at` ends its sentence, where the text goes on at `next`.
    fn ends(&self, mark: Mark, at: usize, next: usize, cited: bool) -> bool {
        let Some(after) = char_at(self.text, next) else { return true };
        let letter = first_letter(self.text, next);
        if after.is_whitespace() {
            let lower = letter.as_ref().is_some_and(|letter| letter.lower);
            return match mark {
                Mark::Full | Mark::FullStop | Mark::Paragraph => true,
                Mark::Strong => !lower && !abbreviations::is_of_name(self.text, self.start, at, next),
                Mark::Ellipsis => letter.is_some_and(|letter| !letter.lower && !letter.digit),
                Mark::Stop => abbreviations::ends(self.text, self.start, at, next, lower),
            };
        }
        match mark {
            _ if speaker::goes_on(&self.text[self.start..next], &self.text[next..]) => false,
            Mark::Full => true,
            Mark::FullStop => !after.is_alphanumeric() || is_wide_or_mark(after),
            Mark::Stop | Mark::Strong => {
                let before = self.text[..at].chars().next_back();
                (cited && after.is_uppercase())
                    || (is_wide_or_mark(after) && (cited || before.is_some_and(is_wide_or_mark)))
            }
            Mark::Ellipsis | Mark::Paragraph => false,
        }
    }
}
