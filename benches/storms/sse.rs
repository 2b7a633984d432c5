//! Server-sent events out of an HTTP/1.1 answer, as the bytes come.

use anyhow::{Context, Result, ensure};
use memchr::memmem;

/// One event of a stream.
pub struct Event<'a> {
    pub name: &'a str,
    pub id: Option<&'a str>,
    pub data: &'a str,
    /// Milliseconds to wait before coming back.
    pub retry: Option<u64>,
}

/// What of the answer comes next.
enum Next {
    Head,
    /// A chunk, or what is left of it: its bytes and the line end after them.
    Chunk(usize),
    ChunkSize,
    End,
}

/// Takes bytes and hands on whole events.
pub struct Decoder {
    /// Of the answer's head.
    pub status: Option<u16>,
    next: Next,
    /// Bytes of the answer that aren't understood yet.
    raw: Vec<u8>,
    /// Bytes of the body that don't make a whole event yet.
    body: Vec<u8>,
}

impl Decoder {
    pub fn new() -> Self {
        Self { status: None, next: Next::Head, raw: Vec::new(), body: Vec::new() }
    }

    /// Whether the answer came to its proper end.
    pub fn is_whole(&self) -> bool {
        matches!(self.next, Next::End)
    }

    /// Takes more bytes of the answer.
    pub fn feed(&mut self, bytes: &[u8], mut on: impl FnMut(Event<'_>) -> Result<()>) -> Result<()> {
        self.raw.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(taken) = self.step(at)? {
            at += taken;
        }
        self.raw.drain(..at);
        let mut begin = 0;
        while let Some(end) = memmem::find(&self.body[begin..], b"\n\n") {
            let text = std::str::from_utf8(&self.body[begin..begin + end]).context("not UTF-8")?;
            if let Some(event) = parse(text) {
                on(event)?;
            }
            begin += end + 2;
        }
        self.body.drain(..begin);
        Ok(())
    }

    /// Moves what it can from `raw[at..]` to the body; how many bytes, or `None` where more are needed.
    fn step(&mut self, at: usize) -> Result<Option<usize>> {
        let raw = &self.raw[at..];
        match self.next {
            Next::End => Ok(None),
            Next::Head => {
                let Some(end) = memmem::find(raw, b"\r\n\r\n") else { return Ok(None) };
                let head = String::from_utf8_lossy(&raw[..end]).to_ascii_lowercase();
                let status = head.strip_prefix("http/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
                self.status = Some(status.with_context(|| format!("not HTTP: {head}"))?);
                let is_chunked = head.contains("transfer-encoding: chunked");
                ensure!(is_chunked || self.status != Some(200), "a stream that isn't chunked: {head}");
                self.next = if is_chunked { Next::ChunkSize } else { Next::End };
                Ok(Some(end + 4))
            }
            Next::ChunkSize => {
                let Some(end) = memmem::find(raw, b"\r\n") else { return Ok(None) };
                let digits = std::str::from_utf8(&raw[..end]).context("a chunk's size")?;
                let size =
                    usize::from_str_radix(digits, 16).with_context(|| format!("a chunk of {digits:?}"))?;
                self.next = if size == 0 { Next::End } else { Next::Chunk(size) };
                Ok(Some(end + 2))
            }
            Next::Chunk(size) => {
                if raw.len() < size + 2 {
                    return Ok(None);
                }
                ensure!(&raw[size..size + 2] == b"\r\n", "a chunk longer than it says");
                self.body.extend_from_slice(&self.raw[at..at + size]);
                self.next = Next::ChunkSize;
                Ok(Some(size + 2))
            }
        }
    }
}

/// `None` for a block without data, such as a comment.
fn parse(text: &str) -> Option<Event<'_>> {
    let (mut name, mut id, mut data, mut retry) = ("message", None, None, None);
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("event", value)) => name = value,
            Some(("id", value)) => id = Some(value),
            Some(("data", value)) => data = Some(value),
            Some(("retry", value)) => retry = value.parse().ok(),
            _ => {}
        }
    }
    data.map(|data| Event { name, id, data, retry })
}
