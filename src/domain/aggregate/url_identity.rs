//! Which URLs name one source, and what is shown of one.
//!
//! Two subagents rarely cite a page with the same bytes: one has `http`, the next a tracking parameter, the third the
//! mobile page. [`identify`] gives both what such URLs share (`key`) and a link that is safe to show (`url`). A false
//! merge hides a source, a missed one only repeats it, so every rule here stands for something that servers treat as
//! the same: the syntax rules of RFC 3986 §6.2.2 and §6.2.3, the form encoding of the URL standard for queries, and
//! named tables ([`policy`]) for what only convention says. What a rule isn't sure of stays apart: other
//! ports, other subdomains, path case, `a%2Fb` and `a/b`, `ref=`, routes behind `#/` and `#!`.
//!
//! The text is one URL, perhaps with the punctuation of the sentence around it; finding URLs in prose is the caller's.
//! Complexity: O(n log p) for n bytes and p query parameters (they are sorted), n at most [`policy::URL_BYTES_MAX`].

mod amp_cache;
mod escapes;
pub(super) mod host;
mod path;
pub mod policy;
mod prose;
mod query;
mod read;
#[cfg(test)]
mod tests;
mod works;

use std::sync::LazyLock;

use url::Url;

use crate::domain::text::memo::Memo;

/// What one URL says about its source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlIdentity {
    /// What two URLs of one source share; opaque, for comparing only. `//host:port/path?query#!route` without the
    /// scheme, or `doi:…`, `arxiv:…`, `youtube:…` for a work that many pages show.
    pub key: String,
    /// What may become a link: `http` or `https`, without user information, tracking parameters, session ids and
    /// fragments (routes stay), the host in ASCII (punycode), otherwise as it was written, so that it still works.
    pub url: String,
    /// The registrable domain of `url` by the public suffix list, private suffixes included (`a.github.io`); the host
    /// itself for IP addresses, single labels and bare suffixes.
    pub domain: String,
}

/// The identity of the one URL that `text` is, or `None` where it is no URL that may become a link.
///
/// Taken: `http://…` and `https://…`, `www.…` and `example.org/…` (read as https), `doi:10.…`, `10.1000/…` and `arXiv:…`; white space, quotes and
/// brackets around it and the sentence's punctuation behind it are dropped. A space inside the path is `%20`, as in a
/// browser. Refused: every other scheme, control characters, a backslash (readers disagree on what it means), white
/// space before the path, a missing or slash-doubled authority, more than [`policy::URL_BYTES_MAX`] bytes as given or as shown.
///
/// `identify(&identity.url)` has the same `key`, `url` and `domain`.
pub fn identify(text: &str) -> Option<UrlIdentity> {
    MET.get_or_insert_with(text.as_bytes(), || read_anew(text))
}

/// What URLs are: a result asks about each of its own several times, and several results cite the same. About 4 MB.
static MET: LazyLock<Memo<Option<UrlIdentity>>> = LazyLock::new(|| Memo::new(1 << 12, 256));

fn read_anew(text: &str) -> Option<UrlIdentity> {
    let mut link = read::link(text)?;
    for _ in 0..=policy::CACHE_DEPTH_MAX {
        clean(&mut link)?;
        match amp_cache::origin(&link) {
            None => return shown(link),
            Some(origin) => link = read::link(&origin)?,
        }
    }
    None
}

/// Takes away what belongs to the visit and not to the page.
fn clean(link: &mut Url) -> Option<()> {
    if !link.username().is_empty() || link.password().is_some() {
        link.set_username("").ok()?;
        link.set_password(None).ok()?;
    }
    let host = link.host_str()?;
    if host.ends_with('.') {
        let absolute = host.trim_end_matches('.').to_owned();
        link.set_host(Some(&absolute)).ok()?;
    }
    if let Some(path) = path::without_session(link.path()) {
        link.set_path(&path);
    }
    if let Some(query) = link.query() {
        let kept = query::cleaned(query, host::bare(link.host_str()?));
        if kept.as_deref() != Some(query) {
            link.set_query(kept.as_deref());
        }
    }
    if let Some(fragment) = link.fragment() {
        let kept = route(fragment, host::bare(link.host_str()?)).map(str::to_owned);
        if kept.as_deref() != Some(fragment) {
            link.set_fragment(kept.as_deref());
        }
    }
    Some(())
}

/// The part of a fragment that chooses a page: a client-side route (`#/…`, `#!…`), or what the site is known to choose by,
/// without a text directive (`:~:`, WICG Text Fragments §2).
fn route<'f>(fragment: &'f str, host: &str) -> Option<&'f str> {
    let kept = fragment.split(":~:").next().unwrap_or_default();
    let is_route = kept.starts_with('/') || (kept.starts_with('!') && kept.len() > 1);
    let chooses = |(site, start): &(&str, &str)| kept.starts_with(start) && host::is_under(host, site);
    (is_route || !kept.is_empty() && policy::FRAGMENTS.iter().any(chooses)).then_some(kept)
}

fn shown(link: Url) -> Option<UrlIdentity> {
    let link = match prose::guarded(link.as_str()) {
        // What was inside the text now ends it: escaped, it isn't taken for the sentence's when the link is read again.
        Some(guarded) => Url::parse(&guarded).ok()?,
        None => link,
    };
    if link.as_str().len() > policy::URL_BYTES_MAX {
        // Escapes made it longer; read again it would be refused.
        return None;
    }
    let domain = host::registrable(link.host_str()?).to_owned();
    Some(UrlIdentity { key: key(&link)?, domain, url: link.into() })
}

/// What the URLs of one source share.
fn key(link: &Url) -> Option<String> {
    let host = host::canonical(link.host_str()?);
    if let Some(work) = works::key(&host, link.path(), link.query()) {
        return Some(work);
    }
    let path = path::canonical(&host, link.path());
    let (host, path) = host::moved(&host, &path);
    let mut key = String::with_capacity(link.as_str().len());
    key.push_str("//");
    key.push_str(host);
    if let Some(port) = link.port() {
        key.push(':');
        key.push_str(&port.to_string());
    }
    key.push_str(&path);
    if let Some(query) = link.query() {
        key.push('?');
        query::push_canonical(&mut key, query);
    }
    if let Some(fragment) = link.fragment() {
        key.push('#');
        escapes::push_normal(&mut key, fragment);
    }
    Some(escapes::composed(key))
}
