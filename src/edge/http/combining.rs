//! Combining without a plan: results, sheets and trees that come with the request.
//!
//! Everything is computed on another thread than those that serve: a large body keeps nobody else waiting.

use axum::Json;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::fmt::Write;
use utoipa::IntoParams;

use super::app::App;
use super::extract::{form_pairs, read_text, require_json};
use super::openapi::CombineProblems;
use super::problem::Problem;
use super::rendering::{Format, rendered};
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{
    AggregateRequest, SynthesisRequest, parse_aggregation, parse_answer, parse_synthesis, parse_tree,
};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::tree::{TreeResult, combine_tree};
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};
use crate::domain::directive::{SynthesisMode, SynthesisOptions};
use crate::domain::synthesis::answer::{Answer, answer};
use crate::domain::verdict::{Code, Refusal};
use crate::engine::results::off_thread;

/// Longest text of one `synthesis_delta`, in bytes.
const DELTA_BYTES: usize = 1_024;

/// How a result is asked for.
#[derive(Debug, Default, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// The form; goes before `Accept`.
    #[param(inline)]
    format: Option<Format>,
}

impl FormatQuery {
    fn read(query: Option<&str>) -> Result<Self, Refusal> {
        let mut wanted = Self::default();
        for (name, value) in form_pairs(query.unwrap_or_default()) {
            if name == "format" {
                wanted.format = Some(value.parse()?);
            }
        }
        Ok(wanted)
    }
}

async fn body_of(app: &App, headers: &HeaderMap, body: Body) -> Result<String, Problem> {
    require_json(headers)?;
    read_text(body, app.settings.body_bytes).await
}

/// Combine results
///
/// As a step's result is made: deterministic, without a model; nothing is stored.
#[utoipa::path(
    post, path = "/aggregations", tag = "combining", params(FormatQuery),
    request_body(content = Object, example = json!(super::openapi::examples::aggregation())),
    responses(
        (status = 200, description = "The result", content(
            (AggregatedResult = "application/json"),
            (String = "text/markdown"),
            (String = "text/html"),
        )),
        CombineProblems,
    ),
)]
pub async fn post_aggregation(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let format = FormatQuery::read(query.as_deref())?.format.unwrap_or_else(|| Format::accepted(&headers));
    let text = body_of(&app, &headers, body).await?;
    let combine = move || {
        let AggregateRequest { query, results, options } = parse_aggregation(&text)?;
        let options = Options { aggregation: options, synthesis: SynthesisOptions::default() };
        Ok::<_, Refusal>((aggregate(request(query.clone(), results, options)), query))
    };
    let (result, query) = off_thread(combine).await?;
    Ok(rendered(&result, query.as_deref(), format))
}

fn request(
    query: Option<String>,
    tasks: Vec<crate::domain::aggregate::input::TaskInput>,
    options: Options,
) -> Request {
    let question = Question { query, goal: None };
    Request { question, tasks, options, place: Place::nowhere(), style: Style::Findings }
}

/// Write a synthesis
///
/// Of results, or of an aggregated result. With `Accept: text/event-stream` as `synthesis_delta` events (`{path, offset,
/// text}`, which append), then `synthesis` with the whole result, then `end`.
#[utoipa::path(
    post, path = "/syntheses", tag = "combining", params(FormatQuery),
    request_body(content = Object, example = json!(super::openapi::examples::aggregation())),
    responses(
        (status = 200, description = "The aggregated result with its synthesis", content(
            (AggregatedResult = "application/json"),
            (String = "text/markdown"),
            (String = "text/html"),
            (String = "text/event-stream"),
        )),
        CombineProblems,
    ),
)]
pub async fn post_synthesis(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let wanted = FormatQuery::read(query.as_deref())?.format;
    let text = body_of(&app, &headers, body).await?;
    let language_model = app.settings.rules.language_model;
    let combine = move || {
        let SynthesisRequest { query, results, aggregation, synthesis } = parse_synthesis(&text)?;
        if synthesis.mode == SynthesisMode::Llm && !language_model {
            let detail = "no language model is configured (synthesis.provider)";
            return Err(Refusal::at(Code::FeatureDisabled, "/options/mode", detail));
        }
        let options = Options { aggregation, synthesis };
        Ok((aggregate(request(query.clone(), results, options)), query))
    };
    let (result, query) =
        off_thread(combine).await.map_err(|refusal| Problem::from(refusal).in_directive())?;
    if wanted.is_none() && wants_stream(&headers) {
        return Ok(streamed(&result));
    }
    Ok(rendered(&result, query.as_deref(), wanted.unwrap_or_else(|| Format::accepted(&headers))))
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|range| range.trim().starts_with("text/event-stream"))
}

/// The synthesis piece by piece, then the whole result.
fn streamed(result: &AggregatedResult) -> Response {
    let mut out = String::with_capacity(result.synthesis.len() * 3);
    let mut offset = 0;
    for piece in pieces(&result.synthesis) {
        frame(&mut out, "synthesis_delta", &json!({"path": "synthesis", "offset": offset, "text": piece}));
        offset += piece.len();
    }
    frame(&mut out, "synthesis", &json!(result));
    frame(&mut out, "end", &json!({"reason": "synthesis"}));
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store, no-transform")];
    (headers, out).into_response()
}

fn frame(out: &mut String, event: &str, data: &Value) {
    let _ = write!(out, "event: {event}\ndata: {data}\n\n");
}

/// A text by lines, as many as fit a piece; a longer line is cut between characters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
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

/// Answer out of a context sheet
///
/// The sheet's entries in order, each with its citations; references are those that the answer cites.
#[utoipa::path(
    post, path = "/answers", tag = "combining",
    request_body(content = Object, example = json!(super::openapi::examples::sheet())),
    responses((status = 200, description = "The answer", body = Answer), CombineProblems),
)]
pub async fn post_answer(
    State(app): State<App>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Answer>, Problem> {
    let text = body_of(&app, &headers, body).await?;
    let combine = move || Ok::<_, Refusal>(answer(&parse_answer(&text)?));
    Ok(Json(off_thread(combine).await?))
}

/// Combine a tree of tasks
///
/// Every inner node's result, bottom-up, and the root's. A leaf without content is a failure of the node above it.
#[utoipa::path(
    post, path = "/trees", tag = "combining",
    request_body(content = Object, example = json!(super::openapi::examples::tree())),
    responses((status = 200, description = "The results", body = TreeResult), CombineProblems),
)]
pub async fn post_tree(
    State(app): State<App>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<TreeResult>, Problem> {
    let text = body_of(&app, &headers, body).await?;
    let combine = move || Ok::<_, Refusal>(combine_tree(parse_tree(&text)?));
    Ok(Json(off_thread(combine).await?))
}
