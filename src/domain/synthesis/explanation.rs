//! How an answer was written: what language models were asked, what they answered, and what the checks found.
//!
//! It is kept beside the log and not in it: prompts and raw answers are many times what is delivered, hold every word of
//! every subagent, and are of use to whoever looks into one answer, soon after it was written. So each text is bounded
//! here, and all of them together where they are kept.

use serde::Serialize;
use utoipa::ToSchema;

use super::verify::CheckLog;

/// Bytes of one text at most; of a longer one its beginning is kept.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;
/// What an explanation weighs beside its texts, roughly, for each of its parts.
const PART_BYTES: usize = 512;

/// How one answer was written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct Explanation {
    /// What was asked of language models, in order.
    pub calls: Vec<ExplainedCall>,
    /// What the checks found of the draft; `None` where there was none to check.
    #[schema(required)]
    pub checks: Option<CheckLog>,
}

/// A question to a chain of language models, and what came of it.
#[derive(Clone, PartialEq, Serialize, ToSchema)]
pub struct ExplainedCall {
    /// What for: `draft`, `repair` or `judge`.
    pub purpose: &'static str,
    /// The prompt's name.
    pub prompt: String,
    /// Its version.
    pub prompt_version: String,
    /// What was sent to each model that was come to, in order; the answer is the last one's. Nothing where an answer was
    /// kept from before or no model could be asked.
    pub requests: Vec<ExplainedRequest>,
    /// What came of attempts that gave no answer.
    pub tried: Vec<ExplainedTry>,
    /// The answer, as the model wrote it; `None` where there is none.
    #[schema(required)]
    pub answer: Option<ExplainedText>,
    /// The model that answered, as it is configured.
    #[schema(required)]
    pub model: Option<String>,
    /// The same as its server names it.
    #[schema(required)]
    pub answered_by: Option<String>,
    /// Why it stopped: `end`, `length`, or the server's own word.
    #[schema(required)]
    pub stop: Option<String>,
    /// Whether the answer was kept from before.
    pub cached: bool,
    /// Why there is no answer: a code that never changes.
    #[schema(required)]
    pub failed: Option<&'static str>,
    /// Tokens that were read, all attempts together.
    pub input_tokens: u64,
    /// Tokens that were written, all attempts together.
    pub output_tokens: u64,
    /// How long it took, with all waiting.
    pub took_ms: u64,
}

/// What was sent to a model. Its key isn't in it: that is added on the way out.
#[derive(Clone, PartialEq, Serialize, ToSchema)]
pub struct ExplainedRequest {
    /// Whose model.
    pub provider: &'static str,
    /// Which one, as it is configured.
    pub model: String,
    /// What it was told to do.
    pub system: ExplainedText,
    /// What it was to do it with, inside a fence that is new for each request.
    pub user: ExplainedText,
    /// The JSON Schema of the answer, where one was sent.
    #[schema(required)]
    pub schema: Option<ExplainedText>,
    /// How freely it was to write.
    pub temperature: f64,
    /// Tokens of the answer at most; a budget or a window may have left less.
    pub output_tokens_max: u32,
}

/// Attempts in a row that came to the same.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ExplainedTry {
    /// Whose model.
    pub provider: &'static str,
    /// Which one.
    pub model: String,
    /// What came of it: a code that never changes.
    pub code: &'static str,
    /// How often in a row.
    pub times: u32,
}

/// A text, or its beginning.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ExplainedText {
    /// The text.
    pub text: String,
    /// Bytes of it that aren't here.
    pub bytes_left_out: usize,
}

impl From<&str> for ExplainedText {
    fn from(text: &str) -> Self {
        let end = text.floor_char_boundary(TEXT_BYTES_MAX);
        Self { text: text[..end].to_owned(), bytes_left_out: text.len() - end }
    }
}

impl Explanation {
    /// About what it takes in memory, in bytes.
    pub fn bytes(&self) -> usize {
        let calls: usize = self.calls.iter().map(ExplainedCall::bytes).sum();
        let checks = self.checks.as_ref().map_or(0, |log| {
            let reasons = |reasons: &[super::verify::Reason]| -> usize {
                reasons.iter().map(|reason| reason.detail.len() + PART_BYTES / 8).sum()
            };
            let findings = log.findings.iter();
            let findings: usize =
                findings.map(|found| found.content.len() + reasons(&found.reasons) + PART_BYTES).sum();
            findings + log.notes.iter().map(String::len).sum::<usize>()
        });
        PART_BYTES + calls + checks
    }
}

impl ExplainedCall {
    fn bytes(&self) -> usize {
        let of = |text: &Option<ExplainedText>| text.as_ref().map_or(0, |text| text.text.len());
        let request = |request: &ExplainedRequest| {
            request.system.text.len() + request.user.text.len() + of(&request.schema) + PART_BYTES
        };
        PART_BYTES * (1 + self.tried.len())
            + of(&self.answer)
            + self.requests.iter().map(request).sum::<usize>()
    }
}

/// How much; the texts may tell what nobody should read in a log.
impl std::fmt::Debug for ExplainedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExplainedCall").field("purpose", &self.purpose).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_keeps_its_beginning_in_whole_characters_and_says_what_is_missing() {
        for (text, kept) in [
            ("ab".to_owned(), 2),
            ("é".repeat(TEXT_BYTES_MAX / 2), TEXT_BYTES_MAX),
            (format!("a{}", "é".repeat(TEXT_BYTES_MAX / 2)), TEXT_BYTES_MAX - 1),
        ] {
            let explained = ExplainedText::from(text.as_str());
            assert_eq!((explained.text.len(), explained.bytes_left_out), (kept, text.len() - kept));
            assert!(text.starts_with(&explained.text));
        }
    }
}
