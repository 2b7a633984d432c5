//! Pairs of outputs as different models write them, with the question they answer: half can't both be true, half only look so.
//!
//! They were written before it was measured what is found. Every third is held out: no rule was tuned on it.

use serde_json::Value;
use tributary::domain::aggregate::input::TaskInput;
use tributary::domain::aggregate::options::Options;
use tributary::domain::aggregate::{Place, Question, Request, Style, aggregate};

/// A pair a line: domain, language, form, what differs, question, both outputs.
const PAIRS: &str = include_str!("../pairs/realistic.jsonl");
/// Every so many are one that is held out, the third being the first.
const HELD_OUT: usize = 3;

/// A pair that was judged.
pub struct Judged {
    /// Whether both outputs can't be true.
    pub contradicts: bool,
    /// Whether a contradiction was found.
    pub is_found: bool,
    /// Whether no rule was tuned on it.
    pub held_out: bool,
    /// Both outputs, and what differs.
    pub told: String,
}

/// All pairs, judged.
pub fn judged() -> Vec<Judged> {
    let lines = PAIRS.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.enumerate().map(|(at, pair)| judge(at, &pair)).collect()
}

fn judge(at: usize, pair: &Value) -> Judged {
    let said = |key: &str| pair[key].as_str().unwrap_or_default();
    Judged {
        contradicts: pair["contradicts"] == true,
        is_found: is_found(said("question"), [said("one"), said("other")]),
        held_out: at % HELD_OUT == HELD_OUT - 1,
        told: format!("{}, {}\n   {}\n   {}", said("kind"), said("form"), said("one"), said("other")),
    }
}

/// Whether a contradiction is found between two outputs.
pub fn is_found(question: &str, outputs: [&str; 2]) -> bool {
    let task = |(name, content): (&str, &str)| TaskInput {
        task_id: name.to_owned(),
        subagent: name.to_owned(),
        content: content.to_owned(),
        ..TaskInput::default()
    };
    let request = Request {
        question: Question { query: Some(question.to_owned()), goal: None },
        tasks: ["one", "other"].into_iter().zip(outputs).map(task).collect(),
        options: Options::default(),
        place: Place::nowhere(),
        style: Style::Findings,
    };
    !aggregate(request).contradictions.is_empty()
}
