//! JSON in the text of a language model's answer (`{content, finish_reason?, …}`): asked for a table or a card, it
//! writes one, often inside a fence and with a sentence before it.
//!
//! The members of that JSON stand in the place of `content`; what else the answer says (its reason to stop, its cost)
//! stays beside them, and so does `content` where it says more than the JSON. An answer that calls tools is left as it is:
//! its text is what is said about the calls.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::shape::{Member, ObjectText, is_array, is_text, members};
use super::values::{embedded, find, plain};
use crate::domain::canonical_json::{canonicalize, one_line};
use crate::domain::event::RawJson;

/// What a language model's answer has beside its text.
const BESIDE: [&str; 5] = ["finish_reason", "usage", "model", "refusal", "stop_reason"];

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
    let whole = embedded(content);
    let held = whole.clone().or_else(|| fenced(&plain(content)))?;
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

/// The object or list in the one fenced block that holds such a thing; `None` where several do: which is meant isn't
/// known.
fn fenced(text: &str) -> Option<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let mut found = blocks.filter_map(|block| {
        let json = block.strip_prefix("json").unwrap_or(block).trim();
        let holds = (json.starts_with('{') || is_array(json)) && canonicalize(json, &mut Vec::new()).is_ok();
        holds.then(|| one_line(json).into_owned())
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
