//! What makes an answer what it is: two questions that agree in it are the same, and get the same draft.

use serde::Serialize;

use super::write::Write;
use crate::domain::aggregate::result::{AggregatedResult, TaskResult};
use crate::domain::directive::SynthesisOptions;
use crate::domain::synthesis::prompt::Prompt;
use crate::engine::ports::completion_cache::CacheKey;

/// The key of an answer; not the fence, which is new for each request.
pub(super) fn key_of(prompt: &Prompt, write: &Write) -> CacheKey {
    let Write { baseline, question, task_type, instructions, document_context, options, .. } = write;
    let AggregatedResult { findings, contradictions, gaps, results, failures, sources, style, .. } = baseline;
    // Where a result's original lies is another place in each step, and no model is told it.
    let results: Vec<_> = results.iter().map(asked_of).collect();
    let prose = style.prose().iter().map(|placed| &placed.task_id);
    let order: Vec<_> = prose.chain(style.positions()).collect();
    let told = (findings, contradictions, gaps, results, order, failures, sources);
    let asked =
        (&question.query, &question.goal, task_type, instructions, document_context, shown_of(options));
    let text = |value: serde_json::Result<Vec<u8>>| value.unwrap_or_default();
    let (told, asked) = (text(serde_json::to_vec(&told)), text(serde_json::to_vec(&asked)));
    CacheKey::of([format!("{prompt:?}").as_bytes(), told.as_slice(), asked.as_slice()])
}

/// What of the options a model is told. What its answer may cost, and what becomes of it, is no part of the question: nor is the
/// prompt's name, which stands for the prompt.
pub(super) fn shown_of(options: &SynthesisOptions) -> impl Serialize {
    let SynthesisOptions { language, target_length, format, include_contradictions, include_gaps, .. } =
        options;
    (language, target_length, format, include_contradictions, include_gaps)
}

/// What of a result its answer depends on.
fn asked_of(result: &TaskResult) -> impl Serialize {
    let TaskResult { task_id, task, subagent, content, whole, sources, confidence, .. } = result;
    let TaskResult { relevance, truncated, partial, notes, merged, .. } = result;
    (
        (task_id, task, subagent, content, whole, sources),
        (confidence, relevance, truncated, partial, notes, merged),
    )
}
