//! Lines whose cells stand between marks, below a header.

use std::collections::HashSet;

use super::Lines;

/// Marks between cells: a line with tabs may have commas in its cells, and one with semicolons decimal ones.
const MARKS: [char; 4] = ['\t', ';', '|', ','];
/// Characters of a name in a header.
const NAME_CHARS_MAX: usize = 80;

/// The table that a text is, by the first mark that makes it one.
pub(super) fn delimited(text: &str) -> Option<Lines> {
    MARKS.into_iter().filter(|mark| text.contains(*mark)).find_map(|mark| {
        let (mut records, is_loose) = records(text, mark)?;
        let header = records.first().filter(|header| are_names(header))?.clone();
        let rows = records.split_off(1);
        let lines = Lines { header, rows };
        let may_be_prose = mark == ',' && is_loose && may_be_prose(text, &lines);
        (lines.are_table() && !may_be_prose).then_some(lines)
    })
}

/// Whether a header's cells tell columns apart: none is a figure.
fn are_names(header: &[String]) -> bool {
    let mut seen = HashSet::new();
    header.iter().all(|name| {
        !name.is_empty()
            && name.chars().count() <= NAME_CHARS_MAX
            && name.parse::<f64>().is_err()
            && seen.insert(name.as_str())
    })
}

/// Whether lines with a blank behind a comma may be sentences.
fn may_be_prose(text: &str, lines: &Lines) -> bool {
    let ends_so = |line: &str| line.trim_end().ends_with(['.', '!', '?', ':', ',']);
    lines.rows.len() < 2 || text.lines().any(ends_so)
}

/// The records of a text with the cells of each, and whether a blank follows a mark. A cell in quotes may hold marks and ends of lines, and `""` for a quote (RFC 4180).
/// `None` where a quote isn't closed.
fn records(text: &str, mark: char) -> Option<(Vec<Vec<String>>, bool)> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut is_loose) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            c if is_quoted => cell.push(c),
            '"' if cell.trim().is_empty() => {
                cell.clear();
                is_quoted = true;
            }
            '\n' => {
                record.push(std::mem::take(&mut cell).trim().to_owned());
                records.push(std::mem::take(&mut record));
            }
            c if c == mark => {
                is_loose |= chars.peek() == Some(&' ');
                record.push(std::mem::take(&mut cell).trim().to_owned());
            }
            c => cell.push(c),
        }
    }
    record.push(cell.trim().to_owned());
    records.push(record);
    // An empty line is no record.
    records.retain(|record| record.len() > 1 || !record[0].is_empty());
    (!is_quoted).then_some((records, is_loose))
}
