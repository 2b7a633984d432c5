//! Which source a text means by its own `[n]`.
//!
//! For each number, the first of these that knows it:
//!
//! 1. the source whose own `id` is that number (of several, the first); unless the text's own reference section gives
//!    the number to another source: the text is what its author wrote, while ids may have been given by an adapter in the
//!    order of a list;
//! 2. the text's own reference section, where it has one: the source with the definition's URL identity, or without a
//!    URL with its title. Where sources are declared, a definition that is none of them is invented and counted only, for a
//!    declared source is one that was found, while a text may list what was never there. Where none are, it becomes a source, and so
//!    does what the text links to by the number (`[the docs][1]`): that is no list which is made up below numbers;
//! 3. the source's place, from 1, where no source has a number as its id and the text's reference section gives no source
//!    another number than its place, but for what it links to.
//!
//! Neither an id nor a place counts for a number to which the reference section gives an address that isn't declared, where the section
//! is known to be a real one, since it also names what is declared, or to be about others, since it has more than is declared: the text
//! rests on another page there. A section of which nothing is known is what models make up below numbers that they were given.
//!
//! A number that none of them knows is dangling. So a text with a numbering of its own, or sources with numbers, is never
//! read by places: that would put a wrong source under a statement.

use std::collections::{BTreeMap, BTreeSet};

use super::bare;
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::url_identity::identify;

/// What a text's numbers mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalMap {
    /// By number, the place in the task's sources, then in `extra`.
    pub places: BTreeMap<u32, usize>,
    /// Sources that only the text's reference section names, where none are declared, or the text links to them.
    pub extra: Vec<SourceInput>,
    /// Definitions that are none of the declared sources.
    pub invented: usize,
}

/// Maps the numbers of a text to `sources`, which are its task's own, and to those of its reference section:
/// `definitions`, each with a number, a title and a URL. `links` are the numbers that the text links by. Linear, but for sorting.
pub fn local_map(
    sources: &[SourceInput],
    definitions: &[(u32, String, Option<String>)],
    links: &BTreeSet<u32>,
) -> LocalMap {
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
    for (place, title) in sources.iter().enumerate().filter_map(|(at, of)| Some((at, of.title.as_deref()?))) {
        known.entry(Identity::of(None, Some(title))).or_insert(place);
    }
    known.remove(&Identity::None);
    let has_ids = !map.places.is_empty();
    let declares = identities.iter().any(|identity| *identity != Identity::None);
    let mut defined: BTreeMap<u32, usize> = BTreeMap::new();
    let mut elsewhere: Vec<(u32, &str, Identity)> = Vec::new();
    for (number, title, url) in definitions {
        let identity = Identity::of(url.as_deref(), Some(title));
        if identity == Identity::None || defined.contains_key(number) {
            continue;
        }
        if declares && !known.contains_key(&identity) && !links.contains(number) {
            map.invented += 1;
            elsewhere.push((*number, title, identity));
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
    let listed = defined.iter().filter(|(number, place)| !links.contains(number) || **place < sources.len());
    let goes_by_places = declares && !has_ids && goes_by_places(listed, &identities);
    if goes_by_places {
        (1..).zip(0..sources.len()).for_each(|(number, place)| _ = map.places.entry(number).or_insert(place));
    }
    let is_made_up = defined.is_empty() && elsewhere.len() <= sources.len();
    for (number, title, listed) in elsewhere.into_iter().filter(|_| !is_made_up) {
        let meant = map.places.get(&number).map(|place| (&sources[*place], &identities[*place]));
        if meant.is_some_and(|(source, own)| is_another(source, own, title, &listed)) {
            map.places.remove(&number);
        }
    }
    map.places.extend(defined);
    map
}

/// Whether a text lists an address under a number that isn't that of the declared source which the number would mean; one title
/// makes them one.
fn is_another(source: &SourceInput, own: &Identity, title: &str, listed: &Identity) -> bool {
    let is_titled = |own: &str| !own.trim().is_empty() && bare(own) == bare(title);
    own.is_other_url(listed) && !source.title.as_deref().is_some_and(is_titled)
}

/// Whether each number that a text defines is the place of its source.
fn goes_by_places<'d>(
    mut defined: impl Iterator<Item = (&'d u32, &'d usize)>,
    declared: &[Identity],
) -> bool {
    defined.all(|(number, place)| {
        let by_place = (*number as usize).checked_sub(1).and_then(|place| declared.get(place));
        by_place.is_some() && by_place == declared.get(*place)
    })
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
