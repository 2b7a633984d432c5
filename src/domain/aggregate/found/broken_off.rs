//! The end of a text that was broken off: half a sentence is no finding.

use crate::domain::aggregate::gather::Kept;
use crate::domain::aggregate::take_in::{clipped, is_cut};
use crate::domain::synthesis::claims::Statement;

/// What of a result's text is searched for statements: nothing of JSON that breaks off, and no citation that does.
pub(super) fn searched<'t>(kept: &Kept, text: &'t str) -> &'t str {
    match broken_off(kept, text) {
        Some("the JSON breaks off") => "",
        Some(_) => without_open_citation(text),
        None => text,
    }
}

/// Leaves out the last of the statements that were found in a text, where the text breaks off inside it.
pub(super) fn leave_out(kept: &Kept, text: &str, said: &mut Vec<Statement<'_>>) {
    let Some(last) = said.last() else { return };
    let behind = text.get(last.start + last.text.len()..).unwrap_or_default();
    let ends = behind.trim_start().starts_with(['.', '!', '?', '。', '！', '？']) || is_ended(last.text);
    if ends || behind.contains(char::is_alphabetic) {
        return;
    }
    let Some(how) = broken_off(kept, text) else { return };
    let line = text.get(..last.start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    // A last line without a stop may be whole: a bottom line, a caption.
    let is_own_line = !line.contains(char::is_alphanumeric);
    if !is_own_line || is_cut(last.text, how) {
        said.pop();
    }
}

/// How a result's text was broken off, as its notes say; of one that hasn't ended they say nothing.
fn broken_off<'k>(kept: &'k Kept, text: &str) -> Option<&'k str> {
    let noted = kept.notes.iter().find_map(|note| note.strip_prefix("clipped: "));
    noted.or_else(|| if kept.partial { clipped(text) } else { None })
}

fn is_ended(sentence: &str) -> bool {
    let said = sentence.trim_end_matches(['"', '\'', '”', '’', '»', '」', ')', '）', ']', '】', '*', '_']);
    said.ends_with(['.', '!', '?', '…', '。', '！', '？', '．', '।'])
}

/// Without `[1` or `[1, ` at the end.
fn without_open_citation(text: &str) -> &str {
    let open = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '^'));
    open.strip_suffix(['[', '【', '［']).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_citation_goes_and_other_ends_stay() {
        for (text, searched) in [
            ("It rose by 17 % in 2024.[1", "It rose by 17 % in 2024."),
            ("It rose.[1][2, ", "It rose.[1]"),
            ("It rose.[1]", "It rose.[1]"),
            ("It rose in 2024", "It rose in 2024"),
        ] {
            assert_eq!(without_open_citation(text), searched);
        }
    }

    #[test]
    fn a_sentence_ends_with_a_stop_and_what_closes_it() {
        assert!(is_ended("It rose.”") && is_ended("上涨。") && is_ended("**It rose!**"));
        assert!(!is_ended("It rose by 17") && !is_ended("It rose (by 17)"));
    }
}
