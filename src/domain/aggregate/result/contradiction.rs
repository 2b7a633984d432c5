//! Two statements against each other, as a result shows them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Two statements that can't both be true as they stand. There is never a winner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Contradiction {
    /// What they disagree about, in a sentence.
    pub description: String,
    /// In what they differ.
    pub kind: ContradictionKind,
    /// Both.
    pub statements: Vec<Statement>,
    /// The numbers of both sides' sources.
    pub sources: Vec<u32>,
    /// How it could be settled.
    pub suggestion: String,
}

/// In what two statements differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContradictionKind {
    /// A number or its unit.
    Number,
    /// A date.
    Date,
    /// One says that it isn't so.
    Negation,
    /// Opposite words: rise and fall, allow and forbid.
    Polarity,
    /// What they say: another answer in words, or seen by a language model; both statements are verbatim.
    Reported,
}

/// One side of a contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Statement {
    /// The quotation.
    pub text: String,
    /// The line above it in its result, where it contradicts the other by that only: `Not included` above `Breakfast`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<String>,
    /// The number of its first source; `null` where it has none.
    #[schema(required)]
    pub source: Option<u32>,
    /// The subagent that says so.
    pub subagent: String,
}
