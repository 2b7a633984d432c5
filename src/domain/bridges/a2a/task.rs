//! A step as a task, and its events as updates of it (specification 1.0, section 4.1; ProtoJSON of `lf.a2a.v1`).

use serde_json::{Value, json};

use super::CURSOR_URI;
use crate::domain::bridges::growth::text_of;
use crate::domain::bridges::outputs::{Output, Outputs, Written, text};
use crate::domain::bridges::{Event, Place};

/// The artifact with what was made of the outputs. No result key has a slash.
const RESULT: &str = "/result";
/// The artifact with the draft of it.
const DRAFT: &str = "/draft";

/// Which task it is.
#[derive(Debug)]
pub(super) struct Names {
    /// The step.
    pub task: String,
    /// The session.
    pub context: String,
}

/// The task as far as it is.
pub(super) fn task(names: &Names, outputs: &Outputs, place: Option<&Place>) -> Value {
    let mut artifacts: Vec<Value> =
        outputs.outputs.iter().filter_map(|(key, output)| so_far(key, output)).collect();
    match result(outputs) {
        Some(result) => artifacts.push(result),
        None if !outputs.draft.is_empty() => artifacts.push(draft(&outputs.draft)),
        None => {}
    }
    let mut metadata = metadata(place);
    for field in ["query", "goal", "expected"] {
        if let Some(value) = outputs.started.as_ref().and_then(|started| started.get(field)) {
            metadata[field] = value.clone();
        }
    }
    let mut status = json!({ "state": state(outputs), "timestamp": outputs.at });
    if let Some(reason) = why(outputs) {
        status["message"] = message(names, "end", &reason, None);
    }
    json!({
        "id": names.task,
        "contextId": names.context,
        "status": status,
        "artifacts": artifacts,
        "metadata": metadata,
    })
}

/// Whether an event is told of, once the task was shown.
pub(super) fn is_told(event: &Event<'_>) -> bool {
    match event.event_type {
        "step_started"
        | "subagent_started"
        | "planner_stream"
        | "planner_progress"
        | "policy_outcome"
        | "aggregation"
        | "synthesis"
        | "plan_step_completed" => true,
        "synthesis_delta" => text(&event.content, "path") == "summary",
        _ => false,
    }
}

/// The update that an event is; `outputs` are those after it.
pub(super) fn update(
    names: &Names,
    event: &Event<'_>,
    outputs: &Outputs,
    written: Written,
    place: Option<&Place>,
) -> Option<Value> {
    let content = &event.content;
    let status = |text: &str, data: Option<&Value>| {
        let id = event.sequence.to_string();
        status(names, event, state(outputs), Some(message(names, &id, text, data)), place)
    };
    let artifact = |artifact, append, is_last| {
        json!({ "artifactUpdate": {
            "taskId": names.task, "contextId": names.context,
            "artifact": artifact, "append": append, "lastChunk": is_last,
            "metadata": metadata_of(event, place),
        }})
    };
    Some(match event.event_type {
        "subagent_started" => status(&format!("{}: started", text(content, "stage")), Some(content)),
        "planner_stream" => {
            let key = text(content, "result_key");
            let output = outputs.outputs.get(key)?;
            match content.get("payload") {
                Some(_) if output.is_terminal() && output.status != "success" => {
                    status(&told_of(output), Some(content))
                }
                Some(payload) => {
                    let (parts, append) = news(output, payload, written);
                    artifact(self::artifact(key, output, parts), append, output.status == "success")
                }
                None => status(&told_of(output), Some(content)),
            }
        }
        "planner_progress" => status(text(content, "message"), Some(content)),
        "policy_outcome" => {
            let said = format!("{}: {}", text(content, "decision"), text(content, "reason"));
            status(&said, Some(content))
        }
        "synthesis_delta" => match written {
            Written::Nothing => return None,
            Written::On(from) => {
                artifact(draft(outputs.draft.get(from..).unwrap_or_default()), from > 0, false)
            }
            Written::Anew => artifact(draft(&outputs.draft), false, false),
        },
        "aggregation" => artifact(result(outputs)?, false, false),
        "synthesis" => artifact(result(outputs)?, false, true),
        "plan_step_completed" => {
            let said = why(outputs).map(|reason| message(names, "end", &reason, None));
            self::status(names, event, state(outputs), said, place)
        }
        _ => return None,
    })
}

/// The state of the task. `TASK_STATE_REJECTED` is a refusal: the service doesn't want to answer.
fn state(outputs: &Outputs) -> &'static str {
    match outputs.ended.as_deref() {
        Some("completed" | "partial_failure") => "TASK_STATE_COMPLETED",
        Some("cancelled") => "TASK_STATE_CANCELED",
        Some("refused") => "TASK_STATE_REJECTED",
        Some(_) => "TASK_STATE_FAILED",
        None if outputs.outputs.is_empty() && outputs.progress.is_none() && outputs.policies.is_empty() => {
            "TASK_STATE_SUBMITTED"
        }
        None => "TASK_STATE_WORKING",
    }
}

/// What a person is told of an end without a result.
fn why(outputs: &Outputs) -> Option<String> {
    match outputs.ended.as_deref()? {
        "completed" => None,
        "partial_failure" => Some("some subagents didn't answer".to_owned()),
        "cancelled" => Some("the planner ended the step".to_owned()),
        "refused" => Some(match outputs.policies.last().map(|policy| text(policy, "reason")) {
            None | Some("") => "a policy ended the step".to_owned(),
            Some(reason) => reason.to_owned(),
        }),
        _ => Some("no subagent succeeded".to_owned()),
    }
}

fn told_of(output: &Output) -> String {
    let Output { stage, status, .. } = output;
    let why = output.error.as_ref().map(|error| text(error, "message")).or(output.reason.as_deref());
    match why.filter(|why| !why.is_empty()) {
        Some(why) => format!("{stage}: {status}: {why}"),
        None => format!("{stage}: {status}"),
    }
}

fn status(
    names: &Names,
    event: &Event<'_>,
    state: &str,
    message: Option<Value>,
    place: Option<&Place>,
) -> Value {
    let mut status = json!({ "state": state, "timestamp": event.timestamp });
    if let Some(message) = message {
        status["message"] = message;
    }
    json!({ "statusUpdate": {
        "taskId": names.task, "contextId": names.context,
        "status": status, "metadata": metadata_of(event, place),
    }})
}

fn message(names: &Names, id: &str, said: &str, data: Option<&Value>) -> Value {
    let mut parts = vec![json!({ "text": said })];
    parts.extend(data.map(data_part));
    json!({
        "messageId": format!("{}/{id}", names.task), "role": "ROLE_AGENT",
        "taskId": names.task, "contextId": names.context, "parts": parts,
    })
}

fn data_part(data: &Value) -> Value {
    json!({ "data": data, "mediaType": "application/json" })
}

/// What is new of an output: the parts, and whether they continue the artifact or take its place.
fn news(output: &Output, payload: &Value, written: Written) -> (Vec<Value>, bool) {
    let text = match written {
        Written::On(from) => output.text.get(from..).unwrap_or_default(),
        Written::Anew => &output.text,
        Written::Nothing => "",
    };
    let append = match written {
        Written::On(from) => from > 0,
        Written::Anew => false,
        Written::Nothing => !output.text.is_empty(),
    };
    let mut parts = Vec::new();
    if !text.is_empty() {
        parts.push(json!({ "text": text }));
    }
    if output.status == "success" || text_of(payload).is_none() {
        parts.push(data_part(payload));
    }
    (parts, append)
}

fn artifact(key: &str, output: &Output, parts: Vec<Value>) -> Value {
    let about = json!({
        "status": output.status, "revision": output.revision, "attempt": output.attempt,
    });
    json!({ "artifactId": key, "name": output.stage, "parts": parts, "metadata": about })
}

/// An output as a whole; `None` while it has none.
fn so_far(key: &str, output: &Output) -> Option<Value> {
    let payload = output.payload.as_ref()?;
    let written = if output.text.is_empty() { Written::Nothing } else { Written::Anew };
    let (parts, _) = news(output, payload, written);
    Some(artifact(key, output, parts))
}

fn draft(said: &str) -> Value {
    json!({ "artifactId": DRAFT, "name": "draft", "parts": [{ "text": said }] })
}

/// What was made of the outputs: its text, and how it was made.
fn result(outputs: &Outputs) -> Option<Value> {
    let summary = outputs.summary()?;
    let made = outputs.synthesis.as_ref().or(outputs.aggregation.as_ref())?;
    let parts = [json!({ "text": summary }), data_part(made)];
    Some(json!({ "artifactId": RESULT, "name": "result", "parts": parts }))
}

fn metadata(place: Option<&Place>) -> Value {
    match place {
        Some(place) => json!({ CURSOR_URI: place.to_string() }),
        None => json!({}),
    }
}

fn metadata_of(event: &Event<'_>, place: Option<&Place>) -> Value {
    let mut metadata = metadata(place);
    metadata["sequence"] = event.sequence.into();
    if let Some(telemetry) = event.telemetry.and_then(|raw| serde_json::from_str(raw.get()).ok()) {
        metadata["telemetry"] = telemetry;
    }
    metadata
}
