//! Brackets and code of a line: where they end, and what is left of those that a marker was taken out of.

use crate::domain::text::leads::is_lead;

/// Longest inside of a marker, in bytes.
const MARKER_BYTES_MAX: usize = 400;
/// Bytes before a marker in which the bracket that it stands in is looked for.
const NEAR_BYTES: usize = 64;

/// A line without what the markers that were taken out left of the brackets at `opened`: `(,)` and `(see)` go, of `([1],)` the
/// comma. O(n).
pub(super) fn without_emptied(line: &str, opened: &[usize]) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut done = 0;
    for &open in opened {
        let Some(close) = line[open..].find(')').map(|length| open + length) else { break };
        if open < done {
            continue;
        }
        let inside = line[open + 1..close].trim_matches([',', ';', ' ']);
        if is_lead(inside) {
            kept.push_str(line[done..open].trim_end_matches(' '));
        } else {
            kept.push_str(&line[done..=open]);
            kept.push_str(inside);
            kept.push(')');
        }
        done = close + 1;
    }
    kept.push_str(&line[done..]);
    kept
}

/// Where the bracket opens that a text ends in, if it does so near its end.
pub(super) fn open_bracket(text: &str) -> Option<usize> {
    let near = text.floor_char_boundary(text.len().saturating_sub(NEAR_BYTES));
    let open = near + text[near..].rfind('(')?;
    (!text[open..].contains([')', '`', '\n'])).then_some(open)
}

/// The length of a code span, or of its opening where it isn't closed in this line.
pub(super) fn code_span(from: &str) -> usize {
    let run = from.bytes().take_while(|byte| *byte == b'`').count();
    let fence = &from[..run];
    let mut at = run;
    while let Some(found) = from[at..].find(fence) {
        let start = at + found;
        let closing = from[start..].bytes().take_while(|byte| *byte == b'`').count();
        if closing == run {
            return start + run;
        }
        at = start + closing;
    }
    run
}

/// What stands between the brackets that `from` begins with, and their length; `None` where they are a link's, a
/// definition's, or none.
pub(super) fn bracket(from: &str) -> Option<(&str, usize)> {
    let (open, close) = if from.starts_with('【') { ('【', '】') } else { ('[', ']') };
    let inner = &from[open.len_utf8()..];
    let end = inner
        .char_indices()
        .take_while(|(at, _)| *at <= MARKER_BYTES_MAX)
        .find(|(_, c)| matches!(c, '[' | ']' | '【' | '】' | '\n'))?;
    if end.1 != close {
        return None;
    }
    let length = open.len_utf8() + end.0 + close.len_utf8();
    let is_link = from[length..].starts_with(['(', ':']) && open == '[' && !inner[..end.0].starts_with('^');
    (!is_link).then_some((&inner[..end.0], length))
}
