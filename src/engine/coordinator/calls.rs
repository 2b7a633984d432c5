//! The calls of a session's subagents: which are due, which run here, which are over.
//!
//! The log says who makes a call (its fence), and this task follows: what is due is taken by an append, a call runs as long
//! as its fence stands, and ends when it doesn't. So a call that is over for any reason, its deadline, safety, the
//! planner, another replica, is cancelled in one place.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::DropGuard;

use super::Shared;
use super::submission::{Request, Submission, SubmitError};
use super::task::SessionTask;
use crate::domain::ids::{ResultKey, SessionKey, StepId};
use crate::domain::session::{CallTicket, Command, NoticeTicket, SessionState};
use crate::domain::time::Timestamp;
use crate::engine::invoke::{Admission, CallJob, Invoker, RunningCall};
use crate::engine::mux::changed;

/// How long a change of the log waits for being this task's own.
const OWN_APPEND: Duration = Duration::from_millis(20);
/// How long a log that can't be followed is left alone.
const FOLLOW_AGAIN: Duration = Duration::from_secs(1);

/// Calls that run here, by their outputs.
pub(super) type Running = HashMap<(StepId, ResultKey), (CallTicket, RunningCall)>;
/// Posts of safety decisions that run here.
pub(super) type Posting = HashMap<NoticeTicket, DropGuard>;
/// What calls that are about to be taken may report to their breakers.
pub(super) type Admitted = HashMap<(StepId, ResultKey), Admission>;

impl SessionTask {
    /// When something is to be decided without anybody speaking.
    pub(super) fn next_due(&self) -> Option<Timestamp> {
        let work = self.caller().and_then(|invoker| self.next_work(invoker));
        [self.state.next_deadline(), work, self.renewal()].into_iter().flatten().min()
    }

    /// Who calls; nobody, once the service stops: what runs may finish, nothing new begins.
    fn caller(&self) -> Option<&Invoker> {
        self.shared.invoker.as_ref().filter(|_| !self.shared.is_draining())
    }

    /// When there is something to take for this replica.
    fn next_work(&self, invoker: &Invoker) -> Option<Timestamp> {
        let replica = invoker.replica();
        let notice = if invoker.notifies() { self.state.notices.next_for(replica) } else { None };
        [self.state.next_call(replica), notice, self.next_writing(replica)].into_iter().flatten().min()
    }

    /// When the calls of this replica are to be renewed: after a third of their time. Those that finish while the service
    /// stops are its own until they have.
    pub(super) fn renewal(&self) -> Option<Timestamp> {
        let invoker = self.shared.invoker.as_ref()?;
        let lease_ms = invoker.lease_ms()?;
        let replica = invoker.replica();
        let calls = self.state.calls_of(replica).filter_map(|(_, until)| until);
        let writings = self.state.writings_of(replica).filter_map(|(_, until)| until);
        let soonest = calls.chain(writings).min()?;
        Some(Timestamp(soonest.0.saturating_sub_unsigned(lease_ms - lease_ms / 3)))
    }

    /// Puts what calls need among what waits: those that are due are taken, those that run are renewed.
    pub(super) async fn plan_calls(&mut self, now: Timestamp) {
        let work = self.caller().and_then(|invoker| self.next_work(invoker));
        let due = [work, self.renewal()].into_iter().flatten().any(|at| at <= now);
        if !due || Instant::now() < self.rest_until || self.planned {
            return;
        }
        let Some(invoker) = self.shared.invoker.clone() else { return };
        let (replica, lease_ms) = (invoker.replica(), invoker.lease_ms());
        let mut commands = Vec::new();
        if let (Some(lease_ms), Some(at)) = (lease_ms, self.renewal())
            && at <= now
        {
            commands.push(Command::RenewCalls { replica, lease_ms });
        }
        let mut admitted = Admitted::new();
        if self.caller().is_some() {
            self.plan_takes(&invoker, now, &mut commands, &mut admitted).await;
            self.plan_writings((replica, lease_ms), now, &mut commands);
        }
        if !commands.is_empty() {
            self.planned = true;
            self.admitted = admitted;
            self.tell_itself(commands);
        }
    }

    /// Takes what is due, as far as breakers allow it.
    async fn plan_takes(
        &self,
        invoker: &Invoker,
        now: Timestamp,
        commands: &mut Vec<Command>,
        admitted: &mut Admitted,
    ) {
        let (replica, lease_ms) = (invoker.replica(), invoker.lease_ms());
        let is_due = |at: Option<Timestamp>| at.is_some_and(|at| at <= now);
        for (subagent, _) in self.state.calls().filter(|(_, call)| is_due(call.due_for(replica))) {
            let (gate, admission) = invoker.gate(&self.key.tenant, &subagent.output.stage, now).await;
            let (step, result_key) = (subagent.output.step.clone(), subagent.output.result_key.clone());
            if let Some(admission) = admission {
                admitted.insert((step.clone(), result_key.clone()), admission);
            }
            commands.push(Command::TakeCall { step, result_key, replica, lease_ms, gate });
        }
        for notice in self.state.notices.iter().filter(|notice| is_due(notice.due_for(replica))) {
            if invoker.notifies() {
                commands.push(Command::TakeNotice { decision: notice.decision, replica, lease_ms });
            }
        }
    }

    /// Takes a state that doesn't follow from the one before. Another epoch is another log: the same numbers of fences mean
    /// other calls there.
    pub(super) fn replace_state(&mut self, state: Arc<SessionState>) {
        if state.position.epoch != self.state.position.epoch {
            self.leave_calls();
            self.notices.clear();
            self.writings.clear();
        }
        self.followed = None;
        self.announced = None;
        self.state = state;
    }

    /// Ends the calls of a log that is gone.
    pub(super) fn leave_calls(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        self.hand.left.leave(calls.into_values().map(|(_, call)| call));
    }

    /// Nobody waits for the answer: what came of it is seen in the state.
    fn tell_itself(&mut self, commands: Vec<Command>) {
        let (reply, _) = oneshot::channel();
        let submission = Submission { commands, idempotency: None, places: Vec::new() };
        self.take(Request { submission, reply, came_at: None });
    }

    /// Whether something is due that [`SessionTask::plan_calls`] would take now.
    pub(super) fn has_due_call(&self) -> bool {
        let Some(invoker) = self.caller() else { return false };
        let next = self.next_work(invoker);
        next.is_some_and(|at| at <= self.shared.clock.now()) && Instant::now() >= self.rest_until
    }

    /// Begins the calls that this replica has taken and ends those that aren't its own any more.
    pub(super) fn follow_calls(&mut self) {
        // What was planned may take several appends; whoever doesn't get its call in them reports nothing.
        self.planned = self.waiting.iter().any(|waiting| waiting.request.reply.is_closed());
        let mut admitted = std::mem::take(&mut self.admitted);
        let Some(invoker) = self.shared.invoker.clone() else { return };
        let writes = self.follow_writings(invoker.replica());
        follow_notices(&mut self.notices, &invoker, (&self.key, &self.state), &self.shared);
        let any = self.state.steps.iter().any(|step| step.invokes && step.is_running());
        if !any && !writes && self.calls.is_empty() {
            (self.watch, self.followed) = (None, None);
            return;
        }
        self.follow_outputs(&invoker, &mut admitted);
        if self.calls.is_empty() && !writes {
            self.watch = None;
        } else if invoker.lease_ms().is_some() {
            let watch = self.watch.get_or_insert_with(|| Watch::begin(&self.shared, &self.key));
            watch.known.store(self.state.position.sequence.0, Ordering::Relaxed);
        }
        if self.planned {
            self.admitted = admitted;
        }
    }

    /// Looks at the outputs that have changed since it looked last: with a hundred calls in a session, a look at all of
    /// them for each one's answer costs more than everything else about it.
    fn follow_outputs(&mut self, invoker: &Invoker, admitted: &mut Admitted) {
        let state = self.state.clone();
        let before = self.followed.replace(state.clone());
        if before.is_none() {
            // What isn't in it has no end that could be told.
            self.calls
                .retain(|(step, key), _| state.step(step).is_some_and(|step| step.output(key).is_some()));
        }
        for (step, subagent) in state.called_since(before.as_deref()) {
            let output = (subagent.output.step.clone(), subagent.output.result_key.clone());
            let own = step.call_of(subagent, invoker.replica());
            if let Some((ticket, call)) = self.calls.get(&output) {
                if own.as_ref() == Some(ticket) {
                    continue;
                }
                call.end(Some(subagent.status));
                self.calls.remove(&output);
            }
            if let Some(ticket) = own {
                let job = CallJob::new(&self.key, ticket.clone(), step, subagent);
                let call = invoker.start(job, admitted.remove(&output), self.shared.coordinator());
                self.calls.insert(output, (ticket, call));
            }
        }
    }

    /// The service stops: what this replica didn't finish is for others, at once.
    pub(super) async fn release_calls(&mut self) {
        self.calls.clear();
        self.notices.clear();
        self.writings.clear();
        let Some(invoker) = self.shared.invoker.as_ref().filter(|invoker| invoker.lease_ms().is_some())
        else {
            return;
        };
        let replica = invoker.replica();
        let any = self.state.calls_of(replica).next().is_some();
        let writes = self.state.writings_of(replica).next().is_some();
        if any || writes || self.state.notices.of(replica).next().is_some() {
            // Whatever else waits is told that the service stops.
            self.stop_all(&SubmitError::Draining);
            self.tell_itself(vec![Command::ReleaseCalls { replica }]);
            self.commit().await;
        }
    }
}

/// Tells a session's task that another replica wrote, while calls run here that this may end.
pub(super) struct Watch {
    /// How far the task knows the log.
    known: Arc<AtomicU64>,
    _stop: DropGuard,
}

impl Watch {
    fn begin(shared: &Arc<Shared>, key: &SessionKey) -> Self {
        let (known, stop) = (Arc::new(AtomicU64::new(u64::MAX)), shared.stop.child_token());
        let watching = watch(shared.clone(), key.clone(), known.clone());
        shared.tasks.spawn(stop.clone().run_until_cancelled_owned(watching));
        Self { known, _stop: stop.drop_guard() }
    }
}

async fn watch(shared: Arc<Shared>, key: SessionKey, known: Arc<AtomicU64>) {
    let window = loop {
        match shared.cache.follow(&key).await {
            Ok(window) => break window,
            Err(_) => tokio::time::sleep(FOLLOW_AGAIN).await,
        }
    };
    loop {
        let tail = window.tail();
        // A log that is gone was deleted: there was one when the call began.
        if tail.position.is_none_or(|at| at.sequence.0 > known.load(Ordering::Relaxed)) {
            let looked = Submission::one(Command::Deadlines, None);
            if let Err(error) = shared.coordinator().report(&key, looked).await {
                tracing::debug!(%error, session = %key.session, "what another replica wrote was not looked at");
            }
        }
        changed(&window, tail.version).await;
        // The task's own append is in the window a little before the task has noted it.
        tokio::time::sleep(OWN_APPEND).await;
    }
}

/// Begins the posts that this replica has taken and ends those that aren't its own any more.
fn follow_notices(
    running: &mut Posting,
    invoker: &Invoker,
    (key, state): (&SessionKey, &SessionState),
    shared: &Shared,
) {
    if state.notices.is_empty() && running.is_empty() {
        return;
    }
    let own: Vec<_> = state.notices.of(invoker.replica()).collect();
    running.retain(|ticket, _| own.iter().any(|(own, _)| own == ticket));
    for (ticket, notice) in own {
        if !running.contains_key(&ticket) {
            let post = invoker.notify(key, (ticket, notice), shared.coordinator());
            running.extend(post.map(|post| (ticket, post)));
        }
    }
}
