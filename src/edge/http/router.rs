//! Which path leads where.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{delete, get, post};
use tower_http::catch_panic::CatchPanicLayer;

use super::app::App;
use super::problem::Problem;
use super::{events, ops, planner, rate_limit, subagents};
use crate::domain::verdict::Code;

/// The whole service.
pub fn router(app: App) -> Router {
    let planner = Router::new()
        .route("/planner/sessions", get(planner::list_sessions))
        .route(
            "/planner/sessions/{session_id}",
            get(planner::get_session).merge(delete(planner::delete_session)),
        )
        .route("/planner/sessions/{session_id}/safety", post(planner::post_safety))
        .route("/planner/sessions/{session_id}/cancel", post(planner::post_cancel))
        .route("/planner/sessions/{session_id}/close", post(planner::post_close))
        .route("/planner/sessions/{session_id}/steps", post(planner::post_step))
        .route("/planner/sessions/{session_id}/steps/{plan_step_id}", get(planner::get_step))
        .route("/planner/sessions/{session_id}/steps/{plan_step_id}/progress", post(planner::post_progress))
        .route("/planner/sessions/{session_id}/steps/{plan_step_id}/safety", post(planner::post_safety))
        .route("/planner/sessions/{session_id}/steps/{plan_step_id}/cancel", post(planner::post_cancel))
        .route("/planner/sessions/{session_id}/steps/{plan_step_id}/result", get(planner::no_result))
        .route_layer(from_fn_with_state(app.clone(), require_enabled));
    let rest = Router::new().route("/healthz", get(ops::healthz)).route("/readyz", get(ops::readyz));
    // Events and event streams stay outside of what wraps bodies: they are the hot paths.
    let events = Router::new()
        .route(
            "/planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events",
            post(subagents::post_events),
        )
        .route("/planner/sessions/{session_id}/events", get(events::get_events))
        .route("/planner/sessions/{session_id}/steps/{plan_step_id}/events", get(events::get_events));
    let guarded = planner.merge(rest).layer(CatchPanicLayer::custom(panicked));
    let all = guarded.merge(events).fallback(not_found).method_not_allowed_fallback(method_not_allowed);
    rate_limit::limited(all, &app).with_state(app)
}

async fn require_enabled(State(app): State<App>, request: Request, next: Next) -> Result<Response, Problem> {
    if !app.settings.enabled {
        let text = "aggregator streaming is switched off (AI_ENABLE_AGGREGATOR_STREAMING)";
        return Err(Problem::new(Code::FeatureDisabled, text));
    }
    Ok(next.run(request).await)
}

async fn not_found() -> Problem {
    Problem::new(Code::NotFound, "there is nothing at this path; /docs lists what there is")
}

async fn method_not_allowed() -> Problem {
    Problem::new(Code::MethodNotAllowed, "this path takes other methods; see the Allow header")
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    use axum::response::IntoResponse;
    Problem::new(Code::Internal, "the service failed on this request; it was logged").into_response()
}
