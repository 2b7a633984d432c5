//! The sources of all tasks, each once.
//!
//! Two sources are one where their URLs have one identity; without a link, where they have one address that is none
//! (`s3://…`, a path), and without that, where their titles are the same but for case, spaces and punctuation. What is
//! merged is kept: every title, every distinct excerpt, everyone who cites it. **What
//! comes out doesn't depend on the order in which sources were added**, except beyond [`SOURCES_MAX`], where those that
//! come later are left out: add results in their canonical order (by task), not in that of arrival.
//!
//! Numbers aren't given here: they follow the first use in the texts ([`SourceRegistry::into_sources`] gets them).

use std::collections::{BTreeMap, BTreeSet};

use super::input::SourceInput;
use super::result::{Source, SourceQuality};
use super::source_kind::SourceKind;
use super::url_identity::identify;
use crate::domain::text::clean::one_line;
use crate::domain::text::composed::composed;
use crate::domain::text::titles::title;

mod entry;
mod local_map;
#[cfg(test)]
mod tests;

pub use local_map::{LocalMap, local_map};

use entry::{Entry, has_scheme};

/// Sources that are kept.
pub const SOURCES_MAX: usize = 10_000;
/// Titles of one source that are kept, the one that is shown included.
pub const TITLES_MAX: usize = 8;
/// Excerpts of one source that are kept.
pub const SNIPPETS_MAX: usize = 16;
/// Characters of an excerpt that are kept.
pub const SNIPPET_CHARS_MAX: usize = 2_000;
/// Characters of a title that are kept.
pub const TITLE_CHARS_MAX: usize = 300;

/// A source in a registry. It means nothing to another registry, and nothing outside: the number follows the order of
/// adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceKey(pub u32);

/// Sources, numbered.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedSources {
    /// By number, from 1.
    pub sources: Vec<Source>,
    /// The numbers, by type.
    pub by_type: BTreeMap<SourceKind, Vec<u32>>,
    /// How many there are of each type.
    pub distribution: BTreeMap<SourceKind, usize>,
}

/// Collects sources and merges those that are the same. Adding one costs `O(log n)` in the number of sources, and time
/// linear in what is kept of it.
#[derive(Debug, Default)]
pub struct SourceRegistry {
    keys: BTreeMap<String, SourceKey>,
    entries: Vec<Entry>,
}

impl SourceRegistry {
    /// Adds what `subagent` cites; `None` where it says nothing that could be looked up, and where there are [`SOURCES_MAX`] others already.
    pub fn add(&mut self, source: &SourceInput, subagent: &str) -> Option<SourceKey> {
        if !source.says_something() {
            return None;
        }
        let identity = source.url.as_deref().and_then(identify);
        let identity_key = match &identity {
            Some(identity) => key_of_url(&identity.key),
            None => key_without_url(source, subagent),
        };
        let key = match self.keys.get(&identity_key) {
            Some(key) => *key,
            None if self.entries.len() >= SOURCES_MAX => return None,
            None => {
                let key = SourceKey(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
                self.keys.insert(identity_key, key);
                self.entries.push(Entry::default());
                key
            }
        };
        self.entries[key.0 as usize].add(source, identity.as_ref(), subagent);
        Some(key)
    }

    /// The source with an address, where there is one.
    pub fn of_url(&self, url: &str) -> Option<SourceKey> {
        self.keys.get(&key_of_url(&identify(url)?.key)).copied()
    }

    /// What a source is called: its titles and its address.
    pub fn names(&self, key: SourceKey) -> impl Iterator<Item = &str> {
        self.entries.get(key.0 as usize).into_iter().flat_map(Entry::names)
    }

    /// The registrable domain of a source, which is how independent sources are counted; `None` without a URL.
    pub fn domain(&self, key: SourceKey) -> Option<&str> {
        self.entries.get(key.0 as usize)?.domain.as_deref()
    }

    /// How good a source is, where that is known.
    pub fn quality(&self, key: SourceKey) -> Option<SourceQuality> {
        self.entries.get(key.0 as usize)?.quality()
    }

    /// The sources with their numbers: those of `numbered` are 1, 2, 3, …; the others follow in the order of their
    /// identities (those with a URL last). `used` are those that the synthesis cites.
    ///
    /// Keys of another registry, and repeats, are passed over.
    pub fn into_sources(self, numbered: &[SourceKey], used: &BTreeSet<SourceKey>) -> NumberedSources {
        let mut entries: Vec<Option<Entry>> = self.entries.into_iter().map(Some).collect();
        let others = self.keys.into_values();
        let mut result =
            NumberedSources { sources: Vec::new(), by_type: BTreeMap::new(), distribution: BTreeMap::new() };
        for key in numbered.iter().copied().chain(others) {
            let Some(entry) = entries.get_mut(key.0 as usize).and_then(Option::take) else { continue };
            let id = u32::try_from(result.sources.len() + 1).unwrap_or(u32::MAX);
            let source = entry.finish(id, used.contains(&key));
            result.by_type.entry(source.kind).or_default().push(id);
            *result.distribution.entry(source.kind).or_default() += 1;
            result.sources.push(source);
        }
        result
    }
}

/// What a source with a URL is known by.
fn key_of_url(identity: &str) -> String {
    format!("u:{identity}")
}

/// What a source without a URL is known by: its address that can't be a link, its title, else its excerpt, else its id, which
/// is its subagent's own.
///
/// What is no address at all stands for a title that is missing.
fn key_without_url(source: &SourceInput, subagent: &str) -> String {
    if let Some(address) = address_of(source) {
        return format!("a:{address}");
    }
    if let Some(title) = title_of(source) {
        return format!("t:{}", bare(&title));
    }
    match (&source.snippet, &source.id) {
        (Some(snippet), _) => format!("s:{}", one_line(snippet, SNIPPET_CHARS_MAX)),
        (None, Some(id)) => format!("i:{subagent}\n{id}"),
        (None, None) => "t:".to_owned(),
    }
}

/// An address that can't be a link, of a source that has a title, too: `s3://…`, `urn:…`, a path.
fn address_of(source: &SourceInput) -> Option<&str> {
    let address = source.url.as_deref()?.trim();
    let is_address = has_scheme(Some(address)) || address.contains(['/', '\\']);
    let has_title = source.title.as_deref().is_some_and(|title| !title.trim().is_empty());
    (is_address && has_title && !address.contains(char::is_whitespace)).then_some(address)
}

/// The title of a source, else what was given as its address where that is none; cleaned.
fn title_of(source: &SourceInput) -> Option<String> {
    let cleaned = |text: &Option<String>| {
        text.as_deref().map(|text| title(text, TITLE_CHARS_MAX)).filter(|title| !title.is_empty())
    };
    cleaned(&source.title).or_else(|| cleaned(&source.url))
}

/// A title by which two are the same: letters and digits in lower case, accents in one spelling, single spaces. One of punctuation only is
/// itself.
pub(in crate::domain::aggregate) fn bare(title: &str) -> String {
    let title = composed(title);
    let words: Vec<&str> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { title.into_owned() } else { words.join(" ").to_lowercase() }
}
