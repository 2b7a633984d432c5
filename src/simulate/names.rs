//! Counts per name: attempts and calls in flight. Pure, and bounded: beyond the last 10,000 names the oldest idle one is
//! forgotten, so its next call is its first again.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use super::calls::NameCalls;

/// Names that are remembered.
const NAMES_MAX: usize = 10_000;

/// What is known of every name.
#[derive(Debug, Default)]
pub struct Names {
    counts: HashMap<Arc<str>, NameCalls>,
    /// Each name once, the oldest first.
    order: VecDeque<Arc<str>>,
    in_flight: u64,
    max_in_flight: u64,
}

impl Names {
    /// A call of that name begins. Returns which of its calls it is, from 1.
    pub fn begin(&mut self, name: &Arc<str>) -> u64 {
        if !self.counts.contains_key(name) {
            self.forget_one();
            self.order.push_back(name.clone());
        }
        self.in_flight += 1;
        self.max_in_flight = self.max_in_flight.max(self.in_flight);
        let counts = self.counts.entry(name.clone()).or_default();
        counts.calls += 1;
        counts.in_flight += 1;
        counts.max_in_flight = counts.max_in_flight.max(counts.in_flight);
        counts.calls
    }

    /// A call of that name has ended.
    pub fn end(&mut self, name: &str) {
        self.in_flight = self.in_flight.saturating_sub(1);
        if let Some(counts) = self.counts.get_mut(name) {
            counts.in_flight = counts.in_flight.saturating_sub(1);
        }
    }

    /// Forgets attempts and peaks; calls in flight stay counted.
    pub fn reset(&mut self) {
        self.max_in_flight = self.in_flight;
        self.counts.retain(|_, counts| {
            *counts = NameCalls { calls: 0, in_flight: counts.in_flight, max_in_flight: counts.in_flight };
            counts.in_flight > 0
        });
        let counts = &self.counts;
        self.order.retain(|name| counts.contains_key(name));
    }

    /// Calls in flight now, and the most at once.
    pub fn in_flight(&self) -> (u64, u64) {
        (self.in_flight, self.max_in_flight)
    }

    /// Every name's counts, by name.
    pub fn by_name(&self) -> BTreeMap<Arc<str>, NameCalls> {
        self.counts.iter().map(|(name, counts)| (name.clone(), *counts)).collect()
    }

    /// Makes room for one more. Names in flight are passed over; at most all are looked at once.
    fn forget_one(&mut self) {
        if self.counts.len() < NAMES_MAX {
            return;
        }
        for _ in 0..self.order.len() {
            let Some(oldest) = self.order.pop_front() else { return };
            if self.counts.get(&oldest).is_some_and(|counts| counts.in_flight > 0) {
                self.order.push_back(oldest);
            } else {
                self.counts.remove(&oldest);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_and_peaks_are_counted_by_name() {
        let mut names = Names::default();
        let (a, b) = (Arc::from("a"), Arc::from("b"));
        assert_eq!((names.begin(&a), names.begin(&a), names.begin(&b)), (1, 2, 1));
        names.end(&a);
        assert_eq!((names.begin(&a), names.in_flight()), (3, (3, 3)));
        names.end(&a);
        names.end(&b);
        assert_eq!(names.by_name()["a"], NameCalls { calls: 3, in_flight: 1, max_in_flight: 2 });
        names.reset();
        assert_eq!(names.in_flight(), (1, 1));
        assert!(names.by_name().into_keys().eq([a.clone()]));
        assert_eq!(names.begin(&a), 1);
    }

    #[test]
    fn the_oldest_idle_name_is_forgotten_when_there_are_too_many() {
        let mut names = Names::default();
        let busy: Arc<str> = Arc::from("busy");
        names.begin(&busy);
        for number in 0..3 * NAMES_MAX {
            let name: Arc<str> = Arc::from(number.to_string());
            names.begin(&name);
            names.end(&name);
        }
        let known = names.by_name();
        assert_eq!((known.len(), names.order.len()), (NAMES_MAX, NAMES_MAX));
        assert_eq!((known.contains_key("busy"), known.contains_key("0")), (true, false));
        assert_eq!(names.begin(&busy), 2);
    }
}
