//! Syntheses, answers and trees without a plan: extracted, or written by a language model. Hanging up cancels.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::accept::preferred;
use super::access::Caller;
use super::app::App;
use super::combining::{FormatQuery, body_of, pieces, request};
use super::in_trace::InTrace;
use super::openapi::{
    AnswerRequest, CombineProblems, RenderedResult, SynthesisRequest as SynthesisBody, TraceHeaders,
    TreeRequest,
};
use super::problem::Problem;
use super::rendering::{Format, rendered};
use super::serve::Costly;
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{SynthesisRequest, parse_answer, parse_synthesis, parse_tree};
use crate::domain::aggregate::tree::TreeResult;
use crate::domain::aggregate::{Question, aggregate};
use crate::domain::directive::{OnLowQuality, SynthesisMode, SynthesisOptions, check_prompt};
use crate::domain::session::Spent;
use crate::domain::synthesis::answer::Answer;
use crate::domain::synthesis::draft::{Delta, merge};
use crate::domain::verdict::{Code, Refusal};
use crate::engine::computing::unless_full;
use crate::engine::synthesis::{Outcome, Unplanned, Write};
use crate::engine::telemetry::Stopwatch;

fn check_options(options: &SynthesisOptions, prompts: &BTreeSet<String>) -> Result<(), Refusal> {
    check_prompt(options, prompts, "/options")
}

/// Write a synthesis
///
/// Of results, or of an aggregated result. With `Accept: text/event-stream` as `synthesis_delta` events (`{path, offset,
/// text}`, which append; offset 0 begins a path anew), then `synthesis` with the whole result, then `end`. With `mode`
/// `llm` they are the draft of a language model, and the result is what of it was verified; with `on_low_quality` `block`
/// they come once it is known that it isn't withheld. Comments say in between that the stream lives.
#[utoipa::path(
    post, path = "/syntheses", tag = "combining", params(FormatQuery, TraceHeaders),
    request_body(content = SynthesisBody, example = json!(super::openapi::examples::aggregation())),
    responses(
        (status = 200, description = "The aggregated result with its synthesis", content(
            (RenderedResult = "application/json"),
            (String = "text/markdown"),
            (String = "text/html"),
            (String = "text/event-stream"),
        )),
        CombineProblems,
    ),
)]
pub async fn post_synthesis(
    State(app): State<App>,
    caller: Caller,
    InTrace(trace): InTrace,
    costly: Option<Extension<Costly>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let wanted = FormatQuery::read(query.as_deref())?.format;
    let text = body_of(&app, &headers, body).await?;
    let prompts = app.settings.rules.prompts.clone();
    let (bytes, trace_id, watch) = (text.len(), trace.trace_id(), Stopwatch::start());
    let combine = move || {
        let SynthesisRequest { query, results, left_out, whole, aggregation, synthesis } =
            parse_synthesis(&text)?;
        check_options(&synthesis, &prompts)?;
        if let Some(mut whole) = whole {
            whole.metadata.trace_id = trace_id.or(whole.metadata.trace_id);
            return Ok((false, *whole, query, synthesis));
        }
        let options = Options { aggregation, synthesis: synthesis.clone() };
        let mut request = request(query.clone(), results, options);
        (request.place.left_out, request.place.trace_id) = (left_out, trace_id);
        Ok::<_, Refusal>((true, aggregate(request), query, synthesis))
    };
    let (is_new, baseline, query, options) =
        unless_full(bytes, combine).await?.map_err(|refusal| Problem::from(refusal).in_directive())?;
    if is_new {
        trace.aggregated(&watch, &baseline);
    }
    let write = Write {
        baseline,
        question: Question { query: query.clone(), goal: None },
        task_type: None,
        instructions: None,
        document_context: None,
        until: app.synthesiser.until(&options),
        options,
        of_step: None,
        spent: Spent::default(),
        tenant: caller.tenant().to_string(),
        budget: None,
        traced: None,
    };
    if wanted.is_none() && wants_stream(&headers) {
        return Ok(streamed(&app, trace, write));
    }
    begin_costs(costly, write.options.mode);
    let (drafts, _) = unbounded_channel();
    let writing = app.synthesiser.write_alone(&trace, write, drafts);
    let outcome = unless_draining(&app.draining, writing).await?;
    Ok(rendered(&outcome.result, query.as_deref(), wanted.unwrap_or_else(|| Format::accepted(&headers))))
}

/// A language model is paid for as long as it writes.
fn begin_costs(costly: Option<Extension<Costly>>, mode: SynthesisMode) {
    if let Some(Extension(costly)) = costly.filter(|_| mode == SynthesisMode::Llm) {
        costly.begin();
    }
}

async fn unless_draining<T>(
    draining: &CancellationToken,
    work: impl Future<Output = T>,
) -> Result<T, Problem> {
    let stopping = || Problem::new(Code::Draining, "the service is stopping");
    draining.run_until_cancelled(work).await.ok_or_else(stopping)
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let offered = [
        ("application/json", false),
        ("text/markdown", false),
        ("text/html", false),
        ("text/event-stream", true),
    ];
    preferred(headers, &offered).unwrap_or(false)
}

/// A synthesis that is being written.
struct Live {
    writing: AbortOnDropHandle<Result<Outcome, Problem>>,
    drafts: UnboundedReceiver<Vec<Delta>>,
    is_drafted: bool,
    is_over: bool,
    /// How long it may say nothing.
    heartbeat: Duration,
}

/// The draft as it grows, then the whole result.
fn streamed(app: &App, trace: Unplanned, write: Write) -> Response {
    // Bounded by what one model says in its answer.
    let (drafts, said) = unbounded_channel();
    let (synthesiser, draining) = (app.synthesiser.clone(), app.draining.clone());
    // What may be withheld is shown once it is known that it isn't.
    let SynthesisOptions { mode, on_low_quality, .. } = &write.options;
    let is_drafted = *mode == SynthesisMode::Llm && *on_low_quality != OnLowQuality::Block;
    let writing =
        async move { unless_draining(&draining, synthesiser.write_alone(&trace, write, drafts)).await };
    // A task of its own: a client that reads slowly keeps neither a call's place nor its time. Dropping it ends it.
    let writing = AbortOnDropHandle::new(tokio::spawn(writing));
    let heartbeat = Duration::from_millis(app.settings.heartbeat_ms);
    let live = Live { writing, drafts: said, is_drafted, is_over: false, heartbeat };
    let frames = stream::unfold(live, |mut live| async move {
        let frames = live.next().await?;
        Some((Ok::<Bytes, Infallible>(frames.into()), live))
    });
    // At once: who reads, and what is between, sees that somebody writes.
    let begun = stream::iter([Ok(Bytes::from_static(b": writing\n\n"))]);
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store, no-transform"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(begun.chain(frames))).into_response()
}

impl Live {
    /// The next frames; `None` behind the end.
    async fn next(&mut self) -> Option<String> {
        if self.is_over {
            return None;
        }
        let mut out = String::new();
        tokio::select! {
            biased;
            Some(deltas) = self.drafts.recv() => {
                let more = std::iter::from_fn(|| self.drafts.try_recv().ok()).flatten();
                let deltas = deltas.into_iter().chain(more).collect();
                for Delta { path, offset, text } in merge(deltas) {
                    delta(&mut out, &path, offset, &text);
                }
            }
            outcome = &mut self.writing => {
                self.is_over = true;
                let broken = |_| Err(Problem::new(Code::Internal, "the synthesis failed"));
                self.end(&mut out, outcome.unwrap_or_else(broken));
            }
            () = tokio::time::sleep(self.heartbeat) => out.push_str(": still writing\n\n"),
        }
        Some(out)
    }

    fn end(&mut self, out: &mut String, outcome: Result<Outcome, Problem>) {
        match outcome {
            Ok(Outcome { result, .. }) => {
                if !self.is_drafted {
                    let mut offset = 0;
                    for piece in pieces(&result.synthesis) {
                        delta(out, "synthesis", offset, piece);
                        offset += piece.len();
                    }
                }
                frame(out, "synthesis", &json!(result));
                frame(out, "end", &json!({"reason": "synthesis"}));
            }
            Err(problem) => {
                let _ = write!(out, "event: error\ndata: {}\n\n", problem.to_json());
            }
        }
    }
}

fn delta(out: &mut String, path: &str, offset: usize, text: &str) {
    frame(out, "synthesis_delta", &json!({"path": path, "offset": offset, "text": text}));
}

fn frame(out: &mut String, event: &str, data: &Value) {
    let _ = write!(out, "event: {event}\ndata: {data}\n\n");
}

/// Answer out of a context sheet
///
/// The sheet's entries in order, each with its citations; with `options.mode` `llm` a language model's answer out of
/// them, of which only what the sheet supports is delivered. References are those that the answer cites.
#[utoipa::path(
    post, path = "/answers", tag = "combining", params(TraceHeaders),
    request_body(content = AnswerRequest, example = json!(super::openapi::examples::sheet())),
    responses((status = 200, description = "The answer", body = Answer), CombineProblems),
)]
pub async fn post_answer(
    State(app): State<App>,
    caller: Caller,
    InTrace(trace): InTrace,
    costly: Option<Extension<Costly>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Answer>, Problem> {
    let text = body_of(&app, &headers, body).await?;
    let prompts = app.synthesiser.prompt_names(true);
    let bytes = text.len();
    let parse = move || {
        let request = parse_answer(&text)?;
        check_options(&request.synthesis, &prompts)?;
        Ok::<_, Refusal>(request)
    };
    let request = unless_full(bytes, parse).await??;
    begin_costs(costly, request.synthesis.mode);
    let answering = app.synthesiser.answer(caller.tenant(), request, &trace);
    Ok(Json(unless_draining(&app.draining, answering).await?))
}

/// Combine a tree of tasks
///
/// Every inner node's result, bottom-up, and the root's. A leaf without content is a failure of the node above it. With
/// `options.mode` `llm` each node is written by a language model out of what those below it came to.
#[utoipa::path(
    post, path = "/trees", tag = "combining", params(TraceHeaders),
    request_body(content = TreeRequest, example = json!(super::openapi::examples::tree())),
    responses((status = 200, description = "The results", body = TreeResult), CombineProblems),
)]
pub async fn post_tree(
    State(app): State<App>,
    caller: Caller,
    InTrace(trace): InTrace,
    costly: Option<Extension<Costly>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<TreeResult>, Problem> {
    let text = body_of(&app, &headers, body).await?;
    let prompts = app.settings.rules.prompts.clone();
    let bytes = text.len();
    let parse = move || {
        let request = parse_tree(&text)?;
        check_options(&request.synthesis, &prompts)?;
        Ok::<_, Refusal>(request)
    };
    let request = unless_full(bytes, parse).await??;
    begin_costs(costly, request.synthesis.mode);
    let combining = app.synthesiser.tree(caller.tenant(), request, &trace);
    Ok(Json(unless_draining(&app.draining, combining).await?))
}
