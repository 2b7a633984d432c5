//! Queries: which parameters belong to the visit, and one order and spelling for the rest.

use super::policy::{self, Value};
use super::{escapes, host};
use std::borrow::Cow;

/// Name and value, decoded.
type Parameter<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

/// The pieces of `query` that choose the page, as written and in their order; `None` where none is left.
/// `host` is without `www.` and the like.
pub(super) fn cleaned(query: &str, host: &str) -> Option<String> {
    let mut kept = String::with_capacity(query.len());
    for piece in pieces(query).filter(|piece| !is_of_the_visit(piece, host)) {
        if !kept.is_empty() {
            kept.push('&');
        }
        kept.push_str(piece);
    }
    (!kept.is_empty()).then_some(kept)
}

/// Appends `query` decoded as a form, sorted by name, the values of a repeated name in their order
/// (the URL standard's `URLSearchParams.sort`, by bytes). `a` and `a=` are the same parameter there.
pub(super) fn push_canonical(out: &mut String, query: &str) {
    let mut parameters: Vec<Parameter> = pieces(query)
        .map(|piece| piece.split_once('=').unwrap_or((piece, "")))
        .map(|(name, value)| (escapes::form_decoded(name), escapes::form_decoded(value)))
        .collect();
    parameters.sort_by(|left, right| left.0.cmp(&right.0));
    for (at, (name, value)) in parameters.iter().enumerate() {
        if at > 0 {
            out.push('&');
        }
        escapes::push_form(out, name);
        if !value.is_empty() {
            out.push('=');
            escapes::push_form(out, value);
        }
    }
}

/// The parameters as written; `&amp;`, left from HTML, is an `&`.
fn pieces(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').map(|piece| piece.trim_start_matches("amp;")).filter(|piece| !piece.is_empty())
}

fn is_of_the_visit(piece: &str, host: &str) -> bool {
    let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
    let name = escapes::form_decoded(name);
    let Ok(name) = std::str::from_utf8(&name) else { return false };
    let name = name.to_ascii_lowercase();
    policy::NAMES.binary_search(&name.as_str()).is_ok()
        || policy::PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || policy::NAMES_WITH_VALUES.iter().any(|(known, rule)| *known == name && fits(*rule, value))
        || policy::NAMES_BY_HOST
            .iter()
            .any(|(site, names)| names.contains(&name.as_str()) && host::is_under(host, site))
        || is_cache_stamp(piece, host)
}

fn fits(rule: Value, value: &str) -> bool {
    match rule {
        Value::Flag => matches!(value, "" | "1" | "true"),
        Value::Is(word) => value.eq_ignore_ascii_case(word),
        Value::Token => is_token(value),
    }
}

/// What no one writes by hand: at least 16 letters and digits, both, nothing else.
fn is_token(value: &str) -> bool {
    value.len() >= 16
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// `?1723644716000.pdf`: a time in milliseconds against caches, on the hosts that are known to add it.
fn is_cache_stamp(piece: &str, host: &str) -> bool {
    host::is_under_any(host, policy::HOSTS_WITH_CACHE_STAMPS)
        && piece
            .strip_suffix(".pdf")
            .is_some_and(|time| time.len() == 13 && time.bytes().all(|b| b.is_ascii_digit()))
}
