//! The tool calls in a message, and other places that a name and parameters stand in.

use super::super::shape::{Member, ObjectText, is_array, is_text, members, quoted};
use super::super::values::{below, find, first_below, items, opened, plain};
use super::object_in;

/// Where lists of calls stand.
const LISTS: [&[&str]; 8] = [
    &["tool_calls"],
    &["message", "tool_calls"],
    &["choices", "0", "message", "tool_calls"],
    &["action_requests"],
    &["__interrupt__", "0", "value", "action_requests"],
    &["actions"],
    &["content"],
    &["output"],
];

/// Where else a workflow's name stands.
const NAMES: [&[&str]; 3] = [&["type", "name"], &["workflowData", "name"], &["workflowType", "name"]];

/// What was found, as JSON: a string and an object.
#[derive(Default)]
pub(super) struct Called {
    pub name: Option<String>,
    pub parameters: Option<String>,
}

/// One call.
struct Call<'a> {
    name: &'a str,
    parameters: Option<String>,
}

impl<'a> Call<'a> {
    /// A call of any provider; `None` for what is none, such as a message's text.
    fn read(value: &'a str) -> Option<Self> {
        let members = opened(members(value)?, &["function"]);
        let kind = find(&members, "type").map(plain);
        if matches!(kind.as_deref(), Some("text" | "message" | "reasoning" | "thinking" | "output_text")) {
            return None;
        }
        let name =
            ["name", "tool", "tool_name", "action", "action_id"].iter().find_map(|name| find(&members, name));
        let held = ["arguments", "args", "input", "parameters", "tool_input", "value"];
        let parameters = held.iter().find_map(|name| find(&members, name).and_then(object_in));
        Some(Self { name: name.filter(|name| is_text(name))?, parameters })
    }
}

/// Whether an output is a model's message or one of its calls.
pub(super) fn is_message(members: &[Member<'_>]) -> bool {
    const KINDS: [&str; 8] = [
        "function",
        "function_call",
        "tool_call",
        "tool_use",
        "message",
        "response",
        "chat.completion",
        "custom_tool_call",
    ];
    let is_kind =
        |name| find(members, name).is_some_and(|kind| is_text(kind) && KINDS.contains(&&*plain(kind)));
    is_kind("object") || is_kind("type")
}

/// The calls in the output `text`, whose members that have no other meaning are `rest`.
pub(super) fn found(text: &str, rest: &[Member<'_>]) -> Called {
    let list =
        if is_array(text) { Some(text) } else { LISTS.iter().find_map(|path| calls_below(rest, path)) };
    let sent = list.and_then(items).unwrap_or_default();
    let calls: Vec<(&str, Call<'_>)> =
        sent.into_iter().filter_map(|item| Call::read(item).map(|call| (item, call))).collect();
    match calls.as_slice() {
        [] => {
            let name = first_below(rest, &NAMES).filter(|name| is_text(name)).map(str::to_owned);
            Called { name, parameters: None }
        }
        [(_, call)] => Called { name: Some(call.name.to_owned()), parameters: call.parameters.clone() },
        several => {
            let names: Vec<_> = several.iter().map(|(_, call)| plain(call.name)).collect();
            let sent: Vec<&str> = several.iter().map(|(item, _)| *item).collect();
            let mut parameters = ObjectText::new(64);
            parameters.member("calls", &format!("[{}]", sent.join(",")));
            Called { name: Some(quoted(&names.join(", "))), parameters: Some(parameters.finish()) }
        }
    }
}

fn calls_below<'a>(rest: &[Member<'a>], path: &[&str]) -> Option<&'a str> {
    let (first, path) = path.split_first()?;
    below(find(rest, first)?, path).filter(|list| is_array(list))
}
