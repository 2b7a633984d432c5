//! `Invoker`: subagents that are called instead of pushing.
//!
//! One [`CallJob`] is one attempt of one output. It runs as a task of its own as long as its fence stands in the log,
//! turns what the subagent answers into commands that carry that fence, and says in the end whether it failed; whether
//! there is another attempt, and when, is decided with the log ([`crate::domain::session`]).

mod asking;
mod attempt;
mod breakers;
mod broken;
mod checked;
mod failure_to_call;
mod heard;
mod inquiry;
mod open_task;
mod pace;
mod request;
mod telling;
mod told;
mod webhook;
mod withdrawal;

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use crate::domain::backoff::BackoffSettings;
use crate::domain::breaker::{BreakerSettings, BreakerView};
use crate::domain::ids::{SessionKey, SubagentKey, TenantId};
use crate::domain::protocols::Bounds;
use crate::domain::record::SubagentStatus;
use crate::domain::session::{
    CallGate, CallTicket, Notice, NoticeTicket, ReplicaId, StepState, SubagentState,
};
use crate::domain::time::Timestamp;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::ports::probe_tokens::ProbeTokens;
use crate::engine::ports::subagent::Subagents;
use crate::engine::telemetry::Telemetry;
use attempt::Attempt;
pub use breakers::Admission;
use breakers::Breakers;
pub(in crate::engine) use telling::{Stopped, Teller};
use webhook::NoticeJob;
pub use webhook::Webhook;

/// Posts to the orchestrator at once, and withdrawals at once. Both are beside the calls of subagents, which they never keep
/// from their places: a receiver that hangs would make subagents that are well run out of time.
const BESIDE_MAX: usize = 64;

/// Settings of calls. Every field is a key of the configuration.
#[derive(Debug, Clone)]
pub struct InvokeSettings {
    /// Calls of this process at once; more wait while their deadlines run.
    pub calls_max: usize,
    /// For how long a call is this replica's own; `None` where there is no other.
    pub lease: Option<Duration>,
    /// How long to wait before the next attempt.
    pub backoff: BackoffSettings,
    /// When a subagent isn't called for a while.
    pub breaker: BreakerSettings,
    /// How much of an answer is held.
    pub bounds: Bounds,
    /// The subagents that figures name; all others are one. Whoever posts a directive makes up keys.
    pub named: BTreeSet<SubagentKey>,
}

/// Calls subagents. Cheap to clone.
#[derive(Clone)]
pub struct Invoker {
    shared: Arc<Shared>,
}

struct Shared {
    replica: ReplicaId,
    subagents: Arc<dyn Subagents>,
    webhook: Option<Arc<Webhook>>,
    settings: InvokeSettings,
    breakers: Arc<Breakers>,
    telemetry: Telemetry,
    places: Semaphore,
    posts: Semaphore,
    withdrawals: Semaphore,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// An output to call for, as its session's state had it when its call was taken.
pub struct CallJob {
    key: SessionKey,
    ticket: CallTicket,
    step: Arc<StepState>,
    subagent: Arc<SubagentState>,
}

impl CallJob {
    /// The job of a ticket.
    pub fn new(
        key: &SessionKey,
        ticket: CallTicket,
        step: &Arc<StepState>,
        subagent: &Arc<SubagentState>,
    ) -> Self {
        Self { key: key.clone(), ticket, step: step.clone(), subagent: subagent.clone() }
    }

    /// When it must be over.
    fn deadline(&self) -> Timestamp {
        self.subagent.deadline.min(self.step.deadline)
    }
}

/// A call that runs. Dropping it cancels it.
pub struct RunningCall {
    cancel: CancellationToken,
    attempt: Arc<Attempt>,
}

impl RunningCall {
    /// Cancels the call, as its output is with another attempt or replica, or has `ended`. That it ran out of time tells
    /// something about a subagent that was asked; any other end doesn't. An agent whose answer came to nothing is told
    /// that nobody waits for it.
    pub fn end(&self, ended: Option<SubagentStatus>) {
        self.attempt.ends(ended);
        self.cancel.cancel();
    }

    /// Cancels the call, and leaves open whether somebody waits for its agent: [`RunningCall::withdraw`] may follow.
    pub fn stop(&self) {
        self.attempt.stops();
        self.cancel.cancel();
    }

    /// Tells the agent of a call that was stopped that nobody waits for it.
    pub fn withdraw(&self) {
        self.attempt.withdraw();
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Invoker {
    /// Calls by way of `subagents`. `tokens` are shared with other replicas, where there are any.
    pub fn new(
        subagents: Arc<dyn Subagents>,
        tokens: Option<Arc<dyn ProbeTokens>>,
        webhook: Option<Webhook>,
        settings: InvokeSettings,
        telemetry: Telemetry,
    ) -> Self {
        let shared = Shared {
            replica: ReplicaId(fastrand::u64(..)),
            subagents,
            webhook: webhook.map(Arc::new),
            breakers: Arc::new(Breakers::new(
                settings.breaker,
                tokens,
                settings.named.clone(),
                telemetry.meters.clone(),
            )),
            places: Semaphore::new(settings.calls_max.clamp(1, Semaphore::MAX_PERMITS)),
            posts: Semaphore::new(BESIDE_MAX),
            withdrawals: Semaphore::new(BESIDE_MAX),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            telemetry,
            settings,
        };
        Self { shared: Arc::new(shared) }
    }

    /// This process, as the log names it.
    pub fn replica(&self) -> ReplicaId {
        self.shared.replica
    }

    /// For how long a call is its own, in milliseconds; `None` where there is no other replica.
    pub fn lease_ms(&self) -> Option<u64> {
        self.shared.settings.lease.map(|lease| lease.as_millis() as u64)
    }

    /// Whether a subagent may be called now, and the right to report what came of it.
    pub async fn gate(
        &self,
        tenant: &TenantId,
        subagent: &SubagentKey,
        now: Timestamp,
    ) -> (CallGate, Option<Admission>) {
        self.shared.breakers.gate(tenant, subagent, now).await
    }

    /// The breakers of a tenant's subagents that were called here, by key.
    pub fn breakers(&self, tenant: &TenantId, now: Timestamp) -> Vec<(SubagentKey, BreakerView)> {
        self.shared.breakers.views(tenant, now)
    }

    /// Begins an attempt.
    pub fn start(
        &self,
        job: CallJob,
        admission: Option<Admission>,
        coordinator: AggregationCoordinator,
    ) -> RunningCall {
        let cancel = self.shared.stop.child_token();
        let attempt = Arc::new(Attempt::new(self.shared.clone(), job, admission, coordinator));
        let (running, cancelled) = (attempt.clone(), cancel.clone());
        let task = async move {
            // `run_until_cancelled` would hold the room of a call twice.
            let run = pin!(running.run());
            tokio::select! {
                // What it has told may be what ends it: then it is at its own end.
                biased;
                () = run => {}
                () = cancelled.cancelled() => running.was_cancelled(),
            }
        };
        self.shared.tasks.spawn(task);
        RunningCall { cancel, attempt }
    }

    /// How many breakers are closed, open and half-open, by the name of the subagent in figures.
    pub fn breaker_counts(&self) -> BTreeMap<(String, &'static str), usize> {
        self.shared.breakers.counts()
    }

    /// Whether safety decisions are posted from here.
    pub fn notifies(&self) -> bool {
        self.shared.webhook.is_some()
    }

    /// Posts a safety decision to the orchestrator, until what comes back is dropped.
    pub fn notify(
        &self,
        key: &SessionKey,
        (ticket, notice): (NoticeTicket, &Notice),
        coordinator: AggregationCoordinator,
    ) -> Option<DropGuard> {
        let webhook = self.shared.webhook.clone()?;
        let shared = self.shared.clone();
        let cancel = self.shared.stop.child_token();
        let job = NoticeJob::new(key, ticket, notice);
        let cancelled = cancel.clone();
        self.shared.tasks.spawn(async move {
            cancelled.run_until_cancelled(webhook::post(&webhook, &shared, job, coordinator)).await;
        });
        Some(cancel.drop_guard())
    }

    /// Gives calls that run so long to finish, then cancels them, and waits until they are gone.
    pub async fn finish(&self, patience: Duration) {
        self.shared.tasks.close();
        let finished = tokio::time::timeout(patience, self.shared.tasks.wait()).await;
        if finished.is_err() {
            tracing::info!(
                calls = self.shared.tasks.len(),
                "calls that take too long to finish are cancelled"
            );
        }
        self.shared.stop.cancel();
        self.shared.tasks.wait().await;
    }
}
