//! What stands after a terminator: marks that still belong to the sentence, and what the next one begins with.

use super::addressed::address_before_next;
use super::authors::authors_and_year;
use super::blanks::blanks;
use super::marks::mark_of;
use crate::domain::text::leads::is_lead;
use crate::domain::text::scripts::is_wide_or_mark;

/// The character that begins at byte `at`; none at the end of the text.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at)? {
        byte if byte.is_ascii() => Some(char::from(*byte)),
        _ => text.get(at..)?.chars().next(),
    }
}

/// The first byte at or after `at` that isn't white space, or the end of the text.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    text.get(at..).map_or(text.len(), |rest| text.len() - rest.trim_start().len())
}

/// What closes a sentence after its terminator.
pub(super) struct Closed {
    /// Where the sentence ends, in bytes.
    pub(super) end: usize,
    /// Whether there is a citation marker among the marks.
    pub(super) cited: bool,
}

/// Passes over closing quotes and brackets, marks of emphasis, and citation markers such as `[1]`, `[1, 2]`, `[^1]` and
/// `【1】`, before which blanks may stand.
pub(super) fn closers(text: &str, from: usize) -> Closed {
    let mut closed = Closed { end: from, cited: false };
    if begin_next(text, from) {
        return closed;
    }
    loop {
        let spaces = blanks(&text[closed.end..]);
        let next = &text[closed.end + spaces..];
        if let Some(length) = source(next) {
            closed = Closed { end: closed.end + spaces + length, cited: true };
            continue;
        }
        // Who said it stands before the marker: `" (Smith, 2023) [1]`.
        if let Some(length) = authors_and_year(next)
            && let spaces = spaces + length + blanks(&next[length..])
            && citation(&text[closed.end + spaces..]).is_some()
        {
            closed.end += spaces;
            continue;
        }
        match char_at(text, closed.end) {
            Some(c) if is_closer(c) => closed.end += c.len_utf8(),
            // Terminators after a citation: `.[1].` That of `(cf. [1]).` isn't behind an end, and is looked at for itself.
            Some('.') if closed.cited && !text[..closed.end].ends_with(')') => closed.end += 1,
            Some(stop @ ('。' | '।')) if closed.cited => closed.end += stop.len_utf8(),
            // What can't be seen, or is written in HTML, is no space for who asks whether the sentence ends.
            Some(c) if closed.cited && spaces > 0 && !c.is_whitespace() => closed.end += spaces,
            Some(_) | None => return closed,
        }
    }
}

/// How many bytes what names a source takes at the start of a text.
fn source(text: &str) -> Option<usize> {
    citation(text).or_else(|| cited_group(text)).or_else(|| address_before_next(text))
}

/// Whether the citations behind a stop are words of the next sentence: `It rose [1]. [2] says that it fell.` That before
/// them has its own.
fn begin_next(text: &str, from: usize) -> bool {
    const ROW_MAX: usize = 8;
    let (mut at, mut count) = (from, 0);
    while count < ROW_MAX {
        let gap = if count > 0 && text[at..].starts_with([',', ';']) { at + 1 } else { at };
        let gap = gap + blanks(&text[gap..]);
        let Some(length) = citation(&text[gap..]).filter(|_| gap > from) else { break };
        (at, count) = (gap + length, count + 1);
    }
    let spaces = blanks(&text[at..]);
    count > 0
        && spaces > 0
        && char_at(text, at + spaces).is_some_and(char::is_lowercase)
        && is_cited(text[..from].trim_end_matches(|c| mark_of(c).is_some()))
}

/// Whether a text ends with a citation, which may stand in parentheses.
fn is_cited(text: &str) -> bool {
    const NEAR: usize = 64;
    let text = text.trim_end_matches([')', '）']);
    let near = &text[text.floor_char_boundary(text.len().saturating_sub(NEAR))..];
    near.rfind(['[', '【', '［']).is_some_and(|open| citation(&near[open..]) == Some(near.len() - open))
}

fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '*'
            | '_'
            | '~'
            | '”'
            | '’'
            | '»'
            | '›'
            | '）'
            | '］'
            | '】'
            | '」'
            | '』'
    ) || matches!(c, '》' | '〉' | '｣' | '＂' | '〕' | '〗' | '¹' | '²' | '³' | '⁰' | '⁴'..='⁹')
}

/// Whether the mark at `at` begins a quotation, or a parenthesis. A straight one does before a word, and not after one
/// where words are divided by spaces: `5" wide`.
pub(super) fn opens_quotation(text: &str, at: usize, open: char) -> bool {
    let before = text[..at].chars().next_back();
    open != '"'
        || before.is_none_or(|before| {
            before.is_whitespace()
                || is_opener(before)
                || is_wide_or_mark(before)
                || matches!(before, ':' | '：' | '，')
        }) && char_at(text, at + 1).is_some_and(|after| !after.is_whitespace())
}

/// How many bytes of a text a quotation or a parenthesis takes that `open` has begun, with the mark that closes it.
pub(super) fn quotation(rest: &[u8], open: char) -> Option<usize> {
    let find = |close: &str| Some(memchr::memmem::find(rest, close.as_bytes())? + close.len());
    match open {
        '"' => find("\""),
        '“' => find("”"),
        '„' => [find("“"), find("”"), find("\"")].into_iter().flatten().min(),
        '(' => find(")"),
        '（' => find("）"),
        '«' => find("»"),
        '「' => find("」"),
        '『' => find("』"),
        _ => None,
    }
}

/// How many bytes a citation marker takes: brackets with a number first and no letters but those of `†source`, `p. 4`,
/// `L3`. An address in parentheses after it belongs to it.
pub(super) fn citation(text: &str) -> Option<usize> {
    const LENGTH_MAX: usize = 48;
    let mut chars = text.char_indices();
    let close = match chars.next()?.1 {
        '[' => ']',
        '【' => '】',
        '［' => '］',
        _ => return None,
    };
    let mut first = true;
    for (at, c) in chars {
        if at > LENGTH_MAX || c == '\n' {
            return None;
        }
        if c == close {
            return if first { None } else { Some(at + c.len_utf8() + address(&text[at + c.len_utf8()..])) };
        }
        if first && c != '^' {
            if !c.is_numeric() {
                return None;
            }
            first = false;
        }
        if matches!(c, '[' | '【' | '［') {
            return None;
        }
    }
    None
}

/// How many bytes brackets take in which there is nothing but citations: `([1], [2])`, `（[1]）`, `(Source: [1])`.
fn cited_group(text: &str) -> Option<usize> {
    const LENGTH_MAX: usize = 96;
    let open = text.chars().next().filter(|c| matches!(c, '(' | '（'))?;
    let mut at = open.len_utf8();
    let near = text.char_indices().take_while(|(at, _)| *at <= LENGTH_MAX);
    let lead =
        near.skip(1).find(|(_, c)| matches!(c, '[' | '【' | '［' | '\n')).map(|(found, _)| found - at)?;
    if !is_lead(&text[at..at + lead]) {
        return None;
    }
    at += lead;
    loop {
        at += citation(text.get(at..)?)?;
        at += text[at..].len() - text[at..].trim_start_matches([' ', ',', ';', '，', '、']).len();
        if let Some(close @ (')' | '）')) = char_at(text, at) {
            return Some(at + close.len_utf8());
        }
        if at > LENGTH_MAX {
            return None;
        }
    }
}

/// How many bytes an address in parentheses takes at the start of a text; 0 where there is none.
fn address(text: &str) -> usize {
    const LENGTH_MAX: usize = 512;
    if !text.starts_with('(') {
        return 0;
    }
    let end = text.bytes().take(LENGTH_MAX).position(|byte| byte == b')' || byte.is_ascii_whitespace());
    end.filter(|end| text.as_bytes()[*end] == b')').map_or(0, |end| end + 1)
}

/// The first letter or digit of what follows, past opening quotes, brackets and marks.
pub(super) struct Letter {
    pub(super) lower: bool,
    pub(super) digit: bool,
}

/// Looks past white space and at most a few opening marks. None at the end of the text and at other marks.
pub(super) fn first_letter(text: &str, from: usize) -> Option<Letter> {
    const MARKS_MAX: usize = 8;
    let rest = text.get(from..)?.trim_start();
    let letter = rest.chars().take(MARKS_MAX).find(|c| !is_opener(*c))?;
    letter.is_alphanumeric().then(|| Letter { lower: letter.is_lowercase(), digit: letter.is_numeric() })
}

/// Whether a character opens a sentence without being its first letter: quotes, brackets, emphasis.
pub(super) fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '('
            | '['
            | '{'
            | '*'
            | '_'
            | '`'
            | '~'
            | '“'
            | '‘'
            | '„'
            | '«'
            | '‹'
            | '（'
            | '［'
            | '【'
    ) || matches!(c, '「' | '『' | '《' | '〈' | '¿' | '¡')
}

/// Whether a line starts something of its own: an item of a list, a heading, a quotation, a row of a table, a fence, an
/// entry of references (`[1] Title`, `[^1]: Title`).
pub(super) fn starts_entry(line: &[u8]) -> bool {
    match line {
        [b'-' | b'*' | b'+' | b'>', b' ', ..]
        | [b'|', ..]
        | [b'`', b'`', b'`', ..]
        | [b'~', b'~', b'~', ..] => true,
        [0xE2, 0x80, 0xA2, b' ', ..] => true, // the bullet •
        [b'#', ..] => {
            let level = line.iter().take(7).take_while(|byte| **byte == b'#').count();
            level <= 6 && line.get(level) == Some(&b' ')
        }
        [b'0'..=b'9', ..] => {
            let digits = digits(line);
            digits <= 3 && matches!(&line[digits..], [b'.' | b')', b' ', ..])
        }
        [b'[', b'^', ..] => memchr::memchr(b']', &line[..line.len().min(40)])
            .is_some_and(|end| line.get(end + 1) == Some(&b':')),
        [b'[', rest @ ..] => {
            let digits = digits(rest);
            (1..=4).contains(&digits)
                && matches!(&rest[digits..], [b']', b':', ..] | [b']', b' ', b'!'..=b'~' | 0x80.., ..])
        }
        _ => false,
    }
}

fn digits(line: &[u8]) -> usize {
    line.iter().take(5).take_while(|byte| byte.is_ascii_digit()).count()
}
