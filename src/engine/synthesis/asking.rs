//! Asking models for one synthesis: for its draft, its repair, its judgement. One budget pays for all of them.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::Instant;

use super::explaining::Explaining;
use super::fallen::Fallen;
use super::key::key_of;
use super::models::{Ask, Completed, ModelSlot, Models, NoRequest, OnText};
use super::noted::{Ended, UnderWay};
use super::outcome::Done;
use super::purse::SharedBudget;
use super::told::{Stages, Traced};
use super::write::{Synthesiser, USUAL_PROMPT, Write};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::directive;
use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::session::Spent;
use crate::domain::synthesis::draft::{Draft, read, schema_text};
use crate::domain::synthesis::prompt::{
    Asked, LEAST_MATERIAL, NothingToSay, Prompt, PromptInput, Purpose, Verdict, Window, ask_judge,
    ask_repair, read_verdict, room,
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
    /// Those that are still to be asked: what came of the ones before them is of no use.
    pub(super) models: Models,
    tenant: String,
    /// The session that it is for, where it is for one.
    session: Option<SessionKey>,
    budget: SharedBudget,
    until: Instant,
    pub(super) stages: Stages,
    /// Why the last model's answer isn't delivered, where it isn't.
    pub(super) fallen: Option<Fallen>,
    pub(super) explaining: Explaining<'s>,
}

impl<'s> Asker<'s> {
    /// For what is written, by its own budget or the one that it shares.
    pub(super) fn of(synthesiser: &'s Synthesiser, models: &Models, write: &Write) -> Self {
        let budget = write.budget.clone().unwrap_or_else(|| synthesiser.purse_of(models, write));
        let explaining = Explaining::new(synthesiser, write.of_step.as_ref(), budget.clone());
        let (tenant, until, models) = (write.tenant.clone(), write.until, models.clone());
        let session = write.of_step.as_ref().map(|(session, _)| session.clone());
        Self {
            synthesiser,
            models,
            tenant,
            session,
            budget,
            until,
            stages: Stages::told_to(write.traced.clone()),
            fallen: None,
            explaining,
        }
    }

    /// For an answer of `tenant` that stands alone.
    pub(super) fn alone(
        (synthesiser, models): (&'s Synthesiser, &Models),
        (tenant, traced): (&TenantId, Option<Traced>),
        own: Option<&directive::Budget>,
        until: Instant,
    ) -> Self {
        let budget = synthesiser.purse(models, (None, Spent::default()), own, until);
        let explaining = Explaining::new(synthesiser, None, budget.clone());
        let (tenant, models) = (tenant.to_string(), models.clone());
        Self {
            synthesiser,
            models,
            tenant,
            session: None,
            budget,
            until,
            stages: Stages::told_to(traced),
            fallen: None,
            explaining,
        }
    }

    /// What was spent, and what was done.
    pub(super) fn finish(self) -> Done {
        Done { spent: self.budget.spent().into(), stages: self.stages.finish() }
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
        let failing = serde_json::to_vec(items).unwrap_or_default();
        let key = key_of(prompt, write).with([failing.as_slice()]);
        let asking = Asking { what: span::REPAIR, prompt, key };
        let ended = self.complete(&asking, &build, &mut |_| {}).await;
        let completed = self.note(ended).ok()?;
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
        let key = CacheKey::of([prompt.version.as_bytes(), question.as_bytes(), result.body.as_bytes()]);
        let asking = Asking { what: span::JUDGE, prompt, key };
        let ended = self.complete_by(judge, &asking, &build, &mut |_| {}).await;
        let completed = self.note(ended).ok()?;
        let judgement = read_verdict(&completed.text);
        // Who can't tell doesn't know the number either.
        let coherence = judgement.coherence.filter(|_| judgement.verdict != Verdict::Unknown);
        if coherence.is_some() {
            judge.keep(&completed, self.session.as_ref()).await;
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
            traceparent: None,
        }
    }

    /// One completion, paid for by the budget of the whole.
    pub(super) async fn complete(&self, asking: &Asking<'_>, build: Ask<'_>, on_text: OnText<'_>) -> Ended {
        self.complete_by(&self.models, asking, build, on_text).await
    }

    async fn complete_by(
        &self,
        models: &Models,
        asking: &Asking<'_>,
        build: Ask<'_>,
        on_text: OnText<'_>,
    ) -> Ended {
        self.explaining.begin(asking.what, asking.prompt);
        let paid = self.budget.part();
        let under_way = UnderWay::new(self, asking.what, &paid);
        let noting = |slot: &ModelSlot| {
            let traceparent = self.stages.traceparent(asking.what);
            let request = ModelRequest { traceparent, ..build(slot)? };
            self.explaining.sends(slot, &request);
            under_way.sends(slot, &request);
            Ok(request)
        };
        // Here and nowhere else, so that no question can be put without it: what a model told one tenant no other gets.
        let key = asking.key.with([self.tenant.as_bytes()]);
        let completed = models.complete(&noting, &paid, key, on_text).await;
        under_way.end(completed)
    }

    /// Keeps an answer that was of use.
    pub(super) async fn keep(&self, completed: &Completed) {
        self.models.keep(completed, self.session.as_ref()).await;
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

/// Windows are tried in these steps, and up to this, for the least that works.
const WINDOW_STEP: u32 = 64;
const WINDOW_MOST: u32 = 1 << 20;

impl ModelSlot {
    /// The least window in which the prompt has room for material, where this one has none; `None` where it has, or where
    /// none is known.
    pub fn least_window(&self, prompt: &Prompt) -> Option<u32> {
        let has_room = |context_tokens: u32| {
            let slot = Self { context_tokens, ..self.clone() };
            room(prompt, &slot.tokenizer, slot.window(prompt)) >= LEAST_MATERIAL
        };
        let first = self.context_tokens.next_multiple_of(WINDOW_STEP);
        let mut wider = (first..=WINDOW_MOST).step_by(WINDOW_STEP as usize);
        if has_room(self.context_tokens) { None } else { wider.find(|tokens| has_room(*tokens)) }
    }

    /// The window that is left for a prompt's request and its answer.
    pub(super) fn window(&self, prompt: &Prompt) -> Window {
        // A small window has room for both, and a model isn't told to write what it has no room for.
        let output_tokens = prompt.output_tokens.min(self.context_tokens / OUTPUT_SHARE);
        let most = self.model.output_tokens_max().unwrap_or(u32::MAX);
        Window {
            context_tokens: self.context_tokens.saturating_sub(SCHEMA_TOKENS) as usize,
            output_tokens: output_tokens.min(most) as usize,
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
