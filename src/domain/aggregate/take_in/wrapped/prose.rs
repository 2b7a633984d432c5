//! Whether what stands in a fence without a name is prose: more than half of it are sentences, and no line is code, a log or data.
//!
//! In doubt it isn't: what is taken for code is shown as it stands, and code that is taken for prose is torn apart.

use super::super::plain::word_count;
use super::super::unseen::is_json;
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::phrases::{begins_with_any, has_any};

/// Words of a sentence.
const WORDS_MIN: usize = 4;
/// Bytes at the begin of a line in which a log has its time.
const TIME_BYTES: usize = 30;

/// How a line begins that is of a shell, a program, a patch or a log.
const BEGINS: [&str; 22] = [
    "$ ",
    "% ",
    "//",
    "/*",
    "#!",
    "#include",
    "@",
    "+++ ",
    "--- ",
    "<",
    "import ",
    "def ",
    "class ",
    "INFO",
    "ERROR",
    "WARN",
    "DEBUG",
    "TRACE",
    "FATAL",
    "Traceback",
    "File \"",
    "SELECT ",
];
/// How one ends.
const ENDS: [char; 6] = ['{', '}', ';', '\\', '(', '`'];
/// What stands in one.
const WITHIN: [&str; 12] = [" = ", " := ", "==", "=>", "->", "()", "::", "&&", "├", "└", "│", "+--"];

/// Whether a text is prose.
pub(super) fn is_prose(text: &str) -> bool {
    if is_json(text) {
        return false;
    }
    let (mut all, mut stated) = (0, 0);
    for block in blocks(text) {
        let said = &text[block.content(text)];
        let is_fence = matches!(block.kind, Kind::Code { fenced: true, .. });
        if !is_fence && said.lines().any(|line| is_code(line.trim())) {
            return false;
        }
        match block.kind {
            Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote if !said.contains("://") => {
                all += said.len();
                stated += if is_stated(said) { said.len() } else { 0 };
            }
            Kind::Code { fenced: false, .. } | Kind::Html => return false,
            // They are in prose as well as elsewhere, and so are lists of addresses.
            Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote => {}
            Kind::Heading { .. } | Kind::Code { fenced: true, .. } | Kind::Table | Kind::Rule => {}
        }
    }
    stated * 2 > all
}

/// Whether a paragraph, an item or a quotation begins as a sentence does, ends as one and has words enough.
fn is_stated(said: &str) -> bool {
    let begin = said.trim_start_matches(|c: char| !c.is_alphabetic());
    let is_closing = |c: char| c.is_ascii_digit() || "[]()【】^*_\"'”’»」“, ".contains(c);
    !begin.starts_with(|c: char| c.is_ascii_lowercase())
        && said.trim_end_matches(is_closing).ends_with(['.', '!', '?', ':', '。', '！', '？', '：'])
        && word_count(said) >= WORDS_MIN
}

fn is_code(line: &str) -> bool {
    // A sentence may end with code, and speak of it.
    let ends_in_code =
        line.ends_with(ENDS) && !(line.ends_with('`') && line.matches('`').count().is_multiple_of(2));
    let has_code = || has_any(line, &WITHIN) && !line.contains('`');
    ends_in_code || begins_with_any(line, &BEGINS) || has_code() || has_key(line) || has_time(line)
}

/// `timeout_ms: 5`, as in YAML: the key is one word in small letters.
fn has_key(line: &str) -> bool {
    let item = line.strip_prefix("- ").unwrap_or(line);
    item.split_once(':').is_some_and(|(key, value)| {
        let is_word = key
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.".contains(&byte));
        is_word
            && key.starts_with(|c: char| c.is_ascii_lowercase())
            && (value.is_empty() || value.starts_with(' '))
    })
}

/// `2026-03-01 12:00:01`, `[12:00:01]`: hours, minutes and seconds at the begin.
fn has_time(line: &str) -> bool {
    let head = &line.as_bytes()[..line.len().min(TIME_BYTES)];
    let is_two = |pair: &[u8]| pair.iter().all(u8::is_ascii_digit);
    head.windows(8).any(|time| {
        time[2] == b':' && time[5] == b':' && is_two(&time[..2]) && is_two(&time[3..5]) && is_two(&time[6..])
    })
}
