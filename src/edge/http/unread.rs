//! Bodies that an answer didn't wait for.
//!
//! Where a request is refused before its body was read, what is left of the body would be taken for the next request, so the
//! connection closes. The answer has to say that, or the caller sends its next request into it (RFC 9112, section 9.6).

use std::ops::Deref;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::response::Response;
use http::header::CONNECTION;
use http::{HeaderValue, Request, Version};
use http_body::{Body, Frame, SizeHint};

/// Whether a request has a body that a connection of HTTP/1 would have to be rid of.
pub(super) fn has_body<B: Body>(request: &Request<B>) -> bool {
    request.version() <= Version::HTTP_11 && !request.body().is_end_stream()
}

/// Says with an answer that the connection closes.
pub(super) fn announce_close(response: &mut Response) {
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
}

/// A body that says when it was read to its end: `unread` is false from then on.
pub(super) struct Watched<B, F> {
    pub(super) inner: B,
    pub(super) unread: F,
}

impl<B, F> Body for Watched<B, F>
where
    B: Body + Unpin,
    F: Deref<Target = AtomicBool> + Unpin,
{
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let frame = Pin::new(&mut self.inner).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.inner.is_end_stream() {
            self.unread.store(false, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
