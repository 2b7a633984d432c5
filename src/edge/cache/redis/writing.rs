//! What an append hands to its script.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::codec::{entries_of, message_of};
use crate::domain::entry::Entry;
use crate::domain::position::{Chain, Position, Sequence};
use crate::domain::session::{Field, SessionState};
use crate::domain::time::Timestamp;
use crate::edge::cache::keep_until;
use crate::engine::mux::snapshot_slot;

/// What is to be written, put together once for all tries.
pub(super) struct Writing {
    pub(super) expected: Position,
    /// The place after the last entry.
    pub(super) sequence: Sequence,
    pub(super) chain: Chain,
    /// Where it begins an epoch: the last sequence of a log without `meta` whose place it may take.
    pub(super) begins: Option<Sequence>,
    pub(super) is_fresh: bool,
    /// Whether the store had it before, and lost it.
    pub(super) puts_back: bool,
    /// Whether it only ends something, and so has the reserve.
    pub(super) only_ends: bool,
    pub(super) keep_until: Timestamp,
    pub(super) message: Vec<u8>,
    pub(super) fields: Vec<Field>,
    /// Slot of `latest`, and the entry's place in the message, from 1.
    pub(super) slots: Vec<(String, usize)>,
}

impl Writing {
    /// Only compares.
    pub(super) fn nothing(expected: Position) -> Self {
        Self {
            expected,
            sequence: expected.sequence,
            chain: expected.chain,
            begins: is_start(expected).then_some(expected.sequence),
            is_fresh: false,
            puts_back: false,
            only_ends: false,
            keep_until: Timestamp::default(),
            message: Vec::new(),
            fields: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// The entries, as the log holds them.
    pub(super) fn entries(&self) -> impl Iterator<Item = &[u8]> {
        entries_of(&self.message)
    }

    /// Entries after `expected`, and the state after them.
    pub(super) fn of(expected: Position, entries: &[Arc<Entry>], state: &SessionState) -> Self {
        let places = entries.iter().zip(1..);
        let slots: BTreeMap<String, usize> =
            places.filter_map(|(entry, place)| Some((snapshot_slot(entry)?, place))).collect();
        let is_fresh = state.steps.iter().all(|step| step.started.sequence > expected.sequence);
        Self {
            expected,
            sequence: state.position.sequence,
            chain: state.position.chain,
            begins: is_start(expected).then_some(expected.sequence),
            is_fresh,
            puts_back: false,
            only_ends: false,
            keep_until: keep_until(state),
            message: message_of(expected.epoch, entries, state.is_ended(), is_fresh),
            fields: state.fields_changed_by(entries.iter().map(|entry| &**entry)),
            slots: slots.into_iter().collect(),
        }
    }
}

/// Whether a place begins an epoch.
pub(super) fn is_start(place: Position) -> bool {
    place.chain == Chain::seed(place.epoch)
}
