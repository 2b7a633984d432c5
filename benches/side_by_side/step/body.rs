//! The body of an endless HTTP/1.1 answer, from bytes as they come: head off, chunks joined.

use anyhow::{Context, Result};
use memchr::memmem;

/// Where in an answer the bytes are.
#[derive(Clone, Copy)]
enum Place {
    Head,
    /// Before a chunk's size.
    Size,
    /// Inside a chunk, so many bytes and its line end before the next.
    Chunk(usize),
    /// Up to the end of the connection.
    Unframed,
    /// After the last chunk.
    End,
}

/// An answer that is being read.
pub struct Body {
    place: Place,
    raw: Vec<u8>,
    /// Known once the head is there.
    pub status: Option<u16>,
}

impl Body {
    pub fn new() -> Self {
        Self { place: Place::Head, raw: Vec::new(), status: None }
    }

    /// Whether the server said that this was all.
    pub fn has_ended(&self) -> bool {
        matches!(self.place, Place::End)
    }

    /// Takes more bytes; returns what they add to the body.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.raw.extend_from_slice(bytes);
        let mut content = Vec::new();
        let mut at = 0;
        while let Some(taken) = self.step(at, &mut content)? {
            at += taken;
        }
        self.raw.drain(..at);
        Ok(content)
    }

    /// Takes one part that is whole; `None` where more bytes are needed first.
    fn step(&mut self, at: usize, content: &mut Vec<u8>) -> Result<Option<usize>> {
        let raw = &self.raw[at..];
        let (place, taken) = match self.place {
            Place::Head => {
                let Some(end) = memmem::find(raw, b"\r\n\r\n") else { return Ok(None) };
                let (status, is_chunked) = head(&raw[..end + 4])?;
                self.status = Some(status);
                (if is_chunked { Place::Size } else { Place::Unframed }, end + 4)
            }
            Place::Size => {
                let Some(end) = memmem::find(raw, b"\r\n") else { return Ok(None) };
                let digits = std::str::from_utf8(&raw[..end]).context("a chunk without a size")?;
                let size = usize::from_str_radix(digits.split(';').next().unwrap_or(digits).trim(), 16)
                    .with_context(|| format!("a chunk of size {digits:?}"))?;
                (if size == 0 { Place::End } else { Place::Chunk(size) }, end + 2)
            }
            Place::Chunk(size) => {
                if raw.len() < size + 2 {
                    return Ok(None);
                }
                content.extend_from_slice(&raw[..size]);
                (Place::Size, size + 2)
            }
            Place::Unframed | Place::End if raw.is_empty() => return Ok(None),
            Place::Unframed => {
                content.extend_from_slice(raw);
                (Place::Unframed, raw.len())
            }
            Place::End => (Place::End, raw.len()),
        };
        self.place = place;
        Ok(Some(taken))
    }
}

/// The status, and whether chunks follow.
fn head(bytes: &[u8]) -> Result<(u16, bool)> {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut head = httparse::Response::new(&mut headers);
    head.parse(bytes).context("an answer isn't HTTP/1.1")?;
    let status = head.code.context("an answer without a status")?;
    let is_chunked = head.headers.iter().any(|field| field.name.eq_ignore_ascii_case("transfer-encoding"));
    Ok((status, is_chunked))
}
