//! Events as texts: byte for byte, or with what differs from run to run taken out.

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct Texts<'a> {
    #[serde(borrow)]
    events: Vec<&'a RawValue>,
}

/// The events of a page or a frame, as they stand in it.
pub fn event_texts(json: &str) -> Vec<String> {
    let texts: Texts<'_> = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
    texts.events.into_iter().map(|event| event.get().to_owned()).collect()
}

/// The text with times, cursors, epochs, trace ids and latencies named, not told.
pub fn redacted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let found = [timestamp, cursor, quoted_hex, latency].into_iter().find_map(|matcher| matcher(rest));
        let (name, length) = found.unwrap_or_else(|| {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            (rest[..length].to_owned(), length)
        });
        out.push_str(&name);
        rest = &rest[length..];
    }
    out
}

/// What to write instead of how many bytes.
type Found = Option<(String, usize)>;

fn timestamp(text: &str) -> Found {
    const LIKE: &[u8] = b"0000-00-00T00:00:00.000Z";
    let bytes = text.as_bytes().get(..LIKE.len())?;
    let fits = bytes
        .iter()
        .zip(LIKE)
        .all(|(byte, like)| if *like == b'0' { byte.is_ascii_digit() } else { byte == like });
    fits.then(|| ("[time]".to_owned(), LIKE.len()))
}

fn cursor(text: &str) -> Found {
    let epoch = hex_digits(text);
    let sequence = text.get(epoch + 1..)?.bytes().take_while(u8::is_ascii_digit).count();
    let chain_at = epoch + 1 + sequence + 1;
    let parts = text.get(epoch..)?.starts_with('_') && text.get(epoch + 1 + sequence..)?.starts_with('_');
    let fits = parts && (6..=16).contains(&epoch) && sequence > 0 && hex_digits(text.get(chain_at..)?) == 16;
    let number = text.get(epoch + 1..epoch + 1 + sequence)?;
    fits.then(|| (format!("[epoch]_{number}_[chain]"), chain_at + 16))
}

fn quoted_hex(text: &str) -> Found {
    let inside = text.strip_prefix('"')?;
    let digits = hex_digits(inside);
    let closed = inside.get(digits..)?.starts_with('"');
    let name = match digits {
        8 => "\"[epoch]\"",
        16 => "\"[span]\"",
        32 => "\"[trace]\"",
        _ => return None,
    };
    closed.then(|| (name.to_owned(), digits + 2))
}

fn latency(text: &str) -> Found {
    const NAME: &str = "\"latency_ms\":";
    let digits = text.strip_prefix(NAME)?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| (format!("{NAME}\"[latency]\""), NAME.len() + digits))
}

fn hex_digits(text: &str) -> usize {
    text.bytes().take_while(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte)).count()
}
