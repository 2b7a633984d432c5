//! Numbers between two marks that aren't tags: `text^1^` (Pandoc), `text\[1\]` (what makes Markdown of a page escapes brackets).

use memchr::memmem;

use super::{Raised, may_cite, numbers};

/// Bytes between the marks: `1, 2, 3`.
const INSIDE_BYTES_MAX: usize = 24;
/// Bytes of a line before a mark that are looked through for code and for what may be cited.
const BEFORE_BYTES_MAX: usize = 240;
/// The same for what stands behind it.
const BEHIND_BYTES_MAX: usize = 600;

/// Numbers between carets. `[^1^]` is a marker already.
pub(super) fn in_carets(text: &str) -> Vec<Raised<'_>> {
    let mut found: Vec<Raised<'_>> = Vec::new();
    for start in memchr::memchr_iter(b'^', text.as_bytes()) {
        let is_free = found.last().is_none_or(|last| last.end <= start);
        let Some((end, numbers)) = between(text, start + 1, "^").filter(|_| is_free) else { continue };
        let (before, behind) = (&text[..start], &text[end..]);
        let is_marked = before.ends_with(['[', '^', '(', '{']) || behind.starts_with([']', '^']);
        if !is_marked && may_cite(before, behind) && !is_code(before) {
            found.push(Raised { start, end, marker: None, numbers });
        }
    }
    found
}

/// Numbers between escaped brackets, behind what they may cite. Alone in a line they are a formula.
pub(super) fn escaped(text: &str) -> Vec<Raised<'_>> {
    let mut found = Vec::new();
    for start in memmem::find_iter(text.as_bytes(), b"\\[") {
        let Some((end, numbers)) = between(text, start + 2, "\\]") else { continue };
        let (line, behind) = (line_before(&text[..start]), &text[end..]);
        let goes_on = &behind[..behind.floor_char_boundary(BEHIND_BYTES_MAX)];
        let names = line.trim_matches([' ', '-', '*', '>']).is_empty()
            && goes_on.split('\n').next().is_some_and(|line| line.contains("://"));
        let cites = line.contains(char::is_alphabetic) && !line.ends_with('\\');
        if (cites || names) && !behind.starts_with('(') && !is_code(line) {
            found.push(Raised { start, end, marker: None, numbers });
        }
    }
    found
}

/// Where a mark ends that has nothing but numbers before it, and those.
fn between(text: &str, from: usize, mark: &str) -> Option<(usize, Vec<u32>)> {
    let near = &text[from..text.floor_char_boundary(from + INSIDE_BYTES_MAX)];
    let inside = &near[..near.find(mark)?];
    let is_plain =
        inside.starts_with(|c: char| c.is_ascii_digit()) && inside.ends_with(|c: char| c.is_ascii_digit());
    let numbers = numbers(inside);
    (is_plain && !numbers.is_empty()).then(|| (from + inside.len() + mark.len(), numbers))
}

fn line_before(before: &str) -> &str {
    let near = before.floor_char_boundary(before.len().saturating_sub(BEFORE_BYTES_MAX));
    before[near..].rsplit('\n').next().unwrap_or_default()
}

/// Whether a code span, or a formula, is open at the end of a text.
pub(super) fn is_code(before: &str) -> bool {
    let line = line_before(before);
    line.matches('`').count() % 2 == 1 || line.matches('$').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::lowered;

    fn read(text: &str) -> String {
        lowered(text, |_| BTreeSet::from([1, 2])).into_owned()
    }

    #[test]
    fn numbers_between_carets_or_escaped_brackets_are_markers() {
        for (text, lower) in [
            ("It rose ^1^ and fell.^1, 2^ So it was.", "It rose [1] and fell.[1][2] So it was."),
            ("It rose\\[1\\], and fell \\[1, 2\\].", "It rose[1], and fell [1][2]."),
            ("It rose.\n\n\\[1\\] A, https://a.example", "It rose.\n\n[1] A, https://a.example"),
        ] {
            assert_eq!(read(text), lower);
        }
    }

    #[test]
    fn other_marks_stay() {
        for text in [
            "x^2^ and 10^2^ m and cm^2^, [^1^] and [^1^]: A, a^1 and b^1.",
            "It rose ^7^ and \\[7\\].",
            "As in `a ^1^` and `b \\[1\\]` it is.",
            "\\[1\\]\n\nIt is \\\\[1\\] or \\[1] or \\[x = 1\\] or \\[1\\](https://a.example).",
            "With $a \\[1\\]$ it is.",
        ] {
            assert_eq!(read(text), text);
        }
    }
}
