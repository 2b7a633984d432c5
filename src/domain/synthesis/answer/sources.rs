//! The sources that a context sheet names, as references.

use std::collections::BTreeMap;

use super::{Issues, Reference, TITLE_CHARS_MAX};
use crate::domain::aggregate::request::{Sheet, SheetCitation, SheetId};
use crate::domain::aggregate::url_identity::identify;
use crate::domain::text::clean::one_line;

/// The sheet's sources, each id once.
pub(super) struct Sources {
    pub(super) list: Vec<Reference>,
    pub(super) by_id: BTreeMap<String, usize>,
    /// By the key of its address.
    pub(super) by_address: BTreeMap<String, usize>,
}

impl Sources {
    pub(super) fn of(sheet: &Sheet, issues: &mut Issues) -> Self {
        let mut sources = Self { list: Vec::new(), by_id: BTreeMap::new(), by_address: BTreeMap::new() };
        for citation in &sheet.citations {
            let reference = reference(citation, issues);
            match sources.by_id.get(&citation.id.to_string()) {
                None => {
                    sources.by_id.insert(citation.id.to_string(), sources.list.len());
                    if let Some(identity) = reference.url.as_deref().and_then(identify) {
                        sources.by_address.entry(identity.key).or_insert(sources.list.len());
                    }
                    sources.list.push(reference);
                }
                Some(first) if sources.list[*first] == reference => {}
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
}

fn reference(citation: &SheetCitation, issues: &mut Issues) -> Reference {
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
    Reference {
        id: citation.id.clone(),
        title: title.or_else(|| link.clone()).unwrap_or_else(|| shown(&citation.id)),
        url: link,
        quality: citation.quality,
    }
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

/// An id as it is told.
pub(super) fn shown(id: &SheetId) -> String {
    one_line(&id.to_string(), TITLE_CHARS_MAX)
}
