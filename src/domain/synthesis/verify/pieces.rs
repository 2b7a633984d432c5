//! A drafted passage as the findings that it is: what is longer than a paragraph is read paragraph by paragraph, and each is
//! checked, mended or left out alone.
//!
//! In prose each paragraph is one finding, however short the passage is. Headings, tables and code aren't: they are the
//! parts' own, and stand there already. Linear.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::finding::{CONTENT_CHARS_MAX, SENTENCES_MAX, without_repetition};
use super::plain::cleaned;
use crate::domain::synthesis::draft::DraftFinding;
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::sentences::sentences;

/// Characters of a passage that are looked at.
const LOOKED_AT_MAX: usize = 20_000;

/// The findings that a drafted one is; itself where it is a paragraph.
pub(super) fn pieces(item: &DraftFinding, sources: usize, is_prose: bool) -> Vec<Cow<'_, DraftFinding>> {
    if !is_prose && is_paragraph(&item.content, sources) {
        return vec![Cow::Borrowed(item)];
    }
    let mut seen = BTreeSet::new();
    let texts: Vec<String> = paragraphs(&item.content)
        .into_iter()
        .flat_map(|paragraph| chunks(paragraph, sources, &mut seen))
        .collect();
    match texts.as_slice() {
        [] => vec![Cow::Borrowed(item)],
        [only] if only.len() == item.content.trim().len() => vec![Cow::Borrowed(item)],
        _ => (0..)
            .zip(texts)
            .map(|(at, content)| {
                // What leads over leads over to the whole.
                let transition = item.transition.clone().filter(|_| at == 0);
                Cow::Owned(DraftFinding { content, transition, ..item.clone() })
            })
            .collect(),
    }
}

/// Whether a text is no longer than a paragraph, whatever it says again.
fn is_paragraph(text: &str, sources: usize) -> bool {
    if text.len() <= CONTENT_CHARS_MAX && sentences(text).len() <= SENTENCES_MAX {
        return true;
    }
    let said = without_repetition(&cleaned(text, sources, LOOKED_AT_MAX).0);
    said.chars().count() <= CONTENT_CHARS_MAX && sentences(&said).len() <= SENTENCES_MAX
}

/// The paragraphs and items of a text.
fn paragraphs(text: &str) -> Vec<&str> {
    let is_said = |kind: Kind| match kind {
        Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote | Kind::Html => true,
        Kind::Heading { .. } | Kind::Code { .. } | Kind::Table | Kind::Rule => false,
    };
    let said = blocks(text).into_iter().filter(|block| is_said(block.kind));
    said.map(|block| text[block.content(text)].trim()).filter(|said| !said.is_empty()).collect()
}

/// A paragraph in parts that are no longer than one may be, each sentence once.
fn chunks(paragraph: &str, sources: usize, seen: &mut BTreeSet<String>) -> Vec<String> {
    if is_paragraph(paragraph, sources) {
        return vec![paragraph.to_owned()];
    }
    let (mut chunks, mut open, mut count) = (Vec::new(), String::new(), 0);
    let said = sentences(paragraph).into_iter().map(|range| &paragraph[range]);
    for sentence in said.filter(|sentence| seen.insert(sentence.to_lowercase())) {
        let is_full = open.chars().count() + sentence.chars().count() >= CONTENT_CHARS_MAX;
        if count > 0 && (count >= SENTENCES_MAX || is_full) {
            chunks.push(std::mem::take(&mut open));
            count = 0;
        }
        if count > 0 {
            open.push(' ');
        }
        open.push_str(sentence);
        count += 1;
    }
    chunks.extend(Some(open).filter(|open| !open.is_empty()));
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(content: &str, is_prose: bool) -> Vec<String> {
        let item = DraftFinding {
            content: content.to_owned(),
            transition: Some("Beyond that".to_owned()),
            ..DraftFinding::default()
        };
        let pieces = pieces(&item, 3, is_prose);
        assert!(pieces.iter().skip(1).all(|piece| piece.transition.is_none()), "{content}");
        pieces.iter().map(|piece| piece.content.clone()).collect()
    }

    #[test]
    fn prose_is_read_paragraph_by_paragraph_and_findings_stay_whole() {
        let passage =
            "# Method\n\nIt is old. It is big [1].\n\nIt grew.\n\n- One.\n- Two.\n\n| a |\n|---|\n| b |\n";
        assert_eq!(texts(passage, true), ["It is old. It is big [1].", "It grew.", "- One.", "- Two."]);
        assert_eq!(texts(passage, false), [passage]);
        assert_eq!(texts("It is old.", true), ["It is old."]);
        assert_eq!(texts("# Method", true), ["# Method"], "somebody has to say that it states nothing");
    }

    #[test]
    fn what_is_longer_than_a_paragraph_is_several_and_what_only_repeats_itself_is_one() {
        let sentence = |at: usize| format!("Sentence number {at} says something that no other one says.");
        let long: Vec<String> = (0..60).map(sentence).collect();
        let pieces = texts(&long.join(" "), false);
        assert!(pieces.len() > 2 && pieces.iter().all(|piece| piece.chars().count() <= CONTENT_CHARS_MAX));
        assert_eq!(pieces.join(" "), long.join(" "), "nothing is lost");
        let again = vec![sentence(1); 60].join(" ");
        let pieces = texts(&again, false);
        assert_eq!((pieces.len(), pieces.concat()), (1, again));
    }
}
