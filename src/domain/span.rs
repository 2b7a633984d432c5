//! Spans as values: what a piece of work was, where it stands in its trace, when it ran and how it ended.
//!
//! A span is made when its work is over, by whoever stored its end. Its ids follow from the session's state, so whichever
//! replica ends a step, or goes on with one that another began, makes the same spans. Names and attributes are in
//! [`names`](super::names). The model is OpenTelemetry's
//! (<https://opentelemetry.io/docs/specs/otel/trace/api/#span>).

use std::borrow::Cow;
use std::sync::Arc;

/// A span that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// What was done; few different ones.
    pub name: Cow<'static, str>,
    /// Which part of a request it was.
    pub kind: SpanKind,
    /// Its place.
    pub place: SpanPlace,
    /// Vendors' own part of the trace's context, as its caller gave it.
    pub tracestate: Option<Arc<str>>,
    /// The span above it; absent where a trace begins with it.
    pub parent: Option<SpanId>,
    /// Whether that is another process's.
    pub parent_is_remote: bool,
    /// When it began, in microseconds since 1970.
    pub start_us: i64,
    /// When it ended; not before it began.
    pub end_us: i64,
    /// What is known of it; each name once.
    pub attributes: Vec<(&'static str, Value)>,
    /// Other spans that it belongs to.
    pub links: Vec<SpanPlace>,
    /// How it ended.
    pub status: SpanStatus,
}

/// A trace's id: not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TraceId(pub u128);

/// A span's id in its trace: not zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanId(pub u64);

/// A span, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanPlace {
    /// Its trace.
    pub trace: TraceId,
    /// Itself.
    pub span: SpanId,
}

/// Which part of a request a span is
/// (<https://opentelemetry.io/docs/specs/otel/trace/api/#spankind>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// Work of this service alone.
    Internal,
    /// A request that was answered.
    Server,
    /// A request that was made.
    Client,
}

/// How a span ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpanStatus {
    /// As it should, or nobody can say.
    Unset,
    /// Not as it should, and why.
    Error(String),
}

/// What an attribute says.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Value {
    Text(Cow<'static, str>),
    Shared(Arc<str>),
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Span {
    /// A span of this service's own below another one, about which nothing else is known yet.
    pub fn new(name: impl Into<Cow<'static, str>>, place: SpanPlace, parent: Option<SpanId>) -> Self {
        Self {
            name: name.into(),
            kind: SpanKind::Internal,
            place,
            tracestate: None,
            parent,
            parent_is_remote: false,
            start_us: 0,
            end_us: 0,
            attributes: Vec::with_capacity(24),
            links: Vec::new(),
            status: SpanStatus::Unset,
        }
    }
}

impl SpanId {
    /// Reads 16 hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let is_id = hex.len() == 16;
        u64::from_str_radix(hex, 16).ok().filter(|id| is_id && *id != 0).map(Self)
    }
}

impl TraceId {
    /// Reads 32 hex digits.
    pub fn parse(hex: &str) -> Option<Self> {
        let is_id = hex.len() == 32;
        u128::from_str_radix(hex, 16).ok().filter(|id| is_id && *id != 0).map(Self)
    }
}

impl From<&'static str> for Value {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Self {
        Self::Shared(text)
    }
}

impl From<bool> for Value {
    fn from(is: bool) -> Self {
        Self::Bool(is)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(count: u32) -> Self {
        Self::Int(count.into())
    }
}
