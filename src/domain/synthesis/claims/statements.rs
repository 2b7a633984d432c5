//! The sentences of a result that state something, with the sources that they cite.
//!
//! Which brackets are citations the rewriter of citations has decided already: it knows code, mathematics and years.

use std::ops::Range;

use self::asides::{is_small_talk, names_source};
use self::edges::{closed, trimmed};
use self::entries::{is_entry, is_prose};
use self::html::{Piece, pieces};
use self::labels::is_label;
use self::rows::{Table, are_most, rows};
use crate::domain::synthesis::citations::{Citation, is_reference_heading};
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::sentences::sentences;

mod addresses;
mod asides;
mod edges;
mod entries;
mod html;
mod json_values;
mod labels;
mod lines;
mod rows;

pub use self::addresses::{Address, addresses};
pub(in crate::domain::synthesis) use self::edges::edges;
pub(super) use self::labels::lead;

/// A sentence and who says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement<'t> {
    /// The sentence, verbatim, without markup and citations at its edges.
    pub text: &'t str,
    /// Its first byte in the text that it is from.
    pub start: usize,
    /// The heading that it stands under; empty where there is none.
    pub heading: &'t str,
    /// Who says it.
    pub subagent: &'t str,
    /// The sources that it cites, ascending.
    pub sources: Vec<usize>,
}

/// A citation marker of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it cites.
    pub source: usize,
}

impl Mark {
    /// The marks of a text that the rewriter has written, whose numbers are the sources.
    pub fn all(citations: &[Citation]) -> Vec<Self> {
        let mark = |citation: &Citation| {
            let digits = citation.number.checked_ilog10().unwrap_or_default() as usize + 1;
            Self { range: citation.offset..citation.offset + digits + 2, source: citation.number as usize }
        };
        citations.iter().map(mark).collect()
    }
}

/// A text of a result in Markdown, as the rewriter of citations has written it.
#[derive(Clone, Copy)]
pub struct Said<'t, 'c> {
    /// The text.
    pub text: &'t str,
    /// Whose it is.
    pub subagent: &'t str,
    /// Its citation markers, in their order.
    pub marks: &'c [Mark],
    /// The source behind an address that the text links to or shows.
    pub source_of: &'c dyn Fn(&str) -> Option<usize>,
}

impl<'t> Said<'t, '_> {
    /// A text in which nothing cites.
    pub fn uncited(text: &'t str) -> Self {
        Self { text, subagent: "", marks: &[], source_of: &|_| None }
    }
}

/// The statements of a text. Headings, code, rules and lists of references state nothing. Where no sentence is long
/// enough, an answer of a word or two does that has a source, `Paris [1].`, and so do the items of lists. Tables do by their rows, where nothing else does or
/// most of the text is tables, and JSON does by its strings.
pub fn statements<'t>(said: Said<'t, '_>) -> Vec<Statement<'t>> {
    if let Some(json) = json_values::whole(said.text) {
        return of_json(said, json);
    }
    let (mut found, tables) = at_least(said, Least::Sentence);
    let is_silent = found.is_empty();
    if is_silent && let Some(json) = json_values::fenced(said.text) {
        found = of_json(said, json);
    }
    let is_silent = found.is_empty();
    if is_silent {
        found = at_least(said, Least::Answer).0;
    }
    if is_silent || are_most(&tables, said.text) {
        found.extend(rows(said, &tables));
        found.sort_by_key(|statement| statement.start);
    }
    found
}

fn of_json<'t>(said: Said<'t, '_>, json: Range<usize>) -> Vec<Statement<'t>> {
    let mut found = Vec::new();
    for string in json_values::strings(said.text, json.clone()) {
        read(said, string, ("", Least::Sentence), &mut found);
    }
    if found.is_empty() { json_values::objects(said, json) } else { found }
}

/// How much a sentence must say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Least {
    Sentence,
    /// A few words with a source.
    Answer,
    /// A few words in a list, with or without one.
    Item,
}

fn at_least<'t>(said: Said<'t, '_>, least: Least) -> (Vec<Statement<'t>>, Vec<Table<'t>>) {
    let text = said.text;
    let (mut found, mut tables) = (Vec::new(), Vec::new());
    let mut heading = "";
    let mut references = false;
    for block in blocks(text) {
        let Some(body) = text.get(block.range.clone()) else { continue };
        match block.kind {
            Kind::Heading { .. } => {
                heading = heading_text(body);
                references = is_reference_heading(heading);
            }
            Kind::Paragraph | Kind::Quote => {
                // A label begins a list of references, prose ends it.
                references = is_reference_heading(edges(body)) || references && !is_prose(body);
                if references {
                    continue;
                }
                if block.range.end < text.len() && is_label(body) {
                    heading = edges(body).trim_end_matches([':', '：']);
                } else {
                    read_pieces(said, block.range, (heading, least), &mut found);
                }
            }
            Kind::ListItem { .. } if references => {}
            Kind::ListItem { .. } => {
                let least = if least == Least::Answer { Least::Item } else { least };
                read_pieces(said, block.range, (heading, least), &mut found);
            }
            Kind::Html => {
                for Piece { range, is_heading } in pieces(text, block.range) {
                    if is_heading {
                        heading = edges(&text[range]);
                        references = is_reference_heading(heading);
                    } else if !references {
                        read(said, range, (heading, least), &mut found);
                    }
                }
            }
            Kind::Table if !references => tables.push(Table { range: block.content(text), heading }),
            Kind::Code { .. } | Kind::Table | Kind::Rule => {}
        }
    }
    (found, tables)
}

fn heading_text(heading: &str) -> &str {
    let first = heading.trim().trim_start_matches('#').lines().next().unwrap_or_default();
    edges(first.trim_end_matches('#'))
}

/// The statements of a block of prose, in which HTML may break lines.
fn read_pieces<'t>(
    said: Said<'t, '_>,
    block: Range<usize>,
    under: (&'t str, Least),
    found: &mut Vec<Statement<'t>>,
) {
    for piece in pieces(said.text, block) {
        for item in lines::items(said.text, piece.range) {
            read(said, item, under, found);
        }
    }
}

/// The statements of a block, or of a piece of one.
fn read<'t>(
    said: Said<'t, '_>,
    block: Range<usize>,
    (heading, least): (&'t str, Least),
    found: &mut Vec<Statement<'t>>,
) {
    let Said { text, subagent, marks, source_of } = said;
    let Some(body) = text.get(block.clone()) else { return };
    for range in sentences(body) {
        let range = block.start + range.start..block.start + range.end;
        let first = marks.partition_point(|mark| mark.range.start < range.start);
        let own = &marks[first..];
        let own = &own[..own.partition_point(|mark| mark.range.start < range.end)];
        let sentence = trimmed(text, range.clone(), own);
        let start = sentence.start;
        let Some(shown) = text.get(sentence) else { continue };
        let addresses = text.get(range.clone()).map(addresses).unwrap_or_default();
        let linked = addresses.iter().filter_map(|Address { url, .. }| source_of(url));
        let mut sources: Vec<usize> = own.iter().map(|mark| mark.source).chain(linked).collect();
        if names_source(shown) {
            cite(text, range.start, &sources, found);
            continue;
        }
        let says = match least {
            Least::Sentence => states_something(shown, closed(text, range, own)),
            Least::Answer => answers(shown, !sources.is_empty()),
            Least::Item => answers(shown, !sources.is_empty() || is_item(shown)),
        };
        if !says || is_small_talk(shown) {
            continue;
        }
        sources.sort_unstable();
        sources.dedup();
        found.push(Statement { text: shown, start, heading, subagent, sources });
    }
}

/// Gives the statement before `at` its sources, where nothing else stands between.
fn cite(text: &str, at: usize, sources: &[usize], found: &mut [Statement<'_>]) {
    let Some(last) = found.last_mut() else { return };
    let between = text.get(last.start + last.text.len()..at).unwrap_or_default();
    if between.contains(char::is_alphabetic) {
        return;
    }
    last.sources.extend(sources);
    last.sources.sort_unstable();
    last.sources.dedup();
}

/// Whether an item of a list says something where nothing else does: `Founded: 2015`.
fn is_item(text: &str) -> bool {
    let wide = text.chars().filter(|c| ('\u{3040}'..='\u{9FFF}').contains(c)).take(4).count();
    text.contains(char::is_alphabetic) && (wide >= 4 || text.split_whitespace().take(2).count() == 2)
}

/// A few words with a source.
fn answers(text: &str, cites: bool) -> bool {
    let is_label = text.ends_with([':', '：', '?', '？']) || text.starts_with("http");
    cites && text.contains(char::is_alphanumeric) && !is_label && !is_entry(text, true)
}

/// A sentence has a few words, isn't a label with a colon, and isn't an entry of references. One that ends like a
/// sentence may be short.
fn states_something(text: &str, closed: bool) -> bool {
    let wide = text.chars().filter(|c| ('\u{3040}'..='\u{9FFF}').contains(c)).take(8).count();
    let words = text.split_ascii_whitespace().take(5).count();
    let (wide_min, words_min) = if closed { (4, 2) } else { (8, 5) };
    (wide >= wide_min || words >= words_min)
        && !text.ends_with([':', '：', '?', '？'])
        && !is_entry(text, closed)
}
