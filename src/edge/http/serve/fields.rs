//! The fields of heads that are written here, not by the HTTP library.

use std::cell::RefCell;
use std::time::Duration;

use http::HeaderMap;
use http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use tokio::time::Instant;

/// How often the clock is looked at for the field `Date`, which has seconds.
const DATE_AGE: Duration = Duration::from_millis(500);

/// An answer's own fields: all but those of its framing, which is decided by whoever writes it.
pub(super) fn own_fields(out: &mut Vec<u8>, fields: &HeaderMap) {
    let framing = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, DATE];
    for (name, value) in fields.iter().filter(|(name, _)| !framing.contains(name)) {
        field(out, name.as_str(), value.as_bytes());
    }
}

/// One line of a head.
pub(super) fn field(out: &mut Vec<u8>, name: &str, value: &[u8]) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\r\n");
}

/// The time as HTTP writes it (RFC 9110, 5.6.7), made twice a second in each thread.
pub(super) fn date(out: &mut Vec<u8>, now: Instant) {
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
        field(out, "date", text.as_bytes());
    });
}
