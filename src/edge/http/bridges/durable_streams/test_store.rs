//! Streams that are written over HTTP: what the public conformance suite needs to read something. Test builds only.
//!
//! The protocol's write half as far as the suite's tests of reading go: create, append, close, delete, copy (fork), and
//! producers that repeat themselves. Not kept from it: times to live, which are echoed only. In memory, bounded.

mod handlers;
mod producers;
pub(super) mod stream;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::routing::any;
use parking_lot::Mutex;

use super::answer::StreamSettings;
use stream::Stream;

/// Streams at most.
const STREAMS: usize = 10_000;

/// All streams, by name.
#[derive(Clone)]
struct TestStore {
    streams: Arc<Mutex<HashMap<String, Arc<Stream>>>>,
    settings: StreamSettings,
}

/// The routes: `/test/durable-streams/v1/stream/{*name}`.
pub fn routes<S: Clone + Send + Sync + 'static>(settings: StreamSettings) -> Router<S> {
    let store = TestStore { streams: Arc::default(), settings };
    Router::new().route("/test/durable-streams/v1/stream/{*name}", any(handlers::serve).with_state(store))
}
