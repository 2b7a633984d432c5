//! Hearing one answer out: its texts are given on as they come, and its end is told apart from its breaking off.

use futures::StreamExt;
use futures::stream::BoxStream;
use tokio::time::{Instant, timeout_at};

use super::breaker::{is_rate_limit, verdict};
use super::reserved::Reserved;
use super::{OnText, TextSaid};
use crate::domain::breaker::Outcome;
use crate::domain::text::tokens::Tokenizer;
use crate::engine::ports::language_model::{ModelEnd, ModelError, ModelSaid, StopReason};

/// Whoever listens, and whether it has heard anything.
pub(super) struct Voice<'a> {
    on_text: OnText<'a>,
    has_said: bool,
}

impl<'a> Voice<'a> {
    pub(super) fn new(on_text: OnText<'a>) -> Self {
        Self { on_text, has_said: false }
    }

    /// Something new begins: what was said so far is void.
    pub(super) fn begin(&mut self) {
        if std::mem::take(&mut self.has_said) {
            (self.on_text)(TextSaid::Restart);
        }
    }

    pub(super) fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.has_said = true;
            (self.on_text)(TextSaid::Text(text));
        }
    }
}

/// When an answer must be there, and how long it may be.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// When all time is over.
    pub(super) until: Instant,
    /// When this call's is.
    pub(super) call_until: Instant,
    /// Bytes of its text.
    pub(super) bytes_max: usize,
    /// Tokens of its text, by its server's count; by ours it may have a little more.
    pub(super) tokens_max: u32,
}

/// How much more than it may an answer has by our count before it is ended: servers count otherwise, and most keep to it.
const COUNTED_OTHERWISE: (u64, u64) = (5, 4);
/// What is added to that: a short answer's count says less.
const COUNTED_BESIDE: u64 = 32;

/// Counts an answer as it comes, in pieces, and whole only where those come to too much.
struct Count<'t> {
    tokenizer: &'t Tokenizer,
    most: u64,
    counted: u64,
}

impl<'t> Count<'t> {
    fn new(tokenizer: &'t Tokenizer, tokens_max: u32) -> Self {
        let (times, of) = COUNTED_OTHERWISE;
        let most = (u64::from(tokens_max) * times / of).saturating_add(COUNTED_BESIDE);
        Self { tokenizer, most, counted: 0 }
    }

    /// Whether `text`, which ends in `new`, is too much.
    fn is_over(&mut self, text: &str, new: &str) -> bool {
        self.counted += self.tokenizer.count(new) as u64;
        if self.counted > self.most {
            self.counted = self.tokenizer.count(text) as u64;
        }
        self.counted > self.most
    }
}

/// How far an answer has come.
#[derive(Default)]
pub(super) struct Progress {
    /// Whether there was any sign of it.
    pub(super) had_begun: bool,
    /// What was said of it.
    pub(super) text: String,
}

/// An answer that was heard to its end.
pub(super) struct Heard {
    pub(super) text: String,
    pub(super) end: ModelEnd,
    /// When the first text came.
    pub(super) first: Option<Instant>,
}

/// Why there is none.
pub(super) enum Unheard {
    /// All time is over.
    Late,
    /// The call failed.
    Failed(Failure),
}

/// A call that failed, as far as it matters what is done next.
pub(super) struct Failure {
    pub(super) code: &'static str,
    pub(super) is_retryable: bool,
    pub(super) is_rate_limit: bool,
    pub(super) retry_after_ms: Option<u64>,
    /// What it says about the model.
    pub(super) verdict: Option<Outcome>,
    /// Whether its server may have worked on it.
    pub(super) may_cost: bool,
}

impl Failure {
    fn of(error: &ModelError) -> Self {
        Self {
            code: error.code(),
            is_retryable: error.is_retryable(),
            is_rate_limit: is_rate_limit(error),
            retry_after_ms: error.retry_after_ms(),
            verdict: verdict(error),
            may_cost: error.may_cost(),
        }
    }
}

impl Unheard {
    /// Whether its server may have worked on it.
    pub(super) fn may_cost(&self) -> bool {
        match self {
            Self::Late => true,
            Self::Failed(failure) => failure.may_cost,
        }
    }
}

/// Hears an answer out. `reserved` knows how far it came, at any time and where it isn't heard to its end.
pub(super) async fn hear(
    mut said: BoxStream<'static, Result<ModelSaid, ModelError>>,
    (bounds, tokenizer): (Bounds, &Tokenizer),
    voice: &mut Voice<'_>,
    reserved: &mut Reserved<'_>,
) -> Result<Heard, Unheard> {
    let mut first = None;
    let mut count = Count::new(tokenizer, bounds.tokens_max);
    let late =
        |failure| if Instant::now() >= bounds.until { Unheard::Late } else { Unheard::Failed(failure) };
    loop {
        let next = timeout_at(bounds.call_until.min(bounds.until), said.next()).await;
        let next = next.map_err(|_| late(Failure::of(&ModelError::TimedOut)))?;
        // An end without `Done` is never a success.
        let next = next.ok_or_else(|| late(Failure::of(&ModelError::Truncated)))?;
        let next = next.map_err(|error| late(Failure::of(&error)))?;
        let Progress { had_begun, text } = &mut reserved.progress;
        *had_begun = true;
        match next {
            ModelSaid::Done(end) => return Ok(Heard { text: std::mem::take(text), end, first }),
            ModelSaid::Text(new) => {
                let kept = prefix(&new, bounds.bytes_max.saturating_sub(text.len()));
                first = first.or_else(|| (!kept.is_empty()).then(Instant::now));
                text.push_str(kept);
                voice.say(kept);
                let is_over = count.is_over(text, kept);
                if kept.len() < new.len() || is_over {
                    let end = ModelEnd { stop: StopReason::Length, usage: None, model: None };
                    return Ok(Heard { text: std::mem::take(text), end, first });
                }
                reserved.wrote(count.counted);
            }
        }
    }
}

/// The longest beginning of `text` of at most `bytes`, in whole characters.
fn prefix(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
