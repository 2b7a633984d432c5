//! Where a session's requests are decided: in its own task, or, while the session rests, by whoever brings one.
//!
//! Waking a task, queueing it and coming back from it costs as much as deciding an ordinary event. So the future of a session
//! isn't its task's own: it lies under a lock, and a sender that finds it at rest hands its request over and polls it there
//! and then, with the task's waker. What can't be finished so (a store that takes its time, a timer) wakes the task as
//! ever. Whoever finds the session at work, or others before him, queues in its inbox.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::left::LeftCalls;
use super::submission::Request;

/// How a session is reached. Whoever holds it holds the session in memory.
pub(super) struct Seat {
    /// Where requests queue.
    pub(super) inbox: mpsc::Sender<Request>,
    hand: Arc<Hand>,
    work: Arc<Mutex<Work>>,
}

impl Seat {
    /// A seat whose session is yet to come.
    pub(super) fn new(inbox: mpsc::Sender<Request>) -> Self {
        Self { inbox, hand: Arc::default(), work: Arc::default() }
    }

    /// Where the session finds what is handed to it.
    pub(super) fn hand(&self) -> Arc<Hand> {
        self.hand.clone()
    }

    /// Gives the session its work. What comes back is its task.
    pub(super) fn occupy(&self, work: impl Future<Output = ()> + Send + 'static) -> Task {
        self.work.lock().future = Some(Box::pin(work));
        Task(self.work.clone())
    }

    /// Has a request decided here and now, as far as that goes without waiting. `Err` gives it back: the session is at work,
    /// or others came before.
    pub(super) fn decide(&self, request: Request) -> Result<(), Request> {
        let Some(mut work) = self.work.try_lock() else { return Err(request) };
        let Some(waker) = work.waker.clone() else { return Err(request) };
        if self.inbox.capacity() < self.inbox.max_capacity() {
            return Err(request);
        }
        self.hand.offer(request)?;
        // A panic has spoken for itself; its request gets no reply, which its sender is told.
        let polled = catch_unwind(AssertUnwindSafe(|| work.poll(&mut Context::from_waker(&waker))));
        if !matches!(polled, Ok(Poll::Pending)) {
            waker.wake();
        }
        Ok(())
    }
}

/// The future of a session, and whom it wakes.
#[derive(Default)]
struct Work {
    /// `None`: it is over.
    future: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    /// The task's; `None` until that has begun.
    waker: Option<Waker>,
}

impl Work {
    /// Goes on. What ends, or panics, isn't polled again.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(mut future) = self.future.take() else { return Poll::Ready(()) };
        let polled = future.as_mut().poll(cx);
        if polled.is_pending() {
            self.future = Some(future);
        }
        polled
    }
}

/// The task of a session: goes on when it is woken, and ends with the work. Where it is dropped the work goes with it.
pub(super) struct Task(Arc<Mutex<Work>>);

impl Future for Task {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        // Held by somebody who polls: for as long as a decision takes.
        let mut work = self.0.lock();
        if !work.waker.as_ref().is_some_and(|known| known.will_wake(cx.waker())) {
            work.waker = Some(cx.waker().clone());
        }
        work.poll(cx)
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let work = std::mem::take(&mut *self.0.lock());
        // Not under the lock: it holds much that ends with it.
        drop(work);
    }
}

/// Comes back in the session's own task: whoever polls it may be a sender that has its reply, and the rest isn't his.
pub(super) async fn leave_to_task() {
    let mut left = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut left, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// What is handed to a session past its inbox, and what it leaves. Only who polls the session looks at the former, under the
/// lock of its work.
#[derive(Default)]
pub(super) struct Hand {
    handed: Mutex<Handed>,
    /// The calls that ended with the session's log.
    pub(super) left: LeftCalls,
}

#[derive(Default)]
enum Handed {
    /// The session is at work.
    #[default]
    Busy,
    /// It waits for somebody to speak.
    Open,
    /// Somebody has.
    Full(Request),
}

impl Hand {
    fn offer(&self, request: Request) -> Result<(), Request> {
        let mut handed = self.handed.lock();
        if !matches!(*handed, Handed::Open) {
            return Err(request);
        }
        *handed = Handed::Full(request);
        Ok(())
    }

    /// Takes what was handed over. From here on nothing is, until [`Hand::open`].
    pub(super) fn take(&self) -> Option<Request> {
        match std::mem::take(&mut *self.handed.lock()) {
            Handed::Full(request) => Some(request),
            Handed::Busy | Handed::Open => None,
        }
    }

    /// The session rests: whoever comes may hand it something.
    pub(super) fn open(&self) {
        *self.handed.lock() = Handed::Open;
    }
}

#[cfg(test)]
mod tests;
