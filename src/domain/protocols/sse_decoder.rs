//! A `text/event-stream` as events (WHATWG HTML, section 9.2 "Server-sent events").
//!
//! Lines end with LF, CR or CRLF, wherever the bytes are cut; a byte order mark at the very beginning is skipped;
//! `data` lines of one event are joined by LF; comments and unknown fields are skipped, and so are `id` and `retry`,
//! because an answer is never asked for again from its middle. Three deviations: an event that a whole body ends with needs no empty line (a
//! browser drops it, as it can't know whether a stream broke off), bytes that aren't UTF-8 in a name or in data are a failure (the standard puts U+FFFD in
//! their place, and a result would be changed silently), and lines and events are bounded.

use super::Failure;

#[cfg(test)]
mod tests;

/// Longest name of a field with what stands around it: `event: `, and some spare.
const FIELD_BYTES: usize = 16;

/// One event of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseEvent<'a> {
    /// The event's name; empty: it was given none, which the standard calls `message`.
    pub name: &'a str,
    /// The data, its lines joined by LF.
    pub data: &'a str,
}

/// Cuts a stream into its events. Holds at most one line and one event.
#[derive(Debug)]
pub struct SseDecoder {
    event_bytes: usize,
    line: Vec<u8>,
    name: String,
    data: String,
    has_data: bool,
    after_cr: bool,
    /// Whether the first line, which may begin with a byte order mark, is over.
    begun: bool,
}

impl SseDecoder {
    /// A decoder of events of at most `event_bytes` bytes of data each.
    pub fn new(event_bytes: usize) -> Self {
        let (line, name, data) = (Vec::new(), String::new(), String::new());
        Self { event_bytes, line, name, data, has_data: false, after_cr: false, begun: false }
    }

    /// Takes the next bytes of the body; `take` gets each event that they complete. An event without data is none.
    ///
    /// Stops at the first error: `malformed_answer` (not UTF-8), `answer_too_large`, or what `take` gave. After one
    /// the decoder is of no more use.
    pub fn feed(
        &mut self,
        chunk: &[u8],
        take: &mut dyn FnMut(SseEvent<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut rest = chunk;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(at) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.check_line(self.line.len() + rest.len())?;
                self.line.extend_from_slice(rest);
                return Ok(());
            };
            self.check_line(self.line.len() + at)?;
            self.after_cr = rest[at] == b'\r';
            self.end_line(&rest[..at], take)?;
            rest = &rest[at + 1..];
        }
        Ok(())
    }

    /// Whether the last line so far has no end.
    pub fn is_inside_line(&self) -> bool {
        !self.line.is_empty()
    }

    /// The body ended cleanly: what it ended in is an event too.
    pub fn finish(
        &mut self,
        take: &mut dyn FnMut(SseEvent<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.feed(b"\n\n", take)
    }

    fn check_line(&self, bytes: usize) -> Result<(), Failure> {
        if bytes > self.event_bytes.saturating_add(FIELD_BYTES) {
            return Err(Failure::too_large("a line", self.event_bytes));
        }
        Ok(())
    }

    /// The line is what is held and then `end`, which is mostly all of it and then isn't copied.
    fn end_line(
        &mut self,
        end: &[u8],
        take: &mut dyn FnMut(SseEvent<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.line.is_empty() {
            return self.take_line(end, take);
        }
        let mut line = std::mem::take(&mut self.line);
        line.extend_from_slice(end);
        let taken = self.take_line(&line, take);
        line.clear();
        self.line = line;
        taken
    }

    fn take_line(
        &mut self,
        line: &[u8],
        take: &mut dyn FnMut(SseEvent<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let begun = std::mem::replace(&mut self.begun, true);
        let line = if begun { line } else { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line) };
        if line.is_empty() {
            return self.end_event(take);
        }
        if let Some(value) = field(line, b"data") {
            return self.add_data(text(value)?);
        }
        if let Some(value) = field(line, b"event") {
            self.name.clear();
            self.name.push_str(text(value)?);
        }
        Ok(())
    }

    fn add_data(&mut self, value: &str) -> Result<(), Failure> {
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push('\n');
        }
        if self.data.len() + value.len() > self.event_bytes {
            return Err(Failure::too_large("an event", self.event_bytes));
        }
        self.data.push_str(value);
        Ok(())
    }

    fn end_event(
        &mut self,
        take: &mut dyn FnMut(SseEvent<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let taken = match std::mem::take(&mut self.has_data) {
            true => take(SseEvent { name: &self.name, data: &self.data }),
            false => Ok(()),
        };
        self.name.clear();
        self.data.clear();
        taken
    }
}

/// The value of a line's field, where it is the one asked for. One space after the colon isn't a part of it.
fn field<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(name)?;
    match rest.strip_prefix(b":") {
        Some(value) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        None => rest.is_empty().then_some(rest),
    }
}

fn text(value: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(value).map_err(|_| Failure::malformed("the answer's events aren't UTF-8"))
}
