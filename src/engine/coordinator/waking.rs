//! Taking over what another replica left behind.
//!
//! While a step runs, its next deadline stands in an index that all replicas look into. It is announced before the append
//! that brings an earlier deadline, no earlier than when the append had its time: who looked before would find nothing
//! due, and take it away. After the append it goes to its place. So a crash between the two leaves a wake-up that is some
//! seconds late, or one too many, never one too few. Whoever finds it due loads the session; what is due is judged from
//! its state.

use std::time::Duration;

use futures::stream::{self, StreamExt};

use super::task::SessionTask;
use super::{AggregationCoordinator, Reply, Submission, SubmitError};
use crate::domain::ids::SessionKey;
use crate::domain::session::{Command, commands_again};
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::{Lost, Presence, StoreError};
use crate::engine::ports::wake_index::{Claim, WakeIndex, Work};

/// An append that took longer may have been overtaken by who looked for what is due.
const LONG: Duration = Duration::from_millis(500);
/// Sessions that are woken at once.
const WOKEN_AT_ONCE: usize = 64;

impl AggregationCoordinator {
    /// Looks after the sessions of all replicas that have something due. To be called about once a second.
    ///
    /// # Errors
    /// Where the store doesn't answer: what was claimed comes again.
    pub async fn wake_due(&self) -> Result<(), StoreError> {
        if self.shared.is_draining() {
            // Whoever claims a wake-up must be able to follow it.
            return Ok(());
        }
        self.decide_lost_again().await;
        let Some(index) = &self.shared.wake_index else { return Ok(()) };
        let due = index.due(Work::Deadline).await?;
        let wake = async |claim: Claim| {
            if let Err(error) = self.wake(&**index, &claim).await {
                tracing::warn!(%error, session = %claim.key.session, "a session with something due was not loaded");
            }
        };
        stream::iter(due).for_each_concurrent(WOKEN_AT_ONCE, wake).await;
        Ok(())
    }

    /// Has what the store lost decided again as soon as that is noticed: until then its readers find nothing of it, and what comes
    /// meanwhile comes before it. Runs for as long as the service does; what fails is tried again by [`Self::wake_due`].
    pub async fn decide_what_is_lost(&self) {
        loop {
            self.shared.cache.loses().await;
            if self.shared.is_draining() {
                return;
            }
            self.decide_lost_again().await;
        }
    }

    /// What was stored and then lost by the store is decided again: whoever was told that it is stored was told so. One after the
    /// other: an event whose directive was lost before it would be of no step.
    async fn decide_lost_again(&self) {
        let mut undecided = self.shared.undecided.lock().await;
        let mut lost = std::mem::take(&mut *undecided);
        lost.extend(self.shared.cache.lost());
        for mut lost in lost {
            let mut commands = commands_again(&lost.entries);
            let starts = commands.iter().any(|command| matches!(command, Command::StartStep(_)));
            match self.is_over(&lost.key).await {
                // A directive from before that would open the session again.
                Ok(is_over) => lost.closes |= starts && is_over && !lost.was_over,
                Err(error) => {
                    undecided.push(waiting(lost, &error.into()));
                    continue;
                }
            }
            commands.extend(lost.closes.then_some(Command::Close));
            let submission = Submission { commands, idempotency: None, places: Vec::new() };
            let session = &lost.key.session;
            match self.submit(&lost.key, submission).await {
                Ok(Reply { answers, stopped: None, .. }) => {
                    let refused = answers.iter().filter(|answer| answer.is_err()).count();
                    tracing::warn!(%session, commands = answers.len(), refused, "lost commands were decided again");
                }
                Ok(Reply { stopped: Some(error), .. }) | Err(error) => undecided.push(waiting(lost, &error)),
            }
        }
    }

    async fn is_over(&self, key: &SessionKey) -> Result<bool, StoreError> {
        let loaded = self.shared.cache.load(key).await?;
        Ok(matches!(loaded.presence, Presence::Live(state) if state.expects_no_step()))
    }

    async fn wake(&self, index: &dyn WakeIndex, claim: &Claim) -> Result<(), StoreError> {
        let Claim { key, until } = claim;
        let loaded = self.shared.cache.load(key).await?;
        self.shared.clock.observe(loaded.now);
        let deadline = match &loaded.presence {
            Presence::Live(state) => state.next_wake(),
            Presence::Unknown | Presence::Expired(_) | Presence::Archived(_) => None,
        };
        let later = match deadline {
            // A task that runs here may know less than the store: a command makes it look. The claim stands until it
            // has, should this replica die before.
            Some(due) if due <= loaded.now => {
                match self.submit(key, Submission::one(Command::Deadlines, None)).await {
                    Ok(reply) => reply.state.next_wake(),
                    // Not decided here: somebody else may, at once.
                    Err(_) => Some(loaded.now),
                }
            }
            later => later,
        };
        index.move_wake(key, Work::Deadline, *until, later).await.map(drop)
    }
}

/// What couldn't be decided again is tried later.
fn waiting(lost: Lost, error: &SubmitError) -> Lost {
    tracing::warn!(%error, session = %lost.key.session, "lost commands wait to be decided again");
    lost
}

impl SessionTask {
    /// Before an append that brings an earlier deadline than stands in the index.
    pub(super) async fn announce(&mut self, next: Option<Timestamp>) -> Result<(), StoreError> {
        let (Some(index), Some(next)) = (&self.shared.wake_index, next) else { return Ok(()) };
        if self.announced.is_none_or(|known| next < known) && !mutant!("deadline-not-announced") {
            self.announced = Some(index.announce(&self.key, Work::Deadline, next).await?);
        }
        Ok(())
    }

    /// After the append, which `took` so long: the wake-up goes to where the session is due now. That it fails does no harm, a
    /// wake-up too early finds nothing due. Where somebody has moved it, who may not have known of the append, it is said anew.
    pub(super) async fn announce_later(&mut self, next: Option<Timestamp>, took: Duration) {
        let (Some(index), Some(known)) = (&self.shared.wake_index, self.announced) else { return };
        if next == Some(known) && took < LONG {
            return;
        }
        let moved = match next == Some(known) {
            true => Ok(false),
            false => index.move_wake(&self.key, Work::Deadline, known, next).await,
        };
        let announced = match (moved, next) {
            (Ok(false), Some(next)) => index.wake_by(&self.key, Work::Deadline, next).await.map(Some),
            (Ok(_), next) => Ok(next),
            (Err(error), _) => Err(error),
        };
        self.announced = announced.unwrap_or_else(|error| {
            tracing::debug!(%error, session = %self.key.session, "a wake-up was not moved");
            None
        });
    }
}
