//! The state of a run, as `values` tells it.

use serde_json::{Map, Value, json};

use super::messages::{id_of, message, synthesis_id};
use crate::domain::bridges::outputs::{Outputs, text};

/// The state of the run `step`: what has come to an end. Outputs that are still being written aren't in it, so that it
/// doesn't depend on how often a reader was told of them.
pub(super) fn values(thread: &str, step: &str, outputs: &Outputs) -> Value {
    let started = outputs.started.as_ref();
    let mut values = json!({
        "thread_id": thread,
        "run_id": step,
        "status": outputs.status(),
        "messages": messages(step, outputs),
        "subagents": subagents(outputs),
        "policy": outputs.policies,
    });
    let fields = [
        ("query", started.and_then(|started| started.get("query")).cloned()),
        ("goal", started.and_then(|started| started.get("goal")).cloned()),
        ("aggregation", outputs.aggregation.clone()),
        ("synthesis", outputs.synthesis.clone()),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            values[name] = value;
        }
    }
    values
}

fn messages(step: &str, outputs: &Outputs) -> Vec<Value> {
    let mut messages = Vec::new();
    if let Some(query) = outputs.started.as_ref().and_then(|started| started.get("query")) {
        messages.push(json!({ "type": "human", "id": format!("{step}/query"), "content": query }));
    }
    for (key, output) in &outputs.outputs {
        if output.is_terminal() && !output.text.is_empty() {
            messages.push(message(&id_of(step, key, output), &output.stage, &output.text));
        }
    }
    if let Some(synthesis) = &outputs.synthesis {
        messages.push(message(&synthesis_id(step), "synthesis", text(synthesis, "summary")));
    }
    messages
}

fn subagents(outputs: &Outputs) -> Map<String, Value> {
    let state = |(key, output): (&String, &super::super::outputs::Output)| {
        let mut state = json!({ "stage": output.stage });
        if !output.is_terminal() {
            state["status"] = "in_progress".into();
            return (key.clone(), state);
        }
        state["status"] = output.status.as_str().into();
        state["revision"] = output.revision.into();
        state["attempt"] = output.attempt.into();
        let payload = output.payload.clone().filter(|_| output.status == "success");
        let reason = output.reason.as_deref().map(Value::from);
        for (name, value) in [("payload", payload), ("error", output.error.clone()), ("reason", reason)] {
            if let Some(value) = value {
                state[name] = value;
            }
        }
        (key.clone(), state)
    };
    outputs.outputs.iter().map(state).collect()
}

/// What clients are told of a run that didn't come to a result.
pub(super) fn failure(outputs: &Outputs) -> Option<Value> {
    let status = outputs.status();
    let message = match status {
        "failed" => "no subagent succeeded",
        "cancelled" => "the planner ended the step",
        "refused" => match outputs.policies.last().map(|policy| text(policy, "reason")) {
            None | Some("") => "a policy ended the step",
            Some(reason) => reason,
        },
        _ => return None,
    };
    Some(json!({ "error": status, "message": message }))
}
