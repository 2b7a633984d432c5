//! Late results that were counted under an `Idempotency-Key`: a repeat is the same result, not another.
//!
//! The log has what its sender was told, unless it is full, or the repeat comes before that is stored. What was counted is known
//! for as long as its session is active here: who sends again does so within seconds.

use std::collections::{BTreeSet, VecDeque};

use crate::domain::session::IdempotencyKey;

/// Keys that are known of a session, as many as of what is stored.
const KEYS: usize = 256;

/// What was counted, by key and place in the request.
#[derive(Default)]
pub(super) struct CountedLate {
    keys: VecDeque<(IdempotencyKey, BTreeSet<u32>)>,
}

impl CountedLate {
    pub(super) fn knows(&self, key: &IdempotencyKey, index: u32) -> bool {
        self.keys.iter().any(|(known, indices)| known == key && indices.contains(&index))
    }

    pub(super) fn note(&mut self, key: &IdempotencyKey, index: u32) {
        if let Some((_, indices)) = self.keys.iter_mut().find(|(known, _)| known == key) {
            indices.insert(index);
            return;
        }
        if self.keys.len() == KEYS {
            self.keys.pop_front();
        }
        self.keys.push_back((key.clone(), BTreeSet::from([index])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::Digest;

    #[test]
    fn so_many_keys_are_known_and_each_by_its_request() {
        let key = |name: usize, body: u128| IdempotencyKey {
            key: name.to_string().into(),
            fingerprint: Digest(body),
        };
        let mut counted = CountedLate::default();
        for name in 0..=KEYS {
            counted.note(&key(name, 1), 0);
        }
        counted.note(&key(KEYS, 1), 7);
        assert!(!counted.knows(&key(0, 1), 0), "the oldest is forgotten");
        assert!(counted.knows(&key(1, 1), 0) && counted.knows(&key(KEYS, 1), 7));
        assert!(!counted.knows(&key(1, 1), 1) && !counted.knows(&key(1, 2), 0));
    }
}
