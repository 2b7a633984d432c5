//! What readers see: one line of JSON an event, which agrees with its record and has the shape that docs/reading.md gives.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tributary::domain::entry::Entry;
use tributary::domain::record::Record;

use super::stories;
use crate::commands::story;
use crate::telling::{Cut, tell};

/// By type, the fields that `content` always has, and those that it may have.
const SHAPES: &[(&str, &str, &str)] = &[
    // `expected_children` and `deadline` are more than the table of `API.md` names.
    (
        "step_started",
        "expected deadline",
        "query goal task_type parent_step_id expected_children planner_context",
    ),
    ("subagent_started", "stage result_key attempt mode", ""),
    ("planner_stream", "stage status result_key revision attempt", "payload error reason"),
    ("subagent_completed", "stage result_key status revision attempts latency_ms", ""),
    ("planner_progress", "message", "percent payload"),
    ("policy_outcome", "decision policy reason severity terminate", "stage"),
    ("step_completed", "status counts", ""),
    ("aggregation", "final summary sources metadata href", ""),
    ("synthesis", "summary sources method quality href", ""),
    ("plan_step_completed", "status href more_steps", ""),
];

fn parsed(entry: &Entry) -> Option<Map<String, Value>> {
    let wire = entry.wire()?;
    assert!(!wire.iter().any(|byte| matches!(byte, b'\n' | b'\r')), "an event is one line");
    match serde_json::from_slice(wire).expect("an event is JSON") {
        Value::Object(event) => Some(event),
        other => panic!("an event is an object: {other}"),
    }
}

fn has_shape(object: &Map<String, Value>, always: &str, maybe: &str) {
    for field in always.split_whitespace() {
        assert!(object.get(field).is_some_and(|value| !value.is_null()), "{field} is missing: {object:?}");
    }
    for field in object.keys() {
        let mut known = always.split_whitespace().chain(maybe.split_whitespace());
        assert!(known.any(|name| name == field), "{field} isn't documented: {object:?}");
        assert!(!object[field].is_null(), "{field} is null: what isn't there is left out");
    }
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is a text in {value}"))
}

/// That an event's content says of its output what its record says.
fn agrees(record: &Record, content: &Value) {
    if let Some(output) = record.output() {
        assert_eq!(text(content, "stage"), output.stage.as_str());
        assert_eq!(text(content, "result_key"), output.result_key.as_str());
    }
    if let Record::Subagent { status, revision, attempt, sender, .. } = record {
        assert_eq!(content["status"], serde_json::to_value(status).unwrap());
        assert_eq!((&content["revision"], &content["attempt"]), (&(*revision).into(), &(*attempt).into()));
        assert_eq!(content.get("reason").is_some(), sender.is_none(), "who ends it says why: {content}");
    }
    if let Record::StepCompleted { status, .. } = record {
        assert_eq!(content["status"], serde_json::to_value(status).unwrap());
    }
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn an_event_is_one_line_of_json_that_agrees_with_its_record(story in story()) {
        for entry in &tell(&story, Cut::Turns).entries {
            let Some(event) = parsed(entry) else {
                prop_assert!(entry.record.event_type().is_none(), "readers see {:?}", entry.record);
                continue;
            };
            prop_assert_eq!(&event["type"], &serde_json::to_value(entry.record.event_type()).unwrap());
            prop_assert_eq!(&event["session_id"], "sess-1");
            prop_assert_eq!(&event["sequence"], entry.sequence.0);
            prop_assert_eq!(&event["timestamp"], &Value::from(entry.at.to_string()));
            let step = event.get("plan_step_id").and_then(Value::as_str);
            prop_assert_eq!(step, entry.record.step().map(|step| step.as_str()));
            agrees(&entry.record, &event["content"]);
        }
    }

    #[test]
    fn an_event_has_the_documented_shape(story in story()) {
        for event in tell(&story, Cut::Turns).entries.iter().filter_map(parsed) {
            has_shape(&event, "type session_id sequence timestamp content telemetry", "plan_step_id");
            let (_, always, maybe) = SHAPES.iter().find(|(name, _, _)| event["type"] == *name).unwrap();
            has_shape(event["content"].as_object().unwrap(), always, maybe);
            let figures = "parent_span_id tracestate correlation_id latency_ms metrics";
            has_shape(event["telemetry"].as_object().unwrap(), "trace_id span_id", figures);
            for expected in event["content"]["expected"].as_array().into_iter().flatten() {
                has_shape(expected.as_object().unwrap(), "stage result_key deadline", "task");
            }
        }
    }

    #[test]
    fn an_event_belongs_to_its_steps_trace(story in story()) {
        let told = tell(&story, Cut::Turns);
        for entry in &told.entries {
            let (Some(event), Some(step)) = (parsed(entry), entry.record.step()) else { continue };
            let step = told.state.step(step).unwrap();
            prop_assert_eq!(&event["telemetry"]["trace_id"], &Value::from(&*step.context.trace_id));
            let above = if entry.record.output().is_some() { "parent_span_id" } else { "span_id" };
            prop_assert_eq!(&event["telemetry"][above], &Value::from(&*step.context.span_id));
        }
    }
}
