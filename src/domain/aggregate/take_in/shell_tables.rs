//! Tables as shells of databases print them become tables of Markdown, so that they are read, quoted and compared like those: with
//! borders, `+-----+`, or a line of dashes below their header, `-----+-----`.
//!
//! Every line of one has as many cells as its header. In a fence one stands that is all of it, but for the count of its rows.

use memchr::memmem;

use super::TaskInput;
use super::html_tables::{stand_apart, write_row};
use super::unseen::is_json;

/// What a fence with such a table is called.
const FENCES: [&str; 6] = ["", "sql", "text", "txt", "console", "plaintext"];
/// Lines behind one in its fence that count its rows.
const COUNTS_MAX: usize = 3;

/// Writes them as Markdown. Linear.
pub fn write_shell_tables(input: &mut TaskInput) {
    if let Some(content) = written(&input.content) {
        input.content = content;
    }
}

/// A text with such tables in Markdown; `None` where it has none to write.
fn written(text: &str) -> Option<String> {
    memmem::find(text.as_bytes(), b"-+-")?;
    if is_json(text) {
        return None;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut out, mut at, mut is_any, mut in_fence) = (String::new(), 0, false, false);
    while at < lines.len() {
        let fence = lines[at].trim_start().strip_prefix("```").map(str::trim);
        let is_open =
            !in_fence && fence.is_some_and(|name| FENCES.iter().any(|own| own.eq_ignore_ascii_case(name)));
        let begin = at + usize::from(is_open);
        let table = if in_fence { None } else { table(&lines[begin..]) };
        let table = table.and_then(|table| {
            let end = begin + table.lines;
            Some((table.rows, if is_open { fence_end(&lines, end)? } else { end }))
        });
        let Some((rows, end)) = table else {
            in_fence ^= fence.is_some();
            out.push_str(lines[at]);
            at += 1;
            continue;
        };
        stand_apart(&mut out);
        write(&mut out, &rows);
        out.push_str("\n\n");
        (at, is_any) = (end, true);
    }
    is_any.then_some(out)
}

/// Where a fence ends in which only the count of rows stands below its table.
fn fence_end(lines: &[&str], from: usize) -> Option<usize> {
    let behind = lines.get(from..)?.iter().take(COUNTS_MAX + 1);
    let close = behind.clone().position(|line| line.trim() == "```")?;
    let is_count = |line: &&str| {
        let said = line.trim().trim_start_matches('(');
        said.is_empty() || said.starts_with(|c: char| c.is_ascii_digit()) && said.contains(" row")
    };
    behind.take(close).all(is_count).then_some(from + close + 1)
}

/// A table: its rows, of which the first is the header, and how many lines it takes.
struct Table<'t> {
    rows: Vec<Vec<&'t str>>,
    lines: usize,
}

/// The one that some lines begin with.
fn table<'t>(lines: &[&'t str]) -> Option<Table<'t>> {
    let first = lines.first()?.trim();
    if first.starts_with('+') { bordered(lines) } else { ruled(lines) }
}

/// `+-----+`, the header, the same, and rows up to one more.
fn bordered<'t>(lines: &[&'t str]) -> Option<Table<'t>> {
    let is_border = |at: usize| lines.get(at).is_some_and(|line| is_rule(line.trim(), "+"));
    if !(is_border(0) && is_border(2)) {
        return None;
    }
    let mut rows = vec![cells(lines[1], true)?];
    let mut at = 3;
    while let Some(row) = lines.get(at).and_then(|line| cells(line, true)) {
        rows.push(row);
        at += 1;
    }
    (is_border(at) && are_even(&rows)).then_some(Table { rows, lines: at + 1 })
}

/// The header, `-----+-----`, and rows.
fn ruled<'t>(lines: &[&'t str]) -> Option<Table<'t>> {
    let rule = lines.get(1)?.trim();
    if !is_rule(rule, "-") {
        return None;
    }
    let mut rows = vec![cells(lines[0], false)?];
    let width = rule.matches('+').count() + 1;
    let is_row = |row: &Vec<&str>| row.len() == width;
    rows.extend(lines[2..].iter().map_while(|line| cells(line, false).filter(is_row)));
    let lines = rows.len() + 1;
    (rows[0].len() == width && are_even(&rows)).then_some(Table { rows, lines })
}

/// Whether a line is dashes with crosses between them, and begins so.
fn is_rule(line: &str, first: &str) -> bool {
    line.starts_with(first) && line.contains("-+-") && line.bytes().all(|byte| matches!(byte, b'-' | b'+'))
}

/// The cells of a line, which bars are around where it has borders.
fn cells(line: &str, has_borders: bool) -> Option<Vec<&str>> {
    let line = line.trim_end_matches(['\r', '\n']);
    let inside = match has_borders {
        true => line.trim().strip_prefix('|')?.strip_suffix('|')?,
        false => line,
    };
    let cells: Vec<&str> = inside.split('|').map(str::trim).collect();
    (cells.len() > 1).then_some(cells)
}

/// Whether there are rows, all as long as the header, which says something.
fn are_even(rows: &[Vec<&str>]) -> bool {
    let head = &rows[0];
    rows.len() > 1
        && rows.iter().all(|row| row.len() == head.len())
        && head.iter().any(|cell| cell.contains(char::is_alphabetic))
}

fn write(out: &mut String, rows: &[Vec<&str>]) {
    for (at, cells) in rows.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        write_row(out, cells.iter().copied());
        if at == 0 {
            out.push_str("\n|");
            cells.iter().for_each(|_| out.push_str("---|"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MYSQL: &str = "+-----+-------+\n| run | yield |\n+-----+-------+\n|   1 |    78 |\n|   2 |       |\n+-----+-------+\n";
    const PSQL: &str = "  run | yield \n------+-------\n    1 |    78\n    2 |    \n";
    const MARKDOWN: &str = "| run | yield |\n|---|---|\n| 1 | 78 |\n| 2 |  |\n\n";

    #[test]
    fn tables_of_shells_are_written_as_markdown() {
        for table in [MYSQL, PSQL] {
            assert_eq!(written(table).as_deref(), Some(MARKDOWN), "{table}");
            let around = format!("It says:\n{table}2 rows in set (0.01 sec)\n");
            let expected = format!("It says:\n\n{MARKDOWN}2 rows in set (0.01 sec)\n");
            assert_eq!(written(&around), Some(expected), "{table}");
            for name in ["", "sql", "text"] {
                let fenced = format!("It says:\n\n```{name}\n{table}(2 rows)\n\n```\nSo it is.");
                assert_eq!(written(&fenced), Some(format!("It says:\n\n{MARKDOWN}So it is.")), "{fenced}");
            }
        }
    }

    #[test]
    fn what_is_none_stays_as_it_is() {
        for text in [
            MYSQL.replace("|   1 |    78 |", "|   1 |    78 | 3 |"),
            MYSQL.rsplit_once("+-----+").map(|(text, _)| text.to_owned()).unwrap_or_default(),
            format!("```rust\n{MYSQL}```"),
            format!("```\nlet x = 5;\n{MYSQL}```"),
            format!("```\n{MYSQL}It is code | so.\nAnd more.\n```"),
            "a -+- b is a sign | of it\n-+-\nno row".to_owned(),
            "------+-------\n 1 | 2\n".to_owned(),
            "  run | yield \n------+-------\n(0 rows)\n".to_owned(),
            "| run | yield |\n|---|---|\n| 1 | 78 |".to_owned(),
            "+--+--+\nIt is a box.\n+--+--+\n".to_owned(),
        ] {
            assert_eq!(written(&text), None, "{text}");
        }
    }
}
