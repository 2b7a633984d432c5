//! The first sentence of an answer where it is a word or a figure: `No. The licence does not cover it.`, `5. That is the most.`
//!
//! It is the answer itself, so it is quoted with the sentence that follows it, as the text has both, and alone where none does.

use std::ops::Range;

use super::contents::heading_text;
use super::edges::{closed, edges, trimmed};
use super::few_words::{bare, may_answer};
use super::labels::{is_head, is_label, names_part};
use super::pointers::is_pointer;
use super::traces::is_aside;
use super::units_of::said_alone;
use super::{Around, Mark, Said, Statement};
use crate::domain::synthesis::citations::is_reference_heading;
use crate::domain::text::sentences::sentences;

/// Bytes of such a sentence, with its markup and its citations.
const BYTES_MAX: usize = 64;
/// Bytes that are read to see where it ends.
const READ_MAX: usize = 256;
/// Bytes of a text whose first line may be the answer, without a stop: a longer one has a title there.
pub(super) const SHORT_TEXT_MAX: usize = 1_024;
/// Heads and labels before it that are passed over.
const HEADS_MAX: usize = 4;

/// What is said before an answer begins, and is none.
#[rustfmt::skip]
const GREETINGS: [&str; 34] = [
    "sure", "hi", "hello", "hey", "great", "good", "alright", "right", "well", "perfect", "excellent", "welcome", "sorry", "hmm", "um", "uh", "so", "now", "first", "finally", "overall",
    "hallo", "gerne", "gut", "klar", "bonjour", "salut", "bien", "hola", "claro", "好", "您好", "你好", "当然",
];

/// Lets the first statement of a part of a text begin with the short sentence before it. Returns that sentence where it must stand
/// alone: `first`, if any, is the first statement that was found there.
pub(super) fn before<'t>(
    said: Said<'t, '_>,
    within: Range<usize>,
    first: Option<&mut Statement<'t>>,
) -> Option<Statement<'t>> {
    let Said { text, subagent, marks, .. } = said;
    let (heading, begin) = behind_heads(text, within.clone())?;
    let mut first = first;
    if let Some(first) = first.as_deref_mut() {
        let is_quoted = text.get(begin..first.start).is_none_or(is_blank);
        if is_quoted || take_figure(text, within.clone(), begin, first) {
            return None;
        }
    }
    let raw = sentence(text, begin..within.end)?;
    let own = within_marks(marks, raw.clone());
    let shown = trimmed(text, raw.clone(), own);
    if !is_answer(text, raw.clone(), &shown)
        || !(closed(text, raw.clone(), own) || is_line(text, raw.clone(), within))
    {
        return None;
    }
    let mut sources: Vec<usize> = own.iter().map(|mark| mark.source).collect();
    match first {
        Some(first) if first.start < raw.end => None,
        Some(first) if follows(text, raw.end..first.start) => {
            let whole = raw.start..first.start + first.text.len();
            let start = trimmed(text, whole.clone(), &[]).start;
            sources.append(&mut first.sources);
            (first.text, first.start) = (text.get(start..whole.end)?, start);
            first.sources = ascending(sources);
            first.around.before = "";
            None
        }
        _ => Some(Statement {
            text: text.get(shown.clone())?,
            start: shown.start,
            heading,
            around: Around::default(),
            subagent,
            sources: ascending(sources),
            row: None,
        }),
    }
}

pub(super) fn ascending(mut sources: Vec<usize>) -> Vec<usize> {
    sources.sort_unstable();
    sources.dedup();
    sources
}

pub(super) fn within_marks(marks: &[Mark], range: Range<usize>) -> &[Mark] {
    let own = &marks[marks.partition_point(|mark| mark.range.start < range.start)..];
    &own[..own.partition_point(|mark| mark.range.end <= range.end)]
}

/// Whether nothing stands in a range but markup.
fn is_blank(between: &str) -> bool {
    !between.contains(char::is_alphanumeric)
}

/// Whether a sentence stands right behind another, in its paragraph: only markup and citations may be between them.
fn follows(text: &str, between: Range<usize>) -> bool {
    let between = &text[between];
    let is_cited = |c: char| c.is_ascii_digit() || matches!(c, '[' | ']' | '*' | '_' | ' ' | '\n' | '\r');
    between.chars().all(is_cited) && between.matches('\n').count() < 2
}

/// Where an answer begins, behind the headings and labels above it, and the last of those.
fn behind_heads(text: &str, within: Range<usize>) -> Option<(&str, usize)> {
    let (mut heading, mut at) = ("", within.start);
    for _ in 0..=HEADS_MAX {
        let rest = text.get(at..within.end)?;
        let begin = at + (rest.len() - rest.trim_start().len());
        let line = text.get(begin..within.end)?.lines().next()?;
        if line.starts_with("# ") || line.starts_with("##") {
            heading = heading_text(line);
        } else if is_label(line) {
            heading = edges(line).trim_end_matches([':', '：', '.']);
        } else if !line.trim_matches(['-', '*', '_', ' ']).is_empty() {
            let is_text = !line.starts_with(['|', '<', '{', '`', '~']) && !is_reference_heading(heading);
            return is_text.then_some((heading, begin));
        }
        at = begin + line.len();
    }
    None
}

/// The first sentence of a part of a text, where it is short enough.
fn sentence(text: &str, within: Range<usize>) -> Option<Range<usize>> {
    let end = text.floor_char_boundary((within.start + READ_MAX).min(within.end));
    let first = sentences(text.get(within.start..end)?).into_iter().next()?;
    let raw = within.start + first.start..within.start + first.end;
    let is_whole = raw.end < end || end == within.end;
    (is_whole && raw.len() <= BYTES_MAX).then_some(raw)
}

/// Whether words without a stop are the first line of a short answer: `5 items`, before prose, and no title of it.
fn is_line(text: &str, raw: Range<usize>, within: Range<usize>) -> bool {
    const TITLES: [&str; 6] = ["introduction", "abstract", "report", "note", "notes", "dr"];
    let (line, rest) = (&text[raw.clone()], &text[raw.end..within.end]);
    let (words, next) = (line.split_whitespace().count(), rest.trim_start());
    let is_figure = line.starts_with(|c: char| c.is_numeric() || matches!(c, '$' | '€' | '£' | '¥'));
    let last = bare(line.rsplit(' ').next().unwrap_or_default());
    within.len() <= SHORT_TEXT_MAX
        && rest[..rest.len() - next.len()].matches('\n').count() > 1
        && (words <= 2 || is_figure && words <= 4)
        && line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '"' | '$' | '€' | '£' | '¥'))
        && !line.starts_with("* ")
        && !next.starts_with(['-', '*', '+', '•', '|', '#', '<', '`', '['])
        && !next.starts_with(|c: char| c.is_ascii_digit())
        && !names_part(&last)
        && !TITLES.contains(&last.as_str())
}

/// Whether a short sentence may be what was asked for.
fn is_answer(text: &str, raw: Range<usize>, shown: &Range<usize>) -> bool {
    let shown = &text[shown.clone()];
    may_answer(shown, true)
        && !is_aside(text, shown)
        && said_alone(shown).is_none()
        && !shown.contains('\n')
        && !GREETINGS.contains(&bare(shown).as_str())
        && !is_pointer(shown)
        && !is_head(&text[raw])
}

/// Gives a statement the figure before it that was taken for a list's number: `5. That is the most.` where nothing else has a
/// number. One alone may number 1.
fn take_figure<'t>(text: &'t str, within: Range<usize>, begin: usize, first: &mut Statement<'t>) -> bool {
    let number = |line: &str| {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = (1..=3).contains(&digits) && line[digits..].starts_with([')', '.']);
        (is_number && line[digits + 1..].starts_with(' ')).then_some(digits)
    };
    let Some(digits) = number(&text[begin..within.end]) else { return false };
    let figure = &text[begin..begin + digits];
    let between = text.get(begin + digits..first.start).unwrap_or_default();
    let is_alone =
        || text[within.clone()].lines().filter_map(|line| number(line.trim_start())).take(2).count() == 1;
    if figure == "1" || between.trim() != "." || !first.text.starts_with(char::is_uppercase) || !is_alone() {
        return false;
    }
    let end = first.start + first.text.len();
    (first.text, first.start) = (text.get(begin..end).unwrap_or(first.text), begin);
    true
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|found| (found.text, found.sources)).collect()
    }

    #[test]
    fn a_first_sentence_of_a_word_is_quoted_with_the_next() {
        for text in [
            "No. The licence does not cover it.",
            "Yes. Because the licence covers it.",
            "5. That is the maximum for one order.",
            "Berlin. The office was opened in 2019.",
            "**No.** The licence does not cover it.",
            "No! The licence\ndoes not cover it.",
            "否。许可证不包括出口。",
        ] {
            for before in ["", "# Answer\n\n", "**Answer**\n\n"] {
                assert_eq!(stated(&format!("{before}{text}")), [(text, vec![])]);
            }
        }
        let cited = "No [1]. The licence does not cover it [2].";
        assert_eq!(stated(cited), [("No [1]. The licence does not cover it", vec![1, 2])]);
        let json = r#"{"answer": "No. The licence does not cover it.", "kind": "Short."}"#;
        assert_eq!(stated(json), [("No. The licence does not cover it.", vec![])]);
    }

    #[test]
    fn a_first_sentence_of_a_word_stands_alone_where_none_follows_it() {
        for (text, alone) in [
            ("No.\n\nThe licence does not cover it.", "No."),
            ("5 items\n\nThe licence does not cover it.", "5 items"),
            ("Paris\n\nThe licence does not cover it.", "Paris"),
            ("No. Why?\n\nThe licence does not cover it.", "No."),
            ("## Result\n\n42.\n\n- The licence does not cover it.", "42."),
        ] {
            let found = stated(text);
            assert_eq!(found, [(alone, vec![]), ("The licence does not cover it.", vec![])], "{text}");
        }
    }

    #[test]
    fn what_is_no_answer_stays_out() {
        const SAID: &str = "The licence does not cover it.";
        for before in [
            "Sure. ",
            "Hello! ",
            "Done. ",
            "Great! ",
            "Why? ",
            "**Summary.** ",
            "1. ",
            "- ",
            "5) ",
            "Market Overview\n\n",
            "Introduction\n\n",
        ] {
            assert_eq!(stated(&format!("{before}{SAID}")), [(SAID, vec![])], "{before}");
        }
        let list = format!("5. {SAID}\n6. It is of the year 2019.");
        assert_eq!(stated(&list)[0].0, SAID);
        assert_eq!(stated(&format!("{SAID} No. It is of the year 2019.")).len(), 2);
        assert_eq!(stated("## Sources\n\nSmith."), []);
    }
}
