//! Answers out of context sheets that language models write, with `[n]` in the text.

use tokio::time::{Instant, timeout, timeout_at};

use super::asking::{Asker, Asking};
use super::drafting::{NoDraft, Whys};
use super::fallen::{DEADLINE, Fallen, Of, UNFIT};
use super::key::shown_of;
use super::made::unchecked;
use super::models::{ModelSlot, Models, NoRequest};
use super::told::Traced;
use super::unplanned::Unplanned;
use super::write::{LATE, Meta, NO_MODEL, Synthesiser};
use crate::domain::aggregate::request::AnswerRequest;
use crate::domain::aggregate::result::{Method, QualityIssue};
use crate::domain::contained::contained;
use crate::domain::directive::SynthesisMode;
use crate::domain::ids::TenantId;
use crate::domain::synthesis::answer::{
    self, Answer, VerifiedAnswer, answer, entries, finish_answer, verify_answer,
};
use crate::domain::synthesis::draft::{declines, read, schema_text};
use crate::domain::synthesis::prompt::{AnswerInput, Prompt, Purpose, ask_answer, ask_answer_repair};
use crate::domain::telemetry_names::span;
use crate::domain::text::words::Lexicon;
use crate::engine::computing::{off_thread, off_thread_of};
use crate::engine::ports::completion_cache::CacheKey;
use crate::engine::ports::language_model::StopReason;

/// Why an answer is extracted where nothing but a refusal was written.
const REFUSED: &str = "the language model refused to answer";
/// What is said of an answer that ends where the model had to stop.
const BROKE_OFF: &str = "the language model's answer broke off; what it says until there is delivered";

impl Synthesiser {
    /// The answer to a sheet: its own entries, or where that is asked for what a language model says out of them, as far as
    /// it can be proven. Answers that are kept aren't shared between tenants. Dropping the future ends every call at once.
    pub async fn answer(&self, tenant: &TenantId, request: AnswerRequest, trace: &Unplanned) -> Answer {
        let (span, by_model) = (trace.begin(), request.synthesis.mode == SynthesisMode::Llm);
        let answer = self.made_answer((tenant, trace, span.stages()), request).await;
        span.answered(&answer, by_model);
        answer
    }

    async fn made_answer(
        &self,
        (tenant, trace, stages): (&TenantId, &Unplanned, Option<Traced>),
        request: AnswerRequest,
    ) -> Answer {
        if request.synthesis.mode != SynthesisMode::Llm {
            return off_thread_of(bytes_of(&request), move || answer(&request)).await;
        }
        let Some(models) = self.parts.models.clone() else {
            return extracted(request, NO_MODEL.into()).await;
        };
        let until = self.until(&request.synthesis);
        let budget = request.synthesis.budget.as_ref();
        let mut asker = Asker::alone((self, &models), (tenant, stages), budget, until);
        let written = timeout_at(until, self.written_answer(&mut asker, &request, until)).await;
        let mut fallen = asker.fallen.take();
        let why = match written {
            Ok(Ok(answer)) => {
                self.telemetry().meters.synthesised("llm", "delivered");
                return answer;
            }
            Ok(Err(why)) => why,
            Err(_) => {
                fallen = Some(Fallen::of(DEADLINE, &asker.models));
                LATE.to_owned()
            }
        };
        asker.finish();
        self.telemetry().meters.synthesised("llm", "fell_back");
        if let Some(fallen) = &fallen {
            self.fallbacks.tell(fallen, &Of { trace_id: trace.trace_id(), ..Of::default() });
        }
        extracted(request, why).await
    }

    async fn written_answer(
        &self,
        asker: &mut Asker<'_>,
        request: &AnswerRequest,
        until: Instant,
    ) -> Result<Answer, String> {
        let of_sheet = request.clone();
        let (sheet, parts) = off_thread(move || entries(&of_sheet)).await;
        let references: Vec<(u32, String)> = (1..)
            .zip(&sheet.references)
            .map(|(number, reference)| (number, reference.title.clone()))
            .collect();
        let asking = Sheet { request, parts: &parts, references: &references };
        let mut whys = Whys::default();
        loop {
            let none = match asking.answered(asker, until).await {
                Ok(answer) => return Ok(answer),
                Err(none) => none,
            };
            if !whys.next(asker, none) {
                return Err(whys.told());
            }
        }
    }
}

async fn extracted(request: AnswerRequest, why: String) -> Answer {
    off_thread_of(bytes_of(&request), move || answer::extracted(&request, why)).await
}

/// What a model wrote, why it ended, and who wasn't asked for it.
struct Prose {
    text: String,
    stop: StopReason,
    behind: Option<Models>,
    meta: Meta,
}

/// What is asked about a sheet.
struct Sheet<'a> {
    request: &'a AnswerRequest,
    /// The entries, with `[n]`.
    parts: &'a [String],
    /// What `n` stands for.
    references: &'a [(u32, String)],
}

impl Sheet<'_> {
    fn input(&self) -> AnswerInput<'_> {
        AnswerInput {
            objective: &self.request.objective,
            entries: self.parts,
            references: self.references,
            options: &self.request.synthesis,
            nonce: fastrand::u64(..),
        }
    }

    /// What makes an answer what it is.
    fn key(&self, prompt: &Prompt) -> CacheKey {
        let told = serde_json::to_vec(&(
            &self.request.objective,
            self.parts,
            self.references,
            shown_of(&self.request.synthesis),
        ));
        CacheKey::of([format!("{prompt:?}").as_bytes(), told.unwrap_or_default().as_slice()])
    }

    /// What the answer of one model comes to, repaired.
    async fn answered(&self, asker: &mut Asker<'_>, until: Instant) -> Result<Answer, NoDraft> {
        let request = self.request;
        let Prose { text, stop, behind, meta } = self.draft(asker).await?;
        let (is_refusal, is_cut) = (declines(&text), stop == StopReason::Length);
        let of_sheet = request.clone();
        let check = move || verify_answer(&mut Lexicon::default(), &text, &of_sheet);
        let checked = asker.timed(span::VERIFY, off_thread(move || contained(check))).await;
        let Some(verified) = checked else { return Err(unchecked(asker, behind)) };
        // What stands is delivered, whatever a repair takes.
        let left = until.saturating_duration_since(Instant::now());
        let repair = timeout(left * 3 / 4, self.repair(asker, &verified));
        let repaired = repair.await.unwrap_or_default();
        let of_sheet = request.clone();
        let finish = move || finish_answer(&mut Lexicon::default(), verified, repaired.as_deref(), &of_sheet);
        let Some(answer) = off_thread(move || contained(finish)).await else {
            return Err(unchecked(asker, behind));
        };
        if answer.method != Some(Method::Llm) {
            let why = answer.reason.filter(|_| !is_refusal).unwrap_or_else(|| REFUSED.to_owned());
            let code = if is_refusal { "refusal" } else { UNFIT };
            return Err(NoDraft { why, fallen: Fallen::of(code, &asker.models), behind });
        }
        let cut =
            is_cut.then(|| QualityIssue { code: "broken_off".to_owned(), detail: BROKE_OFF.to_owned() });
        let issues = cut.into_iter().chain(answer.issues).collect();
        Ok(Answer { issues, model: Some(meta.model), prompt_version: Some(meta.prompt_version), ..answer })
    }

    /// What a model writes.
    async fn draft(&self, asker: &mut Asker<'_>) -> Result<Prose, NoDraft> {
        let prompt = asker.prompt(self.request.synthesis.prompt.as_deref(), Purpose::Answer);
        let prompt = prompt.map_err(|why| asker.no_prompt(why))?;
        let build = |slot: &ModelSlot| {
            let asked = ask_answer(prompt, &self.input(), &slot.tokenizer, slot.window(prompt));
            Ok(asker.request(prompt, &asked.map_err(NoRequest::from)?, None))
        };
        let asking = Asking { what: span::DRAFT, prompt, key: self.key(prompt) };
        let ended = asker.complete(&asking, &build, &mut |_| {}).await;
        let completed = asker.note(ended).map_err(|failed| asker.no_answer(failed))?;
        if !declines(&completed.text) {
            asker.keep(&completed).await;
        }
        let behind = asker.models.behind(&completed);
        let meta = Meta { model: completed.model, prompt_version: prompt.version.clone() };
        Ok(Prose { text: completed.text, stop: completed.stop, behind, meta })
    }

    /// The sentences that failed, written once more: text with `[n]`; `None` where there are none, or nobody does.
    async fn repair(&self, asker: &mut Asker<'_>, verified: &VerifiedAnswer) -> Option<String> {
        let items: Vec<(serde_json::Value, Vec<String>)> = verified
            .repair_items()
            .into_iter()
            .map(|(text, reasons)| (serde_json::json!({ "content": text }), reasons))
            .collect();
        if items.is_empty() {
            return None;
        }
        let prompt = asker.prompt(None, Purpose::Repair).ok()?;
        let build = |slot: &ModelSlot| {
            let asked =
                ask_answer_repair(prompt, &items, &self.input(), &slot.tokenizer, slot.window(prompt));
            let asked = asked.map_err(NoRequest::from)?;
            let schema = schema_text(&asked.ids, self.request.synthesis.format);
            Ok(asker.request(prompt, &asked, Some(schema)))
        };
        let failing = serde_json::to_vec(&items).unwrap_or_default();
        let key = self.key(prompt).with([failing.as_slice()]);
        let asking = Asking { what: span::REPAIR, prompt, key };
        let ended = asker.complete(&asking, &build, &mut |_| {}).await;
        let completed = asker.note(ended).ok()?;
        let draft = read(&completed.text).ok()?.draft;
        if !draft.findings.is_empty() {
            asker.keep(&completed).await;
        }
        let sentence = |finding: &crate::domain::synthesis::draft::DraftFinding| {
            let cited: String = finding.source_ids.iter().map(|id| format!("[{id}]")).collect();
            format!("{} {cited}", finding.content)
        };
        Some(draft.findings.iter().map(sentence).collect::<Vec<_>>().join("\n\n"))
    }
}

/// What there is to read of a sheet.
fn bytes_of(request: &AnswerRequest) -> usize {
    request.sheet.entries.iter().map(|entry| entry.content.len()).sum()
}
