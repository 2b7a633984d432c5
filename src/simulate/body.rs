//! A body that comes when it should: paced, hanging, or broken off.
//!
//! hyper polls it, so a peer that goes drops it, and with it the call that it holds.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use super::calls::Ended;
use super::frames::Frames;
use super::plan::Ending;
use super::socket::Cut;
use super::state::InFlight;

/// When pieces come.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    /// Before the first piece.
    pub first: Duration,
    /// Before each further one.
    pub next: Duration,
    /// That many first pieces come at once, after `first`.
    pub at_once: u64,
}

/// The body of an answer. A call that it belongs to ends with its last piece.
#[derive(Debug)]
pub struct PacedBody {
    frames: Frames,
    pace: Pace,
    ending: Ending,
    /// Cuts the connection that it is written to.
    cut: Cut,
    call: Option<InFlight>,
    at: u64,
    /// Whether the wait before the piece at `at` is over.
    waited: bool,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl PacedBody {
    /// The answer to a call.
    pub fn new(frames: Frames, pace: Pace, ending: Ending, cut: Cut, mut call: InFlight) -> Self {
        // hyper doesn't ask for the pieces of a body without any.
        if frames.count() == 0 {
            call.end(Ended::Answered);
        }
        Self { frames, pace, ending, cut, call: Some(call), at: 0, waited: false, sleep: None }
    }

    /// A body of no call.
    pub fn plain(text: impl Into<Bytes>) -> Self {
        let (frames, pace) = (Frames::one(text), Pace::default());
        let (ending, cut) = (Ending::Whole, Cut::default());
        Self { frames, pace, ending, cut, call: None, at: 0, waited: false, sleep: None }
    }

    fn wait(&self) -> Duration {
        match self.at {
            0 => self.pace.first,
            at if at < self.pace.at_once => Duration::ZERO,
            _ => self.pace.next,
        }
    }

    /// Where the body stops before its end: half-way, and inside the first piece where there is only one.
    fn hangs_at(&self) -> Option<u64> {
        (self.ending == Ending::Hang).then_some((self.frames.count() / 2).max(1))
    }

    fn end(&mut self, ended: Ended) {
        if let Some(call) = &mut self.call {
            call.end(ended);
        }
    }

    /// The piece that comes now.
    fn piece(&mut self) -> Bytes {
        let mut piece = self.frames.make(self.at);
        self.at += 1;
        self.waited = false;
        let last = self.at == self.frames.count();
        match self.ending {
            Ending::Whole if last => self.end(Ended::Answered),
            Ending::Cut if last => {
                // The chunk's own line end is lost too, so it is cut wherever the half is.
                self.cut.before_the_last(piece.len().div_ceil(2) + 2);
                self.end(Ended::Cut);
            }
            Ending::Hang if self.frames.count() == 1 => piece.truncate(piece.len() / 2),
            Ending::Whole | Ending::Cut | Ending::Hang => {}
        }
        piece
    }
}

impl Body for PacedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.hangs_at().is_some_and(|stop| self.at >= stop) {
            return Poll::Pending; // Until the peer goes: hyper watches it.
        }
        if self.at >= self.frames.count() {
            // A cut body must not end: its last chunk waits to be torn.
            return if self.ending == Ending::Cut { Poll::Pending } else { Poll::Ready(None) };
        }
        if !self.waited {
            if self.sleep.is_none() && !self.wait().is_zero() {
                self.sleep = Some(Box::pin(sleep(self.wait())));
            }
            if let Some(sleep) = &mut self.sleep {
                ready!(sleep.as_mut().poll(cx));
                self.sleep = None;
            }
            self.waited = true;
        }
        Poll::Ready(Some(Ok(Frame::data(self.piece()))))
    }

    fn is_end_stream(&self) -> bool {
        self.ending == Ending::Whole && self.at >= self.frames.count()
    }

    /// A body of one piece has a length, as ordinary servers give it.
    fn size_hint(&self) -> SizeHint {
        match (self.frames.count(), self.at, self.ending) {
            (0, _, Ending::Whole | Ending::Hang) => SizeHint::with_exact(0),
            (1, 0, Ending::Whole | Ending::Hang) => SizeHint::with_exact(self.frames.make(0).len() as u64),
            _ => SizeHint::default(),
        }
    }
}
