//! What users think of results.

use axum::Json;
use axum::extract::{RawQuery, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::{AnalyticsQuery, Span};
use crate::domain::ids::{SessionId, StepId};
use crate::edge::http::access::Caller;
use crate::edge::http::app::App;
use crate::edge::http::openapi::AnalyticsProblems;
use crate::edge::http::problem::Problem;
use crate::engine::ports::feedback_log::GivenFeedback;

/// Feedback of a time.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeedbackAnalytics {
    #[schema(format = DateTime)]
    from: String,
    #[schema(format = DateTime)]
    to: String,
    /// How often any was given.
    count: u64,
    /// The mean of the scores. `null` where there are none.
    #[schema(required, minimum = -100.0, maximum = 100.0)]
    average: Option<f64>,
    /// The newest 100 that have a comment, newest first.
    #[schema(max_items = 100)]
    comments: Vec<FeedbackView>,
}

/// What a user thinks of a step's result.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GivenFeedback)]
pub struct FeedbackView {
    #[schema(value_type = SessionId)]
    session_id: String,
    #[schema(value_type = StepId)]
    plan_step_id: String,
    /// The higher, the better.
    #[schema(minimum = -100.0, maximum = 100.0)]
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// When it came.
    #[schema(format = DateTime)]
    at: String,
}

/// See what users think of results
///
/// From the archive; where there is none, from this process, which keeps the last 10,000.
#[utoipa::path(
    get, path = "/analytics/feedback", tag = "operations", params(AnalyticsQuery),
    responses((status = 200, description = "Scores and comments", body = FeedbackAnalytics), AnalyticsProblems),
)]
pub async fn get_feedback(
    State(app): State<App>,
    caller: Caller,
    query: RawQuery,
) -> Result<Json<FeedbackAnalytics>, Problem> {
    let Span { from, to } = Span::of(query)?;
    let figures = app.feedback.feedback(caller.whole_tenant()?, from).await?;
    Ok(Json(FeedbackAnalytics {
        from: from.to_string(),
        to: to.to_string(),
        count: figures.count,
        average: figures.average,
        comments: figures.comments.into_iter().map(FeedbackView::from).collect(),
    }))
}

impl From<GivenFeedback> for FeedbackView {
    fn from(given: GivenFeedback) -> Self {
        Self {
            session_id: given.key.session.to_string(),
            plan_step_id: given.step.to_string(),
            score: given.feedback.score,
            comment: given.feedback.comment,
            at: given.at.to_string(),
        }
    }
}
