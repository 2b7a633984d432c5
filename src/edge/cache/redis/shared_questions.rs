//! What many ask of one session at once is asked of the store once: a storm of readers whose cursors are of another epoch would
//! otherwise have it send the same snapshot to each, and nobody else would get through.
//!
//! Who comes while a question is under way doesn't share its answer, which may be older than what he was told elsewhere: all who
//! wait meanwhile share the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::Shared;
use crate::domain::ids::SessionKey;
use crate::engine::mux::LogWindow;
use crate::engine::ports::result_cache::{Loaded, Snapshot, StoreError};

/// How far apart questions begin at least where somebody waits for his turn: of a storm that takes a second to come in, few begin one.
const APART: Duration = Duration::from_millis(10);

/// What readers ask of a session.
#[derive(Debug, Default)]
pub(super) struct SharedQuestions {
    refresh: Shareable<Result<Arc<LogWindow>, StoreError>>,
    load: Shareable<Result<Loaded, StoreError>>,
    snapshot: Shareable<Result<Option<Snapshot>, StoreError>>,
}

impl Shared {
    /// [`Shared::refresh`], with all who wait for it.
    pub(super) async fn refresh_together(
        self: &Arc<Self>,
        key: &SessionKey,
    ) -> Result<Arc<LogWindow>, StoreError> {
        let tail = self.tail(key);
        tail.touch();
        tail.asked.refresh.ask(|| self.refresh(key)).await
    }

    /// [`Shared::load`], with all who wait for it.
    pub(super) async fn load_together(self: &Arc<Self>, key: &SessionKey) -> Result<Loaded, StoreError> {
        self.tail(key).asked.load.ask(|| self.load(key)).await
    }

    /// [`Shared::snapshot`], with all who wait for it.
    pub(super) async fn snapshot_together(&self, key: &SessionKey) -> Result<Option<Snapshot>, StoreError> {
        self.tail(key).asked.snapshot.ask(|| self.snapshot(key)).await
    }
}

/// A question whose answer is shared.
#[derive(Debug)]
struct Shareable<T> {
    /// Who has the turn asks; the others wait for it, in the order in which they came.
    turn: Mutex<Last<T>>,
    /// Questions that have begun.
    begun: AtomicU64,
    /// Who is here, asking or waiting.
    here: AtomicUsize,
}

#[derive(Debug)]
struct Last<T> {
    begun_at: Option<Instant>,
    /// With the number of its question; only while somebody waits who may want it.
    answer: Option<(u64, T)>,
}

impl<T> Default for Shareable<T> {
    fn default() -> Self {
        let turn = Mutex::new(Last { begun_at: None, answer: None });
        Self { turn, begun: AtomicU64::new(0), here: AtomicUsize::new(0) }
    }
}

impl<T: Clone> Shareable<T> {
    /// The answer to a question that began after this call did, whoever asked it. Who is dropped while he asks leaves that to the next.
    async fn ask<F: Future<Output = T>>(&self, question: impl FnOnce() -> F) -> T {
        let begun_before = self.begun.load(Ordering::SeqCst);
        let _here = Here::new(self);
        let (mut last, has_waited) = match self.turn.try_lock() {
            Ok(last) => (last, false),
            Err(_) => (self.turn.lock().await, true),
        };
        if let Some((_, answer)) = last.answer.as_ref().filter(|(number, _)| *number > begun_before) {
            return answer.clone();
        }
        if let Some(at) = last.begun_at.filter(|_| has_waited) {
            sleep_until(at + APART).await;
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        last.begun_at = Some(Instant::now());
        let answer = question().await;
        let is_alone = self.here.load(Ordering::SeqCst) == 1;
        last.answer = (!is_alone).then(|| (number, answer.clone()));
        answer
    }
}

/// Somebody who asks. The last to go takes the answer away: a snapshot is large, and nobody is left who may have it.
struct Here<'a, T>(&'a Shareable<T>);

impl<'a, T> Here<'a, T> {
    fn new(asked: &'a Shareable<T>) -> Self {
        asked.here.fetch_add(1, Ordering::SeqCst);
        Self(asked)
    }
}

impl<T> Drop for Here<'_, T> {
    fn drop(&mut self) {
        let is_last = self.0.here.fetch_sub(1, Ordering::SeqCst) == 1;
        if let Some(mut last) = is_last.then(|| self.0.turn.try_lock().ok()).flatten() {
            last.answer = None;
        }
    }
}

#[cfg(test)]
mod tests;
