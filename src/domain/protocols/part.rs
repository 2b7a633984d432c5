//! Parts of a peer's JSON that may have any type: what doesn't fit counts as absent.
//!
//! Peers differ in what they send beside what their protocol says (null, an object where a string belongs, fields of
//! their own), and none of that is a reason to lose an answer.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use crate::domain::canonical_json::{JsonFault, Text, canonicalize};
use crate::domain::requests::Object;

/// `raw` as a `T`, where it is one.
pub(super) fn part<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
}

/// `raw` as an object's fields, where it is an object.
pub(super) fn object<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    part(raw).map(|Object(fields)| fields)
}

/// `raw` as a text, where it is a string.
pub(super) fn text(raw: Option<&RawValue>) -> Option<Cow<'_, str>> {
    // Looked at first, because serde would put into words what else it is.
    raw.filter(|raw| raw.get().starts_with('"')).and_then(|raw| part(Some(raw))).map(|Text(text)| text)
}

/// The items of `raw`, where it is an array.
pub(super) fn items(raw: Option<&RawValue>) -> Vec<&RawValue> {
    raw.filter(|raw| raw.get().starts_with('[')).and_then(|raw| part(Some(raw))).unwrap_or_default()
}

/// The fields of a peer's message, which has to be a JSON object without a key given twice: else `malformed_answer`.
pub(super) fn message<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, Failure> {
    canonicalize(json, &mut Vec::new()).map_err(|fault| malformed(&fault))?;
    serde_json::from_str(json)
        .map(|Object(fields)| fields)
        .map_err(|error| Failure::malformed(format!("the answer has a message that is no object: {error}")))
}

/// A text without the whitespace of JSON around it.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// `malformed_answer`, because of what is wrong with its JSON.
pub(super) fn malformed(fault: &JsonFault) -> Failure {
    Failure::malformed(format!("the answer can't be read: {fault}"))
}
