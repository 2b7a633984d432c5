//! Answers as the APIs of language models and agents give them, pushed as they came: their text is found and stands under
//! `content`, as an agent would have written it itself.
//!
//! | where the text stands | whose answer |
//! |---|---|
//! | `choices[0].message.content`, `choices[0].text` | OpenAI's chat completions, and all that speak like it |
//! | `output[].content[].text` of messages | OpenAI's Responses |
//! | `content[].text` | Anthropic's messages, tools of the Model Context Protocol |
//! | `candidates[0].content.parts[].text` | Gemini |
//! | `message.content`, `message.parts[].text` | Ollama, A2A 0.2 |
//! | `response` beside `done` or `source_nodes` | Ollama's completions, LlamaIndex |
//! | `parts[].text`, `artifacts[].parts[].text`, `status.message.parts[].text` | Agent2Agent messages and tasks |
//! | `result` beside `jsonrpc` | any of those over JSON-RPC |
//! | the last message of a [`conversation`] | frameworks for agents |
//! | see [`frameworks`] | frameworks for agents |
//!
//! Texts may be parts of a list; a model's thinking isn't its text. One `data` part and no text is the answer itself.
//! Everything else stays where it was: only what was found is taken away from its place, so that nothing is there twice
//! and a second look finds nothing. What is left where `content` stood stands under `blocks`, and what would come to a name that
//! is taken under the next free one (`blocks_`). An object that has a text under a name of its own is no such answer. Linear.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::conversation;
use super::frameworks;
use super::shape::{Member, ObjectText, is_array, is_object, is_text, members, quoted};
use super::values::{find, is_boolean, items, plain};
use crate::domain::event::RawJson;

/// Names under which an agent's own output has its text.
const OWN: [&str; 7] = ["content", "answer", "text", "response", "output", "transcript", "output_text"];
/// What stands between the texts of several messages or artifacts.
const BETWEEN: &str = "\n\n";

/// Reads a value.
type Read = fn(&str) -> Option<Found>;

/// Where texts stand.
const PLACES: [(&str, Read); 8] = [
    ("choices", choices),
    ("candidates", choices),
    ("output", list),
    ("content", list),
    ("artifacts", list),
    ("parts", list),
    ("message", message),
    ("status", message),
];

/// What was found in a value.
#[derive(Default)]
struct Found {
    texts: Vec<String>,
    /// Objects of `data` parts, each with its part.
    data: Vec<(String, String)>,
    /// The value without them; `None` where nothing is left.
    left: Option<String>,
}

/// The answer as `{content, …}`; `None` for what is none.
pub(super) fn opened(raw: &RawJson) -> Option<RawJson> {
    // What has no object within, nor that name, is none: most outputs end here.
    let text = raw.get().as_bytes();
    let may_be = || memchr::memmem::find(text, b"\"response\"").map(drop);
    memchr::memchr(b'{', text.get(1..)?).map(drop).or_else(may_be)?;
    if let Some(opened) = conversation::opened(raw.get()) {
        return Some(opened);
    }
    let members = members(raw.get())?;
    if let Some(answer) = frameworks::opened(&members) {
        return RawValue::from_string(answer).ok().map(Arc::from);
    }
    if let Some(response) = response(&members) {
        let mut object = ObjectText::new(raw.get().len() + 8);
        object.member("content", response);
        let others = members.iter().filter(|member| member.key.0 != "response");
        others.for_each(|member| object.member(&member.key.0, member.value));
        return RawValue::from_string(object.finish()).ok().map(Arc::from);
    }
    if OWN.iter().any(|name| find(&members, name).is_some_and(is_text)) {
        return None;
    }
    let is_rpc = find(&members, "jsonrpc") == Some("\"2.0\"");
    let found = PLACES.iter().find_map(|(name, read)| Some((*name, read(find(&members, name)?)?)));
    let (name, found) = match found {
        Some(found) => found,
        None if is_rpc => return inside(&members),
        None => return None,
    };
    let mut object = ObjectText::new(raw.get().len() + 32);
    let mut data = Vec::new();
    match found.data.as_slice() {
        [(only, _)] if found.texts.is_empty() => {
            data = self::members(only)?;
            object.members(&data);
        }
        _ => object.member("content", &quoted(&found.texts.join(BETWEEN))),
    }
    for Member { key, value } in &members {
        // A name that nothing else has.
        let free = |name: &str| {
            let mut name = name.to_owned();
            while has(&data, &name) || key.0 != name && has(&members, &name) {
                name.push('_');
            }
            name
        };
        match (key.0 == name, &found.left) {
            // Of two of a name the answer's own counts.
            (false, _) if has(&data, &key.0) => {}
            (false, _) if data.is_empty() && key.0 == "content" => object.member(&free("blocks"), value),
            (false, _) => object.member(&key.0, value),
            // Its own name is that of the text.
            (true, Some(left)) if name == "content" => object.member(&free("blocks"), left),
            (true, Some(left)) => object.member(&free(name), left),
            (true, None) => {}
        }
    }
    RawValue::from_string(object.finish()).ok().map(Arc::from)
}

/// Whether there is a member of that name, `null` or not.
fn has(members: &[Member<'_>], name: &str) -> bool {
    members.iter().any(|member| member.key.0 == name)
}

/// The text of a completion of Ollama's, or of a response of LlamaIndex': its name alone doesn't tell it, what stands beside
/// it does.
fn response<'a>(members: &[Member<'a>]) -> Option<&'a str> {
    let is_known =
        find(members, "done").is_some_and(is_boolean) || find(members, "source_nodes").is_some_and(is_array);
    let has_other = |name: &&str| *name != "response" && has(members, name);
    let text = find(members, "response").filter(|text| is_known && is_text(text))?;
    (!OWN.iter().any(has_other)).then_some(text)
}

/// The answer in the result of a call over JSON-RPC.
fn inside(members: &[Member<'_>]) -> Option<RawJson> {
    let is_call = members.iter().all(|member| ["jsonrpc", "id", "result"].contains(&member.key.0.as_ref()));
    let result = find(members, "result").filter(|result| is_call && is_object(result))?;
    let opened = opened(&RawValue::from_string(result.to_owned()).ok().map(Arc::from)?)?;
    let inner = self::members(opened.get())?;
    let mut object = ObjectText::new(opened.get().len() + 48);
    object.members(&inner);
    for Member { key, value } in members {
        if key.0 != "result" && !has(&inner, &key.0) {
            object.member(&key.0, value);
        }
    }
    RawValue::from_string(object.finish()).ok().map(Arc::from)
}

/// The first of several answers; the others stay.
fn choices(value: &str) -> Option<Found> {
    let items = items(value)?;
    let (first, rest) = items.split_first()?;
    let found = message(first)?;
    let left: Vec<&str> = found.left.as_deref().into_iter().chain(rest.iter().copied()).collect();
    let left = (!left.is_empty()).then(|| format!("[{}]", left.join(",")));
    Some(Found { left, ..found })
}

/// A message, or what holds one.
fn message(value: &str) -> Option<Found> {
    let members = members(value)?;
    let held = ["message", "content", "parts", "text"];
    let (name, found) = held.iter().find_map(|name| {
        let value = find(&members, name)?;
        let found = match value {
            text if is_text(text) => Found { texts: vec![plain(text).into_owned()], ..Found::default() },
            value if is_array(value) => list(value)?,
            value => message(value)?,
        };
        Some((*name, found))
    })?;
    let mut object = ObjectText::new(value.len());
    for Member { key, value } in &members {
        match (key.0 == name, &found.left) {
            (false, _) => object.member(&key.0, value),
            (true, Some(left)) => object.member(&key.0, left),
            (true, None) => {}
        }
    }
    Some(Found { left: Some(object.finish()), ..found })
}

/// What a message says, and the message without that.
pub(super) fn said_in(message: &str) -> Option<(String, String)> {
    let Found { texts, left, .. } = self::message(message)?;
    Some((texts.join(BETWEEN), left.unwrap_or_default()))
}

/// Parts, or messages and artifacts that have some.
fn list(value: &str) -> Option<Found> {
    let (mut found, mut left, mut text) = (Found::default(), Vec::new(), String::new());
    let mut own = Vec::new();
    for item in items(value)? {
        match part(item) {
            Part::Text(words, rest) => {
                text.push_str(&words);
                left.extend(rest);
            }
            Part::Data(data) => {
                own.push(item);
                found.data.push((data, item.to_owned()));
            }
            Part::Holds(inner) => {
                found.texts.extend(inner.texts);
                found.data.extend(inner.data);
                left.extend(inner.left);
            }
            Part::Other => left.push(item.to_owned()),
        }
    }
    if !text.is_empty() {
        found.texts.insert(0, text);
    }
    // Data beside a text is no answer by itself: it stays where it was, as several are.
    if found.texts.is_empty() && found.data.len() != 1 {
        return None;
    }
    if found.texts.is_empty() {
        left.extend(own.into_iter().filter_map(|part| beside(&members(part)?, "data")));
    } else {
        left.extend(std::mem::take(&mut found.data).into_iter().map(|(_, part)| part));
    }
    found.left = (!left.is_empty()).then(|| format!("[{}]", left.join(",")));
    Some(found)
}

enum Part {
    /// And what the part says beside it, such as what it cites.
    Text(String, Option<String>),
    Data(String),
    /// A message or an artifact.
    Holds(Found),
    Other,
}

fn part(item: &str) -> Part {
    let Some(members) = members(item) else { return Part::Other };
    let kind = ["type", "kind", "part_kind"].iter().find_map(|name| find(&members, name)).map(plain);
    let is_thought = find(&members, "thought") == Some("true");
    let text = find(&members, "text").filter(|text| is_text(text) && !is_thought);
    let holds = ["parts", "content", "message"].iter().any(|name| find(&members, name).is_some());
    let is_user = find(&members, "role") == Some("\"user\"");
    match (kind.as_deref(), text) {
        (None | Some("text" | "output_text"), Some(text)) => {
            Part::Text(plain(text).into_owned(), beside(&members, "text"))
        }
        // A part of Pydantic AI's.
        (Some("text"), None) if find(&members, "content").is_some_and(is_text) => {
            message(item).map_or(Part::Other, Part::Holds)
        }
        (None | Some("data"), _) if find(&members, "data").is_some_and(is_object) => {
            Part::Data(find(&members, "data").unwrap_or_default().to_owned())
        }
        (None | Some("message"), None) if holds && !is_user => message(item).map_or(Part::Other, Part::Holds),
        _ => Part::Other,
    }
}

/// A part without what it holds under a name; `None` where it says no more than what kind of part it is.
fn beside(members: &[Member<'_>], name: &str) -> Option<String> {
    let says = |member: &Member<'_>| {
        !["type", "kind", name].contains(&member.key.0.as_ref())
            && !matches!(member.value, "null" | "[]" | "{}")
    };
    members.iter().find(|member| says(member))?;
    let mut object = ObjectText::new(64);
    let others = members.iter().filter(|member| member.key.0 != name);
    others.for_each(|member| object.member(&member.key.0, member.value));
    Some(object.finish())
}

#[cfg(test)]
mod tests;
