//! A reader on a store, as a stream is one.

use std::future::poll_fn;
use std::sync::Arc;

use tributary::domain::ids::SessionKey;
use tributary::engine::mux::{Framing, MuxSettings, ReadRequest, Reader, StartAt, StreamMux, View};
use tributary::engine::ports::result_cache::ResultCache;
use tributary::engine::telemetry::Telemetry;

const SETTINGS: MuxSettings = MuxSettings {
    batch_events: 5,
    heartbeat_ms: 15_000,
    connection_age_ms: 600_000,
    retry_ms: 1_000,
    unknown_patience_ms: 30_000,
    coalesce_backlog: 1_000,
    chunk_bytes: 65_536,
    readers_per_session: 10,
    readers: 10,
    drain_spread_ms: 0,
    problem: |_, text| text.as_bytes().to_vec(),
};

/// A reader of a whole session.
pub async fn reader(cache: Arc<dyn ResultCache>, key: &SessionKey, start: StartAt) -> Reader {
    let request = ReadRequest {
        key: key.clone(),
        view: View::default(),
        start,
        framing: Framing::Sse,
        batch: None,
        coalesce: false,
        caller: None,
        lives: None,
    };
    StreamMux::new(cache, SETTINGS, Telemetry::off()).open(request).await.unwrap()
}

/// What the reader is given next.
pub async fn next(reader: &mut Reader) -> String {
    let bytes = poll_fn(|cx| reader.poll_next(cx)).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}
