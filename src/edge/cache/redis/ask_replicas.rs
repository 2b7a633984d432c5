//! Asking the other replicas for what the store has lost.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::read::Found;
use super::settle::SETTLES;
use super::tail::Tail;
use super::{Shared, codec, keys};
use crate::engine::ports::result_cache::StoreError;

/// How long a replica that holds a part of what the store has lost waits for one that holds more, and how often it looks.
const OTHERS_FIRST: Duration = Duration::from_secs(1);
/// The same where the store has nothing of a session any more: who holds nothing goes on after `SETTLES`, and would begin it anew.
const WHOLE_FIRST: Duration = Duration::from_millis(500);
const LOOKS: u32 = 10;

const _: () = assert!(
    2 * WHOLE_FIRST.as_millis() < SETTLES.as_millis(),
    "who holds the end of a session is back, after its line was up half a second later, before others go on"
);

impl Shared {
    /// Has whoever follows a session look at it.
    pub(super) async fn call_others(&self, tail: &Tail) -> Result<(), StoreError> {
        let mut command = redis::cmd("PUBLISH");
        self.link.run(command.arg(&tail.keys.channel).arg(codec::moved())).await.map(drop)
    }

    /// Waits until others have put back what they hold of a session.
    pub(super) async fn others_first(
        &self,
        tail: &Tail,
        is_back: impl Fn(&Found) -> bool,
    ) -> Result<Found, StoreError> {
        self.others_within(OTHERS_FIRST, tail, is_back).await
    }

    /// The store has nothing of a session of which only the end is held here: waits for who holds all of it.
    pub(super) async fn whole_first(&self, tail: &Tail) -> Result<(), StoreError> {
        self.others_within(WHOLE_FIRST, tail, |found| found.meta.position().is_some()).await.map(drop)
    }

    async fn others_within(
        &self,
        wait: Duration,
        tail: &Tail,
        is_back: impl Fn(&Found) -> bool,
    ) -> Result<Found, StoreError> {
        let mut found = self.find(tail).await?;
        for _ in 0..LOOKS {
            if is_back(&found) {
                break;
            }
            tokio::time::sleep(wait / LOOKS).await;
            found = self.find(tail).await?;
        }
        Ok(found)
    }

    /// Redis let go of a session's place, and this replica holds nothing of it. Who has written to it holds it, and may not listen to its
    /// channel: all replicas are asked, and given time.
    pub(super) async fn ask_for_lost(&self, tail: &Tail) -> Result<(), StoreError> {
        self.tell_of_loss(tail).await?;
        self.others_first(tail, |found| !found.is_left_over()).await.map(drop)
    }

    /// The store knew nothing of what is held here, and no line was cut that would have told the others so. One of them may hold more, and
    /// what was put back here would be written on, and read, before it has noticed: all are told. Whether they were.
    pub(super) async fn tell_of_unnoticed_loss(self: &Arc<Self>, tail: &Tail) -> Result<bool, StoreError> {
        if self.settling.is_noticed() || !tail.asks_for_lost() || mutant!("loss-kept-to-oneself") {
            return Ok(false);
        }
        if let Err(why) = self.look_at_servers(Instant::now()).await {
            tracing::debug!(why, "whether a server was emptied isn't known");
        }
        self.tell_of_loss(tail).await.map(|()| true)
    }

    /// `ask_for_lost` without waiting, where what is left is enough to go on with.
    pub(super) async fn tell_of_loss(&self, tail: &Tail) -> Result<(), StoreError> {
        let session = &tail.key.session;
        tracing::warn!(%session, "Redis has lost keys of a session: the other replicas are asked what they hold");
        let mut asked = redis::cmd("PUBLISH");
        self.link.run(asked.arg(keys::LOST).arg(keys::name(&tail.key))).await.map(drop)
    }

    /// Has all replicas look whether the servers have lost something.
    pub(super) async fn tell_of_emptied(&self) -> Result<(), StoreError> {
        let mut told = redis::cmd("PUBLISH");
        self.link.run(told.arg(keys::LOST).arg(keys::EVERYTHING)).await.map(drop)
    }

    /// Who has just started has met no other server, and can't tell whether this one has lost something a moment ago: asks those who can.
    /// Where the store is simulated, nobody is asked.
    pub(super) async fn ask_as_newcomer(&self) {
        if self.link.is_simulated() {
            return;
        }
        let mut asked = redis::cmd("PUBLISH");
        asked.arg(keys::LOST).arg(format!("{}{}", keys::NEWCOMER, self.replica));
        if let Err(error) = self.link.run(&asked).await {
            tracing::debug!(%error, "the other replicas weren't asked whether Redis has lost something");
        }
    }

    /// Whoever was there before has a new line as well, and knows it; who has just started doesn't.
    pub(super) async fn tell_newcomers(&self) {
        if let Err(error) = self.tell_of_emptied().await {
            tracing::debug!(%error, "who has just started wasn't told that Redis has lost something");
        }
    }

    /// What is told of losses: of everything, of a session, or by one who asks.
    pub(super) fn hear_of_loss(self: &Arc<Self>, told: &str) {
        if told == keys::EVERYTHING {
            self.settling.hear_of_loss();
            return self.look_later();
        }
        if let Some(newcomer) = told.strip_prefix(keys::NEWCOMER) {
            if newcomer != self.replica {
                self.answer_newcomer();
            }
            return;
        }
        if let Some(tail) = keys::named(told).and_then(|key| self.tails.get(&key).map(|tail| tail.clone())) {
            self.sync_as_called(&tail);
        }
    }

    /// Looks, as nobody may have since the store was emptied; that tells of what it finds. What was found a moment ago is told again.
    fn answer_newcomer(self: &Arc<Self>) {
        let (shared, asked, losses) = (self.clone(), Instant::now(), self.settling.losses());
        tokio::spawn(async move {
            if let Err(why) = shared.look_at_servers(asked).await {
                tracing::debug!(why, "whether a server was emptied isn't known");
            }
            if losses == shared.settling.losses() && shared.settling.may_lack() {
                shared.tell_newcomers().await;
            }
        });
    }
}
