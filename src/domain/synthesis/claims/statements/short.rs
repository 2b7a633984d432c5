//! Texts that are nothing but a few words: `42`, `Yes.`, `The limit is 5`. They answer what was asked.

use std::ops::Range;

use super::contents::heading_text;
use super::edges::trimmed;
use super::few_words::may_answer;
use super::opening::{ascending, within_marks};
use super::traces::is_aside;
use super::{Around, Said, Statement, json_values};
use crate::domain::synthesis::citations::is_reference_heading;
use crate::domain::text::blocks::{Block, Kind, blocks};

/// Bytes of a few words.
const BYTES_MAX: usize = 160;
/// Bytes of a text of several such.
const TEXT_MAX: usize = 512;

/// What a text states in which nothing is longer than a few words: that, or a word alone in the JSON that it is.
pub(super) fn few_words<'t>(said: Said<'t, '_>) -> Vec<Statement<'t>> {
    let found = short_answers(said);
    if !found.is_empty() {
        return found;
    }
    let answers = json_values::answers(said.text).into_iter();
    answers.flat_map(|json| json_values::alone(said, json)).collect()
}

/// Each of its paragraphs and items, below its heading.
fn short_answers<'t>(said: Said<'t, '_>) -> Vec<Statement<'t>> {
    let text = said.text;
    if text.len() > TEXT_MAX {
        return Vec::new();
    }
    let (mut found, mut heading) = (Vec::new(), "");
    for block in blocks(text) {
        let content = block.content(text);
        if matches!(block.kind, Kind::Heading { .. }) {
            heading = heading_text(&text[content]);
        } else if !is_reference_heading(heading) {
            found.extend(answer(said, &block, content, heading));
        }
    }
    found
}

/// Adds the items that say less than the others of a list, where nothing but items is stated: `Passport` beside `Two photos`.
pub(super) fn with_lesser_items<'t>(said: Said<'t, '_>, found: &mut Vec<Statement<'t>>) {
    let text = said.text;
    let is_listed = |statement: &Statement<'_>| statement.around.is_listed && statement.row.is_none();
    if text.len() > TEXT_MAX || found.is_empty() || !found.iter().all(is_listed) {
        return;
    }
    let items = blocks(text).into_iter().filter(|block| matches!(block.kind, Kind::ListItem { .. }));
    for block in items {
        let content = block.content(text);
        let next = found.partition_point(|other| other.start < content.start);
        // Those of one list stand below the same.
        let beside = found.get(next).or(found.last()).filter(|other| other.start >= content.end || next > 0);
        let Some((heading, around)) = beside.map(|other| (other.heading, other.around)) else { continue };
        let is_told = found.get(next).is_some_and(|other| other.start < content.end);
        let stated = if is_told { None } else { answer(said, &block, content, heading) };
        if let Some(stated) = stated {
            found.insert(next, Statement { around, ..stated });
        }
    }
}

/// What a block says in a few words.
pub(super) fn answer<'t>(
    said: Said<'t, '_>,
    block: &Block,
    content: Range<usize>,
    heading: &'t str,
) -> Option<Statement<'t>> {
    let marks = within_marks(said.marks, content.clone());
    let range = trimmed(said.text, content, marks);
    let shown = &said.text[range.clone()];
    let says = matches!(block.kind, Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote)
        && shown.len() <= BYTES_MAX
        // Lines below each other are a list without marks.
        && (block.kind == Kind::Paragraph || !shown.contains('\n'))
        && may_answer(shown, false)
        && !is_aside(said.text, shown);
    says.then(|| Statement {
        text: shown,
        start: range.start,
        heading,
        around: Around::default(),
        subagent: said.subagent,
        sources: ascending(marks.iter().map(|mark| mark.source).collect()),
        row: None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    #[test]
    fn a_word_in_a_list_of_few_words_is_stated() {
        for (text, expected) in [
            ("- Passport\n- Two photos\n- Visa", &["Passport", "Two photos", "Visa"][..]),
            ("Bring:\n- Two photos\n- Passport", &["Two photos", "Passport"]),
            ("- 护照\n- 两张照片\n- 签证", &["护照", "两张照片", "签证"]),
            ("- Overview\n- Two photos", &["Two photos"]),
        ] {
            let stated: Vec<&str> = read(text, "a").into_iter().map(|found| found.text).collect();
            assert_eq!(stated, expected, "{text}");
        }
    }

    #[test]
    fn short_lines_are_stated_where_there_is_nothing_else() {
        for (text, expected) in [
            ("# Answer\n\nParis", &["Paris"][..]),
            ("## Result\n42", &["42"]),
            ("- 42\n- 43", &["42", "43"]),
            ("- 北京\n- 上海", &["北京", "上海"]),
            ("Paris\nBerlin\nRome", &["Paris\nBerlin\nRome"]),
        ] {
            let stated: Vec<&str> = read(text, "a").into_iter().map(|found| found.text).collect();
            assert_eq!(stated, expected, "{text}");
        }
        for text in [
            "# Paris",
            "## Logged\n\nLogged.",
            "# Results\n\nThe results:",
            "# Sources\n\nSmith",
            "# Code\n\n```\nx = 1\n```",
        ] {
            assert!(read(text, "a").is_empty(), "{text}");
        }
        let long = format!("# Answer\n\nParis\n\n{}", "- a\n".repeat(200));
        assert!(read(&long, "a").is_empty());
    }
}
