//! What wakes a session's task besides its inbox: the time of what is due next, and the end of the service.
//!
//! Both are armed once. A task keeps its waker, so neither needs another look before it has gone off, and looking at them for each
//! request (a timer's state, a token's lock) costs as much as deciding it.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Wakes its task; whether the service stops is asked elsewhere.
pub(super) struct Alarm {
    timer: Pin<Box<Sleep>>,
    stop: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Whether the timer has the task's waker, for the time that it is set to.
    is_set: bool,
    is_listening: bool,
}

impl Alarm {
    pub(super) fn new(stop: CancellationToken, at: Instant) -> Self {
        Self {
            timer: Box::pin(sleep_until(at)),
            stop: Box::pin(stop.cancelled_owned()),
            is_set: false,
            is_listening: false,
        }
    }

    /// Goes off at `at`, or earlier where it is set to an earlier time already: that costs a look, moving it costs more.
    pub(super) fn set(&mut self, at: Instant) {
        if self.timer.deadline() > at || self.timer.is_elapsed() {
            self.timer.as_mut().reset(at);
            self.is_set = false;
        }
    }

    /// Ready when the time has come. Leaves the waker for the end of the service too.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if !self.is_listening {
            self.is_listening = true;
            // What it says is asked elsewhere.
            let _ = self.stop.as_mut().poll(cx);
        }
        if self.is_set && !self.timer.is_elapsed() {
            return Poll::Pending;
        }
        self.is_set = true;
        self.timer.as_mut().poll(cx)
    }
}
