//! Markers of a sheet's ids in an entry's text: `[c1]`, `[c1, c2]`, `[1-3]`, `[^c1]`, `【c1】`.
//!
//! A marker is brackets around known ids, outside of code, links, images and definitions, and not behind a backslash.
//! Brackets around short numbers, or around ids like the sheet's (`[c9]`), that the sheet doesn't have would read as numbers of the answer: they are removed with
//! the space before them, or put behind a backslash where they follow a word directly (`a[1]` may be an index).
//! Everything else is text. One pass.

use std::collections::{BTreeMap, BTreeSet};

use self::brackets::{bracket, code_span, without_emptied};
use self::cited::write_marker;
use super::sources::prefix;

mod brackets;
mod by_place;
mod cited;
mod ends;
pub(super) use by_place::places;

/// Digits of a number that reads as one of the answer's.
const DIGITS_MAX: usize = 3;

/// Numbers of sources, from 1, by first use.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    /// The sources in the order of their numbers.
    pub order: Vec<usize>,
    numbers: BTreeMap<usize, usize>,
    /// Whether markers are only looked for, and left out.
    is_silent: bool,
}

impl Numbering {
    /// The one in which sources have the numbers of their order.
    pub fn of(order: impl Iterator<Item = usize>) -> Self {
        let order: Vec<usize> = order.collect();
        let numbers = order.iter().copied().zip(1..).collect();
        Self { order, numbers, is_silent: false }
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
    /// Where a marker was taken out last.
    taken: Option<usize>,
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
        if self.missing.is_empty() {
            return self.text;
        }
        // What is defined for links at the end of a text is no sentence that could cite.
        let definitions = match self.open {
            Some(fence) => {
                self.text.push_str(&format!("\n{fence}"));
                String::new()
            }
            None => self.text.split_off(ends::before_definitions(&self.text)),
        };
        let gap = if ends::in_block(&self.text) {
            "\n\n"
        } else if self.text.ends_with(']') {
            ""
        } else {
            " "
        };
        self.text.push_str(gap);
        for source in self.missing {
            self.text.push_str(&numbering.marker(source));
        }
        self.text + &definitions
    }
}

/// A text without the markers of a sheet's ids, and those that it has.
#[derive(Debug)]
pub(super) struct Unmarked {
    pub text: String,
    /// The sources of its markers.
    pub cited: BTreeSet<usize>,
    /// Ids of markers that the sheet doesn't have.
    pub dangling: Vec<String>,
}

/// `text` without its markers.
pub(super) fn unmarked(text: &str, sheet: &Ids<'_>) -> Unmarked {
    let mut silent = Numbering { is_silent: true, ..Numbering::default() };
    let Written { text, cited, dangling, .. } = written(text, sheet, &mut silent);
    Unmarked { text, cited, dangling }
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
    out.taken = None;
    let opened: Vec<usize> =
        std::mem::take(&mut out.emptied).iter().filter_map(|at| at.checked_sub(begun)).collect();
    if !opened.is_empty() {
        let line = out.text.split_off(begun);
        out.text.push_str(&without_emptied(&line, &opened));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_behind_one_that_was_taken_out_is_no_index() {
        let source_of = |id: &str| (id == "u1").then_some(0);
        let sheet = Ids { source_of: &source_of, prefixes: &BTreeSet::from(["u".to_owned()]) };
        for (text, shown, dangling) in [
            ("Staff fell [1][2].", "Staff fell.", &["1", "2"][..]),
            ("Staff fell [u9][8][7] and a[1].", "Staff fell and a\\[1].", &["u9", "8", "7"]),
        ] {
            let written = written(text, &sheet, &mut Numbering::default());
            assert_eq!(written.text, shown, "{text}");
            assert_eq!(written.dangling, dangling, "{text}");
        }
    }

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
