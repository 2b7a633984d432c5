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
    /// The place in the chain of the model that said it.
    pub at: usize,
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
    /// A short code that never changes: `no_model`, `nothing_to_say`, `deadline_exceeded`, `budget_exhausted`, `prompt_too_long`,
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
    } else if all(&["nothing_to_say"]) {
        return ("nothing_to_say", "there is nothing to write about: no model was asked".to_owned());
    } else if all(&["prompt_too_long"]) {
        let why = "the window (`context_tokens`) is too small for the prompt and any of the material: no model was asked";
        ("prompt_too_long", why)
    } else if all(&["context_length_exceeded", "prompt_too_long"]) {
        ("prompt_too_long", "what there is to say is too long for every model")
    } else if all(&["refusal", "filtered"]) {
        ("refused", "every model refused to answer")
    } else if all(&["breaker_open"]) {
        ("models_degraded", "every model has been failing and isn't asked for a while")
    } else if all(&["rate_limited"]) {
        ("models_failed", "the server's rate limit allows no answer now")
    } else {
        ("models_failed", "no model gave an answer")
    };
    (code, message(why, tried))
}

fn message(why: &str, tried: &[Tried]) -> String {
    let one = |Tried { provider, model, code, times, .. }: &Tried| {
        let words = in_words(code).map(|words| format!(", {words}")).unwrap_or_default();
        match times {
            1 => format!("{provider} {model}: {code}{words}"),
            _ => format!("{provider} {model}: {code} ({times} times){words}"),
        }
    };
    let each: Vec<String> = tried.iter().map(one).collect();
    if each.is_empty() { why.to_owned() } else { format!("{why} ({})", each.join("; ")) }
}

/// What a code means that doesn't say so by itself.
fn in_words(code: &str) -> Option<&'static str> {
    Some(match code {
        "not_configured" => "its address or its key can't be used, or it redirects to another address",
        "unauthorised" => "its server refuses the key",
        "request_refused" => "its server refuses the request, or has no such model or path",
        "quota_exhausted" => "its account is used up",
        "truncated" => "its answer broke off",
        "malformed" => "what came isn't an answer of its protocol",
        "empty_answer" => "it said nothing",
        "breaker_open" => "it has been failing and isn't asked for a while",
        _ => return None,
    })
}
