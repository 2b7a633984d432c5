//! A reader as the body of a response.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use http_body::Frame;

use crate::engine::mux::Reader;

/// Hands out what a reader has, when it has it.
pub struct ReaderBody(Box<Reader>);

impl ReaderBody {
    /// The body of `reader`'s stream.
    pub fn new(reader: Reader) -> Self {
        Self(Box::new(reader))
    }
}

impl http_body::Body for ReaderBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = ready!(self.0.poll_next(cx));
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}
