//! Bodies that are read piece by piece, and so have no type of their own.

use utoipa::ToSchema;

use crate::domain::event::Envelope;

/// One event, or an array of them.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum EventsBody {
    /// One.
    One(Box<Envelope<'static>>),
    /// Several: decided one by one, in order.
    Many(Vec<Envelope<'static>>),
}

/// What the monolith answered to the same step.
#[derive(ToSchema)]
#[schema(as = LegacyResponse)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "the fields are read by the derive only")]
pub struct LegacyBody {
    /// Markdown; empty where it had no answer.
    #[schema(max_length = 262_144)]
    answer: String,
    /// Strings or objects, as in `POST /aggregations`.
    #[schema(value_type = Option<Vec<Value>>, max_items = 1_000)]
    sources: Option<Vec<String>>,
    /// How long it took, in milliseconds.
    #[schema(minimum = 0, maximum = 86_400_000)]
    latency_ms: Option<f64>,
    /// How it ended, in its own word.
    #[schema(max_length = 64)]
    status: Option<String>,
    /// Anything else: at most 16,384 bytes, kept as sent.
    #[schema(value_type = Option<Object>)]
    metadata: Option<String>,
}
