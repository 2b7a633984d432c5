//! The rows of the tables of a text: of all where it says little besides, otherwise of short ones that say something at a glance.

use std::ops::Range;

use super::cells::{Row, cells, plain, verdict};
use super::edges::trimmed;
use super::minutes::are_of_tasks;
use super::{Address, Around, Said, Statement, addresses};
use crate::domain::distinct::distinct;
use crate::domain::synthesis::answer::is_neutral;

/// Rows of a table beside prose that are quoted: a longer one is looked up, not read, and gives the rows that were asked for.
const BESIDE_MAX: usize = 12;
/// Bytes of a row: a longer one isn't read at a glance.
const ROW_BYTES_MAX: usize = 600;
/// Bytes of a line that is looked at, with what is taken off its ends.
const LINE_BYTES_MAX: usize = 4 * ROW_BYTES_MAX;
/// How often something is taken off the ends of a row, marks and bars in turns.
const TURNS: usize = 8;
/// Characters of a row of headings that are a heading: as much as a topic shows.
const HEADING_CHARS_MAX: usize = 120;

/// A table, with the heading and the lines that it stands under.
pub(super) struct Table<'t> {
    pub range: Range<usize>,
    pub heading: &'t str,
    /// The unit of its figures that a line beside it says; empty where none does.
    pub unit: &'t str,
    pub around: Around<'t>,
}

/// Whether tables are most of a text: then a sentence beside them only announces them.
pub(super) fn are_most(tables: &[Table<'_>], text: &str) -> bool {
    tables.iter().map(|table| table.range.len()).sum::<usize>() * 2 > text.len()
}

/// Which rows are quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// Those of short tables that have a figure, say yes or no, or cite, and tasks.
    Short,
}

/// The rows, each as it stands but for the bars at its ends, under what heads its columns.
pub(super) fn rows<'t>(said: Said<'t, '_>, tables: &[Table<'t>], which: Which) -> Vec<Statement<'t>> {
    let mut found = Vec::new();
    for Table { range, heading, unit, around } in tables {
        let Some(table) = said.text.get(range.clone()) else { continue };
        let is_long = table.trim_end().lines().count() > BESIDE_MAX + 2;
        let asked = if which == Which::Short && is_long { Some(asked_for(said, table)) } else { None };
        if asked == Some(0) {
            continue;
        }
        let mut lines = table.split_inclusive('\n');
        let head = lines.next().unwrap_or_default();
        let mut at = range.start + head.len() + lines.next().map_or(0, str::len);
        let shown = columns(head).filter(|head| says(head) || heading.is_empty()).unwrap_or(heading);
        for line in lines {
            let row = row(
                said,
                at..at + line.len(),
                &Head { line: head, shown, section: heading, unit, around: *around },
            );
            let is_asked = |row: &Statement<'_>| asked.is_none_or(|most| (said.asked)(row.text) == most);
            found.extend(row.filter(|row| (which == Which::All || is_told(row)) && is_asked(row)));
            at += line.len();
        }
    }
    found
}

/// How many of the words that were asked for the rows have that have most of them; 0 where those are no few: then the words only say
/// what the table is about.
fn asked_for(said: Said<'_, '_>, table: &str) -> usize {
    let (mut most, mut rows) = (0, 0);
    for asked in table.lines().skip(2).map(|row| (said.asked)(row)) {
        if asked > most {
            (most, rows) = (asked, 0);
        }
        rows += usize::from(asked == most);
    }
    if rows <= BESIDE_MAX { most } else { 0 }
}

/// Whether a row has a figure behind its first cell, says yes or no there, or cites, or who does what by when.
fn is_told(row: &Statement<'_>) -> bool {
    let tells = |cell: &str| cell.contains(char::is_numeric) || verdict(&plain(cell)).is_some();
    let is_of_tasks = || row.row.is_some_and(|row| are_of_tasks(row.columns));
    !row.sources.is_empty() || cells(row.text).skip(1).any(tells) || is_of_tasks() || is_of_timeline(row)
}

/// Whether a row says what happened when: its first column is of times, and without it what the others tell has holes.
fn is_of_timeline(row: &Statement<'_>) -> bool {
    #[rustfmt::skip]
    const TIMES: [&str; 13] = [
        "time", "date", "when", "timestamp", "zeit", "uhrzeit", "datum", "heure", "hora", "fecha", "时间", "日期", "時刻",
    ];
    let head = row.row.and_then(|row| cells(row.columns).next()).map(plain).unwrap_or_default();
    let is_time = head.split([' ', '(']).next().is_some_and(|word| TIMES.contains(&word));
    is_time && cells(row.text).next().is_some_and(|cell| cell.contains(|c: char| c.is_ascii_digit()))
}

/// What a row stands under.
struct Head<'t> {
    line: &'t str,
    shown: &'t str,
    section: &'t str,
    unit: &'t str,
    around: Around<'t>,
}

/// A row that says something of something: two cells at least, and a word.
fn row<'t>(said: Said<'t, '_>, line: Range<usize>, head: &Head<'t>) -> Option<Statement<'t>> {
    if line.len() > LINE_BYTES_MAX {
        return None;
    }
    let Said { text, subagent, marks, source_of, .. } = said;
    let first = marks.partition_point(|mark| mark.range.start < line.start);
    let own = &marks[first..];
    let own = &own[..own.partition_point(|mark| mark.range.start < line.end)];
    let mut range = line.clone();
    for _ in 0..TURNS {
        let inside = inner(text, range.clone());
        let next = without_source(text, trimmed(text, inside, own), source_of);
        if next == range {
            break;
        }
        range = next;
    }
    let shown = text.get(range.clone()).filter(|shown| shown.len() <= ROW_BYTES_MAX)?;
    let says = |cell: &&str| cell.contains(char::is_alphanumeric) || verdict(&plain(cell)).is_some();
    // Figures alone say what the heads of their columns make of them: `06:33 | 09:50 | 3:17`.
    let are_named =
        || cells(head.line).any(|cell| cell.chars().filter(|c| c.is_alphabetic()).nth(1).is_some());
    if cells(shown).filter(says).count() < 2 || !shown.contains(char::is_alphabetic) && !are_named() {
        return None;
    }
    let columns = from_column(head.line, bars(&text[line.start..range.start]));
    let row = Some(Row { columns, section: head.section, unit: head.unit });
    let addresses = addresses(&text[line]);
    let linked = addresses.iter().filter_map(|address| source_of(address.url));
    let sources: Vec<usize> = distinct(own.iter().map(|mark| mark.source).chain(linked));
    let around = head.around;
    Some(Statement { text: shown, start: range.start, heading: head.shown, around, subagent, sources, row })
}

/// How many cells end before what a row is quoted from; the bar that it begins with ends none.
fn bars(before: &str) -> usize {
    let before = before.trim_start();
    cells(before.strip_prefix('|').unwrap_or(before)).count() - 1
}

/// What heads the columns behind the first few.
fn from_column(head: &str, skipped: usize) -> &str {
    let head = head.trim();
    let head = head.strip_prefix('|').unwrap_or(head);
    let head = head.strip_suffix('|').unwrap_or(head);
    let before: usize = cells(head).take(skipped).map(|cell| cell.len() + 1).sum();
    head.get(before..).unwrap_or_default()
}

/// Without a last cell that is nothing but the address of a source: it is among the sources of the row.
fn without_source(text: &str, row: Range<usize>, source_of: &dyn Fn(&str) -> Option<usize>) -> Range<usize> {
    let Some(bar) = text[row.clone()].rfind('|') else { return row };
    let last = text[row.start + bar + 1..row.end].trim();
    match addresses(last).as_slice() {
        [Address { range, url, .. }] if range.len() == last.len() && source_of(url).is_some() => {
            row.start..row.start + bar
        }
        _ => row,
    }
}

/// What heads the columns, as much of it as a heading holds; `None` where that is nothing.
fn columns(line: &str) -> Option<&str> {
    let head = &line[inner(line, 0..line.len())];
    let mut end = 0;
    for cell in cells(head) {
        let next = end + cell.len() + usize::from(end > 0);
        if head[..next].chars().count() > HEADING_CHARS_MAX {
            break;
        }
        end = next;
    }
    let head = head[..end].trim_end_matches(|c: char| c == '|' || c.is_whitespace());
    head.contains(char::is_alphabetic).then_some(head)
}

/// Whether the words that head columns say more than what kind of thing stands below: `Metric | Value` doesn't.
fn says(head: &str) -> bool {
    let words = head.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.into_iter().any(|word| !is_neutral(word))
}

/// Without white space and bars at the ends.
fn inner(text: &str, range: Range<usize>) -> Range<usize> {
    let is_edge = |c: char| c == '|' || c.is_whitespace();
    let whole = &text[range.clone()];
    let begun = whole.trim_start_matches(is_edge);
    let ended = begun.trim_end_matches(is_edge);
    // A bar behind a backslash belongs to the cell.
    let kept = ended.len() + usize::from(ended.ends_with('\\') && begun[ended.len()..].starts_with('|'));
    let start = range.start + whole.len() - begun.len();
    start..start + kept
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::super::{Said, statements};

    const PLANS: &str = "| Plan | Price per month | Users |\n|---|--:|---|\n| Basic | 5 EUR | 3 |\n| **Pro** | 12 EUR [1] | 10 |\n| | | |\n| Team | 30 EUR | 50 [2] |\n| a \\| b | 4 EUR | see https://nine.example/report |\n";

    #[test]
    fn rows_of_figures_say_what_their_columns_are_headed_by() {
        let times =
            "| Departure | Duration | Changes |\n|---|---|---|\n| 06:33 | 3:17 | 0 |\n| 09:05 | 3:45 | 1 |";
        let found = stated(times);
        assert_eq!(found[0], ("Departure | Duration | Changes", "06:33 | 3:17 | 0", vec![]));
        assert_eq!(found.len(), 2);
        assert_eq!(stated("| 1 | 2 |\n|---|---|\n| 06:33 | 3:17 |"), []);
    }

    fn stated(text: &str) -> Vec<(&'static str, &'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|row| (row.heading, row.text, row.sources)).collect()
    }

    #[test]
    fn rows_of_a_text_that_is_a_table_are_quoted_under_what_heads_them() {
        for around in ["", "## Pricing\n\n", "Here is the comparison:\n\n"] {
            let text = format!("{around}{PLANS}");
            let head = "Plan | Price per month | Users";
            assert_eq!(
                stated(&text),
                [
                    (head, "Basic | 5 EUR | 3", vec![]),
                    (head, "**Pro** | 12 EUR [1] | 10", vec![1]),
                    (head, "Team | 30 EUR | 50", vec![2]),
                    (head, "a \\| b | 4 EUR | see https://nine.example/report", vec![9]),
                ],
                "{text}"
            );
        }
    }

    #[test]
    fn what_heads_columns_says_nothing_where_it_is_the_same_for_everything() {
        let text = "## Germany\n\n| Metric | Value |\n|---|---|\n| Population | 83 million |";
        assert_eq!(stated(text), [("Germany", "Population | 83 million", vec![])]);
        let text = text.replace("## Germany", "");
        assert_eq!(stated(&text), [("Metric | Value", "Population | 83 million", vec![])]);
        let text = "| Name of the plan that can be bought | Price of it in euros each month | Users |\n|---|---|---|\n| Basic | 5 | 3 |";
        assert_eq!(
            stated(text)[0].0,
            "Name of the plan that can be bought | Price of it in euros each month | Users"
        );
        let long = text.replace("| Users |", "| Users that may sign in at the same time from one office |");
        assert_eq!(
            stated(&long)[0].0,
            "Name of the plan that can be bought | Price of it in euros each month"
        );
    }

    #[test]
    fn a_long_table_beside_prose_and_one_of_references_states_nothing() {
        let prose =
            "The basic plan is the one that nearly all small teams choose, since it is cheap. ".repeat(4);
        let many: String = (0..20).map(|at| format!("| Plan {at} | {at} EUR |\n")).collect();
        assert_eq!(stated(&format!("{prose}{prose}\n\n| Plan | Price |\n|---|---|\n{many}")).len(), 8);
        let words = "| Plan | For whom |\n|---|---|\n| Basic | Small teams |";
        assert_eq!(stated(&format!("{prose}\n\n{words}")).len(), 4);
        let announced = stated(&format!("The plans of the service differ.\n\n{PLANS}"));
        assert_eq!((announced.len(), announced[0].1), (5, "The plans of the service differ."));
        assert_eq!(stated(&format!("{prose}\n\n## References\n\n{PLANS}")).len(), 4);
        assert_eq!(stated("| 1 | 2 |\n|---|---|\n| 3 | 4 |\n| word |"), []);
    }

    #[test]
    fn rows_of_a_short_table_beside_prose_that_tell_something_are_quoted() {
        let text = "Acme offers several plans. They can be cancelled at any time.\n\n| Plan | Price |\n|---|---|\n| Basic | $10 |\n| Pro | $25 |";
        let found: Vec<_> = stated(&text.replace("any time.", &"any time, as all say. ".repeat(9)))
            .into_iter()
            .map(|row| row.1)
            .collect();
        assert_eq!(found[found.len() - 2..], ["Basic | $10", "Pro | $25"]);
        let matrix = "| Feature | Pixel 9 | iPhone 16 |\n|---|---|---|\n| Wireless charging | ✅ | ❌ |";
        assert_eq!(stated(matrix)[0].1, "Wireless charging | ✅ | ❌");
        assert_eq!(stated("| Feature | Pixel 9 |\n|---|---|\n| Wireless charging | – |"), []);
    }

    #[test]
    fn cells_stand_under_what_heads_them_where_the_first_is_empty() {
        let text =
            "## Phones\n\n| | Pixel | iPhone |\n|---|---|---|\n| Price | $829 | $799 |\n| | $1 | two |";
        let rows: Vec<_> = read(text, "a")
            .into_iter()
            .filter_map(|said| said.row.map(|row| (row.section, row.heads(said.text))))
            .collect();
        let heads =
            |heads: &[&str]| ("Phones", heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>());
        assert_eq!(rows, [heads(&["", "pixel", "iphone"]), heads(&["pixel", "iphone"])]);
    }

    #[test]
    fn a_last_cell_that_is_a_source_is_not_quoted() {
        let text = "| City | People | Source |\n|---|---|---|\n| Paris | 2 million | [The report](https://nine.example/report) |\n| Rome | 3 million | [Other](https://x.example) |";
        let found = stated(text);
        assert_eq!((found[0].1, found[0].2.clone()), ("Paris | 2 million", vec![9]));
        assert_eq!(found[1].1, "Rome | 3 million | [Other](https://x.example)");
    }

    #[test]
    fn all_rows_are_read_and_of_a_long_table_beside_prose_those_that_were_asked_for() {
        let rows: String = (0..500).map(|at| format!("| Plan {at} | {at} EUR |\n")).collect();
        let table = format!("| Plan | Price |\n|---|---|\n{rows}");
        assert_eq!(stated(&table).len(), 500);
        let prose =
            "The basic plan is the one that nearly all small teams choose, since it is cheap. ".repeat(200);
        let text = format!("{prose}\n\n{table}");
        let words = |words: &'static [&'static str]| {
            move |line: &str| words.iter().filter(|word| line.split(' ').any(|said| said == **word)).count()
        };
        for (asked, expected) in [
            (&["Plan", "250", "cost"][..], &["Plan 250 | 250 EUR"][..]),
            (&["Plan", "cost"], &[]),
            (&["Munich"], &[]),
        ] {
            let said = Said { asked: &words(asked), ..Said::uncited(&text) };
            let rows: Vec<&str> =
                statements(said).iter().filter(|said| said.row.is_some()).map(|said| said.text).collect();
            assert_eq!(rows, expected, "{asked:?}");
        }
    }
}
