//! A list of references in one line, behind a label: `Sources: [1] https://…; [2] https://…`, `References: 1. … 2. …`.

use super::{numbered, unmarked};
use crate::domain::synthesis::citations::HEADING_BYTES_MAX;
use crate::domain::synthesis::citations::headings::{Fit, fit, is_likely};
use crate::domain::synthesis::citations::marker::closer;
use crate::domain::synthesis::citations::window::is_blank;
use crate::domain::text::leads::is_source;
use crate::domain::text::phrases::begins_with_any;

/// Bytes of such a line that are looked at; a longer one is read as far as that.
pub(in crate::domain::synthesis::citations) const LINE_LIMIT: usize = 16_384;

/// Where the first colon of a line is, also a wide one.
pub(in crate::domain::synthesis::citations) fn colon(line: &str) -> Option<usize> {
    let is_colon = |at: &usize| line.as_bytes()[*at..].starts_with(b":") || line[*at..].starts_with('：');
    memchr::memchr2_iter(b':', "：".as_bytes()[0], line.as_bytes()).find(is_colon)
}

/// Whether a word, or a few of them, in front of a colon say that references follow in the line: a heading of references,
/// or what names one source (`Quelle`).
pub(in crate::domain::synthesis::citations) fn is_label(label: &str) -> bool {
    let word = label.trim_matches(|c: char| is_blank(c) || matches!(c, '*' | '_'));
    let is_heading = || is_likely(label) && fit(label, false) == Fit::Whole;
    label.len() <= HEADING_BYTES_MAX && (is_source(word) || is_heading())
}

/// The entries of such a list; `None` where a line is none. O(n).
pub(in crate::domain::synthesis::citations) fn in_line(line: &str) -> Option<Vec<&str>> {
    let line = unmarked(line).trim_start_matches(['(', '（', '*', '_']);
    let (label, rest) = line.split_at(colon(line)?);
    let rest = rest.strip_prefix([':', '：'])?;
    let rest = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '*' | '_'));
    let first = begins(rest, None)?;
    is_label(label).then(|| pieces(rest, first))
}

/// Cuts a list before each of its numbers. Those without brackets go up by one, or else they are part of a title.
fn pieces(rest: &str, mut number: u32) -> Vec<&str> {
    let (mut found, mut begin) = (Vec::new(), 0);
    let (mut addressed, mut divided, mut before) = (false, false, ' ');
    for (at, c) in rest.char_indices() {
        let tail = &rest[at..];
        addressed |= tail.starts_with("://") || tail.starts_with("www.");
        let is_free = at > 0 && (is_blank(before) || is_divider(before));
        // What has no address yet is cut at a clear mark only: its title may have numbers.
        let may_end = addressed || divided && closer(c).is_some();
        if is_free
            && may_end
            && let Some(next) = begins(tail, Some(number))
        {
            found.push(trimmed(&rest[begin..at]));
            (begin, number, addressed) = (at, next, false);
        }
        divided = matches!(c, ';' | '；' | '|') || divided && is_blank(c);
        before = c;
    }
    found.push(trimmed(&rest[begin..]));
    found
}

/// The number that an entry begins with at the start of a text, where one may come behind `last`.
fn begins(text: &str, last: Option<u32>) -> Option<u32> {
    let first = text.chars().next().filter(|c| closer(*c).is_some() || *c == '(' || c.is_ascii_digit())?;
    let (number, rest) = numbered(text)?;
    if closer(first).is_none() {
        let is_next = last.is_none_or(|last| last.checked_add(1) == Some(number));
        let marked = text[..text.len() - rest.len()].ends_with(['.', ')']);
        return (marked && is_next && rest.starts_with(is_blank)).then_some(number);
    }
    let behind = rest.trim_start_matches(is_blank);
    let is_row = numbered(behind).is_some() && behind.starts_with(|c| closer(c).is_some());
    let is_apart = rest.starts_with(|c| is_blank(c) || matches!(c, ':' | '：' | '(' | '*'))
        || begins_with_any(rest, &["http", "www."]);
    (is_apart && !is_row).then_some(number)
}

fn is_divider(c: char) -> bool {
    matches!(c, ';' | ',' | '|' | '；' | '，' | '、')
}

fn trimmed(piece: &str) -> &str {
    piece.trim_matches(|c: char| is_blank(c) || is_divider(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_in_one_line_are_told_apart() {
        for (line, expected) in [
            (
                "Sources: [1] https://a.org/x; [2] https://b.org",
                &["[1] https://a.org/x", "[2] https://b.org"][..],
            ),
            (
                "**Quellen:** [1] https://a.org, [2] B: https://b.org",
                &["[1] https://a.org", "[2] B: https://b.org"],
            ),
            ("Fuentes: [1] https://a.org | [2] https://b.org", &["[1] https://a.org", "[2] https://b.org"]),
            ("来源：[1] https://a.org；[2] https://b.org", &["[1] https://a.org", "[2] https://b.org"]),
            ("(Fonti: [1](https://a.org) [2](https://b.org)", &["[1](https://a.org)", "[2](https://b.org)"]),
            (
                "References: 1. Alpha, Vol. 2. Ed. https://a.org 2. Beta 3. https://b.org 3. C, https://c.org",
                &["1. Alpha, Vol. 2. Ed. https://a.org", "2. Beta 3. https://b.org", "3. C, https://c.org"],
            ),
            ("Source: [4] A book; [5] https://b.org", &["[4] A book", "[5] https://b.org"]),
        ] {
            assert_eq!(in_line(line).unwrap(), expected);
        }
        for line in [
            "Sources: [1], [2]",
            "Sources: [1] [2]",
            "Sources of error: 1. noise",
            "Sources: many",
            "[1]: https://a.org",
            "1. A: 2",
        ] {
            assert_eq!(in_line(line), None, "{line}");
        }
    }
}
