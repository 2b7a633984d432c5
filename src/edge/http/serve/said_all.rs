//! A reader that closed its side, and may read on or be gone.
//!
//! TCP tells both alike. But a caller that is gone answers the next byte with a reset, and one that reads doesn't. So it is sent a
//! byte that says nothing: a zero before the size of the next chunk (`chunk-size = 1*HEXDIG`, RFC 9112, 7.1).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::AsyncWrite;
use tokio::time::{Instant, Sleep, sleep};

use super::sockets::Socket;

/// What says nothing where a chunk may begin.
const NOTHING: &[u8] = b"0";
/// When its answer is looked for; then after twice that, and so on. It is there after a round trip.
const FIRST_LOOK: Duration = Duration::from_millis(20);
/// Beyond this no more: whoever is gone is noticed when the next frame or heartbeat is written.
const LAST_LOOK: Duration = Duration::from_secs(2);

/// What is known of such a reader.
#[derive(Default)]
pub(super) struct SaidAll {
    /// Since it was asked: the next look, and how long it was waited for.
    look: Option<(Pin<Box<Sleep>>, Duration)>,
}

impl SaidAll {
    /// Asks, once. Only between two chunks. Pending where what was written before still fills the socket.
    pub(super) fn poll_ask(&mut self, socket: &mut Socket, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.look.is_some() {
            return Poll::Ready(Ok(()));
        }
        if ready!(Pin::new(&mut *socket).poll_write(cx, NOTHING))? == 0 {
            return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
        }
        self.look = Some((Box::pin(sleep(FIRST_LOOK)), FIRST_LOOK));
        Pin::new(socket).poll_flush(cx)
    }

    /// Ready when it has turned out to be gone.
    pub(super) fn poll_gone(&mut self, socket: &Socket, cx: &mut Context<'_>) -> Poll<()> {
        let Some((look, waited)) = &mut self.look else { return Poll::Pending };
        while *waited <= LAST_LOOK {
            ready!(look.as_mut().poll(cx));
            if socket.has_failed() {
                return Poll::Ready(());
            }
            *waited *= 2;
            look.as_mut().reset(Instant::now() + *waited);
        }
        Poll::Pending
    }
}
