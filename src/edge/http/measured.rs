//! Every request that goes through the router is timed; those that change something are spans of their callers' traces.
//!
//! Events that are posted alone don't come this way (`entrance`): they are timed there, and their spans are those of the
//! appends that store them.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::Response;

use super::app::App;
use crate::domain::span::{Span, SpanId, SpanKind, SpanPlace, SpanStatus, TraceId};
use crate::domain::telemetry_context::{TelemetryContext, parse_traceparent};
use crate::domain::telemetry_names::attribute;
use crate::engine::telemetry::{Stopwatch, Telemetry};

/// The route of what has none.
const UNMATCHED: &str = "unmatched";

/// Times a request, and tells its span.
pub async fn measured(
    State(app): State<App>,
    path: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let method = name_of(request.method());
    let route = path.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    let context = RequestContext::of(&app.telemetry, method, route, request.headers());
    let span = context.as_ref().and_then(|context| RequestSpan::begin(context, method, route, &request));
    if let Some(context) = context {
        request.extensions_mut().insert(context);
    }
    let mut answering =
        Answering { telemetry: &app.telemetry, method, route, watch: Stopwatch::start(), span, status: None };
    let response = next.run(request).await;
    answering.status = Some(response.status().as_u16());
    response
}

/// A request that is being answered. Dropped without a status its caller has hung up, or it failed.
struct Answering<'a> {
    telemetry: &'a Telemetry,
    method: &'static str,
    route: &'a str,
    watch: Stopwatch,
    span: Option<RequestSpan>,
    status: Option<u16>,
}

/// The caller closed the connection before it was answered; nginx's number for it.
const HUNG_UP: u16 = 499;

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        let unanswered = if std::thread::panicking() { 500 } else { HUNG_UP };
        let status = self.status.unwrap_or(unanswered);
        self.telemetry.meters.answered(self.method, self.route, status, self.watch.elapsed());
        if let Some(span) = self.span.take() {
            span.end(self.telemetry, status, &self.watch);
        }
    }
}

/// Methods are a closed set; a caller may send anything.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        _ => "_OTHER",
    }
}

/// A request that is a span.
struct RequestSpan {
    span: Span,
}

/// The place of a request in its caller's trace, for what follows from it.
#[derive(Debug, Clone)]
pub struct RequestContext(TelemetryContext);

impl RequestContext {
    /// The context of a request that may begin something, with the sampler's decision for all that follows from it.
    fn of(telemetry: &Telemetry, method: &'static str, route: &str, headers: &HeaderMap) -> Option<Self> {
        telemetry.spans()?;
        if !matches!(method, "POST" | "DELETE") || route == UNMATCHED {
            return None;
        }
        let mut context = context_of(telemetry, headers);
        context.sampled = Some(telemetry.decides(&context));
        Some(Self(context))
    }

    /// The request's own.
    pub fn own(&self) -> TelemetryContext {
        self.0.clone()
    }

    /// The place of what the request begins: below it, or below its caller where the request itself is no span.
    pub fn below(&self) -> TelemetryContext {
        match self.0.sampled {
            Some(true) => self.0.child(&fastrand::u64(..).to_string(), None),
            Some(false) | None => self.0.clone(),
        }
    }
}

impl RequestSpan {
    fn begin(context: &RequestContext, method: &'static str, route: &str, request: &Request) -> Option<Self> {
        let RequestContext(context) = context;
        if context.sampled != Some(true) {
            return None;
        }
        let trace = TraceId::parse(&context.trace_id)?;
        let place = SpanPlace { trace, span: SpanId::parse(&context.span_id)? };
        let parent = context.parent_span_id.as_ref().and_then(|id| SpanId::parse(id));
        let mut span = Span::new(format!("{method} {route}"), place, parent);
        (span.kind, span.parent_is_remote) = (SpanKind::Server, true);
        span.tracestate.clone_from(&context.tracestate);
        span.attributes.extend([
            (attribute::HTTP_METHOD, method.into()),
            (attribute::HTTP_ROUTE, route.to_owned().into()),
            (attribute::URL_PATH, request.uri().path().to_owned().into()),
            (attribute::URL_SCHEME, "http".into()),
        ]);
        Some(Self { span })
    }

    fn end(mut self, telemetry: &Telemetry, status: u16, watch: &Stopwatch) {
        (self.span.start_us, self.span.end_us) = (watch.begun_us(), watch.now_us());
        self.span.attributes.push((attribute::HTTP_STATUS, u32::from(status).into()));
        if status >= 500 {
            self.span.attributes.push((attribute::ERROR_TYPE, status.to_string().into()));
            self.span.status = SpanStatus::Error(String::new());
        }
        if let Some(spans) = telemetry.spans() {
            spans.end(self.span);
        }
    }
}

/// Where a request stands in its caller's trace; a new trace where that says nothing.
pub fn context_of(telemetry: &Telemetry, headers: &HeaderMap) -> TelemetryContext {
    let carried = |name: &str| headers.get(name).filter(|_| telemetry.propagators.carry(name));
    let text = |name: &str| carried(name).and_then(|value| value.to_str().ok());
    let (trace, span) = (fastrand::u128(1..), fastrand::u64(1..));
    TelemetryContext::of_request(text("traceparent"), text("tracestate"), text("baggage"), trace, span)
}

/// Its caller's span, where it names one and somebody wants to know.
pub fn caller_of(telemetry: &Telemetry, headers: &HeaderMap) -> Option<SpanPlace> {
    telemetry.spans().filter(|_| telemetry.propagators.trace_context)?;
    let header = headers.get("traceparent")?.to_str().ok()?;
    // Below a span that isn't recorded there would be a trace of its own.
    let caller = parse_traceparent(header).filter(|caller| caller.sampled)?;
    Some(SpanPlace { trace: TraceId::parse(caller.trace_id)?, span: SpanId::parse(caller.span_id)? })
}
