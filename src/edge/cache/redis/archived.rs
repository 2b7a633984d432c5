//! What an archive behind the store tells it, and gives back to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use redis::Cmd;

use super::Shared;
use super::codec::entry_bytes;
use super::descent::{OTHERS, line};
use super::meta::count_unless_newer;
use super::place::where_of;
use super::tail::Tail;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::Position;
use crate::domain::session::{Field, SessionState};
use crate::domain::time::Timestamp;
use crate::engine::mux::snapshot_slot;
use crate::engine::ports::result_cache::{Restored, StoreError};

/// How long others wait after a state without entries was put back: who holds some puts them after it (as in `append_any.lua`).
const SETTLES_MS: u64 = 500;

/// What is put back.
struct Back<'a> {
    position: Position,
    lives_ms: u64,
    /// The epochs that it went through before.
    past: String,
    /// How long others wait before they write, in milliseconds.
    settles_ms: u64,
    /// Whether it stays until an archive has it.
    waits: bool,
    fields: Vec<Field>,
    latest: &'a [Arc<Entry>],
}

impl Shared {
    /// What the archive has may be trimmed and expire.
    pub(super) async fn archived(&self, key: &SessionKey, position: Position) -> Result<(), StoreError> {
        let tail = self.tail(key);
        let settings = &self.settings;
        let noted = self.link.call(&self.scripts.archived, |command| {
            keys_of(command, &tail);
            command.arg(self.set_now()).arg(position.sequence.0).arg(&position.chain.0.to_be_bytes());
            command.arg(settings.tombstone_ms).arg(settings.ring_entries).arg(settings.ring_bytes);
        });
        count_unless_newer(&noted.await?).map(|_| ())
    }

    pub(super) async fn remember(
        &self,
        key: &SessionKey,
        position: Position,
        ended: bool,
    ) -> Result<bool, StoreError> {
        let tail = self.tail(key);
        let ended_field = ("ended".to_owned(), if ended { b"1".to_vec() } else { b"0".to_vec() });
        let past = OTHERS.to_owned();
        let back = Back {
            position,
            lives_ms: 0,
            past,
            settles_ms: 0,
            waits: false,
            fields: vec![ended_field],
            latest: &[],
        };
        let is_new = self.put_back(&tail, &back).await?;
        if is_new {
            tail.stand_at(position, ended, true);
        }
        Ok(is_new)
    }

    pub(super) async fn restore(&self, key: &SessionKey, restored: &Restored) -> Result<bool, StoreError> {
        let tail = self.tail(key);
        let state = &restored.state;
        // Who holds the epoch before knows by this what of it isn't here.
        let is_told =
            |left: &Position| left.epoch != state.position.epoch && !mutant!("epoch-before-not-told");
        let left = Some(restored.left).filter(is_told);
        let lives_ms = self.settings.ttl_ms;
        let back = Back {
            position: state.position,
            lives_ms,
            past: left.map_or_else(|| OTHERS.to_owned(), |left| line(&[(None, left)])),
            settles_ms: 0,
            waits: false,
            fields: state.fields(),
            latest: &restored.latest,
        };
        self.list(key).await?;
        let is_back = self.put_back(&tail, &back).await?;
        if is_back {
            self.list_again(key).await;
            tail.stand_at(state.position, state.is_ended(), false);
            // Without entries there is nothing that could not follow.
            let _ = tail.fill(&[], state, state.position.sequence.next());
        }
        Ok(is_back)
    }

    /// The state that is held goes back without entries: its epoch began, and nothing was said in it yet.
    pub(super) async fn restore_state(
        &self,
        tail: &Tail,
        state: &SessionState,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let back = Back {
            position: state.position,
            lives_ms: self.lives_until(state).since_ms(now).max(1),
            past: tail.past().unwrap_or_else(|| OTHERS.to_owned()),
            settles_ms: SETTLES_MS,
            waits: self.settings.is_gated && !mutant!("held-state-noted-as-archived"),
            fields: state.fields(),
            latest: &tail.newest(state),
        };
        self.announce(tail, state).await?;
        if !self.put_back(tail, &back).await? {
            // Another replica was first, and the next look decides; or it was deleted.
            return Ok(self.find(tail).await?.meta.position().is_some());
        }
        self.list_again(&tail.key).await;
        tracing::warn!(session = %tail.key.session, "the store was empty: a state was put back that has no entries yet");
        Ok(true)
    }

    async fn put_back(&self, tail: &Tail, back: &Back<'_>) -> Result<bool, StoreError> {
        let done = self.link.call(&self.scripts.restore, |command| {
            keys_of(command, tail);
            command.arg(self.set_now()).arg(&where_of(back.position));
            command.arg(back.lives_ms).arg(self.settings.tombstone_ms).arg(&back.past);
            command.arg(back.settles_ms).arg(u8::from(back.waits)).arg(back.fields.len());
            for (name, value) in &back.fields {
                command.arg(name).arg(value);
            }
            for (slot, bytes) in latest_of(back.latest) {
                command.arg(slot).arg(bytes);
            }
        });
        Ok(count_unless_newer(&done.await?)? == 1)
    }
}

/// The last entry of each slot of a snapshot, as the store has it.
pub(super) fn latest_of(entries: &[Arc<Entry>]) -> Vec<(String, Vec<u8>)> {
    let mut latest: BTreeMap<String, &Arc<Entry>> = BTreeMap::new();
    for entry in entries {
        latest.extend(snapshot_slot(entry).map(|slot| (slot, entry)));
    }
    latest.into_iter().map(|(slot, entry)| (slot, entry_bytes(entry))).collect()
}

pub(super) fn keys_of(command: &mut Cmd, tail: &Tail) {
    command.arg(3).arg(&tail.keys.meta).arg(&tail.keys.log).arg(&tail.keys.latest);
}
