//! `application/x-ndjson`: one event a line; `\n` or `\r\n`; empty lines are skipped, and so is a byte order mark before the first.

use super::Cut;
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::subagents::JSON_BLANKS;

/// Cuts a body into lines. What is held is bounded by the longest event that is taken.
#[derive(Debug, Default)]
pub struct Lines {
    held: Vec<u8>,
    /// Whether the line that is coming was refused for its length already.
    skipping: bool,
    /// Whether the first line is over.
    begun: bool,
}

impl Cut for Lines {
    fn feed(&mut self, bytes: &[u8], most: usize, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        let mut rest = bytes;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.end_line(&rest[..at], most, take);
            rest = &rest[at + 1..];
        }
        if self.skipping {
            return;
        }
        if self.is_too_long(rest, most) {
            self.held = Vec::new();
            self.skipping = true;
            take(Err(too_long(most)));
        } else {
            self.held.extend_from_slice(rest);
        }
    }

    fn finish(&mut self, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        // What is held was found short enough when it came.
        self.end_line(&[], usize::MAX, take);
    }

    fn held(&self) -> usize {
        self.held.len()
    }
}

impl Lines {
    fn end_line(&mut self, end: &[u8], most: usize, take: &mut dyn FnMut(Result<&str, Refusal>)) {
        let begun = std::mem::replace(&mut self.begun, true);
        if std::mem::take(&mut self.skipping) {
            return;
        }
        if self.is_too_long(end, most) {
            self.held.clear();
            return take(Err(too_long(most)));
        }
        if self.held.is_empty() {
            return take_line(unmarked(end, begun), take);
        }
        self.held.extend_from_slice(end);
        take_line(unmarked(&self.held, begun), take);
        self.held.clear();
    }

    /// Whether what is held and `more` is longer than a line may be: the same wherever a body is cut, so a CR that may
    /// belong to the line's end doesn't count.
    fn is_too_long(&self, more: &[u8], most: usize) -> bool {
        let last = more.last().or(self.held.last());
        let content = self.held.len() + more.len() - usize::from(last == Some(&b'\r'));
        content > most
    }
}

fn too_long(most: usize) -> Refusal {
    Refusal::new(Code::EventTooLarge, format!("a line of over {most} bytes"))
}

/// A line without the byte order mark that the first one may have.
fn unmarked(line: &[u8], begun: bool) -> &[u8] {
    if begun { line } else { line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line) }
}

fn take_line(line: &[u8], take: &mut dyn FnMut(Result<&str, Refusal>)) {
    match std::str::from_utf8(line) {
        Ok(text) if text.trim().is_empty() => {}
        Ok(text) => take(Ok(text.trim_matches(JSON_BLANKS))),
        Err(_) => take(Err(Refusal::new(Code::InvalidJson, "a line that isn't UTF-8"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(parts: &[&[u8]], most: usize) -> Vec<Result<String, Code>> {
        let mut lines = Lines::default();
        let mut found = Vec::new();
        let mut take = |line: Result<&str, Refusal>| found.push(line.map(str::to_owned).map_err(|r| r.code));
        for part in parts {
            lines.feed(part, most, &mut take);
        }
        lines.finish(&mut take);
        found
    }

    #[test]
    fn every_way_of_cutting_a_body_gives_the_same_lines() {
        let body = "\u{feff}{\"a\":1}\r\n\n{\"b\":\"ä\"}\n{\"c\":3}".as_bytes();
        let whole = cut(&[body], 100);
        assert_eq!(whole, [Ok("{\"a\":1}".into()), Ok("{\"b\":\"ä\"}".into()), Ok("{\"c\":3}".into())]);
        for at in 0..body.len() {
            assert_eq!(cut(&[&body[..at], &body[at..]], 100), whole, "cut at {at}");
        }
    }

    #[test]
    fn a_byte_order_mark_stands_before_the_first_line_only() {
        let found = cut(&["\u{feff}\n{}\n\u{feff}{}\n".as_bytes()], 10);
        assert_eq!(found, [Ok("{}".into()), Ok("\u{feff}{}".into())]);
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_once_and_the_next_is_taken() {
        let found = cut(&[b"xxxxxxxx", b"xxxxxxxx", b"xx\n{}\n"], 10);
        assert_eq!(found, [Err(Code::EventTooLarge), Ok("{}".into())]);
    }

    #[test]
    fn a_line_is_too_long_wherever_the_body_is_cut() {
        for (body, expected) in [
            ("123456789\r\n", Ok("123456789")),
            ("1234567890\r\n", Ok("1234567890")),
            ("1234567890", Ok("1234567890")),
            ("12345678901\n", Err(Code::EventTooLarge)),
            ("   1234567890\n", Err(Code::EventTooLarge)),
            ("1234567890\r\r\n", Err(Code::EventTooLarge)),
        ] {
            let expected = [expected.map(str::to_owned)];
            assert_eq!(cut(&[body.as_bytes()], 10), expected, "{body:?}");
            for at in 0..body.len() {
                let (before, after) = body.as_bytes().split_at(at);
                assert_eq!(cut(&[before, after], 10), expected, "{body:?} cut at {at}");
            }
        }
    }

    #[test]
    fn a_line_that_is_not_utf8_is_refused() {
        assert_eq!(cut(&[b"\xff\n{}\n"], 10), [Err(Code::InvalidJson), Ok("{}".into())]);
    }
}
