//! Values of JSON, read as what a sender means by them: `"0.91"` as a number, `"arguments": "{…}"` as an object.
//!
//! Everything takes the text of one value and gives text or a plain value. What isn't what was asked for is `None`.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::value::RawValue;

use super::shape::{Member, is_array, is_number, is_object, is_text, members};
use crate::domain::canonical_json::{Text, canonicalize, one_line};

/// Longest text that is taken for a word, in bytes.
const WORD_BYTES_MAX: usize = 64;

/// The characters of a JSON string, or of another value as it stands.
pub(super) fn plain(value: &str) -> Cow<'_, str> {
    serde_json::from_str(value).map_or(Cow::Borrowed(value), |Text(text)| text)
}

/// Whether a value is `true` or `false`.
pub(super) fn is_boolean(value: &str) -> bool {
    matches!(value, "true" | "false")
}

/// Whether a value is a string with more in it than whitespace.
pub(super) fn says_something(value: &str) -> bool {
    is_text(value) && !plain(value).trim().is_empty()
}

/// A boolean, or its word in a string, as forms and call services send it.
pub(super) fn boolean(value: &str) -> Option<bool> {
    match word(value)?.as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

/// Whether [`boolean`] reads it.
pub(super) fn reads_as_boolean(value: &str) -> bool {
    boolean(value).is_some()
}

/// A number, or the one in a string, as JSON; no other than a double can hold.
pub(super) fn numeric(value: &str) -> Option<Cow<'_, str>> {
    let digits = match plain(value) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    (is_number(&digits) && serde_json::from_str::<f64>(&digits).is_ok()).then_some(digits)
}

/// The value of a [`numeric`].
pub(super) fn number(value: &str) -> Option<f64> {
    serde_json::from_str(&numeric(value)?).ok()
}

/// Whether [`numeric`] reads it.
pub(super) fn reads_as_number(value: &str) -> bool {
    numeric(value).is_some()
}

/// A word for a state or a decision: lowercase, with `_` between its parts. Long texts are none.
pub(super) fn word(value: &str) -> Option<String> {
    (is_text(value) || is_boolean(value)).then(|| word_of(&plain(value))).flatten()
}

/// The same of a text that is no JSON.
pub(super) fn word_of(text: &str) -> Option<String> {
    let trimmed = text.trim_matches(|c: char| !c.is_alphanumeric());
    let part = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    (1..=WORD_BYTES_MAX).contains(&trimmed.len()).then(|| trimmed.chars().map(part).collect())
}

/// The items of an array.
pub(super) fn items(value: &str) -> Option<Vec<&str>> {
    if !is_array(value) {
        return None;
    }
    let items: Vec<&RawValue> = serde_json::from_str(value).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// The first member of that name, `null` left out.
pub(super) fn find<'a>(members: &[Member<'a>], name: &str) -> Option<&'a str> {
    members
        .iter()
        .find(|member| member.key.0 == name)
        .map(|member| member.value)
        .filter(|value| *value != "null")
}

/// The value at the end of a path of names, where `0` is the first item of an array.
pub(super) fn below<'a>(value: &'a str, path: &[&str]) -> Option<&'a str> {
    let step = |value: &'a str, name: &&str| match *name {
        "0" => items(value)?.first().copied(),
        name => find(&members(value)?, name),
    };
    path.iter().try_fold(value, step)
}

/// The value at the end of the first path that leads somewhere. Each path reads its first member's text once.
pub(super) fn first_below<'a>(members: &[Member<'a>], paths: &[&[&str]]) -> Option<&'a str> {
    paths.iter().find_map(|path| {
        let (first, rest) = path.split_first()?;
        below(find(members, first)?, rest)
    })
}

/// The object or array that a string holds, fenced or not, on one line: language models and tool calls send JSON so.
/// `None` where it is none, has a key twice, or is too deep.
pub(super) fn embedded(value: &str) -> Option<String> {
    if is_text(value) { embedded_in(&plain(value)) } else { None }
}

/// The same of a text that is no JSON.
pub(super) fn embedded_in(text: &str) -> Option<String> {
    let mut json = text.trim();
    if let Some(fenced) = json.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) {
        json = fenced.strip_prefix("json").unwrap_or(fenced).trim();
    }
    let holds = (is_object(json) || is_array(json)) && canonicalize(json, &mut Vec::new()).is_ok();
    holds.then(|| one_line(json).into_owned())
}

/// `text`, cut to `chars_max` characters with an ellipsis as the last one; `None` where it isn't longer.
pub(super) fn shortened(text: &str, chars_max: usize) -> Option<String> {
    // No text has more characters than bytes, so most are never counted.
    if text.len() <= chars_max {
        return None;
    }
    let mut places = text.char_indices().map(|(place, _)| place);
    let cut = places.by_ref().nth(chars_max.saturating_sub(1))?;
    places.next()?;
    Some(format!("{}…", &text[..cut]))
}

/// Opens envelopes: the members of an object under one of `names` take its place, one level deep. Where that would
/// give a name twice, the envelope stays closed: half of one would mislead.
pub(super) fn opened<'a>(outer: Vec<Member<'a>>, names: &[&str]) -> Vec<Member<'a>> {
    let is_envelope = |member: &Member<'_>| names.contains(&member.key.0.as_ref()) && is_object(member.value);
    if !outer.iter().any(is_envelope) {
        return outer;
    }
    let mut taken: HashSet<String> = outer.iter().map(|member| member.key.0.to_string()).collect();
    let mut all = Vec::with_capacity(outer.len() + 8);
    for envelope in outer {
        let is_free =
            |inner: &Member<'_>| inner.key.0 == envelope.key.0 || !taken.contains(inner.key.0.as_ref());
        match members(envelope.value).filter(|_| is_envelope(&envelope)) {
            Some(inner) if inner.iter().all(is_free) => {
                taken.extend(inner.iter().map(|inner| inner.key.0.to_string()));
                all.extend(inner);
            }
            Some(_) | None => all.push(envelope),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_senders_mean_them() {
        assert_eq!(numeric(r#"" 0.91""#).as_deref(), Some("0.91"));
        assert_eq!([numeric("1e400"), numeric("\"x\""), numeric("true")], [None, None, None]);
        assert_eq!(word(r#""In-Progress!""#).as_deref(), Some("in_progress"));
        assert_eq!(embedded(r#""```json\n{\"a\":\n1}\n```""#).as_deref(), Some(r#"{"a":1}"#));
        assert_eq!(embedded(r#""{\"a\":1,\"a\":2}""#), None);
        assert_eq!(below(r#"{"a":[{"b":7}]}"#, &["a", "0", "b"]), Some("7"));
    }

    #[test]
    fn a_text_is_cut_at_a_character_with_an_ellipsis() {
        assert_eq!(shortened("äöüß", 4), None);
        assert_eq!(shortened("äöüßx", 4).as_deref(), Some("äöü…"));
    }

    #[test]
    fn an_envelope_opens_only_where_no_name_comes_twice() {
        let keys =
            |text| opened(members(text).unwrap(), &["result"]).into_iter().map(|m| m.key.0.into_owned());
        assert_eq!(keys(r#"{"x":1,"result":{"a":1,"b":2}}"#).collect::<Vec<_>>(), ["x", "a", "b"]);
        assert_eq!(keys(r#"{"a":1,"result":{"a":1,"b":2}}"#).collect::<Vec<_>>(), ["a", "result"]);
    }
}
