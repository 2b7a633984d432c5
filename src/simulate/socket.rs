//! The connection as hyper sees it, which can be told to break off in the middle of a chunk.
//!
//! hyper writes whole chunks, so an answer that ends inside one has to be cut here. Writes aren't vectored: hyper then
//! offers all that it has in one buffer, whose last bytes are the end of the last chunk.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// How many bytes of what is written next never leave; 0 while all do.
#[derive(Debug, Clone, Default)]
pub struct Cut(Arc<AtomicUsize>);

impl Cut {
    /// The connection breaks off that many bytes before the end of what hyper has to write. At least one is kept back.
    pub fn before_the_last(&self, bytes: usize) {
        self.0.store(bytes.max(1), Ordering::Relaxed);
    }
}

/// A connection.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    cut: Cut,
}

impl Socket {
    /// A connection that `cut` breaks off.
    pub fn new(stream: TcpStream, cut: Cut) -> Self {
        Self { stream, cut }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let kept_back = self.cut.0.load(Ordering::Relaxed);
        if kept_back == 0 {
            return Pin::new(&mut self.stream).poll_write(cx, buf);
        }
        match buf.len().checked_sub(kept_back).and_then(|leaving| buf.get(..leaving)) {
            Some(leaving) if !leaving.is_empty() => Pin::new(&mut self.stream).poll_write(cx, leaving),
            _ => Poll::Ready(Err(io::Error::new(io::ErrorKind::ConnectionAborted, "cut off as told"))),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
