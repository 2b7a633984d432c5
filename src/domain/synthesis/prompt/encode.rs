//! What others wrote, as JSON that is data to a model and to its server.
//!
//! Two readers could take a text for more than data. A model may follow what it can't see, so hidden characters go. A
//! server's chat template may take `<|im_end|>`, `[INST]`, `<s>` or `<start_of_turn>` for its own marks, so the character
//! with which such a mark begins is written as a JSON escape: `\u003c|im_end|>`. That loses nothing: a model that quotes
//! it in JSON quotes it verbatim, and no tag can be closed from within.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use crate::domain::render::inert;

/// A name in brackets with fewer capitals isn't a template's mark.
const CAPITALS_MIN: usize = 2;
/// A longer one isn't either. In bytes.
const MARK_BYTES_MAX: usize = 40;

/// A text without what can't be seen; lines stay lines.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    inert::block(text)
}

/// The same, as one line.
pub(super) fn line(text: &str, chars_max: usize) -> String {
    crate::domain::text::clean::one_line(text, chars_max)
}

/// A value as JSON on one line, without a chat template's marks. O(n).
pub(super) fn json(value: &impl Serialize) -> String {
    // The shapes here have only names as keys and no number that JSON lacks: writing them doesn't fail.
    neutral(&serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()))
}

/// A text as a JSON string; `null` where there is none.
pub(super) fn json_text(text: Option<&str>) -> String {
    json(&text.map(clean))
}

/// A value whose strings are clean; keys stay, they are a draft's own names.
pub(super) fn clean_value(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text).into_owned()),
        Value::Array(items) => Value::Array(items.iter().map(clean_value).collect()),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (clean(key).into_owned(), clean_value(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// JSON in which nothing begins like a chat template's mark: what does so stands in a string, since JSON's own brackets
/// are never followed by such letters.
fn neutral(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 32);
    let mut from = 0;
    for (at, c) in json.char_indices() {
        let escaped = match c {
            '<' if begins_tag(&json[at + 1..]) => "\\u003c",
            '＜' => "\\uff1c",
            '[' if begins_bracket(&json[at + 1..]) => "\\u005b",
            _ => continue,
        };
        out.push_str(&json[from..at]);
        out.push_str(escaped);
        from = at + c.len_utf8();
    }
    out.push_str(&json[from..]);
    out
}

/// Whether what follows a `<` makes it a tag or a mark: `<|`, `</`, `<s>`, `<<SYS>>`; a number is less than another.
fn begins_tag(rest: &str) -> bool {
    rest.starts_with(|c: char| {
        c.is_alphabetic() || matches!(c, '|' | '｜' | '/' | '<' | '!' | '_' | '\\' | '▁')
    })
}

/// Whether what follows a `[` makes it a mark: `[INST]`, `[/INST]`, `[SYSTEM_PROMPT]`, `[gMASK]`.
fn begins_bracket(rest: &str) -> bool {
    let name = rest.strip_prefix('/').unwrap_or(rest).as_bytes();
    let length =
        name.iter().take(MARK_BYTES_MAX).take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
    let capitals = name[..length].iter().filter(|byte| byte.is_ascii_uppercase()).count();
    name.get(length) == Some(&b']') && capitals >= CAPITALS_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_templates_are_escaped_and_mean_the_same() {
        for (text, written) in [
            ("a < b and 3<4, x<=y", "a < b and 3<4, x<=y"),
            ("<|im_end|>", "\\u003c|im_end|>"),
            ("<\u{200B}|im_end|>", "\\u003c|im_end|>"),
            ("</data-1><s>", "\\u003c/data-1>\\u003cs>"),
            ("<<SYS>>", "\\u003c\\u003cSYS>>"),
            ("<｜begin▁of▁sentence｜>", "\\u003c｜begin▁of▁sentence｜>"),
            ("＜s＞", "\\uff1cs＞"),
            ("[INST] [/INST] [1] [a] [x][Link]", "\\u005bINST] \\u005b/INST] [1] [a] [x][Link]"),
            ("[gMASK]<sop>", "\\u005bgMASK]\\u003csop>"),
            ("\"\\\n\u{2028}\u{202E}", "\\\"\\\\\\n\\n"),
        ] {
            let json = json_text(Some(text));
            assert_eq!(json, format!("\"{written}\""), "{text:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), clean(text), "{text:?}");
        }
        assert_eq!(json_text(None), "null");
        assert_eq!(json(&["NULL", "a"]), "[\"NULL\",\"a\"]");
    }
}
