//! One source, of all that cite it. Everything is kept in sets with an order of their own, cut by that order, so the
//! order of adding makes no difference.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{SNIPPET_CHARS_MAX, SNIPPETS_MAX, TITLE_CHARS_MAX, TITLES_MAX, address_of, bare, title_of};
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::result::{Source, SourceQuality};
use crate::domain::aggregate::source_kind::{self, SourceKind};
use crate::domain::aggregate::url_identity::{UrlIdentity, identify};
use crate::domain::text::clean::one_line;
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::titles::title;

/// Excerpts that are compared with each other: the longest.
const SNIPPETS_COMPARED_MAX: usize = 4 * SNIPPETS_MAX;
/// Characters up to which a longer title tells more.
const TELLING_CHARS_MAX: usize = 120;
/// Titles that tell nothing, in bare form.
const MUTE: &[&str] = &[
    "untitled",
    "link",
    "here",
    "source",
    "url",
    "website",
    "web page",
    "document",
    "page",
    "pdf",
    "无标题",
    "链接",
    "来源",
];

/// Their class among titles.
const MUTE_CLASS: u8 = 2;

/// What is known of one source.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// The address that is shown, of those with the same identity the first in order.
    url: Option<String>,
    pub domain: Option<String>,
    kind: Option<SourceKind>,
    /// The most telling first.
    titles: BTreeSet<(Rank, String)>,
    /// The longest first.
    snippets: BTreeSet<(Reverse<usize>, String)>,
    quality: Option<SourceQuality>,
    rejected: bool,
    cited_by: BTreeSet<String>,
    /// What it is called where it has no title.
    id: Option<String>,
}

/// How telling a title is, the best lowest: an address tells least, then a mute one; too long is worse than short.
type Rank = (u8, Reverse<usize>);

impl Entry {
    /// Of several addresses of one source the safest is shown, then the shortest.
    fn take_url(&mut self, url: &str) {
        let rank = |url: &str| (!url.starts_with("https:"), url.len(), url.to_owned());
        if self.url.as_deref().is_none_or(|known| rank(url) < rank(known)) {
            self.url = Some(url.to_owned());
        }
    }

    pub fn add(&mut self, source: &SourceInput, identity: Option<&UrlIdentity>, subagent: &str) {
        if self.cited_by.is_empty() || !mutant!("second-citer-lost") {
            self.cited_by.insert(subagent.to_owned());
        }
        if let Some(identity) = identity {
            self.take_url(&identity.url);
            least(&mut self.domain, identity.domain.clone());
            least(&mut self.kind, source_kind::kind(identity));
        } else if let Some(kind) = source.kind.filter(|_| !has_scheme(source.url.as_deref())) {
            least(&mut self.kind, kind);
        }
        // An address that can't be a link is a title, where there is none.
        let title =
            if identity.is_some() { source.title.as_deref().map(clean_title) } else { title_of(source) };
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            let key = identity.map(|identity| identity.key.as_str());
            self.titles.insert((rank(&title, key), title));
            bound(&mut self.titles, TITLES_MAX);
        }
        // Where it is would be lost otherwise; what would act there is no place.
        let acts =
            |address: &&str| begins_with_any(&address.to_lowercase(), &["javascript:", "data:", "vbscript:"]);
        if let Some(address) =
            address_of(source).filter(|_| identity.is_none()).filter(|address| !acts(address))
        {
            let address = one_line(address, TITLE_CHARS_MAX);
            self.titles.insert((rank(&address, None).max((3, Reverse(0))), address));
            bound(&mut self.titles, TITLES_MAX);
        }
        if let Some(snippet) = source.snippet.as_deref().map(|snippet| one_line(snippet, SNIPPET_CHARS_MAX))
            && !snippet.is_empty()
        {
            self.snippets.insert((Reverse(core(&snippet).len()), snippet));
            bound(&mut self.snippets, SNIPPETS_COMPARED_MAX);
        }
        self.quality = self.quality.max(source.quality);
        self.rejected |= source.quality == Some(SourceQuality::Rejected);
        if let Some(id) = &source.id {
            least(&mut self.id, one_line(id, TITLE_CHARS_MAX));
        }
    }

    /// Its titles and its address.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.titles.iter().map(|(_, title)| title.as_str()).chain(self.url.as_deref())
    }

    /// The best that anybody says of it, unless somebody rejected it.
    pub fn quality(&self) -> Option<SourceQuality> {
        if self.rejected { Some(SourceQuality::Rejected) } else { self.quality }
    }

    /// The source under its number.
    pub fn finish(self, id: u32, used: bool) -> Source {
        let quality = self.quality();
        let snippets = distinct(self.snippets.into_iter().map(|(_, snippet)| snippet));
        // Where all that it is called says nothing, its address says more.
        let is_mute =
            self.url.is_some() && self.titles.first().is_some_and(|((class, _), _)| *class == MUTE_CLASS);
        let mut titles = self.titles.into_iter().map(|(_, title)| title);
        let named = self.id.map(|name| format!("Source {name}"));
        let first = if is_mute { None } else { titles.next() };
        let title = first.or_else(|| self.url.clone()).or(named).unwrap_or_else(|| "Untitled".to_owned());
        Source {
            id,
            url: self.url,
            title,
            kind: self.kind.unwrap_or(SourceKind::Other),
            quality,
            used,
            cited_by: self.cited_by.into_iter().collect(),
            other_titles: titles.collect(),
            snippets,
        }
    }
}

/// Keeps the lower of two values.
fn least<T: Ord>(kept: &mut Option<T>, value: T) {
    if kept.as_ref().is_none_or(|kept| value < *kept) {
        *kept = Some(value);
    }
}

fn bound<T: Ord>(kept: &mut BTreeSet<T>, max: usize) {
    while kept.len() > max {
        kept.pop_last();
    }
}

fn clean_title(text: &str) -> String {
    title(text, TITLE_CHARS_MAX)
}

fn rank(title: &str, key: Option<&str>) -> Rank {
    let chars = title.chars().count();
    let class = if title.contains("://")
        || identify(title).is_some()
        || key.is_some_and(|key| is_own_host(title, key))
    {
        3
    } else if is_short(title)
        && (MUTE.contains(&bare(title).as_str()) || !title.contains(char::is_alphanumeric))
    {
        MUTE_CLASS
    } else {
        u8::from(chars > TELLING_CHARS_MAX)
    };
    (class, Reverse(chars))
}

/// Whether a title is the host that the identity of its source begins with, alone or with a path as search engines show it. It must
/// not depend on which address of the source it came with.
fn is_own_host(title: &str, key: &str) -> bool {
    let Some(host) = key.strip_prefix("//").and_then(|key| key.split(['/', ':', '?']).next()) else {
        return false;
    };
    let without_www = |host: &'_ str| host.len() - host.strip_prefix("www.").unwrap_or(host).len();
    let (host, title) = (&host[without_www(host)..], &title[without_www(title)..]);
    let is_begun = title.get(..host.len()).is_some_and(|start| start.eq_ignore_ascii_case(host));
    is_begun
        && !host.is_empty()
        && matches!(&title[host.len()..], rest if rest.is_empty() || rest.starts_with(" ›"))
}

/// Whether a title has no more letters than the longest of [`MUTE`]: most have, and needn't be read for them.
fn is_short(title: &str) -> bool {
    title.chars().filter(|c| c.is_alphanumeric()).nth("untitled".len()).is_none()
}

/// Whether a text looks like an address of some scheme, as `slack://…` or `javascript:…` do: then its claimed type
/// counts for nothing.
pub(super) fn has_scheme(url: Option<&str>) -> bool {
    url.and_then(|url| url.trim().split_once(':')).is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    })
}

/// Those that aren't contained in a longer one, which comes before. Ellipses at the edges are no part of an excerpt.
fn distinct(snippets: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for snippet in snippets {
        if kept.len() < SNIPPETS_MAX && !kept.iter().any(|longer| longer.contains(core(&snippet))) {
            kept.push(snippet);
        }
    }
    kept
}

fn core(snippet: &str) -> &str {
    snippet.trim_matches(['.', '…', ' '])
}
