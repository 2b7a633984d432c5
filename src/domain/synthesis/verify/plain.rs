//! Texts without markup and citation markers, so that a sentence compares equal however it was set.
//!
//! What a model writes is cleaned further ([`cleaned`]): what stands in angle brackets goes (tags, the marks of chat
//! templates, a fence's own tag), headings, bullets and code fences at the beginnings of lines go, and all becomes one
//! line. Linear.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::domain::synthesis::citations::keep;
use crate::domain::synthesis::claims::{Mark, edges};
use crate::domain::text::clean::one_line;
use crate::domain::text::phrases::begins_with_any;

/// Bytes between angle brackets that may be a tag.
const TAG_BYTES_MAX: usize = 200;
/// Bytes of a link's label or address.
const LINK_BYTES_MAX: usize = 2_000;

/// A text without emphasis, code marks, link targets and the markers `[n]` of sources up to `sources`.
pub(in crate::domain::synthesis) fn plain(text: &str, sources: usize) -> Cow<'_, str> {
    if !text.contains(['[', '*', '`', '_']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find(['[', '*', '`', '_']) {
        let (start, rest) = (at + found, &text[at + found..]);
        out.push_str(&text[at..start]);
        let skipped = match rest.as_bytes()[0] {
            b'`' => 1,
            b'*' => rest.bytes().take_while(|byte| *byte == b'*').count(),
            b'_' if rest.starts_with("__") => rest.bytes().take_while(|byte| *byte == b'_').count(),
            b'[' => match bracket(rest, sources) {
                Some(Bracket::Marker(length)) => {
                    out.truncate(out.trim_end_matches(' ').len());
                    length
                }
                Some(Bracket::Link { label, length }) => {
                    out.truncate(out.trim_end_matches('!').len());
                    out.push_str(label);
                    length
                }
                None => 0,
            },
            _ => 0,
        };
        if skipped == 0 {
            out.push_str(&rest[..1]);
        }
        at = start + skipped.max(1);
    }
    out.push_str(&text[at..]);
    Cow::Owned(out)
}

enum Bracket<'t> {
    Marker(usize),
    Link { label: &'t str, length: usize },
}

/// What a text that begins with a bracket begins with, and its length in bytes.
fn bracket(rest: &str, sources: usize) -> Option<Bracket<'_>> {
    let most = rest.floor_char_boundary(LINK_BYTES_MAX);
    let end = rest[1..most.max(1)].find([']', '[', '\n'])? + 1;
    if !rest[end..].starts_with(']') {
        return None;
    }
    let inside = &rest[1..end];
    let after = &rest[end + 1..];
    let target = after.strip_prefix('(').and_then(|target| {
        let most = target.floor_char_boundary(LINK_BYTES_MAX);
        target[..most].find([')', '\n']).filter(|close| target[*close..].starts_with(')'))
    });
    match target {
        Some(close) => Some(Bracket::Link { label: inside, length: end + 1 + 1 + close + 1 }),
        None => {
            let number: Option<usize> = inside.parse().ok();
            number.filter(|number| (1..=sources).contains(number)).map(|_| Bracket::Marker(end + 1))
        }
    }
}

/// What a model wrote as one line of text, with the sources that markers in it cite (those up to `sources` that exist).
pub(in crate::domain::synthesis) fn cleaned(
    text: &str,
    sources: usize,
    chars_max: usize,
) -> (String, BTreeSet<u32>) {
    let bounded = &text[..text.floor_char_boundary(chars_max.saturating_mul(8))];
    let untagged = without_fences(&without_tags(bounded));
    let (unmarked, cited) = without_markers(&untagged, sources);
    let lines: Vec<&str> = unmarked.lines().map(without_line_marks).filter(|line| !line.is_empty()).collect();
    (one_line(&plain(&lines.join(" "), sources), chars_max), cited)
}

/// The same of a name or a label, with nothing cited.
pub(super) fn label(text: &str, sources: usize, chars_max: usize) -> String {
    let line = cleaned(text, sources, chars_max).0;
    line.trim_matches([' ', ':', '"', '“', '”', '#', '.', '-']).to_owned()
}

fn without_line_marks(line: &str) -> &str {
    edges(line.trim())
}

/// What stands in a code block would keep its markers.
fn without_fences(text: &str) -> String {
    let is_fence = |line: &&str| begins_with_any(line.trim_start(), &["```", "~~~"]);
    text.lines().filter(|line| !is_fence(line)).collect::<Vec<_>>().join("\n")
}

/// Markers as the citation rewriter reads them: those of sources that exist are given back, and none stays.
fn without_markers(text: &str, sources: usize) -> (String, BTreeSet<u32>) {
    if !text.contains(['[', '【', '［', '〔']) {
        return (text.to_owned(), BTreeSet::new());
    }
    let (text, report) = keep(text, sources);
    let (mut out, mut at, mut cited) = (String::with_capacity(text.len()), 0, BTreeSet::new());
    for mark in Mark::all(&report.citations) {
        cited.insert(mark.source as u32);
        let Some(before) = text.get(at..mark.range.start) else { continue };
        out.push_str(before);
        out.truncate(out.trim_end_matches(' ').len());
        at = mark.range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, cited)
}

/// Leaves out what stands in angle brackets like a tag: `<b>`, `</data-1f>`, `<|im_end|>`, `<!-- … -->`.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let most = from.floor_char_boundary(TAG_BYTES_MAX);
        let opens = from[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '|' | '!'));
        rest = match from[..most].find('>').filter(|_| opens) {
            Some(end) => &from[end + 1..],
            None => {
                out.push('<');
                &from[1..]
            }
        };
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_otherwise_reads_the_same() {
        let table = [
            ("A **bold** claim [1][2].", "A bold claim."),
            ("See [the study](https://a.example/x) now", "See the study now"),
            ("![alt](http://evil.example/p.png) text", "alt text"),
            ("In [2024] it was a_b", "In [2024] it was a_b"),
            ("`x` and __y__ [9]", "x and y [9]"),
        ];
        for (text, expected) in table {
            assert_eq!(plain(text, 3), expected, "{text}");
        }
    }

    #[test]
    fn what_a_model_writes_becomes_one_clean_line() {
        let table: [(&str, &str, &[u32]); 6] = [
            ("# Title\n- It holds [1], they say [7].\n", "Title It holds, they say.", &[1]),
            ("<|im_start|>It holds.</data-5f>", "It holds.", &[]),
            ("```json\nIt holds 【2】.\n```", "It holds.", &[2]),
            ("a < b and c > d", "a < b and c > d", &[]),
            ("\u{202E}It\u{0} holds", "It holds", &[]),
            ("It holds [1-3].", "It holds.", &[1, 2, 3]),
        ];
        for (text, expected, cited) in table {
            let (line, found) = cleaned(text, 3, 2_000);
            assert_eq!((line.as_str(), found.into_iter().collect::<Vec<_>>().as_slice()), (expected, cited));
        }
    }

    #[test]
    fn what_is_longer_than_a_tag_stays() {
        let [tag, text] =
            [TAG_BYTES_MAX, TAG_BYTES_MAX + 1].map(|length| format!("<{}>", "x".repeat(length - 2)));
        assert_eq!((without_tags(&tag), without_tags(&text)), (String::new(), text.clone()));
    }
}
