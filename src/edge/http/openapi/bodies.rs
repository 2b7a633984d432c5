//! Bodies that are read piece by piece, and so have no type of their own.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AllOfBuilder, AnyOfBuilder, ArrayBuilder, ObjectBuilder, Ref, Schema, SchemaType, Type,
};
use utoipa::{PartialSchema, ToSchema};

use super::given::GivenSource;
use crate::domain::directive::Directive;
use crate::domain::event::Envelope;

/// One event, or an array of them.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum EventsBody {
    /// One.
    One(SentEvent),
    /// Several: decided one by one, in order.
    Many(Vec<SentEvent>),
}

/// An event that says something.
pub struct SentEvent;

impl PartialSchema for SentEvent {
    fn schema() -> RefOr<Schema> {
        let with = |name: &str, kind: Type| {
            let there = ObjectBuilder::new().schema_type(kind);
            ObjectBuilder::new().property(name, there).required(name)
        };
        let says = AnyOfBuilder::new().item(with("status", Type::String)).item(with("error", Type::Object));
        AllOfBuilder::new()
            .item(Ref::from_schema_name(Envelope::name()))
            .item(says)
            .description(Some("With a `status`, an `error`, or both."))
            .into()
    }
}

impl ToSchema for SentEvent {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Envelope::name().into_owned(), Envelope::schema()));
        Envelope::schemas(schemas);
    }
}

/// A directive that waits for something.
pub struct DirectiveBody;

impl PartialSchema for DirectiveBody {
    fn schema() -> RefOr<Schema> {
        let some = |name: &str| {
            let items = ArrayBuilder::new()
                .items(ObjectBuilder::new().schema_type(SchemaType::AnyValue))
                .min_items(Some(1));
            ObjectBuilder::new().property(name, items).required(name)
        };
        let waits = AnyOfBuilder::new().item(some("expected_subagents")).item(some("expected_children"));
        AllOfBuilder::new()
            .item(Ref::from_schema_name(Directive::name()))
            .item(waits)
            .description(Some("With at least one of `expected_subagents` or `expected_children`."))
            .into()
    }
}

impl ToSchema for DirectiveBody {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Directive::name().into_owned(), Directive::schema()));
        Directive::schemas(schemas);
    }
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
    #[schema(max_items = 1_000)]
    sources: Option<Vec<GivenSource>>,
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
