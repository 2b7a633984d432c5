//! What is left as it is, up to its end: code, mathematics, HTML, the destinations of links.

use super::{State, Step};
use crate::domain::synthesis::citations::Rewriter;
use crate::domain::synthesis::citations::spans::{self, Span};
use crate::domain::synthesis::citations::window::{Cursor, End, Stop};

impl Rewriter<'_> {
    /// Text that isn't prose, up to its end.
    pub(super) fn verbatim(
        &mut self,
        span: Span,
        buffer: &str,
        at: usize,
        eof: bool,
        out: &mut String,
    ) -> Step {
        let rest = &buffer.as_bytes()[at..];
        let stop = match span {
            Span::Code(_) => memchr::memchr2(b'`', b'\n', rest),
            Span::Math(end) | Span::Display(end) => memchr::memchr3(end.as_bytes()[0], b'\n', b'\\', rest),
            Span::Comment => memchr::memchr2(b'-', b'\n', rest),
            Span::Tag => memchr::memchr3(b'>', b'\n', b'<', rest),
            Span::Raw(_) => memchr::memchr2(b'<', b'\n', rest),
            Span::Destination(_) => rest.iter().position(|byte| b"()\\\n \t".contains(byte)),
            Span::Title(quote) => memchr::memchr3(quote, b'\n', b'\\', rest),
        };
        let Some(stop) = stop.map(|stop| at + stop) else {
            self.emit(&buffer[at..], out);
            return Ok(buffer.len());
        };
        if buffer.as_bytes()[stop] == b'\n' {
            self.line_start = true;
            self.emit(&buffer[at..=stop], out);
            return Ok(stop + 1);
        }
        let Some((len, next)) = self.span_end(span, Cursor::new(buffer, stop, eof)) else {
            self.emit(&buffer[at..stop], out);
            return Err(stop);
        };
        self.state = next.map_or(State::Text, State::Verbatim);
        self.emit(&buffer[at..stop + len], out);
        Ok(stop + len)
    }

    /// What a byte means that may end `span`: the bytes to take, and what goes on; `None` to wait.
    fn span_end(&self, span: Span, c: Cursor<'_>) -> Option<(usize, Option<Span>)> {
        let on = |len| Some((len, Some(span)));
        let sees = |word: &str| match c.sees(word) {
            Err(Stop::More) => None,
            Ok(seen) => Some(seen),
            Err(Stop::Full | Stop::No) => Some(false),
        };
        let first = c.text.as_bytes()[0];
        match span {
            Span::Code(run) => match spans::run(c, b'`') {
                Err(_) => None,
                Ok(found) if found == run => Some((found, None)),
                Ok(found) => on(found),
            },
            Span::Math(end) | Span::Display(end) => {
                if sees(end)? {
                    return Some((end.len(), None));
                }
                let escaped =
                    if first == b'\\' { c.text[1..].chars().next().map_or(0, char::len_utf8) } else { 0 };
                if first == b'\\' && escaped == 0 && c.end == End::More {
                    return None;
                }
                on(1 + if c.text[1..].starts_with('\n') { 0 } else { escaped })
            }
            Span::Comment => {
                if sees("-->")? {
                    Some((3, None))
                } else {
                    on(1)
                }
            }
            Span::Tag => Some((usize::from(first == b'>'), None)),
            Span::Raw(name) => {
                if !sees("</")? {
                    return on(1);
                }
                let name_seen = Cursor { at: 2, ..c }.sees(name);
                match name_seen {
                    Err(Stop::More) => None,
                    Ok(true) => Some((2 + name.len(), None)),
                    Ok(false) | Err(Stop::Full | Stop::No) => on(1),
                }
            }
            Span::Destination(depth) => match first {
                b'(' => Some((1, Some(Span::Destination(depth.saturating_add(1))))),
                b')' => Some((1, depth.checked_sub(1).map(Span::Destination))),
                b'\\' => on(1),
                _ => match c.text.as_bytes().get(1) {
                    None if c.end == End::More => None,
                    Some(quote @ (b'"' | b'\'')) => Some((2, Some(Span::Title(*quote)))),
                    Some(b')') => on(1),
                    _ => Some((1, None)),
                },
            },
            Span::Title(_) if first == b'\\' => on(1),
            Span::Title(_) => Some((1, Some(Span::Destination(0)))),
        }
    }

    /// A line of a code block.
    pub(super) fn rest_of_line(&mut self, buffer: &str, at: usize, out: &mut String) -> usize {
        let end = memchr::memchr(b'\n', &buffer.as_bytes()[at..]);
        let next = end.map_or(buffer.len(), |end| at + end + 1);
        self.line_start = end.is_some();
        self.emit(&buffer[at..next], out);
        next
    }

    /// The line that a fence of backticks opens.
    pub(super) fn fence_line(&mut self, buffer: &str, at: usize, run: usize, out: &mut String) -> usize {
        let Some(stop) = memchr::memchr2(b'`', b'\n', &buffer.as_bytes()[at..]) else {
            self.emit(&buffer[at..], out);
            return buffer.len();
        };
        if buffer.as_bytes()[at + stop] == b'\n' {
            self.state = State::Fence(b'`', run);
            return self.rest_of_line(buffer, at, out);
        }
        self.state = State::Verbatim(Span::Code(run));
        self.emit(&buffer[at..at + stop], out);
        at + stop
    }
}
