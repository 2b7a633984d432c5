//! What telemetry of a sender must look like, in an event and in a directive.

use super::SenderTelemetry;
use crate::domain::requests::{WHOLE_MAX, check_length};
use crate::domain::telemetry_context::is_hex_id;
use crate::domain::verdict::{Code, Refusal};

/// Longest `tracestate`, in characters: what the W3C asks everyone to pass on.
const TRACESTATE_CHARS_MAX: usize = 512;
/// Longest correlation id, in characters.
const CORRELATION_ID_CHARS_MAX: usize = 256;

/// Checks ids, lengths and the shape of `metrics`; `under` points to the telemetry.
pub(in crate::domain) fn check_telemetry(own: &SenderTelemetry, under: &str) -> Result<(), Refusal> {
    let wrong = |name: &str, what: &str| {
        Err(Refusal::at(Code::InvalidEvent, format!("{under}/{name}"), format!("`{name}` is {what}")))
    };
    if own.trace_id.as_ref().is_some_and(|id| !is_hex_id(id, 32)) {
        return wrong("trace_id", "32 lowercase hex digits, not all of them zeros (W3C Trace Context)");
    }
    for (name, id) in [("span_id", &own.span_id), ("parent_span_id", &own.parent_span_id)] {
        if id.as_ref().is_some_and(|id| !is_hex_id(id, 16)) {
            return wrong(name, "16 lowercase hex digits, not all of them zeros (W3C Trace Context)");
        }
    }
    if let Some(state) = &own.tracestate {
        check_length(state, TRACESTATE_CHARS_MAX, &format!("{under}/tracestate"))?;
        // It is passed on as a header.
        if !state.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return wrong("tracestate", "printable ASCII (W3C Trace Context)");
        }
    }
    if let Some(id) = &own.correlation_id {
        check_length(id, CORRELATION_ID_CHARS_MAX, &format!("{under}/correlation_id"))?;
    }
    if own.latency_ms.is_some_and(|ms| ms > WHOLE_MAX) {
        return wrong("latency_ms", &format!("a whole number from 0 to {WHOLE_MAX}"));
    }
    if own.metrics.as_ref().is_some_and(|metrics| !metrics.0.get().starts_with('{')) {
        return wrong("metrics", "an object");
    }
    Ok(())
}
