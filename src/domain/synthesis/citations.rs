//! Rewrites citation markers while a text streams by.
//!
//! A subagent, or a language model, numbers its sources as it likes. [`Rewriter`] turns every marker into `[n]` with the
//! display number of its source by first use ([`Numbering`], shared by all texts of a result), removes markers that no
//! source stands behind, and leaves out reference sections, which are rebuilt from the sources themselves; what those
//! sections said is in the [`Report`].
//!
//! Promises: the output is the same for every way of cutting the input; at most [`HELD_BYTES_MAX`] bytes are held
//! back; time is linear in the input; nothing panics. With an identity map the output is a fixed point, except where a
//! rewriting brings the end of an unclosed-looking formula or tag into a window, makes `[1][1] Title` an entry, or drops
//! a repetition next to a dash (`[5][1][5]-[2]`).
//!
//! # What is a marker
//!
//! `[1]`, `[1, 2]`, `[1 and 2]`, `[1-3]`, `[1]-[3]` (a range of up to 50 numbers; `[4-2]` is 4 and 2, and there is none in
//! `[1]-[2][3]` or `[1]-[2, 3]`), `[^1]`, `[^1^]`, `[1†L3]`, `[1, p. 4]` (the locator is in [`Citation::locator`]),
//! `[1 p. 4]`, `[1: 12-14]` (`[1:12]` is a time or a verse), `[Source 1]`, `[cite: 1, 2]`, `[see 1]`, in
//! the brackets `[] 【】 ［］ 〔〕` and ASCII or full-width digits, and `[1](#sources)`, a link to a reference section that won't be
//! there any more. A group is written as `[n][m]`, repetitions within a row of markers
//! fall away, and a marker before `(` gets a space so that it doesn't become a link. A group of more than a window (56
//! bytes) is rewritten as it comes if all numbers so far are known.
//!
//! * Behind a letter (`word[1]`, `文字[1]`, `CO2[7]`) a bracket is a citation: in the reports of models nearly every
//!   marker stands there. It is an index behind a single small letter (`a[1]`, `x[1, 2]`), behind a name with `_`, a
//!   member (`sys.argv[1]`, unless it may be a host or a file) or a call (`f(x)[1]`), behind the name of a variable that is
//!   no word (`argv[1]`, `arr2[1]`, `myItems[1]`; `items[1]` where its line has an index before, or the text `items[0]`), and where code goes on behind it
//!   (`list[1] = …`, `rows[1].name`, `?id[1]=`). `[1-3]+` is a part of a regular expression. Without a source `items[0]` and
//!   `deploy[231]: …` are indices, too.
//! * An unknown number is dropped with the space, the parenthesis, the comma or the dash that belonged to it, except years
//!   (`[2024]`), numbers of five digits or more, 0 beside others (`[0, 1]`), and issues (`[#12]`): those are text unless
//!   the map knows them. So is a range of more than 50 (`[10-400]`).
//! * `[text][1]` is rewritten like any marker: its definition goes with the reference section, and the number would
//!   otherwise point to another source. `[1](https://…)` is left as it is.
//!
//! Left as they are: code spans, fenced code, link destinations, mathematics, HTML tags and comments, `<code>` and
//! `<pre>`, escapes, and what is indented by four columns behind an empty line, outside of a list. An unclosed span ends with
//! its paragraph.
//!
//! # What is a reference section
//!
//! A heading in the vocabulary of many languages (`#`, bold, underlined or plain) below which an entry begins, or any
//! `#` heading or rule with `[1] …` directly below it; then all lines that are entries: numbered ones (`[1]`, `1.`),
//! bulleted ones that show an address within a window (any below a heading that can mean nothing else: `References`,
//! `Sources used`, unlike `Sources`), bare addresses, table rows, indented continuations. The first
//! other line ends the section and is kept. Lines `[1]: …`, `[1] https://…`, and `[1] Title https://…` that show their
//! address within a window, are entries anywhere. Where a heading is so long that what follows isn't in the window, it is taken at its
//! word; a heading outside the vocabulary over a list `1. …` is kept, since such lists are prose more often. Of a whole
//! text [`without_list`] knows more.
//!
//! `<h2>References</h2>` is a heading, too, and so is `<details><summary>Sources</summary>`, with which `</details>` goes.
//! A line `Sources: [1] https://…; [2] https://…` that shows its first address within a window is a section of its own
//! where its first number was cited before; where it wasn't, the line names the sources of what stands before it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

mod cited;
mod entries;
mod headings;
mod index;
mod lead;
mod lines;
mod machine;
mod marker;
mod numbering;
mod numbers;
mod output;
mod report;
mod spans;
#[cfg(test)]
mod tests;
mod token;
mod trailing;
mod window;

pub use machine::HELD_BYTES_MAX;
pub use numbering::Numbering;
pub use report::{Citation, Dangling, Definition, LIST_LIMIT, References, Report, StrippedSection};
pub use trailing::{Works, without_list, works_at_end};

use cited::Cited;
use headings::{Fit, fit};
use index::Indices;
use lines::Section;
use machine::State;
use marker::Item;
use numbers::Numbers;
use token::Token;

/// A longer line is no heading of references.
const HEADING_BYTES_MAX: usize = 120;
/// Bytes of what was written that are remembered.
const TAIL_BYTES: usize = 12;

/// Rewrites one text that comes in pieces.
#[derive(Debug)]
pub struct Rewriter<'m> {
    numbers: Numbers<'m>,
    report: Report,
    /// What can't be decided yet.
    pending: String,
    state: State,
    line_start: bool,
    section: Section,
    /// The level of its heading.
    level: usize,
    /// The reference section that is being left out.
    stripped: Option<StrippedSection>,
    /// The entry that is being left out.
    entry: String,
    /// Whether an entry came before in this section.
    continued: bool,
    /// Whether the entry is a list in one line.
    in_line: bool,
    /// Whether the section stands in `<details>`, which end with it.
    details: bool,
    /// The numbers that the text has cited so far.
    cited: Cited,
    /// The sources of the row of markers that the output ends with.
    row: Vec<u32>,
    in_row: bool,
    /// A marker was dropped, and what came before it waits here.
    dropped: bool,
    lead: String,
    /// Whether the last line was empty, and whether it stands in a list: see [`lines::Shape`].
    after_blank: bool,
    in_list: bool,
    /// Where the output ended after an index.
    index_end: Option<usize>,
    indices: Indices,
    /// Bytes read before those that are looked at.
    read: usize,
    /// Bytes written.
    written: usize,
    /// The last of them.
    tail: [u8; TAIL_BYTES],
    /// What is known of the word that they belong to, but for the last bytes, so many of them.
    token: Token,
    unread: usize,
    /// The numbers of the marker that is being read.
    items: Vec<Item>,
}

impl<'m> Rewriter<'m> {
    /// A rewriter for a text whose local numbers `map` maps to source keys (several numbers may have the same one; a
    /// number without a key dangles).
    #[must_use]
    pub fn new(map: &'m BTreeMap<u32, u32>, numbering: &'m mut Numbering) -> Self {
        Self::over(Numbers::Mapped(map, numbering))
    }

    fn over(numbers: Numbers<'m>) -> Self {
        Rewriter {
            numbers,
            report: Report::default(),
            pending: String::new(),
            state: State::Text,
            line_start: true,
            section: Section::Outside,
            level: lines::NO_LEVEL,
            stripped: None,
            entry: String::new(),
            continued: false,
            in_line: false,
            details: false,
            cited: Cited::default(),
            row: Vec::new(),
            in_row: false,
            dropped: false,
            lead: String::new(),
            after_blank: false,
            in_list: false,
            index_end: None,
            indices: Indices::default(),
            read: 0,
            written: 0,
            tail: [0; TAIL_BYTES],
            token: Token::default(),
            unread: 0,
            items: Vec::new(),
        }
    }

    /// Takes the next piece of the text and appends to `out` what is decided.
    pub fn push(&mut self, chunk: &str, out: &mut String) {
        if self.pending.is_empty() {
            let done = self.run(chunk, false, out);
            self.read += done;
            self.pending.push_str(&chunk[done..]);
            return;
        }
        let mut buffer = std::mem::take(&mut self.pending);
        buffer.push_str(chunk);
        let done = self.run(&buffer, false, out);
        self.read += done;
        buffer.drain(..done);
        self.pending = buffer;
    }

    /// From here on the text's numbers mean this.
    pub fn remap(&mut self, map: &'m BTreeMap<u32, u32>) {
        if let Numbers::Mapped(known, _) = &mut self.numbers {
            *known = map;
        }
    }

    /// Bytes of input that are neither written nor left out yet; never more than [`HELD_BYTES_MAX`].
    #[must_use]
    pub fn held(&self) -> usize {
        self.pending.len() + self.lead.len()
    }

    /// Ends the text: appends what was held back.
    pub fn finish(mut self, out: &mut String) -> Report {
        let buffer = std::mem::take(&mut self.pending);
        let read = self.run(&buffer, true, out);
        self.read += read;
        self.end(out);
        self.report
    }
}

impl Rewriter<'static> {
    /// A rewriter for a text that uses the display numbers already: `known` stay as they are, all others dangle. It owns
    /// what it needs, so it can wait for the next piece of its text as long as it must.
    #[must_use]
    pub fn keeping(known: Arc<BTreeSet<u32>>) -> Self {
        Self::over(Numbers::Kept(known))
    }
}

/// Rewrites a whole text, see [`Rewriter`].
#[must_use]
pub fn rewrite(text: &str, map: &BTreeMap<u32, u32>, numbering: &mut Numbering) -> (String, Report) {
    let mut out = String::with_capacity(text.len());
    let mut rewriter = Rewriter::new(map, numbering);
    rewriter.push(text, &mut out);
    let report = rewriter.finish(&mut out);
    (out, report)
}

/// Rewrites a whole text whose numbers, up to `last`, are those of its sources already: they stay, all others dangle.
#[must_use]
pub fn keep(text: &str, last: usize) -> (String, Report) {
    let known = 1..=u32::try_from(last).unwrap_or(u32::MAX);
    let mut out = String::with_capacity(text.len());
    let mut rewriter = Rewriter::keeping(Arc::new(known.collect()));
    rewriter.push(text, &mut out);
    let report = rewriter.finish(&mut out);
    (out, report)
}

/// Whether the brackets between two parts of a line are an index, `my_list[1]`, and no marker.
#[must_use]
pub fn are_index(before: &str, behind: &str) -> bool {
    let mut behind = behind.chars();
    let next = marker::Next { first: behind.next(), second: behind.next() };
    let tail = &before.as_bytes()[before.len().saturating_sub(TAIL_BYTES)..];
    let alone = [b"\0".as_slice(), tail].concat();
    index::is_index(&alone, next).unwrap_or_default() || Token::of(before).is_code(tail)
}

/// Whether a heading or a label (without `#` and `*`) says that references follow.
#[must_use]
pub fn is_reference_heading(title: &str) -> bool {
    title.len() <= HEADING_BYTES_MAX && fit(title, false) == Fit::Whole
}

/// The reference sections of a finished text, and what they say.
#[must_use]
pub fn references(text: &str) -> References {
    // Most texts have no line that could begin one: telling that takes a fraction of the time.
    if !lines::may_have_section(text) {
        return References::default();
    }
    let report = rewrite(text, &BTreeMap::new(), &mut Numbering::new()).1;
    References { sections: report.stripped_sections, definitions: report.definitions }
}

/// What a line says that is an entry of a reference section, or several.
#[must_use]
pub fn entries_of(line: &str) -> Vec<Definition> {
    entries::definitions(line)
}
