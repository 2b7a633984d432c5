//! `/openapi.json` and `/docs`: the wire, described by the code that serves it.
//!
//! A route and its description are added in one call (`routes!`, in the router), so none is without the other. Shapes
//! are derived from the types that are read and written; the statuses of problem documents follow from the codes that
//! an operation may answer ([`problems`]). `tests/openapi` holds the document against the running service.

mod bodies;
mod combining;
mod docs;
mod events;
mod exact;
pub mod examples;
mod given;
mod null;
mod params;
mod problems;
mod reading;
mod rendered;
mod stream;
mod values;

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::events::PageView;
use super::problem::Document;
use crate::domain::ids::{ResultKey, SessionId, StepId, SubagentKey};
use crate::domain::record::EventType;
use crate::domain::verdict::Code;

pub use bodies::{DirectiveBody, EventsBody, LegacyBody};
pub use combining::{AggregationRequest, AnswerRequest, SynthesisRequest, TreeRequest};
pub use events::Event;
pub use params::{
    ChatPath, OriginalPath, ReadHeaders, ReadQuery, SendQuery, SenderHeaders, SessionPath, StepPath,
    SubagentPath, TraceHeaders,
};
pub use problems::*;
pub use reading::ReadResponses;
pub use rendered::RenderedResult;
pub use stream::StreamFrame;
pub use values::Cursor;
use values::Place;

/// What isn't said at a route.
#[derive(OpenApi)]
#[openapi(
    info(title = "Tributary", description = include_str!("openapi/about.md"), license(name = "MIT OR Apache-2.0")),
    servers((url = "/", description = "The service that this document came from")),
    tags(
        (name = "planner", description = "Directives, state, and the calls by which a plan is steered"),
        (name = "subagents", description = "Outputs of subagents, pushed as they come about"),
        (name = "reading", description = "One resource, as a page or as a stream"),
        (name = "bridges", description = "The log, as other protocols' clients read it"),
        (name = "combining", description = "Results that come with the request are combined; nothing is stored"),
        (name = "operations", description = "Whether the service is alive and ready, and what it offers"),
    ),
    modifiers(&Security),
    components(schemas(
        SessionId, StepId, SubagentKey, ResultKey, Cursor, Place, EventType, Code, Document<'static>, PageView<'static>, Event, StreamFrame
    ))
)]
struct Base;

/// How callers sign in, where they must.
struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let schemes = [
            ("token", SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(
                Some("An API key or a JWT with the scope of the operation, where `auth.mode` is `required`")).build())),
            ("ticket", SecurityScheme::ApiKey(ApiKey::Query(ApiKeyValue::with_description(
                "ticket", "From `POST /tickets`: opens a stream of one session, once")))),
            ("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
                "tributary_reader", "Set where a ticket was used: lets the stream reconnect")))),
        ];
        let components = document.components.get_or_insert_default();
        components.security_schemes.extend(schemes.map(|(name, scheme)| (name.to_owned(), scheme.into())));
    }
}

/// The whole document.
pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Base::openapi();
    document.merge(super::router::described());
    exact::make(&mut document);
    document
}

/// The document for people: what `tributary openapi` prints.
pub fn pretty() -> String {
    serde_json::to_string_pretty(&document()).expect("a description is plain data with text keys")
}

/// The routes of the description itself.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::default()
        .routes(routes!(get_openapi))
        .routes(routes!(docs::get_docs))
        .routes(routes!(docs::get_docs_file))
}

/// This document
#[utoipa::path(
    get, path = "/openapi.json", tag = "operations",
    responses(
        (status = 200, description = "An OpenAPI 3.1 document", body = Object, content_type = "application/json"),
        OpenProblems,
    ),
)]
async fn get_openapi() -> impl IntoResponse {
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| {
        serde_json::to_vec(&document()).expect("a description is plain data with text keys").into()
    });
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], DOCUMENT.clone())
}
