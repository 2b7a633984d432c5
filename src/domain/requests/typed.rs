//! JSON into types, and where that fails: which code, which place, and a sentence for a person.
//!
//! serde says what is wrong only as text, so the codes are told from that text; the tests pin the words.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_path_to_error::{Path, Segment};

use crate::domain::canonical_json::{JsonFault, canonicalize, pointer_step};
use crate::domain::ids::InvalidId;
use crate::domain::verdict::{Code, Refusal};

/// Longest detail, in characters: serde quotes the whole of a text that it didn't expect.
const DETAIL_CHARS_MAX: usize = 400;

/// `text` as a `T`; places in a refusal are given below the pointer `under`.
///
/// What went wrong is only looked for once something has: then the text is read twice more.
pub(in crate::domain) fn typed<'de, T: Deserialize<'de>>(text: &'de str, under: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| {
        if let Err(fault) = canonicalize(text, &mut Vec::new()) {
            return refusal_of(fault, under);
        }
        match serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_str(text)) {
            Err(located) => refusal_at(&format!("{under}{}", pointer_to(located.path())), located.inner()),
            Ok(_) => refusal_at(under, &error),
        }
    })
}

/// A `T` that is read from an object only: derived structs would also take an array of their fields' values.
pub(in crate::domain) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// The refusal of a text that has no canonical form.
pub(in crate::domain) fn refusal_of(fault: JsonFault, under: &str) -> Refusal {
    let detail = fault.to_string();
    match fault {
        JsonFault::DuplicateKey { pointer, .. } => {
            Refusal::at(Code::InvalidJson, format!("{under}{pointer}"), detail)
        }
        JsonFault::Syntax { .. } | JsonFault::TooDeep => Refusal::at(Code::InvalidJson, under, detail),
    }
}

fn refusal_at(pointer: &str, error: &serde_json::Error) -> Refusal {
    let detail = detail_of(error);
    let code = if detail.starts_with("unknown field") {
        Code::UnknownField
    } else if detail == InvalidId.to_string() {
        Code::InvalidId
    } else {
        Code::InvalidEvent
    };
    // What isn't there is named by its place: where it should stand.
    let missing = detail.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    let pointer =
        missing.map_or_else(|| pointer.to_owned(), |name| format!("{pointer}{}", pointer_step(name)));
    Refusal::at(code, pointer, detail)
}

fn pointer_to(path: &Path) -> String {
    path.iter()
        .map(|segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            Segment::Map { key } | Segment::Enum { variant: key } => pointer_step(key),
            Segment::Unknown => String::new(),
        })
        .collect()
}

/// serde's words without its line and column (the pointer says where) and without names of Rust's types.
fn detail_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    in_plain_words(text).chars().take(DETAIL_CHARS_MAX).collect()
}

/// What serde says, without names of Rust's types.
pub(crate) fn in_plain_words(text: &str) -> String {
    match text.rsplit_once(", expected ") {
        Some((found, expected)) if !text.starts_with("unknown") => {
            format!("{found}, expected {}", plain_name(expected))
        }
        Some(_) | None => text.to_owned(),
    }
}

fn plain_name(expected: &str) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, not negative and not too large",
        "f64" => "a number",
        "a sequence" => "an array",
        other if other == "a map" || other.starts_with("struct ") => "an object",
        other => other,
    }
}
