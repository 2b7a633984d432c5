//! The planner's calls: directives, state, progress, safety, cancel, close, delete.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::app::App;
use super::extract::{Ids, idempotency_key, read_text, require_json, telemetry_of};
use super::problem::Problem;
use super::refused::{expired, in_step, unknown_session};
use super::views::{Accepted, Done, SessionLine, SessionView, StepView};
use crate::domain::directive;
use crate::domain::ids::{SessionId, SessionKey, TenantId};
use crate::domain::record::Answer;
use crate::domain::requests;
use crate::domain::session::{Command, NewStep, SessionState};
use crate::domain::verdict::{Code, Refusal};
use crate::engine::coordinator::{Reply, Submission};
use crate::engine::ports::result_cache::{Loaded, Presence};

/// Sessions of one answer at most.
const SESSIONS_MAX: usize = 1_000;

/// `POST /planner/sessions/{session_id}/steps`
pub async fn post_step(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    require_json(&headers)?;
    let text = read_text(body, app.settings.body_bytes).await?;
    let parsed = directive::parse(&text, &ids.key.session, &app.settings.rules);
    let directive = parsed.map_err(|refusal| Problem::from(refusal).in_directive())?;
    let once = idempotency_key(&headers, uri.path(), text.as_bytes())?;
    let id = directive.plan_step_id.clone();
    let command = Command::StartStep(Box::new(NewStep {
        digest: directive.digest(),
        directive: Arc::new(directive),
        context: Arc::new(telemetry_of(&headers)),
        disabled: app.settings.disabled_subagents.clone(),
    }));
    let (answer, reply) = submit_one(&app, &ids.key, Submission::one(command, once)).await?;
    let step = reply.state.step(&id).ok_or_else(|| internal("an accepted step isn't in the state"))?;
    let accepted = Accepted::new(&reply.state, step);
    let status =
        if answer == (Answer::Step { created: true }) { StatusCode::CREATED } else { StatusCode::OK };
    let location = [(header::LOCATION, accepted.location().to_owned())];
    Ok((status, location, Json(accepted)).into_response())
}

/// `POST …/steps/{plan_step_id}/progress`
pub async fn post_progress(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let make = |text: &str| {
        let progress = requests::parse_progress(text)?;
        Ok(Command::Progress { step: ids.step().clone(), progress })
    };
    tell(&app, &ids, uri.path(), &headers, body, make).await
}

/// `POST …/safety`, of a step or of the session
pub async fn post_safety(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let make = |text: &str| {
        let outcome = requests::parse_safety(text)?;
        Ok(Command::Safety { step: ids.maybe_step().cloned(), outcome })
    };
    tell(&app, &ids, uri.path(), &headers, body, make).await
}

/// `POST …/cancel`, of a step or of the session
pub async fn post_cancel(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let make = |text: &str| {
        let reason = requests::parse_cancel(text)?.reason;
        Ok(Command::Cancel { step: ids.maybe_step().cloned(), reason })
    };
    tell(&app, &ids, uri.path(), &headers, body, make).await
}

/// A body without fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// `POST /planner/sessions/{session_id}/close`
pub async fn post_close(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let make = |text: &str| match text.trim() {
        "" => Ok(Command::Close),
        text => requests::parse_body::<Nothing>(text).map(|Nothing {}| Command::Close),
    };
    tell(&app, &ids, uri.path(), &headers, body, make).await
}

async fn tell(
    app: &App,
    ids: &Ids,
    path: &str,
    headers: &HeaderMap,
    body: Body,
    make: impl FnOnce(&str) -> Result<Command, Refusal>,
) -> Result<Json<Done>, Problem> {
    require_json(headers)?;
    let text = read_text(body, app.settings.body_bytes).await?;
    let command = make(&text)?;
    let once = idempotency_key(headers, path, text.as_bytes())?;
    let submission = Submission::one(command, once);
    let (answer, reply) = match ids.maybe_step() {
        Some(_) => submit_in_step(app, &ids.key, submission).await?,
        None => submit_one(app, &ids.key, submission).await?,
    };
    let sequence = match answer {
        Answer::Done(sequence) => sequence,
        Answer::Step { .. } | Answer::Event(_) => None,
    };
    let step = ids.maybe_step().and_then(|id| reply.state.step(id));
    Ok(Json(Done::new(&reply.state, step, sequence, reply.cursor)))
}

async fn submit_one(app: &App, key: &SessionKey, submission: Submission) -> Result<(Answer, Reply), Problem> {
    let mut reply = app.coordinator.submit(key, submission).await?;
    let answer = reply.answers.pop().ok_or_else(|| internal("a command wasn't answered"))?;
    Ok((answer?, reply))
}

async fn submit_in_step(
    app: &App,
    key: &SessionKey,
    submission: Submission,
) -> Result<(Answer, Reply), Problem> {
    let mut reply = app.coordinator.submit(key, submission).await.map_err(in_step)?;
    let answer = reply.answers.pop().ok_or_else(|| internal("a command wasn't answered"))?;
    Ok((answer?, reply))
}

fn internal(detail: &str) -> Problem {
    Problem::new(Code::Internal, detail)
}

/// What `GET /planner/sessions` takes.
#[derive(Debug, Deserialize)]
pub struct ListQuery {
    limit: Option<usize>,
    after: Option<SessionId>,
}

/// `GET /planner/sessions`
pub async fn list_sessions(
    State(app): State<App>,
    query: Result<Query<ListQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<serde_json::Value>, Problem> {
    let Query(query) = query.map_err(|error| Problem::new(Code::InvalidEvent, error.body_text()))?;
    let limit = query.limit.unwrap_or(100).clamp(1, SESSIONS_MAX);
    let tenant = TenantId::default_tenant();
    let states = app.coordinator.sessions(&tenant, query.after.as_ref(), limit).await?;
    let next = (states.len() == limit).then(|| states.last().map(|state| state.session.to_string()));
    let sessions: Vec<SessionLine> = states.iter().map(|state| SessionLine::new(state)).collect();
    Ok(Json(serde_json::json!({ "sessions": sessions, "next": next.flatten() })))
}

/// `GET /planner/sessions/{session_id}`
pub async fn get_session(State(app): State<App>, ids: Ids) -> Result<Json<SessionView>, Problem> {
    let (state, loaded) = load(&app, &ids).await?.ok_or_else(|| unknown_session(&ids.key))?;
    Ok(Json(SessionView::new(&state, &loaded)))
}

/// `GET /planner/sessions/{session_id}/steps/{plan_step_id}`
pub async fn get_step(State(app): State<App>, ids: Ids) -> Result<Json<StepView>, Problem> {
    let unknown = || Problem::new(Code::UnknownStep, format!("no directive was posted for `{}`", ids.step()));
    let (state, loaded) = load(&app, &ids).await?.ok_or_else(unknown)?;
    let step = state.step(ids.step()).ok_or_else(unknown)?;
    Ok(Json(StepView::new(&state, step, &loaded)))
}

async fn load(app: &App, ids: &Ids) -> Result<Option<(Arc<SessionState>, Loaded)>, Problem> {
    let loaded = app.coordinator.session(&ids.key).await?;
    match &loaded.presence {
        Presence::Unknown => Ok(None),
        Presence::Expired(_) => Err(expired(&ids.key)),
        Presence::Live(state) => Ok(Some((state.clone(), loaded))),
    }
}

/// `DELETE /planner/sessions/{session_id}`
pub async fn delete_session(State(app): State<App>, ids: Ids) -> Result<StatusCode, Problem> {
    match app.coordinator.forget(&ids.key).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(unknown_session(&ids.key)),
    }
}

/// The result of a step and its kin: not part of this version.
pub async fn no_result() -> Problem {
    let text = "this version streams and stores outputs, but doesn't combine them into a result yet";
    Problem::new(Code::FeatureDisabled, text)
}
