//! `text/event-stream` bodies: the data of each SSE event is one of ours (WHATWG HTML, section 9.2.6).
//!
//! Lines end with LF, CRLF or CR; `data:` lines of one event are joined; comments, names and ids are skipped, and so is
//! the `[DONE]` that some model servers end with, and what only says that the line lives or ends (empty data, `{}` under a
//! name), as in the answer of a subagent that is called. An event that the body ends after is taken without its empty line, as the
//! last of lines is without its line break: WHATWG drops it, since a browser can't know whether a stream broke off. A body
//! that did isn't finished.

use super::super::subagents::JSON_BLANKS;
use super::Cut;
use crate::domain::protocols::is_sign_of_life;
use crate::domain::verdict::{Code, Refusal};

/// What a line may be longer than its event's data: `data: `, a byte order mark, and some spare.
const FIELD_BYTES: usize = 16;
/// Bytes of an event's name that are kept.
const NAME_BYTES: usize = 16;

/// Cuts a body into the data of its events.
#[derive(Debug, Default)]
pub struct SseData {
    /// The line that is coming. The end of one that is too long is passed over: what is held of it is too long as well.
    line: Vec<u8>,
    name: String,
    data: String,
    has_data: bool,
    after_cr: bool,
    begun: bool,
    /// The longest event that is taken, as it was with the last bytes.
    most: usize,
    /// Whether any line was data, and whether any was nothing that SSE knows.
    said_data: bool,
    said_else: bool,
    /// Why the event that is coming will be refused.
    broken: Option<Refusal>,
}

impl Cut for SseData {
    fn feed(&mut self, bytes: &[u8], most: usize, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        self.most = most;
        let mut rest = bytes;
        while let Some(byte) = rest.first() {
            if std::mem::take(&mut self.after_cr) && *byte == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(at) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.hold(rest, most);
                return;
            };
            self.hold(&rest[..at], most);
            self.after_cr = rest[at] == b'\r';
            self.end_line(most, take);
            rest = &rest[at + 1..];
        }
    }

    fn finish(&mut self, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        let most = self.most;
        self.end_line(most, take);
        self.end_event(take);
        if self.said_else && !self.said_data {
            // Its sender would take the answer, that nothing was wrong, for one to what it sent.
            let text = "this is no `text/event-stream`: no line of it is `data:`; JSON is sent as `application/json`";
            take(Err(Refusal::new(Code::InvalidEvent, text)));
        }
    }

    fn held(&self) -> usize {
        self.line.len() + self.data.len()
    }
}

impl SseData {
    fn hold(&mut self, part: &[u8], most: usize) {
        let room = most.saturating_add(FIELD_BYTES).saturating_sub(self.line.len());
        self.line.extend_from_slice(&part[..part.len().min(room)]);
    }

    /// The line, without the byte order mark that a body may begin with.
    fn line_text(&self) -> &[u8] {
        let bom = "\u{feff}".as_bytes();
        if self.begun { &self.line } else { self.line.strip_prefix(bom).unwrap_or(&self.line) }
    }

    fn end_line(&mut self, most: usize, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        if self.line_text().is_empty() {
            self.end_event(take);
        } else {
            self.note_line();
            self.read_field(most);
        }
        self.line = Vec::new();
        self.begun = true;
    }

    /// Takes note of what kind of line this is.
    fn note_line(&mut self) {
        let line = self.line_text();
        let is = |name: &[u8]| field(line, name).is_some();
        let is_data = is(b"data");
        let is_known = is_data || is(b"event") || is(b"id") || is(b"retry") || line.starts_with(b":");
        let is_else = !is_known && !line.trim_ascii().is_empty();
        self.said_data |= is_data;
        self.said_else |= is_else;
    }

    /// Comments and other fields are skipped, whatever their length.
    fn read_field(&mut self, most: usize) {
        if let Some(name) = field(self.line_text(), b"event") {
            self.name = String::from_utf8_lossy(&name[..name.len().min(NAME_BYTES)]).into_owned();
        }
        let Some(value) = field(self.line_text(), b"data") else { return };
        let bytes = self.data.len() + usize::from(self.has_data) + value.len();
        let added = match std::str::from_utf8(value) {
            _ if self.broken.is_some() => return,
            _ if bytes > most => {
                Err(Refusal::new(Code::EventTooLarge, format!("an event of over {most} bytes")))
            }
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Refusal::new(Code::InvalidJson, "data that isn't UTF-8")),
        };
        match added {
            Ok(text) => self.add_data(&text),
            Err(refusal) => {
                self.data = String::new();
                self.broken = Some(refusal);
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
        let had_data = std::mem::take(&mut self.has_data);
        let name = std::mem::take(&mut self.name);
        let data = self.data.trim_matches(JSON_BLANKS);
        match self.broken.take() {
            Some(refusal) => take(Err(refusal)),
            None if had_data && data != "[DONE]" && !is_sign_of_life(&name, data) => take(Ok(data)),
            None => {}
        }
        self.data = String::new();
    }
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
            sse.feed(part, 64, &mut take);
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
    fn an_event_that_is_too_long_is_refused() {
        let long = format!("data: {}\n\ndata: 1\n\n", "x".repeat(100));
        assert_eq!(cut(&[long.as_bytes()]), [Err(Code::EventTooLarge), Ok("1".into())]);
    }

    #[test]
    fn the_end_of_a_body_ends_its_last_event() {
        for end in ["", "\n", "\r", "\r\n", "\n: bye", "\nid", "\n\n"] {
            let body = format!("data: 1\n\ndata: 2{end}");
            assert_eq!(cut(&[body.as_bytes()]), [Ok("1".into()), Ok("2".into())], "{end:?}");
        }
        assert_eq!(cut(&[b"data: 1\n\ndata: [DONE]"]), [Ok("1".into())]);
        assert_eq!(cut(&[b"data: 1\n\ndat"]), [Ok("1".into())], "no field of ours");
        assert_eq!(cut(&[format!("data: {}", "x".repeat(65)).as_bytes()]), [Err(Code::EventTooLarge)]);
    }

    #[test]
    fn a_body_of_another_kind_is_refused_wherever_it_is_cut() {
        for (body, expected) in [
            ("{\"status\":\"success\"}", vec![Err(Code::InvalidEvent)]),
            ("{\n\"status\":\"success\"}\n\n", vec![Err(Code::InvalidEvent)]),
            ("", vec![]),
            (" \n", vec![]),
            (": still here\n\nevent: ping\nid: 1\nretry: 5\n\n", vec![]),
            ("data: [DONE]\n\n", vec![]),
            (
                "data:\n\ndata: \n\nevent: end\ndata: {}\n\nevent: a_long_name_of_an_event\ndata: null\n\n",
                vec![],
            ),
            (
                "event: message\ndata: {}\n\ndata: {}\n\nevent: end\ndata: 1\n\n",
                ["{}", "{}", "1"].map(|one| Ok(one.to_owned())).into(),
            ),
            ("ours: 1\ndata: 1\n\n", vec![Ok("1".to_owned())]),
        ] {
            for at in 0..=body.len() {
                let (before, after) = body.as_bytes().split_at(at);
                assert_eq!(cut(&[before, after]), expected, "{body} cut at {at}");
            }
        }
    }

    #[test]
    fn nothing_of_an_event_that_is_too_long_is_taken_wherever_the_body_is_cut() {
        let x = |bytes: usize| "x".repeat(bytes);
        for (body, expected) in [
            (format!("data: {}\ndata: 1\n\ndata: 2\n\n", x(100)), vec![Err(Code::EventTooLarge), Ok("2")]),
            (format!("data: 1\ndata: {}\n\ndata: 2\n\n", x(64)), vec![Err(Code::EventTooLarge), Ok("2")]),
            (format!("data: {}\n", x(100)), vec![Err(Code::EventTooLarge)]),
            (format!("data: {}\n\n", x(65)), vec![Err(Code::EventTooLarge)]),
            (format!(": {}\ndata: 1\nid: {}\n\n", x(100), x(100)), vec![Ok("1")]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|one| one.map(str::to_owned)).collect();
            assert_eq!(cut(&[body.as_bytes()]), expected, "{body}");
            for at in 0..body.len() {
                let (before, after) = body.as_bytes().split_at(at);
                assert_eq!(cut(&[before, after]), expected, "{body} cut at {at}");
            }
        }
        let longest = x(64);
        assert_eq!(cut(&[format!("data: {longest}\r\n\r\n").as_bytes()]), [Ok(longest)]);
    }
}
