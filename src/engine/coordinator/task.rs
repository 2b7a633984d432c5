//! The task of one active session.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::alarm::Alarm;
use super::calls::{Admitted, Posting, Running, Watch};
use super::late::CountedLate;
use super::seat::{Hand, Seat};
use super::writings::Writing;
use super::{Request, Shared, SubmitError};
use crate::domain::ids::SessionKey;
use crate::domain::position::{Epoch, Position};
use crate::domain::record::Answer;
use crate::domain::session::{Command, SessionState};
use crate::domain::time::Timestamp;
use crate::domain::verdict::Refusal;
use crate::engine::ports::result_cache::{Loaded, Presence, StoreError};

/// How long a session without a deadline sleeps at most between looks.
const FAR: Duration = Duration::from_secs(86_400);

/// One session, its inbox and what it is deciding.
pub(super) struct SessionTask {
    pub(super) shared: Arc<Shared>,
    pub(super) key: SessionKey,
    inbox: mpsc::Receiver<Request>,
    /// What is handed over past the inbox.
    pub(super) hand: Arc<Hand>,
    /// To know the registry's entry as this task's own: a session that was forgotten may have another task already.
    own_seat: Weak<Seat>,
    pub(super) state: Arc<SessionState>,
    /// Requests that were taken out of the inbox and aren't answered yet, in order.
    pub(super) waiting: VecDeque<Waiting>,
    /// When other replicas look after the session, as far as this one has said so.
    pub(super) announced: Option<Timestamp>,
    /// After the store has failed, deadlines aren't tried again before.
    pub(super) rest_until: Instant,
    /// Since when the store may have been away: it answered what was begun then.
    pub(super) answered_at: Instant,
    /// Why nothing could be stored, while that is so.
    pub(super) away: Option<StoreError>,
    /// Calls that run here.
    pub(super) calls: Running,
    /// The state as it was when its calls were looked at last; `None`: this one has nothing in common with it.
    pub(super) followed: Option<Arc<SessionState>>,
    /// Looks after what other replicas write, while calls run.
    pub(super) watch: Option<Watch>,
    /// Posts of safety decisions that run here.
    pub(super) notices: Posting,
    /// Answers that are written here.
    pub(super) writings: Writing,
    /// What calls that are about to be taken may report.
    pub(super) admitted: Admitted,
    /// Whether what calls need is among what waits.
    pub(super) planned: bool,
    /// Late results that a repeat doesn't count again.
    pub(super) counted_late: CountedLate,
}

/// A request and what of it is stored.
pub(super) struct Waiting {
    pub(super) request: Request,
    pub(super) answers: Vec<Result<Answer, Refusal>>,
}

impl Waiting {
    /// Whether what is left of it only ends something.
    pub(super) fn may_end(&self) -> bool {
        self.request.submission.commands[self.answers.len()..].iter().all(Command::may_end)
    }
}

/// What ends a wait.
enum Heard {
    Request(Request),
    /// Something may be due.
    Alarm,
    /// The session was forgotten, or the service stops.
    End,
}

impl SessionTask {
    pub(super) fn new(
        shared: Arc<Shared>,
        key: SessionKey,
        (seat, inbox): (&Arc<Seat>, mpsc::Receiver<Request>),
        loaded: Loaded,
    ) -> Self {
        let state = state_of(&key, loaded.presence);
        let (hand, own_seat) = (seat.hand(), Arc::downgrade(seat));
        Self {
            shared,
            key,
            inbox,
            hand,
            own_seat,
            state,
            waiting: VecDeque::new(),
            announced: None,
            rest_until: Instant::now(),
            answered_at: Instant::now(),
            away: None,
            calls: Running::new(),
            followed: None,
            watch: None,
            notices: Posting::new(),
            writings: Writing::new(),
            admitted: Admitted::new(),
            planned: false,
            counted_late: CountedLate::default(),
        }
    }

    /// Runs until the session is idle, forgotten, or the service stops.
    pub(super) async fn run(mut self) {
        let mut idle_since = Instant::now();
        let mut alarm = Alarm::new(self.shared.stop.clone(), idle_since);
        loop {
            let due = self.next_due().map(|at| self.shared.clock.instant_of(at).max(self.rest_until));
            let wake_at = due.unwrap_or_else(|| idle_since + self.shared.settings.idle.min(FAR));
            alarm.set(wake_at);
            match poll_fn(|cx| self.poll_heard(&mut alarm, cx)).await {
                Heard::Request(request) => {
                    idle_since = request.came_at.unwrap_or_else(Instant::now);
                    self.take(request);
                }
                Heard::Alarm => {
                    if due.is_none() && Instant::now() >= wake_at {
                        if self.passivate() {
                            break;
                        }
                        idle_since = Instant::now();
                    }
                }
                Heard::End => break,
            }
            self.drain_inbox();
            self.commit().await;
        }
        if self.shared.has_stopped() {
            self.release_calls().await;
        } else {
            // It was forgotten: a session that rests has none.
            self.leave_calls();
        }
        self.refuse_the_rest().await;
    }

    /// Waits for somebody to speak, for the alarm, or for the end.
    fn poll_heard(&mut self, alarm: &mut Alarm, cx: &mut Context<'_>) -> Poll<Heard> {
        if self.shared.has_stopped() {
            return Poll::Ready(Heard::End);
        }
        if let Some(request) = self.hand.take() {
            return Poll::Ready(Heard::Request(request));
        }
        if let Poll::Ready(request) = self.inbox.poll_recv(cx) {
            return Poll::Ready(request.map_or(Heard::End, Heard::Request));
        }
        let gone_off = alarm.poll(cx);
        // It may have come between the first look and the waker that was left since.
        if self.shared.has_stopped() {
            return Poll::Ready(Heard::End);
        }
        if gone_off.is_pending() {
            self.hand.open();
        }
        gone_off.map(|()| Heard::Alarm)
    }

    /// Whether the store may have let the data go since the last append. It keeps what still runs.
    pub(super) fn is_stale(&self, now: Timestamp) -> bool {
        let known = self.state.position.sequence.0 > 0 && !self.state.has_open_step();
        let quiet_ms = now.since_ms(self.state.last_at);
        known && !self.waiting.is_empty() && u128::from(quiet_ms) >= self.shared.settings.fresh.as_millis()
    }

    /// Asks the store for the state. Where the data is gone, only directives go on, and what came after them.
    pub(super) async fn refresh(&mut self) {
        self.shared.cache.settled().await;
        // A store that doesn't answer is noticed by what comes next.
        let Ok(mut loaded) = self.shared.cache.load(&self.key).await else { return };
        let gone = match &loaded.presence {
            Presence::Live(_) => None,
            Presence::Expired(_) | Presence::Archived(_) => Some(SubmitError::SessionExpired),
            Presence::Unknown if self.shared.cache.may_lack() => Some(SubmitError::just_lost()),
            Presence::Unknown => Some(SubmitError::UnknownSession),
        };
        let first = self.waiting.iter().position(|waiting| waiting.request.submission.starts());
        let is_archived = matches!(loaded.presence, Presence::Archived(_));
        if first.is_some() && is_archived {
            // Nothing but a beginning is appended to a log that the store has let go, and there the archive's steps are
            // no beginning: they go back first.
            let Ok(revived) = self.shared.cache.revive(&self.key).await else { return };
            loaded = revived;
        }
        let is_unknown = matches!(loaded.presence, Presence::Unknown);
        let mut state = state_of(&self.key, loaded.presence);
        if is_unknown && !mutant!("epoch-begins-below-the-log") {
            // Above what there was: a log that lost its state refuses an epoch that begins below its end.
            Arc::make_mut(&mut state).position.sequence = self.state.position.sequence;
        }
        self.replace_state(state);
        let Some(gone) = gone else { return };
        let before = first.unwrap_or(self.waiting.len());
        for waiting in self.waiting.drain(..before) {
            // A sender that has hung up doesn't want to know.
            let _ = waiting.request.reply.send(Err(gone.clone()));
        }
    }

    pub(super) fn take(&mut self, request: Request) {
        self.waiting.push_back(Waiting { request, answers: Vec::new() });
        if mutant!("last-come-first-served") {
            self.waiting.rotate_right(1);
        }
    }

    /// What has come meanwhile joins the next append, unless it has waited for the store for long enough.
    pub(super) fn drain_inbox(&mut self) {
        loop {
            while self.waiting.len() < self.shared.settings.batch_entries
                && let Ok(request) = self.inbox.try_recv()
            {
                self.take(request);
            }
            if !self.refuse_overdue() {
                return;
            }
        }
    }

    /// Leaves the registry, unless somebody is about to speak. Senders get the seat under the registry's lock, and hold it
    /// until their request is in the inbox: where nobody holds it but the registry, and the inbox is empty, it stays empty.
    fn passivate(&mut self) -> bool {
        let inbox = &mut self.inbox;
        if !self.calls.is_empty() || !self.notices.is_empty() || !self.writings.is_empty() {
            return false;
        }
        let Some(own) = self.own_seat.upgrade() else { return true };
        let removed = self.shared.active.remove_if(&self.key, |_, known| {
            let only_known_here = Arc::strong_count(&own) == 2;
            // Whoever let the seat go had put its request into the inbox before.
            fence(Ordering::Acquire);
            let unheard = only_known_here && inbox.is_empty();
            Arc::ptr_eq(&own, known) && (unheard || mutant!("passivated-with-an-inbox"))
        });
        removed.is_some()
    }

    /// Whoever still waits is told that nothing was decided.
    async fn refuse_the_rest(&mut self) {
        self.inbox.close();
        if let Some(request) = self.hand.take() {
            self.take(request);
        }
        // Until `None`: a sender that was given a place before may still be about to use it.
        while let Some(request) = self.inbox.recv().await {
            self.take(request);
        }
        self.stop_all(&SubmitError::Draining);
        let own = self.own_seat.upgrade();
        self.shared.active.remove_if(&self.key, |_, known| own.is_some_and(|own| Arc::ptr_eq(&own, known)));
    }
}

/// The state to decide on: where there is no data, one without a step, after what there was.
fn state_of(key: &SessionKey, presence: Presence) -> Arc<SessionState> {
    let fresh = |position| Arc::new(SessionState::new(key.session.clone(), position));
    match presence {
        Presence::Live(state) | Presence::Archived(state) => state,
        Presence::Expired(position) => fresh(position),
        Presence::Unknown => fresh(Position::start(Epoch::from_random(fastrand::u32(..)))),
    }
}
