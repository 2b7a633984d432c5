//! Values as Redis and its scripts give them, read leniently: what has another kind reads as empty.

#![expect(clippy::wildcard_enum_match_arm, reason = "the library's values, not ours")]

use redis::Value;

/// A text or bytes as text; empty for anything else.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text.clone(),
        _ => String::new(),
    }
}

/// A number, as Redis or a script gives it.
pub(super) fn number(value: &Value) -> u64 {
    match value {
        Value::Int(number) => u64::try_from(*number).unwrap_or_default(),
        other => text(other).parse().unwrap_or_default(),
    }
}

/// Bytes, or a text's.
pub(super) fn bytes(value: Value) -> Vec<u8> {
    match value {
        Value::BulkString(bytes) => bytes,
        other => text(&other).into_bytes(),
    }
}

/// Names and values of a hash.
pub(super) fn pairs(value: Value) -> Vec<(Value, Value)> {
    match value {
        Value::Map(pairs) => pairs,
        Value::Array(items) => {
            let mut items = items.into_iter();
            std::iter::from_fn(|| Some((items.next()?, items.next()?))).collect()
        }
        _ => Vec::new(),
    }
}
