//! A subagent's event from its JSON text.
//!
//! The way of a valid event is short: its envelope is read once, payload and error are brought into canonical form
//! once (which also finds keys given twice, at any depth), and the payload is copied once. Why an event is wrong is
//! only looked for once it is.
//!
//! `null` counts as absent for every field, but a success whose payload is `null` is refused. Revisions start with 1, so 0 is free for "none yet".

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use super::{
    ArcJson, EventError, RawJson, SenderStatus, SenderTelemetry, SubagentEvent, telemetry::check_telemetry,
};
use crate::domain::canonical_json::{Text, canonicalize, digest, one_line};
use crate::domain::ids::{InvalidId, ResultKey, SubagentKey};
use crate::domain::requests::null::{or_none, rounded_or_none};
use crate::domain::requests::{Object, WHOLE_MAX, refusal_of, typed};
use crate::domain::verdict::{Code, Refusal};

#[cfg(test)]
mod tests;

/// An event as it stands on the wire: with a `status`, an `error`, or both.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SubagentEvent)]
pub struct Envelope<'a> {
    /// `subagent_result`, where it is given.
    #[serde(borrow, rename = "type")]
    #[schema(value_type = Option<String>, pattern = "^subagent_result$")]
    kind: Option<Text<'a>>,
    /// Must agree with the path, where it is given.
    #[schema(value_type = Option<SubagentKey>)]
    subagent: Option<Text<'a>>,
    /// Absent with an `error`: `error`. (`completed` is taken as `success`.)
    #[schema(value_type = Option<WireStatus>)]
    status: Option<Text<'a>>,
    /// Which expected output; may be left out where the subagent is expected once.
    #[schema(value_type = Option<ResultKey>)]
    result_key: Option<Text<'a>>,
    /// The sender's own count; absent: the next one. Behind the highest only what ends the output may name none.
    #[serde(default, deserialize_with = "or_none")]
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991i64)]
    revision: Option<u64>,
    /// What the adapter of the subagent's key normalises: any JSON; not `null` with a `success`.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Value>)]
    payload: Option<&'a RawValue>,
    #[schema(value_type = Option<EventError>)]
    error: Option<&'a RawValue>,
    #[schema(value_type = Option<SenderTelemetry>)]
    telemetry: Option<Box<Object<Telemetry<'a>>>>,
}

/// [`SenderStatus`] as it may be written (`status_of`).
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SenderStatus)]
#[expect(dead_code, reason = "the variants are read by the derive only")]
enum WireStatus {
    Pending,
    InProgress,
    Partial,
    Success,
    Completed,
    Error,
}

/// A value that is there, also where it is `null`.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

/// [`SenderTelemetry`], borrowed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Telemetry<'a> {
    #[serde(borrow)]
    trace_id: Option<Text<'a>>,
    span_id: Option<Text<'a>>,
    parent_span_id: Option<Text<'a>>,
    tracestate: Option<Text<'a>>,
    correlation_id: Option<Text<'a>>,
    #[serde(default, deserialize_with = "rounded_or_none")]
    latency_ms: Option<u64>,
    metrics: Option<&'a RawValue>,
}

/// One event that was sent for the subagent `path_key`.
///
/// Refused as `invalid_json` (broken, a key twice, too deep), `unknown_field`, `invalid_id` (the result key), or else
/// `invalid_event`, each with a JSON Pointer to the place.
pub fn parse_event(text: &str, path_key: &SubagentKey) -> Result<SubagentEvent, Refusal> {
    let Object(envelope): Object<Envelope<'_>> =
        typed(text, "").map_err(|refusal| of_raw_output(text, refusal))?;
    check_agreement(&envelope, path_key)?;
    let error = envelope.error.map(|raw| typed(raw.get(), "/error")).transpose()?;
    let error: Option<EventError> = error.map(|Object(error)| error);
    let status = status_of(envelope.status.as_ref(), error.is_some())?;
    let result_key = envelope.result_key.map(|Text(text)| {
        text.parse()
            .map_err(|invalid: InvalidId| Refusal::at(Code::InvalidId, "/result_key", invalid.to_string()))
    });
    if envelope.revision.is_some_and(|revision| !(1..=WHOLE_MAX).contains(&revision)) {
        let detail = format!("`revision` is a whole number from 1 to {WHOLE_MAX}");
        return Err(Refusal::at(Code::InvalidEvent, "/revision", detail));
    }
    let mut content = Vec::with_capacity(text.len() + 64);
    let payload = said(status, envelope.payload, "/payload")?;
    write_content(status, payload.map(|raw| (raw, "/payload")), envelope.error, &mut content)?;
    Ok(SubagentEvent {
        result_key: result_key.transpose()?,
        status,
        revision: envelope.revision,
        payload: payload.map(|raw| kept(raw, "/payload")).transpose()?,
        error,
        digest: digest(&content),
        is_raw: false,
        telemetry: envelope.telemetry.map(|own| own.0.checked(&mut content)).transpose()?,
    })
}

/// A body that is a subagent's whole output itself (`?raw=true`): a success of the next revision.
pub fn raw_output(text: &str) -> Result<SubagentEvent, Refusal> {
    let body: &RawValue = typed(text, "")?;
    success(said(SenderStatus::Success, Some(body), "")?)
}

/// A plain text that is a subagent's whole output: its payload is a JSON string.
pub fn raw_text(text: &str) -> Result<SubagentEvent, Refusal> {
    let raw = to_raw_value(text).map_err(|error| Refusal::new(Code::Internal, error.to_string()))?;
    success(Some(&raw))
}

fn success(payload: Option<&RawValue>) -> Result<SubagentEvent, Refusal> {
    let mut content = Vec::new();
    // The payload is the whole body here, so its places are the body's.
    write_content(SenderStatus::Success, payload.map(|raw| (raw, "")), None, &mut content)?;
    Ok(SubagentEvent {
        result_key: None,
        status: SenderStatus::Success,
        revision: None,
        payload: payload.map(|raw| kept(raw, "")).transpose()?,
        error: None,
        telemetry: None,
        digest: digest(&content),
        is_raw: true,
    })
}

/// A payload that says something. `null` is none; a success that brings it would be one without an output.
fn said<'a>(
    status: SenderStatus,
    payload: Option<&'a RawValue>,
    pointer: &str,
) -> Result<Option<&'a RawValue>, Refusal> {
    let said = payload.filter(|raw| raw.get() != "null");
    if status == SenderStatus::Success && payload.is_some() && said.is_none() {
        let detail = "the payload of a success isn't `null`: it is what the subagent brought";
        return Err(Refusal::at(Code::InvalidEvent, pointer, detail));
    }
    Ok(said)
}

fn check_agreement(envelope: &Envelope<'_>, path_key: &SubagentKey) -> Result<(), Refusal> {
    match &envelope.kind {
        Some(Text(kind)) if kind != "subagent_result" => {
            Err(Refusal::at(Code::InvalidEvent, "/type", "`type` is `subagent_result`, where it is given"))
        }
        Some(_) | None => match &envelope.subagent {
            Some(Text(subagent)) if subagent != path_key.as_str() => {
                let detail = format!("`subagent` doesn't agree with the path, which says `{path_key}`");
                Err(Refusal::at(Code::InvalidEvent, "/subagent", detail))
            }
            Some(_) | None => Ok(()),
        },
    }
}

fn status_of(status: Option<&Text<'_>>, has_error: bool) -> Result<SenderStatus, Refusal> {
    match status.map(|Text(text)| text.as_ref()) {
        Some("pending") => Ok(SenderStatus::Pending),
        Some("in_progress") => Ok(SenderStatus::InProgress),
        Some("partial") => Ok(SenderStatus::Partial),
        Some("success" | "completed") => Ok(SenderStatus::Success),
        Some("error") => Ok(SenderStatus::Error),
        None if has_error => Ok(SenderStatus::Error),
        Some(_) => {
            let detail = "`status` is one of `pending`, `in_progress`, `partial`, `success`, `error`";
            Err(Refusal::at(Code::InvalidEvent, "/status", detail))
        }
        None => Err(neither()),
    }
}

fn neither() -> Refusal {
    let detail = "an event has a `status` or an `error`; raw output as it is comes as `application/json` or `text/plain` with `?raw=true`";
    Refusal::at(Code::InvalidEvent, "", detail)
}

/// An object whose fields aren't known and that has neither a status nor an error is a raw output that came without its
/// flag: that is what its sender has to be told.
fn of_raw_output(text: &str, refusal: Refusal) -> Refusal {
    #[derive(Deserialize)]
    struct Seen {
        status: Option<IgnoredAny>,
        error: Option<IgnoredAny>,
    }
    let is_raw = |seen: &Seen| seen.status.is_none() && seen.error.is_none();
    match serde_json::from_str(text) {
        Ok(seen) if refusal.code == Code::UnknownField && is_raw(&seen) => neither(),
        Ok(_) | Err(_) => refusal,
    }
}

/// The canonical JSON of what identifies an event's content; absent members are left out. The payload comes with a
/// pointer to where it stood.
fn write_content(
    status: SenderStatus,
    payload: Option<(&RawValue, &str)>,
    error: Option<&RawValue>,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    out.push(b'{');
    if let Some(error) = error {
        out.extend_from_slice(b"\"error\":");
        canonicalize(error.get(), out).map_err(|fault| refusal_of(fault, "/error"))?;
        out.push(b',');
    }
    if let Some((payload, pointer)) = payload {
        out.extend_from_slice(b"\"payload\":");
        canonicalize(payload.get(), out).map_err(|fault| refusal_of(fault, pointer))?;
        out.push(b',');
    }
    out.extend_from_slice(match status {
        SenderStatus::Pending => b"\"status\":\"pending\"}",
        SenderStatus::InProgress => b"\"status\":\"in_progress\"}",
        SenderStatus::Partial => b"\"status\":\"partial\"}",
        SenderStatus::Success => b"\"status\":\"success\"}",
        SenderStatus::Error => b"\"status\":\"error\"}",
    });
    Ok(())
}

/// JSON as it is kept: as sent, on one line.
fn kept(raw: &RawValue, pointer: &str) -> Result<RawJson, Refusal> {
    match one_line(raw.get()) {
        Cow::Borrowed(_) => Ok(Arc::from(raw.to_owned())),
        Cow::Owned(line) => RawValue::from_string(line)
            .map(Arc::from)
            .map_err(|error| Refusal::at(Code::InvalidJson, pointer, error.to_string())),
    }
}

impl Telemetry<'_> {
    fn checked(self, spare: &mut Vec<u8>) -> Result<Box<SenderTelemetry>, Refusal> {
        if let Some(metrics) = self.metrics {
            // Not a part of the content, but no key may be given twice here either.
            spare.clear();
            canonicalize(metrics.get(), spare).map_err(|fault| refusal_of(fault, "/telemetry/metrics"))?;
        }
        let metrics = self.metrics.map(|raw| kept(raw, "/telemetry/metrics")).transpose()?;
        let owned = |text: Option<Text<'_>>| text.map(|Text(text)| Arc::from(&*text));
        let own = SenderTelemetry {
            trace_id: owned(self.trace_id),
            span_id: owned(self.span_id),
            parent_span_id: owned(self.parent_span_id),
            tracestate: owned(self.tracestate),
            correlation_id: owned(self.correlation_id),
            latency_ms: self.latency_ms,
            metrics: metrics.map(ArcJson),
        };
        check_telemetry(&own, "/telemetry")?;
        Ok(Box::new(own))
    }
}
