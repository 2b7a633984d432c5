//! Copies of a page in the AMP caches, and the page that they are copies of.

use super::{host, policy};
use url::Url;

/// The URL of the page that `link` is a cached copy of, as text that still has to be read and judged.
///
/// Google's viewer: `www.google.com/amp/s/HOST/PATH`; the AMP Cache: `*.cdn.ampproject.org/c/s/HOST/PATH`, `s` for
/// https (AMP documentation, "AMP Cache URL format and request handling").
pub(super) fn origin(link: &Url) -> Option<String> {
    let viewed = link.path().strip_prefix("/amp/");
    let rest = if let Some(rest) = viewed.filter(|_| link.host_str().is_some_and(is_google)) {
        rest
    } else if host::is_under(link.host_str()?, policy::AMP_CACHE) {
        let (kind, rest) = link.path().strip_prefix('/')?.split_once('/')?;
        policy::AMP_CACHE_KINDS.contains(&kind).then_some(rest)?
    } else {
        return None;
    };
    let (scheme, page) = match rest.strip_prefix("s/") {
        Some(page) => ("https", page),
        None => ("http", rest),
    };
    if !page.split('/').next()?.contains('.') {
        return None;
    }
    let query = link.query().map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{scheme}://{page}{query}"))
}

/// `google.TLD` or `www.google.TLD`.
fn is_google(host: &str) -> bool {
    let domain = host::registrable(host);
    domain.starts_with("google.") && (host == domain || host.strip_prefix("www.") == Some(domain))
}
