//! What stands around a sentence and isn't a part of it: markup, and citation markers.

use std::ops::Range;

use pulldown_cmark::{Event, Parser};

use super::Mark;
use crate::domain::text::leads::is_lead;
use crate::domain::text::phrases::before_any;
use crate::domain::text::sentences::{authors_and_year, without_blanks};

/// What may stand between a marker and the end of a sentence, or the next marker: stops, and what joins two (`[1], [2]`).
const BETWEEN: [char; 11] = ['.', '。', '।', '۔', ';', '；', '!', '！', ',', '，', '、'];
/// Words that join two markers.
const JOINTS: [&str; 9] = [" and", " und", " et", " y", " e", " &", "和", "及", "と"];
/// What ends a sentence, or closes one that has ended.
const STOPS: [char; 11] = ['.', '!', '?', '。', '।', '！', '？', '"', '”', ')', '*'];

/// Takes markup and white space off both ends of a text.
pub(in crate::domain::synthesis) fn edges(text: &str) -> &str {
    &text[trimmed(text, 0..text.len(), &[])]
}

/// The bytes of a sentence without markup, white space and `marks` at its edges; its stop stays. `range` are the bytes of
/// the sentence in `text`.
pub(super) fn trimmed(text: &str, range: Range<usize>, marks: &[Mark]) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end);
    loop {
        let before = (start, end);
        let inside = &text[start..end];
        let begun = without_number(without_bullet(inside));
        start += inside.len() - begun.len();
        end = start + without_blanks(begun.trim_end_matches(is_trailing)).len();
        end = without_mark(text, start..end, marks).unwrap_or(end);
        // A marker before the stop can't go without the stop: what is left must be one piece.
        let open = start + before_joint(&text[start..end]).len();
        end = without_mark(text, start..open, marks).unwrap_or(end);
        if (start, end) == before {
            return with_emphasis(text, range, start..end);
        }
    }
}

/// With the marks of emphasis at its edges that the rest needs: the other half of one that is left stays with it, as in
/// `**Growth**: sales rose`. Of all ways to take them along the one with the fewest loose marks, and the shortest of those.
fn with_emphasis(text: &str, whole: Range<usize>, inside: Range<usize>) -> Range<usize> {
    let Range { start, end } = inside;
    let said = &text[inside.clone()];
    if memchr::memchr2(b'*', b'_', said.as_bytes()).is_none() {
        return inside;
    }
    let mut least = loose_marks(said);
    if least == 0 {
        return inside;
    }
    let is_mark = |c: char| matches!(c, '*' | '_');
    let before = &text[whole.start..start];
    let marked = before.trim_end_matches(is_mark).len();
    // A list's number may stand between the mark and the words: `**1. Growth:** prices`.
    let numbered =
        before[..marked].trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let numbered = numbered.trim_end_matches(is_mark).len();
    let behind = end + text[end..whole.end].len() - text[end..whole.end].trim_start_matches(is_mark).len();
    let mut choices = Vec::with_capacity(6);
    for start in [start, whole.start + marked, whole.start + numbered] {
        choices.extend([start..end, start..behind]);
    }
    // Most are the same, and each is parsed.
    choices.sort_by_key(|choice| choice.len());
    choices.dedup();
    let mut best = inside;
    // The first is what was asked before.
    for choice in choices.into_iter().skip(1) {
        let loose = loose_marks(&text[choice.clone()]);
        if loose < least {
            (best, least) = (choice, loose);
        }
        if least == 0 {
            break; // those behind it are longer
        }
    }
    best
}

/// The marks of emphasis in a line that are shown as they are.
fn loose_marks(line: &str) -> usize {
    plainly_loose(line).unwrap_or_else(|| parsed_loose(line))
}

fn parsed_loose(line: &str) -> usize {
    // Behind a letter nothing begins a list or a rule.
    let line = format!("a {line}");
    let shown = |event| if let Event::Text(text) = event { Some(text) } else { None };
    let loose = |text: &str| text.bytes().filter(|byte| matches!(byte, b'*' | b'_')).count();
    Parser::new(&line).filter_map(shown).map(|text| loose(&text)).sum()
}

/// The same where that is plain, as nearly always, without parsing the line: its marks are runs of as many asterisks each, that
/// can only open, between a blank and a letter, or only close.
fn plainly_loose(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    // What may be other markup, or hide it.
    let is_special = |byte: &u8| matches!(byte, b'_' | b'\\' | b'`' | b'<' | b'&' | b'\n' | b'\r' | b'\t');
    // All bytes at once are asked faster than one after the other.
    if bytes.iter().fold(false, |any, byte| any | is_special(byte)) || line.contains("](") {
        return None;
    }
    let (mut at, mut width, mut open, mut loose) = (0, 0, 0, 0);
    while let Some(next) = memchr::memchr(b'*', &bytes[at..]) {
        let start = at + next;
        at = start + bytes[start..].iter().take_while(|byte| **byte == b'*').count();
        if width == 0 {
            width = at - start;
        }
        let (before, behind) = (line[..start].chars().next_back(), line[at..].chars().next());
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let opens = before.is_none_or(|c| c == ' ') && is_letter(behind);
        let is_plain = |c: char| c.is_ascii_graphic() || c.is_alphanumeric();
        let closes = match behind {
            None | Some(' ') => before.is_some_and(is_plain),
            Some(c) => is_letter(before) && c.is_ascii_punctuation(),
        };
        match (opens, closes) {
            _ if at - start != width || width > 2 => return None,
            (true, false) => open += 1,
            (false, true) if open > 0 => open -= 1,
            (false, true) => loose += width,
            _ => return None,
        }
    }
    Some(loose + open * width)
}

/// Whether a sentence ends as one; a citation may stand behind the stop, or before it.
pub(super) fn closed(text: &str, range: Range<usize>, marks: &[Mark]) -> bool {
    let mut end = range.end;
    loop {
        let inside = without_blanks(&text[range.start..end]);
        let inside = inside.trim_end_matches([' ', '\n', '*', '_', '"', '”', '’', ')', '）', '」']);
        if inside.ends_with(['.', '!', '。', '！', '．', '।', '۔']) {
            return true;
        }
        match without_mark(text, range.start..range.start + inside.len(), marks)
            .or_else(|| without_authors(text, range.start..end))
        {
            Some(before) => end = before,
            None => return false,
        }
    }
}

/// Where the text ends that stands before the authors and the year at its end: `" (Smith, 2023)`.
fn without_authors(text: &str, range: Range<usize>) -> Option<usize> {
    let inside = text[range.clone()].trim_end();
    let open = inside.rfind(['(', '（'])?;
    let is_all = authors_and_year(&inside[open..]) == Some(inside.len() - open);
    is_all.then_some(range.start + open)
}

/// Whether a block begins with a marker and doesn't end with one, and each of the others stands behind a stop as well, and before
/// a sentence: `[1] Sales rose. [2] Costs fell.`, not `[1] says so. Costs fell [2]. Why?`
pub(super) fn led_by_marks(text: &str, block: Range<usize>, marks: &[Mark]) -> bool {
    let at = marks.partition_point(|mark| mark.range.start < block.start);
    let own = &marks[at..];
    let own = &own[..own.partition_point(|mark| mark.range.end <= block.end)];
    let says = |range: Range<usize>| text[range].contains(char::is_alphanumeric);
    let mut before = block.start;
    let leads = |mark: &Mark| {
        let said = before..mark.range.start;
        let begins = if before == block.start {
            !says(said)
        } else {
            !says(said.clone()) || without_blanks(&text[said]).ends_with(STOPS)
        };
        before = mark.range.end;
        begins && !text[mark.range.end..block.end].trim_start().starts_with(char::is_lowercase)
    };
    own.last().is_some_and(|last| says(last.range.end..block.end)) && own.iter().all(leads)
}

/// The sentence behind the marks that it begins with, unless those are words of it: `[1] says so`.
pub(super) fn behind_marks(text: &str, sentence: Range<usize>, marks: &[Mark]) -> Range<usize> {
    let mut start = sentence.start;
    for mark in marks.iter().filter(|mark| mark.range.end < sentence.end) {
        let gap = text[start..sentence.end].len() - text[start..sentence.end].trim_start().len();
        if mark.range.start != start + gap {
            break;
        }
        start = mark.range.end;
    }
    let said = text[start..sentence.end].trim_start();
    if said.starts_with(char::is_lowercase) { sentence } else { sentence.end - said.len()..sentence.end }
}

/// A text without the stop, or the word, at its end that joins what it ends with and a marker behind it: `[1], and [2]`.
fn before_joint(text: &str) -> &str {
    // What else a text may end with in ASCII is neither a stop nor the end of such a word.
    let ends_one =
        |byte: u8| matches!(byte, b'.' | b';' | b'!' | b',' | b' ' | b'&' | b'd' | b'e' | b't' | b'y');
    if text.bytes().next_back().is_none_or(|last| last.is_ascii() && !ends_one(last)) {
        return text;
    }
    let text = text.trim_end_matches(BETWEEN);
    let joint = before_any(text, &JOINTS);
    joint.unwrap_or(text).trim_end_matches(|c| c == ' ' || BETWEEN.contains(&c))
}

fn is_trailing(c: char) -> bool {
    matches!(c, '*' | '_' | '\\') || c.is_whitespace()
}

/// Without the white space and the marks of Markdown that a line begins with.
fn without_bullet(text: &str) -> &str {
    let marks = |c: char| {
        matches!(c, '#' | '>' | '*' | '_' | '+' | '•' | '·' | '◦' | '▪' | '●' | '■' | '➤')
            || c.is_whitespace()
    };
    let said = text.trim_start_matches(marks);
    // `#8812` is a ticket, no heading.
    let is_number =
        said.starts_with(|c: char| c.is_ascii_digit()) && text[..text.len() - said.len()].ends_with('#');
    let text = if is_number { &text[text.len() - said.len() - 1..] } else { said };
    text.strip_prefix("- ").or_else(|| text.strip_prefix("– ")).unwrap_or(text)
}

/// Without a list's number: `1. ` or `2) `.
fn without_number(text: &str) -> &str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let after = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "));
    if (1..=3).contains(&digits) { after.map_or(text, str::trim_start) } else { text }
}

/// Where the text ends that stands before a mark, or marks in brackets (`([1], [2])`), at its end.
fn without_mark(text: &str, range: Range<usize>, marks: &[Mark]) -> Option<usize> {
    let at = marks.partition_point(|mark| mark.range.end < range.end);
    let mark = marks.get(at).filter(|mark| mark.range.end == range.end && mark.range.start >= range.start);
    let start = mark.map(|mark| mark.range.start).or_else(|| without_group(text, range.clone(), marks))?;
    let said = without_blanks(&text[range.start..start]);
    // `It rose — [1]`
    let bare = said.trim_end_matches(['—', '–', '―', '-']);
    let is_set_apart = bare.len() < said.len() && bare.ends_with(' ');
    Some(range.start + if is_set_apart { without_blanks(bare).len() } else { said.len() })
}

/// Where the brackets begin that a text ends with, where there are marks in them and nothing else.
fn without_group(text: &str, range: Range<usize>, marks: &[Mark]) -> Option<usize> {
    let inside = text[range.clone()].strip_suffix([')', '）'])?;
    let open = range.start + inside.rfind(['(', '（'])?;
    let mut at = open + text[open..].chars().next().map_or(1, char::len_utf8);
    let end = range.start + inside.len();
    let own = &marks[marks.partition_point(|mark| mark.range.start < at)..];
    let own = &own[..own.partition_point(|mark| mark.range.end <= end)];
    let between =
        |text: &str| text.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '、'));
    let first = own.first()?.range.start;
    if is_lead(&text[at..first]) {
        at = first; // `(Source: [1])`
    }
    for mark in own {
        if !between(&text[at..mark.range.start]) {
            return None;
        }
        at = mark.range.end;
    }
    between(&text[at..end]).then_some(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_of_a_number_is_no_mark() {
        for (text, said) in [
            ("#8812 is open", "#8812 is open"),
            ("- **#8812** is open", "**#8812** is open"),
            ("# 8812 calls", "8812 calls"),
            ("## Calls", "Calls"),
            ("#Calls", "Calls"),
        ] {
            assert_eq!(edges(text), said);
        }
    }

    /// Every line of up to six of these.
    const LETTERS: [char; 7] = ['*', 'a', ' ', '.', '[', ']', '，'];

    #[test]
    fn marks_that_are_plain_are_as_a_parser_has_them() {
        let mut plain = 0;
        for number in 0..LETTERS.len().pow(6) {
            let letter = |place: u32| LETTERS[number / LETTERS.len().pow(place) % LETTERS.len()];
            let line: String = (0..6).map(letter).collect();
            let Some(loose) = plainly_loose(&line) else { continue };
            plain += 1;
            assert_eq!(loose, parsed_loose(&line), "{line:?}");
        }
        assert!(plain > 10_000, "only {plain} are plain");
        for line in
            ["**Growth**: sales rose [1]", "Growth**: sales rose", "a *b **c** d*", "**a (b)** c, *d* e"]
        {
            let plain = plainly_loose(line);
            assert!(plain.is_none_or(|loose| loose == parsed_loose(line)), "{line}");
        }
        assert_eq!(plainly_loose("**Growth:** sales **rose**."), Some(0));
        assert_eq!(plainly_loose("Growth:** sales rose"), Some(2));
        for other in ["a_b", "`**`", "[**a**](x)", "2 * 3", "***a***"] {
            assert_eq!(plainly_loose(other), None, "{other}");
        }
    }
}
