//! The small request bodies: a planner's progress, a safety decision, a cancel, a user's feedback.
//!
//! [`parse_body`] is the way in for these and for directives: what it returns has no key given twice, no unknown
//! field, and no line break in the JSON that it keeps as sent (events are one line each).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::canonical_json::{canonicalize, one_line};
use super::event::ArcJson;
use super::policy::{PolicyDecision, PolicyOutcome};
use super::verdict::{Code, Refusal};

pub(super) mod null;
#[cfg(test)]
mod tests;
mod typed;
mod whole;
pub(super) mod word;
pub(crate) use typed::in_plain_words;
pub(super) use typed::{Object, refusal_of, typed};
pub use whole::WHOLE_MAX;

/// Longest message, policy or reason, in characters.
pub const SENTENCE_CHARS_MAX: usize = 4_096;
/// Longest comment of a user, in characters.
pub const COMMENT_CHARS_MAX: usize = 8_192;
/// The best score of feedback; the worst is its opposite.
const SCORE_MAX: f64 = 100.0;
/// Longest severity, in characters.
pub const SEVERITY_CHARS_MAX: usize = 64;

/// A planner's own progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// What it does, for a person: 1 to 4,096 characters.
    #[schema(min_length = 1, max_length = 4_096)]
    pub message: String,
    /// How much is done, 0 to 100; whole or not, as sent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<f64>, minimum = 0, maximum = 100)]
    pub percent: Option<serde_json::Number>,
    /// Anything else, kept as sent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<Value>)]
    pub payload: Option<ArcJson>,
}

/// The end of a step or a session, as its planner wants it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// Why, for a person: at most 4,096 characters; an empty one is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(max_length = 4_096)]
    pub reason: Option<String>,
}

/// What a user thinks of a step's result.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// From -100 to 100, the higher the better, on a scale of your own: thumbs 0 and 1, stars 1 to 5, a share.
    #[schema(minimum = -100, maximum = 100)]
    pub score: f64,
    /// In the user's words: at most 8,192 characters, none of them U+0000; an empty one is none.
    #[serde(default)]
    #[schema(max_length = 8_192)]
    pub comment: Option<String>,
}

/// A body of the type `T`.
///
/// Refused as `invalid_json` (broken, a key twice, too deep), `unknown_field`, `invalid_id`, or else `invalid_event`
/// (a wrong type, a missing field), each with a JSON Pointer to the place.
pub fn parse_body<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    canonicalize(text, &mut Vec::new()).map_err(|fault| refusal_of(fault, ""))?;
    let Object(body) = typed(&one_line(text), "")?;
    Ok(body)
}

/// The body of `POST …/progress`.
pub fn parse_progress(text: &str) -> Result<Progress, Refusal> {
    let progress: Progress = parse_body(text)?;
    check_sentence(&progress.message, "/message")?;
    let in_range =
        |percent: &serde_json::Number| percent.as_f64().is_some_and(|p| (0.0..=100.0).contains(&p));
    if !progress.percent.as_ref().is_none_or(in_range) {
        return Err(Refusal::at(Code::InvalidEvent, "/percent", "`percent` is a number from 0 to 100"));
    }
    Ok(progress)
}

/// The body of `POST …/safety`.
pub fn parse_safety(text: &str) -> Result<PolicyOutcome, Refusal> {
    let outcome: PolicyOutcome = parse_body(text)?;
    check_sentence(&outcome.policy, "/policy")?;
    check_sentence(&outcome.reason, "/reason")?;
    if let Some(severity) = &outcome.severity {
        check_length(severity, SEVERITY_CHARS_MAX, "/severity")?;
    }
    if outcome.decision == PolicyDecision::Allow && outcome.terminate == Some(true) {
        let text = "what is allowed isn't ended by that: `terminate` goes with `refuse` or `escalate`";
        return Err(Refusal::at(Code::InvalidEvent, "/terminate", text));
    }
    Ok(outcome)
}

/// The body of `POST …/cancel`; without a body there is no reason.
pub fn parse_cancel(text: &str) -> Result<Cancel, Refusal> {
    if text.trim().is_empty() {
        return Ok(Cancel::default());
    }
    let mut cancel: Cancel = parse_body(text)?;
    cancel.reason = cancel.reason.filter(|reason| !reason.trim().is_empty());
    if let Some(reason) = &cancel.reason {
        check_length(reason, SENTENCE_CHARS_MAX, "/reason")?;
    }
    Ok(cancel)
}

/// The body of `POST …/result/feedback`.
pub fn parse_feedback(text: &str) -> Result<Feedback, Refusal> {
    let mut feedback: Feedback = parse_body(text)?;
    if !(-SCORE_MAX..=SCORE_MAX).contains(&feedback.score) {
        let text = format!("`score` is a number from -{SCORE_MAX} to {SCORE_MAX}");
        return Err(Refusal::at(Code::InvalidEvent, "/score", text));
    }
    // Databases don't tell -0 from 0: a repeat gets what they have.
    feedback.score += 0.0;
    feedback.comment = feedback.comment.filter(|comment| !comment.trim().is_empty());
    if let Some(comment) = &feedback.comment {
        check_length(comment, COMMENT_CHARS_MAX, "/comment")?;
        // PostgreSQL takes no such text.
        if comment.contains('\0') {
            return Err(Refusal::at(Code::InvalidEvent, "/comment", "`comment` contains U+0000"));
        }
    }
    Ok(feedback)
}

fn check_sentence(text: &str, pointer: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() {
        let name = pointer.trim_start_matches('/');
        return Err(Refusal::at(Code::InvalidEvent, pointer, format!("`{name}` is empty")));
    }
    check_length(text, SENTENCE_CHARS_MAX, pointer)
}

/// Refuses a text of more than `chars_max` characters; the last step of `pointer` names it.
pub(super) fn check_length(text: &str, chars_max: usize, pointer: &str) -> Result<(), Refusal> {
    // No text has more characters than bytes, so most are never counted.
    if text.len() <= chars_max || text.chars().count() <= chars_max {
        return Ok(());
    }
    let name = pointer.rsplit('/').next().unwrap_or(pointer);
    let detail = format!("`{name}` is longer than {chars_max} characters");
    Err(Refusal::at(Code::InvalidEvent, pointer, detail))
}
