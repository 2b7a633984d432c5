//! The monolith's answer to a step: kept beside the log, and compared with ours.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use serde::Serialize;
use utoipa::ToSchema;

use super::feedback::not_known;
use super::{load, unknown_step};
use crate::domain::aggregate::request::parse_legacy_response;
use crate::domain::canonical_json::one_line;
use crate::domain::ids::{SessionId, StepId};
use crate::domain::shadow::Comparison;
use crate::domain::verdict::Code;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, idempotency_key, read_text, require_json};
use crate::edge::http::openapi::{LegacyBody, LegacyProblems, SenderHeaders, StepPath, examples};
use crate::edge::http::problem::Problem;
use crate::engine::ports::shadow_log::NotedResponse;
use crate::engine::shadow::Answered;

/// What became of the monolith's answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegacyAnswered {
    session_id: SessionId,
    plan_step_id: StepId,
    state: LegacyState,
    /// Where both were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<Box<Comparison>>,
}

/// How far it is.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum LegacyState {
    /// Our step hasn't ended; both are compared as soon as it has.
    Waiting,
    /// Both were compared.
    Compared,
}

/// Give the monolith's answer
///
/// To the same step, which may be any, in shadow mode or not, before or after its end. Both are compared as soon as there
/// are both; a later answer takes the place of an earlier one. It isn't an event, and its `Idempotency-Key`s are its own:
/// the last 256 of a session are known. `GET /shadow/discrepancies` reads back in what they differ.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/legacy-response", tag = "planner",
    params(StepPath, SenderHeaders),
    request_body(content = LegacyBody, example = json!(examples::legacy_response())),
    responses(
        (status = 200, description = "It is kept, and compared with ours", body = LegacyAnswered),
        (status = 202, description = "It is kept, and waits for the end of our step", body = LegacyAnswered),
        LegacyProblems,
    ),
)]
pub async fn post_legacy_response(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<LegacyAnswered>), Problem> {
    require_json(&headers)?;
    let text = read_text(body, &app).await?;
    parse_legacy_response(&text)?;
    let once = idempotency_key(&headers, &uri, text.as_bytes())?;
    let (state, loaded) = load(&app, &ids).await?.ok_or_else(|| unknown_step(&ids))?;
    state.step(ids.step()).ok_or_else(|| unknown_step(&ids))?;
    let (step, body) = (ids.step().clone(), Arc::from(&*one_line(&text)));
    let response = NotedResponse { key: ids.key, step, body, at: loaded.now };
    let (status, state, comparison) = match app.shadow.take(&response, once.as_ref()).await {
        Ok(Answered::Compared(comparison)) => (StatusCode::OK, LegacyState::Compared, Some(comparison)),
        Ok(Answered::Waiting) => (StatusCode::ACCEPTED, LegacyState::Waiting, None),
        Ok(Answered::Conflict) => {
            let text = "this Idempotency-Key was used for another answer of the session";
            return Err(Problem::new(Code::IdempotencyConflict, text));
        }
        Err(error) => return Err(not_known(error)),
    };
    let (session_id, plan_step_id) = (response.key.session, response.step);
    Ok((status, Json(LegacyAnswered { session_id, plan_step_id, state, comparison })))
}
