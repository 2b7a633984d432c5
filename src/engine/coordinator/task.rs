//! The task of one active session.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::{Request, Shared, SubmitError};
use crate::domain::ids::SessionKey;
use crate::domain::position::{Epoch, Position};
use crate::domain::record::Answer;
use crate::domain::session::SessionState;
use crate::domain::verdict::Refusal;
use crate::engine::ports::result_cache::{Loaded, Presence};

/// Pause after a deadline that couldn't be stored.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a session without a deadline sleeps at most between looks.
const FAR: Duration = Duration::from_secs(86_400);

/// One session, its inbox and what it is deciding.
pub(super) struct SessionTask {
    pub(super) shared: Arc<Shared>,
    pub(super) key: SessionKey,
    inbox: mpsc::Receiver<Request>,
    /// To know the registry's entry as this task's own: a session that was forgotten may have another task already.
    own_inbox: mpsc::WeakSender<Request>,
    pub(super) state: Arc<SessionState>,
    /// Requests that were taken out of the inbox and aren't answered yet, in order.
    pub(super) waiting: VecDeque<Waiting>,
}

/// A request and what of it is stored.
pub(super) struct Waiting {
    pub(super) request: Request,
    pub(super) answers: Vec<Result<Answer, Refusal>>,
}

impl SessionTask {
    pub(super) fn new(
        shared: Arc<Shared>,
        key: SessionKey,
        (sender, inbox): (&mpsc::Sender<Request>, mpsc::Receiver<Request>),
        loaded: Loaded,
    ) -> Self {
        let state = match loaded.presence {
            Presence::Live(state) => state,
            Presence::Expired(position) => Arc::new(SessionState::new(key.session.clone(), position)),
            Presence::Unknown => {
                let epoch = Epoch::from_random(fastrand::u32(..));
                Arc::new(SessionState::new(key.session.clone(), Position::start(epoch)))
            }
        };
        Self { shared, key, inbox, own_inbox: sender.downgrade(), state, waiting: VecDeque::new() }
    }

    /// Runs until the session is idle, forgotten, or the service stops.
    pub(super) async fn run(mut self) {
        let mut idle_since = Instant::now();
        let mut not_before = idle_since;
        // Both are armed once and kept: making them anew for each request costs more than deciding it.
        let mut timer = pin!(sleep_until(idle_since));
        let mut stopped = pin!(self.shared.stop.clone().cancelled_owned());
        loop {
            let due = self.state.next_deadline().map(|at| self.shared.clock.instant_of(at).max(not_before));
            let wake_at = due.unwrap_or_else(|| idle_since + self.shared.settings.idle.min(FAR));
            if timer.deadline() > wake_at || timer.is_elapsed() {
                timer.as_mut().reset(wake_at);
            }
            tokio::select! {
                biased;
                () = &mut stopped => break,
                request = self.inbox.recv() => match request {
                    Some(request) => {
                        self.take(request);
                        idle_since = Instant::now();
                    }
                    None => break,
                },
                () = &mut timer => {
                    let idle = due.is_none() && Instant::now() >= wake_at;
                    if idle && self.passivate() {
                        break;
                    }
                }
            }
            self.drain_inbox();
            if !self.commit().await {
                not_before = Instant::now() + PAUSE;
            }
        }
        self.refuse_the_rest();
    }

    fn take(&mut self, request: Request) {
        self.waiting.push_back(Waiting { request, answers: Vec::new() });
    }

    /// What has come meanwhile joins the next append.
    pub(super) fn drain_inbox(&mut self) {
        while self.waiting.len() < self.shared.settings.batch_entries {
            let Ok(request) = self.inbox.try_recv() else { return };
            self.take(request);
        }
    }

    /// Closes the inbox under the registry's lock; a request that is in it already cancels that.
    fn passivate(&mut self) -> bool {
        let inbox = &mut self.inbox;
        let own = self.own_inbox.upgrade();
        let removed = self.shared.active.remove_if(&self.key, |_, known| {
            let empty = own.as_ref().is_some_and(|own| own.same_channel(known)) && inbox.is_empty();
            if empty {
                inbox.close();
            }
            empty
        });
        removed.is_some()
    }

    /// Whoever still waits is told that nothing was decided.
    fn refuse_the_rest(&mut self) {
        self.inbox.close();
        while let Ok(request) = self.inbox.try_recv() {
            self.take(request);
        }
        self.stop_all(&SubmitError::Draining);
        let own = self.own_inbox.upgrade();
        self.shared.active.remove_if(&self.key, |_, known| own.is_some_and(|own| own.same_channel(known)));
    }
}
