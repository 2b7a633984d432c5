//! Paths: session ids in them, their normal form, and AMP's names for a page.

use super::{escapes, host, policy};

/// `path` without session ids (`;jsessionid=…` of Java servlets, `/(S(…))/` of ASP.NET), or `None` where it has none.
pub(super) fn without_session(path: &str) -> Option<String> {
    let suspicious = path.contains(';') || path.contains("(S(");
    if !suspicious {
        return None;
    }
    let mut kept = String::with_capacity(path.len());
    for segment in path.strip_prefix('/')?.split('/') {
        let start = kept.len();
        kept.push('/');
        let mut parts = segment.split(';');
        kept.push_str(parts.next().unwrap_or_default());
        for part in parts.filter(|part| !is_servlet_session(part)) {
            kept.push(';');
            kept.push_str(part);
        }
        if is_cookieless_session(&kept[start..]) {
            kept.truncate(start);
        }
    }
    if kept.is_empty() {
        kept.push('/');
    }
    (kept != path).then_some(kept)
}

fn is_servlet_session(parameter: &str) -> bool {
    let name = parameter.split('=').next().unwrap_or_default();
    name.len() < parameter.len() && name.eq_ignore_ascii_case("jsessionid")
}

/// `/(S(24 letters and digits))`.
fn is_cookieless_session(segment: &str) -> bool {
    let id = segment.strip_prefix("/(S(").and_then(|rest| rest.strip_suffix("))"));
    id.is_some_and(|id| id.len() == 24 && id.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// The path as it stands in a key: normal escapes, no trailing slash, AMP's page taken for the page itself.
pub(super) fn canonical(host: &str, path: &str) -> String {
    let mut normal = String::with_capacity(path.len());
    escapes::push_normal(&mut normal, path);
    if normal.ends_with('/') {
        normal.pop();
    }
    match without_amp(host, &normal) {
        Some(page) => page,
        None => normal,
    }
}

/// The page behind `/story/amp`, `/amp/story`, `/story.amp` and `/story.amp.html`. Not where users or dictionaries
/// choose the names in a path: `github.com/someone/amp` is a repository, `/wiki/amp` an article on amperes.
fn without_amp(host: &str, path: &str) -> Option<String> {
    if !path.contains("amp") || host::is_under_any(host, policy::HOSTS_WITH_FREE_NAMES) {
        return None;
    }
    if let Some(page) = path.strip_suffix("/amp") {
        let parent = page.rsplit('/').next().unwrap_or_default();
        return (!parent.is_empty() && !policy::COLLECTIONS.contains(&parent)).then(|| page.to_owned());
    }
    if let Some(page) = path.strip_prefix("/amp/") {
        return Some(format!("/{page}"));
    }
    let (stem, extension) = match path.strip_suffix(".amp.html") {
        Some(stem) => (stem, ".html"),
        None => (path.strip_suffix(".amp")?, ""),
    };
    (!stem.ends_with('/')).then(|| format!("{stem}{extension}"))
}
