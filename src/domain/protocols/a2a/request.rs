//! The request to an Agent2Agent agent: a JSON-RPC 2.0 call that asks for a stream, or for one answer.
//!
//! | the configured body | is sent as |
//! |---|---|
//! | a JSON-RPC request (`jsonrpc`) | itself, unchanged |
//! | the parameters of one (an object with such a `message` as below) | `params`, the message filled up |
//! | a message (an object with an array `parts`) | `params.message`, filled up |
//! | absent or `null` | a message of one text part: the task's text |
//! | a text | a message of that text |
//! | any other JSON | a message of the task's text, where there is one, and the body as a data part |
//!
//! Filled up means: `messageId`, `role` and `contextId` are added where they are missing, everything else stays. The two
//! versions differ in the method's name, the role and how a part says what it is. A body that shows its version (its
//! method; `kind`, a `role`) is sent in that one, else it is the caller's choice. 1.0 needs the header `A2A-Version`,
//! since without it an agent answers as 0.3 does (specification 1.0, section 3.6.2). One answer is asked for when its task has
//! ended: in 1.0 that goes without saying, in 0.3 it is `configuration.blocking`, unless the body has a `configuration`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::manner::{A2aChoice, A2aManner};
use super::output::quoted;
use crate::domain::canonical_json::{Text, one_line};
use crate::domain::event::RawJson;

/// The versions of the protocol that differ on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum A2aVersion {
    /// 1.0: `SendStreamingMessage`.
    #[default]
    V1_0,
    /// 0.3: `message/stream`.
    V0_3,
}

impl A2aVersion {
    /// The header that says the version of a request.
    pub const HEADER: &'static str = "a2a-version";

    /// The value of [`Self::HEADER`].
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V0_3 => "0.3",
        }
    }

    /// The version to try where an agent refuses this one ([`super::A2aTried`]).
    pub fn other(self) -> Self {
        match self {
            Self::V1_0 => Self::V0_3,
            Self::V0_3 => Self::V1_0,
        }
    }
}

/// The ids of a request. All attempts of one invocation have the same ones: by `message` an agent knows a repeat.
#[derive(Debug, Clone, Copy)]
pub struct A2aIds<'a> {
    /// The JSON-RPC request's id.
    pub request: &'a str,
    /// The message's id.
    pub message: &'a str,
    /// The context (a conversation) that the message belongs to.
    pub context: Option<&'a str>,
}

/// A request, ready to be sent with `content-type: application/json` and `accept: text/event-stream, application/json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct A2aRequest {
    /// The JSON text.
    pub body: String,
    /// The manner that it is written in; the version is for [`A2aVersion::HEADER`].
    pub manner: A2aManner,
    /// What could be otherwise.
    pub choice: A2aChoice,
}

type Members<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// The request for a task of `task_text`, in `manner` unless the configured `body` shows another version, or is a request.
pub fn a2a_request(
    body: Option<&RawJson>,
    task_text: &str,
    ids: A2aIds<'_>,
    manner: A2aManner,
) -> A2aRequest {
    let text = body.map_or("null", |body| body.get());
    let Some(mut members) = object(text) else {
        let message = message_of(text, task_text, ids, manner.version);
        return call(BTreeMap::new(), &message, ids, (manner, A2aChoice::All));
    };
    if members.contains_key("jsonrpc") {
        let method = members.get("method").map_or("", |method| method.get());
        let shown = A2aManner {
            version: version_of_method(method).unwrap_or(manner.version),
            is_whole: matches!(method, "\"SendMessage\"" | "\"message/send\""),
        };
        return A2aRequest { body: one_line(text).into_owned(), manner: shown, choice: A2aChoice::Nothing };
    }
    let of_message = |message: &Members<'_>| A2aManner {
        version: version_of_message(message).unwrap_or(manner.version),
        ..manner
    };
    let message = members.get("message").and_then(|raw| object(raw.get())).filter(has_parts);
    if let Some(message) = message {
        members.remove("message");
        let manner = of_message(&message);
        return call(members, &filled(message, ids, manner.version), ids, (manner, A2aChoice::Stream));
    }
    if has_parts(&members) {
        let manner = of_message(&members);
        let message = filled(members, ids, manner.version);
        return call(BTreeMap::new(), &message, ids, (manner, A2aChoice::Stream));
    }
    let message = message_of(text, task_text, ids, manner.version);
    call(BTreeMap::new(), &message, ids, (manner, A2aChoice::All))
}

fn object(text: &str) -> Option<Members<'_>> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

fn has_parts(message: &Members<'_>) -> bool {
    message.get("parts").is_some_and(|parts| parts.get().starts_with('['))
}

fn call(
    params: Members<'_>,
    message: &str,
    ids: A2aIds<'_>,
    (manner, choice): (A2aManner, A2aChoice),
) -> A2aRequest {
    let method = match (manner.version, manner.is_whole) {
        (A2aVersion::V1_0, false) => "SendStreamingMessage",
        (A2aVersion::V1_0, true) => "SendMessage",
        (A2aVersion::V0_3, false) => "message/stream",
        (A2aVersion::V0_3, true) => "message/send",
    };
    let mut body = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"{method}\",\"params\":{{\"message\":{message}",
        quoted(ids.request)
    );
    push_members(&mut body, &params);
    if method == "message/send" && !params.contains_key("configuration") {
        body.push_str(",\"configuration\":{\"blocking\":true}");
    }
    body.push_str("}}");
    A2aRequest { body, manner, choice }
}

/// A message of our own: `body`, which is JSON, in the way of the table above.
fn message_of(body: &str, task_text: &str, ids: A2aIds<'_>, version: A2aVersion) -> String {
    let (own_text, data) = match body {
        "null" => (None, None),
        text if text.starts_with('"') => (serde_json::from_str::<Text<'_>>(text).ok(), None),
        data => (None, Some(one_line(data))),
    };
    let text = own_text.map_or(Cow::Borrowed(task_text), |Text(text)| text);
    let text = (!text.is_empty() || data.is_none()).then(|| quoted(&text));
    let parts: Vec<String> = match version {
        A2aVersion::V1_0 => {
            let text = text.map(|text| format!("{{\"text\":{text}}}"));
            text.into_iter().chain(data.map(|data| format!("{{\"data\":{data}}}"))).collect()
        }
        A2aVersion::V0_3 => {
            let text = text.map(|text| format!("{{\"kind\":\"text\",\"text\":{text}}}"));
            text.into_iter().chain(data.map(|data| old_data(&data))).collect()
        }
    };
    let start = format!("{{\"parts\":[{}]", parts.join(","));
    filled_from(start, &BTreeMap::new(), ids, version)
}

/// In 0.3 data is an object; the official SDKs wrap other data in this way, and unwrap it.
fn old_data(data: &str) -> String {
    match data.starts_with('{') {
        true => format!("{{\"kind\":\"data\",\"data\":{data}}}"),
        false => format!(
            "{{\"kind\":\"data\",\"data\":{{\"value\":{data}}},\"metadata\":{{\"data_part_compat\":true}}}}"
        ),
    }
}

/// The message with what is missing.
fn filled(mut members: Members<'_>, ids: A2aIds<'_>, version: A2aVersion) -> String {
    members.retain(|_, value| value.get() != "null");
    let parts = members.remove("parts").map_or("[]", RawValue::get);
    filled_from(format!("{{\"parts\":{}", one_line(parts)), &members, ids, version)
}

fn filled_from(mut message: String, members: &Members<'_>, ids: A2aIds<'_>, version: A2aVersion) -> String {
    push_members(&mut message, members);
    let (role, kind) = match version {
        A2aVersion::V1_0 => ("ROLE_USER", None),
        A2aVersion::V0_3 => ("user", Some("message")),
    };
    let missing =
        [("messageId", Some(ids.message)), ("role", Some(role)), ("kind", kind), ("contextId", ids.context)];
    for (key, value) in missing {
        if let Some(value) = value.filter(|_| !members.contains_key(key)) {
            message.push_str(&format!(",\"{key}\":{}", quoted(value)));
        }
    }
    message.push('}');
    message
}

fn push_members(text: &mut String, members: &Members<'_>) {
    for (key, value) in members {
        text.push_str(&format!(",{}:{}", quoted(key), one_line(value.get())));
    }
}

fn version_of_method(method: &str) -> Option<A2aVersion> {
    match method {
        "\"SendStreamingMessage\"" | "\"SendMessage\"" => Some(A2aVersion::V1_0),
        "\"message/stream\"" | "\"message/send\"" => Some(A2aVersion::V0_3),
        _ => None,
    }
}

/// What a message shows of its version: a `kind` and a role in small letters are 0.3's, parts without a kind 1.0's.
fn version_of_message(message: &Members<'_>) -> Option<A2aVersion> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow)]
        kind: Option<&'a RawValue>,
    }
    if message.contains_key("kind") {
        return Some(A2aVersion::V0_3);
    }
    match message.get("role").map(|role| role.get()) {
        Some("\"user\"" | "\"agent\"") => return Some(A2aVersion::V0_3),
        Some("\"ROLE_USER\"" | "\"ROLE_AGENT\"") => return Some(A2aVersion::V1_0),
        Some(_) | None => {}
    }
    let parts: Vec<Kind<'_>> = serde_json::from_str(message.get("parts")?.get()).ok()?;
    let old = parts.first()?.kind.is_some();
    Some(if old { A2aVersion::V0_3 } else { A2aVersion::V1_0 })
}
