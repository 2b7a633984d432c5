//! What a user thinks of a step's result: beside the log, for analytics.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};

use super::{load, unknown_step};
use crate::domain::requests::{self, Feedback};
use crate::domain::verdict::Code;
use crate::edge::http::analytics::FeedbackView;
use crate::edge::http::app::App;
use crate::edge::http::extract::{Ids, idempotency_key, read_text, require_json};
use crate::edge::http::openapi::{FeedbackProblems, SenderHeaders, StepPath, examples};
use crate::edge::http::problem::Problem;
use crate::engine::ports::archive::ArchiveError;
use crate::engine::ports::feedback_log::{FeedbackNoted, GivenFeedback};

/// Give feedback on a result
///
/// A user's, on what a step came to, at any time while the session is known: also after its end. Kept in the archive; where
/// there is none, in this process, which keeps the last 10,000. `GET /analytics/feedback` reads it back. It isn't an event, and
/// its `Idempotency-Key`s are its own: with an archive each is remembered as long as what it stored, without one as long as this
/// process keeps that. Where replicas share a Redis and no archive, all know the last 256 keys of a session, for
/// `cache.tombstone_seconds`.
#[utoipa::path(
    post, path = "/planner/sessions/{session_id}/steps/{plan_step_id}/result/feedback", tag = "planner",
    params(StepPath, SenderHeaders),
    request_body(content = Feedback, example = json!(examples::feedback())),
    responses(
        (status = 201, description = "It is kept, now or since the first such request", body = FeedbackView),
        FeedbackProblems,
    ),
)]
pub async fn post_feedback(
    State(app): State<App>,
    ids: Ids,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<FeedbackView>), Problem> {
    require_json(&headers)?;
    let text = read_text(body, &app).await?;
    let feedback = requests::parse_feedback(&text)?;
    let once = idempotency_key(&headers, &uri, text.as_bytes())?;
    let (state, loaded) = load(&app, &ids).await?.ok_or_else(|| unknown_step(&ids))?;
    state.step(ids.step()).ok_or_else(|| unknown_step(&ids))?;
    let (step, at) = (ids.step().clone(), loaded.now);
    let given = GivenFeedback { key: ids.key, step, feedback, at };
    let noted = app.feedback.note_feedback(&given, once.as_ref()).await.map_err(not_known)?;
    match noted {
        FeedbackNoted::Is(given) => Ok((StatusCode::CREATED, Json(FeedbackView::from(given)))),
        FeedbackNoted::Conflict => {
            let text = "this Idempotency-Key was used for other feedback of the session";
            Err(Problem::new(Code::IdempotencyConflict, text))
        }
    }
}

/// A write that wasn't answered may have been done.
pub(super) fn not_known(error: ArchiveError) -> Problem {
    match &error {
        ArchiveError::Unavailable(_) => {
            tracing::debug!(%error, "it is unknown whether the archive has it");
            let text = "the archive may or may not have stored it: send it again with its Idempotency-Key";
            Problem::new(Code::OutcomeUnknown, text)
        }
        ArchiveError::Behind(_) | ArchiveError::Corrupt(_) => error.into(),
    }
}
