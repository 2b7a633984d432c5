//! What streams are made of: frames, by name.

#![expect(dead_code, reason = "the fields are read by the derive only")]

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Ref, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::{Cursor, Event};
use crate::domain::position::Sequence;
use crate::edge::http::problem::Document;
use crate::engine::mux::Reason;

/// The first frame: where the stream stands, and whether it continues the reader's place.
#[derive(ToSchema)]
struct OpenFrame {
    /// Names this life of the log; `null` where there is none yet.
    #[schema(required, pattern = "^[0-9a-f]{6,16}$")]
    epoch: Option<String>,
    /// What the first frame of events follows: its `from` is one more.
    from: Sequence,
    /// The session's last sequence.
    tail: Sequence,
    /// The session's oldest sequence that can still be read.
    oldest: Sequence,
    /// Whether nothing after the reader's place is missing.
    recovered: bool,
    reason: Reason,
    /// A stream that is silent for longer is broken.
    heartbeat_ms: u64,
}

/// Events, and the range of the log that they cover: frames continue each other without a hole.
#[derive(ToSchema)]
struct EventsFrame {
    /// The first sequence that is covered.
    from: Sequence,
    /// The last.
    to: Sequence,
    /// At most five; none where all were filtered out.
    #[schema(max_items = 5)]
    events: Vec<Event>,
    /// Partials that were left out because a later one replaced them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coalesced: Vec<Sequence>,
}

/// The last of everything, instead of every event. Only the last frame of a snapshot has an `id`.
#[derive(ToSchema)]
struct SnapshotFrame {
    /// The first sequence that is covered.
    from: Sequence,
    /// The last.
    to: Sequence,
    #[schema(max_items = 5)]
    events: Vec<Event>,
    /// Whether it is the snapshot's last.
    complete: bool,
}

/// A sign of life of an idle stream.
#[derive(ToSchema)]
struct HeartbeatFrame {
    /// The session's last sequence.
    sequence: Sequence,
    #[schema(required, pattern = "^[0-9a-f]{6,16}$")]
    epoch: Option<String>,
    store: StoreHealth,
}

#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
enum StoreHealth {
    Ok,
    Unavailable,
}

/// Go and come again, with the frame's `id`.
#[derive(ToSchema)]
struct DrainFrame {
    reason: DrainReason,
    /// The last sequence that was looked at.
    sequence: Sequence,
    /// How long to wait before.
    retry_ms: u64,
}

#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
enum DrainReason {
    ConnectionAge,
    Draining,
}

/// Nothing follows, ever.
#[derive(ToSchema)]
struct EndFrame {
    reason: EndReason,
    /// The last sequence that was looked at.
    sequence: Sequence,
}

#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
enum EndReason {
    PlanStepCompleted,
    SessionClosed,
    Expired,
}

/// A line of an `application/x-ndjson` stream; as server-sent events the same `event`, `id` and `data`.
pub struct StreamFrame;

impl PartialSchema for StreamFrame {
    fn schema() -> RefOr<Schema> {
        let text = "A line of an `application/x-ndjson` stream. As `text/event-stream` it has the same `event`, `id` and `data`.";
        OneOfBuilder::new()
            .description(Some(text))
            .item(frame::<OpenFrame>("open"))
            .item(frame::<EventsFrame>("planner_stream"))
            .item(frame::<SnapshotFrame>("snapshot"))
            .item(frame::<HeartbeatFrame>("heartbeat"))
            .item(frame::<DrainFrame>("drain"))
            .item(frame::<Document<'_>>("error"))
            .item(frame::<EndFrame>("end"))
            .into()
    }
}

impl ToSchema for StreamFrame {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        add::<OpenFrame>(schemas);
        add::<EventsFrame>(schemas);
        add::<SnapshotFrame>(schemas);
        add::<HeartbeatFrame>(schemas);
        add::<DrainFrame>(schemas);
        add::<EndFrame>(schemas);
        add::<Document<'_>>(schemas);
        add::<Cursor>(schemas);
    }
}

fn add<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

fn frame<T: ToSchema>(name: &str) -> ObjectBuilder {
    let event = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([name]));
    ObjectBuilder::new()
        .property("event", event)
        .property("id", Ref::from_schema_name(Cursor::name()))
        .property("data", Ref::from_schema_name(T::name()))
        .required("event")
        .required("data")
        .additional_properties(Some(utoipa::openapi::schema::AdditionalProperties::FreeForm(false)))
}
