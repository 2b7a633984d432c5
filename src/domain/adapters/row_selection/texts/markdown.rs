//! The first table of Markdown in a text (GitHub Flavored Markdown, section 4.10).

use super::{Lines, joined};

/// The table, and what stands around it.
pub(super) fn found(text: &str) -> Option<(Lines, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let at = (1..lines.len()).find(|at| is_rule(lines[*at], cells(lines[at - 1]).len()))?;
    let end = (at + 1..lines.len()).find(|at| !lines[*at].contains('|')).unwrap_or(lines.len());
    let header = cells(lines[at - 1]);
    let width = header.len();
    // A line with fewer cells has no more of them; one with more keeps them.
    let row = |line: &&str| {
        let mut row = cells(line);
        row.resize(row.len().max(width), String::new());
        row
    };
    let rows = lines[at + 1..end].iter().map(row).collect();
    let fence = |line: &&&str| !line.trim_start().starts_with("```");
    let around = |lines: &[&str]| lines.iter().filter(fence).copied().collect::<Vec<_>>().join("\n");
    Some((Lines { header, rows }, joined(&around(&lines[..at - 1]), &around(&lines[end..]))))
}

/// Whether a line is the one below a header of so many cells.
fn is_rule(line: &str, width: usize) -> bool {
    let cells = cells(line);
    let is_dashes = |cell: &String| {
        let dashes = cell.trim_start_matches(':').trim_end_matches(':');
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    line.contains('|') && cells.len() == width && cells.iter().all(is_dashes)
}

/// The cells of a line; `\|` is a bar in one.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let is_closed = line.ends_with('|') && !line.ends_with("\\|");
    let line = if is_closed { &line[..line.len() - 1] } else { line };
    let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match (c, escaped) {
            ('|', false) => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            ('|', true) => {
                cell.pop();
                cell.push(c);
            }
            (c, _) => cell.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    cells.push(cell.trim().to_owned());
    cells
}
