//! The trace that a request without a plan belongs to: its own span is told with the request, and what it makes below that.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::access::Caller;
use super::app::App;
use super::measured::{RequestContext, context_of};
use super::problem::Problem;
use crate::engine::synthesis::Unplanned;

/// Where a request stands in its caller's trace.
pub struct InTrace(pub Unplanned);

impl FromRequestParts<App> for InTrace {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, app).await?;
        let own = parts.extensions.get::<RequestContext>().map(RequestContext::own);
        let context = own.unwrap_or_else(|| context_of(&app.telemetry, &parts.headers));
        Ok(Self(Unplanned::of(&app.telemetry, context, caller.tenant())))
    }
}
