//! `engine/synthesis`: a language model drafts, the deterministic layer checks, and what can't be proven isn't delivered
//! as proven.
//!
//! ```text
//! extractive result ─► material ─► model ─► draft ─► verify ─► repair, once ─► twins, drops, notes ─► result
//!                                    │ deltas            ▲ the same checks, again
//!                                    └─► readers         └─ below `min_quality`: the extractive result
//! ```
//!
//! Every way out ends with a result: without a model, without time, money or a useful answer it is the extractive one,
//! and says why.

mod answer;
mod asking;
mod drafting;
mod explaining;
mod explanations;
mod fallen;
mod key;
mod made;
pub mod models;
mod noted;
mod outcome;
mod purse;
mod readers;
mod remade;
mod spending;
mod step;
mod told;
mod tree;
mod unplanned;
mod write;

pub use explanations::Explanations;
pub use outcome::{Outcome, Stage, StageCall};
pub use purse::{Purse, SharedBudget};
pub use remade::RemadePrompt;
pub use spending::Spending;
pub use step::{RunningWriting, StepWriter, WritingJob};
pub use told::Traced;
pub use unplanned::{AnswerSpan, Unplanned};
pub use write::{Synthesiser, SynthesiserParts, Write};
