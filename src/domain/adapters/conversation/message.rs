//! One message of a conversation: who says it, and what.

use crate::domain::adapters::api_answer;
use crate::domain::adapters::shape::{Member, ObjectText, is_object, members};
use crate::domain::adapters::values::{find, items, plain};

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Assistant,
    /// A tool's output.
    Tool,
    /// The user, the system, another person.
    Other,
    /// A call of a tool, a thought, an event: only among messages it is one.
    Work,
}

/// Members in which a message has its text, or its calls.
const BODIES: [&str; 5] = ["content", "parts", "text", "message", "tool_calls"];
/// What messages in LangChain's forms hold their members in.
const INSIDE: [&str; 2] = ["kwargs", "data"];

/// Who says `item`; `None` where it is no message.
pub(super) fn who(item: &str) -> Option<Who> {
    let outer = members(item)?;
    let class = find(&outer, "id").filter(|_| find(&outer, "lc").is_some());
    if let Some(class) = class.and_then(items).and_then(|path| path.last().copied()) {
        return named(&plain(class));
    }
    let text = |members: &[Member<'_>], name: &str| {
        find(members, name).filter(|value| value.starts_with('"')).map(|value| plain(value).into_owned())
    };
    let has_body = BODIES.iter().chain(&INSIDE[1..]).any(|name| outer.iter().any(|it| it.key.0 == *name));
    if let Some(role) = text(&outer, "role").filter(|_| has_body) {
        let who = named(&role)?;
        return Some(if who == Who::Other && brings_results(&outer) { Who::Tool } else { who });
    }
    let kind = text(&outer, "type").or_else(|| text(&outer, "kind"))?;
    let is_users = text(&outer, "source").is_some_and(|source| source == "user");
    match kind.as_str() {
        "TextMessage"
        | "StopMessage"
        | "MultiModalMessage"
        | "StructuredMessage"
        | "ToolCallSummaryMessage" => {
            Some(if is_users { Who::Other } else { Who::Assistant }).filter(|_| has_body)
        }
        "ToolCallExecutionEvent" | "MemoryQueryEvent" => Some(Who::Tool),
        "response" if find(&outer, "parts").is_some() => Some(Who::Assistant),
        "request" if find(&outer, "parts").is_some() => {
            Some(if brings_results(&outer) { Who::Tool } else { Who::Other })
        }
        "function_call_output" | "mcp_call" => Some(Who::Tool),
        "reasoning" | "remove" | "RemoveMessage" | "HandoffMessage" => Some(Who::Work),
        kind if kind.ends_with("_call") || kind.ends_with("_output") || kind.ends_with("_response") => {
            Some(Who::Work)
        }
        kind if kind.ends_with("Event") && text(&outer, "source").is_some() => Some(Who::Work),
        kind => named(kind).filter(|_| has_body),
    }
}

fn named(role: &str) -> Option<Who> {
    Some(match role.to_ascii_lowercase().as_str() {
        "assistant" | "ai" | "model" | "chatbot" | "aimessage" | "aimessagechunk" => Who::Assistant,
        "tool" | "function" | "toolmessage" | "functionmessage" | "ipython" => Who::Tool,
        "user" | "human" | "system" | "developer" | "humanmessage" | "systemmessage" | "chatmessage" => {
            Who::Other
        }
        "removemessage" => Who::Work,
        _ => return None,
    })
}

/// Whether a message in the user's name is made of nothing but what tools gave: Anthropic's, Pydantic AI's.
fn brings_results(message: &[Member<'_>]) -> bool {
    let parts = find(message, "content").or_else(|| find(message, "parts")).and_then(items);
    let is_result = |part: &&str| {
        let part = members(part).unwrap_or_default();
        let kind = find(&part, "type").or_else(|| find(&part, "part_kind")).map(plain);
        kind.is_some_and(|kind| matches!(&*kind, "tool_result" | "tool-return"))
            || find(&part, "functionResponse").is_some()
    };
    parts.is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_result))
}

/// What a message says, and the message without it; `None` where it says nothing.
pub(super) fn said_by(item: &str) -> Option<(String, String)> {
    let outer = members(item)?;
    let inside = INSIDE.iter().find_map(|name| Some((*name, find(&outer, name).filter(|it| is_object(it))?)));
    let (text, left) = match inside {
        Some((name, inner)) => {
            let (text, left) = api_answer::said_in(inner)?;
            (text, left_of(&outer, name, &left))
        }
        None => api_answer::said_in(item)?,
    };
    (!text.trim().is_empty()).then_some((text, left))
}

/// An object with another value of that name.
pub(super) fn left_of(members: &[Member<'_>], name: &str, value: &str) -> String {
    let mut object = ObjectText::new(64 + value.len());
    for member in members {
        object.member(&member.key.0, if member.key.0 == name { value } else { member.value });
    }
    object.finish()
}
