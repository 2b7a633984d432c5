//! Agent2Agent clients follow a step as a task (`docs/bridges/a2a.md`).

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::past::{past, start_of};
use super::{Reading, follow};
use crate::domain::access::Scope;
use crate::domain::bridges::a2a::{A2a, Call, Fault, Request, card, request};
use crate::domain::bridges::{InvalidPlace, Place};
use crate::domain::position::Position;
use crate::domain::session::Command;
use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, last_event_id, read_text, require_json};
use crate::edge::http::openapi::{BridgeProblems, SessionPath};
use crate::edge::http::problem::Problem;
use crate::edge::http::refused::in_step;
use crate::engine::coordinator::Submission;
use crate::engine::mux::StartAt;

/// Describe a session's agent
///
/// The card of Agent2Agent 1.0: where its tasks, the steps, are read.
#[utoipa::path(
    get, path = "/bridges/a2a/sessions/{session_id}/.well-known/agent-card.json", tag = "bridges", params(SessionPath),
    responses((status = 200, description = "The card", body = Object), BridgeProblems),
)]
pub async fn get_card(State(app): State<App>, ids: Ids, uri: Uri, headers: HeaderMap) -> Json<Value> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = uri.authority().map(|authority| authority.as_str()).or_else(|| text(header::HOST.as_str()));
    let encrypted = app.settings.encrypted || text("x-forwarded-proto") == Some("https");
    let scheme = if encrypted { "https" } else { "http" };
    let session = ids.key.session.as_str();
    let url = format!("{scheme}://{}/bridges/a2a/sessions/{session}", host.unwrap_or("localhost"));
    Json(card::card(session, &url, env!("CARGO_PKG_VERSION"), app.access.required))
}

/// Ask a session's agent
///
/// JSON-RPC of Agent2Agent 1.0: `SendStreamingMessage` to a task that is there, `SubscribeToTask`, `GetTask`,
/// `CancelTask` (scope `plan`). What is wrong is said in a JSON-RPC error, with status 200.
#[utoipa::path(
    post, path = "/bridges/a2a/sessions/{session_id}", tag = "bridges", params(SessionPath),
    request_body(content = Object, example = json!(
        {"jsonrpc": "2.0", "id": 1, "method": "SubscribeToTask", "params": {"id": "plan-step-4"}})),
    responses(
        (status = 200, description = "A response, or a stream of them", content(
            (Object = "application/json"), (String = "text/event-stream"))),
        BridgeProblems,
    ),
)]
pub async fn post_request(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    require_json(&headers)?;
    let body = read_text(body, &app).await?;
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let session = ids.key.session.as_str();
    let request = match request::read(&body, session, text("a2a-version"), last_event_id(&headers)?) {
        Ok(request) => request,
        Err(refused) => return Ok(Json(refused).into_response()),
    };
    let id = request.id.clone();
    let answer = answer(&app, &ids, &caller, &headers, request).await;
    Ok(answer.unwrap_or_else(|fault| Json(fault.response(&id)).into_response()))
}

async fn answer(
    app: &App,
    ids: &Ids,
    caller: &Caller,
    headers: &HeaderMap,
    request: Request,
) -> Result<Response, Fault> {
    let Ok(step) = request.task.parse() else { return Err(Fault::task_not_found("no task has such an id")) };
    let ids = ids.clone().in_step(step);
    match request.call {
        Call::Follow { place } => follow_task(app, (&ids, caller), headers, request.id, place).await,
        Call::Get => {
            let (task, end) = read(app, &ids, request.id.clone()).await?;
            let place = place_at(end);
            Ok(result(&request.id, task.task(place.as_ref())))
        }
        Call::Cancel => {
            let session = &ids.key.session;
            caller.grant().allows(Scope::Plan, Some(session)).map_err(|denied| fault(denied.into()))?;
            let (task, _) = read(app, &ids, request.id.clone()).await?;
            if task.is_over() {
                return Err(Fault::not_cancelable("the task has ended"));
            }
            let command = Command::Cancel { step: Some(ids.step().clone()), reason: None };
            let reply = app.coordinator.submit(&ids.key, Submission::one(command, None)).await;
            let mut reply = reply.map_err(|error| fault(in_step(error)))?;
            if let Some(Err(refusal)) = reply.answers.pop() {
                return Err(fault(refusal.into()));
            }
            let (task, end) = read(app, &ids, request.id.clone()).await?;
            Ok(result(&request.id, task.task(place_at(end).as_ref())))
        }
    }
}

/// The task as it is now, and the place where that is.
async fn read(app: &App, ids: &Ids, id: Value) -> Result<(A2a, Position), Fault> {
    let mut task = A2a::new(id, ids.key.session.as_str(), ids.step().as_str());
    let found = past(app, ids, None, &mut |event| task.past(event)).await.map_err(fault)?;
    let not_found =
        || Fault::task_not_found("no directive was posted for this step, or nothing is kept of it");
    let found = found.filter(|_| task.has_begun()).ok_or_else(not_found)?;
    Ok((task, found.end))
}

async fn follow_task(
    app: &App,
    (ids, caller): (&Ids, &Caller),
    headers: &HeaderMap,
    id: Value,
    place: Option<Place>,
) -> Result<Response, Fault> {
    let Some(place) = place else {
        let (task, end) = read(app, ids, id).await?;
        if task.is_over() {
            return Err(Fault::is_over());
        }
        let task = match place_at(end) {
            Some(place) => task.resumed(place),
            None => task,
        };
        let reading = Reading { ids, caller, headers, start: StartAt::Cursor(end), batch: Some(1) };
        return follow(app, reading, task).await.map_err(fault);
    };
    let start = start_of(&place).map_err(fault)?;
    let mut task = A2a::new(id.clone(), ids.key.session.as_str(), ids.step().as_str()).resumed(place);
    if let StartAt::Cursor(position) = start {
        let found =
            past(app, ids, Some(position.sequence), &mut |event| task.past(event)).await.map_err(fault)?;
        let found = found.ok_or_else(|| Fault::task_not_found("no directive was posted for this step"))?;
        if !found.is_whole {
            // The task as it was there can't be told any more: it is told as it is now.
            let session = ids.key.session.as_str();
            let anew = A2a::new(id, session, ids.step().as_str());
            let reading = Reading { ids, caller, headers, start: StartAt::Snapshot, batch: Some(1) };
            return follow(app, reading, anew).await.map_err(fault);
        }
    }
    let reading = Reading { ids, caller, headers, start, batch: Some(1) };
    follow(app, reading, task).await.map_err(fault)
}

fn place_at(end: Position) -> Option<Place> {
    let place: Result<Place, InvalidPlace> = end.to_string().parse();
    place.ok()
}

fn result(id: &Value, task: Value) -> Response {
    Json(json!({ "jsonrpc": "2.0", "id": id, "result": task })).into_response()
}

fn fault(problem: Problem) -> Fault {
    Fault::of_problem(problem.code.as_str(), &problem.detail)
}
