//! A statement by what stands between its blanks, and an elided article apart from its noun.

use crate::domain::near_duplicates::Features;
use crate::domain::text::polarity::Marked;
use crate::domain::text::scripts::is_wide;

/// Longer statements are looked at so far.
const PIECES_MAX: usize = 64;
/// Letters of a word that decide, and those that an ending has at most.
const STEM: (usize, usize) = (5, 3);

/// What ends a phrase.
const STOPS: [char; 11] = [',', ';', ':', '.', '!', '?', ')', '，', '。', '；', '：'];

/// A word or a figure.
pub(super) struct Piece {
    /// In small letters, without what stands around it; an elided word with `'`.
    pub(super) lower: String,
    pub(super) is_figure: bool,
    /// Whether it is a word that turns a sentence into its opposite.
    pub(super) turns: bool,
    pub(super) has_capital: bool,
    pub(super) has_letter: bool,
    /// Whether a stop, a comma or a bracket stands behind it, or nothing does.
    pub(super) is_last: bool,
}

impl Piece {
    /// Without what may be its ending.
    pub(super) fn stem(&self) -> &str {
        let end = self.lower.char_indices().rev().nth(STEM.1 - 1).map_or(0, |(at, _)| at);
        let least = self.lower.char_indices().nth(STEM.0).map_or(self.lower.len(), |(at, _)| at);
        &self.lower[..end.max(least)]
    }

    /// Whether what differs by it is compared as such.
    pub(super) fn is_compared(&self) -> bool {
        self.is_figure || self.turns
    }

    /// Whether it is long enough to say something.
    pub(super) fn says(&self) -> bool {
        self.has_letter && self.lower.chars().nth(2).is_some()
    }
}

/// The pieces of a statement.
pub(super) fn pieces(of: &Features<'_>) -> Vec<Piece> {
    let text = of.text;
    let mut found = Vec::new();
    let mut end = 0;
    for written in text.split_whitespace() {
        let start = end + text[end..].find(written).unwrap_or_default();
        end = start + written.len();
        let mut at = start;
        // `l’adulte`: two, of which the first ends with the apostrophe.
        while let Some((place, mark)) = text[at..end].char_indices().find(|(_, c)| matches!(c, '\'' | '’'))
        {
            let next = at + place + mark.len_utf8();
            if next >= end || !text[next..end].starts_with(char::is_alphabetic) {
                break;
            }
            let elided =
                text[at..next - mark.len_utf8()].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            found.push(Piece {
                lower: elided + "'",
                is_figure: false,
                turns: false,
                has_capital: false,
                has_letter: true,
                is_last: false,
            });
            at = next;
        }
        // `Golf的价格为28万元`: what is written in other letters is another word.
        while let Some(next) = end_of_letters(&text[at..end]) {
            found.extend(piece(of, at, at + next));
            at += next;
        }
        found.extend(piece(of, at, end));
        if found.len() >= PIECES_MAX {
            break;
        }
    }
    if let Some(last) = found.last_mut() {
        last.is_last = true;
    }
    found
}

/// Where letters of Chinese or Japanese end, or begin, within a word.
fn end_of_letters(written: &str) -> Option<usize> {
    if written.is_ascii() {
        return None;
    }
    let first = is_wide(written.chars().next()?);
    written.find(|c: char| is_wide(c) != first)
}

fn piece(of: &Features<'_>, start: usize, end: usize) -> Option<Piece> {
    let written = &of.text[start..end];
    let plain = written.trim_matches(|c: char| !c.is_alphanumeric());
    let is_last = written.ends_with(STOPS) || of.text[end..].starts_with(STOPS);
    let is_inside = |from: usize, to: usize| from < end && start < to;
    let may_turn = |marked: &Marked| marked.mark.strong() || marked.mark.belongs_to_negation();
    let is_figure = of.figures.iter().any(|figure| is_inside(figure.start, figure.end));
    let turns = of.marks.iter().any(|marked| may_turn(marked) && is_inside(marked.start, marked.end));
    (!plain.is_empty()).then(|| Piece {
        lower: plain.to_lowercase(),
        is_figure,
        turns,
        has_capital: plain.starts_with(char::is_uppercase),
        has_letter: plain.contains(char::is_alphabetic),
        is_last,
    })
}
