//! Server-sent events: `data` with items, each followed by `control`, which says where they lead (section 5.8).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Serialize;

use super::{Batch, Encoding};

/// A comment, for connections on which nothing else is said.
pub const IDLE: &[u8] = b":\n\n";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Control {
    stream_next_offset: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_cursor: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    up_to_date: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream_closed: bool,
}

/// Writes the event with a batch's items; none where it has none.
pub fn write_data(out: &mut Vec<u8>, encoding: Encoding, items: &[Bytes]) {
    if items.is_empty() {
        return;
    }
    out.extend_from_slice(b"event: data\n");
    let body = encoding.body(items);
    match encoding {
        Encoding::Binary => line(out, STANDARD.encode(body).as_bytes()),
        // An event stream is UTF-8, whatever a stream of `text/*` holds.
        Encoding::Json | Encoding::Text => lines(out, String::from_utf8_lossy(&body).as_bytes()),
    }
    out.push(b'\n');
}

/// Writes the event that says where a reader stands. `cursor` is for streams that go on.
pub fn write_control(out: &mut Vec<u8>, batch: &Batch, cursor: u64) {
    let control = Control {
        stream_next_offset: batch.next.to_string(),
        stream_cursor: (!batch.closed).then(|| cursor.to_string()),
        up_to_date: batch.up_to_date,
        stream_closed: batch.closed,
    };
    out.extend_from_slice(b"event: control\n");
    line(out, &serde_json::to_vec(&control).expect("plain data with text keys"));
    out.push(b'\n');
}

/// Every line end of a text begins a line of its own: nothing in it can end the event.
fn lines(out: &mut Vec<u8>, mut text: &[u8]) {
    while let Some(end) = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        line(out, &text[..end]);
        let pair = text[end..].starts_with(b"\r\n");
        text = &text[end + if pair { 2 } else { 1 }..];
    }
    line(out, text);
}

/// A reader takes one space off a line: a line that begins with one is given one more.
fn line(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(if text.first() == Some(&b' ') { b"data: " } else { b"data:" });
    out.extend_from_slice(text);
    out.push(b'\n');
}
