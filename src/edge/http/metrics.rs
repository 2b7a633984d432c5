//! What Prometheus scrapes.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::openapi::MetricsProblems;
use super::problem::Problem;
use crate::domain::verdict::Code;

/// Read the metrics
///
/// In Prometheus' text format. docs/operations.md says what each of them means.
#[utoipa::path(
    get, path = "/metrics", tag = "operations",
    responses(
        (status = 200, description = "All metrics of this process", body = String, content_type = "text/plain"),
        MetricsProblems,
    ),
)]
pub async fn get_metrics(State(app): State<App>) -> Result<Response, Problem> {
    let text = (app.scrape.write)().map_err(|error| {
        tracing::error!(%error, "the metrics can't be shown");
        Problem::new(Code::Internal, "the metrics can't be shown; it was logged")
    })?;
    Ok(([(header::CONTENT_TYPE, app.scrape.content_type), (header::CACHE_CONTROL, "no-store")], text)
        .into_response())
}
