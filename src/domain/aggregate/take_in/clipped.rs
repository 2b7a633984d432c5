//! Whether a text was broken off: it ends in the middle of a sentence, a word, a fence, a link or JSON.
//!
//! Only its end says so, compared with its own habits: where no sentence of a text ends with a full stop, the last one
//! needn't either. Headings, tables, short labels and lines that end with an address are whole as they stand. One pass
//! for the fences, one over the last lines.

mod casual;
mod open;
mod whole;

use self::open::{ends_with_number, open_end};
use self::whole::is_whole;
use super::phrases::{CUT_MARKERS, CUT_WORDS};
use super::plain::word_count;
use crate::domain::text::leads::is_source;
use crate::domain::text::phrases::{behind_any, ends_with_any, has_any};

/// Words from which on a line without a full stop is a sentence rather than a label.
const SENTENCE_WORDS_MIN: usize = 8;
/// Words of a line from which on it shows how lines of its kind end.
const LINE_WORDS_MIN: usize = 3;
/// Bytes at the end of a text that are looked at for its last line.
const TAIL_BYTES: usize = 4_096;
/// Bytes of a note in brackets that tells of a cut.
const CUT_NOTE_BYTES_MAX: usize = 120;
/// Words before an ellipsis that leaves something out.
const ELLIPSIS_WORDS_MIN: usize = 5;
/// Lines of a list that show whether its items end with a full stop.
const HABIT_LINES_MIN: usize = 3;

/// Bytes of a post.
const POST_BYTES_MAX: usize = 300;

/// What Japanese sentences end with.
#[rustfmt::skip]
const ENDS_WIDE: [&str; 10] =
    ["です", "ます", "ました", "でした", "ません", "でしょう", "ましょう", "ください", "である", " 등"];

/// How a text breaks off that was taken for a part of a sentence.
pub(super) const INSIDE_SENTENCE: &str = "it ends inside a sentence";
/// The same where only the failure of its task tells it.
pub(super) const WITHOUT_STOP: &str = "it ends without a stop";

/// How `content` was broken off; `None` where it wasn't, or where it can't be told.
pub(super) fn clipped(content: &str) -> Option<&'static str> {
    let content = content.trim_end();
    let start = content.trim_start();
    if start.starts_with(['{', '[']) && is_broken_json(start) {
        return Some("the JSON breaks off");
    }
    if in_fence(content) {
        return Some("it ends inside a code block");
    }
    let tail = tail(content);
    let lowered = tail.get(tail.len().saturating_sub(40)..).unwrap_or(tail).to_lowercase();
    if ends_with_any(&lowered, CUT_MARKERS) {
        return Some("it says so itself");
    }
    if says_cut(tail) {
        return Some("it says so itself");
    }
    let last = last_line(tail)?;
    if let Some(how) = broken_mark(tail, last) {
        return Some(how);
    }
    if last.starts_with("```") || last.starts_with("~~~") || last.starts_with('#') || last.ends_with('|') {
        return None;
    }
    if last.starts_with('|') {
        return Some("it ends inside a table's row");
    }
    let line = Line::of(last);
    // What is quoted or emphasised from end to end is whole, with a stop or without.
    let is_set_apart = last.starts_with('>')
        || (last.starts_with(['*', '_']) && last.ends_with(['*', '_']))
        || is_closed_bold(last);
    let is_unended = !is_set_apart
        && is_unended(&line)
        && others_end(tail, &line)
        && !(is_post(content) || casual::is_message(last) || casual::is_in_small_letters(&line));
    open_end(&line).or_else(|| is_unended.then_some(INSIDE_SENTENCE))
}

/// Whether the only line of a text reads like a sentence without an end: where its task failed, it is likely that it broke off there.
pub(super) fn stops_short(content: &str) -> bool {
    let content = content.trim();
    let line = Line::of(content);
    !content.contains('\n') && !line.is_item && !content.ends_with(['*', '_']) && is_unended(&line)
}

/// Whether a sentence ends in what can't be the end of one: `and the`, a comma, an open bracket.
pub(super) fn ends_open(sentence: &str) -> bool {
    open_end(&Line::of(sentence)).is_some()
}

/// `[Output truncated due to length]` at the end.
fn says_cut(tail: &str) -> bool {
    let inside = tail.trim_end_matches(['.', '*', '_', ' ']).strip_suffix([']', ')', '>', '】', '）']);
    let note = inside.and_then(|inside| Some(inside.split_at(inside.rfind(['[', '(', '<', '【', '（'])?)));
    // In round brackets it may belong to a sentence, unless it has a line of its own.
    let is_note = |(before, note): &(&str, &str)| {
        note.len() <= CUT_NOTE_BYTES_MAX && (!note.starts_with(['(', '（']) || before.ends_with('\n'))
    };
    note.filter(is_note).is_some_and(|(_, note)| {
        let lowered = note.to_lowercase();
        has_any(&lowered, CUT_WORDS)
    })
}

/// An ellipsis behind words, an emphasis that isn't closed, a list's number without its item.
fn broken_mark(tail: &str, last: &str) -> Option<&'static str> {
    let number = last.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = number.len() < last.len() && last.len() <= 4 && matches!(number, "." | ")");
    if (is_number || matches!(last, "-" | "*" | "+" | "•")) && tail.trim_end().contains('\n') {
        return Some("it ends inside a list");
    }
    let paragraph = tail.rsplit("\n\n").next().unwrap_or(tail);
    if !paragraph.contains('`') && paragraph.matches("**").count() % 2 == 1 {
        return Some("it ends inside an emphasis");
    }
    let before = last.strip_suffix('…').or_else(|| last.strip_suffix("..."));
    let goes_on =
        before.filter(|before| before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ' ' | ',')));
    // A few words behind a stop may end so.
    let is_long = |before: &&str| word_count(last_sentence(before)) >= ELLIPSIS_WORDS_MIN;
    if let Some(how) = goes_on.filter(is_long).map(|_| "it ends in an ellipsis") {
        return Some(how);
    }
    ends_with_number(last).then_some("it ends inside a list")
}

/// The sentence that a line ends with.
fn last_sentence(line: &str) -> &str {
    let ends = |mark: &str| line.rfind(mark).map(|at| at + mark.len());
    let at = [". ", "! ", "? "].into_iter().filter_map(ends).max().unwrap_or_default();
    &line[at..]
}

/// Whether a line ends with a sentence in bold letters: `It was checked. **Bottom line: buy the X100**`.
fn is_closed_bold(line: &str) -> bool {
    let Some((before, inside)) = line.strip_suffix("**").and_then(|line| line.rsplit_once("**")) else {
        return false;
    };
    inside.contains(' ') && before.trim_end().ends_with(['.', '!', '?', ':', '。', '！'])
}

/// A line without its list mark, and whether it had one.
struct Line<'a> {
    words: &'a str,
    is_item: bool,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let line = line.trim_start_matches(['>', ' ']);
        let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let mark = behind_any(line, &["- ", "* ", "+ ", "• "]);
        let number = (numbered.len() < line.len())
            .then(|| numbered.strip_prefix(". ").or(numbered.strip_prefix(") ")));
        match mark.or(number.flatten()) {
            Some(words) => Self { words: words.trim(), is_item: true },
            None => Self { words: line.trim(), is_item: false },
        }
    }
}

/// Whether a line reads like a sentence without an end.
fn is_unended(line: &Line<'_>) -> bool {
    let words = line.words.trim_end_matches(['*', '_']);
    let ends_open = words.chars().next_back().is_some_and(char::is_alphanumeric);
    let last_word = words.rsplit(' ').next().unwrap_or(words);
    let is_address = last_word.contains("://")
        || last_word.contains("](")
        || last_word.starts_with("www.")
        || last_word.contains('.') && last_word.contains('/')
        || words.split_once(':').is_some_and(|(lead, rest)| is_source(lead) && rest.contains("://"));
    ends_open
        && !is_address
        && !words.starts_with('[')
        && word_count(words) >= SENTENCE_WORDS_MIN
        && !ends_with_any(words, &ENDS_WIDE)
        && !is_whole(last_sentence(words))
}

/// Whether a text is a few words as they are posted, where the last stop is often left out: `🏆🏆 what a night. We won the cup`.
fn is_post(content: &str) -> bool {
    let is_pictograph = |c: char| matches!(c, '\u{1F300}'..='\u{1FAFF}');
    content.len() <= POST_BYTES_MAX && (content.contains("!!") || content.contains(is_pictograph))
}

/// Whether sentences of the text end with a full stop: those before it in the line, else those of lines like it.
fn others_end(tail: &str, line: &Line<'_>) -> bool {
    let before_in_line =
        line.words.as_bytes().windows(2).any(|pair| matches!(pair[0], b'.' | b'!' | b'?') && pair[1] == b' ');
    let before_in_line = before_in_line || line.words.contains(['。', '！', '？']);
    if before_in_line && !line.is_item {
        return true;
    }
    let (mut ended, mut open) = (0, 0);
    for other in tail.lines().rev().map(str::trim).filter(|other| !other.is_empty()).skip(1) {
        let other = Line::of(other);
        if other.is_item != line.is_item
            || other.words.starts_with(['#', '|', '['])
            || other.words.contains("://")
        {
            continue;
        }
        if word_count(other.words) < LINE_WORDS_MIN {
            continue;
        }
        let end = other.words.trim_end_matches(['*', '_', ')', '）', ' ', '"', '”', '」']);
        let end = without_markers(end).trim_end_matches(['*', '_', ' ']);
        if end.ends_with(['.', '!', '?', '。', '！', '？', '…', ';', '；', ':', '：']) {
            ended += 1
        } else {
            open += 1
        }
    }
    if line.is_item { ended >= HABIT_LINES_MIN && open == 0 } else { ended > 2 * open }
}

/// A line without the citation markers at its end, `[1][2]` or `【1】`.
fn without_markers(line: &str) -> &str {
    let mut line = line;
    while let Some(open) = line.strip_suffix([']', '】']).and_then(|inner| inner.rfind(['[', '【'])) {
        line = line[..open].trim_end();
    }
    line
}

/// The end of a text, from a line's start where there is one.
fn tail(content: &str) -> &str {
    let mut from = content.len().saturating_sub(TAIL_BYTES);
    while !content.is_char_boundary(from) {
        from += 1;
    }
    let tail = &content[from..];
    match tail.find('\n') {
        Some(line) if from > 0 => &tail[line + 1..],
        Some(_) | None => tail,
    }
}

/// The last line that isn't a rule.
fn last_line(tail: &str) -> Option<&str> {
    let is_rule =
        |line: &str| line.len() >= 3 && line.bytes().all(|byte| matches!(byte, b'-' | b'*' | b'_' | b' '));
    let mut lines = tail.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    // A rule at the end closes what stands above it.
    lines.next().filter(|line| !is_rule(line))
}

/// Whether a text ends inside a fenced code block (CommonMark 0.31, section 4.5).
fn in_fence(content: &str) -> bool {
    // Most texts have none.
    if memchr::memchr2(b'`', b'~', content.as_bytes()).is_none() {
        return false;
    }
    let mut open: Option<(u8, usize, usize)> = None;
    for line in content.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = line.trim();
        let Some(mark) = line.bytes().next().filter(|mark| matches!(mark, b'`' | b'~')) else { continue };
        let run = line.bytes().take_while(|byte| *byte == mark).count();
        let rest = &line[run..];
        open = match open {
            None if run >= 3 && !(mark == b'`' && rest.contains('`')) => Some((mark, run, indent)),
            // In an item of a list a fence closes as far in as it opened.
            Some((own, least, column))
                if own == mark && run >= least && rest.is_empty() && indent < column + 4 =>
            {
                None
            }
            Some(_) | None => open,
        };
    }
    open.is_some()
}

/// Whether a text that begins like JSON is JSON up to its end and no further.
fn is_broken_json(text: &str) -> bool {
    // `[1] …` and `{name}` begin texts too: only what starts like an object or a list of values counts.
    let begins = |mark: char, next: &[char]| {
        text.strip_prefix(mark).is_some_and(|rest| rest.trim_start().starts_with(next))
    };
    let is_json = begins('{', &['"']) || begins('[', &['{', '"']);
    is_json && serde_json::from_str::<serde::de::IgnoredAny>(text).is_err_and(|error| error.is_eof())
}
