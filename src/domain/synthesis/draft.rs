//! What a language model drafts: the shape that it is asked for, and how its answer is read.
//!
//! ```text
//! ids ──► schema ──► the request
//!                        the answer, piece by piece ──► DraftStream ──► Delta, Delta, … for readers who watch
//!                        the answer, whole ───────────► read ─────────► Reading { draft, … } for the checks
//! ```
//!
//! A [`Draft`] claims nothing yet: whether its ids exist, whether its sources say what it says, is decided elsewhere. What
//! this module promises is that a draft holds nothing that the model didn't write: every text in it is a part of the
//! answer with its escapes resolved, and a field that the model left out, or in the middle of which it was cut off, isn't
//! there.

use serde::Serialize;

use crate::domain::aggregate::result::Level;

mod escapes;
mod fields;
mod lenient;
mod schema;
mod stream;
mod thoughts;

pub(in crate::domain) use lenient::behind_thoughts;
pub use lenient::{NoDraft, Reading, declines, read};
pub use schema::schema_text;
pub use stream::{Delta, DraftStream, merge};

/// Findings, contradictions, gaps, and statements of a contradiction at most; the rest is left out with a note.
pub const ITEMS_MAX: usize = 200;

/// Characters of a text at most. A longer one is taken for an endless repetition and left out, like one that was cut off.
pub const TEXT_CHARS_MAX: usize = 20_000;

/// Objects and arrays inside each other at most; what is deeper is left out.
pub const NESTING_MAX: usize = 32;

/// A language model's draft of a synthesis.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Draft {
    /// In the order in which they were written.
    pub findings: Vec<DraftFinding>,
    /// What sources disagree about.
    pub contradictions: Vec<DraftContradiction>,
    /// What the sources don't say.
    pub gaps: Vec<String>,
    /// All of it in a few sentences; empty if there is none.
    pub summary: String,
}

/// One finding of a draft.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DraftFinding {
    /// A few words; empty if there are none.
    pub topic: String,
    /// What was found, with markers `[n]`; never blank.
    pub content: String,
    /// The numbers of its sources as the model gave them, each once; they may not exist.
    pub source_ids: Vec<u32>,
    /// How sure the model says it is.
    pub confidence: Option<Level>,
    /// Leads over from the finding before; in the narrative format only.
    pub transition: Option<String>,
}

/// A disagreement of sources, as a draft tells it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DraftContradiction {
    /// What they disagree about; may be empty if there are statements.
    pub description: String,
    /// Who says what.
    pub statements: Vec<DraftStatement>,
}

/// What one source says in a disagreement.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DraftStatement {
    /// The words of the source, if the model quotes well; never blank.
    pub quote: String,
    /// The number of the source, which may not exist.
    pub source_id: Option<u32>,
}
