//! The sources that both name, by what their URLs have in common.

use std::collections::BTreeMap;

use memchr::memmem;

use super::{CITATIONS_MAX, Citations, Discrepancy, Kind};
use crate::domain::aggregate::request::LegacyResponse;
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::url_identity::identify;

/// The sources of one side by what identifies them: the URL to show, in the side's order.
#[derive(Default)]
struct Named {
    places: BTreeMap<String, usize>,
    urls: Vec<String>,
    left_out: usize,
}

impl Named {
    fn add(&mut self, url: &str) {
        let Some(identity) = identify(url) else { return };
        if self.places.contains_key(&identity.key) {
            return;
        }
        if self.urls.len() >= CITATIONS_MAX {
            self.left_out += 1;
            return;
        }
        self.places.insert(identity.key, self.urls.len());
        self.urls.push(identity.url);
    }

    /// The URLs that the other side names, or doesn't.
    fn split(&self, other: &Self) -> (Vec<String>, Vec<String>) {
        let mut by_place: Vec<(usize, bool)> =
            self.places.iter().map(|(key, place)| (*place, other.places.contains_key(key))).collect();
        by_place.sort_unstable();
        let (known, unknown): (Vec<_>, Vec<_>) = by_place.into_iter().partition(|(_, known)| *known);
        let urls = |places: Vec<(usize, bool)>| places.iter().map(|(at, _)| self.urls[*at].clone()).collect();
        (urls(known), urls(unknown))
    }
}

/// Compares the sources, and says how many weren't. Ours are those that the synthesis cites (all where it cites none);
/// the monolith's are those that it lists, and the links in its answer.
pub(super) fn compare(ours: &AggregatedResult, legacy: &LegacyResponse) -> (Citations, usize) {
    let (mut mine, mut theirs) = (Named::default(), Named::default());
    let cites = ours.sources.iter().any(|source| source.used);
    let shown = ours.sources.iter().filter(|source| source.used || !cites);
    shown.filter_map(|source| source.url.as_deref()).for_each(|url| mine.add(url));
    legacy.sources.iter().filter_map(|source| source.url.as_deref()).for_each(|url| theirs.add(url));
    links(&legacy.answer).for_each(|url| theirs.add(url));
    let (same, extra) = mine.split(&theirs);
    let (_, missing) = theirs.split(&mine);
    let missing = missing.into_iter().map(|url| Discrepancy {
        kind: Kind::CitationMissing,
        ours: None,
        legacy: Some(url),
        detail: "The monolith names this source; we don't.".to_owned(),
    });
    let extra = extra.into_iter().map(|url| Discrepancy {
        kind: Kind::CitationExtra,
        ours: Some(url),
        legacy: None,
        detail: "We name this source; the monolith doesn't.".to_owned(),
    });
    let citations = Citations { same, missing: missing.collect(), extra: extra.collect() };
    (citations, mine.left_out + theirs.left_out)
}

/// The addresses in a text. The brackets and marks around one are left to [`identify`].
fn links(text: &str) -> impl Iterator<Item = &str> {
    let mut end = 0;
    memmem::find_iter(text.as_bytes(), "http").filter_map(move |start| {
        let rest = text.get(start..).filter(|_| start >= end)?;
        if !(rest.starts_with("https://") || rest.starts_with("http://")) {
            return None;
        }
        let link = &rest[..length(rest)];
        end = start + link.len();
        Some(link)
    })
}

/// Up to white space, a quotation mark, or a bracket that the address doesn't open.
fn length(rest: &str) -> usize {
    let mut open = 0_usize;
    for (at, c) in rest.char_indices() {
        match c {
            '<' | '>' | '"' | '`' | '|' | ']' => return at,
            '(' => open += 1,
            ')' if open == 0 => return at,
            ')' => open -= 1,
            _ if c.is_whitespace() => return at,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_wherever_they_stand() {
        let text = "See [a](https://a.example/x_(y)),[b](http://b.example), <https://c.example/>, https://d.example.\n\
                    httpshttps://e.example/http://f ftp://g";
        let found: Vec<&str> = links(text).collect();
        assert_eq!(
            found,
            [
                "https://a.example/x_(y)",
                "http://b.example",
                "https://c.example/",
                "https://d.example.",
                "https://e.example/http://f"
            ]
        );
    }
}
