//! How many entries a store is asked for at once. They are of any size, up to a MiB each, and how large the next ones are isn't
//! known before they are here: so a few are asked for first, and then as many as fit by what the last ones weighed.

use std::sync::Arc;

use crate::domain::entry::Entry;

/// Entries asked of the store at once, at most: about what fits one chunk, as the rest is asked for again.
pub(super) const FETCH: usize = 128;
/// About what comes at once.
const BYTES: usize = 256 << 10;
/// Entries asked for first.
const FIRST: u16 = 4;
/// Small ones may be followed by large ones, so the number grows step by step.
const GROWTH: usize = 4;

/// The number of entries to ask for next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stride(u16);

impl Default for Stride {
    fn default() -> Self {
        Self(FIRST)
    }
}

impl Stride {
    /// That number, and at most `most`.
    pub(super) fn entries(self, most: usize) -> usize {
        usize::from(self.0).min(most)
    }

    /// These came.
    pub(super) fn learn(&mut self, entries: &[Arc<Entry>]) {
        let weight: usize = entries.iter().map(|entry| entry.weight()).sum();
        let fit = (BYTES * entries.len()).checked_div(weight).unwrap_or(0);
        let next = fit.clamp(1, usize::from(self.0) * GROWTH);
        self.0 = u16::try_from(next).unwrap_or(u16::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::position::{AppendId, Chain, Epoch, Position, Sequence};
    use crate::domain::record::Record;
    use crate::domain::time::Timestamp;

    fn entries(count: usize, bytes: usize) -> Vec<Arc<Entry>> {
        let previous = Position { epoch: Epoch::from_random(1), sequence: Sequence(0), chain: Chain(0) };
        let wire = "x".repeat(bytes);
        let entry = Entry::seal(previous, AppendId(1), Timestamp(0), Record::SessionClosed, wire.as_bytes());
        let entry = Arc::new(entry);
        (0..count).map(|_| entry.clone()).collect()
    }

    #[test]
    fn as_many_are_asked_for_as_fit_by_what_the_last_ones_weighed() {
        let mut stride = Stride::default();
        assert_eq!((stride.entries(128), stride.entries(3)), (4, 3));
        stride.learn(&entries(4, 1_000_000));
        assert_eq!(stride.entries(128), 1, "large ones one by one");
        for expected in [4, 16, 64, 128] {
            stride.learn(&entries(stride.entries(128), 10));
            assert_eq!(stride.entries(128), expected, "small ones more and more");
        }
        stride.learn(&entries(128, 9_600));
        assert_eq!(stride.entries(128), 26);
        stride.learn(&[]);
        assert_eq!(stride.entries(128), 1);
    }
}
