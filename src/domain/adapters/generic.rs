//! Any output as `{content, sources, relevance?, confidence?, data?}`.
//!
//! | sent | becomes |
//! |---|---|
//! | an object with a text `content` and an array `sources` | itself, unchanged |
//! | another object | all its fields as sent, in order, and what is missing: `content` is a copy of the first text among `answer`, `final_answer`, `final_report`, `report`, `markdown` (of these three one with a blank in it), `text`, `output`, `result`, `message`, `summary`, `transcript`, `response`, `completion`, `generation`, else `""`; `sources` of the first array among `citations`, `references`, `urls`, `links`, else `[]` |
//! | a text | `{content: it, sources: []}` |
//! | anything else | `{content: "", sources: [], data: it}` |
//!
//! A `content` that is no text and `sources` that are no array move to `unread` (`null` is left out).

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::shape::{Member, ObjectText, finished, is_array, is_object, is_text, members};
use crate::domain::canonical_json::Text;
use crate::domain::event::RawJson;

/// Members that are read as the content where there is none of that name.
#[rustfmt::skip]
pub(in crate::domain) const CONTENT_ALIASES: &[&str] = &[
    "answer", "final_answer", "final_report", "report", "markdown", "text", "output", "result", "message", "summary", "transcript", "response", "completion", "generation",
];
/// Those of them that count before a shorter text only where they are one: `"report": "daily"` says which.
const LONG: &[&str] = &["final_report", "report", "markdown"];
const SOURCES_ALIASES: &[&str] = &["citations", "references", "urls", "links"];

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    let text = raw.get();
    if is_text(text) {
        return finished(wrapped(text, None), raw);
    }
    if is_plainly_regular(text) || is_object(text) && serde_json::from_str(text).is_ok_and(|IsRegular(it)| it) {
        return raw.clone();
    }
    match members(text) {
        Some(members) => finished(filled(&members, text.len()), raw),
        None => finished(wrapped("\"\"", Some(text)), raw),
    }
}

fn wrapped(content: &str, data: Option<&str>) -> String {
    let mut object = ObjectText::new(content.len() + data.map_or(0, str::len) + 40);
    object.member("content", content);
    object.member("sources", "[]");
    if let Some(data) = data {
        object.member("data", data);
    }
    object.finish()
}

fn filled(members: &[Member<'_>], bytes: usize) -> String {
    let mut object = ObjectText::new(2 * bytes + 40);
    let (mut has_content, mut has_sources) = (false, false);
    let (mut kept, mut unread) = (Vec::new(), Vec::new());
    for Member { key: Text(key), value } in members {
        let fits = match key.as_ref() {
            "content" => is_text(value) && !std::mem::replace(&mut has_content, true),
            "sources" => is_array(value) && !std::mem::replace(&mut has_sources, true),
            _ => true,
        };
        let member = || Member { key: Text(key.clone()), value };
        if fits {
            kept.push(member());
        } else if *value != "null" {
            unread.push(member());
        }
    }
    object.members(&kept);
    let first = |aliases: &[&str], fits: fn(&str) -> bool| {
        let is_one = |alias: &str, value: &str| fits(value) && (!LONG.contains(&alias) || value.contains(' '));
        let named = |alias: &&str| {
            members.iter().find(|member| member.key.0 == **alias && is_one(alias, member.value))
        };
        aliases.iter().find_map(named).map(|member| member.value)
    };
    if !has_content {
        object.member("content", first(CONTENT_ALIASES, is_text).unwrap_or("\"\""));
    }
    if !has_sources {
        object.member("sources", first(SOURCES_ALIASES, is_array).unwrap_or("[]"));
    }
    object.unread(&unread, &kept);
    object.finish()
}

/// Whether JSON whose keys are given once begins with a text `content` and an array `sources`, as most outputs do: what
/// comes after them makes no difference.
fn is_plainly_regular(text: &str) -> bool {
    let content = after(text, "{").and_then(|rest| after(rest, "\"content\"")).and_then(|rest| after(rest, ":"));
    let sources = content
        .and_then(|rest| after_text(after(rest, "\"")?))
        .and_then(|rest| after(rest, ","))
        .and_then(|rest| after(rest, "\"sources\""))
        .and_then(|rest| after(rest, ":"));
    sources.is_some_and(|rest| after(rest, "[").is_some())
}

/// What follows a token, which may stand after whitespace: in JSON, between tokens, there is no other than ASCII's.
fn after<'t>(text: &'t str, token: &str) -> Option<&'t str> {
    text.trim_ascii_start().strip_prefix(token)
}

/// What follows a string that has begun.
fn after_text(text: &str) -> Option<&str> {
    let mut from = 0;
    loop {
        let at = from + memchr::memchr2(b'"', b'\\', text.as_bytes().get(from..)?)?;
        if text.as_bytes()[at] == b'"' {
            return Some(&text[at + 1..]);
        }
        // A backslash and what it escapes.
        from = at + 2;
    }
}

/// Whether a value is an object with both required fields: one pass over its keys, nothing kept.
struct IsRegular(bool);

impl<'de> Deserialize<'de> for IsRegular {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RegularVisitor;
        impl<'de> Visitor<'de> for RegularVisitor {
            type Value = IsRegular;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<IsRegular, A::Error> {
                let (mut content, mut sources) = (false, false);
                while let Some(Text(key)) = map.next_key()? {
                    match key.as_ref() {
                        "content" => content = is_text(map.next_value::<&'de RawValue>()?.get()),
                        "sources" => sources = is_array(map.next_value::<&'de RawValue>()?.get()),
                        _ => _ = map.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(IsRegular(content && sources))
            }
        }
        deserializer.deserialize_map(RegularVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plainly_regular_is_regular_and_what_is_not_is_read_whole() {
        let plain = [
            r#"{"content":"","sources":[]}"#,
            r#"{"content":"a \"quoted\" text\\","sources":[1,{"x":2}],"content_":3}"#,
            "\n { \"content\" : \"ü\\u0041 \\n\" ,\t\"sources\": [ ] }",
        ];
        let other = [
            r#"{"content":5,"sources":[]}"#,
            r#"{"content":"\",\"sources\":["}"#,
            r#"{"content":"a","sources":{}}"#,
            r#"{"content":"a"}"#,
            r#"{"content":"a","x":1,"sources":[]}"#,
            r#"{"sources":[],"content":"a"}"#,
            r#"["content","sources"]"#,
            r#""{\"content\":\"\",\"sources\":[]}""#,
        ];
        for text in plain.iter().chain(&other) {
            let is_regular = serde_json::from_str(text).is_ok_and(|IsRegular(it)| it);
            assert_eq!(is_plainly_regular(text), plain.contains(text), "{text}");
            assert!(is_regular || !is_plainly_regular(text), "{text}");
        }
        for cut in 0..plain[1].len() {
            let _ = is_plainly_regular(plain[1].get(..cut).unwrap_or_default());
        }
    }
}
