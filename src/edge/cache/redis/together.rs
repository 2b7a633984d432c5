//! Appends of several sessions that go to Redis in one script.
//!
//! What a script costs besides its work, there and here, is paid once for all that wait at the same moment. Each is stored or
//! isn't by itself (`append_many.lua`); what has more to it than that (a session that begins, a conflict, a turn, something to be
//! trimmed) goes alone, by the script that does everything.

use std::sync::{Arc, Weak};
use std::time::Duration;

use redis::{Cmd, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::timeout;

use super::Shared;
use super::append::values_of;
use super::head::Turn;
use super::tail::Tail;
use super::value::number;
use super::writing::Writing;
use crate::domain::time::Timestamp;
use crate::engine::ports::result_cache::StoreError;

/// Appends that go together at most: Redis does nothing else meanwhile.
const MOST: usize = 32;
/// What has more bytes goes alone.
const BYTES_MOST: usize = 16 * 1024;

/// How long a session that others write to as well is appended to alone: each try that fails is a way to Redis and back.
pub(super) const CONTENDED: Duration = Duration::from_secs(1);
/// Scripts on their way at once, as long as answers come soon: while Redis works on one, the next is there. With more of them
/// fewer appends go in each.
const UNDER_WAY: usize = 2;
/// What isn't full waits so long for one of those: over a slow line nothing would be saved.
const PATIENCE: Duration = Duration::from_millis(1);

/// When it was stored; `None`: it wasn't, and is to go alone.
type Answer = Result<Option<Timestamp>, StoreError>;

/// An append that waits for others to go with.
pub(super) struct Queued {
    tail: Arc<Tail>,
    writing: Arc<Writing>,
    answer: oneshot::Sender<Answer>,
}

/// Where appends wait for each other.
pub(super) struct Together {
    queue: mpsc::UnboundedSender<Queued>,
    /// A cluster's scripts have one slot each, and a simulated server answers in the order of its story.
    is_on: bool,
}

impl Together {
    pub(super) fn new(is_on: bool) -> (Self, mpsc::UnboundedReceiver<Queued>) {
        // Bounded by the sessions that append: each waits for its own.
        let (queue, waiting) = mpsc::unbounded_channel();
        (Self { queue, is_on }, waiting)
    }

    fn takes(&self, tail: &Tail, writing: &Writing) -> bool {
        let is_plain = writing.begins.is_none() && !writing.is_fresh && !writing.puts_back;
        let is_small = !writing.message.is_empty() && writing.message.len() <= BYTES_MOST;
        self.is_on && is_plain && is_small && !tail.is_contended()
    }
}

/// Sends what waits, until the cache is gone.
pub(super) async fn run(mut queue: mpsc::UnboundedReceiver<Queued>, cache: Weak<Shared>) {
    let places = Arc::new(Semaphore::new(UNDER_WAY));
    let mut batch = Vec::with_capacity(MOST);
    while queue.recv_many(&mut batch, MOST).await > 0 {
        // Tasks that are ready now may have more: it costs them less than it costs this one to wait.
        tokio::task::yield_now().await;
        fill(&mut batch, &mut queue);
        let place = place_for(&batch, &places).await;
        fill(&mut batch, &mut queue);
        let Some(shared) = cache.upgrade() else { return };
        let batch = std::mem::replace(&mut batch, Vec::with_capacity(MOST));
        tokio::spawn(async move {
            shared.append_many(batch).await;
            drop(place);
        });
    }
}

fn fill(batch: &mut Vec<Queued>, queue: &mut mpsc::UnboundedReceiver<Queued>) {
    while batch.len() < MOST {
        let Ok(next) = queue.try_recv() else { break };
        batch.push(next);
    }
}

/// Waits for one of those before to be answered, if that can make the batch larger and takes no time.
async fn place_for(batch: &[Queued], places: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    let place = places.clone().try_acquire_owned().ok();
    if place.is_some() || batch.len() == MOST {
        return place;
    }
    timeout(PATIENCE, places.clone().acquire_owned()).await.ok()?.ok()
}

impl Shared {
    /// Appends with those of other sessions that wait.
    pub(super) async fn append_with_others(&self, tail: &Arc<Tail>, writing: &Arc<Writing>) -> Answer {
        if !self.together.takes(tail, writing) {
            return Ok(None);
        }
        let (answer, answered) = oneshot::channel();
        let queued = Queued { tail: tail.clone(), writing: writing.clone(), answer };
        if self.together.queue.send(queued).is_err() {
            return Ok(None);
        }
        // Where nobody answers Redis may have it or not.
        let answer = answered.await.unwrap_or(Err(StoreError::TimedOut));
        if matches!(answer, Ok(None)) {
            tail.note_contention();
        }
        answer
    }

    async fn append_many(&self, batch: Vec<Queued>) {
        let called = self.link.call_of(batch.len(), &self.scripts.append_many, |command| {
            self.arguments_of_many(command, &batch);
        });
        let answer = called.await.and_then(|answer| read(&answer));
        if let Ok((now, _)) = &answer {
            self.clock.observe(*now);
        }
        for (index, queued) in batch.into_iter().enumerate() {
            let answer = match &answer {
                Ok((now, left)) => Ok((!left.contains(&(index as u64 + 1))).then_some(*now)),
                Err(error) => Err(error.clone()),
            };
            // Who waits no more needs none.
            let _ = queued.answer.send(answer);
        }
    }

    fn arguments_of_many(&self, command: &mut Cmd, batch: &[Queued]) {
        command.arg(3 * batch.len());
        for Queued { tail, .. } in batch {
            command.arg(&tail.keys.meta).arg(&tail.keys.log).arg(&tail.keys.latest);
        }
        for Queued { tail, .. } in batch {
            command.arg(&tail.keys.channel);
        }
        for Queued { tail, writing, .. } in batch {
            command.arg(self.head(tail, writing, Turn::Any));
            values_of(command, writing);
        }
    }
}

/// The time, and the numbers of those that weren't appended, from 1.
fn read(answer: &Value) -> Result<(Timestamp, Vec<u64>), StoreError> {
    if let Value::Int(now) = answer {
        return Ok((Timestamp(*now), Vec::new()));
    }
    let Value::Array(parts) = answer else {
        return Err(StoreError::Corrupt("a script's answer can't be read".into()));
    };
    let mut numbers = parts.iter().map(number);
    let now = Timestamp(numbers.next().unwrap_or_default() as i64);
    Ok((now, numbers.collect()))
}
