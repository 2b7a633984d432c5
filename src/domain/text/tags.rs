//! The tags of HTML in a text, for all who look for them.
//!
//! Texts are Markdown as a rule, where `<` may be anything: a tag is what looks like one, whole and near. Linear: no byte is looked
//! at more than a few times.

use crate::domain::text::phrases::begins_with_any;
use memchr::{memchr, memmem};

/// Bytes of a tag, with its attributes: what is longer isn't read as one.
const TAG_BYTES_MAX: usize = 600;
/// Bytes of a tag's name.
const NAME_BYTES_MAX: usize = 20;
const COMMENT: (&str, &str) = ("<!--", "-->");
/// Behind it a tag is spoken of: `the <script> tag`.
const SPOKEN_OF: [&str; 4] = [" tag", " element", "标签", "元素"];

/// A tag, or a whole element or comment that is passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<'t> {
    /// Where it begins in the text.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// As it is written; `!--` of a comment.
    pub name: &'t str,
    /// Whether it is `</…>`.
    pub closes: bool,
    /// Whether it is an element or a comment, up to its end.
    pub is_whole: bool,
    /// All of it.
    pub written: &'t str,
}

impl<'t> Tag<'t> {
    /// Whether it has a name, in any case of its letters.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Whether it has one of some names.
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

/// Reads the tags of HTML's own names in a text one by one.
#[derive(Debug)]
pub struct Tags<'t> {
    text: &'t str,
    /// Elements that are passed over whole.
    whole: &'static [&'static str],
    /// Where the next one is looked for.
    pub at: usize,
    /// What ends nowhere behind one place ends nowhere behind a later one.
    endless: Vec<&'static str>,
}

impl<'t> Tags<'t> {
    /// Those of a text; comments and the elements `whole` are passed over whole.
    pub fn of(text: &'t str, whole: &'static [&'static str]) -> Self {
        Self { text, whole, at: 0, endless: Vec::new() }
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

    /// The element that a tag opens, where it is one of those that are passed over.
    fn element(&mut self, tag: &Tag<'t>) -> Option<Tag<'t>> {
        let name = self.whole.iter().find(|name| !tag.closes && tag.is(name))?;
        if is_spoken_of(&self.text[tag.end..]) {
            return None;
        }
        self.whole(tag.start, tag.name, name, tag.end)
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
                let tag = tag(self.text, start).filter(|tag| !tag.name.contains(['_', ':']));
                tag.map(|tag| self.element(&tag).unwrap_or(tag))
            };
            if let Some(found) = found {
                self.at = found.end;
                return Some(found);
            }
        }
    }
}

/// The tag that begins at `start`, also one of an author's own: `<tool_call>`, `<jats:sub>`. No other may begin within it, or each
/// place would be read up to the same end.
pub fn tag(text: &str, start: usize) -> Option<Tag<'_>> {
    let bytes = text.as_bytes();
    let closes = bytes.get(start + 1) == Some(&b'/');
    let name_start = start + 1 + usize::from(closes);
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
    let length = bytes.get(name_start..)?.iter().take(NAME_BYTES_MAX).take_while(is_of_name).count();
    let name = &text[name_start..name_start + length];
    let behind = bytes.get(name_start + length)?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (behind.is_ascii_whitespace() || matches!(behind, b'>' | b'/'));
    if !is_name {
        return None;
    }
    let (mut quote, mut before) = (None, b' ');
    for (at, &byte) in bytes.iter().enumerate().take(start + TAG_BYTES_MAX).skip(name_start + length) {
        match (quote, byte) {
            (_, b'<') => return None,
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') if before == b'=' => quote = Some(byte),
            (None, b'>') => {
                let written = &text[start..=at];
                return Some(Tag { start, end: at + 1, name, closes, is_whole: false, written });
            }
            _ => {}
        }
        before = byte;
    }
    None
}

/// Whether what stands behind a tag says that it is spoken of, and nothing begins or ends with it.
pub fn is_spoken_of(behind: &str) -> bool {
    begins_with_any(behind, &SPOKEN_OF)
}

/// Where `-->`, or the closing tag of an element, ends.
fn find(text: &str, from: usize, close: &str) -> Option<usize> {
    if close == COMMENT.1 {
        return memmem::find(&text.as_bytes()[from..], close.as_bytes()).map(|at| from + at + close.len());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_near_whole_and_holds_no_other() {
        for (text, name) in [
            ("<b>", Some("b")),
            ("</b >", Some("b")),
            ("<BR/>", Some("BR")),
            ("<a href=\"x>y\">", Some("a")),
            ("<p title=it's>", Some("p")),
            ("<tool_call>", Some("tool_call")),
            ("<jats:sub>", Some("jats:sub")),
            ("<a <b>", None),
            ("< b>", None),
            ("<5>", None),
            ("<b-c>", None),
            ("<!-- a -->", None),
            ("<b", None),
        ] {
            assert_eq!(tag(text, 0).map(|tag| tag.name), name, "{text}");
        }
        let read = |length: usize| {
            let text = format!("<p {}>", "x".repeat(length - "<p >".len()));
            tag(&text, 0).map(|tag| tag.end)
        };
        assert_eq!((read(TAG_BYTES_MAX), read(TAG_BYTES_MAX + 1)), (Some(TAG_BYTES_MAX), None));
    }

    #[test]
    fn elements_and_comments_are_passed_over_where_they_end() {
        let names = |text| Tags::of(text, &["pre"]).map(|tag| (tag.name, tag.is_whole)).collect::<Vec<_>>();
        assert_eq!(names("<b><pre><i></PRE ><!-- <u> -->"), [("b", false), ("pre", true), ("!--", true)]);
        assert_eq!(names("<pre><!-- <b>"), [("pre", false), ("b", false)]);
        assert_eq!(names("<pre>标签<b></pre>"), [("pre", false), ("b", false), ("pre", false)]);
    }
}
