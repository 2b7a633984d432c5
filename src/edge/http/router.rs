//! Which path leads where. Paths and methods stand with the handlers, where they are described.
//!
//! From the outside in: a request is timed; answered where only a browser asks whether a page may call; counted by its
//! address; let in by the scope of its route; counted by its token; handled.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, VARY};
use axum::http::{HeaderValue, Uri};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::access::{require, tickets};
use super::app::App;
use super::bridges::{a2a, ag_ui, ai_sdk, durable_streams, langgraph};
use super::measured::measured;
use super::problem::Problem;
use super::{
    analytics, combining, console, events, metrics, openapi, ops, planner, rate_limit, results, schemas,
    shadow, subagents, writing,
};
use crate::domain::access::Scope;
use crate::domain::verdict::Code;

/// The whole service.
pub fn router(app: App) -> Router {
    let enabled = from_fn_with_state(app.clone(), require_enabled);
    let planner = scoped(planner(), &app, Scope::Plan).route_layer(enabled);
    let open = Router::from(open()).merge(scoped(operations(), &app, Scope::Admin));
    // What says of itself how long it is good for has been asked already.
    let fresh = SetResponseHeaderLayer::if_not_present(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let guarded = planner.merge(open).layer(CatchPanicLayer::custom(panicked)).layer(fresh.clone());
    // Events and event streams stay outside of what wraps bodies: they are the hot paths.
    let events = scoped(publishing(), &app, Scope::Publish).merge(scoped(reading(), &app, Scope::Read));
    let secured = map_response(|response: Response| async { durable_streams::secured(response) });
    let events = events.merge(scoped(streams(), &app, Scope::Read).layer(secured));
    let bounded = guarded.merge(events);
    #[cfg(debug_assertions)]
    let bounded = bounded.merge(super::echo::routes()).merge(conformance(&app));
    let mut bounded = bounded.fallback(not_found);
    if !app.rate_limits.are_off() {
        bounded = bounded.layer(from_fn_with_state(app.clone(), rate_limit::by_address));
    }
    let health = Router::from(health()).layer(CatchPanicLayer::custom(panicked)).layer(fresh);
    let mut all = bounded.merge(health).method_not_allowed_fallback(method_not_allowed);
    if let Some(cors) = app.access.cors() {
        all = all.layer(cors);
    }
    all.layer(from_fn_with_state(app.clone(), measured)).with_state(app)
}

/// Routes that only a scope opens.
fn scoped(routes: OpenApiRouter<App>, app: &App, scope: Scope) -> Router<App> {
    let mut routes = Router::from(routes);
    if !app.rate_limits.are_off() {
        routes = routes.route_layer(from_fn_with_state(app.clone(), rate_limit::by_token));
    }
    routes.route_layer(from_fn_with_state((app.clone(), scope), require))
}

/// The descriptions of all routes.
pub fn described() -> utoipa::openapi::OpenApi {
    let all =
        planner().merge(health()).merge(operations()).merge(open()).merge(publishing()).merge(reading());
    all.merge(streams()).into_openapi()
}

fn planner() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(planner::list_sessions))
        .routes(routes!(planner::get_session, planner::delete_session))
        .routes(routes!(planner::post_step))
        .routes(routes!(planner::get_step))
        .routes(routes!(results::get_result).layer(by_accept()))
        .routes(routes!(results::get_original))
        .routes(routes!(combining::post_aggregation).layer(by_accept()))
        .routes(routes!(writing::post_synthesis).layer(by_accept()))
        .routes(routes!(writing::post_answer))
        .routes(routes!(writing::post_tree))
        .routes(routes!(planner::feedback::post_feedback))
        .routes(routes!(planner::legacy::post_legacy_response))
        .routes(routes!(planner::tell::post_progress))
        .routes(routes!(planner::tell::post_step_safety))
        .routes(routes!(planner::tell::post_session_safety))
        .routes(routes!(planner::tell::post_step_cancel))
        .routes(routes!(planner::tell::post_session_cancel))
        .routes(routes!(planner::tell::post_close))
}

/// Caches tell the forms apart that an answer may have. Event streams say it themselves.
fn by_accept() -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::appending(VARY, HeaderValue::from_static("accept"))
}

fn health() -> OpenApiRouter<App> {
    OpenApiRouter::default().routes(routes!(ops::healthz)).routes(routes!(ops::readyz))
}

/// What is the same for everybody.
fn open() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(schemas::list_schemas))
        .routes(routes!(schemas::get_schema))
        .routes(routes!(console::get_console))
        .routes(routes!(console::get_console_file))
        .routes(routes!(console::get_console_slash))
        .merge(openapi::routes())
}

fn operations() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(metrics::get_metrics))
        .routes(routes!(analytics::get_subagents))
        .routes(routes!(analytics::get_feedback))
        .routes(routes!(shadow::get_discrepancies))
}

fn publishing() -> OpenApiRouter<App> {
    OpenApiRouter::default().routes(routes!(subagents::post_events))
}

fn reading() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(events::get_session_events))
        .routes(routes!(events::get_step_events))
        .routes(routes!(tickets::post_ticket))
        .routes(routes!(ag_ui::post_run))
        .routes(routes!(ai_sdk::post_chat))
        .routes(routes!(ai_sdk::get_chat))
        .routes(routes!(langgraph::join_run))
        .routes(routes!(langgraph::join_thread))
        .routes(routes!(a2a::get_card))
        .routes(routes!(a2a::post_request))
}

fn streams() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(durable_streams::get_session_stream, durable_streams::head_session_stream))
        .routes(routes!(durable_streams::get_step_stream, durable_streams::head_step_stream))
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

async fn method_not_allowed(uri: Uri) -> Response {
    let text = "this path takes other methods; see the Allow header";
    let answer = Problem::new(Code::MethodNotAllowed, text).into_response();
    // Layers of a route don't reach this answer.
    if uri.path().starts_with(durable_streams::PREFIX) { durable_streams::secured(answer) } else { answer }
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Problem::new(Code::Internal, "the service failed on this request; it was logged").into_response()
}

/// What the public suite of Durable Streams writes, the bridge's reading code reads. Only in builds for tests.
#[cfg(debug_assertions)]
fn conformance(app: &App) -> Router<App> {
    let settings = durable_streams::StreamSettings { long_poll_ms: 2_000, ..app.settings.durable_streams };
    durable_streams::test_store::routes(settings)
}
