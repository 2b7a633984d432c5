//! What cites by a name gets numbers, since all else that cites has one: footnotes, `[^eu]`; the ids of its author's
//! sources, `[doc-7]`; the labels of a list that ends the text, `[S1] https://…`; authors with a year, `(Smith, 2024)`.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::author_years::{self, Dated};
use super::labels::{labels, of_places};
use crate::domain::aggregate::input::SourceInput;
use crate::domain::synthesis::citations::Definition;
use crate::domain::synthesis::claims::Mark;

/// The number of the first; no author numbers sources so high.
const FIRST: u32 = 800_000_000;
/// Bytes of a name.
const NAME_BYTES_MAX: usize = 48;
/// Bytes of a group of ids.
const GROUP_BYTES_MAX: usize = 256;

/// A text in which names are numbers.
pub(super) struct Named<'t> {
    pub text: Cow<'t, str>,
    /// What stood there, in the order of the numbers.
    names: Vec<String>,
    /// The numbers of the sources with a cited id, and their places.
    pub places: Vec<(u32, usize)>,
    /// The numbers of entries of its references that it cites by author and year.
    pub entries: Vec<(u32, Definition)>,
}

/// The text with numbers for names that a line defines, `[^eu]: …`, and for ids of its author's sources. Linear.
pub(super) fn numbered<'t>(text: Cow<'t, str>, sources: &[SourceInput]) -> Named<'t> {
    let Dated { text, mut written, mut places, entries } = author_years::numbered(text, sources, FIRST);
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    let mut add = |name: String| {
        let next = FIRST + written.len() as u32;
        let is_new = !names.contains_key(&name);
        if is_new {
            written.push(format!("[{name}]"));
            names.insert(name, next);
        }
        is_new.then_some(next)
    };
    for name in defined(&text).into_iter().map(|name| format!("^{name}")) {
        add(name);
    }
    for (place, id) in ids(&text, sources) {
        places.extend(add(id.to_owned()).map(|number| (number, place)));
    }
    let listed = labels(&text);
    if listed.is_empty() {
        let of_places = of_places(&text, sources).into_iter().enumerate();
        places.extend(of_places.filter_map(|(place, label)| Some((add(label)?, place))));
    }
    for label in listed {
        add(label.to_owned());
    }
    if names.is_empty() {
        return Named { text, names: written, places, entries };
    }
    let text = Cow::Owned(with_numbers(&text, &names));
    Named { text, names: written, places, entries }
}

/// The text with `[^800000000]` in the place of names.
fn with_numbers(text: &str, names: &BTreeMap<String, u32>) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len() + 64), 0);
    let has_code = text.contains('`');
    for at in memchr::memchr_iter(b'[', text.as_bytes()) {
        let Some(inside) = inside(text, at).filter(|_| at >= done) else { continue };
        let is_free = !text[..at].ends_with(['\\', '!']) && !text[at + inside.len() + 2..].starts_with('(');
        let numbers = match names.get(inside) {
            Some(number) if is_free || inside.starts_with('^') => vec![*number],
            // Where there is no code nothing has to be restored.
            None if is_free && !has_code => group(inside, names),
            _ => Vec::new(),
        };
        if !numbers.is_empty() {
            out.push_str(&text[done..at]);
            numbers.iter().for_each(|number| out.push_str(&format!("[^{number}]")));
            done = at + inside.len() + "[]".len();
        }
    }
    out + &text[done..]
}

/// The numbers of a group of names, `[doc-7, doc-9]`, where all are known.
fn group(inside: &str, names: &BTreeMap<String, u32>) -> Vec<u32> {
    if !inside.contains([',', ';']) {
        return Vec::new();
    }
    let numbers = inside.split([',', ';']).map(|name| names.get(name.trim()).copied());
    numbers.collect::<Option<Vec<u32>>>().unwrap_or_default()
}

/// What stands in the bracket that opens at `at`, in one line.
fn inside(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at + 1..];
    let end = rest.bytes().take(GROUP_BYTES_MAX).position(|byte| matches!(byte, b']' | b'[' | b'\n'))?;
    rest[end..].starts_with(']').then(|| &rest[..end])
}

/// The ids of sources that may stand in brackets, with the places of those; numbers are known as such. `[x]` is a box.
fn ids<'s>(text: &str, sources: &'s [SourceInput]) -> Vec<(usize, &'s str)> {
    if !text.contains('[') {
        return Vec::new();
    }
    let is_name = |id: &&str| {
        id.len() <= NAME_BYTES_MAX
            && id.contains(char::is_alphanumeric)
            && !id.contains(['[', ']', '\n', ',', ';'])
            && !id.starts_with(['^', ' '])
            && !matches!(*id, "x" | "X")
            && id.parse::<u32>().is_err()
    };
    let named = sources.iter().enumerate();
    named
        .filter_map(|(place, source)| Some((place, source.id.as_deref().map(str::trim).filter(is_name)?)))
        .collect()
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
        digits.starts_with('^').then(|| (length, name.clone()))
    }
}

/// The names that lines define, in the order of the text. A footnote's number is one where a link has it, too: `[1]: …` beside `[^1]: …`.
fn defined(text: &str) -> Vec<&str> {
    let (mut names, of_links) = (Vec::new(), LazyCell::new(|| numbers_of_links(text)));
    for at in memmem::find_iter(text.as_bytes(), b"[^") {
        let Some(name) = name_at(text, at).filter(|name| !is_number(name) || of_links.contains(name)) else {
            continue;
        };
        let begins = text[..at].trim_end_matches(' ').ends_with('\n');
        if begins && text[at + name.len() + "[^]".len()..].starts_with(':') {
            names.push(name);
        }
    }
    names
}

/// The numbers that lines define as labels of links, `[1]: https://…`.
fn numbers_of_links(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(number_of_link).collect()
}

fn number_of_link(line: &str) -> Option<&str> {
    let (label, _) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    Some(label).filter(|label| !label.is_empty() && is_number(label))
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of the footnote that begins at `at`.
fn name_at(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at + "[^".len()..];
    let end = rest.bytes().take(NAME_BYTES_MAX).position(|byte| byte == b']')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    let name = rest.get(..end)?;
    (!name.is_empty() && name.chars().all(is_name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_defined_get_numbers() {
        let text = "It rose.[^eu] It fell.[^2][^b-c]\n\n[^b-c]: B\n[^eu]: A\n[^2]: C";
        let expected =
            "It rose.[^800000001] It fell.[^2][^800000000]\n\n[^800000000]: B\n[^800000001]: A\n[^2]: C";
        let named = numbered(Cow::Borrowed(text), &[]);
        assert_eq!(named.text, expected);
        let mark = |at: usize| Mark { range: at..at + 3, source: 1 };
        let (again, marks) = named.restored("a [^800000001] [1] 价 [2]".to_owned(), vec![mark(15), mark(23)]);
        assert_eq!((again.as_str(), marks), ("a [^eu] [1] 价 [2]", vec![mark(8), mark(16)]));
        for text in ["It matches `[^a]` and [^b].", "[^", "See\n[^a b]: c", "[^é", "a[^b]: c"] {
            assert_eq!(numbered(Cow::Borrowed(text), &[]).text, text);
        }
    }

    #[test]
    fn a_footnote_is_no_link_of_the_same_number() {
        let text = "It has [an index][1]. It rose.[^1] It fell.[^2]\n\n[1]: https://a.org\n[^1]: A\n[^2]: B";
        let expected = "It has [an index][1]. It rose.[^800000000] It fell.[^2]\n\n[1]: https://a.org\n[^800000000]: A\n[^2]: B";
        assert_eq!(numbered(Cow::Borrowed(text), &[]).text, expected);
        let cited = "It rose.[^1]\n\n[1]: https://a.org";
        assert_eq!(numbered(Cow::Borrowed(cited), &[]).text, cited, "nothing else is called so");
    }

    #[test]
    fn ids_of_sources_get_numbers() {
        let source = |id: &str| SourceInput { id: Some(id.to_owned()), ..SourceInput::default() };
        let sources = [source("doc-7"), source("5"), source("doc-9"), source("x"), source("doc-7")];
        let named = |text: &'static str| numbered(Cow::Borrowed(text), &sources);
        let read = named("It rose [doc-7]. It fell [doc-9][5].");
        assert_eq!(read.text, "It rose [^800000000]. It fell [^800000001][5].");
        assert_eq!(read.places, [(800_000_000, 0), (800_000_001, 2)]);
        assert_eq!(named("It rose [doc-7, doc-9].").text, "It rose [^800000000][^800000001].");
        let code = named("It rose [doc-7] as in `a [doc-9]`.");
        assert_eq!(code.restored(code.text.to_string(), Vec::new()).0, "It rose [doc-7] as in `a [doc-9]`.");
        for text in
            ["[doc-7](https://a.org) ![doc-9] \\[doc-7] [doc-8] [doc-7, 5] [Doc-7]", "- [x] done", "doc-7"]
        {
            assert_eq!(named(text).text, text);
        }
    }

    #[test]
    fn labels_of_places_get_numbers() {
        let sources = [SourceInput::default(), SourceInput::default()];
        let text = "It rose [S1]. It fell [S2, S1].";
        let named = numbered(Cow::Borrowed(text), &sources);
        assert_eq!(named.text, "It rose [^800000000]. It fell [^800000001][^800000000].");
        assert_eq!(named.places, [(800_000_000, 0), (800_000_001, 1)]);
        for text in [
            "It rose [S3].",
            "It rose [S1]. It fell [2].",
            "It rose [S1].\n\n[S1] A report",
            "It rose [A1], see S1.",
            "It rose [S1](https://a.example).",
        ] {
            assert_eq!(numbered(Cow::Borrowed(text), &sources).text, text);
        }
        assert_eq!(numbered(Cow::Borrowed(text), &[]).text, text);
    }

    #[test]
    fn labels_of_a_list_at_the_end_get_numbers() {
        let text = "It rose [S1]. It fell [S2].\n\n[S1] https://a.org\n[S2] B https://b.org\n";
        let named = numbered(Cow::Borrowed(text), &[]);
        let expected = "It rose [^800000000]. It fell [^800000001].\n\n[^800000000] https://a.org\n[^800000001] B https://b.org\n";
        assert_eq!(named.text, expected);
    }
}
