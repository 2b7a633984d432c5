//! Takes in one result: what it rests on, and its text in the draft's numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::declared_list::without_declared;
use super::from_zero::{counts_from_zero, from_zero};
use super::json_text::rewrite_json;
use super::raised::lowered;
use super::references::{Defined, References, rewrite_in_parts};
use super::{Text, named};
use crate::domain::aggregate::gather::Kept;
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::links::{self, Link};
use crate::domain::aggregate::sources::{SourceKey, SourceRegistry, local_map};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::{Definition, Numbering, Report};
use crate::domain::synthesis::claims::{Mark, json_in};

/// What one result rests on.
struct Own<'r> {
    registry: &'r mut SourceRegistry,
    subagent: &'r str,
    known: BTreeSet<SourceKey>,
    /// What the markers stand for that were links.
    map: BTreeMap<u32, u32>,
    /// Sources that only its text names.
    undeclared: usize,
}

impl Own<'_> {
    fn add(&mut self, source: &SourceInput) -> Option<SourceKey> {
        let key = self.registry.add(source, self.subagent)?;
        self.known.insert(key);
        Some(key)
    }

    /// What the numbers of a part of the text stand for, by the declared sources and what its references say.
    fn numbers(
        &mut self,
        sources: &[SourceInput],
        declared: &[Option<SourceKey>],
        defined: &[Defined],
    ) -> BTreeMap<u32, u32> {
        let local = local_map(sources, defined);
        let mut keys = declared.to_vec();
        for source in &local.extra {
            let before = self.known.len();
            keys.push(self.add(source));
            self.undeclared += self.known.len() - before;
        }
        let place_of =
            |(number, place): (&u32, &usize)| Some((*number, keys.get(*place).copied().flatten()?.0));
        local.places.iter().filter_map(place_of).collect()
    }

    /// The references may name what was declared as an address only.
    fn name<'t>(
        &mut self,
        sources: &[SourceInput],
        declared: &[Option<SourceKey>],
        titles: impl Iterator<Item = (&'t str, &'t str)>,
    ) {
        let of = |has_title: bool| {
            let sources =
                sources.iter().zip(declared).filter(move |(source, _)| source.title.is_some() == has_title);
            sources.filter_map(|(_, key)| *key).collect::<BTreeSet<SourceKey>>()
        };
        let nameless = &of(false) - &of(true);
        if nameless.is_empty() {
            return;
        }
        for (title, url) in titles {
            if self.registry.of_url(url).is_some_and(|key| nameless.contains(&key)) {
                let (url, title) = (Some(url.to_owned()), Some(title.to_owned()));
                self.add(&SourceInput { url, title, ..SourceInput::default() });
            }
        }
    }

    /// What a text links to is a source of it. What its author has declared is not named anew by the words of a link.
    fn link(&mut self, Link { number, title, url }: &Link<'_>) {
        let known = self.registry.of_url(url);
        let key = if let Some(key) = known.filter(|key| self.known.contains(key)) {
            Some(key)
        } else if known.is_some() || identify(url).is_some() {
            self.undeclared += 1;
            let title = title.map(str::to_owned).filter(|title| !title.is_empty());
            self.add(&SourceInput { url: Some((*url).to_owned()), title, ..SourceInput::default() })
        } else {
            None
        };
        if let (Some(number), Some(key)) = (number, key) {
            self.map.insert(*number, key.0);
        }
    }
}

pub(super) fn take_in<'k>(
    kept: &'k Kept,
    registry: &mut SourceRegistry,
    draft: &mut Numbering,
    excerpts: &mut Vec<(u32, &'k str)>,
) -> Text {
    let input = &kept.input;
    let lowered = lowered(&input.content, |text| numbers_of(text, &input.sources));
    let named = named::numbered(lowered, &input.sources);
    let mut references = References::of(&named.text);
    for Definition { title, .. } in &mut references.definitions {
        *title = named.restored(std::mem::take(title), Vec::new()).0;
    }
    let body = without_declared(&references.text, &input.sources);
    let linked = links::read(body, &references.definitions);
    let mut own = Own {
        registry,
        subagent: &input.subagent,
        known: BTreeSet::new(),
        map: BTreeMap::new(),
        undeclared: 0,
    };
    let declared: Vec<Option<SourceKey>> = input.sources.iter().map(|source| own.add(source)).collect();
    for (source, key) in input.sources.iter().zip(&declared) {
        if let (Some(snippet), Some(key)) = (&source.snippet, key) {
            excerpts.push((key.0, snippet));
        }
    }
    let mut parts: Vec<BTreeMap<u32, u32>> =
        references.by_part().iter().map(|defined| own.numbers(&input.sources, &declared, defined)).collect();
    if references.definitions.is_empty() && counts_from_zero(body, &input.sources) {
        parts = parts.into_iter().map(from_zero).collect();
    }
    for (number, key) in named.places.iter().filter_map(|(number, place)| Some((*number, declared[*place]?)))
    {
        parts.iter_mut().for_each(|numbers| _ = numbers.entry(number).or_insert(key.0));
    }
    for link in &linked.links {
        own.link(link);
    }
    for (title, url) in references.unnumbered() {
        own.link(&Link { number: None, title: Some(title), url });
    }
    let told = own.known.clone();
    for url in linked.bare {
        own.link(&Link { number: None, title: None, url });
    }
    own.name(&input.sources, &declared, references.titles());
    let Own { known, map: of_links, undeclared, .. } = own;
    let maps: Vec<BTreeMap<u32, u32>> =
        parts.into_iter().map(|numbers| numbers.into_iter().chain(of_links.clone()).collect()).collect();
    let json = json_in(&linked.text);
    // What stands for a link must not stay in a value that isn't rewritten.
    let has_links = linked.links.iter().any(|link| link.number.is_some());
    let (content, marks, report) = match &maps[..] {
        [map] if !json.is_empty() && !has_links => rewrite_json(&linked.text, &json, map, draft),
        _ => {
            let (content, report) = rewrite_in_parts(&linked.text, &maps, draft);
            (content, Mark::all(&report.citations), report)
        }
    };
    let mut sources: Vec<u32> = known.iter().map(|key| draft.number_of(key.0)).collect();
    sources.sort_unstable();
    let only = told.iter().next().filter(|_| told.len() == 1).map(|key| draft.number_of(key.0));
    let mut notes = notes(&report, undeclared, !input.sources.is_empty());
    notes.iter_mut().for_each(|note| *note = named.restored(std::mem::take(note), Vec::new()).0);
    let (content, marks) = named.restored(content, marks);
    Text { content: content.trim_end().to_owned(), marks, sources, only, notes }
}

/// The numbers that stand for something in a text.
fn numbers_of(text: &str, sources: &[SourceInput]) -> BTreeSet<u32> {
    let defined: Vec<Defined> = References::of(text).by_part().into_iter().flatten().collect();
    local_map(sources, &defined).places.into_keys().collect()
}

/// What was odd about the citations of a text; `declares`: its author has named sources besides.
fn notes(report: &Report, undeclared: usize, declares: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if !report.dangling.is_empty() {
        let markers: Vec<&str> =
            report.dangling.iter().take(3).map(|dangling| dangling.marker.as_str()).collect();
        let count = report.dangling.len();
        notes.push(format!(
            "citations: {count} without a source were taken out, such as {}",
            markers.join(" ")
        ));
    }
    if undeclared > 0 && declares {
        let (are, its) = if undeclared == 1 {
            ("reference of its text isn't", "source")
        } else {
            ("references of its text aren't", "sources")
        };
        notes.push(format!("citations: {undeclared} {are} among its declared {its}"));
    }
    notes
}
