//! The log as a stream of the Durable Streams protocol, version 1.0 (`PROTOCOL.md` of durable-streams/durable-streams).
//!
//! A stream is an URL that is read from an *offset*: what is there (catch-up), what comes next (long-poll), or both over
//! one connection (server-sent events with control events). What is decided here: which texts are offsets, what a query
//! asks for, what the headers and events of an answer say. Waiting and reading is left to the edge.

mod cursor;
mod headers;
mod offset;
mod request;
mod sse;

pub use cursor::{JITTER_S, current, interval};
pub use headers::{EXPOSED, caching, etag, fields, is_unmodified};
pub use offset::{InvalidOffset, Offset, Start};
pub use request::{Malformed, Mode, Wanted};
pub use sse::{IDLE, write_control, write_data};

use bytes::Bytes;

use crate::domain::position::Sequence;

/// A part of a stream, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// What was asked for.
    pub start: Start,
    /// The stream's items after `start`: JSON texts, or runs of bytes.
    pub items: Vec<Bytes>,
    /// The place after them.
    pub next: Offset,
    /// Whether nothing more was there.
    pub up_to_date: bool,
    /// Whether nothing more will come; only where `up_to_date`.
    pub closed: bool,
    /// The first sequence that was still there, where what comes before it was let go and the beginning was asked for.
    pub trimmed_before: Option<Sequence>,
}

/// How a stream's bytes are framed; follows from its content type (sections 5.8 and 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `application/json`: items are values; what is read is always an array of them.
    Json,
    /// `text/*`: items follow each other.
    Text,
    /// All else: items follow each other; in server-sent events as base64 (RFC 4648, section 4).
    Binary,
}

impl Encoding {
    /// That of a content type, whose parameters don't matter.
    pub fn of(content_type: &str) -> Self {
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" => Self::Json,
            text if text.starts_with("text/") => Self::Text,
            _ => Self::Binary,
        }
    }

    /// The body of an answer that is read whole. Without items it is `[]` for JSON, else empty.
    pub fn body(self, items: &[Bytes]) -> Vec<u8> {
        match self {
            Self::Json => {
                let mut out = Vec::with_capacity(items.iter().map(|item| item.len() + 1).sum::<usize>() + 2);
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    out.extend_from_slice(item);
                }
                out.push(b']');
                out
            }
            Self::Text | Self::Binary => items.concat(),
        }
    }
}

#[cfg(test)]
mod tests;
