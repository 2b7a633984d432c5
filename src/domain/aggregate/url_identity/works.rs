//! Works that many pages show: DOIs, arXiv papers, YouTube videos.

use super::{escapes, host, policy};
use crate::domain::text::phrases::before_any;

/// The key of the work that a page shows. `host` is canonical, `path` and `query` are as in the URL.
pub(super) fn key(host: &str, path: &str, query: Option<&str>) -> Option<String> {
    if host::is_under_any(host, policy::ARXIV_HOSTS) {
        return arxiv_page(path).map(|id| format!("arxiv:{id}"));
    }
    if host::is_under_any(host, policy::YOUTUBE_HOSTS) {
        return video(host, path, query).map(|id| format!("youtube:{id}"));
    }
    let name = if policy::DOI_RESOLVERS.contains(&host) {
        let name = path.strip_prefix('/')?;
        doi(strip_scheme(name))?
    } else if let Some((_, start, prefix)) =
        policy::DOI_PAGES.iter().find(|page| host == page.0 && path.starts_with(page.1))
    {
        numbered(path.strip_prefix(start)?, prefix)?
    } else if holds_doi(path, query) && host::is_under_any(host, policy::DOI_PUBLISHERS) {
        published(host, path, query)?
    } else {
        return None;
    };
    Some(match name.strip_prefix("10.48550/arxiv.").and_then(arxiv) {
        Some(id) => format!("arxiv:{id}"),
        None => format!("doi:{name}"),
    })
}

/// The name in `text`, which begins with it: decoded, in lower case, since DOI names don't know case
/// (DOI Handbook §2.4). `None` where it is none: `10.`, 4 to 9 digits (perhaps more parts), `/`, a suffix.
pub(super) fn doi(text: &str) -> Option<String> {
    let decoded = escapes::decoded(text);
    let name = std::str::from_utf8(&decoded).ok()?.trim_end_matches('/').to_lowercase();
    let (prefix, suffix) = name.split_once('/')?;
    let mut parts = prefix.strip_prefix("10.")?.split('.');
    let registrant = parts.next()?;
    let numbers = (4..=9).contains(&registrant.len()) && is_digits(registrant) && parts.all(is_digits);
    let printable = !suffix.is_empty() && !suffix.chars().any(|c| c.is_control() || c.is_whitespace());
    (numbers && printable).then_some(name)
}

/// `doi.org/doi:10.1000/182`.
fn strip_scheme(name: &str) -> &str {
    match name.get(..4) {
        Some(scheme) if scheme.eq_ignore_ascii_case("doi:") => &name[4..],
        Some(_) | None => name,
    }
}

/// Whether a DOI may be there at all; spares most URLs the long table.
fn holds_doi(path: &str, query: Option<&str>) -> bool {
    path.contains("/10.") || query.is_some_and(|query| query.contains("10."))
}

/// The DOI of a page whose address has only the end of it, and nothing behind that.
fn numbered(id: &str, prefix: &str) -> Option<String> {
    let id = id.trim_end_matches('/');
    let id = id.strip_suffix(".pdf").unwrap_or(id);
    let whole =
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
    whole.then(|| format!("{prefix}{}", id.to_ascii_lowercase()))
}

/// The DOI in the address of a publisher's page on one work: the page itself, its abstract, PDF or EPUB.
fn published(host: &str, path: &str, query: Option<&str>) -> Option<String> {
    if let Some(page) = policy::DOI_QUERY_PAGES.iter().find(|page| host == page.0 && path.ends_with(page.1)) {
        let value = query?.split('&').find_map(|piece| piece.strip_prefix(page.2)?.strip_prefix('='))?;
        return doi(value);
    }
    let mut before = 0;
    for segment in path.split('/') {
        if segment.starts_with("10.") {
            return doi(&path[before..]).map(|name| without_view(host, name));
        }
        if policy::NOT_THE_WORK.contains(&segment) {
            return None;
        }
        before += segment.len() + 1;
    }
    None
}

/// `name` without what chooses a form of the work (`/full`, `.pdf`), and without a preprint's version.
fn without_view(host: &str, name: String) -> String {
    let shorter = before_any(&name, policy::DOI_VIEWS).unwrap_or(&name);
    let shorter = match shorter.rsplit_once('v') {
        Some((work, version)) if is_digits(version) && host::is_under_any(host, policy::DOI_PREPRINTS) => {
            work
        }
        Some(_) | None => shorter,
    };
    // A suffix has to be left.
    if doi(shorter).is_some() { shorter.trim_end_matches('/').to_owned() } else { name }
}

fn arxiv_page(path: &str) -> Option<String> {
    let (kind, id) = path.strip_prefix('/')?.split_once('/')?;
    policy::ARXIV_PAGES.contains(&kind).then(|| arxiv(id))?
}

/// An arXiv identifier without version, file extension and subject class, or `None`:
/// `2101.00001`, `0704.0001`, `hep-th/9901001`, `math.GT/0309136` (arXiv, "Understanding the arXiv identifier").
pub(super) fn arxiv(text: &str) -> Option<String> {
    let text = text.trim_end_matches('/').to_ascii_lowercase();
    let text = text.strip_suffix(".pdf").or(text.strip_suffix(".ps")).unwrap_or(&text);
    let id = match text.rsplit_once('v') {
        Some((id, version)) if is_digits(version) => id,
        Some(_) | None => text,
    };
    if let Some((archive, number)) = id.split_once('/') {
        let archive = archive.split('.').next().unwrap_or_default();
        let named = !archive.is_empty() && archive.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        return (named && number.len() == 7 && is_digits(number)).then(|| format!("{archive}/{number}"));
    }
    let (month, number) = id.split_once('.')?;
    let numbered = month.len() == 4 && is_digits(month) && matches!(number.len(), 4 | 5) && is_digits(number);
    numbered.then(|| id.to_owned())
}

/// The video of `youtu.be/ID`, `/watch?v=ID`, `/embed/ID`, `/shorts/ID`, `/live/ID`; its list and time are the reader's.
fn video<'a>(host: &str, path: &'a str, query: Option<&'a str>) -> Option<&'a str> {
    let path = path.strip_prefix('/')?.trim_end_matches('/');
    let id = if host == "youtu.be" {
        path
    } else if path == "watch" {
        query?.split('&').find_map(|piece| piece.strip_prefix("v="))?
    } else {
        let (kind, id) = path.split_once('/')?;
        policy::YOUTUBE_PAGES.contains(&kind).then_some(id)?
    };
    let valid = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (valid && id != "videoseries").then_some(id)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
