//! Asking models for one synthesis: for its draft, its repair, its judgement. One budget pays for all of them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

use super::explaining::Explaining;
use super::models::{Ask, Completed, ModelSlot, Models, NoRequest, NotCompleted, OnText, TextSaid};
use super::noted::Unended;
use super::outcome::{Done, Stage};
use super::purse::SharedBudget;
use super::write::{Drafted, Meta, Synthesiser, USUAL_PROMPT, Write, ids};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::directive;
use crate::domain::ids::TenantId;
use crate::domain::session::Spent;
use crate::domain::synthesis::draft::{Delta, Draft, DraftStream, read, schema_text};
use crate::domain::synthesis::prompt::{
    Asked, NothingToSay, Prompt, PromptInput, Purpose, Window, ask, ask_judge, ask_repair, read_verdict,
};
use crate::domain::telemetry_names::span;
use crate::engine::ports::completion_cache::CacheKey;
use crate::engine::ports::language_model::{ModelRequest, ModelSchema};

/// A budget ends with the synthesis; calls are given what is left of it.
const LEAST_PATIENCE: Duration = Duration::from_millis(1);
/// What an answer takes of a window at most: a third.
const OUTPUT_SHARE: u32 = 3;
/// What a server may add to a request to tell the model its schema.
const SCHEMA_TOKENS: u32 = 400;

/// Asks, pays, and notes what was done.
pub(super) struct Asker<'s> {
    pub(super) synthesiser: &'s Synthesiser,
    models: &'s Models,
    tenant: String,
    budget: SharedBudget,
    until: Instant,
    pub(super) stages: Vec<Stage>,
    pub(super) explaining: Explaining<'s>,
}

impl<'s> Asker<'s> {
    /// For what is written, by its own budget or the one that it shares.
    pub(super) fn of(synthesiser: &'s Synthesiser, models: &'s Models, write: &Write) -> Self {
        let budget = write.budget.clone().unwrap_or_else(|| synthesiser.purse_of(models, write));
        let explaining = Explaining::new(synthesiser, write.of_step.as_ref(), budget.clone());
        let (tenant, until) = (write.tenant.clone(), write.until);
        Self { synthesiser, models, tenant, budget, until, stages: Vec::new(), explaining }
    }

    /// For an answer of `tenant` that stands alone.
    pub(super) fn alone(
        (synthesiser, models): (&'s Synthesiser, &'s Models),
        tenant: &TenantId,
        own: Option<&directive::Budget>,
        until: Instant,
    ) -> Self {
        let budget = synthesiser.purse(models, (None, Spent::default()), own, until);
        let explaining = Explaining::new(synthesiser, None, budget.clone());
        let tenant = tenant.to_string();
        Self { synthesiser, models, tenant, budget, until, stages: Vec::new(), explaining }
    }

    /// What was spent, and what was done.
    pub(super) fn finish(self) -> Done {
        Done { spent: self.budget.spent().into(), stages: self.stages }
    }

    /// A draft of the whole, as far as it can be read.
    pub(super) async fn draft(
        &mut self,
        write: &Write,
        purpose: Purpose,
        drafts: &UnboundedSender<Vec<Delta>>,
    ) -> Result<Drafted, String> {
        let prompt = self.prompt(write.options.prompt.as_deref(), purpose)?;
        let build = |slot: &ModelSlot| {
            let input = input(write, fastrand::u64(..));
            let asked = ask(prompt, &input, &slot.tokenizer, slot.window(prompt)).map_err(NoRequest::from)?;
            Ok(self.request(prompt, &asked, Some(schema_text(&asked.ids, write.options.format))))
        };
        let known = ids(&write.baseline);
        let mut stream = DraftStream::new(&known);
        let mut shown: BTreeSet<String> = BTreeSet::new();
        let mut on_text = |said: TextSaid<'_>| {
            let deltas = match said {
                TextSaid::Restart => {
                    stream = DraftStream::new(&known);
                    // The next draft may have fewer parts.
                    std::mem::take(&mut shown).into_iter().map(Delta::emptied).collect()
                }
                TextSaid::Text(text) => stream.push(text),
            };
            let begins = |delta: &&Delta| delta.offset == 0 && !delta.text.is_empty();
            shown.extend(deltas.iter().filter(begins).map(|delta| delta.path.clone()));
            if !deltas.is_empty() {
                // Whoever doesn't listen any more doesn't want to know.
                let _ = drafts.send(deltas);
            }
        };
        let begun = Instant::now();
        let asking = Asking { what: span::DRAFT, prompt, key: key_of(prompt, write) };
        let completed = self.complete(&asking, &build, &mut on_text).await;
        let deltas = stream.finish();
        if !deltas.is_empty() {
            let _ = drafts.send(deltas);
        }
        let prompt_version = prompt.version.clone();
        let completed = self.note(span::DRAFT, begun, completed)?;
        let reading = read(&completed.text).map_err(|none| format!("the draft can't be read: {none}"))?;
        if !reading.draft.findings.is_empty() {
            self.keep(&completed).await;
        }
        Ok(Drafted { draft: reading.draft, meta: Meta { model: completed.model, prompt_version } })
    }

    /// The items that failed, written once more; `None` where nobody does.
    pub(super) async fn repair(
        &mut self,
        write: &Write,
        items: &[(serde_json::Value, Vec<String>)],
    ) -> Option<Draft> {
        let prompt = self.synthesiser.parts.prompts.get(None, Purpose::Repair)?;
        let build = |slot: &ModelSlot| {
            let input = input(write, fastrand::u64(..));
            let asked = ask_repair(prompt, items, &input, &slot.tokenizer, slot.window(prompt))
                .map_err(NoRequest::from)?;
            Ok(self.request(prompt, &asked, Some(schema_text(&asked.ids, write.options.format))))
        };
        let begun = Instant::now();
        let failing = serde_json::to_vec(items).unwrap_or_default();
        let key = key_of(prompt, write).with([failing.as_slice()]);
        let asking = Asking { what: span::REPAIR, prompt, key };
        let completed = self.complete(&asking, &build, &mut |_| {}).await;
        let completed = self.note(span::REPAIR, begun, completed).ok()?;
        let draft = read(&completed.text).ok()?.draft;
        if !draft.findings.is_empty() {
            self.keep(&completed).await;
        }
        Some(draft)
    }

    /// What another model says of how well the answer hangs together; `None` where none is asked, or it can't tell.
    pub(super) async fn judge(&mut self, write: &Write, result: &AggregatedResult) -> Option<f64> {
        let judge = self.synthesiser.parts.judge.as_ref()?;
        let prompt = self.synthesiser.parts.prompts.get(None, Purpose::Judge)?;
        let question = write.question.text();
        let build = |slot: &ModelSlot| {
            let nonce = fastrand::u64(..);
            let asked =
                ask_judge(prompt, Some(&question), &result.body, nonce, &slot.tokenizer, slot.window(prompt))
                    .map_err(NoRequest::from)?;
            Ok(self.request(prompt, &asked, None))
        };
        let begun = Instant::now();
        let key = CacheKey::of([prompt.version.as_bytes(), question.as_bytes(), result.body.as_bytes()]);
        let asking = Asking { what: span::JUDGE, prompt, key };
        let completed = self.complete_by(judge, &asking, &build, &mut |_| {}).await;
        let completed = self.note(span::JUDGE, begun, completed).ok()?;
        let coherence = read_verdict(&completed.text).coherence;
        if coherence.is_some() {
            judge.keep(&completed).await;
        }
        coherence
    }

    /// The prompt of that name, or the usual one.
    pub(super) fn prompt(&self, named: Option<&str>, purpose: Purpose) -> Result<&'s Prompt, String> {
        let named = named.filter(|name| *name != USUAL_PROMPT);
        let prompt = self.synthesiser.parts.prompts.get(named, purpose);
        prompt.ok_or_else(|| format!("no prompt `{}` is configured", named.unwrap_or("")))
    }

    /// What is sent to a model.
    pub(super) fn request(&self, prompt: &Prompt, asked: &Asked, schema: Option<String>) -> ModelRequest {
        let json = schema.and_then(|schema| RawValue::from_string(schema).ok());
        ModelRequest {
            system: asked.system.clone(),
            user: asked.user.clone(),
            schema: json.map(|json| ModelSchema { name: "synthesis", json: Arc::from(json) }),
            temperature: prompt.temperature,
            output_tokens_max: prompt.output_tokens,
            patience: self.patience(),
        }
    }

    /// One completion, paid for by the budget of the whole.
    pub(super) async fn complete(
        &self,
        asking: &Asking<'_>,
        build: Ask<'_>,
        on_text: OnText<'_>,
    ) -> Result<Completed, NotCompleted> {
        self.complete_by(self.models, asking, build, on_text).await
    }

    async fn complete_by(
        &self,
        models: &Models,
        asking: &Asking<'_>,
        build: Ask<'_>,
        on_text: OnText<'_>,
    ) -> Result<Completed, NotCompleted> {
        self.explaining.begin(asking.what, asking.prompt);
        let unended = Unended::new(&self.synthesiser.parts.telemetry.meters, asking.what);
        let noting = |slot: &ModelSlot| {
            let request = build(slot)?;
            self.explaining.sends(slot, &request);
            unended.asked.store(true, Relaxed);
            Ok(request)
        };
        // Here and nowhere else, so that no question can be put without it: what a model told one tenant no other gets.
        let key = asking.key.with([self.tenant.as_bytes()]);
        let completed = models.complete(&noting, &self.budget, key, on_text).await;
        unended.end();
        completed
    }

    /// Keeps an answer that was of use.
    pub(super) async fn keep(&self, completed: &Completed) {
        self.models.keep(completed).await;
    }

    /// How long one call may take. One that hangs leaves time for the model after it.
    fn patience(&self) -> Duration {
        let left = self.until.saturating_duration_since(Instant::now());
        let of_this = if self.models.chain().len() > 1 { left * 2 / 3 } else { left };
        of_this.max(LEAST_PATIENCE)
    }
}

/// A question to models.
pub(super) struct Asking<'p> {
    /// What for: a span's name.
    pub(super) what: &'static str,
    /// How it is put.
    pub(super) prompt: &'p Prompt,
    /// What makes its answer what it is, but for whose it is.
    pub(super) key: CacheKey,
}

pub(super) fn input(write: &Write, nonce: u64) -> PromptInput<'_> {
    PromptInput {
        result: &write.baseline,
        query: write.question.query.as_deref(),
        goal: write.question.goal.as_deref(),
        instructions: write.instructions.as_deref(),
        document_context: write.document_context.as_deref(),
        options: &write.options,
        task_type: write.task_type,
        nonce,
    }
}

impl ModelSlot {
    /// The window that is left for a prompt's request and its answer.
    pub(super) fn window(&self, prompt: &Prompt) -> Window {
        Window {
            context_tokens: self.context_tokens.saturating_sub(SCHEMA_TOKENS) as usize,
            // A small window has room for both.
            output_tokens: prompt.output_tokens.min(self.context_tokens / OUTPUT_SHARE) as usize,
        }
    }
}

impl From<NothingToSay> for NoRequest {
    fn from(nothing: NothingToSay) -> Self {
        let code = match nothing {
            NothingToSay::Material => "nothing_to_say",
            NothingToSay::Window => "prompt_too_long",
        };
        Self { code, message: nothing.to_string() }
    }
}

/// What makes an answer what it is; not the fence, which is new for each request.
pub(super) fn key_of(prompt: &Prompt, write: &Write) -> CacheKey {
    let Write { baseline, question, task_type, length, instructions, document_context, options, .. } = write;
    let AggregatedResult { findings, contradictions, gaps, results, failures, sources, .. } = baseline;
    let whole: Vec<_> = results.iter().map(|result| &result.whole).collect();
    let told = (findings, contradictions, gaps, results, whole, failures, sources);
    let asked = (&question.query, &question.goal, task_type, length, instructions, document_context, options);
    let text = |value: serde_json::Result<Vec<u8>>| value.unwrap_or_default();
    let (told, asked) = (text(serde_json::to_vec(&told)), text(serde_json::to_vec(&asked)));
    CacheKey::of([format!("{prompt:?}").as_bytes(), told.as_slice(), asked.as_slice()])
}
