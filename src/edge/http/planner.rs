//! The planner's calls: directives, state, delete; what it tells of what runs ([`tell`]), and what its users think of what
//! came of it ([`feedback`]).

pub mod feedback;
pub mod legacy;
pub mod tell;

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::IntoParams;

use super::access::Caller;
use super::app::App;
use super::extract::{Ids, idempotency_key, known_pairs, number, read_text, require_json};
use super::measured::{RequestContext, context_of};
use super::openapi::{
    DirectiveBody, DirectiveProblems, ForgetProblems, ListProblems, SenderHeaders, SessionPath,
    SessionProblems, StepPath, StepProblems, TraceHeaders, examples,
};
use super::problem::Problem;
use super::refused::{expired, in_step, unknown_session, unknown_step};
use super::subagents::check_size;
use super::views::{Accepted, SessionList, SessionView, StepView};
use crate::domain::directive::{self, Directive};
use crate::domain::ids::{SessionId, SessionKey};
use crate::domain::record::Answer;
use crate::domain::session::{Command, NewStep, SessionState};
use crate::domain::verdict::{Code, Refusal};
use crate::engine::coordinator::{Reply, Submission};
use crate::engine::ports::result_cache::{Listed, Loaded, Presence};

/// Sessions of one answer at most.
const SESSIONS_MAX: usize = 1_000;
/// Sessions that are looked through, `SESSIONS_MAX` at a time, for those that a token is for.
const LOOKS_MAX: usize = 100;

/// Post a directive
///
/// What a step expects, of whom, and by when. The same directive again is answered the same; another one under the same
/// id is refused.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps", tag = "planner",
    params(SessionPath, SenderHeaders, TraceHeaders),
    request_body(content = DirectiveBody, example = json!(examples::directive())),
    responses(
        (status = 201, description = "The step was made", body = Accepted,
            headers(("Location" = String, description = "The step itself"))),
        (status = 200, description = "The same directive had been posted before", body = Accepted,
            headers(("Location" = String, description = "The step itself"))),
        DirectiveProblems,
    ),
)]
pub async fn post_step(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    request: Option<Extension<RequestContext>>,
    body: Body,
) -> Result<Response, Problem> {
    require_json(&headers)?;
    let text = read_text(body, &app).await?;
    let parsed = directive::parse(&text, &ids.key.session, &app.settings.rules);
    let directive = parsed.map_err(|refusal| Problem::from(refusal).in_directive())?;
    check_context(&app, &directive)?;
    let once = idempotency_key(&headers, &uri, text.as_bytes())?;
    let id = directive.plan_step_id.clone();
    let context =
        request.map_or_else(|| context_of(&app.telemetry, &headers), |Extension(request)| request.below());
    let command = Command::StartStep(Box::new(NewStep {
        digest: directive.digest(),
        directive: Arc::new(directive.with_calls(&app.settings.rules.calls)),
        context: Arc::new(context),
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

/// The planner's context is shown in one event, which has the bound of one.
fn check_context(app: &App, directive: &Directive) -> Result<(), Refusal> {
    match directive.planner_context.as_ref().map(|context| check_size(app, context.0.get())) {
        Some(Err(refusal)) => Err(Refusal::at(refusal.code, "/planner_context", refusal.detail)),
        Some(Ok(())) | None => Ok(()),
    }
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

/// What a list of sessions is asked for.
#[derive(Debug, Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Sessions at most.
    #[param(minimum = 1, maximum = 1_000, default = 100)]
    limit: Option<usize>,
    /// Only those by a later name.
    after: Option<SessionId>,
}

impl ListQuery {
    fn read(query: &str) -> Result<Self, Refusal> {
        let mut wanted = Self::default();
        for (name, value) in known_pairs(query, &["limit", "after"])? {
            match name.as_str() {
                "limit" => wanted.limit = Some(number("limit", &value)?),
                "after" => {
                    let not_an_id = |error| Refusal::at(Code::InvalidId, "", format!("`after`: {error}"));
                    wanted.after = Some(value.parse().map_err(not_an_id)?);
                }
                _ => {}
            }
        }
        Ok(wanted)
    }
}

/// List sessions
///
/// By name; those that the token is for, as long as the cache has their data. A page without `next` is the last. One that can't be read, such as
/// one that a newer version wrote, stands in `unreadable`.
#[utoipa::path(
    get, path = "/planner/sessions", tag = "planner", params(ListQuery),
    responses((status = 200, description = "Sessions, and where to go on", body = SessionList), ListProblems),
)]
pub async fn list_sessions(
    State(app): State<App>,
    caller: Caller,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let query = ListQuery::read(query.as_deref().unwrap_or_default())?;
    let limit = query.limit.unwrap_or(100);
    if !(1..=SESSIONS_MAX).contains(&limit) {
        return Err(Refusal::at(Code::LimitReached, "", format!("`limit` is 1 to {SESSIONS_MAX}")).into());
    }
    let found = match caller.whole_tenant() {
        Ok(tenant) => app.coordinator.sessions(tenant, query.after.as_ref(), limit + 1).await?,
        Err(_) => sessions_of(&app, &caller, query.after, limit + 1).await?,
    };
    // One more was asked for: it tells whether any follow.
    let shown = &found[..limit.min(found.len())];
    let last = shown.last().filter(|_| found.len() > limit);
    let next = last.map(|listed| listed.session.to_string());
    Ok(fresh(SessionList::new(shown, next)))
}

/// The sessions that a token is for. Others aren't named, not even as the place to go on.
async fn sessions_of(
    app: &App,
    caller: &Caller,
    mut after: Option<SessionId>,
    limit: usize,
) -> Result<Vec<Listed>, Problem> {
    let mut shown = Vec::new();
    for _ in 0..LOOKS_MAX {
        let found = app.coordinator.sessions(caller.tenant(), after.as_ref(), SESSIONS_MAX).await?;
        let is_last = found.len() < SESSIONS_MAX;
        after = found.last().map(|listed| listed.session.clone());
        shown.extend(found.into_iter().filter(|listed| caller.covers(&listed.session).is_ok()));
        if is_last || shown.len() >= limit {
            shown.truncate(limit);
            return Ok(shown);
        }
    }
    let text =
        "there are too many sessions besides those that the token is for: ask for those `after` a name";
    Err(Problem::new(Code::LimitReached, text))
}

/// A state as it is now: no proxy may repeat it.
fn fresh(view: impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response()
}

/// See how a session stands
#[utoipa::path(
    get, path = "/planner/sessions/{session_id}", tag = "planner", params(SessionPath),
    responses((status = 200, description = "The session with its steps", body = SessionView), SessionProblems),
)]
pub async fn get_session(State(app): State<App>, ids: Ids) -> Result<Response, Problem> {
    let (state, loaded) = load(&app, &ids).await?.ok_or_else(|| unknown_session(&ids.key))?;
    Ok(fresh(SessionView::new(&state, &loaded)))
}

/// See how a step stands
#[utoipa::path(
    get, path = "/planner/sessions/{session_id}/steps/{plan_step_id}", tag = "planner", params(StepPath),
    responses((status = 200, description = "The step with its subagents", body = StepView), StepProblems),
)]
pub async fn get_step(State(app): State<App>, ids: Ids) -> Result<Response, Problem> {
    let (state, loaded) = load(&app, &ids).await?.ok_or_else(|| unknown_step(&ids))?;
    let step = state.step(ids.step()).ok_or_else(|| unknown_step(&ids))?;
    Ok(fresh(StepView::new(&state, step, &loaded)))
}

async fn load(app: &App, ids: &Ids) -> Result<Option<(Arc<SessionState>, Loaded)>, Problem> {
    let loaded = app.coordinator.session(&ids.key).await?;
    match &loaded.presence {
        Presence::Unknown => Ok(None),
        Presence::Expired(_) => Err(expired(&ids.key)),
        Presence::Live(state) | Presence::Archived(state) => Ok(Some((state.clone(), loaded))),
    }
}

/// Forget a session
///
/// Everywhere and at once; its readers are told.
#[utoipa::path(
    delete, path = "/planner/sessions/{session_id}", tag = "planner", params(SessionPath),
    responses((status = 204, description = "It is forgotten"), ForgetProblems),
)]
pub async fn delete_session(State(app): State<App>, ids: Ids) -> Result<StatusCode, Problem> {
    let known = app.coordinator.forget(&ids.key).await?;
    app.shadow.log().forget(&ids.key).await?;
    app.feedback.forget_feedback(&ids.key).await?;
    app.synthesiser.forget(&ids.key).await?;
    match known {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(unknown_session(&ids.key)),
    }
}
