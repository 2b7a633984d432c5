//! States of conversations, as frameworks for agents return and keep them: the last message of the assistant is the answer.
//!
//! | sent | whose |
//! |---|---|
//! | `{"messages": […], …}` | LangGraph, LangChain, OpenAI, AutoGen |
//! | that below `values`, `state`, `output`, `result`, `response`, `data`, `task_result`, or as the only member | LangGraph's server, LangServe, AutoGen |
//! | a list of messages, and of calls of tools and what they gave among them | OpenAI's Responses and Agents SDK, Pydantic AI |
//! | a message of the assistant alone in LangChain's `to_json()` | LangChain |
//!
//! Its text becomes `content`, and is taken away from its place; the conversation stays where it was, a bare list under `messages`.
//! What that message cites are the `sources`, else what tools have found since the user's last message, where it has an address.
//! What the system and the user said is nobody's answer. A state that has an answer of its own, `{"messages": […], "answer": "…"}`, isn't
//! touched: that is read by its name. Linear, but for the levels of the few envelopes that are opened.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::shape::{Member, ObjectText, is_array, is_object, members, quoted};
use super::values::{find, items, says_something};
use crate::domain::event::RawJson;

mod found;
mod message;
#[cfg(test)]
mod tests;

use message::{Who, left_of, said_by, who};

/// What holds a state.
const ENVELOPES: [&str; 9] =
    ["values", "state", "output", "result", "response", "data", "task_result", "chat_message", "message"];
/// How deep envelopes are opened.
const DEPTH_MAX: usize = 4;
/// Names under which a state has an answer beside its messages. A `summary` is one of the conversation.
pub(in crate::domain) const OWN: [&str; 11] = [
    "content",
    "answer",
    "final_answer",
    "final_report",
    "report",
    "markdown",
    "output",
    "response",
    "result",
    "completion",
    "generation",
];

/// An answer that was found.
struct Answer {
    text: String,
    sources: Vec<String>,
    /// What it stood in, without it.
    left: String,
}

/// The answer as `{content, sources, …}`; `None` for what is no conversation, and for one in which the assistant says nothing.
pub(in crate::domain) fn opened(raw: &str) -> Option<RawJson> {
    let has = |sign: &str| memchr::memmem::find(raw.as_bytes(), sign.as_bytes()).is_some();
    if !has("\"content\"") && !has("\"parts\"") {
        return None;
    }
    let Answer { text, sources, left } = answer(raw, DEPTH_MAX)?;
    let sources = format!("[{}]", sources.join(","));
    let mut object = ObjectText::new(raw.len() + sources.len() + 48);
    object.member("content", &quoted(&text));
    match self::members(&left) {
        Some(members) => {
            let is_own = |name: &str| members.iter().any(|member| member.key.0 == name);
            if !is_own("sources") {
                object.member("sources", &sources);
            }
            for Member { key, value } in &members {
                // There it had no text.
                match &*key.0 {
                    "content" => object.beside("content_", value, &members),
                    name => object.member(name, value),
                }
            }
        }
        None => {
            object.member("sources", &sources);
            object.member("messages", &left);
        }
    }
    RawValue::from_string(object.finish()).ok().map(Arc::from)
}

/// Whether a value is a list of messages, at least one.
pub(in crate::domain) fn is_chat(value: &str) -> bool {
    is_array(value) && items(value).is_some_and(|items| is_list_of_messages(&items))
}

fn is_list_of_messages(items: &[&str]) -> bool {
    let said: Option<Vec<Who>> = items.iter().map(|item| who(item)).collect();
    said.is_some_and(|said| said.iter().any(|who| *who != Who::Work))
}

fn answer(value: &str, depth: usize) -> Option<Answer> {
    let depth = depth.checked_sub(1)?;
    if is_array(value) {
        return last_of(value);
    }
    let members = members(value)?;
    if find(&members, "lc").is_some() && who(value) == Some(Who::Assistant) {
        let (text, left) = said_by(value)?;
        return Some(Answer { text, sources: found::cited(&left), left });
    }
    if OWN.iter().any(|name| find(&members, name).is_some_and(says_something)) {
        return None;
    }
    let only = || match members.as_slice() {
        [Member { key, value }] if is_object(value) => Some((&*key.0, answer(value, depth)?)),
        _ => None,
    };
    let messages = || Some(("messages", last_of(find(&members, "messages")?)?));
    let held = || {
        let name = ENVELOPES.iter().find(|name| find(&members, name).is_some_and(holds_state))?;
        Some((*name, answer(find(&members, name)?, depth)?))
    };
    let (name, found) = messages().or_else(held).or_else(only)?;
    let left = left_of(&members, name, &found.left);
    Some(Answer { left, ..found })
}

/// Whether a value may be a state, or hold one. A message alone is read elsewhere, unless it is one of a framework.
fn holds_state(value: &str) -> bool {
    let names = |inner: Vec<Member<'_>>| {
        ["messages", "lc"].iter().chain(&ENVELOPES).any(|name| find(&inner, name).is_some())
    };
    if is_array(value) { has_others(value) } else { members(value).is_some_and(names) }
}

/// Whether others than the assistant speak in a list: without them it may be the parts of one answer.
fn has_others(list: &str) -> bool {
    items(list).is_some_and(|items| items.iter().any(|item| who(item) == Some(Who::Other)))
}

/// The last message of the assistant that says something.
fn last_of(list: &str) -> Option<Answer> {
    let items = items(list)?;
    if !is_list_of_messages(&items) {
        return None;
    }
    let (at, (text, left)) = items.iter().enumerate().rev().find_map(|(at, item)| {
        let said = (who(item) == Some(Who::Assistant)).then(|| said_by(item)).flatten()?;
        // With that word a conversation of AutoGen's ends.
        (said.0.trim() != "TERMINATE").then_some((at, said))
    })?;
    let asked = items[..at].iter().rposition(|item| who(item) == Some(Who::Other)).unwrap_or(0);
    let cited = found::cited(items[at]);
    let sources = if cited.is_empty() { found::by_tools(&items[asked..], &text) } else { cited };
    let mut kept = items;
    kept[at] = &left;
    let left = format!("[{}]", kept.join(","));
    Some(Answer { text, sources, left })
}
