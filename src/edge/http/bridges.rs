//! Bridges: other protocols' clients read the log.
//!
//! Each is a cursor on the log like any other: the reader of the mux, its stream taken apart into signals, and a translator
//! (`domain/bridges`) that writes what the protocol's client reads. There is no second path for history, so verdicts, frames,
//! filters and slow readers behave as they do everywhere.

pub mod a2a;
pub mod ag_ui;
pub mod ai_sdk;
pub mod durable_streams;
pub mod langgraph;
mod past;
mod signals;

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use http_body::Frame;

use super::access::Caller;
use super::app::App;
use super::extract::Ids;
use super::measured::caller_of;
use super::problem::Problem;
use super::serve::Detach;
use crate::domain::bridges::{Bridge, Next};
use crate::engine::mux::{Framing, ReadRequest, Reader, StartAt, View};

/// Who reads what, and from where.
pub struct Reading<'a> {
    /// The session, and the step where one is meant.
    pub ids: &'a Ids,
    /// Who asks.
    pub caller: &'a Caller,
    /// Of the request.
    pub headers: &'a HeaderMap,
    /// Where it begins.
    pub start: StartAt,
    /// Events a frame at most; `None`: as configured.
    pub batch: Option<usize>,
}

impl Reading<'_> {
    /// Lets a reader in.
    ///
    /// # Errors
    /// Where the store doesn't answer, there are too many readers, or the service is stopping.
    pub async fn open(self, app: &App) -> Result<Reader, Problem> {
        let view = View { step: self.ids.maybe_step().cloned(), ..View::default() };
        let request = ReadRequest {
            key: self.ids.key.clone(),
            view,
            start: self.start,
            framing: Framing::Ndjson,
            batch: self.batch,
            coalesce: true,
            caller: caller_of(&app.telemetry, self.headers),
            lives: self.caller.remaining(),
        };
        Ok(app.mux.open(request).await?)
    }
}

/// The answer of a bridge that speaks in an event stream.
///
/// # Errors
/// As [`Reading::open`]: these clients take a status for an answer.
pub async fn follow(
    app: &App,
    reading: Reading<'_>,
    bridge: impl Bridge + Unpin + 'static,
) -> Result<Response, Problem> {
    Ok(streamed(reading.open(app).await?, bridge))
}

/// An event stream of what a bridge writes.
fn streamed(reader: Reader, bridge: impl Bridge + Unpin + 'static) -> Response {
    const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
    let body = BridgeBody { reader: Box::new(reader), bridge, done: false };
    let mut response = Response::new(Body::new(body));
    response.extensions_mut().insert(Detach);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert(BUFFERING, HeaderValue::from_static("no"));
    response
}

/// A reader, as a bridge tells of it.
struct BridgeBody<B> {
    reader: Box<Reader>,
    bridge: B,
    done: bool,
}

impl<B: Bridge> BridgeBody<B> {
    /// Translates what is there; nothing where a bridge has nothing to say of it.
    fn translate(&mut self, lines: &Bytes) -> Vec<u8> {
        let mut out = Vec::new();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let next = signals::with(line, |signal| self.bridge.take(signal, &mut out));
            if next == Some(Next::Done) {
                self.done = true;
                break;
            }
        }
        out
    }
}

impl<B: Bridge + Unpin> http_body::Body for BridgeBody<B> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = self.get_mut();
        while !this.done {
            // A client that is asked to come back does so where the line breaks; a clean end would be the end of all.
            let Some(lines) = ready!(this.reader.poll_next(cx)) else {
                this.done = true;
                let gone = "the reader left before the bridge was done";
                return Poll::Ready(Some(Err(io::Error::new(io::ErrorKind::ConnectionAborted, gone))));
            };
            let out = this.translate(&lines);
            if !out.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(out.into()))));
            }
        }
        Poll::Ready(None)
    }
}
