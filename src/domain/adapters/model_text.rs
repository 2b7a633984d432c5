//! JSON in the text of a language model's answer (`{content, finish_reason?, …}`): asked for a table or a card, it
//! writes one, often inside a fence, with a sentence before it, or behind its thoughts.
//!
//! The members of that JSON stand in the place of `content`; what else the answer says (its reason to stop, its cost)
//! stays beside them, and so does `content` where it says more than the JSON. An answer that calls tools is left as it is:
//! its text is what is said about the calls.

use std::sync::Arc;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::shape::{Member, ObjectText, is_array, is_text, members};
use super::values::{embedded_in, find, plain};
use crate::domain::canonical_json::{canonicalize, one_line};
use crate::domain::event::RawJson;
use crate::domain::synthesis::draft::behind_thoughts;

/// What a language model's answer has beside its text.
const BESIDE: [&str; 9] = [
    "finish_reason",
    "usage",
    "model",
    "refusal",
    "stop_reason",
    "annotations",
    "citations",
    "search_results",
    "blocks",
];

/// The members of a language model's answer; `None` for anything else. What is `known` to be one may have more beside.
fn answer(raw: &RawJson, known: bool) -> Option<Vec<Member<'_>>> {
    let members = members(raw.get())?;
    let is_own = |member: &Member<'_>| member.key.0 == "content" || BESIDE.contains(&member.key.0.as_ref());
    (find(&members, "content").is_some_and(is_text) && (known || members.iter().all(is_own)))
        .then_some(members)
}

/// Whether it is the text of a language model, and nothing else.
pub(super) fn is_answer(raw: &RawJson) -> bool {
    answer(raw, false).is_some()
}

/// The output that such a text holds; a list stands under `list`. `None` where it holds none. `known`: see [`answer`].
pub(super) fn opened(raw: &RawJson, list: &str, known: bool) -> Option<RawJson> {
    let answer = answer(raw, known)?;
    let content = find(&answer, "content")?;
    let said = plain(content);
    let said = behind_thoughts(&said);
    let whole = embedded_in(said);
    let held = whole.clone().or_else(|| fenced(said))?;
    let inner = members(&held);
    let is_taken = |key: &str| {
        inner.as_ref().map_or(key == list, |inner| inner.iter().any(|member| member.key.0 == *key))
    };
    let mut out = ObjectText::new(raw.get().len() + 32);
    match &inner {
        Some(inner) => out.members(inner),
        None => out.member(list, &held),
    }
    for Member { key, value } in &answer {
        // The text is told by its JSON, unless there is more in it.
        if (key.0 != "content" || whole.is_none()) && !is_taken(&key.0) {
            out.member(&key.0, value);
        }
    }
    RawValue::from_string(out.finish()).ok().map(Arc::from)
}

/// Whether it is such an answer with what only an answer has: why the model stopped, what it cost.
pub(super) fn is_whole_answer(raw: &str) -> bool {
    let Some(members) = members(raw) else { return false };
    let is_own = |member: &Member<'_>| member.key.0 == "content" || BESIDE.contains(&member.key.0.as_ref());
    members.len() > 1 && members.iter().all(is_own) && find(&members, "content").is_some_and(is_text)
}

/// The object or list that a text holds: in its one fenced block with such a thing, or else the one object in its prose.
pub(super) fn within(text: &str) -> Option<String> {
    fenced(text).or_else(|| in_prose(text))
}

/// The object or list in the one fenced block that holds such a thing; `None` where several do: which is meant isn't
/// known.
fn fenced(text: &str) -> Option<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    only(blocks.map(|block| block.strip_prefix("json").unwrap_or(block).trim()))
}

/// The one object that stands in prose. As many braces are tried as a short text has that isn't code.
fn in_prose(text: &str) -> Option<String> {
    const BRACES_MAX: usize = 16;
    let mut end = 0;
    let objects = memchr::memchr_iter(b'{', text.as_bytes()).take(BRACES_MAX).filter_map(|at| {
        let mut read = serde_json::Deserializer::from_str(&text[at..]).into_iter::<IgnoredAny>();
        let object = (at >= end).then(|| read.next()?.ok()).flatten();
        end = end.max(object.map_or(0, |_| at + read.byte_offset()));
        object.map(|_| &text[at..end])
    });
    only(objects)
}

/// The only one of some texts that is JSON: an object or a list, on one line.
fn only<'t>(texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut found = texts.filter_map(|json| {
        let holds = (json.starts_with('{') || is_array(json)) && canonicalize(json, &mut Vec::new()).is_ok();
        holds.then(|| one_line(json).into_owned())
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
