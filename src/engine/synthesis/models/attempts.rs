//! One model, asked until it answers or isn't worth another attempt.

use std::time::Duration;

use tokio::sync::SemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::ModelSlot;
use super::answer::{Bounds, Failure, Heard, Unheard, hear};
use super::breaker::Admission;
use super::chain::{Answer, Came, DEADLINE, Run};
use super::reserved::Reserved;
use crate::domain::backoff::{Attempts, next_attempt};
use crate::domain::breaker::Outcome;
use crate::domain::synthesis::budget::{Resource, Tokens};
use crate::domain::time::Timestamp;
use crate::engine::clock::millis;
use crate::engine::ports::language_model::{ModelRequest, ModelUsage, StopReason};

/// A model that said nothing for so long, and then the time was over, has failed; in less nobody could have known.
const SILENCE: Duration = Duration::from_secs(5);
/// The least pause before a model that had enough of us is asked more often than its attempts, in milliseconds.
const PAUSE_MS: u64 = 1_000;
/// What is kept for an answer behind the last pause, in milliseconds: one in less is worth no waiting, and whoever waits
/// should learn for what.
const ANSWER_MS: u64 = 1_000;

/// How often its window a model may have read or written by its server's count: the window is configured, and counts differ.
const WINDOWS_COUNTED: u64 = 8;

/// What an attempt came to.
enum Tried {
    /// This goes on as it is.
    Over(Came),
    /// It failed in a way that another attempt could mend.
    Failed(Failure),
}

/// A request for the model at one place of the chain.
pub(super) struct Asked {
    pub(super) at: usize,
    pub(super) request: ModelRequest,
    /// The tokens of its input, by our count.
    pub(super) input_tokens: u64,
}

/// What a call needs. Dropped, all of it is given back.
struct Right<'a> {
    _place: SemaphorePermit<'a>,
    admission: Admission<'a>,
    reserved: Reserved<'a>,
}

impl<'a> Run<'a> {
    /// Asks the model until there is an answer, or the next model is to be asked.
    pub(super) async fn ask_again(&mut self, asked: &Asked) -> Came {
        let mut made: u32 = 0;
        let turn_ends = self.turn_of(asked);
        loop {
            let failure = match self.ask_once(asked, turn_ends).await {
                Tried::Over(came) => return came,
                Tried::Failed(failure) => failure,
            };
            made = made.saturating_add(1);
            let Some(pause) = self.pause((asked.at, turn_ends), made, &failure) else {
                self.note_later(asked.at, &failure);
                return Came::Next;
            };
            sleep_until(pause).await;
        }
    }

    /// When a model's attempts are over: what one call may take is left to all of them, so that one that hangs again and
    /// again leaves time for the next. The last one has all the time that there is.
    fn turn_of(&self, asked: &Asked) -> Timestamp {
        if self.is_last(asked.at) {
            return self.until;
        }
        self.until.min(self.shared.clock.now().plus_ms(millis(asked.request.patience)))
    }

    /// When the next attempt begins, where there is one. Nobody is left to ask after the last model, so one that had
    /// enough of us and says for how long is waited for as long as there is time for an answer, too.
    fn pause(&self, (at, turn_ends): (usize, Timestamp), made: u32, failure: &Failure) -> Option<Instant> {
        let settings = &self.shared.settings;
        let says_for_how_long = failure.is_rate_limit && failure.retry_after_ms.is_some();
        let is_waited_for = says_for_how_long && self.is_last(at);
        let is_beyond = made >= settings.attempts;
        let most = if is_waited_for { u32::MAX } else { settings.attempts };
        let asked_ms = match failure.retry_after_ms {
            asked_ms if is_beyond => Some(asked_ms.unwrap_or(0).max(PAUSE_MS)),
            asked_ms => asked_ms,
        };
        let now = self.shared.clock.now();
        let left_ms = turn_ends.since_ms(now);
        let kept_ms = if says_for_how_long { ANSWER_MS.min(left_ms / 2) } else { 0 };
        let deadline = now.plus_ms(left_ms - kept_ms);
        let attempts = Attempts { made, most, deadline };
        let next = next_attempt(now, &attempts, asked_ms, &settings.backoff, fastrand::f64())?;
        Some(self.shared.clock.instant_of(next))
    }

    /// Whether nobody is left to ask after a model.
    fn is_last(&self, at: usize) -> bool {
        self.is_return || at + 1 == self.shared.chain.len()
    }

    /// Notes when a model may be asked again that had enough of us and isn't waited for: others are asked before.
    fn note_later(&mut self, at: usize, failure: &Failure) {
        let Some(asked_ms) = failure.retry_after_ms.filter(|_| failure.is_rate_limit) else { return };
        let again = self.shared.clock.now().plus_ms(asked_ms.max(PAUSE_MS));
        if again.plus_ms(ANSWER_MS) < self.until && self.later.is_none_or(|(_, known)| again < known) {
            self.later = Some((at, again));
        }
    }

    async fn ask_once(&mut self, asked: &Asked, turn_ends: Timestamp) -> Tried {
        let right = match self.enter(asked).await {
            Ok(right) => right,
            Err(came) => return Tried::Over(came),
        };
        self.voice.begin();
        self.tally.attempts = self.tally.attempts.saturating_add(1);
        let Right { _place, admission, mut reserved } = right;
        let sent = Instant::now();
        let until = self.shared.clock.instant_of(self.until);
        let mut request = asked.request.clone();
        request.output_tokens_max = reserved.output_tokens_max();
        let turn_ends = self.shared.clock.instant_of(turn_ends);
        request.patience = request.patience.min(turn_ends.saturating_duration_since(sent));
        let bytes_max = self.shared.settings.answer_bytes_max;
        let tokens_max = request.output_tokens_max;
        let bounds = Bounds { until, call_until: sent + request.patience, bytes_max, tokens_max };
        let slot = &self.shared.chain[asked.at];
        let said = slot.model.ask(request);
        match hear(said, (bounds, &slot.tokenizer), &mut self.voice, &mut reserved).await {
            Ok(mut heard) => {
                admission.report(Outcome::Success);
                heard.end.usage = heard.end.usage.filter(|usage| is_possible(*usage, slot));
                self.tally.spend(reserved.settle(heard.end.usage.map(tokens)));
                Tried::Over(self.judge(asked.at, heard, sent))
            }
            Err(unheard) => {
                let is_silent = !reserved.progress.had_begun && sent.elapsed() >= SILENCE;
                if let Some(outcome) = verdict(&unheard, is_silent) {
                    admission.report(outcome);
                }
                self.tally.spend(reserved.fail(unheard.may_cost()));
                self.failed(asked.at, unheard)
            }
        }
    }

    /// Takes all that a call needs: a place, the breaker's consent, and what it may cost.
    async fn enter(&mut self, asked: &Asked) -> Result<Right<'a>, Came> {
        let (shared, at) = (self.shared, asked.at);
        if shared.breakers.is_open(at) {
            return Err(self.pass_over(at, "breaker_open"));
        }
        let until = shared.clock.instant_of(self.until);
        let Ok(Ok(place)) = timeout_at(until, shared.places.acquire()).await else {
            return Err(self.stop(at, DEADLINE, false));
        };
        // It may have opened while a place was waited for.
        let Some(admission) = shared.breakers.admit(at) else {
            return Err(self.pass_over(at, "breaker_open"));
        };
        let (now, slot) = (shared.clock.now(), &shared.chain[at]);
        let output = asked.request.output_tokens_max;
        match self.purse.reserve(now, asked.input_tokens, output, slot.price) {
            Ok(held) => {
                let reserved = Reserved::new(self.purse, held, &slot.tokenizer);
                Ok(Right { _place: place, admission, reserved })
            }
            Err(exhausted) if exhausted.which == Resource::Time => Err(self.stop(at, DEADLINE, false)),
            // Another model may be cheaper.
            Err(exhausted) => Err(self.pass_over(at, exhausted.code())),
        }
    }

    /// What an answer is worth.
    fn judge(&mut self, at: usize, heard: Heard, sent: Instant) -> Came {
        let unfit = match &heard.end.stop {
            StopReason::Refusal => Some("refusal"),
            StopReason::Filtered => Some("filtered"),
            StopReason::End | StopReason::Length | StopReason::Other(_) => {
                heard.text.trim().is_empty().then_some("empty_answer")
            }
        };
        if let Some(code) = unfit {
            self.tally.note(&self.shared.chain[at], code, true);
            return Came::Next;
        }
        let first_token_ms = heard.first.map(|first| millis(first.saturating_duration_since(sent)));
        let Heard { text, end, .. } = heard;
        Came::Answer(Box::new(Answer { at, text, end, first_token_ms, cached: false, kept_as: None }))
    }

    fn failed(&mut self, at: usize, unheard: Unheard) -> Tried {
        let failure = match unheard {
            Unheard::Late => return Tried::Over(self.stop(at, DEADLINE, true)),
            Unheard::Failed(failure) => failure,
        };
        self.tally.note(&self.shared.chain[at], failure.code, true);
        if failure.is_retryable { Tried::Failed(failure) } else { Tried::Over(Came::Next) }
    }

    fn pass_over(&mut self, at: usize, code: &'static str) -> Came {
        self.tally.note(&self.shared.chain[at], code, false);
        Came::Next
    }

    fn stop(&mut self, at: usize, code: &'static str, asked: bool) -> Came {
        self.tally.note(&self.shared.chain[at], code, asked);
        Came::Stop(code)
    }
}

/// What a call that gave no answer says about the model.
fn verdict(unheard: &Unheard, is_silent: bool) -> Option<Outcome> {
    match unheard {
        Unheard::Late => is_silent.then_some(Outcome::Failure),
        Unheard::Failed(failure) => failure.verdict,
    }
}

/// Whether a server can have counted so much: what is beyond its window many times over is a fault (a -1 without its sign), and
/// one such count would use up a session's budget.
fn is_possible(usage: ModelUsage, slot: &ModelSlot) -> bool {
    let most = u64::from(slot.context_tokens) * WINDOWS_COUNTED;
    usage.input_tokens <= most && usage.output_tokens <= most
}

fn tokens(usage: ModelUsage) -> Tokens {
    Tokens { input: usage.input_tokens, output: usage.output_tokens }
}
