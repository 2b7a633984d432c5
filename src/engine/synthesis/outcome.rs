//! What became of a synthesis: the result, what it cost, and what was done for it.

use tokio::time::Instant;

use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::session::Spent;
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
    /// What a model answered, where one did.
    pub answered: Option<Answered>,
    /// A short name of what failed, where something did.
    pub failed: Option<String>,
}

/// What a model's answer cost.
#[derive(Debug, Clone)]
pub struct Answered {
    /// Whose it is.
    pub provider: &'static str,
    /// Which one.
    pub model: String,
    /// Tokens that it read.
    pub input_tokens: u64,
    /// Tokens that it wrote.
    pub output_tokens: u64,
    /// Money, in millionths of the currency.
    pub cost_micros: u64,
    /// Whether it was known from before.
    pub is_cached: bool,
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
