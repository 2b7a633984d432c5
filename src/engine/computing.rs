//! Long computations: on threads where they keep nobody from waiting, a bounded number at once, and no longer than somebody
//! waits for them.
//!
//! Small ones have places of their own, so that none stands behind those of large texts. Of these no more run than there
//! are processors, and no more wait than [`WAITING_BYTES_MAX`] allows those who can be told to come back.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;

use crate::domain::text::tokens;
use crate::domain::wanted::{Waiting, unless_gone};

/// What is made of so few bytes is made at once, without another thread.
const AT_ONCE_BYTES: usize = 32 * 1024;
/// From so many bytes on a computation is a large one.
const LARGE_BYTES: usize = 256 * 1024;
/// Bytes of large computations that wait for a place, beyond which another isn't taken in: some minutes of work.
const WAITING_BYTES_MAX: usize = 128 << 20;
/// Small computations at once, for each processor. Each holds its texts, words and pairs; hundreds at once would be no
/// sooner done, on as many threads, each with memory of its own.
const SMALL_PER_PROCESSOR: usize = 2;

/// There are too many large computations already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// The places of computations. They are asked for in turn, and none waits for another.
struct Places {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
    /// Bytes of the large ones that wait.
    waiting: AtomicUsize,
}

static PLACES: LazyLock<Places> =
    LazyLock::new(|| Places::new(std::thread::available_parallelism().map_or(1, usize::from)));

/// Counts among those that wait while it is there.
struct Queued<'p>(&'p Places, usize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(self.1, Ordering::Relaxed);
    }
}

impl Places {
    fn new(processors: usize) -> Self {
        Self {
            small: Arc::new(Semaphore::new(processors * SMALL_PER_PROCESSOR)),
            large: Arc::new(Semaphore::new(processors)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// A place for a computation over so many bytes.
    async fn take(&self, bytes: usize, waiting_max: usize) -> Result<OwnedSemaphorePermit, Full> {
        let places = if bytes < LARGE_BYTES { &self.small } else { &self.large };
        if let Ok(place) = places.clone().try_acquire_owned() {
            return Ok(place);
        }
        let counted = if bytes < LARGE_BYTES { 0 } else { bytes };
        let before = self.waiting.fetch_add(counted, Ordering::Relaxed);
        let _queued = Queued(self, counted);
        if before > waiting_max {
            return Err(Full);
        }
        Ok(places.clone().acquire_owned().await.expect("the places are never closed"))
    }

    async fn run<T: Send + 'static>(
        &self,
        (bytes, waiting_max): (usize, usize),
        compute: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Full> {
        let place = self.take(bytes, waiting_max).await?;
        let waiting = Waiting::default();
        let gone = waiting.gone();
        // Dropped while it computes, it has its place until that is over, at the next place that asks.
        let compute = move || {
            let _place = place;
            unless_gone(gone, compute)
        };
        match task::spawn_blocking(compute).await {
            Ok(value) => Ok(value),
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }
}

/// Computes on a thread where it keeps nobody from waiting, once there is a place for a small computation. Dropping the
/// future ends it.
///
/// # Panics
/// Where the computation does.
pub async fn off_thread<T: Send + 'static>(compute: impl FnOnce() -> T + Send + 'static) -> T {
    off_thread_of(0, compute).await
}

/// The same of so many bytes of texts.
///
/// # Panics
/// Where the computation does.
pub async fn off_thread_of<T: Send + 'static>(
    bytes: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> T {
    PLACES.run((bytes, usize::MAX), compute).await.expect("as many as there are may wait")
}

/// The same for one who can be told to come back later.
///
/// # Errors
/// Where too much of large computations waits already.
///
/// # Panics
/// Where the computation does.
pub async fn unless_full<T: Send + 'static>(
    bytes: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Full> {
    PLACES.run((bytes, WAITING_BYTES_MAX), compute).await
}

/// Computes at once what is small, and the rest on another thread. So is the first of the process, which reads the vocabulary:
/// that takes many times as long as what is made with it, and would keep all from waiting that the thread serves.
pub(super) async fn compute<T: Send + 'static>(
    bytes: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> T {
    if bytes <= AT_ONCE_BYTES && tokens::is_read() { compute() } else { off_thread_of(bytes, compute).await }
}

/// Reads the vocabulary beforehand, where that keeps nobody from waiting. The process does it once.
pub(super) fn read_ahead() {
    static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
    if !HAS_BEGUN.swap(true, Ordering::Relaxed) {
        // Nobody waits for it, and it ends by itself: who needs it before waits for it there.
        drop(task::spawn_blocking(tokens::read));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use futures::future::join;
    use tokio::time::timeout;

    use super::*;
    use crate::domain::text::tokens::Tokenizer;
    use crate::domain::wanted::still_wanted;

    const LONG: Duration = Duration::from_secs(30);

    /// In a process of its own, as each test has, nothing was counted before.
    #[tokio::test]
    async fn who_reads_the_vocabulary_does_so_where_it_keeps_nobody_from_waiting() {
        let here = std::thread::current().id();
        let was_read = tokens::is_read();
        let count = || (std::thread::current().id(), Tokenizer::o200k().count("counted"));
        let (first, _) = compute(0, count).await;
        assert_eq!(first == here, was_read);
        assert!(tokens::is_read());
        assert_eq!(compute(0, count).await.0, here, "what is small is made at once from then on");
    }

    /// One that computes until somebody says that it may end.
    fn held() -> (impl FnOnce() -> bool + Send, mpsc::Sender<()>) {
        let (end, ended) = mpsc::channel();
        (move || ended.recv_timeout(LONG).is_ok(), end)
    }

    #[tokio::test]
    async fn small_computations_do_not_stand_behind_large_ones_and_of_these_not_all_may_wait() {
        let places = Places::new(1);
        let (first, end) = held();
        let (second, end_second) = held();
        let large = |compute| places.run((LARGE_BYTES, LARGE_BYTES), compute);
        let told = async {
            let waits = LARGE_BYTES;
            while places.large.available_permits() > 0 || places.waiting.load(Ordering::Relaxed) < waits {
                tokio::task::yield_now().await;
            }
            assert_eq!(places.run((LARGE_BYTES - 1, 0), || 7).await, Ok(7), "small");
            // What waits is no more than is allowed, so one more may; then it is.
            let third = places.run((LARGE_BYTES, LARGE_BYTES), || true);
            let fourth = places.run((LARGE_BYTES, LARGE_BYTES), || true);
            let both = async {
                let (third, fourth) = join(third, fourth).await;
                assert_eq!((third, fourth), (Ok(true), Err(Full)));
            };
            end.send(()).unwrap();
            end_second.send(()).unwrap();
            both.await;
        };
        let work = async {
            let (first, (second, ())) =
                join(large(first), join(places.run((LARGE_BYTES, 0), second), told)).await;
            assert_eq!((first, second), (Ok(true), Ok(true)));
        };
        timeout(LONG, work).await.unwrap();
        assert_eq!(places.waiting.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn computation_ends_where_its_asker_has_gone_and_what_waits_never_begins() {
        let places = Places::new(1);
        let (begun, has_begun) = mpsc::channel();
        let endless = move || {
            begun.send(()).unwrap();
            loop {
                still_wanted();
                std::thread::yield_now();
            }
        };
        let mut first = Box::pin(places.run((LARGE_BYTES, usize::MAX), endless));
        let waiting = places.run((LARGE_BYTES, usize::MAX), || panic!("nobody waits for it"));
        assert!(timeout(Duration::from_millis(20), join(&mut first, waiting)).await.is_err());
        has_begun.recv_timeout(LONG).unwrap();
        drop(first);
        assert_eq!(timeout(LONG, places.run((LARGE_BYTES, usize::MAX), || 7)).await, Ok(Ok(7)));
    }
}
