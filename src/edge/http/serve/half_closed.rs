//! Callers that close their side before they have the answer.
//!
//! Who has nothing more to say may say so at once (`nc -N`, a script that shuts down its side) and still read. TCP tells that
//! as it tells that a caller is gone, and hyper takes it for that: it gives up what is asked. So the sign is kept from it for as long as
//! a plain answer takes; whoever is gone by then is noticed a little later, and at once where an answer costs money meanwhile
//! ([`Costly`]). Who asks to wait (a long poll) is answered when the wait is
//! over, however long: it ends by itself, and costs nothing until then.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::sockets::Socket;

/// How long an answer may take, and a piece of it to be read.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long one may take that its caller asked to wait for: the longest wait there is, a minute (`results`), and a second for the answer.
const LONG_PATIENCE: Duration = Duration::from_secs(61);

/// Goes with each request: whoever answers it says by this that it costs from now on, so that it ends with its caller. A side that
/// was closed before is still waited for.
#[derive(Debug, Clone, Default)]
pub struct Costly(Arc<AtomicBool>);

impl Costly {
    /// From now on.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Another request begins.
    pub(super) fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A socket whose end is told when what was asked is answered.
pub(super) struct HalfClosed {
    socket: Socket,
    /// Whether something was read since the last that was written.
    owes: bool,
    /// Whether what is written doesn't fit in.
    is_full: bool,
    /// Whether what was asked for last is to wait.
    is_long: Arc<AtomicBool>,
    /// Whether the answer costs.
    costly: Costly,
    /// Since the end: until when it is kept back.
    until: Option<Pin<Box<Sleep>>>,
}

impl HalfClosed {
    pub(super) fn new(socket: Socket, is_long: Arc<AtomicBool>, costly: Costly) -> Self {
        Self { socket, owes: false, is_full: false, is_long, costly, until: None }
    }

    pub(super) fn into_socket(self) -> Socket {
        self.socket
    }

    fn written(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.is_full = written.is_pending();
        if let Poll::Ready(Ok(1..)) = &written {
            self.owes = false;
            if let Some(until) = &mut self.until {
                until.as_mut().reset(Instant::now() + PATIENCE);
            }
        }
        written
    }
}

impl AsyncRead for HalfClosed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let room = buf.remaining();
        ready!(Pin::new(&mut self.socket).poll_read(cx, buf))?;
        if room == 0 || buf.remaining() < room {
            self.owes = true;
        } else if (self.owes || self.is_full) && (self.until.is_some() || !self.costly.has_begun()) {
            let is_long = self.owes && self.is_long.load(Ordering::Relaxed);
            let patience = if is_long { LONG_PATIENCE } else { PATIENCE };
            let until = self.until.get_or_insert_with(|| Box::pin(sleep(patience)));
            ready!(until.as_mut().poll(cx));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for HalfClosed {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(cx, buf);
        self.written(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(cx, bufs);
        self.written(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }
}
