//! A Markdown table of an answer. A row is checked like a sentence, as what its cells say under their headings, and stands or falls as
//! a whole: a table with a hole in it says something else. What heads it is part of what each row says, so where that says
//! what nobody knows no row stands.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::domain::synthesis::verify::Evidence;
use crate::domain::synthesis::verify::plain::cleaned;
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::words::Lexicon;

/// Cells of a row that are looked at.
const CELLS_MAX: usize = 32;
/// Characters of a cell.
const CELL_CHARS_MAX: usize = 1_000;
/// Headings that only say what kind of thing stands below them.
#[rustfmt::skip]
const NEUTRAL: &[&str] = &[
    "amount", "answer", "aspect", "attribute", "category", "claim", "comment", "company", "country", "criterion", "date", "description", "detail", "details", "fact", "feature",
    "figure", "finding", "info", "information", "item", "key", "location", "measure", "metric", "name", "no", "note", "notes", "number", "option", "organisation", "organization",
    "person", "place", "point", "product", "property", "question", "reference", "references", "region", "source", "sources", "statement", "subject", "summary", "time",
    "topic", "type", "value", "what", "when", "where", "who", "year",
];

/// What an answer is made of, in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// A paragraph.
    Prose(&'t str),
    /// A table.
    Table(&'t str),
}

/// The tables of a text, and the paragraphs around them.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let tables = blocks(text).into_iter().filter(|block| block.kind == Kind::Table);
    let tables: Vec<Range<usize>> = tables.map(|block| block.range).collect();
    let (mut pieces, mut at) = (Vec::new(), 0);
    for range in tables.into_iter().chain(std::iter::once(text.len()..text.len())) {
        pieces.extend(text[at..range.start].split("\n\n").map(Piece::Prose));
        pieces.extend((!range.is_empty()).then(|| Piece::Table(text[range.clone()].trim())));
        at = range.end;
    }
    pieces
}

/// A row as it is delivered, where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// What heads its table: two lines.
    head: String,
    cells: Vec<String>,
}

/// What a row says.
pub(super) struct Claim {
    /// Its cells under their headings, as one text.
    pub text: String,
    /// The same of each cell that has a figure, behind what its row is about: of several figures each must belong there.
    pub figures: Vec<String>,
    /// The numbers that it cites.
    pub cited: BTreeSet<u32>,
    pub row: TableRow,
}

/// What the rows of a table say; and of its headings a word that nobody knows, where there is one.
pub(super) fn read(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    table: &str,
) -> (Vec<Claim>, Option<String>) {
    let mut lines = table.lines();
    let headings: Vec<String> =
        cells(lines.next().unwrap_or_default(), evidence).into_iter().map(|cell| cell.0).collect();
    let delimiters = lines.next().unwrap_or_default();
    let align = |cell: &str| cell.chars().filter(|c| matches!(c, '-' | ':')).take(8).collect::<String>();
    let aligned: Vec<String> = split(delimiters).into_iter().map(align).collect();
    let head = format!("{}\n{}", line(&headings), line(&aligned));
    let unknown = headings.iter().find_map(|heading| unknown(lexicon, evidence, heading));
    let says: Vec<bool> = headings.iter().map(|heading| says(lexicon, heading)).collect();
    let row = |text: &str| {
        let mut cells = cells(text, evidence);
        // What has more cells than the head has no heading for them.
        cells.truncate(headings.len());
        let cited = cells.iter().flat_map(|cell| cell.1.iter().copied()).collect();
        let cells: Vec<String> = cells.into_iter().map(|cell| cell.0).collect();
        let under = |(at, cell): (usize, &String)| match says.get(at) {
            Some(true) => format!("{}: {cell}", headings[at]),
            _ => cell.clone(),
        };
        let filled = || cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
        let has_figure = |cell: &str| cell.contains(char::is_numeric);
        let about = filled().next().filter(|(_, cell)| !has_figure(cell)).map(under);
        let with_figure = filled().filter(|(_, cell)| has_figure(cell)).map(under);
        let figures =
            with_figure.map(|cell| about.iter().cloned().chain([cell]).collect::<Vec<_>>().join(", "));
        let figures = figures.collect();
        let text = filled().map(under).collect::<Vec<_>>().join(", ");
        Claim { text, figures, cited, row: TableRow { head: head.clone(), cells } }
    };
    (lines.map(row).filter(|claim| !claim.text.is_empty()).collect(), unknown)
}

impl TableRow {
    /// What heads its table.
    pub(super) fn head(&self) -> &str {
        &self.head
    }

    /// The row with `cited` behind what it says.
    pub(super) fn with(&self, cited: &str) -> String {
        let mut cells = self.cells.clone();
        if let Some(last) = cells.iter_mut().rfind(|cell| !cell.is_empty()).filter(|_| !cited.is_empty()) {
            *last = format!("{last} {cited}");
        }
        line(&cells)
    }
}

/// The cells of a line, each without markup, with the numbers that it cites.
fn cells(line: &str, evidence: &Evidence<'_>) -> Vec<(String, BTreeSet<u32>)> {
    split(line).into_iter().map(|cell| cleaned(cell, evidence.sources(), CELL_CHARS_MAX)).collect()
}

/// Cells stand between bars that have no backslash before them.
fn split(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let is_bar = |(at, _): &(usize, &str)| !line[..*at].ends_with('\\');
    let bars: Vec<usize> = line.match_indices('|').filter(is_bar).map(|(at, _)| at).collect();
    let (mut cells, mut from) = (Vec::new(), 0);
    for bar in bars.into_iter().chain([line.len()]).take(CELLS_MAX) {
        cells.push(&line[from..bar]);
        from = (bar + 1).min(line.len());
    }
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace("\\|", "|").replace('|', "\\|")).collect();
    format!("| {} |", cells.join(" | "))
}

/// Whether a heading says more than what kind of thing stands below it.
fn says(lexicon: &mut Lexicon, heading: &str) -> bool {
    let words = lexicon.words(heading);
    words.iter().any(|word| word.is_content() && !is_neutral(&heading[word.range()]))
}

/// Whether a word only says what kind of thing stands below it.
pub(in crate::domain::synthesis) fn is_neutral(word: &str) -> bool {
    NEUTRAL.contains(&word.to_lowercase().as_str())
}

/// A word of a heading of which neither the sheet nor the question says anything.
fn unknown(lexicon: &mut Lexicon, evidence: &Evidence<'_>, heading: &str) -> Option<String> {
    let words = lexicon.words(heading);
    let unknown = words.iter().filter(|word| word.is_content() && !evidence.knows(word.term));
    unknown.map(|word| &heading[word.range()]).find(|word| !is_neutral(word)).map(str::to_owned)
}
