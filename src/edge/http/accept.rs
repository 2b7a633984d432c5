//! What a caller would rather have: its `Accept` header, by weight (RFC 9110, sections 12.4.2 and 12.5.1).

use axum::http::{HeaderMap, header};

/// The choice that `Accept` prefers: of `choice`s by media type (lower case) the one with the highest weight, the first of
/// equals. None where it names none that `choice` knows, or forbids them (`q=0`).
pub fn preferred<T>(headers: &HeaderMap, choice: impl Fn(&str) -> Option<T>) -> Option<T> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut best: (f64, Option<T>) = (0.0, None);
    for item in values.flat_map(|value| value.split(',')) {
        let mut parts = item.split(';').map(str::trim);
        let Some(chosen) = choice(&parts.next().unwrap_or_default().to_ascii_lowercase()) else { continue };
        let weight =
            parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse().ok()).unwrap_or(1.0);
        if weight > best.0 {
            best = (weight, Some(chosen));
        }
    }
    best.1
}
