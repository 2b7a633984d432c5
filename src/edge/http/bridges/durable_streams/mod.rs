//! The log as Durable Streams: `GET` and `HEAD` of a session's or a step's events.

mod answer;
mod live;
mod log;
mod log_tail;
mod source;
#[cfg(any(debug_assertions, test))]
pub mod test_store;
#[cfg(test)]
mod tests;

pub use answer::{StreamSettings, secured};

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;

use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::extract::Ids;
use crate::edge::http::openapi::{Event, ReadProblems, SessionPath, StepPath};
use crate::edge::http::problem::Problem;
use crate::edge::http::serve::Detach;
use log::SessionLog;

/// What the paths of streams begin with.
pub const PREFIX: &str = "/bridges/durable-streams/";

/// Read a session as a durable stream
///
/// The events of every step, in the read half of the Durable Streams protocol 1.0.
#[utoipa::path(
    get,
    path = "/bridges/durable-streams/sessions/{session_id}",
    tag = "bridges",
    params(SessionPath, StreamQuery),
    responses(
        (status = 200, description = "Events: a JSON array, or server-sent events where `live=sse`", content(
            (Vec<Event> = "application/json"), (String = "text/event-stream"),
        )),
        (status = 204, description = "Nothing came while a long-poll waited, or the stream is closed"),
        (status = 304, description = "`If-None-Match` names what there is"),
        (status = 410, description = "What follows the offset isn't kept, or the log went another way"),
        ReadProblems
    )
)]
pub async fn get_session_stream(
    State(app): State<App>,
    caller: Caller,
    ids: Result<Ids, Problem>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    read(app, caller, ids, query, headers).await
}

/// Read a step as a durable stream
///
/// The events of the step and what concerns its whole session, in the read half of the Durable Streams protocol 1.0.
#[utoipa::path(
    get,
    path = "/bridges/durable-streams/sessions/{session_id}/steps/{plan_step_id}",
    tag = "bridges",
    params(StepPath, StreamQuery),
    responses(
        (status = 200, description = "Events: a JSON array, or server-sent events where `live=sse`", content(
            (Vec<Event> = "application/json"), (String = "text/event-stream"),
        )),
        (status = 204, description = "Nothing came while a long-poll waited, or the stream is closed"),
        (status = 304, description = "`If-None-Match` names what there is"),
        (status = 410, description = "What follows the offset isn't kept, or the log went another way"),
        ReadProblems
    )
)]
pub async fn get_step_stream(
    State(app): State<App>,
    caller: Caller,
    ids: Result<Ids, Problem>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    read(app, caller, ids, query, headers).await
}

/// Where a session's stream ends
///
/// The headers of the Durable Streams protocol, without a body.
#[utoipa::path(
    head,
    path = "/bridges/durable-streams/sessions/{session_id}",
    tag = "bridges",
    params(SessionPath),
    responses((status = 200, description = "The stream's end: `Stream-Next-Offset`, `Stream-Closed`"), ReadProblems)
)]
pub async fn head_session_stream(
    State(app): State<App>,
    caller: Caller,
    ids: Result<Ids, Problem>,
) -> Response {
    answer::head(ids.map(|ids| SessionLog::new(&app, ids, &caller))).await
}

/// Where a step's stream ends
///
/// The headers of the Durable Streams protocol, without a body.
#[utoipa::path(
    head,
    path = "/bridges/durable-streams/sessions/{session_id}/steps/{plan_step_id}",
    tag = "bridges",
    params(StepPath),
    responses((status = 200, description = "The stream's end: `Stream-Next-Offset`, `Stream-Closed`"), ReadProblems)
)]
pub async fn head_step_stream(State(app): State<App>, caller: Caller, ids: Result<Ids, Problem>) -> Response {
    answer::head(ids.map(|ids| SessionLog::new(&app, ids, &caller))).await
}

async fn read(
    app: App,
    caller: Caller,
    ids: Result<Ids, Problem>,
    query: Option<String>,
    headers: HeaderMap,
) -> Response {
    let source = ids.map(|ids| SessionLog::new(&app, ids, &caller));
    let settings = app.settings.durable_streams;
    let mut response = answer::get(source, query.as_deref().unwrap_or_default(), &headers, settings).await;
    let streams =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|media| media == "text/event-stream");
    if streams {
        response.extensions_mut().insert(Detach);
    }
    response
}

/// What a reader may ask for.
#[expect(dead_code, reason = "the fields are read by the derive only")]
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// `-1`: from the beginning; `now`: after what is there; or what `Stream-Next-Offset` said.
    #[param(example = "-1", pattern = "^(-1|now|[0-9]{20}_[0-9a-f]{6,16}_[0-9a-f]{16})$")]
    offset: Option<String>,
    /// `long-poll` or `sse`; `offset` is needed then.
    #[param(pattern = "^(long-poll|sse)$")]
    live: Option<String>,
    /// What `Stream-Cursor` said.
    #[param(pattern = "^[0-9]{1,15}$")]
    cursor: Option<String>,
}
