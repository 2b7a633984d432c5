//! Markers of a sheet's ids in an entry's text: `[c1]`, `[c1, c2]`, `[^c1]`, `【c1】`.
//!
//! A marker is brackets around known ids, outside of code, links, images and definitions, and not behind a backslash.
//! Brackets around short numbers, or around ids like the sheet's (`[c9]`), that the sheet doesn't have would read as numbers of the answer: they are removed with
//! the space before them, or put behind a backslash where they follow a word directly (`a[1]` may be an index).
//! Everything else is text. One pass.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::prefix;
use crate::domain::text::leads::is_lead;

mod by_place;
pub(super) use by_place::places;

/// Longest inside of a marker, in bytes.
const MARKER_BYTES_MAX: usize = 400;
/// Digits of a number that reads as one of the answer's.
const DIGITS_MAX: usize = 3;
/// Bytes before a marker in which the bracket that it stands in is looked for.
const NEAR_BYTES: usize = 64;

/// Numbers of sources, from 1, by first use.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The sources in the order of their numbers.
    pub order: Vec<usize>,
    numbers: BTreeMap<usize, usize>,
}

impl Numbering {
    /// The one in which sources have the numbers of their order.
    pub fn of(order: impl Iterator<Item = usize>) -> Self {
        let order: Vec<usize> = order.collect();
        let numbers = order.iter().copied().zip(1..).collect();
        Self { order, numbers }
    }

    fn marker(&mut self, source: usize) -> String {
        let order = &mut self.order;
        let number = *self.numbers.entry(source).or_insert_with(|| {
            order.push(source);
            order.len()
        });
        format!("[{number}]")
    }
}

/// The sheet's ids.
pub(super) struct Ids<'a> {
    /// The source that an id stands for.
    pub source_of: &'a dyn Fn(&str) -> Option<usize>,
    /// The letters that its ids have before their numbers.
    pub prefixes: &'a BTreeSet<String>,
}

impl Ids<'_> {
    fn source_of(&self, id: &str) -> Option<usize> {
        (self.source_of)(id)
    }

    /// Whether it can be nothing but an id: a short number, or one behind the letters of the sheet's ids.
    fn is_like(&self, id: &str) -> bool {
        let number = match prefix(id).filter(|letters| self.prefixes.contains(*letters)) {
            Some(letters) => &id[letters.len()..],
            None => id,
        };
        (1..=DIGITS_MAX).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// A text with its markers rewritten.
#[derive(Debug, Default)]
pub(super) struct Written {
    text: String,
    cited: BTreeSet<usize>,
    missing: Vec<usize>,
    /// Where brackets open out of which a marker was taken, in the line that is being written.
    emptied: Vec<usize>,
    /// Ids of markers that the sheet doesn't have.
    pub dangling: Vec<String>,
    /// What closes the code that the text ends in.
    open: Option<String>,
}

impl Written {
    /// Adds a source that the text has to cite; at its end where it doesn't yet.
    pub fn missing(&mut self, source: usize) {
        if self.cited.insert(source) {
            self.missing.push(source);
        }
    }

    pub fn with_missing(mut self, numbering: &mut Numbering) -> String {
        self.text.truncate(self.text.trim_end().len());
        if !self.missing.is_empty() {
            if let Some(fence) = self.open {
                self.text.push_str(&format!("\n{fence}"));
            }
            let gap = if ends_with_block(&self.text) {
                "\n\n"
            } else if self.text.ends_with(']') {
                ""
            } else {
                " "
            };
            self.text.push_str(gap);
        }
        for source in self.missing {
            self.text.push_str(&numbering.marker(source));
        }
        self.text
    }
}

/// Whether what a text ends with isn't prose: code, a row of a table, the line below a heading. A marker behind it would be a part
/// of it.
fn ends_with_block(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    let line = line.trim();
    let is_underline = ['=', '-'].iter().any(|mark| !line.is_empty() && line.chars().all(|c| c == *mark));
    is_indented || is_underline || line.starts_with("```") || line.starts_with("~~~") || line.ends_with('|')
}

/// `text` with each marker's ids as numbers.
pub(super) fn written(text: &str, sheet: &Ids<'_>, numbering: &mut Numbering) -> Written {
    let mut written = Written::default();
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(open), _) => {
                written.text.push_str(line);
                fence = Some(open).filter(|open| !start.starts_with(*open));
            }
            (None, Some(mark)) => {
                written.text.push_str(line);
                fence = Some(mark);
                let run = start.chars().take_while(|c| mark.starts_with(*c));
                written.open = Some(run.collect());
            }
            (None, None) => write_line(line, sheet, numbering, &mut written),
        }
    }
    written.open = written.open.filter(|_| fence.is_some());
    written
}

fn write_line(line: &str, sheet: &Ids<'_>, numbering: &mut Numbering, out: &mut Written) {
    let (mut rest, begun) = (line, out.text.len());
    while let Some(at) = rest.find(['`', '[', '【', '\\']) {
        let (before, from) = rest.split_at(at);
        out.text.push_str(before);
        let consumed = match from.chars().next() {
            Some('`') => code_span(from),
            Some('\\') => 1 + from[1..].chars().next().map_or(0, char::len_utf8),
            _ => match bracket(from).filter(|_| !out.text.ends_with('!')) {
                Some((inside, length)) if write_marker(inside, sheet, numbering, out) => {
                    rest = &from[length..];
                    continue;
                }
                Some(_) | None => from.chars().next().map_or(1, char::len_utf8),
            },
        };
        out.text.push_str(&from[..consumed]);
        rest = &from[consumed..];
    }
    out.text.push_str(rest);
    let opened: Vec<usize> =
        std::mem::take(&mut out.emptied).iter().filter_map(|at| at.checked_sub(begun)).collect();
    if !opened.is_empty() {
        let line = out.text.split_off(begun);
        out.text.push_str(&without_emptied(&line, &opened));
    }
}

/// A line without what the markers that were taken out left of the brackets at `opened`: `(,)` and `(see)` go, of `([1],)` the
/// comma. O(n).
fn without_emptied(line: &str, opened: &[usize]) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut done = 0;
    for &open in opened {
        let Some(close) = line[open..].find(')').map(|length| open + length) else { break };
        if open < done {
            continue;
        }
        let inside = line[open + 1..close].trim_matches([',', ';', ' ']);
        if is_lead(inside) {
            kept.push_str(line[done..open].trim_end_matches(' '));
        } else {
            kept.push_str(&line[done..=open]);
            kept.push_str(inside);
            kept.push(')');
        }
        done = close + 1;
    }
    kept.push_str(&line[done..]);
    kept
}

/// Where the bracket opens that a text ends in, if it does so near its end.
fn open_bracket(text: &str) -> Option<usize> {
    let near = text.floor_char_boundary(text.len().saturating_sub(NEAR_BYTES));
    let open = near + text[near..].rfind('(')?;
    (!text[open..].contains([')', '`', '\n'])).then_some(open)
}

/// The length of a code span, or of its opening where it isn't closed in this line.
fn code_span(from: &str) -> usize {
    let run = from.bytes().take_while(|byte| *byte == b'`').count();
    let fence = &from[..run];
    let mut at = run;
    while let Some(found) = from[at..].find(fence) {
        let start = at + found;
        let closing = from[start..].bytes().take_while(|byte| *byte == b'`').count();
        if closing == run {
            return start + run;
        }
        at = start + closing;
    }
    run
}

/// What stands between the brackets that `from` begins with, and their length; `None` where they are a link's, a
/// definition's, or none.
fn bracket(from: &str) -> Option<(&str, usize)> {
    let (open, close) = if from.starts_with('【') { ('【', '】') } else { ('[', ']') };
    let inner = &from[open.len_utf8()..];
    let end = inner
        .char_indices()
        .take_while(|(at, _)| *at <= MARKER_BYTES_MAX)
        .find(|(_, c)| matches!(c, '[' | ']' | '【' | '】' | '\n'))?;
    if end.1 != close {
        return None;
    }
    let length = open.len_utf8() + end.0 + close.len_utf8();
    let is_link = from[length..].starts_with(['(', ':']) && open == '[' && !inner[..end.0].starts_with('^');
    (!is_link).then_some((&inner[..end.0], length))
}

/// Writes what a marker means; `false` where it is none.
fn write_marker(inside: &str, sheet: &Ids<'_>, numbering: &mut Numbering, out: &mut Written) -> bool {
    let whole = sheet.source_of(inside.trim()).map(|source| vec![(inside, Some(source))]);
    let ids = whole.unwrap_or_else(|| {
        let ids = inside.split([',', ';', '，', '、']).map(str::trim);
        let ids = ids.map(|id| id.strip_prefix('^').map_or(id, |raised| raised.trim_end_matches('^')));
        ids.map(|id| (id, sheet.source_of(id))).collect()
    });
    if !ids.iter().all(|(id, source)| source.is_some() || sheet.is_like(id)) {
        return false;
    }
    let known: Vec<usize> = ids.iter().filter_map(|(_, source)| *source).collect();
    if known.is_empty() && out.text.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ')')) {
        out.text.push('\\');
        return false;
    }
    out.dangling.extend(ids.iter().filter(|(_, source)| source.is_none()).map(|(id, _)| (*id).to_owned()));
    if known.is_empty() {
        out.text.truncate(out.text.trim_end_matches(' ').len());
        out.emptied.extend(open_bracket(&out.text));
    }
    for source in known {
        out.cited.insert(source);
        let marker = numbering.marker(source);
        // The same source twice in a row says no more than once.
        if !out.text.ends_with(&marker) {
            out.text.push_str(&marker);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_go_that_only_markers_were_in_and_no_others() {
        let source_of = |id: &str| (id == "1").then_some(0);
        for (text, shown) in [
            ("Staff fell ([7], [8]).", "Staff fell."),
            ("Staff fell (see [9]).", "Staff fell."),
            ("Staff fell ([1], [7]).", "Staff fell ([1])."),
            ("Staff fell ([7], [1]).", "Staff fell ([1])."),
            ("Staff fell [^1^][^7^].", "Staff fell [1]."),
            ("Call f() and `g(1,)` now [9].", "Call f() and `g(1,)` now."),
            ("An open ( bracket [9] and ( another [8]", "An open ( bracket and ( another"),
        ] {
            let sheet = Ids { source_of: &source_of, prefixes: &BTreeSet::new() };
            let written = written(text, &sheet, &mut Numbering::default());
            assert_eq!(written.text, shown, "{text}");
        }
    }
}
