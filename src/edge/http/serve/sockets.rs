//! Sockets: how one listens, what its connections inherit, and the one that hyper reads and writes.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::BytesMut;
use socket2::{Domain, Protocol, SockRef, TcpKeepalive, Type};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio_rustls::server::TlsStream;

use super::ServeSettings;

/// Connections that the kernel completes ahead of us: a burst of reconnecting readers after a restart.
const BACKLOG: i32 = 4_096;

/// Listens on `address`. Needs a tokio runtime.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = socket2::Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart must not wait for the last process' connections to be forgotten.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Sets on the listener what its connections inherit (Linux copies all of it), instead of three calls a connection.
pub(super) fn tune(listener: &TcpListener, settings: &ServeSettings) -> io::Result<()> {
    let socket = SockRef::from(listener);
    socket.set_tcp_nodelay(true)?;
    if settings.send_buffer_bytes > 0 {
        // The kernel doubles the number for its own bookkeeping.
        socket.set_send_buffer_size(settings.send_buffer_bytes)?;
    }
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if !settings.tcp_user_timeout.is_zero() {
        socket.set_tcp_user_timeout(Some(settings.tcp_user_timeout))?;
        socket.set_tcp_keepalive(&keepalive(settings.tcp_user_timeout))?;
    }
    Ok(())
}

/// Who sends a body that has no end, and vanishes, is sent nothing that could stay unacknowledged: so the kernel asks whether
/// it is still there, and the connection ends where that isn't answered for the same time.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn keepalive(timeout: Duration) -> TcpKeepalive {
    // With a user timeout the kernel ends a connection by that alone, at the first probe behind it that finds others
    // unanswered: several must fit in.
    let part = |parts: u32| (timeout / parts).max(Duration::from_secs(1));
    TcpKeepalive::new().with_time(part(3)).with_interval(part(6))
}

/// A connection's socket together with its place in the house: the place is free again when the socket closes, also
/// where a WebSocket has taken it along.
pub(super) struct Socket {
    stream: Stream,
    /// Whether all that hyper wrote so far has left its buffer.
    flushed: bool,
    /// What was read and put back. Boxed: hardly any connection has it for long.
    put_back: Option<Box<BytesMut>>,
    _permit: OwnedSemaphorePermit,
}

/// What a connection runs over.
enum Stream {
    Plain(TcpStream),
    /// Boxed: its state is over a KiB, and most connections have none.
    Tls(Box<TlsStream<TcpStream>>),
}

impl Socket {
    pub(super) fn plain(stream: TcpStream, permit: OwnedSemaphorePermit) -> Self {
        Self { stream: Stream::Plain(stream), flushed: true, put_back: None, _permit: permit }
    }

    pub(super) fn encrypted(stream: TlsStream<TcpStream>, permit: OwnedSemaphorePermit) -> Self {
        Self { stream: Stream::Tls(Box::new(stream)), flushed: true, put_back: None, _permit: permit }
    }

    /// Gives back what was read: it is read first.
    pub(super) fn put_back(&mut self, read: BytesMut) {
        self.put_back = (!read.is_empty()).then(|| Box::new(read));
    }

    /// Whether the other side has reset the connection, or doesn't answer any more. Tells so once.
    pub(super) fn has_failed(&self) -> bool {
        let stream = match &self.stream {
            Stream::Plain(stream) => stream,
            Stream::Tls(stream) => stream.get_ref().0,
        };
        !matches!(stream.take_error(), Ok(None))
    }

    /// Whether nothing that was written is still waiting in a buffer above the socket.
    pub(super) fn is_flushed(&self) -> bool {
        self.flushed
    }
}

/// Calls the same on what a connection runs over.
macro_rules! on_stream {
    ($socket:expr, $stream:ident => $call:expr) => {
        match &mut $socket.stream {
            Stream::Plain($stream) => $call,
            Stream::Tls($stream) => $call,
        }
    };
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(before) = &mut self.put_back {
            let piece = before.split_to(before.len().min(buf.remaining()));
            buf.put_slice(&piece);
            if before.is_empty() {
                self.put_back = None;
            }
            return Poll::Ready(Ok(()));
        }
        on_stream!(self, stream => Pin::new(stream).poll_read(cx, buf))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.flushed = false;
        on_stream!(self, stream => Pin::new(stream).poll_write(cx, buf))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.flushed = false;
        on_stream!(self, stream => Pin::new(stream).poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    /// hyper calls this when its buffer is empty. What is encrypted may still wait to be sent.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.flushed = true;
        on_stream!(self, stream => Pin::new(stream).poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        on_stream!(self, stream => Pin::new(stream).poll_shutdown(cx))
    }
}
