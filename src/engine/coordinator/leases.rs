//! Keeping calls while a session computes.
//!
//! A call belongs to this replica until some time, which the log says, and is renewed by an append. While a large step's result is
//! made the session decides nothing: without a renewal in between, others would take its calls over, and ask agents that are
//! being asked. The renewal is an append of its own, ahead of what is being decided: that is decided once more on top of it,
//! which costs nothing, as what took so long is kept.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::commit::Stored;
use super::task::SessionTask;
use crate::domain::position::AppendId;
use crate::domain::session::{Batch, Command};
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::Append;
use crate::engine::telemetry::Origin;

/// A store that didn't take a renewal is asked again after this.
const AGAIN: Duration = Duration::from_millis(250);

/// What came of a computation.
pub(super) enum Renewing<T> {
    Done(T),
    /// The log has moved by renewals, and by nothing else.
    DoneRenewed(T),
    /// Another replica wrote, so it was given up.
    Overtaken,
}

impl SessionTask {
    /// Waits for a computation about a batch that is decided as of `now`, and renews this replica's calls meanwhile.
    pub(super) async fn while_renewed<T>(
        &mut self,
        computing: impl Future<Output = T>,
        now: Timestamp,
    ) -> Renewing<T> {
        let mut computing = pin!(computing);
        let (mut is_renewed, mut rest_until) = (false, Instant::now());
        loop {
            let due = self.renewal().map(|at| self.shared.clock.instant_of(at).max(rest_until));
            tokio::select! {
                biased;
                value = &mut computing => {
                    return if is_renewed { Renewing::DoneRenewed(value) } else { Renewing::Done(value) };
                }
                () = sleep_until(due.unwrap_or(rest_until)), if due.is_some() => {}
            }
            match self.renew(now).await {
                Stored::Yes => is_renewed = true,
                Stored::Again | Stored::Lost => return Renewing::Overtaken,
                Stored::No(error) => {
                    tracing::debug!(%error, session = %self.key.session, "calls were not renewed while a result is made");
                    rest_until = Instant::now() + AGAIN;
                }
            }
        }
    }

    /// Renews them in an append of their own. It is stamped with the time of what is being decided, which comes after it.
    async fn renew(&mut self, now: Timestamp) -> Stored {
        let begun = Instant::now();
        let invoker = self.shared.invoker.as_ref();
        let Some((replica, lease_ms)) =
            invoker.and_then(|invoker| Some((invoker.replica(), invoker.lease_ms()?)))
        else {
            return Stored::Yes;
        };
        let lease_ms = lease_ms + self.shared.clock.at(begun).since_ms(now);
        let shared = self.shared.clone();
        let append_id = AppendId(fastrand::u64(..));
        let mut batch = Batch::new(&self.state, &shared.settings.limits, now, append_id);
        // Renewing is never refused.
        let _ = batch.decide(&Command::RenewCalls { replica, lease_ms });
        let only_ends = batch.only_ends();
        let (entries, state) = batch.into_parts();
        let (key, expected, state) = (self.key.clone(), self.state.position, Arc::new(state));
        let origin = Origin::unknown();
        let append = Append { key, expected, append_id, entries, state, only_ends, origin };
        let stored = self.store(&append, begun).await;
        if matches!(stored, Stored::Yes) {
            let before = std::mem::replace(&mut self.state, append.state.clone());
            self.tell(&before, &append, &[]);
        }
        stored
    }
}
