//! Reading: one resource, four representations.

mod body;
mod page;
mod query;
mod websocket;

pub use page::PageView;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::access::Caller;
use super::app::App;
use super::extract::Ids;
use super::measured::caller_of;
use super::openapi::{ReadHeaders, ReadProblems, ReadQuery, ReadResponses, SessionPath, StepPath};
use super::problem::Problem;
use super::serve::Detach;
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
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    read(app, ids, caller, request.into_parts().0).await
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
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    read(app, ids, caller, request.into_parts().0).await
}

async fn read(app: App, ids: Ids, caller: Caller, mut parts: Parts) -> Result<Response, Problem> {
    let headers = &parts.headers;
    let wanted = Wanted::read(parts.uri.query().unwrap_or_default(), headers, &ids)?;
    if asks_for_websocket(headers) {
        let upgrade = match websocket::handshake(&mut parts, &app).await {
            Ok(upgrade) => upgrade,
            Err(refused) => return Ok(refused),
        };
        let request = read_request(&app, (&ids, &caller), wanted, Framing::Ndjson, &parts.headers);
        return Ok(websocket::upgrade(&app, upgrade, app.mux.open(request).await?));
    }
    let framing = match representation(headers) {
        Representation::Page => return Ok(by_accept(page::get(&app, &ids, wanted).await.into_response())),
        Representation::Sse => Framing::Sse,
        Representation::Ndjson => Framing::Ndjson,
    };
    let request = read_request(&app, (&ids, &caller), wanted, framing, headers);
    Ok(by_accept(stream(&app, request).await))
}

/// What is answered depends on what the caller takes.
fn by_accept(mut response: Response) -> Response {
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Other upgrades (`h2c`) may be ignored (RFC 9110, 7.8), and are.
fn asks_for_websocket(headers: &HeaderMap) -> bool {
    headers.get(header::UPGRADE).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

fn read_request(
    app: &App,
    (ids, caller): (&Ids, &Caller),
    wanted: Wanted,
    framing: Framing,
    headers: &HeaderMap,
) -> ReadRequest {
    ReadRequest {
        key: ids.key.clone(),
        view: wanted.view,
        start: wanted.start,
        framing,
        batch: wanted.batch,
        coalesce: wanted.coalesce,
        caller: caller_of(&app.telemetry, headers),
        lives: caller.remaining(),
    }
}

async fn stream(app: &App, request: ReadRequest) -> Response {
    let framing = request.framing;
    match app.mux.open(request).await {
        // An EventSource takes 204 as the end of the stream and stops. A later directive may open it again.
        Ok(reader) if reader.is_finished() && framing == Framing::Sse => {
            (StatusCode::NO_CONTENT, [(header::CACHE_CONTROL, "no-store")]).into_response()
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
