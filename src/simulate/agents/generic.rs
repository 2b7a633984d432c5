//! An agent of no particular kind, as LangChain's executors answer: `{input, output, intermediate_steps}`.

use serde_json::{Value, json};

use super::{Question, Share};

/// What there is so far; the steps come with the end.
pub(super) fn output(question: &Question, so_far: Share) -> Value {
    let output = so_far.of_words(&text(question));
    let tokens = output.len() / 4;
    if !so_far.is_whole() {
        return json!({"input": question.query, "output": output});
    }
    json!({
        "input": question.query,
        "output": output,
        "intermediate_steps": [{"tool": "search", "tool_input": question.query, "hits": question.rng(2).u32(1..40)}],
        "token_usage": {"completion_tokens": tokens},
    })
}

/// The text.
pub(super) fn text(question: &Question) -> String {
    let mut rng = question.rng(1);
    let (rise, months, teams) = (rng.u32(3..40), rng.u32(2..18), rng.u32(2..9));
    format!(
        "For “{}” I compared {teams} teams over {months} months. The figure rose by {rise}% where the new process was \
         used, and stayed the same elsewhere. The rise began in the first month.",
        question.query
    )
}
