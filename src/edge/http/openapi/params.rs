//! Parameters: in paths, queries and headers.
//!
//! Handlers read them by hand (a path's ids become one [`Ids`](crate::edge::http::extract::Ids), a query is read in
//! order), so they are described here.

#![expect(dead_code, reason = "the fields are read by the derive only")]

use utoipa::IntoParams;

use super::values::Place;
use crate::domain::ids::{ResultKey, SessionId, StepId, SubagentKey};
use crate::domain::record::EventType;

/// Of a session.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SessionPath {
    /// The session.
    #[param(example = "sess-123")]
    session_id: SessionId,
}

/// Of a step.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct StepPath {
    /// The session.
    #[param(example = "sess-123")]
    session_id: SessionId,
    /// The step.
    #[param(example = "plan-step-4")]
    plan_step_id: StepId,
}

/// Of a chat about a step.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ChatPath {
    /// The session.
    #[param(example = "sess-123")]
    session_id: SessionId,
    /// The step.
    #[param(example = "plan-step-4")]
    plan_step_id: StepId,
    /// As the client calls its chat; any text.
    #[param(example = "chat-1")]
    chat_id: String,
}

/// Of a subagent.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SubagentPath {
    /// The session.
    #[param(example = "sess-123")]
    session_id: SessionId,
    /// The step.
    #[param(example = "plan-step-4")]
    plan_step_id: StepId,
    /// The subagent, as the directive calls it.
    #[param(example = "documentation")]
    key: SubagentKey,
}

/// Of one output of a step.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub struct OriginalPath {
    /// The session.
    #[param(example = "sess-123")]
    session_id: SessionId,
    /// The step.
    #[param(example = "plan-step-4")]
    plan_step_id: StepId,
    /// The output, as the directive calls it.
    #[param(example = "quote_conversion_doc")]
    result_key: ResultKey,
}

/// Of what changes something.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct SenderHeaders {
    /// A repeat of the same request under the same key gets the first answer; another request 422
    /// `idempotency_conflict`. A session remembers its last 256 keys; that of a request that was refused is free. Two are 422.
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]([ -~]*[!-~])?$",
        required = false
    )]
    idempotency_key: String,
}

/// The caller's trace (W3C Trace Context), the parent of everything that follows.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct TraceHeaders {
    /// Without one, or where it is malformed, a trace begins here.
    #[param(example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", required = false)]
    traceparent: String,
    /// Passed on where there is a `traceparent`; up to 512 characters.
    #[param(required = false)]
    tracestate: String,
    /// Passed on; up to 8,192 characters.
    #[param(required = false)]
    baggage: String,
}

/// Of events.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SendQuery {
    /// `true`: the body is the subagent's whole output itself, any JSON or a text, and its success.
    #[param(required = false, default = false)]
    raw: bool,
    /// Which expected output it is, where the key is expected several times; with `raw=true` there is no other place for it. An event that
    /// names another is refused.
    #[param(required = false)]
    result_key: ResultKey,
}

/// Of readers that come again.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
pub struct ReadHeaders {
    /// Where to start, as `after` says it; an `EventSource` sends it by itself. Goes before the query.
    #[param(rename = "Last-Event-ID", value_type = Place, required = false)]
    last_event_id: String,
}

/// Of readers. A stream takes no `limit`, a page no `batch`.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadQuery {
    /// Where to start: a cursor, a sequence, `start` (the default), `tail` or `snapshot`.
    #[param(value_type = Option<Place>, required = false, example = "start")]
    after: Option<String>,
    /// The same, and goes before `after`: for an `EventSource` that is made anew.
    #[param(value_type = Option<Place>, required = false)]
    last_event_id: Option<String>,
    /// The last so many events, where no place is given.
    #[param(required = false, minimum = 0, maximum = 4_294_967_295i64)]
    last: Option<u64>,
    /// Only these subagents' events.
    #[param(required = false, style = Form, explode = false, min_items = 1)]
    subagent: Option<Vec<SubagentKey>>,
    /// Only these types of events.
    #[param(required = false, style = Form, explode = false, min_items = 1)]
    r#type: Option<Vec<EventType>>,
    /// `auto`: a stream that lags may leave out partials that a later one replaced, and names them.
    #[param(required = false, pattern = "^(auto|never)$", default = "auto")]
    coalesce: Option<String>,
    /// Events of a page at most; a snapshot is one page.
    #[param(required = false, minimum = 1, maximum = 5_000, default = 500)]
    limit: Option<u64>,
    /// Events of a frame at most.
    #[param(required = false, minimum = 1, maximum = 5, default = 5)]
    batch: Option<u64>,
}
