//! `StepWriter`: the answers of steps, as pieces of work that the log hands out.
//!
//! One [`WritingJob`] runs as long as its fence stands in the log. It makes the step's result from the log, has a language
//! model write on top of it, tells the log the draft as it grows, and in the end the answer. Readers come and go without
//! a word to it; whoever takes the step's time away ends it at once.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::outcome::Outcome;
use super::purse::Purse;
use super::told::Traced;
use super::write::{Synthesiser, Write};
use crate::domain::aggregate::step::{StepLog, step_result, synthesised};
use crate::domain::ids::SessionKey;
use crate::domain::session::{Command, SessionState, Spent, WritingTicket};
use crate::domain::synthesis::budget::Price;
use crate::domain::synthesis::draft::{Delta, merge};
use crate::engine::computing::off_thread;
use crate::engine::coordinator::AggregationCoordinator;
use crate::engine::invoke::{Stopped, Teller};
use crate::engine::ports::result_cache::{ResultCache, Snapshot};

/// A store that doesn't answer is asked again after this.
const PAUSE: Duration = Duration::from_millis(250);
/// Pieces of a draft in one append at most.
const PIECES_MAX: usize = 64;

/// Has the answers of steps written. Cheap to clone.
#[derive(Clone)]
pub struct StepWriter {
    shared: Arc<Shared>,
}

struct Shared {
    synthesiser: Synthesiser,
    cache: Arc<dyn ResultCache>,
    /// Pieces of a draft are collected so long.
    delta_pause: Duration,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// An answer to write, and the state of its session when it was taken.
pub struct WritingJob {
    /// Whose.
    pub key: SessionKey,
    /// What is written, and by which right.
    pub ticket: WritingTicket,
    /// The session.
    pub state: Arc<SessionState>,
    /// When it must be over.
    pub until: Instant,
}

/// A writing that runs. Dropping it cancels it.
pub struct RunningWriting {
    _cancel: DropGuard,
    purse: PurseOfStep,
}

/// What pays for an answer, once anybody may be asked. Only looked at: its end is that of the writing, which tells the log.
type PurseOfStep = Arc<OnceLock<Weak<Purse>>>;

impl RunningWriting {
    /// What it has cost until now, calls under way included; `None` where it has ended and tells the log itself.
    pub fn so_far(&self) -> Option<Spent> {
        let Some(purse) = self.purse.get() else { return Some(Spent::default()) };
        Some(purse.upgrade()?.so_far().into())
    }
}

impl StepWriter {
    /// Writes by way of `synthesiser` what a store holds.
    pub fn new(synthesiser: Synthesiser, cache: Arc<dyn ResultCache>, delta_pause: Duration) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        Self { shared: Arc::new(Shared { synthesiser, cache, delta_pause, tasks, stop }) }
    }

    /// Begins a writing.
    pub fn start(&self, job: WritingJob, coordinator: AggregationCoordinator) -> RunningWriting {
        let cancel = self.shared.stop.child_token();
        let teller = Teller { coordinator, key: job.key.clone() };
        let purse = PurseOfStep::default();
        let writing = Running { shared: self.shared.clone(), job, teller, purse: purse.clone() };
        let cancelled = cancel.clone();
        self.shared.tasks.spawn(async move {
            cancelled.run_until_cancelled(writing.run()).await;
        });
        RunningWriting { _cancel: cancel.drop_guard(), purse }
    }

    /// What a call is likely to cost: the price of the model that is asked first.
    pub fn price(&self) -> Price {
        self.shared.synthesiser.price()
    }

    /// Cancels what runs: whoever goes on with the session writes again.
    pub async fn finish(&self) {
        self.shared.stop.cancel();
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

struct Running {
    shared: Arc<Shared>,
    job: WritingJob,
    teller: Teller,
    purse: PurseOfStep,
}

impl Running {
    async fn run(self) {
        let Some((mut write, earlier)) = self.prepare().await else { return };
        let synthesiser = &self.shared.synthesiser;
        write.budget = synthesiser.parts.models.as_ref().map(|models| synthesiser.purse_of(models, &write));
        if let Some(purse) = &write.budget {
            self.purse.get_or_init(|| Arc::downgrade(purse));
        }
        write.traced = self.traced();
        let (drafts, said) = mpsc::unbounded_channel();
        let writing = self.shared.synthesiser.write(write, drafts);
        let (outcome, ()) = tokio::join!(writing, self.tell_drafts(said));
        let Outcome { result, written, mut spent, .. } = outcome;
        spent.add(earlier);
        let synthesised = Box::new(synthesised(&result, Some(&written), spent));
        let written = Command::Written { ticket: self.job.ticket.clone(), synthesised };
        if let Err(Stopped::Refused(failure)) = self.teller.tell(vec![written]).await {
            // The step's own bound ends it with the extractive answer.
            tracing::error!(error = %failure, session = %self.job.key.session, "an answer was not taken");
        }
    }

    fn traced(&self) -> Option<Traced> {
        let WritingJob { key, ticket, state, .. } = &self.job;
        let of = (state.step(&ticket.step)?, ticket.number);
        Traced::of_step(self.shared.synthesiser.telemetry(), key, of, &self.teller.coordinator)
    }

    /// What there is to write about, and about what those have spent on it who had it before and tell nobody any more;
    /// `None` where the session is gone or the time is over.
    async fn prepare(&self) -> Option<(Write, Spent)> {
        let WritingJob { key, ticket, state, until } = &self.job;
        let snapshot = loop {
            let snapshot = self.shared.cache.snapshot(key).await;
            match snapshot.and_then(|found| found.map(Snapshot::unless_away).transpose()) {
                Ok(snapshot) => break snapshot?,
                Err(_) if Instant::now() >= *until => return None,
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        };
        let (state, step) = (state.clone(), ticket.step.clone());
        let price = self.shared.synthesiser.price();
        let make = move || {
            let mut log = StepLog::default();
            log.add_all(&snapshot.entries);
            let of = state.step(&step)?;
            let earlier = of.writing()?.given_up(log.bytes(), price, Some(Spent::default()));
            Some((step_result(&state, of, &log), of.directive.clone(), state.spent, earlier))
        };
        let (baseline, directive, mut spent, earlier) = off_thread(make).await?;
        spent.add(earlier);
        let (of_step, tenant) = (Some((key.clone(), ticket.step.clone())), key.tenant.to_string());
        Some((Write { of_step, spent, tenant, ..Write::of_step(&directive, baseline, *until) }, earlier))
    }

    /// Tells the log the draft as it grows: its first piece at once, later ones collected for a while.
    async fn tell_drafts(&self, mut said: UnboundedReceiver<Vec<Delta>>) {
        let mut next_at = Instant::now();
        while let Some(mut deltas) = said.recv().await {
            // Until then, or until the draft is whole: then nothing waits any more.
            while let Ok(Some(more)) = timeout_at(next_at, said.recv()).await {
                deltas.extend(more);
            }
            let mut deltas = merge(deltas);
            while !deltas.is_empty() {
                let rest = deltas.split_off(deltas.len().min(PIECES_MAX));
                let ticket = self.job.ticket.clone();
                let told = self.teller.tell(vec![Command::WritingSaid { ticket, deltas }]).await;
                if let Err(stopped) = told {
                    if let Stopped::Refused(failure) = stopped {
                        // The answer itself is never refused; only its draft isn't shown any more.
                        tracing::info!(error = %failure, "a draft isn't shown");
                    }
                    return;
                }
                deltas = rest;
            }
            next_at = Instant::now() + self.shared.delta_pause;
        }
    }
}
