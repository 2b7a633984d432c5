//! A reader on a store, as a stream is one.

use std::future::poll_fn;
use std::sync::Arc;

use tributary::domain::ids::SessionKey;
use tributary::engine::mux::{Framing, ReadRequest, Reader, StartAt, StreamMux, View};
use tributary::engine::ports::result_cache::ResultCache;
use tributary::engine::telemetry::Telemetry;

use crate::fixtures::MUX;

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
    StreamMux::new(cache, MUX, Telemetry::off()).open(request).await.unwrap()
}

/// What the reader is given next.
pub async fn next(reader: &mut Reader) -> String {
    let bytes = poll_fn(|cx| reader.poll_next(cx)).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}
