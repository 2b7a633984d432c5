//! Events as bytes. What every event has, and the content of a subagent's event, are put together by hand: ids need no
//! escaping, keys are known, and this runs for each event. The rest goes through serde, which is the oracle of the
//! tests.

use super::{Content, WireEvent, WireTelemetry};
use crate::domain::json_text::{json, number, optional, push, text};

/// Adds the event to `out`, on one line.
pub fn encode(event: &WireEvent<'_>, out: &mut Vec<u8>) {
    text(out, "{\"type\":\"", event.r#type.as_str());
    text(out, "\",\"session_id\":\"", event.session_id.as_str());
    if let Some(step) = event.plan_step_id {
        text(out, "\",\"plan_step_id\":\"", step.as_str());
    }
    number(out, "\",\"sequence\":", event.sequence.0);
    text(out, ",\"timestamp\":\"", event.timestamp);
    push(out, "\",\"content\":");
    if matches!(event.content, Content::PlannerStream { .. }) {
        planner_stream(&event.content, out);
    } else {
        json(out, &event.content);
    }
    push(out, ",\"telemetry\":");
    telemetry(&event.telemetry, out);
    push(out, "}");
}

fn planner_stream(content: &Content<'_>, out: &mut Vec<u8>) {
    let Content::PlannerStream {
        stage,
        status,
        result_key,
        revision,
        attempt,
        payload,
        error,
        reason,
        since,
    } = content
    else {
        return json(out, content);
    };
    text(out, "{\"stage\":\"", stage.as_str());
    text(out, "\",\"status\":\"", status.as_str());
    text(out, "\",\"result_key\":\"", result_key.as_str());
    number(out, "\",\"revision\":", *revision);
    number(out, ",\"attempt\":", u64::from(*attempt));
    if let Some(payload) = payload {
        text(out, ",\"payload\":", payload.get());
    }
    optional(out, ",\"error\":", error.as_ref());
    optional(out, ",\"reason\":", reason.as_ref());
    optional(out, ",\"since\":", since.map(|at| at.to_string()).as_ref());
    push(out, "}");
}

fn telemetry(telemetry: &WireTelemetry<'_>, out: &mut Vec<u8>) {
    let WireTelemetry { trace_id, span_id, parent_span_id, tracestate, correlation_id, latency_ms, metrics } =
        telemetry;
    text(out, "{\"trace_id\":\"", trace_id);
    text(out, "\",\"span_id\":\"", span_id);
    if let Some(parent) = parent_span_id {
        text(out, "\",\"parent_span_id\":\"", parent);
    }
    push(out, "\"");
    optional(out, ",\"tracestate\":", tracestate.as_ref());
    optional(out, ",\"correlation_id\":", correlation_id.as_ref());
    optional(out, ",\"latency_ms\":", latency_ms.as_ref());
    optional(out, ",\"metrics\":", metrics.as_ref());
    push(out, "}");
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;
    use crate::domain::event::{ArcJson, EventError};
    use crate::domain::position::Sequence;
    use crate::domain::record::{EventType, SubagentStatus};

    #[test]
    fn every_event_is_the_bytes_that_serde_would_write() {
        let (session, step) = ("s-1".parse().unwrap(), "p.2".parse().unwrap());
        let (stage, result_key) = ("crm".parse().unwrap(), "crm:x".parse().unwrap());
        let error = EventError { code: Some("x\"y".into()), message: None, retryable: Some(true) };
        let payload = RawValue::from_string("{\"a\":[1,\"ä\"]}".into()).unwrap();
        let metrics = ArcJson(RawValue::from_string("{\"n\":4}".into()).unwrap().into());
        for bits in 0..64_u8 {
            let on = |bit: u8| bits & (1 << bit) != 0;
            let content = if on(5) {
                Content::SubagentStarted { stage: &stage, result_key: &result_key, attempt: 1, mode: "push" }
            } else {
                Content::PlannerStream {
                    stage: &stage,
                    status: SubagentStatus::InProgress,
                    result_key: &result_key,
                    revision: 9_007_199_254_740_991,
                    attempt: 2,
                    payload: on(0).then_some(&*payload),
                    error: on(1).then_some(&error),
                    reason: on(2).then_some("a \"reason\"\n"),
                    since: on(1).then_some(crate::domain::time::Timestamp(1_709_518_530_441)),
                }
            };
            let event = WireEvent {
                r#type: EventType::PlannerStream,
                session_id: &session,
                plan_step_id: on(3).then_some(&step),
                sequence: Sequence(u64::from(bits)),
                timestamp: "2024-03-04T02:15:30.441Z",
                content,
                telemetry: WireTelemetry {
                    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
                    span_id: "00f067aa0ba902b7",
                    parent_span_id: on(4).then_some("31c8b63d42d203f9"),
                    tracestate: on(3).then_some("a=\"b\""),
                    correlation_id: on(2).then_some("c\\d"),
                    latency_ms: on(1).then_some(930),
                    metrics: on(0).then_some(&metrics),
                },
            };
            let mut bytes = Vec::new();
            encode(&event, &mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), serde_json::to_string(&event).unwrap());
        }
    }
}
