//! The Vercel AI SDK's UI message stream: a message for a step (`docs/bridges/ai-sdk.md`).

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::{Reading, follow};
use crate::domain::bridges::ai_sdk::AiSdk;
use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, read_text, require_json};
use crate::edge::http::openapi::{BridgeProblems, ChatPath, StepPath};
use crate::edge::http::problem::Problem;
use crate::engine::mux::StartAt;
use crate::engine::ports::result_cache::Presence;

/// Names the protocol and its version.
const STREAM: HeaderName = HeaderName::from_static("x-vercel-ai-ui-message-stream");

/// Follow a step as a message of a chat
///
/// For `useChat` and `DefaultChatTransport` of npm `ai`, versions 5, 6 and 7. The message is told from the step's start,
/// whenever it is asked for. Nothing is begun by it, and nothing ends when its client goes away.
#[utoipa::path(
    post, path = "/bridges/ai-sdk/sessions/{session_id}/steps/{plan_step_id}", tag = "bridges", params(StepPath),
    request_body(
        content = Object, description = "What the transport posts; it isn't read: the planner has asked already",
        example = json!({"id": "chat-1", "messages": [], "trigger": "submit-message"}),
    ),
    responses(
        (status = 200, description = "Parts of a UI message stream, up to `[DONE]`",
            content_type = "text/event-stream", body = String),
        BridgeProblems,
    ),
)]
pub async fn post_chat(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    require_json(&headers)?;
    // Read to its end, so that the connection can be used again; what is in it doesn't matter.
    read_text(body, &app).await?;
    message(&app, &ids, &caller, &headers).await
}

/// Resume a message of a chat
///
/// What the transport asks for when a page is opened again. The same message, from its start.
#[utoipa::path(
    get, path = "/bridges/ai-sdk/sessions/{session_id}/steps/{plan_step_id}/{chat_id}/stream", tag = "bridges",
    params(ChatPath),
    responses(
        (status = 200, description = "Parts of a UI message stream, up to `[DONE]`",
            content_type = "text/event-stream", body = String),
        (status = 204, description = "There is nothing to resume: the step has ended, or isn't there"),
        BridgeProblems,
    ),
)]
pub async fn get_chat(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let loaded = app.coordinator.session(&ids.key).await?;
    let is_running = match &loaded.presence {
        Presence::Live(state) | Presence::Archived(state) => {
            let step = state.step(ids.step()).filter(|step| !step.directive.shadow);
            step.is_some_and(|step| step.ended.is_none())
        }
        Presence::Unknown | Presence::Expired(_) => false,
    };
    if !is_running {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    message(&app, &ids, &caller, &headers).await
}

async fn message(app: &App, ids: &Ids, caller: &Caller, headers: &HeaderMap) -> Result<Response, Problem> {
    // Whoever comes back must get the message that they have.
    let message_id = format!("{}:{}", ids.key.session, ids.step());
    let reading = Reading { ids, caller, headers, start: StartAt::Start, batch: None };
    let mut response = follow(app, reading, AiSdk::new(message_id)).await?;
    response.headers_mut().insert(STREAM, HeaderValue::from_static("v1"));
    Ok(response)
}
