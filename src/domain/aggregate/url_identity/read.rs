//! From text to a parsed http(s) URL, or a refusal.

use super::{escapes, policy, prose, works};
use url::Url;

/// The URL that `text` is. `None` as told at [`super::identify`].
pub(super) fn link(text: &str) -> Option<Url> {
    if text.len() > policy::URL_BYTES_MAX {
        return None;
    }
    let text = prose::bare(text);
    // The parser would drop tabs and line ends wherever they stand (`java\nscript:`), and read `\` as `/` while
    // others read it as part of the user's name.
    if text.chars().any(|c| c == '\\' || c.is_control() || (c.is_whitespace() && c != ' ')) {
        return None;
    }
    match split_scheme(text) {
        Some((scheme, rest)) if is(scheme, "http") || is(scheme, "https") => authority_form(text, rest),
        Some((scheme, rest)) if is(scheme, "doi") => parse(&doi(rest)?),
        Some((scheme, rest)) if is(scheme, "arxiv") => parse(&arxiv(rest)?),
        Some(_) | None => bare_host(text).or_else(|| parse(&bare_doi(text)?)),
    }
}

fn is(scheme: &str, name: &str) -> bool {
    scheme.eq_ignore_ascii_case(name)
}

fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    scheme.bytes().all(|b| b.is_ascii_alphanumeric()).then_some((scheme, rest))
}

/// `//authority…` and nothing that browsers mend (`https:a`, `https:///a`): what has to be mended isn't a citation.
fn authority_form(text: &str, rest: &str) -> Option<Url> {
    let rest = rest.strip_prefix("//")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || authority.contains(' ') {
        return None;
    }
    parse(text)
}

/// `www.` without a scheme, as GitHub's Markdown links it (GFM §6.9), but with https; another host where a path follows, and
/// it ends in a suffix that the public list of ICANN's domains has: `example.org/a`, not `README.md` nor `and/or`.
fn bare_host(text: &str) -> Option<Url> {
    let prefix = text.get(..4)?;
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let www = is(prefix, "www.") && authority.get(4..)?.contains('.');
    let known = text[authority.len()..].starts_with('/') && !text.contains(' ') && is_public(authority);
    if !(www || known) || authority.contains([' ', '@']) {
        return None;
    }
    parse(&format!("https://{text}"))
}

fn is_public(host: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let named = host.contains('.') && host.split('.').all(label);
    let lowered = host.to_ascii_lowercase();
    let suffix = psl::suffix(lowered.as_bytes()).filter(|suffix| suffix.is_known());
    named
        && suffix.is_some_and(|suffix| {
            suffix.typ() == Some(psl::Type::Icann) && suffix.as_bytes().len() < host.len()
        })
}

/// A DOI by itself: `10.1000/182`.
fn bare_doi(text: &str) -> Option<String> {
    (text.starts_with("10.") && !text.contains(' ')).then(|| doi(text))?
}

fn parse(text: &str) -> Option<Url> {
    let link = Url::parse(text).ok()?;
    let host = link.host_str()?.trim_end_matches('.');
    let web = matches!(link.scheme(), "http" | "https");
    (web && !host.is_empty()).then_some(link)
}

/// The resolver's link for a written DOI (DOI Handbook §2.6.2 and §2.6.3).
fn doi(rest: &str) -> Option<String> {
    let name = rest.trim_start();
    works::doi(name)?;
    let mut link = String::from("https://doi.org/");
    escapes::push_delimiters_escaped(&mut link, name);
    Some(link)
}

/// The abstract page of a written arXiv identifier, perhaps followed by its subject (`arXiv:2101.00001v2 [cs.CL]`).
fn arxiv(rest: &str) -> Option<String> {
    let id = rest.trim_start().split(' ').next().unwrap_or_default();
    works::arxiv(id)?;
    Some(format!("https://arxiv.org/abs/{id}"))
}
