//! Takes in one result: what it rests on, and its text in the draft's numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::Text;
use crate::domain::aggregate::gather::Kept;
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::links::{self, Link};
use crate::domain::aggregate::sources::{SourceKey, SourceRegistry, local_map};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::synthesis::citations::{
    Definition, Numbering, Report, definitions, rewrite, without_list,
};
use crate::domain::synthesis::claims::Mark;

/// What one result rests on.
struct Own<'r> {
    registry: &'r mut SourceRegistry,
    subagent: &'r str,
    known: BTreeSet<SourceKey>,
    /// What each number of the text stands for.
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
    let (text, at_end) = without_list(&input.content);
    let all = definitions(text).into_iter().chain(at_end);
    let (defined, listed): (Vec<Definition>, Vec<Definition>) =
        all.partition(|definition| definition.number.is_some());
    let linked = links::read(text, &defined);
    let numbered = |Definition { number, title, url }| Some((number?, title, url));
    let local = local_map(&input.sources, &defined.into_iter().filter_map(numbered).collect::<Vec<_>>());
    let mut own = Own {
        registry,
        subagent: &input.subagent,
        known: BTreeSet::new(),
        map: BTreeMap::new(),
        undeclared: local.extra.len(),
    };
    let keys: Vec<Option<SourceKey>> =
        input.sources.iter().chain(&local.extra).map(|source| own.add(source)).collect();
    for (source, key) in input.sources.iter().zip(&keys) {
        if let (Some(snippet), Some(key)) = (&source.snippet, key) {
            excerpts.push((key.0, snippet));
        }
    }
    let place_of = |(number, place): (&u32, &usize)| Some((*number, keys.get(*place).copied().flatten()?.0));
    own.map.extend(local.places.iter().filter_map(place_of));
    for link in &linked.links {
        own.link(link);
    }
    for Definition { title, url, .. } in &listed {
        if let Some(url) = url {
            own.link(&Link { number: None, title: Some(title), url });
        }
    }
    let Own { known, map, undeclared, .. } = own;
    let (content, report) = rewrite(&linked.text, &map, draft);
    let mut sources: Vec<u32> = known.iter().map(|key| draft.number_of(key.0)).collect();
    sources.sort_unstable();
    let notes = notes(&report, undeclared, !input.sources.is_empty());
    Text { content: content.trim_end().to_owned(), marks: Mark::all(&report.citations), sources, notes }
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
