//! Bytes as texts: a body's lines, and a body as a whole. Both are bounded and look at each byte once.

use super::Failure;
use super::part::trimmed;

/// Cuts a body into lines that end with LF or CRLF; lines of whitespace are skipped.
#[derive(Debug)]
pub(super) struct Lines {
    held: Body,
    /// Whether the first line, which may begin with a byte order mark, is over.
    begun: bool,
}

impl Lines {
    /// Lines of at most `line_bytes` bytes each.
    pub(super) fn new(line_bytes: usize) -> Self {
        Self { held: Body::new(line_bytes), begun: false }
    }

    /// Takes the next bytes; `take` gets each line that they complete.
    pub(super) fn feed(
        &mut self,
        chunk: &[u8],
        take: &mut dyn FnMut(&str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut rest = chunk;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.held.feed(&rest[..at])?;
            self.finish(take)?;
            rest = &rest[at + 1..];
        }
        self.held.feed(rest)
    }

    /// Takes what is held as the last line.
    pub(super) fn finish(
        &mut self,
        take: &mut dyn FnMut(&str) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let first = !std::mem::replace(&mut self.begun, true);
        let line = if first { self.held.text()? } else { trimmed(utf8(&self.held.bytes)?) };
        let taken = if line.is_empty() { Ok(()) } else { take(line) };
        self.held.bytes.clear();
        taken
    }
}

/// A body that is read once it is whole.
#[derive(Debug)]
pub(super) struct Body {
    bytes: Vec<u8>,
    bytes_max: usize,
}

impl Body {
    /// A body of at most `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { bytes: Vec::new(), bytes_max }
    }

    /// Takes the next bytes; `answer_too_large` over the bound.
    pub(super) fn feed(&mut self, chunk: &[u8]) -> Result<(), Failure> {
        if self.bytes.len() + chunk.len() > self.bytes_max {
            return Err(Failure::too_large("a body or a line of it", self.bytes_max));
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    /// All of it as text, without a byte order mark and whitespace around it; `malformed_answer` where it isn't UTF-8.
    pub(super) fn text(&self) -> Result<&str, Failure> {
        let text = utf8(&self.bytes)?;
        Ok(trimmed(text.strip_prefix('\u{feff}').unwrap_or(text)))
    }
}

fn utf8(bytes: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(bytes).map_err(|_| Failure::malformed("the answer isn't UTF-8"))
}
