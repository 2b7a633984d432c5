//! From a signal to the end of the process.
//!
//! The first SIGTERM or SIGINT begins a soft shutdown: what runs finishes, what is new is refused. The hard shutdown follows
//! when the drain window is over or at the second signal: what still runs is dropped. Whoever starts tasks waits for them:
//! `serve` for connections, the engine for its sessions, [`crate::bootstrap::Running::run_until`] for both, `main` for
//! that; the task that listens for signals is the only one nobody waits for.

use std::io;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// The two steps of stopping, to be cloned to whoever must know.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    /// Finish what runs, refuse what is new.
    pub soft: CancellationToken,
    /// Drop what still runs. Never before `soft`.
    pub hard: CancellationToken,
}

impl Shutdown {
    /// A shutdown that only the caller begins.
    pub fn new() -> Self {
        Self::default()
    }

    /// A shutdown that signals begin. Needs a tokio runtime.
    pub fn on_signals(drain_window: Duration) -> io::Result<Self> {
        let mut signals =
            Signals { term: signal(SignalKind::terminate())?, int: signal(SignalKind::interrupt())? };
        let shutdown = Self::new();
        let begun = shutdown.clone();
        tokio::spawn(async move {
            let name = signals.next().await;
            tracing::info!(signal = name, drain_window_ms = drain_window.as_millis() as u64, "stopping");
            begun.drain(drain_window, async { signals.next().await }).await;
        });
        Ok(shutdown)
    }

    /// Begins the soft shutdown; the hard one follows after `drain_window`, or at `impatience`.
    async fn drain<T>(&self, drain_window: Duration, impatience: impl Future<Output = T>) {
        self.soft.cancel();
        tokio::select! {
            () = sleep(drain_window) => tracing::warn!("the drain window is over, dropping what still runs"),
            _ = impatience => tracing::warn!("second signal, dropping what still runs"),
        }
        self.stop_now();
    }

    /// Begins both steps at once.
    pub fn stop_now(&self) {
        self.soft.cancel();
        self.hard.cancel();
    }
}

struct Signals {
    term: Signal,
    int: Signal,
}

impl Signals {
    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.term.recv() => "SIGTERM",
            _ = self.int.recv() => "SIGINT",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn hard_follows_soft_after_the_window() {
        let (shutdown, begin) = (Shutdown::new(), Instant::now());
        let draining = tokio::spawn({
            let shutdown = shutdown.clone();
            async move { shutdown.drain(Duration::from_secs(10), pending::<()>()).await }
        });
        shutdown.soft.cancelled().await;
        assert!(begin.elapsed().is_zero() && !shutdown.hard.is_cancelled());
        shutdown.hard.cancelled().await;
        assert_eq!(begin.elapsed().as_secs(), 10);
        draining.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn hard_follows_the_second_signal_at_once() {
        let (shutdown, begin) = (Shutdown::new(), Instant::now());
        shutdown.drain(Duration::from_secs(10), ready(())).await;
        assert!(shutdown.soft.is_cancelled() && shutdown.hard.is_cancelled() && begin.elapsed().is_zero());
    }
}
