//! The entries of a sheet that say something, each once.
//!
//! What differs in nothing but white space and markers says the same. Linear, but for looking up.

use std::collections::{BTreeMap, BTreeSet};

use super::markers::{self, Ids};
use super::own_list;
use super::sources::prefix;
use crate::domain::aggregate::request::{Sheet, SheetEntry, SheetId};

/// An entry, with the citations of its repeats.
pub(super) struct Entry<'a> {
    /// Its place in the sheet, from 1.
    pub number: usize,
    pub content: &'a str,
    /// The same without markers, and without a list of references of its own.
    pub said: String,
    pub citations: Vec<&'a SheetId>,
}

pub(super) fn distinct(sheet: &Sheet) -> Vec<Entry<'_>> {
    let mut by_id = BTreeMap::new();
    for (at, citation) in sheet.citations.iter().enumerate() {
        by_id.entry(citation.id.to_string()).or_insert(at);
    }
    let prefixes: BTreeSet<String> = by_id.keys().filter_map(|id| prefix(id)).map(str::to_owned).collect();
    let known = Ids { source_of: &|id| by_id.get(id).copied(), prefixes: &prefixes };
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let said = (1..).zip(&sheet.entries).filter(|(_, entry)| !entry.content.trim().is_empty());
    for (number, entry) in said {
        let read = Read::of(entry, &known);
        let place = *places.entry(read.key).or_insert(entries.len());
        if place == entries.len() {
            let content = entry.content.trim();
            entries.push(Entry { number, content, said: read.said, citations: Vec::new() });
        } else {
            entries[place].citations.extend(read.cited.iter().map(|at| &sheet.citations[*at].id));
        }
        entries[place].citations.extend(&entry.citations);
    }
    entries
}

/// What an entry says, and cites in its text.
struct Read {
    said: String,
    /// The places of the sheet's citations whose markers stand in it.
    cited: BTreeSet<usize>,
    /// What two that say the same have in common.
    key: String,
}

impl Read {
    fn of(entry: &SheetEntry, known: &Ids<'_>) -> Self {
        let own = own_list::read(&entry.content);
        let read = markers::unmarked(&own.text, known);
        // What its markers stand for is known to itself alone, or to nobody, which has to be told.
        let is_its_own = !own.numbers.is_empty() || !read.dangling.is_empty() && entry.citations.is_empty();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = words(if is_its_own || read.text.trim().is_empty() { &entry.content } else { &read.text });
        Self { said: read.text, cited: read.cited, key }
    }
}
