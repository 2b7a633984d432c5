//! Footnotes with names, `[^eu]`, get numbers, since all else that cites has one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::memmem;

use crate::domain::synthesis::claims::Mark;

/// The number of the first; no author numbers sources so high.
const FIRST: u32 = 800_000_000;
/// Bytes of a name.
const NAME_BYTES_MAX: usize = 48;

/// A text in which names are numbers.
pub(super) struct Named<'t> {
    pub text: Cow<'t, str>,
    /// The names, in the order of their numbers.
    names: Vec<String>,
}

/// The text with numbers for names that a line defines: `[^eu]: …`. Linear.
pub(super) fn numbered(text: Cow<'_, str>) -> Named<'_> {
    let names = defined(&text);
    if names.is_empty() {
        return Named { text, names: Vec::new() };
    }
    let (mut out, mut done) = (String::with_capacity(text.len() + 64), 0);
    for at in memmem::find_iter(text.as_bytes(), b"[^") {
        if let Some((name, number)) = name_at(&text, at).and_then(|name| Some((name, names.get(name)?))) {
            out.push_str(&text[done..at]);
            out.push_str(&format!("[^{number}]"));
            done = at + name.len() + "[^]".len();
        }
    }
    out.push_str(&text[done..]);
    let mut names: Vec<(u32, String)> =
        names.into_iter().map(|(name, number)| (number, name.to_owned())).collect();
    names.sort_unstable();
    Named { text: Cow::Owned(out), names: names.into_iter().map(|(_, name)| name).collect() }
}

impl Named<'_> {
    /// What a text is with names again where numbers were left, as in code. Its citations move along.
    pub(super) fn restored(&self, text: String, marks: Vec<Mark>) -> (String, Vec<Mark>) {
        if self.names.is_empty() {
            return (text, marks);
        }
        let mut out = String::with_capacity(text.len());
        let mut moved = Vec::with_capacity(marks.len());
        let mut marks = marks.into_iter().peekable();
        let mut done = 0;
        let mut move_up_to = |end: usize, from: usize, to: usize| {
            while let Some(Mark { range, source }) = marks.next_if(|mark| mark.range.start < end) {
                let range = range.start - from + to..range.end - from + to;
                moved.push(Mark { range, source });
            }
        };
        for at in memchr::memchr_iter(b'[', text.as_bytes()) {
            let Some((length, written)) = self.left(&text[at..]) else { continue };
            move_up_to(at, done, out.len());
            out.push_str(&text[done..at]);
            out.push_str(&written);
            done = at + length;
        }
        move_up_to(usize::MAX, done, out.len());
        out.push_str(&text[done..]);
        (out, moved)
    }

    /// The bytes of a marker of ours that a text begins with, and what was there.
    fn left(&self, text: &str) -> Option<(usize, String)> {
        let inside = text.strip_prefix('[')?;
        let end = inside.bytes().take(11).position(|byte| byte == b']')?;
        let digits = inside.get(..end)?;
        let number: u32 = digits.trim_start_matches('^').parse().ok()?;
        let length = digits.len() + "[]".len();
        let name = self.names.get(number.checked_sub(FIRST)? as usize)?;
        digits.starts_with('^').then(|| (length, format!("[^{name}]")))
    }
}

/// The names that lines define, with their numbers in the order of the text.
fn defined(text: &str) -> BTreeMap<&str, u32> {
    let mut names = BTreeMap::new();
    for at in memmem::find_iter(text.as_bytes(), b"[^") {
        let Some(name) = name_at(text, at) else { continue };
        let begins = text[..at].trim_end_matches(' ').ends_with('\n');
        if begins && text[at + name.len() + "[^]".len()..].starts_with(':') {
            let next = FIRST + names.len() as u32;
            names.entry(name).or_insert(next);
        }
    }
    names
}

/// The name of the footnote that begins at `at`; one that is a number needs none.
fn name_at(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at + "[^".len()..];
    let end = rest.bytes().take(NAME_BYTES_MAX).position(|byte| byte == b']')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let name = rest.get(..end)?;
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    (!is_number && name.chars().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_defined_get_numbers() {
        let text = "It rose.[^eu] It fell.[^2][^b-c]\n\n[^b-c]: B\n[^eu]: A\n[^2]: C";
        let expected =
            "It rose.[^800000001] It fell.[^2][^800000000]\n\n[^800000000]: B\n[^800000001]: A\n[^2]: C";
        let named = numbered(Cow::Borrowed(text));
        assert_eq!(named.text, expected);
        let mark = |at: usize| Mark { range: at..at + 3, source: 1 };
        let (again, marks) = named.restored("a [^800000001] [1] 价 [2]".to_owned(), vec![mark(15), mark(23)]);
        assert_eq!((again.as_str(), marks), ("a [^eu] [1] 价 [2]", vec![mark(8), mark(16)]));
        for text in ["It matches `[^a]` and [^b].", "[^", "See\n[^a b]: c", "[^é", "a[^b]: c"] {
            assert_eq!(numbered(Cow::Borrowed(text)).text, text);
        }
    }
}
