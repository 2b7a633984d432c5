//! What comes of a completion, with all that is worth counting.

use crate::domain::synthesis::budget::Spent;
use crate::engine::ports::completion_cache::CacheKey;
use crate::engine::ports::language_model::{ModelUsage, StopReason};

/// What a model says while it says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextSaid<'a> {
    /// What was said so far is void: another attempt or another model begins.
    Restart,
    /// What is new.
    Text(&'a str),
}

/// Why a model can't be asked this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoRequest {
    /// A short code that never changes, such as `prompt_too_long`.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

/// Attempts in a row with one model that came to the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// The provider.
    pub provider: &'static str,
    /// The model, as it is configured.
    pub model: String,
    /// What came of it: a code of [`ModelError`](crate::engine::ports::language_model::ModelError),
    /// [`Exhausted`](crate::domain::synthesis::budget::Exhausted) or [`NoRequest`], `breaker_open`,
    /// `context_length_exceeded`, `refusal`, `filtered`, `empty_answer`, `deadline_exceeded`.
    pub code: &'static str,
    /// How often in a row.
    pub times: u32,
    /// Whether it was asked: an attempt, and not only a reason not to make one.
    pub asked: bool,
}

/// A completion.
#[derive(Debug, Clone, PartialEq)]
pub struct Completed {
    /// All that the model said: the texts since the last [`TextSaid::Restart`].
    pub text: String,
    /// Why it stopped: `End`, `Length` (the text is cut) or `Other`.
    pub stop: StopReason,
    /// Tokens of this answer as the server counted them; none where it didn't, or the answer was kept.
    pub usage: Option<ModelUsage>,
    /// The model, as it is configured.
    pub model: String,
    /// The provider.
    pub provider: &'static str,
    /// The model, as its server names it: often with a date.
    pub answered_by: Option<String>,
    /// Calls that were made, with the one that succeeded; 0 for a kept answer of the first model.
    pub attempts: u32,
    /// What failed before.
    pub tried: Vec<Tried>,
    /// What all calls cost together, by the budget's count.
    pub spent: Spent,
    /// Whether the answer was kept from before.
    pub cached: bool,
    /// Under which it may be kept, where it is whole and new. Only the caller knows whether it is of use:
    /// [`Models::keep`](super::Models::keep).
    pub kept_as: Option<CacheKey>,
    /// Milliseconds from sending the call that succeeded to the first text; none for a kept answer.
    pub first_token_ms: Option<u64>,
    /// Milliseconds from beginning to end, with all waiting.
    pub took_ms: u64,
}

/// No model gave an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotCompleted {
    /// A short code that never changes: `no_model`, `deadline_exceeded`, `budget_exhausted`, `prompt_too_long`,
    /// `refused`, `models_degraded` (all breakers are open), `models_failed`.
    pub code: &'static str,
    /// For people.
    pub message: String,
    /// What was tried, in order.
    pub tried: Vec<Tried>,
    /// Calls that were made.
    pub attempts: u32,
    /// What they cost together, by the budget's count.
    pub spent: Spent,
    /// Milliseconds from beginning to end, with all waiting.
    pub took_ms: u64,
}

/// The code and the text for what was tried; `stopped` is why no further model was asked, where there were more.
pub(super) fn reason(stopped: Option<&'static str>, tried: &[Tried]) -> (&'static str, String) {
    let all = |codes: &[&str]| tried.iter().all(|tried| codes.contains(&tried.code));
    let budgets = ["budget_tokens", "budget_calls", "budget_money"];
    let last = tried.last().map_or("", |tried| tried.code);
    let (code, why) = if stopped == Some("deadline_exceeded") {
        ("deadline_exceeded", "the time was over before a model had answered")
    } else if tried.is_empty() {
        ("no_model", "no language model is configured")
    } else if budgets.contains(&last) {
        ("budget_exhausted", "the budget of the request or its session doesn't allow another call")
    } else if all(&["context_length_exceeded", "prompt_too_long"]) {
        ("prompt_too_long", "what there is to say is too long for every model")
    } else if all(&["refusal", "filtered"]) {
        ("refused", "every model refused to answer")
    } else if all(&["breaker_open"]) {
        ("models_degraded", "every model has been failing and isn't asked for a while")
    } else {
        ("models_failed", "no model gave an answer")
    };
    (code, message(why, tried))
}

fn message(why: &str, tried: &[Tried]) -> String {
    let one = |Tried { provider, model, code, times, .. }: &Tried| match times {
        1 => format!("{provider} {model}: {code}"),
        _ => format!("{provider} {model}: {code} ({times} times)"),
    };
    let each: Vec<String> = tried.iter().map(one).collect();
    if each.is_empty() { why.to_owned() } else { format!("{why} ({})", each.join("; ")) }
}
