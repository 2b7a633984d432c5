//! What the headers of an answer say (sections 5.5 to 5.7, 10, 12.7).

use super::offset::Start;
use super::request::Mode;
use super::{Batch, Encoding};

/// The headers that a browser on another origin must be allowed to see (`Access-Control-Expose-Headers`).
pub const EXPOSED: [&str; 7] = [
    "stream-next-offset",
    "stream-up-to-date",
    "stream-closed",
    "stream-cursor",
    "stream-sse-data-encoding",
    "stream-trimmed-before",
    "etag",
];

/// The headers that say where an answer leads. Of a live read with its `cursor`, which a closed stream needs no more.
pub fn fields(batch: &Batch, cursor: Option<u64>) -> Vec<(&'static str, String)> {
    let mut fields = vec![("stream-next-offset", batch.next.to_string())];
    if batch.up_to_date {
        fields.push(("stream-up-to-date", "true".to_owned()));
    }
    match cursor {
        _ if batch.closed => fields.push(("stream-closed", "true".to_owned())),
        Some(cursor) => fields.push(("stream-cursor", cursor.to_string())),
        None => {}
    }
    if let Some(first) = batch.trimmed_before {
        fields.push(("stream-trimmed-before", first.to_string()));
    }
    fields
}

/// The entity tag of what was read whole: its range, and whether the stream ends with it. `None` for `now`, which names
/// another place each time.
pub fn etag(batch: &Batch) -> Option<String> {
    let closed = if batch.closed { ":c" } else { "" };
    match batch.start {
        Start::Now => None,
        start @ (Start::Beginning | Start::After(_)) => Some(format!("\"{start}:{}{closed}\"", batch.next)),
    }
}

/// Whether `If-None-Match` names the tag (RFC 9110, section 13.1.2: compared weakly).
pub fn is_unmodified(if_none_match: &str, etag: &str) -> bool {
    let tags = if_none_match.split(',').map(str::trim);
    if_none_match.trim() == "*" || tags.into_iter().any(|tag| tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// `Cache-Control`. What a session's log holds is one tenant's: nothing is kept by a shared cache. A part that more
/// follows stays what it is; at the tail it is asked for again each time (the entity tag makes that cheap), so that an
/// end is never hidden; places that move (`now`, live reads) are not kept at all.
pub fn caching(mode: Mode, batch: &Batch) -> &'static str {
    match (mode, batch.start) {
        (Mode::CatchUp, Start::Now) | (Mode::LongPoll, _) => "no-store",
        (Mode::CatchUp, Start::After(_)) if !batch.up_to_date => {
            "private, max-age=60, stale-while-revalidate=300"
        }
        (Mode::CatchUp, Start::Beginning | Start::After(_)) => "private, no-cache",
        (Mode::Sse, _) => "no-cache, no-store, no-transform",
    }
}

impl Encoding {
    /// Whether events carry base64: `Stream-SSE-Data-Encoding` (section 5.8).
    pub fn is_base64(self) -> bool {
        match self {
            Self::Json | Self::Text => false,
            Self::Binary => true,
        }
    }
}
