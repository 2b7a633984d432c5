//! A safety agent: the verdict of a guard model in the manner of Llama Guard, `safe` or `unsafe` with hazard categories.
//!
//! Llama Guard knows no third verdict; who runs it adds one: here what a person must look at is `flag_for_review`.

use serde_json::{Map, Value, json};

use super::Question;
use crate::simulate::behaviour::Decision;

/// Hazards of Llama Guard 3 that fit a business.
const HAZARDS: [(&str, &str); 4] = [
    ("S2", "Non-Violent Crimes"),
    ("S6", "Specialized Advice"),
    ("S7", "Privacy"),
    ("S8", "Intellectual Property"),
];

/// What it was told to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) decision: Decision,
    pub(super) subagent: Option<String>,
    pub(super) terminate: Option<bool>,
}

/// The verdict.
pub(super) fn output(question: &Question, verdict: &Verdict) -> Value {
    let (code, hazard) = hazard(question);
    let score = f64::from(question.rng(2).u32(10..90)) / 1_000.0;
    let mut output = Map::new();
    output.insert("model".into(), json!("llama-guard-3-8b"));
    output.insert("input".into(), json!(question.query));
    let said = match verdict.decision {
        Decision::Allow => json!({"label": "safe", "categories": [], "score": score}),
        Decision::Refuse => json!({"label": "unsafe", "categories": [code], "score": 1.0 - score,
            "reason": format!("category {code}: {hazard}")}),
        Decision::Escalate => json!({"label": "flag_for_review", "categories": [code], "score": 0.5 + score,
            "reason": format!("near category {code}: {hazard}")}),
    };
    if let Value::Object(said) = said {
        output.extend(said);
    }
    if let Some(subagent) = &verdict.subagent {
        output.insert("subagent".into(), json!(subagent));
    }
    if let Some(terminate) = verdict.terminate {
        output.insert("terminate".into(), json!(terminate));
    }
    Value::Object(output)
}

/// The verdict as the model writes it: `safe`, or `unsafe` and the category in a line of its own.
pub(super) fn text(question: &Question, verdict: &Verdict) -> String {
    let (code, _) = hazard(question);
    match verdict.decision {
        Decision::Allow => "safe".into(),
        Decision::Refuse => format!("unsafe\n{code}"),
        Decision::Escalate => format!("flag_for_review\n{code}"),
    }
}

fn hazard(question: &Question) -> (&'static str, &'static str) {
    HAZARDS[question.rng(1).usize(..HAZARDS.len())]
}
