//! Bringing a window to where the store stands: when it begins to be followed, when something was missed, and when a
//! look says that it differs.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Shared;
use super::descent::{Descent, descent};
use super::read::Found;
use super::tail::Tail;
use super::weigh::was_over;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Position, Sequence};
use crate::domain::session::SessionState;
use crate::engine::mux::LogWindow;
use crate::engine::ports::result_cache::{Presence, StoreError};

/// Entries that are read from the log at once.
pub(super) const PAGE: usize = 1_000;
/// How often a store that changes meanwhile is looked at again.
const ROUNDS: usize = 8;

/// How a window stands to the store.
enum Standing {
    /// It is as far.
    Same,
    /// The store has more, from this place on.
    Behind(Position),
    /// The store's log isn't its own, and it has nothing that the store lacks.
    Elsewhere,
    /// The store lacks what the window has.
    Ahead,
    /// The store left this epoch before what the window has: it went on without it.
    Left(Sequence),
    /// The store knows nothing of this epoch: it had lost it, and something else was begun.
    Foreign,
}

impl Shared {
    /// The session's window, kept up to date from now on.
    pub(super) async fn follow(self: &Arc<Self>, key: &SessionKey) -> Result<Arc<LogWindow>, StoreError> {
        let tail = self.tail(key);
        tail.touch();
        if !self.is_followed(&tail) {
            let _turn = tail.syncing.lock().await;
            if !self.is_followed(&tail) {
                let subscription = self.subscriptions.join(&tail).await?;
                self.catch_up(&tail, true).await?;
                tail.set_followed_in(subscription);
            }
        }
        Ok(tail.window.clone())
    }

    /// The session's window, as far as the store is now.
    pub(super) async fn refresh(self: &Arc<Self>, key: &SessionKey) -> Result<Arc<LogWindow>, StoreError> {
        let tail = self.tail(key);
        if self.is_followed(&tail) {
            tail.touch();
            self.sync(&tail).await?;
            return Ok(tail.window.clone());
        }
        self.follow(key).await
    }

    pub(super) fn is_followed(&self, tail: &Tail) -> bool {
        let current = self.subscriptions.current();
        current != 0 && tail.followed_in() == current
    }

    /// Brings a window up to date, one caller at a time.
    pub(super) async fn sync(self: &Arc<Self>, tail: &Tail) -> Result<(), StoreError> {
        let _turn = tail.syncing.lock().await;
        self.catch_up(tail, true).await
    }

    /// The same, in the background.
    pub(super) fn sync_later(self: &Arc<Self>, tail: &Arc<Tail>) {
        self.sync_behind(tail, true);
    }

    /// The same, because somebody called: whoever is to be called was called as well, and calls would go round for ever where nobody can put
    /// anything back.
    pub(super) fn sync_as_called(self: &Arc<Self>, tail: &Arc<Tail>) {
        self.sync_behind(tail, mutant!("called-calls-again"));
    }

    fn sync_behind(self: &Arc<Self>, tail: &Arc<Tail>, calls: bool) {
        if tail.sync_queued.swap(true, Ordering::AcqRel) {
            return;
        }
        let (shared, tail) = (self.clone(), tail.clone());
        tokio::spawn(async move {
            let _turn = tail.syncing.lock().await;
            // From here on what is heard of needs another look.
            tail.sync_queued.store(false, Ordering::Release);
            if let Err(error) = shared.catch_up(&tail, calls).await {
                tracing::debug!(%error, session = %tail.key.session, "a window could not be brought up to date");
            }
        });
    }

    /// `calls`: who holds more than this replica is called, where the store has lost it.
    async fn catch_up(self: &Arc<Self>, tail: &Tail, calls: bool) -> Result<(), StoreError> {
        let mut waited = false;
        for _ in 0..ROUNDS {
            // Taken before the store is asked: what is appended meanwhile isn't taken for something that it lost.
            let before = tail.window.tail().position;
            tail.look();
            let found = self.find(tail).await?;
            let presence = found.meta.presence(&tail.key.session, found.now, self.lifetime())?;
            match (presence, before) {
                (Presence::Unknown, None) if calls && found.is_left_over() && tail.asks_for_lost() => {
                    self.ask_for_lost(tail).await?;
                }
                (Presence::Unknown, None) => return Ok(()),
                (Presence::Unknown, Some(held)) if found.meta.is_forgotten(Some(held.epoch)) => {
                    tail.forget();
                    return Ok(());
                }
                (Presence::Unknown, Some(_)) if !waited && tail.lacks_from().is_some() => {
                    // Who holds all of it goes first: what is put back is all that can be read afterwards.
                    // What is due meanwhile is decided without what is held here, so no longer than that takes.
                    waited = true;
                    if calls {
                        self.call_others(tail).await?;
                    }
                    self.whole_first(tail).await?;
                }
                (Presence::Unknown, Some(held)) => {
                    if !self.restore_all(tail, held, found.now).await? {
                        return Ok(());
                    }
                    if calls && !waited && self.tell_of_unnoticed_loss(tail).await? {
                        waited = true;
                        self.others_first(tail, |found| found.meta.position() != Some(held)).await?;
                    }
                }
                (Presence::Expired(place), Some(held)) if self.lives_here(tail, held, place, found.now) => {
                    self.resolve_expiry(tail, &found, place).await?;
                }
                (Presence::Expired(position), _) => {
                    tail.expire(position, found.meta.is_ended(&tail.key.session));
                    return Ok(());
                }
                (Presence::Live(_), Some(held)) if !waited && would_leave(held, &found) => {
                    // What is held comes before what the log lacks, and would go: who holds what lies between goes first.
                    waited = true;
                    self.others_first(tail, |found| !would_leave(held, found)).await?;
                }
                (Presence::Live(state) | Presence::Archived(state), before) => {
                    tail.set_aside(found.meta.lacks(), found.oldest(), found.now);
                    if self.approach(tail, &found, &state, before).await? {
                        tail.came_from(state.position.epoch, found.meta.past());
                        tail.note_lack(found.meta.lacks());
                        if !tail.is_behind() {
                            let is_mended = self.put_held_in_front(tail, &found).await;
                            if calls && !is_mended && found.lost_log().is_some() && tail.asks_for_lost() {
                                self.tell_of_loss(tail).await?;
                            }
                            self.notice_overdue(tail, &Presence::Live(state), found.now).await;
                            return Ok(());
                        }
                    }
                }
            }
        }
        Err(StoreError::Unavailable("the session's log changes faster than it can be read".into()))
    }

    /// One step towards the store's place. `true` where the window is there.
    async fn approach(
        &self,
        tail: &Tail,
        found: &Found,
        state: &Arc<SessionState>,
        before: Option<Position>,
    ) -> Result<bool, StoreError> {
        let oldest = found.oldest();
        match standing(tail, before, found, state.position) {
            Standing::Same => Ok(tail.fill(&[], state, oldest)),
            Standing::Behind(place) if place.sequence.next() >= oldest => {
                let entries = self.entries_after(tail, place.sequence, state.position).await?;
                match entries.first() {
                    Some(first) if first.previous_chain == place.chain => {
                        // Who isn't subscribed misses everything, as a matter of course.
                        if tail.followed_in() != 0 {
                            self.settings.meters.gaps.add(1);
                        }
                        if !tail.fill(&entries, state, oldest) {
                            return Ok(false);
                        }
                    }
                    Some(_) => {
                        self.resolve_fork(tail, found, state).await?;
                        return Ok(false);
                    }
                    None => {}
                }
                Ok(tail.window.tail().position.is_some_and(|now| now.sequence >= state.position.sequence))
            }
            Standing::Behind(_) | Standing::Elsewhere => self.take(tail, state, oldest).await,
            Standing::Ahead => {
                self.mend(tail, found, state).await?;
                Ok(false)
            }
            Standing::Left(at) => {
                let since = self.entries_after(tail, at.max(oldest.previous()), state.position).await?;
                if let Some(held) = before {
                    self.leave_at(tail, held, at, was_over(state, &since)).await;
                }
                self.take(tail, state, oldest).await
            }
            Standing::Foreign if self.resolve_loss(tail, found, state).await? => Ok(false),
            Standing::Foreign => self.take(tail, state, oldest).await,
        }
    }

    /// Takes what the store has in the place of what is held.
    async fn take(
        &self,
        tail: &Tail,
        state: &Arc<SessionState>,
        oldest: Sequence,
    ) -> Result<bool, StoreError> {
        let entries = self.entries_after(tail, oldest.previous(), state.position).await?;
        Ok(tail.fill(&entries, state, oldest))
    }

    /// All entries after `after`, at least up to `upto`.
    pub(super) async fn entries_after(
        &self,
        tail: &Tail,
        after: Sequence,
        upto: Position,
    ) -> Result<Vec<Arc<Entry>>, StoreError> {
        let mut entries: Vec<Arc<Entry>> = Vec::new();
        let mut last = after;
        while last < upto.sequence {
            let page = self.range(tail, last, upto.epoch, PAGE).await?;
            let Some(end) = page.last() else { break };
            last = end.sequence;
            entries.extend(page);
        }
        Ok(entries)
    }
}

/// Whether a log that was just put back without its beginning begins after what is held, so that its place can't be joined.
fn would_leave(held: Position, found: &Found) -> bool {
    let is_its = found.meta.position().is_some_and(|place| place.epoch == held.epoch);
    let is_awaited = found.meta.lacks().is_some_and(|lack| lack.is_awaited(found.now));
    is_its && is_awaited && held.sequence.next() < found.oldest()
}

/// `before`: where the window stood before the store was asked for `store`.
fn standing(tail: &Tail, before: Option<Position>, found: &Found, store: Position) -> Standing {
    let window = &tail.window;
    let Some(held) = before else { return Standing::Elsewhere };
    if held == store {
        return Standing::Same;
    }
    if held.epoch != store.epoch {
        return match descent(found.meta.past(), held.epoch) {
            _ if window.tail().expired => Standing::Elsewhere,
            Descent::From(left) if left < held.sequence => Standing::Left(left),
            Descent::Foreign if !mutant!("lost-epoch-taken-for-an-earlier-one") => Standing::Foreign,
            Descent::Unsure if tail.is_of_before(store) => Standing::Foreign,
            Descent::From(_) | Descent::Foreign | Descent::Unsure => Standing::Elsewhere,
        };
    }
    if held.sequence < store.sequence {
        return match window.tail().expired {
            true => Standing::Elsewhere,
            false => Standing::Behind(held),
        };
    }
    Standing::Ahead
}
