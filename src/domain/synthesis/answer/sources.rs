//! The sources that a context sheet names, as references.

use std::collections::{BTreeMap, BTreeSet};

use super::{Issues, Reference, TITLE_CHARS_MAX};
use crate::domain::aggregate::request::{Sheet, SheetCitation, SheetId};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::text::clean::one_line;

/// The sheet's sources, each id once.
pub(super) struct Sources {
    pub(super) list: Vec<Reference>,
    pub(super) by_id: BTreeMap<String, usize>,
    /// The letters before the number of each id that is both, `c` of `c1`.
    pub(super) prefixes: BTreeSet<String>,
    /// By the key of its address.
    pub(super) by_address: BTreeMap<String, usize>,
    /// By id, what the sheet says of it first: of two ids of one source each says its own.
    given: BTreeMap<String, Given>,
    /// The places of those that have a title.
    titled: BTreeSet<usize>,
}

/// A citation of the sheet.
#[derive(Clone, PartialEq)]
struct Given {
    reference: Reference,
    /// Whether its title is one, and not what stands for a missing one.
    is_titled: bool,
}

impl Sources {
    pub(super) fn of(sheet: &Sheet, issues: &mut Issues) -> Self {
        let ids = sheet.citations.iter().map(|citation| citation.id.to_string());
        let mut sources = Self {
            list: Vec::new(),
            by_id: BTreeMap::new(),
            prefixes: ids.filter_map(|id| prefix(&id).map(str::to_owned)).collect(),
            by_address: BTreeMap::new(),
            given: BTreeMap::new(),
            titled: BTreeSet::new(),
        };
        for citation in &sheet.citations {
            let given = given(citation, issues);
            match sources.given.get(&citation.id.to_string()) {
                None => sources.add(given, issues),
                Some(first) if *first == given => {}
                Some(_) => {
                    let id = shown(&citation.id);
                    issues.add(
                        "duplicate_citation",
                        format!("the sheet has `{id}` twice; the first one counts"),
                    );
                }
            }
        }
        sources
    }

    /// Whether an id is a number.
    pub(super) fn are_numbers(&self) -> bool {
        self.by_id.keys().any(|id| id.parse::<u64>().is_ok())
    }

    /// An address under another id is the same source: a reader would take two numbers for two.
    fn add(&mut self, given: Given, issues: &mut Issues) {
        self.given.insert(given.reference.id.to_string(), given.clone());
        let Given { reference, is_titled } = given;
        let key = reference.url.as_deref().and_then(identify).map(|identity| identity.key);
        let known = key.as_ref().and_then(|key| self.by_address.get(key)).copied();
        let place = known.unwrap_or(self.list.len());
        self.by_id.insert(reference.id.to_string(), place);
        if let Some(first) = self.list.get_mut(place) {
            let (id, other) = (shown(&first.id), shown(&reference.id));
            issues.add("duplicate_source", format!("`{other}` has the address of `{id}` and counts as that"));
            first.quality = first.quality.or(reference.quality);
            if is_titled && self.titled.insert(place) {
                first.title = reference.title;
            }
        } else {
            if let Some(key) = key {
                self.by_address.insert(key, place);
            }
            if is_titled {
                self.titled.insert(place);
            }
            self.list.push(reference);
        }
    }
}

fn given(citation: &SheetCitation, issues: &mut Issues) -> Given {
    let url = citation.url.as_deref().filter(|url| !url.trim().is_empty());
    let link = url.and_then(link);
    if let (Some(_), None) = (url, &link) {
        issues.add("unsafe_url", format!("the address of `{}` can't be a link", shown(&citation.id)));
    }
    let title = citation
        .title
        .as_deref()
        .map(|title| one_line(title, TITLE_CHARS_MAX))
        .filter(|title| !title.is_empty());
    let is_titled = title.is_some();
    let reference = Reference {
        id: citation.id.clone(),
        title: title.or_else(|| link.clone()).unwrap_or_else(|| shown(&citation.id)),
        url: link,
        quality: citation.quality,
    };
    Given { reference, is_titled }
}

/// An address as it was given, where it is one that may be a link; one with a user's name in it is shown without, as that
/// may be there to deceive.
fn link(url: &str) -> Option<String> {
    let identity = identify(url)?;
    let url = url.trim();
    let is_plain = url.starts_with("http")
        && !url.contains(['@', '\\', '<', '>', '"'])
        && !url.contains(char::is_whitespace);
    Some(if is_plain { url.to_owned() } else { identity.url })
}

/// The letters of an id that is letters and a number behind them.
pub(super) fn prefix(id: &str) -> Option<&str> {
    let letters = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_id = !letters.is_empty()
        && letters.len() < id.len()
        && letters.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_'));
    is_id.then_some(letters)
}

/// An id as it is told.
pub(super) fn shown(id: &SheetId) -> String {
    one_line(&id.to_string(), TITLE_CHARS_MAX)
}
