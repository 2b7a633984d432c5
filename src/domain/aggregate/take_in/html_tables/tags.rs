//! The tags of HTML in a text, in one pass.

use memchr::memchr;

/// Bytes of a tag, with its attributes: what is longer isn't read as one.
const TAG_BYTES_MAX: usize = 600;
/// Bytes of a tag's name.
const NAME_BYTES_MAX: usize = 20;
/// Elements that are passed over whole: what stands in them is code, or isn't seen.
const WHOLE: [&str; 7] = ["pre", "code", "script", "style", "textarea", "template", "svg"];
const COMMENT: (&str, &str) = ("<!--", "-->");

/// A tag, or a whole element or comment that is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub start: usize,
    pub end: usize,
    /// As it is written; `!--` of a comment.
    pub name: &'t str,
    pub closes: bool,
    /// Whether it is an element or a comment, up to its end.
    pub is_whole: bool,
    /// All of it.
    pub written: &'t str,
}

impl<'t> Tag<'t> {
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    pub fn is_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.is(name))
    }

    /// What an attribute says.
    pub fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.written.get(1 + self.name.len()..)?;
        while let Some((before, behind)) = rest.split_once('=') {
            let behind = behind.trim_start();
            let (value, after) = match behind.chars().next().filter(|c| matches!(c, '"' | '\'')) {
                Some(quote) => behind[1..].split_once(quote)?,
                None => behind.split_at(behind.find([' ', '\t', '\n', '>'])?),
            };
            let own = before.trim_end().rsplit([' ', '\t', '\n', '/']).next().unwrap_or_default();
            if own.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = after;
        }
        None
    }
}

/// Reads the tags of a text one by one. Linear: no byte is looked at more than a few times.
#[derive(Debug)]
pub(super) struct Tags<'t> {
    text: &'t str,
    /// Where the next one is looked for.
    pub at: usize,
    /// What ends nowhere behind one place ends nowhere behind a later one.
    endless: Vec<&'static str>,
}

impl<'t> Tags<'t> {
    pub fn of(text: &'t str, at: usize) -> Self {
        Self { text, at, endless: Vec::new() }
    }

    fn whole(&mut self, start: usize, name: &'t str, close: &'static str, behind: usize) -> Option<Tag<'t>> {
        if self.endless.contains(&close) {
            return None;
        }
        let Some(end) = find(self.text, behind, close) else {
            self.endless.push(close);
            return None;
        };
        let written = &self.text[start..end];
        Some(Tag { start, end, name, closes: false, is_whole: true, written })
    }
}

impl<'t> Iterator for Tags<'t> {
    type Item = Tag<'t>;

    fn next(&mut self) -> Option<Tag<'t>> {
        loop {
            let start = self.at + memchr(b'<', self.text.as_bytes().get(self.at..)?)?;
            self.at = start + 1;
            let rest = &self.text[start..];
            let found = if rest.starts_with(COMMENT.0) {
                self.whole(start, &rest[1..4], COMMENT.1, start + COMMENT.0.len())
            } else {
                tag(self.text, start).map(|tag| {
                    let element = WHOLE.iter().find(|name| !tag.closes && tag.is(name));
                    element.and_then(|name| self.whole(start, tag.name, name, tag.end)).unwrap_or(tag)
                })
            };
            if let Some(found) = found {
                self.at = found.end;
                return Some(found);
            }
        }
    }
}

/// The tag that begins at `start`. No other may begin within it, or each place would be read up to the same end.
fn tag(text: &str, start: usize) -> Option<Tag<'_>> {
    let bytes = text.as_bytes();
    let closes = bytes.get(start + 1) == Some(&b'/');
    let name_start = start + 1 + usize::from(closes);
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric();
    let length = bytes.get(name_start..)?.iter().take(NAME_BYTES_MAX).take_while(is_of_name).count();
    let name = &text[name_start..name_start + length];
    let behind = bytes.get(name_start + length)?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (behind.is_ascii_whitespace() || matches!(behind, b'>' | b'/'));
    if !is_name {
        return None;
    }
    let (mut quote, mut before) = (None, b' ');
    for (at, &byte) in bytes[name_start + length..].iter().take(TAG_BYTES_MAX).enumerate() {
        match (quote, byte) {
            (_, b'<') => return None,
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') if before == b'=' => quote = Some(byte),
            (None, b'>') => {
                let end = name_start + length + at + 1;
                return Some(Tag { start, end, name, closes, is_whole: false, written: &text[start..end] });
            }
            _ => {}
        }
        before = byte;
    }
    None
}

/// Where `-->`, or the closing tag of an element, ends.
fn find(text: &str, from: usize, close: &str) -> Option<usize> {
    if close == COMMENT.1 {
        return memchr::memmem::find(&text.as_bytes()[from..], close.as_bytes())
            .map(|at| from + at + close.len());
    }
    let mut at = from;
    loop {
        at += memchr(b'<', &text.as_bytes()[at..])?;
        if let Some(tag) = tag(text, at).filter(|tag| tag.closes && tag.is(close)) {
            return Some(tag.end);
        }
        at += 1;
    }
}
