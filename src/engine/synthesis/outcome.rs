//! What became of a synthesis: the result, what it cost, and what was done for it.

use tokio::time::Instant;

use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::session::Spent;
use crate::domain::span::Value;
use crate::domain::synthesis::budget::Tokens;
use crate::domain::synthesis::written::Written;

/// What became of it.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The result.
    pub result: AggregatedResult,
    /// What is kept to make it again; the extractive result needs only the reason.
    pub written: Written,
    /// What it cost.
    pub spent: Spent,
    /// What was done, in order.
    pub stages: Vec<Stage>,
}

/// One piece of the work.
#[derive(Debug, Clone)]
pub struct Stage {
    /// A span's name.
    pub name: &'static str,
    /// When it began.
    pub begun: Instant,
    /// When it ended.
    pub ended: Instant,
    /// The call of a model, where one was asked.
    pub call: Option<StageCall>,
    /// A short name of what failed, where something did.
    pub failed: Option<&'static str>,
}

/// What a model was asked and answered, and what that cost with all that failed before it.
#[derive(Debug, Clone, Default)]
pub struct StageCall {
    /// Whose it is.
    pub provider: &'static str,
    /// Which one was asked, by its configured name.
    pub model: String,
    /// Which one answered, as its server names it.
    pub answered_by: Option<String>,
    /// Tokens that were read and written.
    pub tokens: Tokens,
    /// Money, in millionths of the currency.
    pub cost_micros: u64,
    /// Whether the answer was known from before.
    pub is_cached: bool,
    /// What was asked, as spans tell it; nothing where nobody wants any.
    pub input: Option<Value>,
    /// The same of the answer.
    pub output: Option<Value>,
}

/// What was done for an answer, whatever came of it.
#[derive(Default)]
pub(super) struct Done {
    pub(super) spent: Spent,
    pub(super) stages: Vec<Stage>,
}

impl Done {
    /// Together with what came of it.
    pub(super) fn with(self, result: AggregatedResult, written: Written) -> Outcome {
        let Self { spent, stages } = self;
        Outcome { result, written, spent, stages }
    }
}
