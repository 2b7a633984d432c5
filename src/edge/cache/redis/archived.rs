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
use crate::domain::session::Field;
use crate::engine::mux::snapshot_slot;
use crate::engine::ports::result_cache::{Restored, StoreError};

/// What is put back.
struct Back<'a> {
    position: Position,
    lives_ms: u64,
    /// Where it was left before, in another epoch.
    left: Option<Position>,
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
        let back = Back { position, lives_ms: 0, left: None, fields: vec![ended_field], latest: &[] };
        let is_new = self.put_back(&tail, &back).await?;
        if is_new {
            tail.stand_at(position, ended, true);
        }
        Ok(is_new)
    }

    pub(super) async fn restore(&self, key: &SessionKey, restored: &Restored) -> Result<bool, StoreError> {
        let tail = self.tail(key);
        let state = &restored.state;
        let lives_ms = self.settings.ttl_ms;
        let back = Back {
            position: state.position,
            lives_ms,
            left: Some(restored.left),
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

    async fn put_back(&self, tail: &Tail, back: &Back<'_>) -> Result<bool, StoreError> {
        // Who holds the epoch before knows by this what of it isn't here.
        let is_told =
            |left: &Position| left.epoch != back.position.epoch && !mutant!("epoch-before-not-told");
        let left = back.left.filter(is_told);
        let past = left.map_or_else(|| OTHERS.to_owned(), |left| line(&[(None, left)]));
        let done = self.link.call(&self.scripts.restore, |command| {
            keys_of(command, tail);
            command.arg(self.set_now()).arg(&where_of(back.position));
            command.arg(back.lives_ms).arg(self.settings.tombstone_ms).arg(&past).arg(back.fields.len());
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
