//! Recognises the beginnings of what is left as it is: code, mathematics, HTML.
//!
//! Where the end is out of sight (more than a window away) the beginning must give evidence enough: `$5` is money.

use super::window::{Cursor, End, Scan, Stop};
use crate::domain::text::phrases::has_any;

/// What a verbatim stretch is, and what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// A code span that opened with so many backticks.
    Code(usize),
    /// Mathematics within a line; ends with `$`, or `\)`.
    Math(&'static str),
    /// Displayed mathematics; ends with `$$`, or `\]`.
    Display(&'static str),
    /// An HTML comment.
    Comment,
    /// The attributes of an HTML tag, or an autolink.
    Tag,
    /// The content of an HTML element whose name this is.
    Raw(&'static str),
    /// The destination of a link, with so many open parentheses.
    Destination(u32),
    /// The title of a link, in these quotes.
    Title(u8),
}

/// What a window begins with: so many bytes as they are, and what they open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    /// Bytes to leave as they are.
    pub len: usize,
    /// What goes on behind them; `None` where it was closed in sight, or isn't anything.
    pub span: Option<Span>,
}

const fn literal(len: usize) -> Opening {
    Opening { len, span: None }
}

/// Elements whose content is no prose.
const RAW: [&str; 6] = ["code", "pre", "script", "style", "math", "svg"];

/// A run of backticks: a code span opens. In a window full of them the window is the run.
pub(super) fn code(c: Cursor<'_>) -> Scan<Opening> {
    let run = run(c, b'`')?;
    Ok(Opening { len: run, span: Some(Span::Code(run)) })
}

/// How many bytes `mark` the window begins with.
pub(super) fn run(c: Cursor<'_>, mark: u8) -> Scan<usize> {
    let run = c.text.bytes().take_while(|byte| *byte == mark).count();
    if run == c.text.len() && c.end == End::More { Err(Stop::More) } else { Ok(run) }
}

/// A dollar: `$$…$$`, `$…$` by Pandoc's rule (no space inside the dollars, no digit behind), or money.
pub(super) fn dollar(c: Cursor<'_>) -> Scan<Opening> {
    let text = c.text.as_bytes();
    let Some(first) = text.get(1).copied() else { return undecided(c, literal(1)) };
    if first == b'$' {
        return Ok(Opening { len: 2, span: Some(Span::Display("$$")) });
    }
    if first.is_ascii_whitespace() {
        return Ok(literal(1));
    }
    for at in 2..text.len() {
        match text[at] {
            b'\n' => return Ok(literal(1)),
            b'$' if closes(text[at - 1], text.get(at - 2).copied()) => {
                return match text.get(at + 1) {
                    Some(digit) if digit.is_ascii_alphanumeric() => Ok(literal(1)),
                    None if c.end == End::More => Err(Stop::More),
                    _ => Ok(literal(at + 1)),
                };
            }
            b'$' if text[at - 1] != b'\\' => return Ok(literal(1)),
            _ => {}
        }
    }
    let open = !first.is_ascii_digit() && is_formula(c.text);
    undecided(c, Opening { len: 1, span: open.then_some(Span::Math("$")) })
}

/// Whether a dollar behind these two bytes may close a formula.
pub(super) fn closes(before: u8, earlier: Option<u8>) -> bool {
    !before.is_ascii_whitespace() && (before != b'\\' || earlier == Some(b'\\'))
}

/// A backslash: `\(…\)`, `\[…\]`, an escaped char, or nothing.
pub(super) fn backslash(c: Cursor<'_>) -> Scan<Opening> {
    let Some(next) = c.text[1..].chars().next() else { return undecided(c, literal(1)) };
    let (end, display) = match next {
        '(' => ("\\)", false),
        '[' => ("\\]", true),
        _ if next.is_ascii_punctuation() => return Ok(literal(2)),
        // A citation written behind the backslash would be an escaped bracket.
        '【' | '［' | '〔' => return Ok(literal(1 + next.len_utf8())),
        _ => return Ok(literal(1)),
    };
    let inside = &c.text[2..];
    let close = memchr::memmem::find(inside.as_bytes(), end.as_bytes());
    let gap = memchr::memmem::find(inside.as_bytes(), if display { b"\n\n" } else { b"\n" });
    match (close, gap) {
        (Some(close), Some(gap)) if gap < close => return Ok(literal(2)),
        (Some(close), _) => return Ok(literal(2 + close + 2)),
        (None, Some(_)) => return Ok(literal(2)),
        (None, None) => {}
    }
    let open = inside.starts_with(['\n', ' ', '\r']) && display || is_formula(inside);
    let span = if display { Span::Display(end) } else { Span::Math(end) };
    undecided(c, Opening { len: 2, span: open.then_some(span) })
}

/// Whether `text` has what prose hasn't: a command, a subscript, a superscript.
fn is_formula(text: &str) -> bool {
    let text = text.as_bytes();
    text.windows(2)
        .any(|pair| pair[0] == b'\\' && pair[1].is_ascii_alphabetic() || pair == b"_{" || pair[0] == b'^')
}

/// A less-than sign: a comment, a tag, an autolink, or nothing.
pub(super) fn less_than(c: Cursor<'_>) -> Scan<Opening> {
    let text = c.text.as_bytes();
    if c.text.starts_with("<!--") {
        return Ok(Opening { len: 4, span: Some(Span::Comment) });
    }
    let name = text
        .iter()
        .skip(1)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'!' | b'-'))
        .count();
    match text.get(1 + name) {
        None => return undecided(c, literal(1)),
        Some(b' ' | b'\t' | b'\n' | b'>' | b':' | b'@' | b'.') if name > 0 => {}
        Some(_) => return Ok(literal(1)),
    }
    let mut quote = None;
    for (at, byte) in text.iter().copied().enumerate().skip(1 + name) {
        match (quote, byte) {
            (None, b'>') => return Ok(Opening { len: at + 1, span: raw(&c.text[1..1 + name]) }),
            (None, b'<') | (_, b'\n') if text[at - 1] == b'\n' || byte == b'<' => return Ok(literal(1)),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    let evidence = has_any(c.text, &["=\"", "='", "<http", "<HTTP"]);
    undecided(c, Opening { len: 1, span: evidence.then_some(Span::Tag) })
}

/// The span that an opening tag of this name begins.
fn raw(name: &str) -> Option<Span> {
    RAW.into_iter().find(|known| known.eq_ignore_ascii_case(name)).map(Span::Raw)
}

/// The answer at the end of the window: wait, or `answer`.
fn undecided(c: Cursor<'_>, answer: Opening) -> Scan<Opening> {
    match c.end {
        End::More => Err(Stop::More),
        End::Full => Ok(answer),
        End::Eof => Ok(literal(answer.len)),
    }
}
