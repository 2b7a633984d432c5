//! The result of a step, in all its forms, and the full originals that it was made of.

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Json, body};
use serde::Serialize;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

use super::access::Caller;
use super::app::App;
use super::explained::{ExplainedResult, explained};
use super::extract::{Ids, flag, known_pairs, number};
use super::openapi::{OriginalPath, RenderedResult, ResultProblems, StepPath};
use super::problem::Problem;
use super::refused::{expired, unknown_step};
use super::rendering::{Format, rendered};
use crate::domain::access::Scope;
use crate::domain::ids::{ResultKey, SessionId, StepId};
use crate::domain::record::StepStatus;
use crate::domain::verdict::{Code, Refusal};
use crate::engine::results::{Found, StepResult, Wanted};

/// How long a request may wait for a result.
const WAIT_MS_MAX: usize = 60_000;

/// How a result is asked for.
#[derive(Debug, Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ResultQuery {
    /// Milliseconds to wait for the step's end; of more than 60,000 those count.
    #[param(minimum = 0, default = 0, required = false)]
    wait_ms: usize,
    /// Give what there is so far, where the step hasn't ended; with `wait_ms`, when that time is over.
    #[param(default = false, required = false)]
    partial: bool,
    /// The form; goes before `Accept`.
    #[param(inline)]
    format: Option<Format>,
    /// How it came about: inputs, prompt, what models answered, log of the checks (scope `admin`). Always JSON.
    #[param(default = false, required = false)]
    explain: bool,
}

impl ResultQuery {
    fn read(query: &str) -> Result<Self, Refusal> {
        let mut wanted = Self::default();
        for (name, value) in known_pairs(query, &["wait_ms", "partial", "format", "explain"])? {
            match name.as_str() {
                "wait_ms" => wanted.wait_ms = number("wait_ms", &value)?.min(WAIT_MS_MAX),
                "partial" => wanted.partial = flag("partial", &value)?,
                "format" => wanted.format = Some(value.parse()?),
                "explain" => wanted.explain = flag("explain", &value)?,
                _ => {}
            }
        }
        Ok(wanted)
    }
}

/// A result that isn't there yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotYet {
    session_id: SessionId,
    plan_step_id: StepId,
    status: StepStatus,
    /// What to do meanwhile.
    detail: &'static str,
}

/// The result as JSON: alone, or with `explain` and all that it was made of.
#[derive(ToSchema)]
#[schema(title = "StepResult")]
#[serde(untagged)]
#[expect(dead_code, reason = "it is described, and never made")]
pub enum ResultBody<'a> {
    /// Alone.
    Result(RenderedResult),
    /// With `explain`.
    Explained(ExplainedResult<'a>),
}

/// Get the aggregated result
///
/// Once the step has ended; `wait_ms` waits for that, `partial` gives what there is so far.
#[utoipa::path(
    get, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/result", tag = "planner",
    params(StepPath, ResultQuery),
    responses(
        (status = 200, description = "The result; with `explain` an `ExplainedResult`", content(
            (ResultBody<'static> = "application/json"),
            (String = "text/markdown"),
            (String = "text/html"),
        )),
        (status = 202, description = "Not yet", body = NotYet,
            headers(("Retry-After" = u32, description = "Seconds until another try makes sense"))),
        ResultProblems,
    ),
)]
pub async fn get_result(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let query = ResultQuery::read(query.as_deref().unwrap_or_default())?;
    if query.explain {
        caller.has(Scope::Admin)?;
    }
    let format = query.format.unwrap_or_else(|| Format::accepted(&headers));
    let wanted = Wanted { partial: query.partial, patience: Duration::from_millis(query.wait_ms as u64) };
    let found = tokio::select! {
        biased;
        found = app.results.result(&ids.key, ids.step(), wanted) => found?,
        () = app.draining.cancelled() => return Err(Problem::new(Code::Draining, "the service is stopping")),
    };
    match found {
        Found::Ready(StepResult { result, .. }) if query.explain => {
            let explained = explained(&app, &ids, result).await?;
            explained.ok_or_else(|| unknown_step(&ids))
        }
        Found::Ready(StepResult { result, query }) => Ok(rendered(&result, query.as_deref(), format)),
        Found::NotYet(status) => {
            let detail =
                "the step hasn't ended; `wait_ms` waits for it, `partial=true` gives what there is so far";
            Ok(not_yet(&ids, status, detail))
        }
        Found::Expired => Err(expired(&ids.key)),
        Found::UnknownStep => Err(unknown_step(&ids)),
    }
}

fn not_yet(ids: &Ids, status: StepStatus, detail: &'static str) -> Response {
    let (session_id, plan_step_id) = (ids.key.session.clone(), ids.step().clone());
    let body = NotYet { session_id, plan_step_id, status, detail };
    let headers = [(header::RETRY_AFTER, "1"), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::ACCEPTED, headers, Json(body)).into_response()
}

/// Get a subagent's full original
///
/// The event that carries it, byte for byte as it was stored and streamed: its success, or where it failed or ended without a
/// payload the last part of what it said; where it said nothing, the event that tells how it ended. Where a card shows a part only, its `payload` is what the subagent sent, in its own shape.
#[utoipa::path(
    get, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/results/{result_key}", tag = "planner",
    params(OriginalPath),
    responses(
        (status = 200, description = "The event", body = super::openapi::Event),
        (status = 202, description = "Nothing yet", body = NotYet,
            headers(("Retry-After" = u32, description = "Seconds until another try makes sense"))),
        ResultProblems,
    ),
)]
pub async fn get_original(State(app): State<App>, ids: Ids) -> Result<Response, Problem> {
    let result_key: &ResultKey = ids.result_key();
    match app.results.original(&ids.key, ids.step(), result_key).await? {
        Found::Ready(Some(entry)) => {
            let wire = entry.original_wire();
            let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
            Ok((headers, Body::from(body::Bytes::from(wire))).into_response())
        }
        Found::Ready(None) => {
            let text = format!("the step `{}` doesn't expect `{result_key}`", ids.step());
            Err(Problem::new(Code::UnknownSubagent, text))
        }
        Found::NotYet(status) => {
            Ok(not_yet(&ids, status, "nothing came from it yet; the step's stream says when"))
        }
        Found::Expired => Err(expired(&ids.key)),
        Found::UnknownStep => Err(unknown_step(&ids)),
    }
}
