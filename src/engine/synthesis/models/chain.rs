//! From model to model: a kept answer, or the model's own, or the next one.

use tokio::time::sleep_until;

use super::answer::Voice;
use super::attempts::Asked;
use super::tally::Tally;
use super::{Ask, Completed, ModelSlot, NotCompleted, OnText, Shared, cache, outcome};
use crate::domain::synthesis::budget::USEFUL_OUTPUT_TOKENS;
use crate::domain::time::Timestamp;
use crate::engine::ports::completion_cache::{CacheKey, KeptAnswer};
use crate::engine::ports::language_model::{ModelEnd, ModelRequest, StopReason};
use crate::engine::synthesis::purse::Purse;

/// All time is over: no model is asked any more.
pub(super) const DEADLINE: &str = "deadline_exceeded";
/// What a message costs beside its texts, roughly: roles and separators.
const OVERHEAD_TOKENS: u64 = 16;

/// One completion under way.
pub(super) struct Run<'a> {
    pub(super) shared: &'a Shared,
    ask: Ask<'a>,
    pub(super) purse: &'a Purse,
    key: CacheKey,
    pub(super) voice: Voice<'a>,
    pub(super) tally: Tally,
    pub(super) until: Timestamp,
    /// Who may be asked again once nobody else gave an answer, and when.
    pub(super) later: Option<(usize, Timestamp)>,
    /// Whether that is done.
    pub(super) is_return: bool,
}

/// What came of a model.
pub(super) enum Came {
    /// An answer.
    Answer(Box<Answer>),
    /// None; the next model is asked.
    Next,
    /// None, and no other is asked, for this reason.
    Stop(&'static str),
}

/// An answer that counts.
pub(super) struct Answer {
    pub(super) at: usize,
    pub(super) text: String,
    pub(super) end: ModelEnd,
    pub(super) first_token_ms: Option<u64>,
    pub(super) cached: bool,
    /// Under which it may be kept.
    pub(super) kept_as: Option<CacheKey>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        ask: Ask<'a>,
        purse: &'a Purse,
        key: CacheKey,
        on_text: OnText<'a>,
    ) -> Self {
        let until = purse.until();
        let (voice, tally) = (Voice::new(on_text), Tally::new());
        Self { shared, ask, purse, key, voice, tally, until, later: None, is_return: false }
    }

    /// Asks from the place `first` on.
    pub(super) async fn complete(mut self, first: usize) -> Result<Completed, NotCompleted> {
        let mut stopped = None;
        for at in first..self.shared.chain.len() {
            match self.try_model(at).await {
                Came::Answer(answer) => return Ok(self.completed(*answer)),
                Came::Next => {}
                Came::Stop(code) => {
                    stopped = Some(code);
                    break;
                }
            }
        }
        if let Some((at, again)) = self.later.filter(|_| stopped.is_none()) {
            self.is_return = true;
            sleep_until(self.shared.clock.instant_of(again)).await;
            match self.try_model(at).await {
                Came::Answer(answer) => return Ok(self.completed(*answer)),
                Came::Next => {}
                Came::Stop(code) => stopped = Some(code),
            }
        }
        let Tally { attempts, spent, .. } = self.tally;
        let (code, message) = outcome::reason(stopped, &self.tally.tried);
        let took_ms = self.tally.took_ms();
        Err(NotCompleted { code, message, tried: self.tally.tried, attempts, spent, took_ms })
    }

    async fn try_model(&mut self, at: usize) -> Came {
        let slot = &self.shared.chain[at];
        let mut request = match (self.ask)(slot) {
            Ok(request) => request,
            Err(none) => {
                self.tally.note(slot, none.code, false);
                return Came::Next;
            }
        };
        let key = cache::key_of(self.key, slot, &request);
        if let Some(kept) = cache::look_up(self.shared, key).await {
            return self.replay(at, kept);
        }
        let input_tokens = input_tokens(slot, &request);
        let most = slot.model.output_tokens_max().unwrap_or(u32::MAX);
        let wanted = request.output_tokens_max.min(most);
        let Some(output_tokens_max) = fit_window(slot, input_tokens, wanted) else {
            self.tally.note(slot, "context_length_exceeded", false);
            return Came::Next;
        };
        request.output_tokens_max = output_tokens_max;
        let mut came = self.ask_again(&Asked { at, request, input_tokens }).await;
        if let Came::Answer(answer) = &mut came
            && answer.end.stop == StopReason::End
        {
            answer.kept_as = Some(key);
        }
        came
    }

    /// Says a kept answer, all at once.
    fn replay(&mut self, at: usize, kept: KeptAnswer) -> Came {
        self.voice.begin();
        self.voice.say(&kept.text);
        let end = ModelEnd { stop: StopReason::End, usage: None, model: kept.answered_by };
        let (text, first_token_ms, kept_as) = (kept.text, None, None);
        Came::Answer(Box::new(Answer { at, text, end, first_token_ms, cached: true, kept_as }))
    }

    fn completed(self, answer: Answer) -> Completed {
        let Answer { at, text, end, first_token_ms, cached, kept_as } = answer;
        let slot = &self.shared.chain[at];
        Completed {
            at,
            text,
            stop: end.stop,
            usage: end.usage,
            model: slot.model.model().to_owned(),
            provider: slot.model.provider(),
            answered_by: end.model,
            attempts: self.tally.attempts,
            took_ms: self.tally.took_ms(),
            tried: self.tally.tried,
            spent: self.tally.spent,
            cached,
            kept_as,
            first_token_ms,
        }
    }
}

/// The tokens of a request's input, by our count.
fn input_tokens(slot: &ModelSlot, request: &ModelRequest) -> u64 {
    let schema = request.schema.as_ref().map_or("", |schema| schema.json.get());
    let texts = [&*request.system, &*request.user, schema];
    texts.iter().map(|text| slot.tokenizer.count(text) as u64).sum::<u64>().saturating_add(OVERHEAD_TOKENS)
}

/// The output for which the model's window has room beside the input; `None` where it is too little to be of use.
fn fit_window(slot: &ModelSlot, input_tokens: u64, output_tokens_max: u32) -> Option<u32> {
    let room = u64::from(slot.context_tokens).checked_sub(input_tokens)?;
    let output = u32::try_from(room).unwrap_or(u32::MAX).min(output_tokens_max);
    (output >= USEFUL_OUTPUT_TOKENS.min(output_tokens_max)).then_some(output)
}
