//! What was worked out before, for all texts of the process: pure functions of short texts that cost much more than looking
//! them up.
//!
//! It never changes what is found, only how fast. Texts are told apart byte by byte, and hashed with a secret of the process,
//! so that nobody can make those of others collide.

use std::collections::HashMap;
use std::sync::RwLock;

use foldhash::fast::RandomState;

/// Parts with a lock each, so that threads rarely meet.
const SHARDS: usize = 16;

type Shard<V> = RwLock<HashMap<Box<[u8]>, V, RandomState>>;

/// Values of a function by the text that it was asked with.
pub struct Memo<V> {
    shards: [Shard<V>; SHARDS],
    entries_max: usize,
    bytes_max: usize,
}

impl<V: Clone> Memo<V> {
    /// One that holds some `entries_max` texts of up to `bytes_max` bytes.
    pub fn new(entries_max: usize, bytes_max: usize) -> Self {
        let shards = std::array::from_fn(|_| RwLock::default());
        Self { shards, entries_max: entries_max.div_ceil(SHARDS), bytes_max }
    }

    /// What `function` gives for a text. It must be a function of that text alone.
    pub fn get_or_insert_with(&self, text: &[u8], function: impl FnOnce() -> V) -> V {
        let ([first, .., last], true) = (text, text.len() <= self.bytes_max) else { return function() };
        let shard = &self.shards[(text.len() ^ usize::from(*first) ^ usize::from(*last) >> 1) % SHARDS];
        if let Some(known) = shard.read().ok().and_then(|known| known.get(text).cloned()) {
            return known;
        }
        let value = function();
        if let Ok(mut known) = shard.write() {
            // What is asked for often is soon there again; to know which that is would cost more.
            if known.len() >= self.entries_max {
                known.clear();
            }
            known.insert(text.into(), value.clone());
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_is_asked_once_while_there_is_room_and_never_more_is_kept() {
        let (memo, mut asked) = (Memo::new(160, 8), 0);
        let mut ask = |memo: &Memo<usize>, text: &str| {
            let value = memo.get_or_insert_with(text.as_bytes(), || {
                asked += 1;
                text.len()
            });
            assert_eq!(value, text.len(), "{text}");
            asked
        };
        assert_eq!((ask(&memo, "three"), ask(&memo, "three"), ask(&memo, "four")), (1, 1, 2));
        // Of one byte, and too long: asked each time.
        assert_eq!((ask(&memo, "a"), ask(&memo, "a")), (3, 4));
        assert_eq!((ask(&memo, "nine bytes"), ask(&memo, "nine bytes")), (5, 6));
        for number in 0..10_000 {
            ask(&memo, &number.to_string());
        }
        let kept: usize = memo.shards.iter().map(|shard| shard.read().unwrap().len()).sum();
        assert!((1..=160).contains(&kept), "{kept}");
    }
}
