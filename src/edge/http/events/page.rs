//! A page as JSON: events byte for byte as they are stored.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::query::Wanted;
use crate::domain::ids::{SessionId, StepId};
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::app::App;
use crate::edge::http::extract::Ids;
use crate::edge::http::openapi::{Cursor, Event};
use crate::edge::http::problem::Problem;
use crate::edge::http::refused::unknown_session;
use crate::engine::mux::{Page, PageRequest, Reason, Source};

/// A page of a session's or a step's events.
#[derive(Serialize, ToSchema)]
#[schema(as = EventsPage)]
pub struct PageView<'a> {
    #[schema(value_type = SessionId)]
    session_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<StepId>)]
    plan_step_id: Option<&'a str>,
    verdict: VerdictView,
    #[schema(pattern = "^[0-9a-f]{6,16}$")]
    epoch: String,
    /// The first sequence that the page covers.
    from: u64,
    /// The last; before `from` where there is nothing new.
    to: u64,
    /// The session's last sequence.
    tail: u64,
    /// The session's oldest sequence that can still be read.
    oldest: u64,
    /// As they are stored, byte for byte.
    #[schema(value_type = Vec<Event>)]
    events: Vec<&'a RawValue>,
    /// What to pass as `after` for the next page.
    #[schema(value_type = Cursor)]
    next: String,
    /// Whether nothing follows, now or later.
    closed: bool,
    /// Where the events were found.
    source: Source,
}

/// Whether the page continues the place that was asked for.
#[derive(Serialize, ToSchema)]
#[schema(as = ReadVerdict)]
pub struct VerdictView {
    recovered: bool,
    reason: Reason,
}

pub async fn get(app: &App, ids: &Ids, wanted: Wanted) -> Result<Response, Problem> {
    let most = app.settings.page_limit_max;
    let limit = wanted.limit.unwrap_or(app.settings.page_limit);
    if limit == 0 || limit > most {
        return Err(Refusal::at(Code::LimitReached, "", format!("`limit` is 1 to {most}")).into());
    }
    // The last so many come on one page, unless a smaller one is asked for.
    let last = wanted.last.filter(|_| wanted.limit.is_none()).unwrap_or(0);
    let limit = limit.max(last.min(most));
    let request = PageRequest { key: ids.key.clone(), view: wanted.view, start: wanted.start, limit };
    let page = app.mux.page(request).await?.ok_or_else(|| match ids.maybe_step() {
        Some(step) => {
            Problem::new(Code::UnknownStep, format!("no directive was posted for the step `{step}`"))
        }
        None => unknown_session(&ids.key),
    })?;
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(([json, no_store], to_json(ids, &page)?).into_response())
}

fn to_json(ids: &Ids, page: &Page) -> Result<Vec<u8>, Problem> {
    let texts = page.events.iter().filter_map(|entry| entry.wire());
    let events: Result<Vec<&RawValue>, _> = texts.map(serde_json::from_slice).collect();
    let view = PageView {
        session_id: ids.key.session.as_str(),
        plan_step_id: ids.maybe_step().map(|step| step.as_str()),
        verdict: VerdictView { recovered: page.recovered, reason: page.reason },
        epoch: page.next.epoch.to_string(),
        from: page.from.0 + 1,
        to: page.next.sequence.0,
        tail: page.tail.0,
        oldest: page.oldest.0,
        events: events.map_err(|error| Problem::new(Code::Internal, error.to_string()))?,
        next: page.next.to_string(),
        closed: page.closed,
        source: page.source,
    };
    serde_json::to_vec(&view).map_err(|error| Problem::new(Code::Internal, error.to_string()))
}
