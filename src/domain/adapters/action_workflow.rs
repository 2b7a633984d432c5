//! Confirmation cards: `{action, state: proposed|confirmed|executing|done|failed, summary, parameters,
//! requires_confirmation, undo?}`. How a card may change is in [`card`](super::card).
//!
//! | sent | becomes |
//! |---|---|
//! | an object | `action` from `action`, `action_name`, `tool`, `tool_name`, `name`, `function`, `operation`, `workflow`, `action_id`, `toolName`, `actionType`, `action_type`, `operationId`, `intent`, `command` or `task`, else a `type` that is none of a message; `state` from `state`, `status`, `phase` or `execution_status`; `summary` from `summary`, `description`, `message`, `title`, `text`, `content` or `log`; `parameters` from `parameters`, `params`, `arguments`, `args`, `input`, `inputs`, `tool_input`, `action_input`, `payload`, `kwargs`, `slots`, `entities`, `variables`, `details`, `body` or `data` (an object, or a text that holds one); `requires_confirmation` from itself, `confirmation_required`, `needs_confirmation`, `requires_approval`, `approval_required` or `needs_approval`; `undo` from `undo`, `rollback`, `compensation` or `revert`; then all other fields as sent, in order |
//! | `{function: {name, arguments}}` (OpenAI tool call), `{method, params: {…}}` (MCP), `{action_request: {…}}` (agent inbox), `{workflowExecutionInfo: {type: {name}, status}}` (Temporal), and `action`, `tool_call`, `call` or `workflow` that are objects | opened: the members stand in its place |
//! | `tool_calls`, `choices[0].message.tool_calls`, `content: [{type: tool_use}]`, `output: [{type: function_call}]`, `candidates[0].content.parts: [{functionCall}]` (Gemini), `output.message.content: [{toolUse}]` (Bedrock), `toolCalls` (AI SDK), `action_requests`, `actions` (Slack) | the one call's name and arguments; of several all names and `parameters: {calls: […]}`, for one card asks for all of them. The list stays too |
//! | n8n's `{finished, status, workflowData: {name}}` | that name, the status |
//! | a list of calls | as `tool_calls`, and the list as `data` |
//! | a text that holds such an object or list, fenced or not | as that |
//! | an object in `result`, `output`, `response`, `data`, `card`, `proposal` or `confirmation` of one that says nothing of an action | opened, where that does |
//! | another text | its `summary` |
//! | a list of texts | those as its `summary`, and the list as `data` |
//! | anything else | its `data` |
//!
//! A card that asks for nothing says so: where neither an action nor what is said of one is found it has `recognised: false`, and
//! what was sent stands in `data`, or in members of the card.
//!
//! | word for a state (in any case, also after `WORKFLOW_EXECUTION_STATUS_`) | state |
//! |---|---|
//! | pending, awaiting_confirmation, requires_approval, waiting, … | proposed |
//! | approved, accepted, … | confirmed |
//! | running, in_progress, started, … | executing |
//! | completed, success, succeeded, … | done |
//! | error, cancelled, rejected, declined, timed_out, … | failed |
//!
//! A state in another word is kept in `state_reported`. The `status` of a model's message or call (`object: response`,
//! `type: function_call`, …) is none: the message is complete, and what it asks for has yet to be confirmed. Nor is any other word
//! or flag around a list of calls, but that it failed, and `approved` and `confirmed`: that an answer is `ok` doesn't make what it
//! asks for done. There only `action`, `state` and `parameters` themselves are the action's. Without a word, flags count: `error`, then
//! `approved`, `confirmed`, `success` and `finished`; without those it is `proposed`. Other gaps: `action` is `""`, `summary` the
//! action, also where it is blank, `parameters` `{}`, and a proposed card requires confirmation, others don't. A known name with
//! a value of another type, or a `state` in an unknown word, moves to `unread` (`null` is left out).

use super::card::CardState;
use super::shape::{Field, ObjectText, Picked, finished, is_note, is_object, is_text, members, pick, quoted};
use super::values::{boolean, embedded, find, is_boolean, plain, reads_as_boolean, says_something};
use crate::domain::event::RawJson;

mod calls;
mod states;
#[cfg(test)]
mod tests;
mod within;

const FIELDS: [Field; 6] = [
    Field {
        name: "action",
        aliases: &[
            "action_name",
            "tool",
            "tool_name",
            "name",
            "function",
            "operation",
            "workflow",
            "action_id",
            "toolName",
            "actionType",
            "action_type",
            "operationId",
            "intent",
            "command",
            "task",
        ],
        fits: is_text,
    },
    Field {
        name: "state",
        aliases: &["status", "phase", "execution_status"],
        fits: |value| states::of(value).is_some(),
    },
    Field {
        name: "summary",
        aliases: &["description", "message", "title", "text", "content", "log"],
        fits: is_text,
    },
    Field {
        name: "parameters",
        aliases: &[
            "params",
            "arguments",
            "args",
            "input",
            "inputs",
            "tool_input",
            "action_input",
            "payload",
            "kwargs",
            "slots",
            "entities",
            "variables",
            "details",
            "body",
            "data",
        ],
        fits: |value| object_in(value).is_some(),
    },
    Field {
        name: "requires_confirmation",
        aliases: &[
            "confirmation_required",
            "needs_confirmation",
            "requires_approval",
            "approval_required",
            "needs_approval",
        ],
        fits: reads_as_boolean,
    },
    Field { name: "undo", aliases: &["rollback", "compensation", "revert"], fits: |value| value != "null" },
];

/// The same for a model's message: its `status` tells that the message is complete, not that the action is done.
fn of_a_message() -> [Field; 6] {
    let mut fields = FIELDS;
    fields[1].aliases = &[];
    fields
}

/// The same for an answer around a list of calls: what it is called and was given is its own.
fn around_calls() -> [Field; 6] {
    let mut fields = of_a_message();
    fields[0].aliases = &[];
    fields[3].aliases = &[];
    fields
}

/// Envelopes that are opened, the outermost first.
const ENVELOPES: [&[&str]; 3] = [
    &["workflowExecutionInfo", "tool_call", "call", "workflow"],
    &["function", "action_request"],
    &["action", "execution"],
];
/// What is one only beside a `method`: by itself it is what an action is done with.
const CALL_ENVELOPE: &[&str] = &["params"];

/// An object, or the one that a text holds.
fn object_in(value: &str) -> Option<String> {
    if is_object(value) {
        return Some(value.to_owned());
    }
    embedded(value).filter(|held| is_object(held))
}

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    if members(raw.get()).is_some_and(|members| is_regular(&pick(members, &FIELDS))) {
        return raw.clone();
    }
    let held = embedded(raw.get());
    let text = held.as_deref().unwrap_or(raw.get());
    let object = members(text);
    let (is_data, is_words) = (object.is_none() && !is_text(text), object.is_none() && is_text(text));
    let members = within::with_action(object.unwrap_or_default());
    let called = calls::found(text, &members);
    let (kind, texts) = (within::type_of_action(&members), within::texts_of(text));
    let is_around = called.is_asked_for && !members.iter().any(|member| member.key.0 == "action");
    let flagged = if is_around { states::around_calls(&members) } else { states::flagged(&members) };
    let picked = match is_around {
        true => pick(members, &around_calls()),
        false if calls::is_message(&members) => pick(members, &of_a_message()),
        false => pick(members, &FIELDS),
    };
    let [action, reported, summary, parameters, asks, undo] = picked.values;
    let state = reported.and_then(states::of).or(flagged).unwrap_or(CardState::Proposed);
    let action = action.map(str::to_owned).or(called.name).or(kind);
    let is_recognised = action.is_some()
        || picked.values.iter().any(Option::is_some)
        || [flagged.is_some(), called.parameters.is_some(), is_words, texts.is_some()].contains(&true);
    let action = action.unwrap_or_else(|| "\"\"".to_owned());
    let summary = if is_words { Some(text) } else { summary.filter(|words| says_something(words)) };
    let summary = summary.or(texts.as_deref());
    let parameters = parameters.and_then(object_in).or(called.parameters);
    let asks = asks.and_then(boolean).unwrap_or(state == CardState::Proposed);

    let mut object = ObjectText::new(text.len() + 160);
    object.member("action", &action);
    object.member("state", &quoted(state.as_str()));
    object.member("summary", summary.unwrap_or(&action));
    object.member("parameters", parameters.as_deref().unwrap_or("{}"));
    object.member("requires_confirmation", if asks { "true" } else { "false" });
    if let Some(undo) = undo {
        object.member("undo", undo);
    }
    object.members(&picked.rest);
    if let Some(reported) = reported.filter(|reported| plain(reported) != state.as_str()) {
        object.beside("state_reported", reported, &picked.rest);
    }
    if is_data {
        object.member("data", text);
    }
    if !is_recognised && (is_data || !picked.rest.iter().all(is_note)) {
        object.beside("recognised", "false", &picked.rest);
    }
    object.unread(&picked.unread, &picked.rest);
    finished(object.finish(), raw)
}

/// The word that stood for the state and is none.
pub(super) fn unknown_state(card: &RawJson) -> Option<String> {
    let card = members(card.get())?;
    let unread = members(find(&card, "unread")?)?;
    let state = find(&unread, "state").filter(|state| is_text(state))?;
    Some(plain(state).into_owned())
}

fn is_regular(picked: &Picked<'_, 6>) -> bool {
    let [action, state, summary, parameters, asks, _] = picked.values;
    let exact = |value| states::of(value).is_some_and(|state| state.as_str() == plain(value));
    picked.as_named
        && action.is_some()
        && state.is_some_and(exact)
        && summary.is_some()
        && parameters.is_some_and(is_object)
        && asks.is_some_and(is_boolean)
}
