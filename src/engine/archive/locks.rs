//! One at a time of those who do the same for one session.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::domain::ids::SessionKey;

/// A lock for each session that somebody holds or waits for.
#[derive(Debug, Default)]
pub(super) struct Locks {
    locks: parking_lot::Mutex<HashMap<SessionKey, Weak<Mutex<()>>>>,
}

impl Locks {
    /// Waits until nobody else holds that of this session.
    pub(super) async fn lock(&self, key: &SessionKey) -> OwnedMutexGuard<()> {
        self.of(key).lock_owned().await
    }

    fn of(&self, key: &SessionKey) -> Arc<Mutex<()>> {
        let mut locks = self.locks.lock();
        if let Some(known) = locks.get(key).and_then(Weak::upgrade) {
            return known;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(Mutex::new(()));
        locks.insert(key.clone(), Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn sessions_wait_for_themselves_alone_and_nothing_is_left_of_them() {
        let key =
            |session: &str| SessionKey { tenant: "t".parse().unwrap(), session: session.parse().unwrap() };
        let (locks, a) = (Locks::default(), key("a"));
        let held = locks.lock(&a).await;
        let mut waiting = Box::pin(locks.lock(&a));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(locks.lock(&key("b")).await);
        drop(held);
        drop(waiting.await);
        drop(locks.lock(&key("c")).await);
        assert_eq!(locks.locks.lock().len(), 1);
    }
}
