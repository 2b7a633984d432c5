//! Reading: one resource, four representations.

mod body;
mod page;
mod query;

pub use page::PageView;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::extract::Ids;
use super::measured::caller_of;
use super::openapi::{ReadHeaders, ReadProblems, ReadQuery, ReadResponses, SessionPath, StepPath};
use super::problem::Problem;
use super::serve::Detach;
use crate::domain::span::SpanPlace;
use crate::domain::verdict::Code;
use crate::engine::mux::{Framing, OpenError, ReadRequest};
use body::ReaderBody;
use query::{Representation, Wanted, representation};

/// Read the events of a session
///
/// Those of every step, over one connection.
#[utoipa::path(
    get,
    path = "/planner/sessions/{session_id}/events",
    tag = "reading",
    params(SessionPath, ReadQuery, ReadHeaders),
    responses(ReadResponses, ReadProblems)
)]
pub async fn get_session_events(
    State(app): State<App>,
    ids: Ids,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    read(app, ids, query, headers).await
}

/// Read the events of a step
///
/// Those of the step, and what concerns its whole session.
#[utoipa::path(
    get,
    path = "/planner/sessions/{session_id}/steps/{plan_step_id}/events",
    tag = "reading",
    params(StepPath, ReadQuery, ReadHeaders),
    responses(ReadResponses, ReadProblems)
)]
pub async fn get_step_events(
    State(app): State<App>,
    ids: Ids,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    read(app, ids, query, headers).await
}

async fn read(app: App, ids: Ids, query: Option<String>, headers: HeaderMap) -> Result<Response, Problem> {
    if headers.contains_key(header::UPGRADE) {
        let text =
            "this version has no WebSocket: read with `Accept: text/event-stream` or `application/x-ndjson`";
        return Err(Problem::new(Code::FeatureDisabled, text));
    }
    let wanted = Wanted::read(query.as_deref().unwrap_or_default(), &headers, &ids)?;
    match representation(&headers) {
        Representation::Page => page::get(&app, &ids, wanted).await,
        Representation::Sse => Ok(stream(&app, &ids, wanted, Framing::Sse, caller_of(&headers)).await),
        Representation::Ndjson => Ok(stream(&app, &ids, wanted, Framing::Ndjson, caller_of(&headers)).await),
    }
}

async fn stream(
    app: &App,
    ids: &Ids,
    wanted: Wanted,
    framing: Framing,
    caller: Option<SpanPlace>,
) -> Response {
    let request = ReadRequest {
        key: ids.key.clone(),
        view: wanted.view,
        start: wanted.start,
        framing,
        batch: wanted.batch,
        coalesce: wanted.coalesce,
        caller: app.telemetry.spans.as_ref().and(caller),
    };
    match app.mux.open(request).await {
        // An EventSource takes 204 as the end of the stream and stops.
        Ok(reader) if reader.is_finished() && framing == Framing::Sse => {
            StatusCode::NO_CONTENT.into_response()
        }
        Ok(reader) => streamed(framing, axum::body::Body::new(ReaderBody::new(reader))),
        Err(error) => refused(app, framing, error),
    }
}

fn streamed(framing: Framing, body: axum::body::Body) -> Response {
    const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
    let media = match framing {
        Framing::Sse => "text/event-stream",
        Framing::Ndjson => "application/x-ndjson",
    };
    let mut response = Response::new(body);
    response.extensions_mut().insert(Detach);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}

/// An `EventSource` gives up for good on another status than 200: it is told in the stream and comes back.
fn refused(app: &App, framing: Framing, error: OpenError) -> Response {
    let problem = Problem::from(error);
    match framing {
        Framing::Ndjson => problem.into_response(),
        Framing::Sse => {
            let mut out = Vec::new();
            framing.retry(&mut out, app.settings.retry_ms);
            framing
                .event(&mut out, "error", None, |out| out.extend_from_slice(&problem.to_json().into_bytes()));
            streamed(framing, out.into())
        }
    }
}
