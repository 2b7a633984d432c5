//! The tool calls in a message, and other places that a name and parameters stand in.

use super::super::shape::{Member, ObjectText, is_array, is_object, is_text, members, quoted};
use super::super::values::{below, find, first_below, items, opened, plain};
use super::object_in;

/// Where lists of calls stand, and what is in nothing but such a list.
const LISTS: [(&[&str], Holds); 12] = [
    (&["tool_calls"], Holds::Calls),
    (&["toolCalls"], Holds::Calls),
    (&["message", "tool_calls"], Holds::Calls),
    (&["choices", "0", "message", "tool_calls"], Holds::Calls),
    (&["required_action", "submit_tool_outputs", "tool_calls"], Holds::Calls),
    (&["action_requests"], Holds::Calls),
    (&["__interrupt__", "0", "value", "action_requests"], Holds::Calls),
    (&["actions"], Holds::Pressed),
    (&["candidates", "0", "content", "parts"], Holds::Anything),
    (&["content"], Holds::Anything),
    (&["output"], Holds::Anything),
    (&["output", "message", "content"], Holds::Anything),
];

/// What stands in a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Calls that a model asks for.
    Calls,
    /// What a person pressed in Slack: what stands around it is said of that.
    Pressed,
    /// Parts of a message, or what an action brought: a call says that it is one.
    Anything,
}

/// What an item holds its call in.
const HOLDERS: [&str; 4] = ["function", "functionCall", "function_call", "toolUse"];

/// Types of what is a call.
const CALL_KINDS: [&str; 5] = ["function", "function_call", "tool_call", "tool_use", "custom_tool_call"];

/// Where else a workflow's name stands.
const NAMES: [&[&str]; 3] = [&["type", "name"], &["workflowData", "name"], &["workflowType", "name"]];

/// What was found, as JSON: a string and an object.
#[derive(Default)]
pub(super) struct Called {
    pub name: Option<String>,
    pub parameters: Option<String>,
    /// Whether it is one that is asked for, so that what the answer around it says of itself says nothing of it.
    pub is_asked_for: bool,
}

/// One call.
struct Call<'a> {
    name: &'a str,
    parameters: Option<String>,
    /// Whether it says that it is a call.
    says_so: bool,
}

impl<'a> Call<'a> {
    /// A call of any provider; `None` for what is none, such as a message's text.
    fn read(value: &'a str) -> Option<Self> {
        let members = members(value)?;
        let is_held = HOLDERS.iter().any(|holder| find(&members, holder).is_some_and(is_object));
        let members = opened(members, &HOLDERS);
        let kind = find(&members, "type").map(plain);
        let says_so = is_held || kind.as_deref().is_some_and(|kind| CALL_KINDS.contains(&kind));
        if matches!(kind.as_deref(), Some("text" | "message" | "reasoning" | "thinking" | "output_text")) {
            return None;
        }
        let names = ["name", "tool", "tool_name", "toolName", "action", "action_id"];
        let name = names.iter().find_map(|name| find(&members, name));
        let held = ["arguments", "args", "input", "parameters", "tool_input", "value"];
        let parameters = held.iter().find_map(|name| find(&members, name).and_then(object_in));
        Some(Self { name: name.filter(|name| is_text(name))?, parameters, says_so })
    }
}

/// Whether an output is a model's message or one of its calls.
pub(super) fn is_message(members: &[Member<'_>]) -> bool {
    const MESSAGES: [&str; 3] = ["message", "response", "chat.completion"];
    let is_one = |kind: &str| CALL_KINDS.contains(&kind) || MESSAGES.contains(&kind);
    let is_kind = |name| find(members, name).is_some_and(|kind| is_text(kind) && is_one(&plain(kind)));
    is_kind("object") || is_kind("type")
}

/// The calls in the output `text`, which has those members.
pub(super) fn found(text: &str, members: &[Member<'_>]) -> Called {
    let (calls, holds) = if is_array(text) {
        (read(text), Holds::Calls)
    } else {
        let listed = |&(path, holds): &(&[&str], Holds)| {
            let calls = read(calls_below(members, path)?);
            (!calls.is_empty()).then_some((calls, holds))
        };
        LISTS.iter().find_map(listed).unwrap_or((Vec::new(), Holds::Calls))
    };
    let says_so = |(_, call): &(&str, Call<'_>)| call.says_so;
    let is_asked_for = match holds {
        Holds::Calls => !calls.is_empty(),
        Holds::Pressed => false,
        Holds::Anything => calls.iter().all(says_so),
    };
    match calls.as_slice() {
        [] => {
            let name = first_below(members, &NAMES).filter(|name| is_text(name)).map(str::to_owned);
            Called { name, parameters: None, is_asked_for }
        }
        [(_, call)] => {
            Called { name: Some(call.name.to_owned()), parameters: call.parameters.clone(), is_asked_for }
        }
        several => {
            let names: Vec<_> = several.iter().map(|(_, call)| plain(call.name)).collect();
            let sent: Vec<&str> = several.iter().map(|(item, _)| *item).collect();
            let mut parameters = ObjectText::new(64);
            parameters.member("calls", &format!("[{}]", sent.join(",")));
            let name = Some(quoted(&names.join(", ")));
            Called { name, parameters: Some(parameters.finish()), is_asked_for }
        }
    }
}

/// The calls in a list, each with its item.
fn read(list: &str) -> Vec<(&str, Call<'_>)> {
    let items = items(list).unwrap_or_default();
    items.into_iter().filter_map(|item| Call::read(item).map(|call| (item, call))).collect()
}

fn calls_below<'a>(members: &[Member<'a>], path: &[&str]) -> Option<&'a str> {
    let (first, path) = path.split_first()?;
    below(find(members, first)?, path).filter(|list| is_array(list))
}
