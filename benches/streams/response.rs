//! Reading HTTP/1.1 answers from a byte stream: only what publishing needs.

use std::borrow::Cow;

use anyhow::{Context, Result, ensure};
use memchr::memmem;

/// One whole answer at the start of the bytes given.
pub struct Response<'a> {
    pub status: u16,
    pub body: Cow<'a, [u8]>,
    /// Its length on the wire.
    pub bytes: usize,
}

/// The first answer in `bytes`, or `None` while it isn't complete.
pub fn parse(bytes: &[u8]) -> Result<Option<Response<'_>>> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(start) = head.parse(bytes).context("an answer isn't HTTP/1.1")? else {
        return Ok(None);
    };
    let status = head.code.context("an answer without a status")?;
    let field = |name: &str| head.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
    if field("transfer-encoding").is_some() {
        return Ok(unchunk(&bytes[start..])?.map(|(body, length)| Response {
            status,
            body: Cow::Owned(body),
            bytes: start + length,
        }));
    }
    let length = match field("content-length") {
        Some(field) => {
            number_after(field.value, b"").context("a content-length that isn't a number")? as usize
        }
        None => 0,
    };
    let end = start + length;
    Ok(bytes.get(start..end).map(|body| Response { status, body: Cow::Borrowed(body), bytes: end }))
}

/// Joins the chunks of a body (RFC 9112, 7.1; no trailers): the body, and its length on the wire.
fn unchunk(bytes: &[u8]) -> Result<Option<(Vec<u8>, usize)>> {
    let mut body = Vec::new();
    let mut at = 0;
    loop {
        let Some(line) = memmem::find(&bytes[at..], b"\r\n") else { return Ok(None) };
        let digits = std::str::from_utf8(&bytes[at..at + line]).context("a chunk without a size")?;
        let size = usize::from_str_radix(digits.split(';').next().unwrap_or(digits).trim(), 16)
            .with_context(|| format!("a chunk of size {digits:?}"))?;
        let from = at + line + 2;
        let Some(chunk) = bytes.get(from..from + size + 2) else { return Ok(None) };
        ensure!(chunk.ends_with(b"\r\n"), "a chunk longer than it says");
        body.extend_from_slice(&chunk[..size]);
        at = from + size + 2;
        if size == 0 {
            return Ok(Some((body, at)));
        }
    }
}

/// The decimal number right after the first `name` in `bytes`.
pub fn number_after(bytes: &[u8], name: &[u8]) -> Option<u64> {
    let from = memmem::find(bytes, name)? + name.len();
    let digits = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&bytes[from..from + digits]).ok()?.parse().ok()
}
