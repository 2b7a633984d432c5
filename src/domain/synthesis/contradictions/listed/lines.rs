//! What is listed, and the lines above it: an item, a row, or what a statement lists itself, `**Included:** breakfast, wifi`.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::differ::negations;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, cells};
use crate::domain::text::turned::{Turn, turn, turn_of_heading};
use crate::domain::text::words::{Kind, Lexicon};

/// Bytes of a statement that lists something itself.
const LIST_BYTES_MAX: usize = 400;
/// Bytes of an item, and of a line above it.
const ITEM_BYTES_MAX: usize = 400;
const ABOVE_BYTES_MAX: usize = 300;
/// Words of the line that it begins with, and of an item of it.
const LINE_WORDS_MAX: usize = 6;
const ITEM_WORDS_MAX: usize = 6;
/// What divides items in a line, and what joins the last to them.
const DIVIDING: [char; 5] = [',', ';', '，', '、', '；'];
const JOINING: [&str; 6] = [" and ", " or ", " und ", " oder ", " et ", " ou "];

/// Something that is listed.
pub(super) struct Item<'t> {
    pub(super) text: &'t str,
    /// Equal where the same is listed.
    pub(super) key: u64,
    /// The lines above it, the nearest first.
    pub(super) lines: Vec<Line<'t>>,
}

/// A line above what is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    is_heading: bool,
}

impl Line<'_> {
    /// Where it stands, and as what: equal only for the same line.
    pub(super) fn place(&self) -> (*const u8, usize, bool) {
        (self.text.as_ptr(), self.text.len(), self.is_heading)
    }

    /// Whether it turns what stands below it: a heading may say what something else lacks.
    pub(super) fn turns(&self) -> bool {
        self.turn().is_some()
    }

    /// Whether it says that what stands below it isn't so.
    pub(super) fn denies(&self) -> bool {
        self.turn() == Some(Turn::Denies)
    }

    fn turn(&self) -> Option<Turn> {
        if self.is_heading { turn_of_heading(self.text) } else { turn(self.text) }
    }
}

/// What a statement lists: itself, where it is an item or a row.
pub(super) fn items<'t>(said: &Statement<'t>, of: &Features<'_>, lexicon: &mut Lexicon) -> Vec<Item<'t>> {
    let lines: Vec<Line<'t>> = lines_above(said).collect();
    let are_long = lines.iter().any(|line| line.text.len() > ABOVE_BYTES_MAX);
    if let Some((text, inside)) = line_of(said.text).filter(|_| !are_long) {
        let own = Line { text, is_heading: false };
        let lines: Vec<Line<'t>> = std::iter::once(own).chain(lines).collect();
        let items = inside.into_iter().filter_map(|text| {
            Some(Item { text, key: key(&Features::of(lexicon, text))?, lines: lines.clone() })
        });
        return items.collect();
    }
    if lines.is_empty() || !said.around.is_listed || said.text.len() > ITEM_BYTES_MAX || are_long {
        return Vec::new();
    }
    let text = if said.row.is_some() { thing(said.text) } else { said.text };
    let key = if text.len() == said.text.len() { key(of) } else { key(&Features::of(lexicon, text)) };
    key.map(|key| Item { text, key, lines }).into_iter().collect()
}

/// The lines that what a statement lists may stand below.
pub(super) fn lines_of<'t>(said: &Statement<'t>) -> impl Iterator<Item = Line<'t>> + use<'t> {
    let own = label(said.text).map(|(text, _)| Line { text, is_heading: false });
    let above = Some(lines_above(said)).filter(|_| said.around.is_listed || own.is_some());
    let lines = own.into_iter().chain(above.into_iter().flatten());
    lines.filter(|line| line.text.len() <= ABOVE_BYTES_MAX)
}

/// The lines above an item or a row, the nearest first, each once.
fn lines_above<'t>(said: &Statement<'t>) -> impl Iterator<Item = Line<'t>> + use<'t> {
    let heading = said.row.map_or(said.heading, |row| row.section);
    let around = &said.around;
    let nearest = if around.lead.is_empty() { around.line } else { around.lead };
    let lines = [nearest, heading, around.outer, around.section];
    let is_first = move |at: usize| !lines[at].is_empty() && !lines[..at].contains(&lines[at]);
    let line = move |at: usize| Line { text: lines[at], is_heading: at > 0 };
    (0..lines.len()).filter(move |at| is_first(*at)).map(line)
}

/// What a row is of, where its other cells only say how much: `Dental care | $500`. Otherwise all of it.
fn thing(row: &str) -> &str {
    let says_how_much = |cell: &str| cell.contains(char::is_numeric) || !cell.contains(char::is_alphabetic);
    let first = cells(row).next().unwrap_or_default();
    let is_alone = first.contains(char::is_alphabetic) && cells(row).skip(1).all(says_how_much);
    if is_alone { first.trim() } else { row }
}

/// The line that a statement begins with and the items behind it: in lines of their own, or in one.
fn line_of(text: &str) -> Option<(&str, Vec<&str>)> {
    let (line, behind) = label(text)?;
    let behind = behind.trim_matches(['*', '_', ' ', '.', '。']);
    let has_lines = behind.starts_with('\n');
    let mut items: Vec<&str> =
        behind.split(|c: char| if has_lines { c == '\n' } else { DIVIDING.contains(&c) }).collect();
    // The last two stand on both sides of a word.
    let last = items.pop().unwrap_or_default();
    match JOINING.iter().find_map(|joint| last.split_once(joint)) {
        Some((one, other)) if !has_lines && !items.is_empty() => items.extend([one, other]),
        _ => items.push(last),
    }
    let items: Vec<&str> = items.into_iter().map(bare).filter(|item| !item.is_empty()).collect();
    let are_short = items.iter().all(|item| item.split(' ').count() <= ITEM_WORDS_MAX);
    are_short.then_some((line, items))
}

/// The line that a short statement begins with, and what stands behind it.
fn label(text: &str) -> Option<(&str, &str)> {
    if text.len() > LIST_BYTES_MAX {
        return None;
    }
    let (line, behind) = at_colon(text)?;
    let line = line.trim_matches(['*', '_', ' ']);
    let is_label = !line.is_empty()
        && !line.contains(['.', ',', '\n', '|', '"'])
        && line.split(' ').count() <= LINE_WORDS_MAX;
    is_label.then_some((line, behind))
}

/// What stands on both sides of the first colon. Every statement is asked for one, and most have none.
fn at_colon(text: &str) -> Option<(&str, &str)> {
    let narrow = memchr::memchr(b':', text.as_bytes());
    let head = &text[..narrow.unwrap_or(text.len())];
    let wide = if head.is_ascii() { None } else { head.find('：') };
    match wide {
        Some(at) => Some((&text[..at], &text[at + '：'.len_utf8()..])),
        None => narrow.map(|at| (head, &text[at + 1..])),
    }
}

/// An item without what stands before and behind it in its list.
fn bare(item: &str) -> &str {
    let item = item.trim().trim_start_matches(['-', '*', '+', '•', ' ']);
    item.trim_matches(['*', '_', ' ', '.', '。'])
}

/// Equal for items with the same words, in whatever order and endings. What is said in no words is nothing: `None`, `–`.
fn key(of: &Features<'_>) -> Option<u64> {
    let says = of.words.iter().filter(|word| {
        word.kind != Kind::Stopword
            && !of.marks.iter().any(|mark| mark.mark.is_negation() && mark.start == word.start)
    });
    let mut terms = Vec::with_capacity(of.words.len());
    terms.extend(says.map(|word| word.term));
    if terms.is_empty() || !of.text.contains(char::is_alphabetic) {
        return None;
    }
    terms.sort_unstable();
    terms.dedup();
    let mut hasher = DefaultHasher::new();
    (terms, of.figures_digest(), negations(of)).hash(&mut hasher);
    Some(hasher.finish())
}
