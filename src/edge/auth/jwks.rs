//! The key set that is in use, kept up to date.
//!
//! Three things lead to a look at the source: the rhythm of [`Jwks::refresh_forever`], a token when there are no keys yet,
//! and a token that names a key that isn't in the set. The last two at most once in a pause, and all who wait at that time
//! wait for the same look, so tokens can't make the service fetch more. A look that fails leaves the keys as they are; when
//! nothing was had for too long they are used no more.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::error::AuthError;
use super::jwks_source::{FileState, Looked, Source};
use super::key_set::KeySet;
use super::settings::{AuthSettingsError, JwksSettings};

/// A look that is under way. It goes on with whoever of its waiters is still there, or with the next one who comes in time;
/// were it a part of one request, one that breaks off would take it from all others.
type Flight = Shared<BoxFuture<'static, ()>>;

/// The keys of JWTs that others sign.
pub(super) struct Jwks {
    inner: Arc<Inner>,
    flight: Mutex<Option<Flight>>,
    refresh: Duration,
}

struct Inner {
    source: Source,
    stale: Duration,
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    keys: Arc<KeySet>,
    /// When they were had last, or known to be as they are.
    had: Option<Instant>,
    looked: Option<Instant>,
    file: Option<FileState>,
    /// Why the last look failed; it is told in the log when it begins and when it ends.
    failure: Option<String>,
}

impl Jwks {
    pub(super) fn new(settings: &JwksSettings) -> Result<Self, AuthSettingsError> {
        let (source, state) = (Source::new(settings)?, Mutex::default());
        let inner = Arc::new(Inner { source, stale: settings.stale, pause: settings.pause, state });
        Ok(Self { inner, flight: Mutex::default(), refresh: settings.refresh })
    }

    /// The keys, among which is the one with that id where there is such a one.
    pub(super) async fn keys(&self, id: Option<&str>) -> Result<Arc<KeySet>, AuthError> {
        let has_it = |keys: &KeySet| id.is_none_or(|id| keys.has(id));
        if let Some(keys) = self.inner.current()
            && has_it(&keys)
        {
            return Ok(keys);
        }
        if let Some(flight) = self.flight(Some(self.inner.pause)) {
            flight.await;
        }
        self.inner.current().ok_or(AuthError::NoKeys)
    }

    /// Looks at the source now, or waits for the look that is under way. Whether the last look went well.
    pub(super) async fn refresh(&self) -> bool {
        if let Some(flight) = self.flight(None) {
            flight.await;
        }
        self.failure().is_none()
    }

    /// Why the last look failed, where it did.
    pub(super) fn failure(&self) -> Option<String> {
        self.inner.state.lock().failure.clone()
    }

    /// Looks in the configured rhythm, at first at once; again after a pause where a look failed.
    pub(super) async fn refresh_forever(&self) {
        loop {
            let wait = if self.refresh().await { self.refresh } else { self.refresh.min(self.inner.pause) };
            tokio::time::sleep(wait).await;
        }
    }

    /// The look that is under way, or a new one, unless the last one began within the pause.
    fn flight(&self, pause: Option<Duration>) -> Option<Flight> {
        let mut flight = self.flight.lock();
        let is_running = |flight: &&Flight| flight.peek().is_none() && !self.inner.is_overdue();
        if let Some(running) = flight.as_ref().filter(is_running) {
            return Some(running.clone());
        }
        if !self.inner.may_look(pause) {
            return None;
        }
        let inner = self.inner.clone();
        let started = async move { inner.look().await }.boxed().shared();
        *flight = Some(started.clone());
        Some(started)
    }
}

impl Inner {
    fn current(&self) -> Option<Arc<KeySet>> {
        let state = self.state.lock();
        let is_fresh = state.had.is_some_and(|had| had.elapsed() <= self.stale);
        is_fresh.then(|| state.keys.clone())
    }

    fn is_overdue(&self) -> bool {
        let looked = self.state.lock().looked;
        looked.zip(self.source.overdue_after()).is_some_and(|(looked, after)| looked.elapsed() > after)
    }

    /// Says yes once in a pause, and notes it.
    fn may_look(&self, pause: Option<Duration>) -> bool {
        let mut state = self.state.lock();
        let is_soon = state.looked.zip(pause).is_some_and(|(looked, pause)| looked.elapsed() < pause);
        if !is_soon {
            state.looked = Some(Instant::now());
        }
        !is_soon
    }

    async fn look(&self) {
        let known = self.state.lock().file.clone();
        let looked = self.source.look(known).await;
        let mut state = self.state.lock();
        match looked.and_then(|looked| state.take(looked)) {
            Ok(()) => {
                state.had = Some(Instant::now());
                if state.failure.take().is_some() {
                    tracing::info!("the keys of tokens can be had again");
                }
            }
            Err(why) => {
                if state.failure.is_none() {
                    tracing::warn!(
                        why,
                        "the keys of tokens can't be had; those that are known are used for a while"
                    );
                }
                state.failure = Some(why);
            }
        }
    }
}

impl State {
    fn take(&mut self, looked: Looked) -> Result<(), String> {
        let Looked::Read(bytes, file) = looked else { return Ok(()) };
        let (keys, left_out) = KeySet::read(&bytes).map_err(|error| error.to_string())?;
        if !left_out.is_empty() {
            tracing::debug!(keys = keys.keys.len(), ?left_out, "keys of tokens were left out");
        }
        if keys.keys.is_empty() {
            tracing::warn!(?left_out, "the set of keys of tokens has none that can be used");
        }
        (self.keys, self.file) = (Arc::new(keys), file);
        Ok(())
    }
}
