//! What is asked of a language model: prompt files, and a request's text within the model's window.
//!
//! ```text
//! AggregatedResult ─► material ─► reduce, level by level ─► request ─► Asked { system, user, ids }
//!                     claims      until it fits             template, fence
//! ```
//!
//! Whatever subagents, users or planners wrote is JSON inside a fence or a JSON string; what is filled in is never read as
//! a template again; a request is never beyond the window. What a model makes of it is for others to check.

use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::directive::{SynthesisOptions, TaskType};
use crate::domain::text::tokens::Tokenizer;

mod answer;
mod encode;
mod fence;
mod file;
mod judge;
mod library;
mod lines;
mod material;
mod reduce;
mod repair;
mod request;
mod shorten;
mod template;
#[cfg(test)]
mod tests;
mod wording;

pub use crate::domain::text::language::language;
pub use answer::{AnswerInput, ask_answer, ask_answer_repair};
pub use file::{Prompt, PromptError, Purpose};
pub use judge::{Judgement, Verdict, ask_judge, read_verdict};
pub use library::{BUILT_IN, PromptLibrary};
pub use repair::ask_repair;
pub use template::{Placeholder, Template};

use material::Material;
use request::{Frame, Values};

/// What a draft is made from.
#[derive(Debug, Clone, Copy)]
pub struct PromptInput<'a> {
    /// The extractive result: the baseline.
    pub result: &'a AggregatedResult,
    /// What the user asked.
    pub query: Option<&'a str>,
    /// What the step is for.
    pub goal: Option<&'a str>,
    /// How the result should be made.
    pub instructions: Option<&'a str>,
    /// The document that the result becomes a part of.
    pub document_context: Option<&'a str>,
    /// Language, length, format and what to include.
    pub options: &'a SynthesisOptions,
    /// How the results of this step are combined.
    pub task_type: Option<TaskType>,
    /// A random number, new for each request.
    pub nonce: u64,
}

/// A model's window, in its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// What request and answer may take together. What a server adds (a schema in the system's message) is to be taken off
    /// before.
    pub context_tokens: usize,
    /// What is kept free for the answer.
    pub output_tokens: usize,
}

/// A request's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The system's message.
    pub system: String,
    /// The user's message.
    pub user: String,
    /// The user's message without its nonce, the same for the same data: for the key of a cache, never to be sent.
    pub stable: String,
    /// Tokens of both messages and of what a chat template adds.
    pub input_tokens: usize,
    /// The numbers of the sources that stand in the material, ascending: those that an answer may cite.
    pub ids: Vec<u32>,
    /// Claims, results or entries that stand in the material.
    pub shown: usize,
    /// Those that don't fit.
    pub left_out: usize,
    /// How far the material was reduced: 1 is not at all, 3 leaves claims out, from 4 on texts are shortened.
    pub levels: usize,
}

/// Why a model isn't asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NothingToSay {
    /// No finding and no text of a result.
    #[error("there is nothing to write about: no finding and no text of a result")]
    Material,
    /// Not even the smallest reduction is within the window.
    #[error("not even the shortest form of the material fits the model's window")]
    Window,
}

/// The request for a draft. Linear in the result, for each of at most nine levels.
pub fn ask(
    prompt: &Prompt,
    input: &PromptInput<'_>,
    tokenizer: &Tokenizer,
    window: Window,
) -> Result<Asked, NothingToSay> {
    let frame = frame(prompt, input, tokenizer, window);
    // The parts of a document as they are, or where they don't fit what they come to.
    if let Some(parts) = Material::of_parts(input.result, input.options, input.task_type)
        && let Some(asked) = frame.ask_whole(&parts, input.nonce)
    {
        return Ok(asked);
    }
    let material = Material::of(input.result, input.options, input.task_type);
    if material.is_empty() {
        return Err(NothingToSay::Material);
    }
    frame.ask(&material, input.nonce)
}

/// The least material that says something: one claim in its shortest form, in tokens of the vocabulary.
pub const LEAST_MATERIAL: usize = reduce::LINE_TOKENS + reduce::TEXT_TOKENS_MIN;

/// The tokens of the vocabulary that a window leaves for material beside a prompt that has nothing else to say.
pub fn room(prompt: &Prompt, tokenizer: &Tokenizer, window: Window) -> usize {
    Frame { prompt, values: Values::default(), tokenizer, window }.room()
}

/// The request's text but for its material.
fn frame<'a>(
    prompt: &'a Prompt,
    input: &PromptInput<'a>,
    tokenizer: &'a Tokenizer,
    window: Window,
) -> Frame<'a> {
    let PromptInput { query, goal, instructions, document_context, options, task_type, .. } = *input;
    let values = Values {
        query,
        goal,
        instructions,
        document_context,
        language: language(options.language.as_deref(), query.or(goal).unwrap_or_default()),
        length: wording::length((prompt.purpose, task_type), options, window.output_tokens),
        format: wording::format((prompt.purpose, task_type), options),
        ..Values::default()
    };
    Frame { prompt, values, tokenizer, window }
}
