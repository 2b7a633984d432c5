//! Tables in texts, as agents write them that were asked for rows: Markdown, CSV (RFC 4180) and the like, lines of JSON.
//!
//! | text | its table |
//! |---|---|
//! | a header of Markdown above `---\|---`, anywhere | the lines below it |
//! | lines with as many cells each, between tabs, `;`, `,` or `\|`, below a header; alone, or alone in a fence | those |
//! | lines that are an object of JSON each | those |
//! | one fenced block of JSON with a table | that |
//!
//! Cells stay the texts that they are: what looks like a number may be a code or a version. What stands around a table is its
//! `content`. A text that may as well be prose has none.

use serde_json::Value;

use super::super::model_text;
use super::super::shape::{ObjectText, is_object, quoted};
use super::super::values::embedded_in;
use delimited::delimited;

mod delimited;
mod markdown;

/// The header and the lines of a table.
struct Lines {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// An object with the table that a text holds, and `content` where there is more in it; `None` where it holds none.
pub(super) fn table_in(text: &str) -> Option<String> {
    // A tab at the end is an empty cell.
    let text = text.trim_matches([' ', '\n', '\r']);
    if let Some((lines, around)) = markdown::found(text) {
        return Some(lines.written(&around));
    }
    let (block, around) = block(text);
    if let Some(rows) = lines_of_json(block) {
        return Some(written("rows", &rows, &around));
    }
    if let Some(lines) = delimited(block) {
        return Some(lines.written(&around));
    }
    let held = model_text::within(text)?;
    let is_table = !is_object(&held) || super::has_own_table(&held);
    // The sentence around it stays as it is, and the block in it.
    is_table.then(|| written(if is_object(&held) { "result" } else { "rows" }, &held, text))
}

/// The only fenced block of a text, and what stands around it; the text itself where there is none.
fn block(text: &str) -> (&str, String) {
    let mut parts = text.split("```");
    let (before, within, after) = (parts.next(), parts.next(), parts.next());
    match (before, within, after, parts.next()) {
        (Some(before), Some(within), Some(after), None) => {
            let language = within.find('\n').map_or("", |end| &within[..end]);
            let is_label = language.trim().bytes().all(|byte| byte.is_ascii_alphanumeric());
            let within = if is_label { &within[language.len()..] } else { within };
            (within.trim_matches([' ', '\n', '\r']), joined(before, after))
        }
        _ => (text, String::new()),
    }
}

/// What stands before and behind a table.
fn joined(before: &str, behind: &str) -> String {
    let parts = [before.trim(), behind.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// Lines that are an object of JSON each, as an array.
fn lines_of_json(text: &str) -> Option<String> {
    let mut objects = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        objects.push(embedded_in(line).filter(|held| is_object(held))?);
    }
    (!objects.is_empty()).then(|| format!("[{}]", objects.join(",")))
}

fn written(name: &str, table: &str, around: &str) -> String {
    let mut object = ObjectText::new(table.len() + around.len() + 32);
    object.member(name, table);
    if !around.is_empty() {
        object.member("content", &quoted(around));
    }
    object.finish()
}

impl Lines {
    /// As many cells in each line as in the header, at least two, and a line below it; the header's are names.
    fn are_table(&self) -> bool {
        let width = self.header.len();
        width > 1 && !self.rows.is_empty() && self.rows.iter().all(|row| row.len() == width)
    }

    fn written(&self, around: &str) -> String {
        let name = |(place, name): (usize, &String)| match name.as_str() {
            "" => format!("column_{}", place + 1),
            name => name.to_owned(),
        };
        let header: Vec<String> = self.header.iter().enumerate().map(name).collect();
        let mut object = ObjectText::new(256);
        object.member("columns", &Value::from(header).to_string());
        object.member("rows", &Value::from(self.rows.clone()).to_string());
        if !around.is_empty() {
            object.member("content", &quoted(around));
        }
        object.finish()
    }
}

#[cfg(test)]
mod tests;
