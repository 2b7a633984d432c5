//! Places for who is answered though all connections are taken.
//!
//! There are few, and each for a moment. Who says nothing would hold one for nothing: where all are taken, whoever has had
//! one for longest gives way to who comes next. So silent callers, however many, don't keep a probe from its answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{Instant, timeout};

/// Connections beyond `connections_max` that are answered at once; further ones are closed unanswered.
pub(super) const RESERVE: usize = 64;
/// How long a connection of the reserve may take, or a stranger who is slow would hold it.
pub(super) const RESERVE_TIME: Duration = Duration::from_secs(3);
/// What each has of that in any case: enough for one request and its answer, where many come at once.
const LEAST_TIME: Duration = Duration::from_millis(100);

/// The places, and who has them: since when, the oldest first.
pub(super) struct Reserve {
    places: Arc<Semaphore>,
    taken: VecDeque<(Instant, AbortHandle)>,
}

impl Default for Reserve {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(RESERVE)), taken: VecDeque::new() }
    }
}

impl Reserve {
    /// A place, if need be that of who has had one for longest; `None` where none has had its time yet.
    pub(super) async fn place(&mut self) -> Option<OwnedSemaphorePermit> {
        self.taken.retain(|(_, task)| !task.is_finished());
        if self.taken.len() >= RESERVE {
            let (_, oldest) = self.taken.pop_front_if(|(since, _)| since.elapsed() >= LEAST_TIME)?;
            oldest.abort();
        }
        // Free, or about to be: who was told to go has it until its task is dropped.
        self.places.clone().acquire_owned().await.ok()
    }

    /// Who has the place that was given last.
    pub(super) fn taken_by<T>(&mut self, task: &JoinHandle<T>) {
        self.taken.push_back((Instant::now(), task.abort_handle()));
    }
}

/// Ends with its time.
pub(super) async fn bounded(answer: impl Future<Output = ()>) {
    // Whoever was too slow has gone without an answer.
    let _ = timeout(RESERVE_TIME, answer).await;
}
