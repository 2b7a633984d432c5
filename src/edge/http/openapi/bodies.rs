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
