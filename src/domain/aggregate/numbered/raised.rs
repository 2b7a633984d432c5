//! Numbers that are raised to cite: `<sup>[1]</sup>`, `<sup>1</sup>`, `text¹`, `text^1^` become `[1]`, and so does `text\[1\]`, which is
//! shown as a marker, and `<a href="#1">[1]</a>`, and `(Source 1)`.
//!
//! In brackets a number is a marker whatever it stands behind. Without, it may be a power (`m²`, `10<sup>6</sup>`), so it
//! counts only where something is known by that number, and behind no unit, nor behind a digit unless a note begins with it.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::BTreeSet;

use memchr::memmem;

use crate::domain::text::blocks::{Block, Kind, blocks};
use crate::domain::text::phrases::begins_with_any;

mod anchors;
mod between;
mod in_words;
mod notes;

use crate::domain::text::scripts::is_wide;
use anchors::anchors;
use between::{escaped, in_carets};
use in_words::in_words;
use notes::{may_mark, notes};

/// Bytes between the tags that are looked at: `[1](https://…), [2](https://…)`.
const INSIDE_BYTES_MAX: usize = 600;
/// Digits of a number.
const DIGITS_MAX: usize = 3;
/// What powers stand behind, besides single letters and digits.
#[rustfmt::skip]
const UNITS: [&str; 40] = [
    "km", "cm", "mm", "dm", "nm", "ft", "mi", "yd", "in", "sq", "mc", "sec", "feet", "foot", "inch", "inches", "mile", "miles",
    "yards", "acres", "meter", "meters", "metre", "metres", "kilometers", "kilometres", "centimeters", "centimetres", "second",
    "seconds", "pixels", "sin", "cos", "tan", "log", "exp", "chi", "eta", "omega", "sigma",
];
/// What a power stands in front of.
const OPERATORS: [char; 11] = ['=', '+', '-', '−', '×', '·', '*', '/', '<', '>', '≤'];
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A raised number, or several.
struct Raised<'t> {
    start: usize,
    end: usize,
    /// What it is without its tags, where that is a marker already.
    marker: Option<&'t str>,
    numbers: Vec<u32>,
}

/// The text with markers in place of raised numbers. `known` says, of a text with all of them, which numbers stand for something.
/// Linear.
pub(super) fn lowered(text: &str, known: impl FnOnce(&str) -> BTreeSet<u32>) -> Cow<'_, str> {
    let found = all(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let bare = |raised: &Raised<'_>| raised.marker.is_none();
    let known =
        if found.iter().any(bare) { known(&written(text, &found, &|_| true)) } else { BTreeSet::new() };
    Cow::Owned(written(text, &found, &|number| known.contains(&number)))
}

fn written(text: &str, found: &[Raised<'_>], is_known: &dyn Fn(u32) -> bool) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len() + 32), 0);
    for Raised { start, end, marker, numbers } in found {
        if marker.is_none() && !numbers.iter().all(|number| is_known(*number)) {
            continue;
        }
        out.push_str(&text[done..*start]);
        let is_of_link = text[..*start].ends_with('[') && text[*end..].starts_with("](");
        match (marker, &numbers[..]) {
            (Some(marker), _) => out.push_str(marker),
            (None, [number]) if is_of_link => out.push_str(&number.to_string()),
            (None, numbers) => numbers.iter().for_each(|number| out.push_str(&format!("[{number}]"))),
        }
        done = *end;
    }
    out + &text[done..]
}

fn all(text: &str) -> Vec<Raised<'_>> {
    let mut found = in_tags(text);
    found.extend(in_carets(text));
    found.extend(escaped(text));
    found.extend(anchors(text));
    found.extend(in_words(text));
    // `⁰` to `⁹` begin with these bytes.
    if memmem::find(text.as_bytes(), b"\xE2\x81").is_some() || memchr::memchr(0xC2, text.as_bytes()).is_some()
    {
        found.extend(superscripts(text));
    }
    found.sort_by_key(|raised| raised.start);
    // What is raised within a link, a tag or an address goes with it.
    let mut done = 0;
    found.retain(|raised| {
        let is_apart = raised.start >= done;
        done = if is_apart { raised.end } else { done };
        is_apart
    });
    if !found.is_empty() {
        let is_code = |block: &Block| matches!(block.kind, Kind::Code { .. });
        let code: Vec<Block> = blocks(text).into_iter().filter(is_code).collect();
        let is_within = |at: usize| {
            let block = code.get(code.partition_point(|block| block.range.end <= at));
            block.is_some_and(|block| block.range.contains(&at))
        };
        found.retain(|raised| !is_within(raised.start));
    }
    found
}

fn in_tags(text: &str) -> Vec<Raised<'_>> {
    let (mut found, mut done) = (Vec::new(), 0);
    let notes = LazyCell::new(|| notes(text));
    for start in memmem::find_iter(text.as_bytes(), b"<sup>") {
        let from = start + "<sup>".len();
        let near = &text[from..text.floor_char_boundary(from + INSIDE_BYTES_MAX)];
        let Some(inside) = near.find("</sup>").map(|end| &near[..end]).filter(|_| start >= done) else {
            continue;
        };
        let end = from + inside.len() + "</sup>".len();
        let marker = Some(inside).filter(|inside| are_markers(inside));
        let numbers = numbers(inside);
        let (before, behind) = (&text[..start], &text[end..]);
        let marks = || may_mark(before, behind) && numbers.iter().all(|number| notes.contains(number));
        if marker.is_some() || !numbers.is_empty() && (may_cite(before, behind) || marks()) {
            found.push(Raised { start, end, marker, numbers });
            done = end;
        }
    }
    found
}

/// Whether brackets are all that is raised: `[1], [2]`, or links whose texts are numbers.
fn are_markers(text: &str) -> bool {
    let of_one = |c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | ',' | ';' | ' ' | '-' | '–' | '^');
    let text = text.trim();
    let is_link = || text.ends_with(')') && text.contains("](http") && !text.contains(['<', '\n']);
    text.starts_with('[') && (text.ends_with(']') && text.chars().all(of_one) || is_link())
}

/// The numbers of `1, 2`; none where there is anything else.
fn numbers(text: &str) -> Vec<u32> {
    let pieces = text.split([',', ';', ' ']).map(str::trim).filter(|piece| !piece.is_empty());
    let number = |piece: &str| (piece.len() <= DIGITS_MAX).then(|| piece.parse().ok()).flatten();
    pieces.map(number).collect::<Option<Vec<u32>>>().unwrap_or_default()
}

/// Runs of superscript digits, each a number.
fn superscripts(text: &str) -> Vec<Raised<'_>> {
    let notes = LazyCell::new(|| notes(text));
    let mut found: Vec<Raised<'_>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_ascii() {
            continue; // as nearly all are
        }
        let Some(mut number) = value(c) else { continue };
        let (mut end, mut digits) = (start + c.len_utf8(), 1);
        while let Some((at, more)) = chars.next_if(|(_, c)| value(*c).is_some()) {
            number = if digits < DIGITS_MAX { number * 10 + value(more).unwrap_or_default() } else { number };
            (end, digits) = (at + more.len_utf8(), digits + 1);
        }
        // `10⁻³` and `xⁿ⁺¹` are powers.
        let is_power = text[..start].ends_with(['⁻', '⁺', 'ⁿ']) || text[end..].starts_with(['⁻', '⁺', 'ⁿ']);
        let begins_line = text[..start].trim_end_matches([' ', '*', '-', '>']).ends_with('\n');
        let (before, behind) = (&text[..start], &text[end..]);
        let cites =
            || begins_line || may_cite(before, behind) || may_mark(before, behind) && notes.contains(&number);
        if digits <= DIGITS_MAX && !is_power && cites() {
            found.push(Raised { start, end, marker: None, numbers: vec![number] });
        }
    }
    found
}

/// What a raised digit stands for.
fn value(c: char) -> Option<u32> {
    (0..).zip(SUPERSCRIPTS).find(|(_, digit)| *digit == c).map(|(value, _)| value)
}

/// Whether a formula goes on behind a raised number.
fn goes_on(behind: &str) -> bool {
    let next = behind.chars().find(|c| *c != ' ');
    behind.starts_with(|c: char| c == '(' || c.is_ascii_alphanumeric())
        || next.is_some_and(|c| OPERATORS.contains(&c)) && !behind.starts_with("<sup>")
}

/// Whether what stands around a raised number isn't what stands around a power.
fn may_cite(before: &str, behind: &str) -> bool {
    if goes_on(behind) {
        return false;
    }
    let word = before.rsplit(|c: char| !c.is_alphabetic() && !c.is_ascii_digit()).next().unwrap_or_default();
    let is_year = word.len() == 4 && begins_with_any(word, &["19", "200", "201", "202", "203"]);
    let has_digit = word.ends_with(|c: char| c.is_ascii_digit());
    let is_word = word.is_empty() || word.ends_with(is_wide) || word.chars().count() > 2;
    let is_symbol = before.ends_with(['$', '\\', '^', '{', '_', '=', '/', '(', ')', ']', '|', '‖', '`']);
    !is_symbol
        && (is_year || !has_digit && is_word)
        && !UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        lowered(text, |_| BTreeSet::from([1, 2, 12])).into_owned()
    }

    #[test]
    fn raised_markers_are_markers() {
        for (text, lower) in [
            ("It rose<sup>[1]</sup>, and fell<sup>[2], [3]</sup>.", "It rose[1], and fell[2], [3]."),
            ("10<sup>6</sup> and m<sup>2</sup>", "10<sup>6</sup> and m<sup>2</sup>"),
            ("It rose<sup>[1]", "It rose<sup>[1]"),
            ("<sup><sup>[1]</sup>é<sup>", "<sup>[1]é<sup>"),
            ("It rose.<sup>[1](https://a.example)</sup>", "It rose.[1](https://a.example)"),
            ("It rose.<sup>[1](https://a.example/area²)</sup>", "It rose.[1](https://a.example/area²)"),
            ("It rose.<a href=\"#note¹\">[1]</a>", "It rose.[1]"),
        ] {
            assert_eq!(read(text), lower);
        }
    }

    #[test]
    fn raised_numbers_that_are_known_are_markers() {
        for (text, lower) in [
            (
                "It rose<sup>1</sup> and fell.<sup>1, 2</sup> So it was.",
                "It rose[1] and fell.[1][2] So it was.",
            ),
            ("It rose.¹ It fell in 2023² (so¹²).", "It rose.[1] It fell in 2023[2] (so¹²)."),
            ("It rose to 5 %¹, then fell.¹²", "It rose to 5 %[1], then fell.[12]"),
            ("价格上涨¹。", "价格上涨[1]。"),
            ("It rose [<sup>1</sup>](https://a.example).", "It rose [1](https://a.example)."),
            ("It rose.\n\n¹ https://a.example\n² B", "It rose.\n\n[1] https://a.example\n[2] B"),
        ] {
            assert_eq!(read(text), lower);
        }
        for text in [
            "The area is 300 km² and 5 m², R² is 0.9, $E = mc^2$ is mc², 10² is 100.",
            "It rose as in `<sup>1</sup>`:\n\n```\nIt rose.<sup>1</sup>\n```\n",
            "It rose.³ It fell<sup>7</sup>.",
            "The variance is the mean of (x - mean)², |x|² and sin²(x) + cos²(x) = 1, Chi² = 5.2, 20 metres², 2048² pixels.",
            "R²D²: a robot, x<sup>2</sup> and 10<sup>-1</sup> and 1<sup>st</sup>, 10⁻² and 100 miles².",
        ] {
            assert_eq!(read(text), text);
        }
        assert_eq!(lowered("It rose.¹", |_| BTreeSet::new()), "It rose.¹");
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(text in "(<sup>|</sup>|<a href=\"#|\">|</a>|\\(https://a|\\^|[¹²⁻a1é \n\\[\\](),.\\\\])*") {
            read(&text);
        }
    }
}
