//! LangGraph's clients join a step as a run, or a session as a thread (`docs/bridges/langgraph.md`).

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::past::{past, start_of};
use super::{Reading, follow};
use crate::domain::bridges::Place;
use crate::domain::bridges::langgraph::{LangGraph, Modes};
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, form_pairs, last_event_id};
use crate::edge::http::openapi::{BridgeProblems, SessionPath, StepPath};
use crate::edge::http::problem::Problem;
use crate::engine::mux::{PageRequest, StartAt, View};

/// Join a step as a LangGraph run
///
/// For `runs.joinStream` of LangGraph's SDKs. `stream_mode` may come several times, or as a list; without it, it is
/// `values`. `Last-Event-ID` resumes after the event with that `id`. Closing the stream ends nothing.
#[utoipa::path(
    get, path = "/bridges/langgraph/threads/{session_id}/runs/{plan_step_id}/stream", tag = "bridges", params(StepPath),
    responses(
        (status = 200, description = "Events of the run", content_type = "text/event-stream", body = String),
        (status = 204, description = "Everything was read, and nothing follows"),
        BridgeProblems,
    ),
)]
pub async fn join_run(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    join(&app, &ids, &caller, query.as_deref().unwrap_or_default(), &headers).await
}

/// Join a session as a LangGraph thread
///
/// For `threads.joinStream`: the runs of all its steps.
#[utoipa::path(
    get, path = "/bridges/langgraph/threads/{session_id}/stream", tag = "bridges", params(SessionPath),
    responses(
        (status = 200, description = "Events of its runs", content_type = "text/event-stream", body = String),
        (status = 204, description = "Everything was read, and nothing follows"),
        BridgeProblems,
    ),
)]
pub async fn join_thread(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    join(&app, &ids, &caller, query.as_deref().unwrap_or_default(), &headers).await
}

async fn join(
    app: &App,
    ids: &Ids,
    caller: &Caller,
    query: &str,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let (thread, run) = (ids.key.session.as_str(), ids.maybe_step().map(|step| step.as_str()));
    let modes: Vec<String> =
        form_pairs(query).filter(|(name, _)| name == "stream_mode").map(|(_, value)| value).collect();
    let mut bridge = LangGraph::new(thread, run, Modes::read(modes.iter().map(String::as_str)));
    let mut start = StartAt::Start;
    if let Some(place) = place_of(headers)? {
        start = start_of(&place)?;
        bridge = bridge.resumed(place);
        if let StartAt::Cursor(position) = start {
            if is_finished(app, ids, start).await? {
                return Ok(StatusCode::NO_CONTENT.into_response());
            }
            if bridge.needs_past() {
                let found = past(app, ids, Some(position.sequence), &mut |event| bridge.past(event)).await?;
                if found.is_some_and(|past| !past.is_whole) {
                    // What its state was made of isn't kept any more: it is told of all anew.
                    start = StartAt::Snapshot;
                }
            }
        }
    }
    let mut response = follow(app, Reading { ids, caller, headers, start, batch: Some(1) }, bridge).await?;
    let path = LangGraph::location(thread, run);
    if let Some(resource) = path.strip_suffix("/stream").and_then(|path| HeaderValue::from_str(path).ok()) {
        response.headers_mut().insert(header::CONTENT_LOCATION, resource);
    }
    if let Ok(path) = HeaderValue::from_str(&path) {
        response.headers_mut().insert(header::LOCATION, path);
    }
    Ok(response)
}

fn place_of(headers: &HeaderMap) -> Result<Option<Place>, Problem> {
    let Some(value) = last_event_id(headers)? else { return Ok(None) };
    let place = value.parse();
    place.map(Some).map_err(|error: crate::domain::bridges::InvalidPlace| {
        Refusal::new(Code::InvalidCursor, format!("`Last-Event-ID`: {error}")).into()
    })
}

async fn is_finished(app: &App, ids: &Ids, start: StartAt) -> Result<bool, Problem> {
    let view = View { step: ids.maybe_step().cloned(), ..View::default() };
    let page = app.mux.page(PageRequest { key: ids.key.clone(), view, start, limit: 1 }).await?;
    Ok(page.is_some_and(|page| page.recovered && page.closed && page.events.is_empty()))
}
