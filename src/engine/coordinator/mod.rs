//! `AggregationCoordinator`: one task per active session decides, in order, what every input means.
//!
//! [`AggregationCoordinator::submit`] brings commands to the session and comes back when they are stored and ordered. Its
//! task starts with the first command and leaves memory when nothing runs and nobody speaks; the state comes back from the [`ResultCache`].

mod alarm;
mod answering;
mod bounds;
mod calls;
mod combining;
mod commit;
mod health;
mod known;
mod late;
mod leases;
mod left;
mod seat;
mod settings;
mod submission;
mod task;
mod telling;
mod waking;
mod writings;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use dashmap::{DashMap, Entry as MapEntry};
use foldhash::quality::RandomState;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::domain::ids::SessionKey;
use crate::domain::time::Timestamp;
use crate::engine::clock::StoreClock;
use crate::engine::invoke::Invoker;
use crate::engine::ports::result_cache::{Loaded, Lost, Presence, ResultCache};
use crate::engine::ports::wake_index::WakeIndex;
use crate::engine::synthesis::StepWriter;
use crate::engine::telemetry::Telemetry;
use seat::Seat;
pub use settings::CoordinatorSettings;
use submission::Request;
pub use submission::{Enqueued, Reply, Submission, SubmitError};
use task::SessionTask;

/// Accepts directives and everything that follows from them.
#[derive(Clone)]
pub struct AggregationCoordinator {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    /// For calls, which report to the coordinator that began them.
    own: Weak<Shared>,
    cache: Arc<dyn ResultCache>,
    /// Where other replicas find what this one leaves behind; `None` where there are no others.
    wake_index: Option<Arc<dyn WakeIndex>>,
    settings: CoordinatorSettings,
    clock: StoreClock,
    /// Who calls subagents; `None`: they push.
    invoker: Option<Invoker>,
    /// Who has answers written by language models; `None`: nobody.
    writer: Option<StepWriter>,
    telemetry: Telemetry,
    /// What the store lost, until it is decided again.
    undecided: Mutex<Vec<Lost>>,
    active: DashMap<SessionKey, Arc<Seat>, RandomState>,
    tasks: TaskTracker,
    draining: AtomicBool,
    /// Set before `stop`, for those who look often: a token is asked under a lock.
    stopped: AtomicBool,
    stop: CancellationToken,
}

impl AggregationCoordinator {
    /// A coordinator over a store. With an index of wake-ups other replicas take over what this one leaves behind; with an
    /// invoker it calls subagents, and with a writer, which needs the invoker's name, language models.
    pub fn new(
        cache: Arc<dyn ResultCache>,
        wake_index: Option<Arc<dyn WakeIndex>>,
        settings: CoordinatorSettings,
        (invoker, writer): (Option<Invoker>, Option<StepWriter>),
        telemetry: Telemetry,
    ) -> Self {
        let shared = Arc::new_cyclic(|own| Shared {
            own: own.clone(),
            cache,
            wake_index,
            settings,
            invoker,
            writer,
            telemetry,
            clock: StoreClock::default(),
            undecided: Mutex::default(),
            active: DashMap::default(),
            tasks: TaskTracker::new(),
            draining: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            stop: CancellationToken::new(),
        });
        Self { shared }
    }

    /// Has commands decided, stored and ordered, in their order.
    ///
    /// # Errors
    /// Where nothing was decided at all.
    pub async fn submit(&self, key: &SessionKey, submission: Submission) -> Result<Reply, SubmitError> {
        if self.shared.is_draining() {
            return Err(SubmitError::Draining);
        }
        self.report(key, submission).await
    }

    /// Takes a place in the session's order; the reply comes later. A sender may have several under way.
    ///
    /// # Errors
    /// Where nothing will be decided.
    pub async fn enqueue(&self, key: &SessionKey, submission: Submission) -> Result<Enqueued, SubmitError> {
        if self.shared.is_draining() {
            return Err(SubmitError::Draining);
        }
        self.send(key, submission, |request, _| Err(request)).await
    }

    /// What comes of a call that runs here: decided as long as tasks run, even when nothing new is taken.
    ///
    /// # Errors
    /// Where nothing was decided at all.
    pub(in crate::engine) async fn report(
        &self,
        key: &SessionKey,
        submission: Submission,
    ) -> Result<Reply, SubmitError> {
        self.send(key, submission, |request, seat| seat.decide(request)).await?.reply().await
    }

    /// Brings a request to its session: by `at_once` where that takes it, otherwise in turn.
    async fn send(
        &self,
        key: &SessionKey,
        mut submission: Submission,
        at_once: impl Fn(Request, &Seat) -> Result<(), Request>,
    ) -> Result<Enqueued, SubmitError> {
        loop {
            if self.shared.has_stopped() {
                return Err(SubmitError::Draining);
            }
            let seat = self.seat(key, submission.starts()).await;
            let seat = seat.inspect_err(|error| error.count(&self.shared.telemetry.meters))?;
            let (reply, answer) = oneshot::channel();
            let request = Request { submission, reply, came_at: Some(Instant::now()) };
            let Err(request) = at_once(request, &seat) else {
                return Ok(Enqueued(answer));
            };
            let sent = seat.inbox.send(request).await;
            // A task leaves the registry before its inbox closes, unless it ended without a word, by a panic: nobody else
            // would take it out, and this would go round for ever.
            if sent.is_err() {
                self.shared.active.remove_if(key, |_, known| Arc::ptr_eq(known, &seat));
            }
            // Not held while waiting: a seat that somebody holds keeps its session in memory.
            drop(seat);
            match sent {
                Ok(()) => return Ok(Enqueued(answer)),
                // The next round starts another.
                Err(mpsc::error::SendError(request)) => submission = request.submission,
            }
        }
    }

    /// How a session is reached; its task is started where it isn't running.
    async fn seat(&self, key: &SessionKey, starts: bool) -> Result<Arc<Seat>, SubmitError> {
        if let Some(seat) = self.shared.active.get(key) {
            return Ok(seat.clone());
        }
        let Shared { cache, .. } = &*self.shared;
        cache.settled().await;
        let ask = || if starts { cache.revive(key) } else { cache.load(key) };
        let mut loaded = ask().await?;
        // The look that comes before that may have found a loss.
        if matches!(loaded.presence, Presence::Unknown) && cache.settled().await {
            loaded = ask().await?;
        }
        if !starts && self.shared.keeps(&loaded) {
            loaded = cache.revive(key).await?;
        }
        self.shared.clock.observe(loaded.now);
        match (&loaded.presence, starts) {
            (Presence::Unknown, false) if cache.may_lack() => return Err(SubmitError::just_lost()),
            (Presence::Unknown, false) => return Err(SubmitError::UnknownSession),
            (Presence::Expired(_) | Presence::Archived(_), false) => return Err(SubmitError::SessionExpired),
            (Presence::Live(_), _) | (_, true) => {}
        }
        Ok(self.start_task(key, loaded))
    }

    /// How a session is reached; its task starts with this state where it isn't running.
    fn start_task(&self, key: &SessionKey, loaded: Loaded) -> Arc<Seat> {
        match self.shared.active.entry(key.clone()) {
            MapEntry::Occupied(running) => running.get().clone(),
            MapEntry::Vacant(place) => {
                let (inbox, requests) = mpsc::channel(self.shared.settings.inbox);
                let seat = Arc::new(Seat::new(inbox));
                place.insert(seat.clone());
                let task = SessionTask::new(self.shared.clone(), key.clone(), (&seat, requests), loaded);
                self.shared.tasks.spawn(seat.occupy(task.run()));
                seat
            }
        }
    }

    /// Takes a session up that has something to decide without anybody speaking: its deadlines.
    ///
    /// # Errors
    /// Where the store doesn't answer, or doesn't know it.
    pub async fn resume(&self, key: &SessionKey) -> Result<(), SubmitError> {
        self.seat(key, false).await.map(drop)
    }

    /// The store's time.
    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// The store's time at an instant of this process, in microseconds since 1970.
    pub(in crate::engine) fn micros_at(&self, at: Instant) -> i64 {
        self.shared.clock.micros_at(at)
    }

    /// Sessions in memory.
    pub fn active(&self) -> usize {
        self.shared.active.len()
    }

    /// Takes nothing new, and gives the calls that run here so long to finish; then cancels them.
    pub async fn finish_calls(&self, patience: Duration) {
        self.shared.draining.store(true, Ordering::Release);
        if let Some(invoker) = &self.shared.invoker {
            invoker.finish(patience).await;
        }
        if let Some(writer) = &self.shared.writer {
            writer.finish().await;
        }
    }

    /// Takes nothing new. What is being stored is stored, what isn't decided yet is answered `draining`.
    pub fn drain(&self) {
        self.shared.draining.store(true, Ordering::Release);
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.shared.stop.cancel();
        self.shared.tasks.close();
    }

    /// Waits until every session's task is gone.
    pub async fn drained(&self) {
        self.shared.tasks.wait().await;
    }
}

impl Shared {
    fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// Whether a session that only the archive still has is one that a restart left behind: its time isn't over, so who
    /// repeats what was acknowledged is told the same as before.
    fn keeps(&self, loaded: &Loaded) -> bool {
        let Presence::Archived(state) = &loaded.presence else { return false };
        u128::from(loaded.now.since_ms(state.last_at)) < self.settings.kept.as_millis()
    }

    /// Whether nothing is decided any more.
    fn has_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// The coordinator that this belongs to.
    fn coordinator(&self) -> AggregationCoordinator {
        let shared = self.own.upgrade().expect("a task holds what it belongs to");
        AggregationCoordinator { shared }
    }
}
