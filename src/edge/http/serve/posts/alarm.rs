//! When to stop waiting for a caller's next request: it took too long, or the service stops.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

use crate::edge::http::serve::stopping::Stopping;

/// One timer for all requests of a connection: it is moved when it goes off too early, not with each request.
pub(super) struct Alarm<'s> {
    stopping: &'s Stopping,
    patience: Duration,
    /// When the wait that is under way began, or a moment before.
    since: Instant,
    timer: Pin<Box<Sleep>>,
    is_set: bool,
}

impl<'s> Alarm<'s> {
    pub(super) fn new(stopping: &'s Stopping, patience: Duration) -> Self {
        let since = Instant::now();
        let timer = Box::pin(sleep_until(since + patience));
        Self { stopping, patience, since, timer, is_set: false }
    }

    /// Something came then.
    pub(super) fn put_off(&mut self, to: Instant) {
        self.since = to;
    }

    /// Ready when there is nothing to wait for any more. Whoever polls this is woken when the service stops.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.stopping.is_soft() {
            return Poll::Ready(());
        }
        // A task keeps its waker, so a timer that is set needs no look until it has gone off.
        if self.is_set && !self.timer.is_elapsed() {
            return Poll::Pending;
        }
        self.is_set = true;
        while self.timer.as_mut().poll(cx).is_ready() {
            let due = self.since + self.patience;
            if Instant::now() >= due {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(due);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn alarm_goes_off_so_long_after_what_came_last() {
        let stopping = Stopping::default();
        let begin = Instant::now();
        let mut alarm = Alarm::new(&stopping, PATIENCE);
        let set = poll_fn(|cx| Poll::Ready(alarm.poll(cx))).await;
        assert!(set.is_pending());
        let came = begin + Duration::from_secs(7);
        alarm.put_off(came);
        poll_fn(|cx| alarm.poll(cx)).await;
        assert_eq!(Instant::now(), came + PATIENCE);
    }

    #[tokio::test(start_paused = true)]
    async fn service_that_stops_ends_the_wait_at_once() {
        let stopping = Stopping::default();
        let begin = Instant::now();
        let mut alarm = Alarm::new(&stopping, PATIENCE);
        let (mut listener, mut armed) = (stopping.listen(), false);
        let waiting = poll_fn(|cx| {
            if !std::mem::replace(&mut armed, true) {
                listener.arm(cx);
            }
            alarm.poll(cx)
        });
        let stop = async {
            tokio::task::yield_now().await;
            stopping.begin_soft();
        };
        tokio::join!(waiting, stop);
        assert_eq!(Instant::now(), begin);
    }
}
