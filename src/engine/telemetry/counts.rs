//! Plain counts of the hot paths: what happens for every event or frame.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only rises, of the hot paths.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// Adds to it.
    pub fn add(&self, more: u64) {
        if cfg!(feature = "without-metrics") {
            return;
        }
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// One [`Count`] for each value of an attribute.
#[derive(Debug)]
pub struct Counts<const N: usize> {
    pub(super) names: [&'static str; N],
    pub(super) counts: [Count; N],
}

impl<const N: usize> Counts<N> {
    pub(super) fn new(names: [&'static str; N]) -> Self {
        Self { names, counts: std::array::from_fn(|_| Count::default()) }
    }

    /// Adds to the one of that name; a name that isn't among them is counted nowhere.
    pub fn add(&self, name: &str, more: u64) {
        if cfg!(feature = "without-metrics") {
            return;
        }
        if let Some(index) = self.names.iter().position(|known| *known == name) {
            self.counts[index].add(more);
        }
    }
}
