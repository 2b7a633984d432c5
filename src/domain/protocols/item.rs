//! One JSON text of an answer: an event, raw output, or the news of a failure.
//!
//! | text | is |
//! |---|---|
//! | an object whose `status` is an event's, and that is a valid event; one that is meant as such, and is one without what doesn't fit | an event |
//! | an array of such objects, at least one | these events |
//! | an event of a success whose payload is `null`, and any other with a payload that can't be taken | a malformed answer |
//! | an object with the status `error` or `failed` that is no event; an object that has only an `error`, with or without other fields of an event | a failure that the peer tells of |
//! | anything else, also an object with another event's status and fields of its own | raw output |
//!
//! What has a `payload` is meant as an event, and so is what says `pending` or `in_progress` and has no fields of its own. A peer
//! that is called can't be told that one of its fields is wrong, so that one is left out: what it found, or that it found
//! nothing yet, mustn't pass for something else because of a bad trace id. A `subagent` isn't compared with anything: who
//! answers is who was called, by whatever name it goes.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use super::own_failure::told;
use super::part::{items, text, trimmed};
use crate::domain::canonical_json::{JsonFault, canonicalize, one_line};
use crate::domain::event::{RawJson, SubagentEvent, parse_event};
use crate::domain::ids::SubagentKey;
use crate::domain::requests::Object;
use crate::domain::verdict::{Code, Refusal};

/// What one JSON text says.
#[derive(Debug)]
pub(super) enum Item {
    /// Events, at least one.
    Events(Vec<SubagentEvent>),
    /// Raw output, on one line.
    Output(RawJson),
    /// The peer says that it failed.
    Failed(Failure),
}

/// What is looked at before anything else.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    subagent: Option<&'a RawValue>,
    payload: Option<&'a RawValue>,
}

/// What an event may have.
const FIELDS: [&str; 8] =
    ["type", "subagent", "status", "result_key", "revision", "payload", "error", "telemetry"];

/// Reads a JSON text. Broken JSON, a key given twice and too deep a nesting are faults.
pub(super) fn read(json: &str) -> Result<Item, JsonFault> {
    let json = trimmed(json);
    match json.as_bytes().first() {
        Some(b'{') => read_object(json),
        Some(b'[') => read_array(json),
        Some(_) | None => output(json).map(Item::Output),
    }
}

fn read_object(json: &str) -> Result<Item, JsonFault> {
    let Object(head): Object<Head<'_>> = typed(json)?;
    let status = text(head.status);
    let status = status.as_deref();
    let may_be_event = match status {
        Some(status) => is_event_status(status),
        None => head.status.is_none() && head.error.is_some(),
    };
    let refusal = match may_be_event.then(|| event(json, &head)) {
        Some(Ok(event)) => return Ok(Item::Events(vec![event])),
        Some(Err(refusal)) => Some(refusal),
        None => None,
    };
    let brings_null = |refusal: &Refusal| refusal.issues.iter().any(|issue| issue.pointer == "/payload");
    if refusal.as_ref().is_some_and(|refusal| refusal.code == Code::InvalidEvent && brings_null(refusal)) {
        return Ok(Item::Failed(Failure::malformed("the payload of the success is `null`")));
    }
    let output = output(json)?;
    if let Some(refusal) = refusal.as_ref().filter(|_| head.payload.is_some() && status != Some("error")) {
        return Ok(Item::Failed(Failure::malformed(refusal.detail.clone())));
    }
    let failed = match status {
        Some(status) => matches!(status, "error" | "failed"),
        None => refusal.is_some_and(|refusal| !has_other_fields(&refusal)),
    };
    Ok(if failed { Item::Failed(told(json)) } else { Item::Output(output) })
}

fn read_array(json: &str) -> Result<Item, JsonFault> {
    let raw: &RawValue = typed(json)?;
    let events = |items: Vec<&RawValue>| {
        let event = |item: &RawValue| {
            let Object(head): Object<Head<'_>> = serde_json::from_str(item.get()).ok()?;
            let is_event = text(head.status).is_some_and(|status| is_event_status(&status));
            is_event.then(|| event(item.get(), &head).ok()).flatten()
        };
        items.into_iter().map(event).collect::<Option<Vec<_>>>()
    };
    match events(items(Some(raw))) {
        Some(events) if !events.is_empty() => Ok(Item::Events(events)),
        Some(_) | None => output(json).map(Item::Output),
    }
}

fn is_event_status(status: &str) -> bool {
    matches!(status, "pending" | "in_progress" | "partial" | "success" | "completed" | "error")
}

fn event(json: &str, head: &Head<'_>) -> Result<SubagentEvent, Refusal> {
    static UNNAMED: LazyLock<SubagentKey> = LazyLock::new(|| "unnamed".parse().expect("this is an id"));
    let named: Option<SubagentKey> = text(head.subagent).and_then(|name| name.parse().ok());
    let read = |json: &str| parse_event(json, named.as_ref().unwrap_or(&UNNAMED));
    let mut refusal = match read(json) {
        Ok(event) => return Ok(event),
        Err(refusal) => refusal,
    };
    let Some(mut fields) = fields_of_one_that_is_meant(json, head) else { return Err(refusal) };
    // Each round leaves out a field, of which there are but a few.
    loop {
        match serde_json::to_string(&fields).map(|json| read(&json)) {
            Ok(Ok(event)) => return Ok(event),
            Ok(Err(other)) if leave_out(&mut fields, &other) => refusal = other,
            Ok(Err(_)) | Err(_) => return Err(refusal),
        }
    }
}

/// An event's fields in what is meant as one. A key given twice is a fault of all of it.
fn fields_of_one_that_is_meant<'a>(json: &'a str, head: &Head<'_>) -> Option<BTreeMap<String, &'a RawValue>> {
    canonicalize(json, &mut Vec::new()).ok()?;
    let mut fields: BTreeMap<String, &RawValue> = serde_json::from_str(json).ok()?;
    let count = fields.len();
    fields.retain(|name, _| FIELDS.contains(&name.as_str()));
    let is_sign = text(head.status).is_some_and(|status| matches!(&*status, "pending" | "in_progress"));
    (head.payload.is_some() || is_sign && fields.len() == count).then_some(fields)
}

/// Leaves out what an event was refused for, unless that is what it says: its status, its payload, its error.
fn leave_out(fields: &mut BTreeMap<String, &RawValue>, refusal: &Refusal) -> bool {
    let is_error = text(fields.get("status").copied()).is_some_and(|status| status == "error");
    let count = fields.len();
    for issue in &refusal.issues {
        let name = issue.pointer.split('/').nth(1).unwrap_or_default();
        let is_said = matches!(name, "status" | "payload") || is_error && name == "error";
        if !is_said {
            fields.remove(name);
        }
    }
    fields.len() < count
}

/// Whether an event was refused because of a field that events don't have (and not of one below `error`).
fn has_other_fields(refusal: &Refusal) -> bool {
    let at_top = refusal.issues.iter().all(|issue| issue.pointer.matches('/').count() == 1);
    refusal.code == Code::UnknownField && at_top
}

/// A raw output as it is kept: as sent, on one line.
pub(super) fn output(json: &str) -> Result<RawJson, JsonFault> {
    canonicalize(json, &mut Vec::new())?;
    RawValue::from_string(one_line(json).into_owned()).map(Arc::from).map_err(syntax)
}

/// `json` as a `T` that any sound value fits; what is wrong is told by the canonical form, which knows more.
fn typed<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, JsonFault> {
    serde_json::from_str(json).map_err(|error| match canonicalize(json, &mut Vec::new()) {
        Err(fault) => fault,
        Ok(()) => syntax(error),
    })
}

fn syntax(error: serde_json::Error) -> JsonFault {
    JsonFault::Syntax { detail: error.to_string() }
}
