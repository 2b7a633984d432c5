//! The subscription: one connection on which all followed sessions are told of, joined before their log is read.
//!
//! Each time that it is made anew it gets another number. A tail is followed while the number it joined with is the
//! current one; the number is 0 while there is no subscription. After a loss all windows are compared with the store:
//! it may have lost something too.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::StreamExt;
use futures::stream;
use redis::Msg;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::Shared;
use super::codec::{Message, read_message};
use super::joining::{DOWN, Trouble, bounded, not_joined};
use super::keys;
use super::line::{Heard, Line};
use super::tail::{Offer, Tail};
use crate::engine::clock::jittered;
use crate::engine::ports::result_cache::StoreError;

/// How often the connection is asked whether it lives.
const PING_EVERY: Duration = Duration::from_secs(2);
const BACKOFF_FIRST: Duration = Duration::from_millis(20);
const BACKOFF_MOST: Duration = Duration::from_millis(500);
/// Windows that are compared with the store at once.
pub(super) const SYNCED_AT_ONCE: usize = 32;
/// Joins that go into one command.
const JOINED_AT_ONCE: usize = 256;

type Done = oneshot::Sender<u64>;

enum Order {
    Join(Arc<Tail>, Done),
    Leave(Arc<Tail>),
}

/// Asks the listener to join and leave.
pub(super) struct Subscriptions {
    orders: mpsc::UnboundedSender<Order>,
    current: Arc<AtomicU64>,
    trouble: Trouble,
}

/// Holds the connection.
pub(super) struct Listener {
    orders: mpsc::UnboundedReceiver<Order>,
    current: Arc<AtomicU64>,
    trouble: Trouble,
    tails: HashMap<String, Arc<Tail>>,
    made: u64,
    /// Rises with each loss: of a cluster the next node is tried.
    attempt: usize,
}

impl Subscriptions {
    pub(super) fn new() -> (Self, Listener) {
        // Bounded by the sessions that are followed: each waits for its own.
        let (sender, orders) = mpsc::unbounded_channel();
        let (current, trouble) = (Arc::new(AtomicU64::new(0)), Trouble::default());
        let (number, why) = (current.clone(), trouble.clone());
        let listener =
            Listener { orders, current: number, trouble: why, tails: HashMap::new(), made: 0, attempt: 0 };
        (Self { orders: sender, current, trouble }, listener)
    }

    /// Why there is no subscription, for who runs the service; `None` where there is one.
    pub(super) fn trouble(&self) -> Option<String> {
        if self.current() != 0 {
            return None;
        }
        Some(self.trouble.told())
    }

    /// The number of the subscription; 0 while there is none.
    pub(super) fn current(&self) -> u64 {
        self.current.load(Ordering::Acquire)
    }

    /// Joins a session's channel. When it comes back, whatever is published is heard; the number says in which
    /// subscription.
    pub(super) async fn join(&self, tail: &Arc<Tail>) -> Result<u64, StoreError> {
        let down = || StoreError::Unavailable(DOWN.into());
        let (done, joined) = oneshot::channel();
        self.orders.send(Order::Join(tail.clone(), done)).map_err(|_| down())?;
        joined.await.map_err(|_| down())
    }

    /// Leaves it again. Who joined in its place meanwhile stays.
    pub(super) fn leave(&self, tail: &Arc<Tail>) {
        // Without a listener there is nothing to leave.
        let _ = self.orders.send(Order::Leave(tail.clone()));
    }
}

impl Listener {
    /// Listens until the cache is gone.
    pub(super) async fn run(mut self, cache: Weak<Shared>) {
        let mut pause = BACKOFF_FIRST;
        loop {
            let Some(shared) = cache.upgrade() else { return };
            let connected = self.connect(&shared).await;
            drop(shared);
            match connected {
                Ok((line, heard)) => {
                    pause = BACKOFF_FIRST;
                    self.trouble.clear();
                    // Not by one that is gone by now: whoever looks on its account would do so for nothing.
                    if let Some(shared) = cache.upgrade().filter(|_| self.made == 1) {
                        shared.ask_as_newcomer().await;
                    }
                    if self.listen(&cache, line, heard).await.is_none() {
                        return;
                    }
                    self.current.store(0, Ordering::Release);
                    self.attempt += 1;
                    tracing::warn!("the subscription to Redis was lost");
                }
                Err(why) => {
                    self.trouble.note(why);
                    self.attempt += 1;
                    self.refuse_joins();
                    tokio::time::sleep(jittered(pause)).await;
                    pause = (pause * 2).min(BACKOFF_MOST);
                }
            }
        }
    }

    /// Connects, joins what was joined before, and has every window compared with the store.
    async fn connect(&mut self, shared: &Arc<Shared>) -> Result<(Line, Heard), String> {
        let (mut line, heard) = shared.link.listen(self.attempt).await?;
        let bound = shared.link.response_timeout();
        self.tails.retain(|_, tail| shared.tails.contains_key(&tail.key));
        let own = self.tails.keys().map(String::as_str);
        let channels: Vec<&str> = own.chain([keys::DELETIONS, keys::LOST]).collect();
        for channels in channels.chunks(JOINED_AT_ONCE) {
            bounded(bound, line.subscribe(channels)).await.map_err(not_joined)?;
        }
        // Of a cluster, a node that is gone keeps nobody from the others.
        match shared.note_servers().await {
            Err(why) if !shared.link.is_cluster() => return Err(why),
            Ok(true) => shared.tell_newcomers().await,
            _ => {}
        }
        if self.made == 0 && !shared.link.is_simulated() {
            shared.settling.ask();
        }
        self.made += 1;
        self.current.store(self.made, Ordering::Release);
        if self.made > 1 {
            tracing::info!("subscribed to Redis again");
            self.compare_all(shared);
        }
        Ok((line, heard))
    }

    /// What was published meanwhile was missed, and the store may have lost what this replica holds.
    fn compare_all(&self, shared: &Arc<Shared>) {
        let (shared, made) = (shared.clone(), self.made);
        let joined: Vec<Arc<Tail>> = self.tails.values().cloned().collect();
        let deletions = shared.clone();
        tokio::spawn(async move { deletions.delete_again().await });
        tokio::spawn(async move {
            let all = shared.tails_in_order();
            let compare = async |tail: Arc<Tail>| match shared.sync_and_add(&tail).await {
                Ok(()) if joined.iter().any(|known| Arc::ptr_eq(known, &tail)) => tail.set_followed_in(made),
                Ok(()) => {}
                Err(error) => {
                    // Also where nobody reads it, the next sweep looks again.
                    tail.uncompared.store(true, Ordering::Release);
                    tracing::debug!(%error, session = %tail.key.session, "a window is not up to date")
                }
            };
            stream::iter(all).for_each_concurrent(SYNCED_AT_ONCE, compare).await;
        });
    }

    /// `None` when the cache is gone; `Some` when the connection is.
    async fn listen(&mut self, cache: &Weak<Shared>, mut line: Line, mut heard: Heard) -> Option<()> {
        let mut pings = interval(PING_EVERY);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard_at = Instant::now();
        loop {
            // In this order: who joins waits for little, a busy channel mustn't keep others out; and a channel that is heard
            // needs no ping.
            tokio::select! {
                biased;
                order = self.orders.recv() => {
                    let bound = cache.upgrade()?.link.response_timeout();
                    if !self.obey(order?, &mut line, bound).await {
                        return Some(());
                    }
                }
                message = heard.next() => {
                    let Some(message) = message else { return Some(()) };
                    heard_at = Instant::now();
                    self.tell(&cache.upgrade()?, &message);
                }
                _ = pings.tick() => {
                    let bound = cache.upgrade()?.link.response_timeout();
                    let lives = heard_at.elapsed() < PING_EVERY || bounded(bound, line.ping()).await.is_ok();
                    if !lives {
                        return Some(());
                    }
                }
            }
        }
    }

    /// Hands a message to its session.
    fn tell(&self, shared: &Arc<Shared>, message: &Msg) {
        if message.get_channel_name() == keys::DELETIONS {
            let deleted = std::str::from_utf8(message.get_payload_bytes()).ok().and_then(keys::named);
            let Some(deleted) = deleted else { return };
            shared.deleted.hear(&deleted);
            if let Some(tail) = shared.tails.get(&deleted).map(|tail| tail.clone()) {
                tail.forget();
            }
            return;
        }
        if message.get_channel_name() == keys::LOST {
            return shared.hear_of_loss(&String::from_utf8_lossy(message.get_payload_bytes()));
        }
        let Some(tail) = self.tails.get(message.get_channel_name()) else { return };
        let offer = match read_message(message.get_payload_bytes()) {
            Ok(Message::Entries { epoch, entries, ended, fresh }) => {
                tail.offer(epoch, &entries, ended, fresh)
            }
            Ok(Message::Forgotten) => {
                tail.forget();
                Offer::Taken
            }
            Ok(Message::Moved) => return shared.sync_as_called(tail),
            Err(error) => {
                tracing::warn!(%error, session = %tail.key.session, "a published message can't be read");
                Offer::Hole
            }
        };
        if offer == Offer::Hole {
            shared.sync_later(tail);
        }
    }

    /// Joins and leaves; joins that wait go together. `false` where the connection is gone.
    async fn obey(&mut self, first: Order, line: &mut Line, bound: Duration) -> bool {
        let mut joining: Vec<(Arc<Tail>, Done)> = Vec::new();
        let mut leaving = Vec::new();
        let mut next = Some(first);
        while let Some(order) = next {
            match order {
                Order::Join(tail, done) => joining.push((tail, done)),
                Order::Leave(tail) => leaving.extend(self.removed(&tail)),
            }
            next = if joining.len() < JOINED_AT_ONCE { self.orders.try_recv().ok() } else { None };
        }
        if !leaving.is_empty() && bounded(bound, line.unsubscribe(&leaving)).await.is_err() {
            return false;
        }
        let channels: Vec<&str> = joining.iter().map(|(tail, _)| tail.keys.channel.as_str()).collect();
        if !channels.is_empty() && bounded(bound, line.subscribe(&channels)).await.is_err() {
            return false;
        }
        for (tail, done) in joining {
            tail.joined.store(true, Ordering::Release);
            self.tails.insert(tail.keys.channel.clone(), tail);
            // Who asked may have hung up; the channel is left again when nobody reads it.
            let _ = done.send(self.made);
        }
        true
    }

    /// The channel of a tail that isn't followed any more; `None` where another has its place.
    fn removed(&mut self, tail: &Arc<Tail>) -> Option<String> {
        let channel = &tail.keys.channel;
        let is_own = self.tails.get(channel).is_some_and(|known| Arc::ptr_eq(known, tail));
        if !is_own {
            return None;
        }
        tail.joined.store(false, Ordering::Release);
        self.tails.remove_entry(channel).map(|(channel, _)| channel)
    }

    /// Who waits to join while there is no connection is told so.
    fn refuse_joins(&mut self) {
        while let Ok(order) = self.orders.try_recv() {
            match order {
                Order::Join(_, done) => drop(done),
                Order::Leave(tail) => drop(self.removed(&tail)),
            }
        }
    }
}
