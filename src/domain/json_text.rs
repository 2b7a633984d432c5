//! JSON that is put together by hand, because it is made for each event: keys are known, ids and numbers need no escaping. What
//! is rare goes through serde, which is the oracle of each user's tests.

use serde::Serialize;

/// Adds `text` as it is.
pub(crate) fn push(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// Adds what stands before a text, and the text: one that needs no escaping, an id, hex digits, a timestamp, JSON.
pub(crate) fn text(out: &mut Vec<u8>, before: &str, plain: &str) {
    push(out, before);
    push(out, plain);
}

/// Adds what stands before a number, and its digits.
pub(crate) fn number(out: &mut Vec<u8>, before: &str, value: impl itoa::Integer) {
    text(out, before, itoa::Buffer::new().format(value));
}

/// Adds `key` and the value, where there is one.
pub(crate) fn optional(out: &mut Vec<u8>, key: &str, value: Option<&impl Serialize>) {
    if let Some(value) = value {
        push(out, key);
        json(out, value);
    }
}

/// Adds a value as serde writes it.
pub(crate) fn json(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value).expect("plain data with text keys can be written");
}
