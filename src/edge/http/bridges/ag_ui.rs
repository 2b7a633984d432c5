//! AG-UI 1.0: a run for a step (`docs/bridges/ag-ui.md`).

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{Reading, follow};
use crate::domain::bridges::ag_ui::{AgUi, RunInput};
use crate::domain::requests::parse_body;
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, read_text, require_json};
use crate::edge::http::openapi::{BridgeProblems, StepPath};
use crate::edge::http::problem::Problem;
use crate::engine::mux::StartAt;

/// Follow a step as an AG-UI run
///
/// For `HttpAgent` of npm `@ag-ui/client`. The run is told from the step's start, whenever it is asked for. Nothing is
/// begun by it, and nothing ends when its client goes away.
#[utoipa::path(
    post, path = "/bridges/ag-ui/sessions/{session_id}/steps/{plan_step_id}", tag = "bridges", params(StepPath),
    request_body(
        content = Object, description = "AG-UI's `RunAgentInput`; `threadId` and `runId` are echoed, the rest isn't read",
        example = json!({"threadId": "thread-1", "runId": "run-1", "messages": [], "tools": [], "context": [], "state": {}}),
    ),
    responses(
        (status = 200, description = "AG-UI's events, up to `RUN_FINISHED` or `RUN_ERROR`",
            content_type = "text/event-stream", body = String),
        BridgeProblems,
    ),
)]
pub async fn post_run(
    State(app): State<App>,
    ids: Ids,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    require_json(&headers)?;
    let text = read_text(body, &app).await?;
    let input: RunInput = parse_body(&text)?;
    input.check().map_err(|(pointer, what)| Refusal::at(Code::InvalidEvent, pointer, what))?;
    let bridge = AgUi::new(input.thread_id, input.run_id);
    let start = StartAt::Start;
    let reading = Reading { ids: &ids, caller: &caller, headers: &headers, start, batch: None };
    follow(&app, reading, bridge).await
}
