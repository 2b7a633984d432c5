//! A table preview card: `{title, columns: [{key, label, type}], rows, row_count, truncated, selected: [ids], query?}`.

use super::{Member, Read, boolean, items, member, members, scalar, share, text};
use crate::domain::aggregate::json::number;
use crate::domain::text::clean::{escape_inline, one_line};

/// Columns that are shown.
const COLUMNS_MAX: usize = 64;
/// Rows that are shown.
const ROWS_MAX: usize = 1_000;
/// Characters of a cell that are shown.
const CELL_CHARS_MAX: usize = 500;
/// Characters of a title or a query that are shown.
const TITLE_CHARS_MAX: usize = 300;

struct Column {
    key: String,
    label: String,
}

/// The card as a title and a table, with notes of what isn't in it; `None` without rows or columns. What was asked for is a note,
/// too: the subagent says neither.
pub(super) fn read(card: &[Member<'_>]) -> Option<Read> {
    let rows = member(card, "rows").and_then(items)?;
    let columns = columns(card, &rows);
    if columns.is_empty() {
        return None;
    }
    let selected: Vec<String> =
        member(card, "selected").and_then(items).unwrap_or_default().into_iter().filter_map(scalar).collect();
    let mut content = String::new();
    let words = |name| member(card, name).and_then(text).filter(|words| !words.trim().is_empty());
    let line = |words: &str| one_line(words, TITLE_CHARS_MAX);
    if let Some(title) = words("title") {
        content.extend(["**", &escape_inline(&line(&title)), "**\n\n"]);
    }
    // What a subagent wrote around its table.
    if let Some(said) = words("content") {
        content.extend([said.trim(), "\n\n"]);
    }
    let marked = write_table(&mut content, &columns, &rows, &selected);
    let mut notes: Vec<String> =
        words("query").map(|query| format!("query: {}", line(&query))).into_iter().collect();
    about(card, &columns, rows.len(), &mut notes);
    let unseen: Vec<&str> = selected.iter().filter(|id| !marked.contains(id)).map(String::as_str).collect();
    if !unseen.is_empty() {
        notes.push(format!("selected, but not among these rows: {}", line(&unseen.join(", "))));
    }
    Some(Read {
        content,
        relevance: member(card, "relevance").and_then(share),
        confidence: member(card, "confidence").and_then(share),
        notes,
        ..Read::default()
    })
}

/// The columns as given; where there are none, the members of the first row.
fn columns(card: &[Member<'_>], rows: &[&str]) -> Vec<Column> {
    let given = member(card, "columns").and_then(items).unwrap_or_default();
    let mut columns: Vec<Column> = given
        .into_iter()
        .filter_map(|column| match members(column) {
            Some(column) => {
                let key = member(&column, "key").and_then(scalar)?;
                let label = member(&column, "label").and_then(scalar).unwrap_or_else(|| key.clone());
                Some(Column { key, label })
            }
            None => scalar(column).map(|key| Column { label: key.clone(), key }),
        })
        .collect();
    if columns.is_empty() {
        let first = rows.first().and_then(|row| members(row)).unwrap_or_default();
        columns.extend(
            first.into_iter().map(|(key, _)| Column { label: key.clone().into_owned(), key: key.into() }),
        );
    }
    columns
}

/// Writes the table and returns the selected ids that were found in it.
fn write_table<'s>(
    out: &mut String,
    columns: &[Column],
    rows: &[&str],
    selected: &'s [String],
) -> Vec<&'s String> {
    let shown = &columns[..columns.len().min(COLUMNS_MAX)];
    let mark = !selected.is_empty();
    let head = shown.iter().map(|column| cell(&column.label));
    line(out, mark.then(|| "selected".to_owned()).into_iter().chain(head));
    line(out, std::iter::repeat_n("---".to_owned(), shown.len() + usize::from(mark)));
    let by_id: std::collections::BTreeMap<&str, &'s String> =
        selected.iter().map(|id| (id.as_str(), id)).collect();
    let mut marked = Vec::new();
    for row in rows.iter().take(ROWS_MAX) {
        let row = Row::read(row, shown);
        let found = row.id.as_deref().and_then(|id| by_id.get(id));
        marked.extend(found);
        let first = mark.then(|| if found.is_some() { "✓".to_owned() } else { String::new() });
        line(out, first.into_iter().chain(row.cells));
    }
    out.truncate(out.trim_end().len());
    marked
}

struct Row {
    /// Its member `id`, or its cell in the column of that key, or else its first cell.
    id: Option<String>,
    cells: Vec<String>,
}

impl Row {
    fn read(row: &str, columns: &[Column]) -> Self {
        if let Some(values) = members(row) {
            let cells = columns.iter().map(|column| value(member(&values, &column.key))).collect();
            let first = || columns.first().and_then(|column| member(&values, &column.key));
            return Self { id: member(&values, "id").or_else(first).and_then(scalar), cells };
        }
        let values = items(row).unwrap_or_else(|| vec![row]);
        let place = columns.iter().position(|column| column.key == "id").unwrap_or(0);
        let cells = (0..columns.len()).map(|at| value(values.get(at).copied())).collect();
        Self { id: values.get(place).copied().and_then(scalar), cells }
    }
}

fn value(json: Option<&str>) -> String {
    let Some(json) = json.filter(|json| json.trim() != "null") else { return String::new() };
    cell(&scalar(json).unwrap_or_else(|| json.to_owned()))
}

fn cell(text: &str) -> String {
    escape_inline(&one_line(text, CELL_CHARS_MAX))
}

fn line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push('|');
    for cell in cells {
        out.extend([" ", &cell, " |"]);
    }
    out.push('\n');
}

/// Notes what the table leaves out.
fn about(card: &[Member<'_>], columns: &[Column], rows: usize, notes: &mut Vec<String>) {
    let total = member(card, "row_count").and_then(number).filter(|count| *count >= 0.0 && *count < 1e15);
    let total = total.map_or(rows, |count| count as usize).max(rows);
    let shown = rows.min(ROWS_MAX);
    let truncated = member(card, "truncated").and_then(boolean) == Some(true);
    if total > shown {
        notes.push(format!("truncated: the table holds {shown} of {total} rows"));
    } else if truncated {
        notes.push("truncated: the table holds a part of its rows".to_owned());
    }
    if columns.len() > COLUMNS_MAX {
        notes.push(format!("truncated: the table holds {COLUMNS_MAX} of {} columns", columns.len()));
    }
}
