//! The last of everything that a store lost, from whoever saw it: a log is put back as far as a window reaches, and an output that was
//! quiet for longer ended before that.

use std::sync::atomic::Ordering;

use super::Shared;
use super::archived::{keys_of, latest_of};
use super::meta::count_unless_newer;
use super::place::where_of;
use super::tail::Tail;
use crate::engine::ports::result_cache::StoreError;

impl Shared {
    /// Compares a window with a store that may have lost something, and adds what is known here beyond it.
    pub(super) async fn sync_and_add(&self, tail: &Tail) -> Result<(), StoreError> {
        self.sync(tail).await?;
        self.add_newest(tail).await?;
        // Only now: what couldn't be added is tried again with the next sweep.
        tail.uncompared.store(false, Ordering::Release);
        Ok(())
    }

    /// Adds the last of everything that is held here and in no window, where the store stands where this replica does.
    pub(super) async fn add_newest(&self, tail: &Tail) -> Result<(), StoreError> {
        let Some(state) = tail.state() else { return Ok(()) };
        let oldest = tail.window.tail().oldest;
        let mut newest = tail.newest(&state);
        newest.retain(|entry| entry.sequence < oldest);
        if newest.is_empty() {
            return Ok(());
        }
        let added = self.link.call(&self.scripts.add_latest, |command| {
            keys_of(command, tail);
            command.arg(&where_of(state.position)[..16]);
            for (slot, bytes) in latest_of(&newest) {
                command.arg(slot).arg(bytes);
            }
        });
        count_unless_newer(&added.await?).map(drop)
    }
}
