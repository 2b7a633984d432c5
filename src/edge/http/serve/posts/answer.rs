//! An answer's bytes.

use std::cell::RefCell;

use axum::response::Response;
use http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use http_body_util::BodyExt;
use tokio::time::{Duration, Instant};

/// How often the clock is looked at for the field `Date`, which has seconds.
const DATE_AGE: Duration = Duration::from_millis(500);

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
    let framing = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, DATE];
    for (name, value) in parts.headers.iter().filter(|(name, _)| !framing.contains(name)) {
        field(&mut out, name.as_str(), value.as_bytes());
    }
    finish(&mut out, &body, closes, now);
    out
}

/// The framing, and the body.
fn finish(out: &mut Vec<u8>, body: &[u8], closes: bool, now: Instant) {
    field(out, "content-length", itoa::Buffer::new().format(body.len()).as_bytes());
    if closes {
        field(out, "connection", b"close");
    }
    with_date(now, |date| field(out, "date", date));
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(body);
}

fn field(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\r\n");
}

/// The time as HTTP writes it (RFC 9110, 5.6.7), made twice a second in each thread.
fn with_date(now: Instant, with: impl FnOnce(&[u8])) {
    thread_local! {
        static DATE_TEXT: RefCell<(Option<Instant>, String)> = const { RefCell::new((None, String::new())) };
    }
    DATE_TEXT.with_borrow_mut(|(made, text)| {
        if made.is_none_or(|made| now.saturating_duration_since(made) >= DATE_AGE) {
            let printer = jiff::fmt::rfc2822::DateTimePrinter::new();
            // Fails for years that have five digits only.
            *text = printer.timestamp_to_rfc9110_string(&jiff::Timestamp::now()).unwrap_or_default();
            *made = Some(now);
        }
        with(text.as_bytes());
    });
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
