//! Event streams leave the HTTP library.
//!
//! For an idle stream hyper holds two buffers of 8 KiB and its whole state, though all that is left to do is to wait for
//! the next frame and write it. So an answer that is marked with [`Detach`] is taken away from it: the socket comes back
//! out of hyper, the head is written here, then each wake-up's frames as one chunk (RFC 9112, 7.1) in one write
//! (`chunk`). Afterwards the connection closes; an `EventSource` opens its next one itself.
//!
//! hyper gives the socket back when the service fails, so the answer travels inside an error ([`Detached`]).

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::{Method, Request, StatusCode, Version};
use hyper::body::Body as _;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

use super::chunk::Chunk;
use super::fields::{date, own_fields};
use super::said_all::SaidAll;
use super::sockets::Socket;

/// What a caller may send after its request before it is cut off; there is nothing it could have to say.
const CHATTER_MAX: u32 = 64 * 1024;

/// Put into the extensions of a response with status 200, it asks for the body to be written without the HTTP library.
/// Only worth it for bodies that mostly wait. Where the request doesn't allow it (HTTP/1.0, `HEAD`, a body), the answer
/// is served as usual.
#[derive(Debug, Clone, Copy)]
pub struct Detach;

/// Whether an answer to this request can be written here.
pub(super) fn may_detach<B: hyper::body::Body>(request: &Request<B>) -> bool {
    request.version() == Version::HTTP_11 && request.method() == Method::GET && request.body().is_end_stream()
}

/// An answer on its way out of hyper. Taken once.
#[derive(Debug)]
pub(super) struct Detached(Mutex<Option<Box<Response>>>);

impl Detached {
    pub(super) fn unless_ordinary(response: Response) -> Result<Response, Self> {
        let marked = response.extensions().get::<Detach>().is_some() && response.status() == StatusCode::OK;
        if marked { Err(Self(Mutex::new(Some(Box::new(response))))) } else { Ok(response) }
    }

    /// The answer, where that is why hyper's connection failed.
    pub(super) fn response_in(error: &hyper::Error) -> Option<Response> {
        let detached = error.source()?.downcast_ref::<Self>()?;
        detached.0.lock().take().map(|response| *response)
    }
}

impl fmt::Display for Detached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the answer left the HTTP library")
    }
}

impl Error for Detached {}

/// Writes an answer to its end. Ends early when the caller goes away or the body fails; the caller sees the missing last
/// chunk.
///
/// Backpressure: the body isn't asked for more before what it gave is in the socket.
pub(super) struct DetachedStream {
    socket: Socket,
    body: Body,
    /// What didn't fit into the socket. Boxed: a stream that waits has none.
    rest: Option<Box<Chunk>>,
    /// Bytes that it sent after its request.
    chatter: u32,
    end: End,
    /// Since the caller closed its side. Boxed: hardly any does.
    said_all: Option<Box<SaidAll>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The body has more.
    NotYet,
    /// The body is complete.
    Clean,
    /// The body failed.
    Broken,
}

impl DetachedStream {
    pub(super) fn new(socket: Socket, response: Response) -> Self {
        let (parts, body) = response.into_parts();
        // The first frames go with it in one write.
        let rest = Some(Box::new(Chunk::after(head(&parts))));
        Self { socket, body, rest, chatter: 0, end: End::NotYet, said_all: None }
    }

    /// Adds what the body has at once, and its end. `true`: there is no more, and the body will wake who asked.
    fn gather(&mut self, chunk: &mut Chunk, cx: &mut Context<'_>) -> bool {
        let mut waits = false;
        while self.end == End::NotYet && chunk.has_room() {
            match Pin::new(&mut self.body).poll_frame(cx) {
                // Trailers have no meaning for an event stream.
                Poll::Ready(Some(Ok(frame))) => chunk.add(frame.into_data().unwrap_or_default()),
                Poll::Ready(Some(Err(error))) => {
                    tracing::debug!(%error, "the body of an event stream failed");
                    self.end = End::Broken;
                }
                Poll::Ready(None) => self.end = End::Clean,
                Poll::Pending => {
                    waits = true;
                    break;
                }
            }
        }
        chunk.close(self.end == End::Clean);
        waits
    }

    /// Ready when the caller hung up, or sends what no caller should. One that only closed its side reads on.
    fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.said_all.is_none() {
            let mut room = [0; 64];
            let mut buf = ReadBuf::new(&mut room);
            match ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buf)) {
                Ok(()) if buf.filled().is_empty() => self.said_all = Some(Box::default()),
                Ok(()) => self.chatter += buf.filled().len() as u32,
                Err(_) => return Poll::Ready(()),
            }
            if self.chatter > CHATTER_MAX {
                return Poll::Ready(());
            }
        }
        self.said_all.as_mut().map_or(Poll::Pending, |reader| reader.poll_gone(&self.socket, cx))
    }

    /// Ready when a caller that closed its side has turned out to be gone. It is asked where a chunk may begin.
    fn poll_asked(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(reader) = &mut self.said_all else { return Poll::Pending };
        match reader.poll_ask(&mut self.socket, cx) {
            Poll::Ready(Err(_)) => Poll::Ready(()),
            Poll::Ready(Ok(())) | Poll::Pending => reader.poll_gone(&self.socket, cx),
        }
    }
}

impl Future for DetachedStream {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        let is_gone = this.poll_gone(cx).is_ready();
        // Whoever could be gone gets what is there, or at least the head, once.
        if is_gone && this.rest.is_none() {
            return Poll::Ready(());
        }
        let mut waits = false;
        while !waits {
            let (mut rest, mut fresh) = (this.rest.take(), Chunk::default());
            let chunk = rest.as_deref_mut().unwrap_or(&mut fresh);
            if chunk.is_open() && this.end == End::NotYet {
                waits = this.gather(chunk, cx);
            }
            if chunk.is_empty() && this.end == End::NotYet {
                break;
            }
            match chunk.poll_write(Pin::new(&mut this.socket), cx) {
                Poll::Pending => {
                    this.rest = Some(rest.unwrap_or_else(|| Box::new(fresh)));
                    break;
                }
                Poll::Ready(Err(_)) => return Poll::Ready(()),
                Poll::Ready(Ok(())) if this.end == End::Broken => return Poll::Ready(()),
                Poll::Ready(Ok(())) => {}
            }
            if this.end == End::Clean {
                return Pin::new(&mut this.socket).poll_shutdown(cx).map(|_| ());
            }
        }
        if is_gone || (this.rest.is_none() && this.poll_asked(cx).is_ready()) {
            return Poll::Ready(());
        }
        Poll::Pending
    }
}

/// Status line and fields (RFC 9112, 2.1), with the framing that is used here instead of the answer's own.
fn head(parts: &http::response::Parts) -> Bytes {
    let mut head = Vec::with_capacity(512);
    head.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
    own_fields(&mut head, &parts.headers);
    date(&mut head, Instant::now());
    head.extend_from_slice(b"connection: close\r\ntransfer-encoding: chunked\r\n\r\n");
    head.into()
}
