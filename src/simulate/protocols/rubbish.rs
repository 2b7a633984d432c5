//! What is no answer, though its status and media type say that it is.

use bytes::Bytes;

use super::{Protocol, Reply};
use crate::simulate::frames::Frames;
use crate::simulate::plan::Rubbish;

const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad \
                    Gateway</h1><p>The server is being looked after.</p></body></html>\n";
const BROKEN: &str = "{\"answer\": \"this begins well\", \"sources\": [{\"link\": }, nul";
const PIECE_BYTES: u64 = 64 << 10;
const FILLING: &[u8; PIECE_BYTES as usize] = &[b'x'; PIECE_BYTES as usize];
const NOISE: &[u8; 256] = &noise();

/// The body of garbage in `protocol`.
pub fn rubbish(protocol: Protocol, rubbish: Rubbish) -> Reply {
    let (before, after) = match protocol {
        Protocol::Json => ("", ""),
        Protocol::Ndjson => ("", "\n"),
        Protocol::Sse | Protocol::Openai | Protocol::Anthropic | Protocol::A2a => ("data: ", "\n\n"),
    };
    let media_type = protocol.media_type();
    let frames = match rubbish {
        Rubbish::Json => Frames::one(format!("{before}{BROKEN}{after}")),
        Rubbish::Html => {
            return Reply { media_type: "text/html; charset=utf-8", frames: Frames::one(PAGE), preamble: 0 };
        }
        Rubbish::Binary(bytes) => {
            filled(bytes, |length| NOISE.iter().copied().cycle().take(length).collect())
        }
        Rubbish::Huge(bytes) => huge(format!("{before}{{\"content\":\""), format!("\"}}{after}"), bytes),
    };
    Reply { media_type, frames, preamble: 0 }
}

/// Pieces of 64 KiB, `bytes` in all.
fn filled(bytes: u64, piece: impl Fn(usize) -> Bytes + Send + Sync + 'static) -> Frames {
    Frames::new(bytes.div_ceil(PIECE_BYTES), move |index| {
        let length = bytes.saturating_sub(index * PIECE_BYTES).min(PIECE_BYTES);
        piece(usize::try_from(length).unwrap_or_default())
    })
}

/// One endless text between a beginning and an end that make it well-formed.
fn huge(before: String, after: String, bytes: u64) -> Frames {
    let filling = filled(bytes, |length| Bytes::from_static(FILLING.get(..length).unwrap_or(FILLING)));
    let (before, after) = (Bytes::from(before), Bytes::from(after));
    let pieces = filling.count();
    Frames::new(pieces + 2, move |index| match index.checked_sub(1) {
        None => before.clone(),
        Some(index) if index < pieces => filling.make(index),
        Some(_) => after.clone(),
    })
}

/// Every byte once, in an order that has no UTF-8 in it: 0xff comes first.
const fn noise() -> [u8; 256] {
    let mut bytes = [0; 256];
    let mut at = 0;
    while at < 256 {
        bytes[at] = 255 - at as u8;
        at += 1;
    }
    bytes
}
