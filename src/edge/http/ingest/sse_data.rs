//! `text/event-stream` bodies: the data of each SSE event is one of ours (WHATWG HTML, section 9.2.6).
//!
//! Lines end with LF, CRLF or CR; `data:` lines of one event are joined; comments, names and ids are skipped, and so is
//! the `[DONE]` that some model servers end with.

use axum::body::Bytes;

use super::Cut;
use crate::domain::verdict::{Code, Refusal};

/// Cuts a body into the data of its events.
#[derive(Debug, Default)]
pub struct SseData {
    line: Vec<u8>,
    data: String,
    has_data: bool,
    after_cr: bool,
    begun: bool,
    broken: Option<Refusal>,
}

impl Cut for SseData {
    fn feed(&mut self, bytes: &Bytes, most: usize, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        let mut rest = &bytes[..];
        while let Some((byte, tail)) = rest.split_first() {
            if std::mem::take(&mut self.after_cr) && *byte == b'\n' {
                rest = tail;
                continue;
            }
            let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.hold(rest, most);
                return;
            };
            self.hold(&rest[..at], most);
            self.after_cr = rest[at] == b'\r';
            self.end_line(take);
            rest = &rest[at + 1..];
        }
    }

    /// An event without its empty line isn't whole: it is refused rather than guessed.
    fn finish(&mut self, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        if self.has_data || self.line.starts_with(b"data") {
            take(Err(Refusal::new(Code::InvalidJson, "the body broke off inside an event")));
        }
    }
}

impl SseData {
    fn hold(&mut self, part: &[u8], most: usize) {
        if self.line.len() + self.data.len() + part.len() > most + "data: ".len() {
            self.broken = Some(Refusal::new(Code::EventTooLarge, format!("an event of over {most} bytes")));
            self.line.clear();
            self.data.clear();
        }
        if self.broken.is_none() || self.line.len() + part.len() <= most {
            self.line.extend_from_slice(part);
        }
    }

    fn end_line(&mut self, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        let line = std::mem::take(&mut self.line);
        let line = if std::mem::replace(&mut self.begun, true) { &line[..] } else { without_bom(&line) };
        if line.is_empty() {
            self.end_event(take);
        } else if let Some(value) = field(line, b"data") {
            match std::str::from_utf8(value) {
                Ok(text) => self.add_data(text),
                Err(_) => self.broken = Some(Refusal::new(Code::InvalidJson, "data that isn't UTF-8")),
            }
        }
    }

    fn add_data(&mut self, text: &str) {
        if self.has_data {
            self.data.push('\n');
        }
        self.data.push_str(text);
        self.has_data = true;
    }

    fn end_event(&mut self, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        let data = std::mem::take(&mut self.data);
        let had_data = std::mem::take(&mut self.has_data);
        match self.broken.take() {
            Some(refusal) => take(Err(refusal)),
            None if had_data && data.trim() != "[DONE]" => take(Ok(data.trim())),
            None => {}
        }
    }
}

fn without_bom(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}

/// The value of a line's field, where it is the one asked for.
fn field<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(name)?;
    match rest.strip_prefix(b":") {
        Some(value) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        None => rest.is_empty().then_some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(parts: &[&[u8]]) -> Vec<Result<String, Code>> {
        let mut sse = SseData::default();
        let mut found = Vec::new();
        let mut take = |data: Result<&str, Refusal>| found.push(data.map(str::to_owned).map_err(|r| r.code));
        for part in parts {
            sse.feed(&Bytes::copy_from_slice(part), 64, &mut take);
        }
        sse.finish(&mut take);
        found
    }

    #[test]
    fn every_way_of_cutting_a_body_gives_the_same_events() {
        let body = "\u{feff}: hello\r\nevent: x\r\ndata: {\"a\":\r\ndata:1}\r\n\r\nid: 7\rdata:{}\r\rdata: [DONE]\n\ndata: \"ä\"\n\n";
        let body = body.as_bytes();
        let whole = cut(&[body]);
        assert_eq!(whole, [Ok("{\"a\":\n1}".into()), Ok("{}".into()), Ok("\"ä\"".into())]);
        for at in 0..body.len() {
            assert_eq!(cut(&[&body[..at], &body[at..]]), whole, "cut at {at}");
        }
    }

    #[test]
    fn an_event_that_is_too_long_or_breaks_off_is_refused() {
        let long = format!("data: {}\n\ndata: 1\n\n", "x".repeat(100));
        assert_eq!(cut(&[long.as_bytes()]), [Err(Code::EventTooLarge), Ok("1".into())]);
        assert_eq!(cut(&[b"data: 1\n\ndata: 2\n"]), [Ok("1".into()), Err(Code::InvalidJson)]);
    }
}
