//! Rows of CSV below their header become tables of Markdown, so that they are read, quoted and compared like those.
//!
//! `,`, `;` or a tab stands between their cells (RFC 4180, without line breaks in quotes). A line of prose has commas, too: so no
//! blank follows one, or more is asked of the rows, all lines have as many cells, none of the header is a figure, and a column below
//! it has nothing else (see [`rows`]). One row among several may have another number of cells: where the last lack they stay empty,
//! and where there are more nobody knows what stands below which label, so it stays below the table as it is (see [`below`]). Rows without a header
//! stay as they are, and so do code, lists and JSON.

use std::ops::Range;

use memchr::memchr3_iter;

use super::TaskInput;
use super::html_tables::{stand_apart, write_row};
use super::unseen::is_json;
use crate::domain::text::blocks::{Block, Kind, blocks};

mod below;
mod rows;
#[cfg(test)]
mod tests;

use self::below::Below;
use self::rows::{Between, Cells, are_loose_rows, are_rows, cells, is_head, is_ragged};

/// What stands between cells: a line with tabs may have commas in its cells, and one with semicolons decimal ones.
const BETWEEN: [Between; 4] = [
    Between { mark: '\t', is_loose: false },
    Between { mark: ';', is_loose: false },
    Between { mark: ',', is_loose: false },
    Between { mark: ',', is_loose: true },
];

/// Writes them as Markdown. Linear.
pub fn write_csv(input: &mut TaskInput) {
    if let Some(content) = written(&input.content) {
        input.content = content;
    }
}

/// A text with its CSV as tables of Markdown; `None` where it has none to write.
fn written(text: &str) -> Option<String> {
    if !(may_have_rows(text) || may_have_loose_rows(text)) || is_json(text) {
        return None;
    }
    let (mut out, mut done) = (String::new(), 0);
    for block in blocks(text) {
        for Table { range, lines, ragged } in tables_of(text, &block) {
            out.push_str(text[done..range.start].trim_end_matches([' ', '\t']));
            stand_apart(&mut out);
            write(&mut out, &lines);
            if let Some(ragged) = ragged {
                out.push_str("\n\n");
                out.push_str(ragged);
            }
            let behind = text[range.end..].trim_start_matches(['\n', '\r']);
            if !behind.trim_start().is_empty() {
                out.push_str("\n\n");
            }
            done = text.len() - behind.len();
        }
    }
    (done > 0).then(|| out + &text[done..])
}

/// The tables of a block: of a fence one that is all that stands in it.
fn tables_of<'t>(text: &'t str, block: &Block) -> Vec<Table<'t>> {
    match block.kind {
        Kind::Paragraph => tables(text, block.content(text)),
        Kind::Code { fenced: true, closed: true } => {
            let Some(within) = declared(text, block) else { return Vec::new() };
            let mut found = tables(text, within.clone());
            found.retain(|table| table.range == within);
            found.iter_mut().for_each(|table| table.range = block.content(text));
            found
        }
        Kind::Code { .. } | Kind::Heading { .. } | Kind::ListItem { .. } | Kind::Quote => Vec::new(),
        Kind::Table | Kind::Rule | Kind::Html => Vec::new(),
    }
}

/// The lines of a fence that says it holds CSV, where that is most of a text: beside more prose it may be an example.
fn declared(text: &str, fence: &Block) -> Option<Range<usize>> {
    let range = fence.content(text);
    let (first, lines) = text[range.clone()].split_once('\n')?;
    let language = first.trim_start_matches([' ', '`', '~']).trim();
    let is_declared = ["csv", "tsv"].iter().any(|name| name.eq_ignore_ascii_case(language));
    let (lines, _) = lines.rsplit_once('\n')?;
    let start = range.start + first.len() + 1;
    (is_declared && range.len() * 2 > text.trim().len()).then(|| start..start + lines.len() + 1)
}

/// Whether two lines below each other have what stands between cells, no blank behind it, in the first not only between digits, as in
/// `1,200`: those are figures, and no labels.
fn may_have_rows(text: &str) -> bool {
    let mut is_below = false;
    text.split('\n').any(|line| {
        let line = line.as_bytes();
        let is_digit = |at: Option<usize>| at.and_then(|at| line.get(at)).is_some_and(u8::is_ascii_digit);
        let is_tight = |at: usize| line[at] == b'\t' || !line.get(at + 1).is_none_or(u8::is_ascii_whitespace);
        let divides =
            |at: usize| line[at] == b'\t' || !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)));
        let mut marks = memchr3_iter(b',', b';', b'\t', line).filter(|at| is_tight(*at));
        let first = marks.next();
        let is_row = first.is_some() && is_below;
        is_below = first.is_some_and(divides) || marks.any(divides);
        is_row
    })
}

/// The same with blanks: two lines below each other with two commas or more, and a figure behind one of the second.
fn may_have_loose_rows(text: &str) -> bool {
    let mut above = 0;
    text.lines().any(|line| {
        let is_marked = line.starts_with(['-', '*', '+', '#', '>', '|', ' ']);
        let commas = if is_marked { 0 } else { memchr::memchr_iter(b',', line.as_bytes()).count() };
        let is_like = std::mem::replace(&mut above, commas).min(commas) >= 2;
        is_like && memchr::memchr_iter(b',', line.as_bytes()).any(|at| begins_figure(&line[at + 1..]))
    })
}

fn begins_figure(behind: &str) -> bool {
    let cell = behind
        .strip_prefix(' ')
        .map(|cell| cell.trim_start_matches([' ', '$', '€', '£', '¥', '~', '+', '-']));
    cell.is_some_and(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
}

/// A header and the rows below it.
struct Table<'t> {
    range: Range<usize>,
    lines: Vec<Cells<'t>>,
    /// A row among them with more cells than the header.
    ragged: Option<&'t str>,
}

/// Those among the lines of a paragraph. Linear: lines that are alike are looked at once for each mark between cells.
fn tables(text: &str, paragraph: Range<usize>) -> Vec<Table<'_>> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text[paragraph.clone()].split_inclusive('\n').collect();
    let (mut at, mut start) = (0, paragraph.start);
    while at + 1 < lines.len() {
        let mut taken = 1;
        for between in BETWEEN {
            let Some(head) = cells(lines[at], between).filter(is_head) else { continue };
            let Below { mut rows, ragged, taken: below } = Below::read(&lines[at + 1..], between, head.len());
            if rows.is_empty() {
                continue;
            }
            taken += below;
            let is_cut = lines.get(at + taken).is_some_and(|next| is_ragged(next, between));
            // Nobody ends a line of data so, but in quotation marks.
            let is_prose = |line: &&str| line.trim_end().ends_with(['.', '!', '?']);
            let are_prose = between.mark != '\t' && lines[at..at + taken].iter().any(is_prose);
            let are_told = !between.is_loose || are_loose_rows(&head, &rows);
            if !is_cut && !are_prose && are_told && are_rows(&head, &rows) {
                let end = start + lines[at..at + taken].iter().map(|line| line.len()).sum::<usize>();
                rows.insert(0, head);
                found.push(Table { range: start..end, lines: rows, ragged });
            }
            break;
        }
        start += lines[at..at + taken].iter().map(|line| line.len()).sum::<usize>();
        at += taken;
    }
    found
}

fn write(out: &mut String, lines: &[Cells<'_>]) {
    for (at, cells) in lines.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        write_row(out, cells.iter().map(AsRef::as_ref));
        if at == 0 {
            out.push_str("\n|");
            cells.iter().for_each(|_| out.push_str("---|"));
        }
    }
}
