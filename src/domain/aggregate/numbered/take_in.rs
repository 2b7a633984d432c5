//! Takes in one result: what it rests on, and its text in the draft's numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::closing::closes;
use super::declared_list::without_declared;
use super::from_zero::{counts_from_zero, from_zero};
use super::in_parentheses::bracketed;
use super::json_text::rewrite_json;
use super::raised::lowered;
use super::references::{self, Defined, References, rewrite_in_parts};
use super::{Text, named};
use crate::domain::aggregate::gather::Kept;
use crate::domain::aggregate::input::{SourceInput, TaskInput};
use crate::domain::aggregate::json_sources::{names_sources, tells_none_apart};
use crate::domain::aggregate::links::{self, Link, Linked};
use crate::domain::aggregate::sources::{SourceKey, SourceRegistry, local_map};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::{Definition, Numbering, Report};
use crate::domain::synthesis::claims::{Mark, json_in};
use crate::domain::wanted::still_wanted;

/// What one result rests on.
struct Own<'r> {
    registry: &'r mut SourceRegistry,
    subagent: &'r str,
    known: BTreeSet<SourceKey>,
    /// What the markers stand for that were links.
    map: BTreeMap<u32, u32>,
    /// Sources that only its text names.
    undeclared: usize,
    /// What only its list of references names, though it declares sources: nobody has found those.
    invented: usize,
}

impl<'r> Own<'r> {
    fn new(registry: &'r mut SourceRegistry, subagent: &'r str) -> Self {
        let (known, map) = (BTreeSet::new(), BTreeMap::new());
        Self { registry, subagent, known, map, undeclared: 0, invented: 0 }
    }

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
        (defined, links): (&[Defined], &BTreeSet<u32>),
    ) -> BTreeMap<u32, u32> {
        let local = local_map(sources, defined, links);
        self.invented = self.invented.max(local.invented);
        let is_new = |source: &&SourceInput| source.url.as_deref().is_some_and(|url| !self.is_known(url));
        self.undeclared += local.extra.iter().filter(is_new).count();
        let mut keys = declared.to_vec();
        keys.extend(local.extra.iter().map(|source| self.add(source)));
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

    fn is_known(&self, url: &str) -> bool {
        self.registry.of_url(url).is_some_and(|key| self.known.contains(&key))
    }

    /// What a text links to is a source of it. What its author has declared is not named anew by the words of a link.
    fn link(&mut self, Link { number, title, url }: &Link<'_>) {
        let known = self.registry.of_url(url);
        let key = if let Some(key) = known.filter(|key| self.known.contains(key)) {
            Some(key)
        } else if known.is_some() || identify(url).is_some() {
            self.undeclared += 1;
            let title =
                title.filter(|title| !title.is_empty() && !links::names_nothing(title)).map(str::to_owned);
            self.add(&SourceInput { url: Some((*url).to_owned()), title, ..SourceInput::default() })
        } else {
            None
        };
        if let (Some(number), Some(key)) = (number, key) {
            self.map.insert(*number, key.0);
        }
    }

    /// What its text links to and shows, and what its list of references names without a number.
    fn meet(&mut self, linked: &Linked<'_>, references: &References<'_>, declares: bool) -> Told {
        // What a list of invented references shows is no link of the text.
        let listed = if declares { references.addresses() } else { BTreeSet::new() };
        let is_listed_only = |url: &str, own: &Self| {
            !listed.is_empty() && listed.contains(&references::identity(url)) && !own.is_known(url)
        };
        for link in &linked.links {
            if link.number.is_some() || !is_listed_only(link.url, self) {
                self.link(link);
            }
        }
        for (title, url) in references.unnumbered() {
            match declares && !self.is_known(url) {
                true => self.invented += 1,
                false => self.link(&Link { number: None, title: Some(title), url }),
            }
        }
        let told = Told {
            sources: self.known.clone(),
            shows_none: linked.links.is_empty() && linked.bare.is_empty(),
        };
        for url in &linked.bare {
            if !is_listed_only(url, self) {
                self.link(&Link { number: None, title: None, url });
            }
        }
        told
    }
}

/// What a result names beside the addresses that its text merely shows.
struct Told {
    sources: BTreeSet<SourceKey>,
    /// Whether the text shows no address at all.
    shows_none: bool,
}

pub(super) fn take_in<'k>(
    kept: &'k Kept,
    registry: &mut SourceRegistry,
    draft: &mut Numbering,
    excerpts: &mut Vec<(u32, &'k str)>,
) -> Text {
    still_wanted();
    let input = &kept.input;
    let content = bracketed(&input.content);
    let lowered = lowered(&content, |text| numbers_of(text, &input.sources));
    let named = named::numbered(lowered, &input.sources);
    let mut references = References::of(&named.text);
    references.number(&named.entries);
    for Definition { title, .. } in &mut references.definitions {
        *title = named.restored(std::mem::take(title), Vec::new()).0;
    }
    let body = without_declared(&references.text, &input.sources);
    still_wanted();
    let linked = links::read(body, &references.definitions);
    let mut own = Own::new(registry, &input.subagent);
    let declared: Vec<Option<SourceKey>> = input.sources.iter().map(|source| own.add(source)).collect();
    excerpts.extend(excerpts_of(&input.sources, &declared));
    let parts = parts(&mut own, input, &declared, &references, (body, &named.places));
    let declares = declared.iter().any(Option::is_some);
    let told = own.meet(&linked, &references, declares);
    own.name(&input.sources, &declared, references.titles());
    let Own { known, map: of_links, undeclared, invented, .. } = own;
    let maps: Vec<BTreeMap<u32, u32>> =
        parts.into_iter().map(|numbers| numbers.into_iter().chain(of_links.clone()).collect()).collect();
    still_wanted();
    let json = json_in(&linked.text);
    let (content, marks, report) = rewritten(&linked, &json, &maps, draft);
    let cites_none = marks.is_empty() && report.dangling.is_empty();
    let sources = in_numbers(&known, draft);
    // What it cites by numbers for pages that nobody has found doesn't rest on the one that was.
    let cites_invented = invented > 0 && !report.dangling.is_empty();
    let rests_on = match told.sources.len() == 1 && !cites_invented
        || cites_none && are_together(&told, &input.sources, (&linked.text, &json))
    {
        true => in_numbers(&told.sources, draft),
        false => Vec::new(),
    };
    let is_only = sources.len() == 1 && report.dangling.is_empty() && json.is_empty();
    let closing = sources.first().copied().filter(|_| is_only && closes(&input.content));
    let mut notes = notes(&report, (undeclared, invented), declares);
    notes.iter_mut().for_each(|note| *note = named.restored(std::mem::take(note), Vec::new()).0);
    let (content, marks) = named.restored(content, marks);
    Text { content: content.trim_end().to_owned(), marks, sources, named: rests_on, closing, notes }
}

/// The excerpts of declared sources, each with its source.
fn excerpts_of<'k>(
    sources: &'k [SourceInput],
    declared: &[Option<SourceKey>],
) -> impl Iterator<Item = (u32, &'k str)> {
    let all = sources.iter().zip(declared);
    all.filter_map(|(source, key)| Some(((*key)?.0, source.snippet.as_deref()?)))
}

/// What the numbers of each part of a text stand for. `places` are the sources that it cites by their names, by number.
fn parts(
    own: &mut Own<'_>,
    input: &TaskInput,
    declared: &[Option<SourceKey>],
    references: &References<'_>,
    (body, places): (&str, &[(u32, usize)]),
) -> Vec<BTreeMap<u32, u32>> {
    let defined = references.by_part();
    let links = references.links();
    let numbers = defined.iter().map(|defined| own.numbers(&input.sources, declared, (defined, &links)));
    let mut parts: Vec<BTreeMap<u32, u32>> = numbers.collect();
    if references.definitions.is_empty() && counts_from_zero(body, &input.sources) {
        parts = parts.into_iter().map(from_zero).collect();
    }
    for (number, key) in places.iter().filter_map(|(number, place)| Some((*number, declared[*place]?))) {
        parts.iter_mut().for_each(|numbers| _ = numbers.entry(number).or_insert(key.0));
    }
    parts
}

/// The text in the draft's numbers, with what cites in it, and what was odd about that.
fn rewritten(
    linked: &Linked<'_>,
    json: &[Range<usize>],
    maps: &[BTreeMap<u32, u32>],
    draft: &mut Numbering,
) -> (String, Vec<Mark>, Report) {
    // What stands for a link must not stay in a value that isn't rewritten.
    let has_links = linked.links.iter().any(|link| link.number.is_some());
    match maps {
        [map] if !json.is_empty() && !has_links => rewrite_json(&linked.text, json, map, draft),
        _ => {
            let (content, report) = rewrite_in_parts(&linked.text, maps, draft);
            (content, Mark::all(&report.citations), report)
        }
    }
}

/// Whether a text that cites nothing rests on all that it names: prose that shows no address, and data that has no way of its
/// own to cite, as `"sources": [2]` is.
fn are_together(told: &Told, declared: &[SourceInput], (text, json): (&str, &[Range<usize>])) -> bool {
    match json {
        [only] => {
            let beside = [&text[..only.start], &text[only.end..]];
            !beside.concat().contains("://") && tells_none_apart(&text[only.clone()], declared)
        }
        _ => told.shows_none && json.iter().all(|part| !names_sources(&text[part.clone()])),
    }
}

/// Sources in the draft's numbers, ascending.
fn in_numbers(keys: &BTreeSet<SourceKey>, draft: &mut Numbering) -> Vec<u32> {
    let mut numbers: Vec<u32> = keys.iter().map(|key| draft.number_of(key.0)).collect();
    numbers.sort_unstable();
    numbers
}

/// The numbers that stand for something in a text.
fn numbers_of(text: &str, sources: &[SourceInput]) -> BTreeSet<u32> {
    let defined: Vec<Defined> = References::of(text).by_part().into_iter().flatten().collect();
    let listed = defined.iter().map(|(number, ..)| *number);
    local_map(sources, &defined, &BTreeSet::new()).places.into_keys().chain(listed).collect()
}

/// What was odd about the citations of a text; `declares`: its author has named sources besides.
fn notes(report: &Report, (undeclared, invented): (usize, usize), declares: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if !report.dangling.is_empty() {
        let markers: Vec<&str> =
            report.dangling.iter().take(3).map(|dangling| dangling.marker.as_str()).collect();
        let taken = match report.dangling.len() {
            1 => "1 without a source was taken out:".to_owned(),
            count => format!("{count} without a source were taken out, such as"),
        };
        notes.push(format!("citations: {taken} {}", markers.join(" ")));
    }
    let are = |count: usize| if count == 1 { "reference isn't" } else { "references aren't" };
    if invented > 0 {
        notes.push(format!(
            "citations: {invented} listed {} among its declared sources, and left out",
            are(invented)
        ));
    }
    if undeclared > 0 && declares {
        notes.push(format!("citations: {undeclared} linked {} among its declared sources", are(undeclared)));
    }
    notes
}
