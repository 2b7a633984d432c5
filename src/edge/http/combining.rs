//! Combining without a plan: results that come with the request.
//!
//! Everything is computed on another thread than those that serve: a large body keeps nobody else waiting.

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::IntoParams;

use super::app::App;
use super::extract::{known_pairs, read_text, require_json};
use super::in_trace::InTrace;
use super::openapi::{AggregationRequest, CombineProblems, RenderedResult, TraceHeaders};
use super::problem::Problem;
use super::rendering::{Format, rendered};
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{AggregateRequest, parse_aggregation};
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};
use crate::domain::directive::SynthesisOptions;
use crate::domain::verdict::Refusal;
use crate::engine::computing::unless_full;
use crate::engine::telemetry::Stopwatch;

/// Longest text of one `synthesis_delta`, in bytes.
const DELTA_BYTES: usize = 1_024;

/// How a result is asked for.
#[derive(Debug, Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// The form; goes before `Accept`.
    #[param(inline)]
    pub(super) format: Option<Format>,
}

impl FormatQuery {
    pub(super) fn read(query: Option<&str>) -> Result<Self, Refusal> {
        let mut wanted = Self::default();
        for (name, value) in known_pairs(query.unwrap_or_default(), &["format"])? {
            if name == "format" {
                wanted.format = Some(value.parse()?);
            }
        }
        Ok(wanted)
    }
}

pub(super) async fn body_of(app: &App, headers: &HeaderMap, body: Body) -> Result<String, Problem> {
    require_json(headers)?;
    read_text(body, app).await
}

/// Combine results
///
/// As a step's result is made: deterministic, without a model; nothing is stored.
#[utoipa::path(
    post, path = "/aggregations", tag = "combining", params(FormatQuery, TraceHeaders),
    request_body(content = AggregationRequest, example = json!(super::openapi::examples::aggregation())),
    responses(
        (status = 200, description = "The result", content(
            (RenderedResult = "application/json"),
            (String = "text/markdown"),
            (String = "text/html"),
        )),
        CombineProblems,
    ),
)]
pub async fn post_aggregation(
    State(app): State<App>,
    InTrace(trace): InTrace,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let format = FormatQuery::read(query.as_deref())?.format.unwrap_or_else(|| Format::accepted(&headers));
    let text = body_of(&app, &headers, body).await?;
    let (bytes, trace_id, watch) = (text.len(), trace.trace_id(), Stopwatch::start());
    let combine = move || {
        let AggregateRequest { query, results, options } = parse_aggregation(&text)?;
        let options = Options { aggregation: options, synthesis: SynthesisOptions::default() };
        let mut request = request(query.clone(), results, options);
        request.place.trace_id = trace_id;
        Ok::<_, Refusal>((aggregate(request), query))
    };
    let (result, query) = unless_full(bytes, combine).await??;
    trace.aggregated(&watch, &result);
    Ok(rendered(&result, query.as_deref(), format))
}

pub(super) fn request(
    query: Option<String>,
    tasks: Vec<crate::domain::aggregate::input::TaskInput>,
    options: Options,
) -> Request {
    let question = Question { query, goal: None };
    Request { question, tasks, options, place: Place::nowhere(), style: Style::Findings }
}

/// A text by lines, as many as fit a piece; a longer line is cut between characters.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let most = rest.floor_char_boundary(DELTA_BYTES.min(rest.len()));
        let end = if most == rest.len() {
            most
        } else {
            rest[..most].rfind('\n').map_or(most, |newline| newline + 1)
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}
