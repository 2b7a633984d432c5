//! An [`AggregatedResult`](super::aggregate::result::AggregatedResult) in other forms: for a language model, as
//! Anthropic's `search_result` blocks, for Slack, and as an HTML page that shows who contributed what.
//!
//! Every text in a result comes from subagents that nobody vouches for: titles, addresses, contents and names may be
//! hostile. Each form therefore has one place through which such a text passes, and promises that it stays text.
//!
//! ```text
//! inert   what can't be seen goes; what may be a link     ─┐
//! cut     shorter, between graphemes and words             ├─▶ llm (fence), slack, html, anthropic
//! width   how long Slack and browsers think a text is     ─┘
//! ```
//!
//! All of it is pure and takes time linear in the text; the same result gives the same bytes.

pub mod anthropic;
pub(in crate::domain) mod cut;
mod fence;
pub mod html;
pub(in crate::domain) mod inert;
pub mod llm;
mod passages;
pub mod slack;
#[cfg(test)]
mod tests;

pub use anthropic::anthropic;
pub use html::{CONTENT_SECURITY_POLICY, html};
pub use llm::llm;
pub use slack::slack;

use super::aggregate::result::{AggregatedResult, Gate};
use super::synthesis::compose::is_unfinished;

/// By the published rule, and by version 2: two scores under one word would be taken for the same.
fn both_confidences(result: &AggregatedResult) -> String {
    format!("{} of 100 (version 2: {})", result.confidence, result.confidence_v2.score)
}

/// Why there is no synthesis, where one was withheld: without it nobody sees that there should be one.
fn withheld(result: &AggregatedResult) -> Option<&str> {
    result.metadata.reason.as_deref().filter(|_| result.quality.gate == Gate::Block)
}

/// The heading of `failures`: what may still end hasn't failed.
fn failures_heading(result: &AggregatedResult) -> &'static str {
    match result.failures.iter().filter(|failure| is_unfinished(failure)).count() {
        0 => "What failed",
        all if all == result.failures.len() => "Not finished",
        _ => "What failed, and what isn't finished",
    }
}
