//! Bounds that all stores have in common.

use std::sync::Arc;

use crate::domain::entry::Entry;

/// Entries and bytes that are appended again at once, of what a store has lost.
pub const AGAIN: usize = 256;
const AGAIN_BYTES: usize = 256 * 1024;

/// The result of a step alone may be larger than a quarter of a small bound.
const RESERVE_LEAST: usize = 1 << 20;

/// What a store keeps free beyond a bound of so many bytes, for appends that only end something.
pub const fn reserve_of(bytes: usize) -> usize {
    let part = bytes / 4;
    if part < RESERVE_LEAST { RESERVE_LEAST } else { part }
}

/// How many of these entries go into one append: at least one, whatever it weighs.
pub fn fitting(entries: &[Arc<Entry>]) -> usize {
    let mut bytes = 0;
    let fits = entries.iter().take(AGAIN).take_while(|entry| {
        bytes += entry.weight();
        bytes <= AGAIN_BYTES
    });
    fits.count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::position::{AppendId, Position};
    use crate::domain::record::Record;
    use crate::domain::time::Timestamp;

    /// Entries that carry so many bytes each.
    fn entries(count: usize, bytes: usize) -> Vec<Arc<Entry>> {
        let start = Position::start("7f3a91".parse().unwrap());
        let wire = vec![b'x'; bytes];
        let entry = Arc::new(Entry::seal(start, AppendId(1), Timestamp(1), Record::SessionClosed, &wire));
        vec![entry; count]
    }

    #[test]
    fn an_append_is_bounded_in_entries_and_bytes_and_takes_one_that_is_larger_alone() {
        assert_eq!(fitting(&entries(AGAIN, 0)), AGAIN);
        assert_eq!(fitting(&entries(AGAIN + 1, 0)), AGAIN);
        let fourth = entries(9, AGAIN_BYTES / 4);
        assert_eq!(fitting(&fourth), 3, "each weighs more than its bytes");
        assert_eq!(fitting(&entries(9, AGAIN_BYTES)), 1);
    }
}
