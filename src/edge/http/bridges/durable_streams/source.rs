//! What a stream is read from.
//!
//! Two things are streams: a session's log (`log`), and in test builds a store that can be written over HTTP
//! (`test_store`), so that the protocol's public conformance suite runs on the same reading code.

use std::future::Future;

use crate::domain::bridges::durable_streams::{Batch, Offset, Start};
use crate::edge::http::problem::Problem;

/// A stream that can be read.
pub trait StreamSource: Send + Sync + 'static {
    /// Waits at the stream's end.
    type Tail: StreamTail;

    /// The media type of the stream's bytes.
    fn content_type(&self) -> &str;

    /// Reads `limit` items at most. `Start::Now` is a place: it has no items, and is up to date.
    ///
    /// # Errors
    /// 404 where there is no such stream; 410 where what follows `start` isn't kept, or `start` is of another branch of
    /// the log; what the store says.
    fn read(&self, start: Start, limit: usize) -> impl Future<Output = Result<Batch, Problem>> + Send;

    /// Waits for what follows `after`, a place that `read` has just given.
    ///
    /// # Errors
    /// As [`StreamSource::read`]; 503 where there is no room for another reader.
    fn follow(&self, after: Offset) -> impl Future<Output = Result<Self::Tail, Problem>> + Send;
}

/// A reader that waits.
pub trait StreamTail: Send + 'static {
    /// What comes next. Nothing is lost where the future is dropped before it is ready.
    fn next(&mut self) -> impl Future<Output = News> + Send;
}

/// What a waiting reader is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// More of the stream; without items where only the place has moved, or the stream was closed.
    More(Batch),
    /// Nothing is new.
    Quiet,
    /// The reader has to come again at its place, or is refused there.
    Over,
}
