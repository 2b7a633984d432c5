//! One synthesis, within its time and its budget: what was written, or the extractive result and why it is that.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{Instant, timeout_at};

use super::asking::Asker;
use super::explanations::Explanations;
use super::fallen::{DEADLINE, Fallbacks, Fallen, Of, UNFIT};
use super::models::Models;
use super::outcome::{Done, Outcome};
use super::purse::{Accounts, SharedBudget};
use super::readers::Readers;
use super::spending::Spending;
use super::told::Traced;
use crate::domain::aggregate::Question;
use crate::domain::aggregate::result::{AggregatedResult, Method};
use crate::domain::directive::{SynthesisMode, SynthesisOptions, TaskType};
use crate::domain::ids::{SessionKey, StepId};
use crate::domain::session::Spent;
use crate::domain::synthesis::draft::Delta;
use crate::domain::synthesis::prompt::{PromptLibrary, Purpose};
use crate::domain::synthesis::written::{Usage, Written, apply};
use crate::engine::ports::completion_cache::CacheError;
use crate::engine::telemetry::Telemetry;

/// A name for the prompt that is used where none is named.
pub(super) const USUAL_PROMPT: &str = "default";
/// Why an answer is extracted that a language model was to write.
pub(super) const NO_MODEL: &str = "no language model is configured";
/// The same where the time was over.
pub(super) const LATE: &str = "the language model didn't finish in time";
/// Kept free at the end of the time for checks and for the result to be stored.
pub(super) const RESERVED: Duration = Duration::from_millis(500);

/// What a [`Synthesiser`] is made of.
pub struct SynthesiserParts {
    /// Who is asked; `None`: nobody, and everything is extracted.
    pub models: Option<Models>,
    /// Who judges what was written, if anybody.
    pub judge: Option<Models>,
    /// How they are asked.
    pub prompts: Arc<PromptLibrary>,
    /// What one answer may cost.
    pub request: Spending,
    /// What a session may cost.
    pub session: Spending,
    /// How long one answer may take.
    pub timeout: Duration,
    /// How answers of steps were written, for a while.
    pub explanations: Explanations,
    /// What is told of it.
    pub telemetry: Telemetry,
}

/// Has language models write, and checks what they wrote. Cheap to clone.
#[derive(Clone)]
pub struct Synthesiser {
    pub(super) parts: Arc<SynthesiserParts>,
    pub(super) accounts: Arc<Accounts>,
    pub(super) fallbacks: Arc<Fallbacks>,
}

/// What is to be written about, and how.
#[derive(Debug, Clone)]
pub struct Write {
    /// The extractive result.
    pub baseline: AggregatedResult,
    /// What was asked.
    pub question: Question,
    /// What kind of task it is.
    pub task_type: Option<TaskType>,
    /// How the result should be made.
    pub instructions: Option<String>,
    /// The document that it becomes a part of.
    pub document_context: Option<String>,
    /// How it is written, as its [task](SynthesisOptions::of_task) asks for.
    pub options: SynthesisOptions,
    /// The step whose answer it is: it pays together with what is written of its session meanwhile, and how it is written
    /// is kept for a while. Absent: it stands alone.
    pub of_step: Option<(SessionKey, StepId)>,
    /// What that session has spent before, by its log.
    pub spent: Spent,
    /// When it must be over.
    pub until: Instant,
    /// Whose it is: answers that are kept aren't shared between tenants.
    pub tenant: String,
    /// What pays for it together with others; absent: its own.
    pub budget: Option<SharedBudget>,
    /// Where its stages are told as spans; absent: nowhere.
    pub traced: Option<Traced>,
}

impl Synthesiser {
    /// A synthesiser of these parts.
    pub fn new(parts: SynthesiserParts) -> Self {
        Self { parts: Arc::new(parts), accounts: Arc::default(), fallbacks: Arc::default() }
    }

    /// Where what happens is told.
    pub fn telemetry(&self) -> &Telemetry {
        &self.parts.telemetry
    }

    /// How answers of steps were written by this replica.
    pub fn explanations(&self) -> &Explanations {
        &self.parts.explanations
    }

    /// A session is deleted: lets go of what is kept of it.
    ///
    /// # Errors
    /// Where it isn't known whether the models' answers are let go of.
    pub async fn forget(&self, session: &SessionKey) -> Result<(), CacheError> {
        self.explanations().forget(session);
        match &self.parts.models {
            Some(models) => models.forget(session).await,
            None => Ok(()),
        }
    }

    /// Whether anybody can be asked.
    pub fn has_model(&self) -> bool {
        self.parts.models.is_some()
    }

    /// The prompts that may be named: for answers out of context sheets, or for everything else.
    pub fn prompt_names(&self, for_answers: bool) -> BTreeSet<String> {
        let fits = |purpose: Purpose| match purpose {
            Purpose::Retrieval | Purpose::Reasoning | Purpose::Composition => !for_answers,
            Purpose::Answer => for_answers,
            Purpose::Repair | Purpose::Judge => false,
        };
        let fitting = self.parts.prompts.prompts().filter(|prompt| fits(prompt.purpose));
        let names = fitting.map(|prompt| prompt.name.clone());
        names.chain([USUAL_PROMPT.to_owned()]).collect()
    }

    /// When a synthesis that begins now must be over.
    pub fn until(&self, options: &SynthesisOptions) -> Instant {
        let own = options.budget.as_ref().and_then(|budget| budget.time_ms).map(Duration::from_millis);
        Instant::now() + own.map_or(self.parts.timeout, |own| own.min(self.parts.timeout))
    }

    /// Writes. Dropping the future ends every call at once. Pieces of the draft go to `drafts` as the model writes.
    pub async fn write(&self, write: Write, drafts: UnboundedSender<Vec<Delta>>) -> Outcome {
        if write.options.mode != SynthesisMode::Llm {
            let (result, written) = (write.baseline, Written::extractive(""));
            return Done::default().with(result, written);
        }
        let Some(models) = self.parts.models.as_ref() else {
            return extracted(write, NO_MODEL, Done::default());
        };
        let mut asker = Asker::of(self, models, &write);
        let left = write.until.saturating_duration_since(Instant::now());
        let limit = Instant::now() + (left - RESERVED.min(left / 4));
        let readers = Readers::new(drafts, write.options.on_low_quality);
        let work = self.written(&write, &mut asker, &readers, limit);
        let written = timeout_at(limit, work).await;
        if written.is_err() {
            asker.fallen = Some(Fallen::of(DEADLINE, &asker.models));
        }
        let (fallen, of) = (asker.fallen.take(), Of::write(&write));
        let done = asker.finish();
        let mut outcome = match written {
            Ok(Ok((result, written))) => done.with(result, written),
            Ok(Err(reason)) => extracted(write, &reason, done),
            Err(_) => extracted(write, LATE, done),
        };
        if outcome.result.metadata.method == Method::Extractive {
            readers.take_back();
            self.fallbacks.tell(&fallen.unwrap_or_else(|| Fallen::of(UNFIT, models)), &of);
        }
        let cost = outcome.spent.micros as f64 / 1e6;
        outcome.written.cost = (cost > 0.0).then_some(cost);
        outcome.written.usage = Usage::of(&outcome.stages, outcome.spent.calls);
        self.count(&outcome);
        outcome
    }

    fn count(&self, outcome: &Outcome) {
        let meters = &self.parts.telemetry.meters;
        let counts = &outcome.written.counts;
        // Also of a draft of which nothing is delivered: whoever judges a model by these has to see its bad ones.
        for (became, count) in [
            ("kept", counts.kept.saturating_sub(counts.repaired)),
            ("repaired", counts.repaired),
            ("twin", counts.twins),
            ("dropped", counts.dropped),
        ] {
            meters.synthesis_items(became, count as u64);
        }
        let is_written = outcome.result.metadata.method == Method::Llm;
        meters.synthesised("llm", if is_written { "delivered" } else { "fell_back" });
    }
}

/// The extractive result, and why it is that.
fn extracted(write: Write, reason: &str, done: Done) -> Outcome {
    let written = Written::extractive(reason);
    let result = apply(write.baseline, &written, &write.options);
    done.with(result, written)
}

pub(super) fn purpose_of(task_type: Option<TaskType>) -> Purpose {
    match task_type {
        Some(TaskType::Reasoning) => Purpose::Reasoning,
        Some(TaskType::Composition) => Purpose::Composition,
        Some(TaskType::Retrieval) | None => Purpose::Retrieval,
    }
}

/// The numbers of a result's sources.
pub(super) fn ids(result: &AggregatedResult) -> BTreeSet<u32> {
    result.sources.iter().map(|source| source.id).collect()
}

/// Who wrote, and how they were asked.
pub(super) struct Meta {
    pub(super) model: String,
    pub(super) prompt_version: String,
}
