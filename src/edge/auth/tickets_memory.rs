//! Tickets of a service with one replica: in memory, gone when the process ends.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use futures::future::{BoxFuture, FutureExt, ready};
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::engine::ports::result_cache::StoreError;
use crate::engine::ports::ticket_store::{TICKET_VALUE_BYTES_MAX, TicketDigest, TicketFuture, TicketStore};

/// Values at once, unless it is said otherwise. A usual one has 300 bytes.
const VALUES_MAX: usize = 65_536;
/// Nothing lives longer: a time that any clock can be moved by.
const LIVES_MAX: Duration = Duration::from_secs(10 * 365 * 86_400);

/// The [`TicketStore`] of one process.
pub struct MemoryTickets {
    kept: Mutex<Kept>,
    values_max: usize,
}

#[derive(Default)]
struct Kept {
    values: HashMap<TicketDigest, Held>,
    /// By their end, and those with the same end by their age.
    ends: BTreeMap<(Instant, u64), TicketDigest>,
    put: u64,
}

struct Held {
    value: Vec<u8>,
    end: (Instant, u64),
}

impl Kept {
    fn remove(&mut self, digest: TicketDigest) -> Option<Held> {
        let held = self.values.remove(&digest)?;
        self.ends.remove(&held.end);
        Some(held)
    }

    /// Lets go of what is over, and of what ends soonest until there is room for one more.
    fn make_room(&mut self, values_max: usize, now: Instant) {
        while let Some((&(end, _), &digest)) = self.ends.first_key_value() {
            if end > now && self.values.len() < values_max {
                break;
            }
            self.remove(digest);
        }
    }
}

impl Default for MemoryTickets {
    fn default() -> Self {
        Self::bounded(VALUES_MAX)
    }
}

impl MemoryTickets {
    /// At most so many values, and at least one.
    pub fn bounded(values_max: usize) -> Self {
        Self { kept: Mutex::default(), values_max: values_max.max(1) }
    }

    fn keep(&self, digest: TicketDigest, value: &[u8], lives: Duration) -> Result<(), StoreError> {
        if value.len() > TICKET_VALUE_BYTES_MAX {
            return Err(StoreError::Full("a ticket's value is too long".into()));
        }
        let now = Instant::now();
        let mut kept = self.kept.lock();
        kept.remove(digest);
        if lives.is_zero() {
            return Ok(());
        }
        kept.make_room(self.values_max, now);
        kept.put += 1;
        let end = (now + lives.min(LIVES_MAX), kept.put);
        kept.ends.insert(end, digest);
        kept.values.insert(digest, Held { value: value.to_vec(), end });
        Ok(())
    }
}

fn done<'a, T: Send + 'a>(result: Result<T, StoreError>) -> BoxFuture<'a, Result<T, StoreError>> {
    ready(result).boxed()
}

impl TicketStore for MemoryTickets {
    fn put<'a>(&'a self, digest: TicketDigest, value: &'a [u8], lives: Duration) -> TicketFuture<'a, ()> {
        done(self.keep(digest, value, lives))
    }

    fn take(&self, digest: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>> {
        if mutant!("ticket-opens-twice") {
            return self.get(digest);
        }
        let held = self.kept.lock().remove(digest);
        done(Ok(held.filter(|held| held.end.0 > Instant::now()).map(|held| held.value)))
    }

    fn get(&self, digest: TicketDigest) -> TicketFuture<'_, Option<Vec<u8>>> {
        let kept = self.kept.lock();
        let held = kept.values.get(&digest).filter(|held| held.end.0 > Instant::now());
        done(Ok(held.map(|held| held.value.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(n: usize) -> TicketDigest {
        TicketDigest(std::array::from_fn(|at| n.to_le_bytes().get(at).copied().unwrap_or(0)))
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn value_is_there_until_the_last_millisecond_and_no_longer() {
        let tickets = MemoryTickets::default();
        tickets.put(digest(1), b"one", SECOND).await.unwrap();
        tokio::time::advance(SECOND - Duration::from_millis(1)).await;
        assert_eq!(tickets.get(digest(1)).await.unwrap().as_deref(), Some(&b"one"[..]));
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(tickets.get(digest(1)).await.unwrap(), None);
        assert_eq!(tickets.take(digest(1)).await.unwrap(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn full_store_lets_go_of_what_ends_soonest_and_no_more() {
        let tickets = MemoryTickets::bounded(100);
        tickets.put(digest(0), b"cookie", SECOND * 3_600).await.unwrap();
        for n in 1..1_000 {
            tickets.put(digest(n), b"ticket", SECOND).await.unwrap();
        }
        let kept = |tickets: &MemoryTickets| {
            let kept = tickets.kept.lock();
            (kept.values.len(), kept.ends.len())
        };
        assert_eq!(kept(&tickets), (100, 100));
        assert_eq!(tickets.get(digest(0)).await.unwrap().as_deref(), Some(&b"cookie"[..]));
        assert_eq!(tickets.get(digest(900)).await.unwrap(), None);
        assert!(tickets.get(digest(901)).await.unwrap().is_some());
        tokio::time::advance(SECOND).await;
        tickets.put(digest(2_000), b"next", SECOND).await.unwrap();
        assert_eq!(kept(&tickets), (2, 2));
    }

    #[tokio::test(start_paused = true)]
    async fn value_that_is_put_again_takes_the_place_and_the_time_of_the_first() {
        let tickets = MemoryTickets::default();
        tickets.put(digest(1), b"one", SECOND).await.unwrap();
        tickets.put(digest(1), b"two", SECOND * 5).await.unwrap();
        tokio::time::advance(SECOND * 2).await;
        assert_eq!(tickets.take(digest(1)).await.unwrap().as_deref(), Some(&b"two"[..]));
        assert_eq!(tickets.take(digest(1)).await.unwrap(), None);
        tickets.put(digest(1), b"three", SECOND).await.unwrap();
        tickets.put(digest(1), b"four", Duration::ZERO).await.unwrap();
        assert_eq!(tickets.get(digest(1)).await.unwrap(), None);
        let long = vec![0; TICKET_VALUE_BYTES_MAX + 1];
        assert!(matches!(tickets.put(digest(2), &long, SECOND).await, Err(StoreError::Full(_))));
        tickets.put(digest(3), b"", Duration::MAX).await.unwrap();
        assert_eq!(tickets.get(digest(3)).await.unwrap().as_deref(), Some(&b""[..]));
    }
}
