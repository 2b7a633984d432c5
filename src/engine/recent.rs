//! A few answers that are still fresh: a storm of readers has them made once.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// Answers by key, the latest few, for a while.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    most: usize,
    age: Duration,
    items: Mutex<VecDeque<(K, V, Instant)>>,
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    pub(crate) fn new(most: usize, age: Duration) -> Self {
        Self { most, age, items: Mutex::default() }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let items = self.items.lock();
        let fresh = |at: &Instant| at.elapsed() < self.age;
        items.iter().find(|(known, _, at)| known == key && fresh(at)).map(|(_, value, _)| value.clone())
    }

    pub(crate) fn put(&self, key: K, value: V) {
        let mut items = self.items.lock();
        items.retain(|(known, _, _)| *known != key);
        if items.len() == self.most {
            items.pop_front();
        }
        items.push_back((key, value, Instant::now()));
    }

    pub(crate) fn forget(&self, of: impl Fn(&K) -> bool) {
        self.items.lock().retain(|(key, _, _)| !of(key));
    }
}
