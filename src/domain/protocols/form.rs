//! Whether the body of an answer is a stream of events or one JSON text.

use super::lines::Body;
use super::{Bounds, SseDecoder};

/// The form of a body, and what reads it.
#[derive(Debug)]
pub(super) enum Form {
    /// Not known before its first byte that isn't whitespace: the bytes that a message may have.
    Unknown(usize),
    Stream(SseDecoder),
    Whole(Body),
}

impl Form {
    /// Of one answer. `is_json`: its content type says that it is no stream; otherwise a `{` at the beginning does.
    pub fn of(bounds: Bounds, is_json: bool) -> Self {
        // The last message of a stream may repeat all of its text.
        let message_bytes = bounds.event_bytes.saturating_add(bounds.text_bytes);
        if is_json { Self::Whole(Body::new(message_bytes)) } else { Self::Unknown(message_bytes) }
    }

    /// The chunk from where the form is known.
    pub fn begin<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        // Whitespace, and the three bytes of a byte order mark.
        let skipped = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF);
        let Self::Unknown(message_bytes) = *self else { return chunk };
        let Some(first) = chunk.iter().position(|byte| !skipped(byte)) else { return &[] };
        *self = match chunk[first] {
            b'{' => Self::Whole(Body::new(message_bytes)),
            _ => Self::Stream(SseDecoder::new(message_bytes)),
        };
        &chunk[first..]
    }
}
