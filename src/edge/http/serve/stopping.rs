//! That the service stops, as a connection that is busy looks at it.
//!
//! A `CancellationToken` is asked under a lock that all connections share, several times an event. Here a connection leaves
//! its waker once, and reads a flag from then on. A flag is raised before those who wait are woken, so whoever left its waker
//! and finds the flag down will be woken when it is raised.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The two steps of stopping (`ServeShutdown`), as flags.
#[derive(Debug, Default)]
pub(super) struct Stopping {
    soft: Step,
    hard: Step,
}

#[derive(Debug, Default)]
struct Step {
    begun: AtomicBool,
    told: Notify,
}

impl Step {
    fn begin(&self) {
        self.begun.store(true, Ordering::SeqCst);
        self.told.notify_waiters();
    }

    fn has_begun(&self) -> bool {
        self.begun.load(Ordering::SeqCst)
    }
}

impl Stopping {
    pub(super) fn begin_soft(&self) {
        self.soft.begin();
    }

    /// Implies the soft step, as with the tokens.
    pub(super) fn begin_hard(&self) {
        self.soft.begin();
        self.hard.begin();
    }

    pub(super) fn is_soft(&self) -> bool {
        self.soft.has_begun()
    }

    pub(super) fn is_hard(&self) -> bool {
        self.hard.has_begun()
    }

    /// Does some work to its end; `None` where the hard step begins before.
    pub(super) async fn run_until_hard<T>(&self, mut work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        let mut told = pin!(self.hard.told.notified());
        let mut armed = false;
        poll_fn(move |cx| {
            if !std::mem::replace(&mut armed, true) {
                // What it says is read from the flag.
                let _ = told.as_mut().poll(cx);
            }
            if self.is_hard() {
                return Poll::Ready(None);
            }
            work.as_mut().poll(cx).map(Some)
        })
        .await
    }

    /// A place among those who are woken when the soft step begins.
    pub(super) fn listen(&self) -> Listener<'_> {
        Listener(Box::pin(self.soft.told.notified()))
    }
}

/// Wakes its task when the soft step begins.
pub(super) struct Listener<'s>(Pin<Box<Notified<'s>>>);

impl Listener<'_> {
    /// Leaves the task's waker. To be done once, before the flag is read for the first time: a task keeps its waker.
    pub(super) fn arm(&mut self, cx: &mut Context<'_>) {
        // What it says is read from the flag.
        let _ = self.0.as_mut().poll(cx);
    }
}
