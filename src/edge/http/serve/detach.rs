//! Event streams leave the HTTP library.
//!
//! For an idle stream hyper holds two buffers of 8 KiB and its whole state, though all that is left to do is to wait for
//! the next frame and write it. So an answer that is marked with [`Detach`] is taken away from it: the socket comes back
//! out of hyper, the head is written here, then each wake-up's frames as one chunk (RFC 9112, 7.1) in one vectored
//! write, straight from the shared bytes. Afterwards the connection closes; an `EventSource` opens its next one itself.
//!
//! hyper gives the socket back when the service fails, so the answer travels inside an error ([`Detached`]).

use std::error::Error;
use std::fmt;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING};
use http::{Method, Request, StatusCode, Version};
use hyper::body::Body as _;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::sockets::Socket;

/// Frames and bytes of one write.
const FRAMES_MAX: usize = 16;
const BYTES_MAX: usize = 64 * 1024;
/// What a caller may send after its request before it is cut off; there is nothing it could have to say.
const CHATTER_MAX: usize = 64 * 1024;

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
    /// What is being written: the head alone, or a chunk. Without room while the stream waits.
    out: Vec<Bytes>,
    /// Bytes of `out` that are written.
    written: usize,
    chatter: usize,
    end: End,
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
        Self { socket, body, out: vec![head(&parts)], written: 0, chatter: 0, end: End::NotYet }
    }

    /// Adds what the body has at once, as one chunk, and its end.
    fn gather(&mut self, cx: &mut Context<'_>) {
        let place = self.out.len();
        let mut bytes = 0;
        while self.end == End::NotYet && bytes < BYTES_MAX && self.out.len() < place + FRAMES_MAX {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => {
                    // Trailers have no meaning for an event stream.
                    let data = frame.into_data().unwrap_or_default();
                    if !data.is_empty() {
                        bytes += data.len();
                        self.out.push(data);
                    }
                }
                Poll::Ready(Some(Err(error))) => {
                    tracing::debug!(%error, "the body of an event stream failed");
                    self.end = End::Broken;
                }
                Poll::Ready(None) => self.end = End::Clean,
                Poll::Pending => break,
            }
        }
        if bytes > 0 {
            self.out.insert(place, chunk_size(bytes));
            self.out.push(Bytes::from_static(b"\r\n"));
        }
        if self.end == End::Clean {
            self.out.push(Bytes::from_static(b"0\r\n\r\n"));
        }
    }

    /// Writes all of `out`.
    fn poll_write_out(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let total = self.out.iter().map(Bytes::len).sum::<usize>();
        while self.written < total {
            // The head, a chunk's size, its frames, its end, the body's end.
            let mut slices = [IoSlice::new(&[]); FRAMES_MAX + 4];
            let count = unwritten(&self.out, self.written, &mut slices);
            let n = ready!(Pin::new(&mut self.socket).poll_write_vectored(cx, &slices[..count]))?;
            if n == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += n;
        }
        // What is encrypted may wait above the socket.
        ready!(Pin::new(&mut self.socket).poll_flush(cx))?;
        self.written = 0;
        self.out.clear();
        Poll::Ready(Ok(()))
    }

    /// Ready when the caller hung up, or sends what no caller should.
    fn poll_gone(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            let mut room = [0; 512];
            let mut buf = ReadBuf::new(&mut room);
            match ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buf)) {
                Ok(()) if buf.filled().is_empty() => return Poll::Ready(()),
                Ok(()) => self.chatter += buf.filled().len(),
                Err(_) => return Poll::Ready(()),
            }
            if self.chatter > CHATTER_MAX {
                return Poll::Ready(());
            }
        }
    }
}

impl Future for DetachedStream {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        if this.poll_gone(cx).is_ready() {
            return Poll::Ready(());
        }
        loop {
            // Only the head stands alone; the first frames go with it in one write.
            if this.end == End::NotYet && this.out.len() <= 1 && this.written == 0 {
                this.gather(cx);
            }
            if this.out.is_empty() && this.end == End::NotYet {
                this.out = Vec::new();
                return Poll::Pending;
            }
            if ready!(this.poll_write_out(cx)).is_err() || this.end == End::Broken {
                return Poll::Ready(());
            }
            if this.end == End::Clean {
                return Pin::new(&mut this.socket).poll_shutdown(cx).map(|_| ());
            }
        }
    }
}

/// The line before a chunk: its size in hex. It is written for every reader and event, so it is put together without
/// `fmt`.
fn chunk_size(bytes: usize) -> Bytes {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let digits = (usize::BITS - bytes.leading_zeros()).div_ceil(4).max(1);
    let hex = (0..digits).rev().map(|place| HEX[bytes >> (4 * place) & 15]);
    hex.chain(*b"\r\n").collect()
}

/// Fills `slices` with what lies behind the first `written` bytes of `out`; returns how many are filled.
fn unwritten<'a>(out: &'a [Bytes], mut written: usize, slices: &mut [IoSlice<'a>]) -> usize {
    let mut count = 0;
    for bytes in out {
        if written < bytes.len() {
            slices[count] = IoSlice::new(&bytes[written..]);
            count += 1;
        }
        written = written.saturating_sub(bytes.len());
    }
    count
}

/// Status line and fields (RFC 9112, 2.1), with the framing that is used here instead of the answer's own.
fn head(parts: &http::response::Parts) -> Bytes {
    let mut head = Vec::with_capacity(512);
    head.extend_from_slice(b"HTTP/1.1 200 OK\r\n");
    let framing = [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, DATE];
    for (name, value) in parts.headers.iter().filter(|(name, _)| !framing.contains(name)) {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    let now = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&jiff::Timestamp::now());
    if let Ok(date) = now {
        head.extend_from_slice(format!("date: {date}\r\n").as_bytes());
    }
    head.extend_from_slice(b"connection: close\r\ntransfer-encoding: chunked\r\n\r\n");
    head.into()
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_of_chunks_are_hex() {
        for bytes in [1, 15, 16, 255, 256, 4_095, 65_536, 1_048_577] {
            assert_eq!(super::chunk_size(bytes), format!("{bytes:x}\r\n"));
        }
    }
}
