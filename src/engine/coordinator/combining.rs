//! The results of steps that end in a batch.
//!
//! They are made before the append, so that a step's end and its result are stored together or not at all. Payloads
//! aren't part of a session's state: they come from the store, and from the batch itself.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::Shared;
use super::leases::Renewing;
use super::task::SessionTask;
use super::writings::Writing;
use crate::domain::aggregate::step::{StepLog, combined};
use crate::domain::entry::Entry;
use crate::domain::ids::{SessionKey, StepId};
use crate::domain::record::{Record, SubagentStatus};
use crate::domain::session::{Batch, Combined, SessionState, Spent, StepState};
use crate::domain::story::{Made, WRITING};
use crate::domain::synthesis::budget::Price;
use crate::domain::text::tokens;
use crate::engine::computing::{compute, read_ahead};
use crate::engine::ports::result_cache::{ResultCache, Snapshot, StoreError};
use crate::engine::synthesis::StepWriter;

const PAUSE: Duration = Duration::from_millis(100);

/// What results were made for a batch, in order, and how.
pub(super) type Results = Vec<(Combined, Made)>;

/// How giving a batch its results ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Combining {
    /// It has them.
    Done,
    /// It has them, but the log has moved by the renewal of calls: the same commands are decided on top of that.
    Renewed,
    /// Another replica wrote: nothing of it holds.
    Overtaken,
}

impl SessionTask {
    /// Gives every step that ends in this batch its result: those that were `made` before, for a batch of the same commands, and
    /// those that are made now. A store that is away is waited for until `give_up`. A long one keeps the session from deciding
    /// anything else, but not from saying that its calls are its own ([`leases`](super::leases)).
    pub(super) async fn combine(
        &mut self,
        batch: &mut Batch<'_>,
        made: &mut Results,
        give_up: Instant,
    ) -> Result<Combining, StoreError> {
        made.iter().for_each(|(combined, _)| batch.combine(combined));
        if batch.to_combine().is_none() {
            return Ok(Combining::Done);
        }
        let mut log = StepLog::default();
        log.add_all(&stored(&*self.shared.cache, &self.key, give_up).await?);
        let (mut known, mut combining) = (0, Combining::Done);
        while let Some(step) = batch.to_combine().map(|step| step.id().clone()) {
            for entry in &batch.entries()[known..] {
                log.add(entry);
            }
            known = batch.entries().len();
            let (state, log_bytes) = (batch.state().clone(), log.bytes());
            let why = batch.why_extractive(&step).map(str::to_owned);
            let joined_bytes = joined_bytes(&state, &step);
            let begun = Instant::now();
            let spent = given_up(&self.shared, &self.writings, state.step(&step), log_bytes);
            let make = move || (combined(&state, &step, &log, (why.as_deref(), spent)), log);
            let (combined, again) =
                match self.while_renewed(compute(log_bytes + joined_bytes, make), batch.now()).await {
                    Renewing::Done(value) => value,
                    Renewing::DoneRenewed(value) => {
                        combining = Combining::Renewed;
                        value
                    }
                    Renewing::Overtaken => return Ok(Combining::Overtaken),
                };
            log = again;
            batch.combine(&combined);
            let is_written = batch.state().step(&combined.step).is_some_and(|step| step.writing().is_some());
            let told = told(&self.shared, &combined, is_written, begun);
            made.push((combined, told));
        }
        Ok(combining)
    }
}

/// What joining the steps below one costs besides, as if it were bytes of texts: there may be many that said nothing.
fn joined_bytes(state: &SessionState, step: &StepId) -> usize {
    let below = state.step(step).map_or(0, |step| state.children(step).count());
    if below == 0 { 0 } else { 1_024 * state.steps.len() }
}

/// Makes ready what steps are combined with once one has a result: others that it expects leave time for that. Not before,
/// as it takes 75 MB that a service needs for nothing else.
pub(super) fn prepare(entries: &[Arc<Entry>]) {
    let is_result = |entry: &Arc<Entry>| {
        matches!(&entry.record, Record::Subagent { status: SubagentStatus::Success, .. })
    };
    if !tokens::is_read() && entries.iter().any(is_result) {
        read_ahead();
    }
}

/// What the writing of a step's answer has cost that ends with the step: as whoever writes it here counts it, about where it
/// is written elsewhere.
fn given_up(shared: &Shared, writings: &Writing, step: Option<&StepState>, read_bytes: usize) -> Spent {
    let Some((step, writing)) = step.and_then(|step| Some((step.id(), step.writing()?))) else {
        return Spent::default();
    };
    let number = writing.fence().map(|fence| fence.number);
    let here = writings.iter().find(|(ticket, _)| ticket.step == *step && Some(ticket.number) == number);
    let own = here.and_then(|(_, running)| running.so_far());
    let price = shared.writer.as_ref().map_or_else(Price::default, StepWriter::price);
    writing.given_up(read_bytes, price, own)
}

/// How a result was made.
fn told(shared: &Shared, combined: &Combined, is_written: bool, begun: Instant) -> Made {
    let (method, outcome) = match &combined.synthesis {
        Some(_) if is_written => ("llm", WRITING),
        Some(synthesis) if synthesis.summary.is_empty() => (synthesis.method, "blocked"),
        Some(synthesis) => (synthesis.method, "delivered"),
        None => ("none", "not_asked"),
    };
    Made {
        step: combined.step.clone(),
        method,
        outcome,
        begun_us: shared.clock.micros_at(begun),
        ended_us: shared.clock.micros_at(Instant::now()),
        tokens: combined.tokens,
        synthesis_length: combined.synthesis_length,
    }
}

/// The last events of the session's outputs. A store that is down is waited for, as an append waits.
async fn stored(
    cache: &dyn ResultCache,
    key: &SessionKey,
    give_up: Instant,
) -> Result<Vec<Arc<Entry>>, StoreError> {
    loop {
        match cache.snapshot(key).await.and_then(|found| found.map(Snapshot::unless_away).transpose()) {
            Ok(snapshot) => return Ok(snapshot.map(|snapshot| snapshot.entries).unwrap_or_default()),
            Err(error) if Instant::now() + PAUSE >= give_up => return Err(error),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}
