//! What a planner tells of what runs: progress, safety, cancel, close.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{submit_in_step, submit_one};
use crate::domain::policy::PolicyOutcome;
use crate::domain::record::Answer;
use crate::domain::requests::{self, Cancel, Progress};
use crate::domain::session::Command;
use crate::domain::verdict::Refusal;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, idempotency_key, read_text, require_json};
use crate::edge::http::openapi::{
    ProgressProblems, SafetyProblems, SenderHeaders, SessionPath, SessionSafetyProblems, StepPath,
    TellSessionProblems, TellStepProblems, examples,
};
use crate::edge::http::problem::Problem;
use crate::edge::http::subagents::check_size;
use crate::edge::http::views::Done;
use crate::engine::coordinator::Submission;

/// Tell of progress
///
/// The planner's own, as an event for readers.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/progress", tag = "planner",
    params(StepPath, SenderHeaders),
    request_body(content = Progress, example = json!(examples::progress())),
    responses((status = 200, description = "It was streamed", body = Done), ProgressProblems),
)]
pub async fn post_progress(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    let make = |text: &str| {
        check_size(&app, text)?;
        let progress = requests::parse_progress(text)?;
        Ok(Command::Progress { step: ids.step().clone(), progress })
    };
    tell(&app, &ids, &uri, &headers, body, make).await
}

/// Decide on safety of a step
///
/// `refuse` ends what it is about: the named subagent, or else the step.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/safety", tag = "planner",
    params(StepPath, SenderHeaders),
    request_body(content = PolicyOutcome, example = json!(examples::safety())),
    responses((status = 200, description = "It was streamed, and what it ends has ended", body = Done), SafetyProblems),
)]
pub async fn post_step_safety(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    safety(app, ids, uri, headers, body).await
}

/// Decide on safety of a session
///
/// `refuse` ends what it is about: the named subagent wherever it runs, or else the whole plan.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/safety", tag = "planner",
    params(SessionPath, SenderHeaders),
    request_body(content = PolicyOutcome, example = json!(examples::safety())),
    responses((status = 200, description = "It was streamed, and what it ends has ended", body = Done), SessionSafetyProblems),
)]
pub async fn post_session_safety(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    safety(app, ids, uri, headers, body).await
}

async fn safety(app: App, ids: Ids, uri: Uri, headers: HeaderMap, body: Body) -> Result<Json<Done>, Problem> {
    let make = |text: &str| {
        let outcome = requests::parse_safety(text)?;
        Ok(Command::Safety { step: ids.maybe_step().cloned(), outcome })
    };
    tell(&app, &ids, &uri, &headers, body, make).await
}

/// End a step
///
/// Outputs that are still open are cancelled; its end is streamed. Closing a stream never does this.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/cancel", tag = "planner",
    params(StepPath, SenderHeaders),
    request_body(content = Option<Cancel>, description = "May be absent", example = json!(examples::cancel())),
    responses((status = 200, description = "The step has ended", body = Done), TellStepProblems),
)]
pub async fn post_step_cancel(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    cancel(app, ids, uri, headers, body).await
}

/// End all that runs in a session
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/cancel", tag = "planner",
    params(SessionPath, SenderHeaders),
    request_body(content = Option<Cancel>, description = "May be absent", example = json!(examples::cancel())),
    responses((status = 200, description = "All that ran has ended", body = Done), TellSessionProblems),
)]
pub async fn post_session_cancel(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Done>, Problem> {
    cancel(app, ids, uri, headers, body).await
}

async fn cancel(app: App, ids: Ids, uri: Uri, headers: HeaderMap, body: Body) -> Result<Json<Done>, Problem> {
    let make = |text: &str| {
        let reason = requests::parse_cancel(text)?.reason;
        Ok(Command::Cancel { step: ids.maybe_step().cloned(), reason })
    };
    tell(&app, &ids, &uri, &headers, body, make).await
}

/// A body without fields.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CloseBody)]
struct Nothing {}

/// Announce that no more steps follow
///
/// Streams of the session end when the running steps have.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/close", tag = "planner",
    params(SessionPath, SenderHeaders),
    request_body(content = Option<Nothing>, description = "May be absent"),
    responses((status = 200, description = "It is closed", body = Done), TellSessionProblems),
)]
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
    tell(&app, &ids, &uri, &headers, body, make).await
}

async fn tell(
    app: &App,
    ids: &Ids,
    uri: &Uri,
    headers: &HeaderMap,
    body: Body,
    make: impl FnOnce(&str) -> Result<Command, Refusal>,
) -> Result<Json<Done>, Problem> {
    require_json(headers)?;
    let text = read_text(body, app).await?;
    let command = make(&text)?;
    let once = idempotency_key(headers, uri, text.as_bytes())?;
    let submission = Submission::one(command, once.clone());
    let (answer, reply) = match ids.maybe_step() {
        Some(_) => submit_in_step(app, &ids.key, submission).await?,
        None => submit_one(app, &ids.key, submission).await?,
    };
    let sequence = match answer {
        Answer::Done(sequence) => sequence,
        Answer::Step { .. } | Answer::Event(_) => None,
    };
    let step = ids.maybe_step().and_then(|id| reply.state.step(id));
    let noted = once.and_then(|once| reply.state.answered(&once.key)?.answers.first().copied());
    let standing = noted.and_then(|noted| noted.standing);
    Ok(Json(Done::new(&reply.state, step, (sequence, standing), reply.cursor)))
}
