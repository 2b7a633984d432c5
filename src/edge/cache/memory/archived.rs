//! The embedded store beside an archive: what waits for it, and what comes back out of it.

use std::sync::atomic::Ordering;

use super::MemoryCache;
use super::session::Session;
use crate::domain::ids::SessionKey;
use crate::domain::position::Position;
use crate::engine::ports::result_cache::{Restored, StoreError, reserve_of};

impl MemoryCache {
    /// Refuses what would make a session hold more than its archive may owe it.
    pub(super) fn check_backlog(
        &self,
        session: &Session,
        incoming: usize,
        only_ends: bool,
    ) -> Result<(), StoreError> {
        let Some(bound) = self.backlog_bytes_max else { return Ok(()) };
        let most = if only_ends { bound + reserve_of(bound) } else { bound };
        let held = session.window.held_bytes();
        // An entry larger than the bound goes alone.
        if held > 0 && held + incoming > most {
            return Err(StoreError::Backlog(format!("{held} bytes of the session wait for it")));
        }
        Ok(())
    }

    /// Why nothing could be let go: for the archive's sake, or because all of it is in use.
    pub(super) fn no_room(&self) -> StoreError {
        let bytes = self.bytes();
        let held: usize = match self.backlog_bytes_max {
            Some(_) => self.sessions.iter().map(|item| item.value().window.held_bytes()).sum(),
            None => 0,
        };
        if held > self.settings.bytes_max / 2 {
            return StoreError::Backlog(format!("{held} bytes of all sessions wait for it"));
        }
        StoreError::Full(format!("{bytes} bytes are in use"))
    }

    /// Lets go of what waited for the archive only.
    pub(super) fn archived_now(&self, key: &SessionKey, position: Position) {
        let Some(session) = self.find(key) else { return };
        let _appends_wait = session.lock();
        if session.window.chain_at(position.sequence) == Some(position.chain) {
            let freed = session.window.hold_after(position.sequence, self.bounds());
            self.bytes.fetch_sub(freed, Ordering::Relaxed);
        }
    }

    pub(super) fn remember_now(&self, key: &SessionKey, position: Position, ended: bool) -> bool {
        let session = self.find_or_make(key);
        let mut inner = session.lock();
        let unknown = inner.state.is_none() && session.window.tail().position.is_none();
        if unknown {
            session.window.stand_at(position, ended, true);
            inner.expires_at = self.now().plus_ms(self.settings.tombstone_ms);
        }
        unknown
    }

    pub(super) fn restore_now(&self, key: &SessionKey, restored: &Restored) -> Result<bool, StoreError> {
        let session = self.find_or_make(key);
        let position = restored.state.position;
        let bytes: usize = restored.latest.iter().map(|entry| entry.weight()).sum();
        if self.bytes() + bytes > self.settings.bytes_max && !self.make_room(bytes) {
            return Err(self.no_room());
        }
        let mut inner = session.lock();
        let stands_elsewhere = session.window.tail().position.is_some_and(|known| known != position);
        if inner.state.is_some() || stands_elsewhere {
            return Ok(false);
        }
        let grew = inner.restore(restored, self.now(), self.settings.ttl_ms);
        session.window.stand_at(position, restored.state.is_ended(), false);
        self.with_data.fetch_add(1, Ordering::Relaxed);
        self.grow(grew);
        Ok(true)
    }
}
