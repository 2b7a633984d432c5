//! Percent-encoding: one spelling for each sequence of bytes (RFC 3986 §6.2.2.1 and §6.2.2.2), and form decoding.

use std::borrow::Cow;

use crate::domain::text;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends `part` (a path or a fragment) in its normal form: unreserved characters decoded, everything else that a
/// path can't hold encoded, hex digits in upper case, a `%` that escapes nothing as `%25`.
///
/// Beyond RFC 3986, `! * ' ( ) , : @` are decoded too: the first five were unreserved until RFC 2396, and no server
/// tells `/wiki/A_%28b%29` from `/wiki/A_(b)`. What delimits stays as it was written: `%2F`, `%3B`, `%26`, `%3D`, `%2B`.
pub(super) fn push_normal(out: &mut String, part: &str) {
    let bytes = part.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (byte, escaped, next) = unit(bytes, at);
        let plain = is_unreserved(byte) || is_harmless(byte) || (!escaped && is_delimiter(byte));
        if plain {
            out.push(char::from(byte))
        } else {
            push_escape(out, byte)
        }
        at = next;
    }
}

/// The bytes that a percent-encoded `part` stands for.
pub(super) fn decoded(part: &str) -> Cow<'_, [u8]> {
    decode(part, false)
}

/// The bytes that a name or value of a query stands for: also `+` is a space
/// (URL standard §5.1, application/x-www-form-urlencoded).
pub(super) fn form_decoded(part: &str) -> Cow<'_, [u8]> {
    decode(part, true)
}

/// Appends bytes of a name or value of a query, so that equal bytes are spelled the same and `&`, `=` never bare.
pub(super) fn push_form(out: &mut String, bytes: &[u8]) {
    for &byte in bytes {
        if is_unreserved(byte) { out.push(char::from(byte)) } else { push_escape(out, byte) }
    }
}

/// Appends a path written outside a URL, where `?` and `#` are ordinary characters.
pub(super) fn push_delimiters_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '?' => out.push_str("%3F"),
            '#' => out.push_str("%23"),
            _ => out.push(c),
        }
    }
}

/// A key in which letters with accents have one spelling (RFC 3987 §5.3.2.2); what isn't UTF-8 stays as it is.
pub(super) fn composed(key: String) -> String {
    let bytes = key.as_bytes();
    let mut raw = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (byte, _, next) = unit(bytes, at);
        // An escape of ASCII stays one.
        if byte.is_ascii() {
            raw.extend(&bytes[at..next])
        } else {
            raw.push(byte)
        }
        at = next;
    }
    if raw.len() == bytes.len() {
        return key;
    }
    let Ok(text) = String::from_utf8(raw) else { return key };
    let Cow::Owned(text) = text::composed::composed(&text) else { return key };
    let mut out = String::with_capacity(key.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c)
        } else {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escape(&mut out, byte))
        }
    }
    out
}

fn decode(part: &str, form: bool) -> Cow<'_, [u8]> {
    let bytes = part.as_bytes();
    if !bytes.iter().any(|&b| b == b'%' || (form && b == b'+')) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (byte, escaped, next) = unit(bytes, at);
        out.push(if form && byte == b'+' && !escaped { b' ' } else { byte });
        at = next;
    }
    Cow::Owned(out)
}

/// The byte at `at`, whether it was written as an escape, and where the next one begins.
fn unit(bytes: &[u8], at: usize) -> (u8, bool, usize) {
    if bytes[at] == b'%'
        && let (Some(high), Some(low)) = (digit(bytes, at + 1), digit(bytes, at + 2))
    {
        return (high * 16 + low, true, at + 3);
    }
    (bytes[at], false, at + 1)
}

fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    let value = char::from(*bytes.get(at)?).to_digit(16)?;
    u8::try_from(value).ok()
}

fn push_escape(out: &mut String, byte: u8) {
    out.push('%');
    out.push(char::from(HEX[usize::from(byte >> 4)]));
    out.push(char::from(HEX[usize::from(byte & 15)]));
}

/// RFC 3986 §2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn is_harmless(byte: u8) -> bool {
    matches!(byte, b'!' | b'*' | b'\'' | b'(' | b')' | b',' | b':' | b'@')
}

/// What a path may hold bare, with a meaning of its own (RFC 3986 §2.2, §3.3; `?` only in a fragment).
fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'/' | b';' | b'=' | b'&' | b'+' | b'$' | b'?')
}
