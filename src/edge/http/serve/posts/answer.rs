//! An answer's bytes.

use axum::response::Response;
use http_body_util::BodyExt;
use tokio::time::Instant;

use crate::edge::http::serve::fields::{date, field, own_fields};

/// Room for a head.
const HEAD_BYTES: usize = 192;

/// The answer to events that were taken: what nearly all get.
pub(super) fn taken(json: &[u8], closes: bool, now: Instant) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEAD_BYTES + json.len());
    out.extend_from_slice(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n");
    finish(&mut out, json, closes, now);
    out
}

/// Any other.
pub(super) async fn other(response: Response, closes: bool, now: Instant) -> Vec<u8> {
    let (parts, body) = response.into_parts();
    // Problem documents are there at once, and can't fail.
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let mut out = Vec::with_capacity(2 * HEAD_BYTES + body.len());
    out.extend_from_slice(b"HTTP/1.1 ");
    out.extend_from_slice(parts.status.as_str().as_bytes());
    out.push(b' ');
    out.extend_from_slice(parts.status.canonical_reason().unwrap_or_default().as_bytes());
    out.extend_from_slice(b"\r\n");
    own_fields(&mut out, &parts.headers);
    finish(&mut out, &body, closes, now);
    out
}

/// The framing, and the body.
fn finish(out: &mut Vec<u8>, body: &[u8], closes: bool, now: Instant) {
    field(out, "content-length", itoa::Buffer::new().format(body.len()).as_bytes());
    if closes {
        field(out, "connection", b"close");
    }
    date(out, now);
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(body);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_framed_by_their_length() {
        let text = String::from_utf8(taken(b"{}", false, Instant::now())).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, "{}");
        let (lines, date) = head.rsplit_once("\r\n").unwrap();
        assert_eq!(lines, "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2");
        assert!(httpdate::parse_http_date(date.strip_prefix("date: ").unwrap()).is_ok(), "{date}");
        let last = String::from_utf8(taken(b"{}", true, Instant::now())).unwrap();
        assert!(last.contains("\r\nconnection: close\r\n"), "{last}");
    }
}
