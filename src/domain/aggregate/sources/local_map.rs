//! Which source a text means by its own `[n]`.
//!
//! For each number, the first of these that knows it:
//!
//! 1. the source whose own `id` is that number (of several, the first); unless the text's own reference section gives
//!    the number another URL: the text is what its author wrote, while ids may have been given by an adapter in the
//!    order of a list;
//! 2. the text's own reference section, where it has one: the source with the definition's URL identity, or without a
//!    URL with its title; a definition that isn't among the sources becomes a source;
//! 3. the source's place, from 1, where the text has no reference section and no source has a number as its id.
//!
//! A number that none of them knows is dangling. So a text with a reference section, or sources with numbers, is never
//! read by places: that would put a wrong source under a statement.

use std::collections::BTreeMap;

use super::bare;
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::url_identity::identify;

/// What a text's numbers mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalMap {
    /// By number, the place in the task's sources, then in `extra`.
    pub places: BTreeMap<u32, usize>,
    /// Sources that only the text's reference section names; they follow the task's own.
    pub extra: Vec<SourceInput>,
}

/// Maps the numbers of a text to `sources`, which are its task's own, and to those of its reference section:
/// `definitions`, each with a number, a title and a URL. Linear, but for sorting.
pub fn local_map(sources: &[SourceInput], definitions: &[(u32, String, Option<String>)]) -> LocalMap {
    let mut map = LocalMap::default();
    let identities: Vec<Identity> =
        sources.iter().map(|source| Identity::of(source.url.as_deref(), source.title.as_deref())).collect();
    for (place, source) in sources.iter().enumerate() {
        if let Some(number) = source.id.as_deref().and_then(|id| id.trim().parse().ok()) {
            map.places.entry(number).or_insert(place);
        }
    }
    let mut known: BTreeMap<Identity, usize> = BTreeMap::new();
    for (place, identity) in identities.iter().enumerate() {
        known.entry(identity.clone()).or_insert(place);
    }
    let has_ids = !map.places.is_empty();
    let mut defined: BTreeMap<u32, usize> = BTreeMap::new();
    for (number, title, url) in definitions {
        let identity = Identity::of(url.as_deref(), Some(title));
        if identity == Identity::None || defined.contains_key(number) {
            continue;
        }
        if let Some(place) = map.places.get(number)
            && !identities.get(*place).is_some_and(|own| own.is_other_url(&identity))
        {
            continue;
        }
        let place = *known.entry(identity).or_insert_with(|| {
            let title = Some(title.clone()).filter(|title| !title.trim().is_empty());
            map.extra.push(SourceInput { url: url.clone(), title, ..SourceInput::default() });
            sources.len() + map.extra.len() - 1
        });
        defined.insert(*number, place);
    }
    map.places.extend(defined);
    if definitions.is_empty() && !has_ids {
        map.places = (1..).zip(0..sources.len()).collect();
    }
    map
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    Url(String),
    Title(String),
    None,
}

impl Identity {
    fn of(url: Option<&str>, title: Option<&str>) -> Self {
        match (url.and_then(identify), title) {
            (Some(identity), _) => Self::Url(identity.key),
            (None, Some(title)) if !title.trim().is_empty() => Self::Title(bare(title)),
            (None, _) => Self::None,
        }
    }

    fn is_other_url(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Url(own), Self::Url(other)) if own != other)
    }
}
