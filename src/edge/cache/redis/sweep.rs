//! The sessions of this process. Now and then it is looked whether their windows stand where the store does, and those that nobody uses
//! are let go of.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures::stream::{self, StreamExt};

use super::Shared;
use super::follow::SYNCED_AT_ONCE;
use super::tail::Tail;
use crate::domain::ids::SessionKey;

/// A replica holds what it appended or followed at least this long: a store that rolled back is mended with it.
const HELD: Duration = Duration::from_secs(60);

impl Shared {
    /// The tail of a session, made where there is none.
    pub(super) fn tail(&self, key: &SessionKey) -> Arc<Tail> {
        if let Some(tail) = self.tails.get(key) {
            return tail.clone();
        }
        let made = || Arc::new(Tail::new(key, self.bounds()));
        self.tails.entry(key.clone()).or_insert_with(made).clone()
    }

    pub(super) async fn sweep(self: &Arc<Self>, check_places: bool) {
        self.let_go();
        // Keeps what `health` says current where nobody asks for anything.
        self.link.probe().await;
        self.look_later();
        if check_places {
            self.check_places().await;
        }
        if let Err(error) = self.list_held().await {
            tracing::debug!(%error, "the names of sessions that are held were not put into their lists");
        }
        if let Err(error) = self.walk_names().await {
            tracing::debug!(%error, "the names of sessions that are gone stay a while longer");
        }
    }

    /// The store may have lost something without a new line: all that is held is compared with it, whether or not somebody reads it.
    pub(super) fn compare_again(self: &Arc<Self>) {
        self.tails.iter().for_each(|tail| tail.uncompared.store(true, Ordering::Release));
        let (windows, deletions) = (self.clone(), self.clone());
        tokio::spawn(async move { windows.check_places().await });
        tokio::spawn(async move { deletions.delete_again().await });
    }

    /// A lost last message is noticed here, as is the end of the data's time. What nobody reads is looked at where it
    /// couldn't be when the line came back.
    async fn check_places(self: &Arc<Self>) {
        let mut read = self.tails_in_order();
        read.retain(|tail| Arc::strong_count(&tail.window) > 1 || tail.uncompared.load(Ordering::Acquire));
        let check = async |tail: Arc<Tail>| {
            let compared = match tail.uncompared.load(Ordering::Acquire) {
                true => self.sync_and_add(&tail).await,
                false => self.sync(&tail).await,
            };
            if let Err(error) = compared {
                tracing::debug!(%error, session = %tail.key.session, "a window was not compared with the store");
            }
        };
        stream::iter(read).for_each_concurrent(SYNCED_AT_ONCE, check).await;
    }

    /// By their sessions' names: what is asked of the store is asked in an order that can be had again.
    pub(super) fn tails_in_order(&self) -> Vec<Arc<Tail>> {
        let mut tails: Vec<Arc<Tail>> = self.tails.iter().map(|item| item.value().clone()).collect();
        tails.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        tails
    }

    /// Drops the windows that nobody read or wrote for a while; where they take too much, those that were quiet longest
    /// go sooner.
    fn let_go(&self) {
        let idle = |tail: &Arc<Tail>| Arc::strong_count(&tail.window) == 1;
        let mut unused: Vec<Arc<Tail>> =
            self.tails.iter().map(|item| item.value().clone()).filter(idle).collect();
        unused.sort_by_cached_key(|tail| tail.touched());
        let mut bytes: usize = self.tails.iter().map(|item| item.value().bytes()).sum();
        for tail in unused {
            let is_over = bytes > self.settings.bytes_max;
            if tail.touched().elapsed() < HELD && !is_over {
                break;
            }
            let freed = tail.bytes();
            // The registry, this list and the listener hold it; whoever else does is about to hand out its window.
            let joined = tail.joined.load(Ordering::Acquire);
            let holders = 2 + usize::from(joined);
            let removed = self.tails.remove_if(&tail.key, |_, known| {
                Arc::ptr_eq(known, &tail) && idle(known) && Arc::strong_count(known) <= holders
            });
            if removed.is_some() {
                bytes -= freed.min(bytes);
                if joined {
                    self.subscriptions.leave(&tail);
                }
            }
        }
    }
}
