//! Recorded connections, for tests: what `Accept: application/x-ndjson` answered, a line `{event, id, data}` each.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::domain::bridges::{Bridge, Frame, Next, Signal};

macro_rules! logs {
    ($($name:literal),+) => {
        /// The logs by name.
        pub const LOGS: &[(&str, &str)] = &[$(
            ($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bridges/logs/steps/", $name, ".ndjson")))
        ),+];
    };
}

logs!("mixed", "drafted", "cancelled", "refused", "failed", "snapshot", "parent", "child", "unknown");

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    event: &'a str,
    #[serde(borrow)]
    id: Option<&'a str>,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// A line as what a bridge is given.
pub fn signal(line: &str) -> Signal<'_> {
    let line: Line<'_> = serde_json::from_str(line).unwrap();
    let frame = || {
        let mut frame: Frame<'_> = serde_json::from_str(line.data.get()).unwrap();
        frame.cursor = line.id;
        frame
    };
    match line.event {
        "open" => Signal::Open(serde_json::from_str(line.data.get()).unwrap()),
        "planner_stream" => Signal::Frame(frame()),
        "snapshot" => Signal::Snapshot(frame()),
        "heartbeat" => Signal::Heartbeat,
        "drain" => Signal::Drain { cursor: line.id },
        "end" => Signal::End { cursor: line.id, reason: reason(line.data) },
        "error" => Signal::Error(line.data),
        other => panic!("{other} is no event of a connection"),
    }
}

fn reason(data: &RawValue) -> &str {
    #[derive(Deserialize)]
    struct End<'a> {
        #[serde(borrow)]
        reason: &'a str,
    }
    serde_json::from_str::<End<'_>>(data.get()).unwrap().reason
}

/// A log's lines.
pub fn lines(name: &str) -> Vec<String> {
    let (_, log) = LOGS.iter().find(|(found, _)| *found == name).unwrap();
    log.lines().map(str::to_owned).collect()
}

/// The lines of a log, an event a frame.
pub fn one_by_one(lines: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for line in lines {
        let mut value: Value = serde_json::from_str(line).unwrap();
        let events = value["data"]["events"].take();
        match (value["event"].as_str(), events) {
            (Some("planner_stream"), Value::Array(events)) => {
                for event in events {
                    let mut frame = value.clone();
                    let sequence = event["sequence"].clone();
                    frame["data"] = json!({"from": sequence, "to": sequence, "events": [event]});
                    all.push(frame.to_string());
                }
            }
            _ => all.push(line.clone()),
        }
    }
    all
}

/// What a bridge writes of lines, and whether it is done.
pub fn play<'a>(bridge: &mut impl Bridge, lines: impl IntoIterator<Item = &'a String>) -> (Vec<u8>, Next) {
    let (mut out, mut next) = (Vec::new(), Next::More);
    for line in lines {
        if next == Next::Done {
            break;
        }
        next = bridge.take(&signal(line), &mut out);
    }
    (out, next)
}

/// The line of a frame with one event.
pub fn event(sequence: u64, event_type: &str, content: Value) -> String {
    let event = json!({"type": event_type, "plan_step_id": "p", "sequence": sequence,
        "timestamp": "2024-03-04T02:15:30.441Z", "content": content});
    let data = json!({"from": sequence, "to": sequence, "events": [event]});
    json!({"event": "planner_stream", "id": "a_1_b", "data": data}).to_string()
}

/// The line of an `open` in the middle of a connection.
pub fn open(epoch: &str) -> String {
    let data =
        json!({"epoch": epoch, "from": 0, "tail": 9, "oldest": 5, "recovered": false, "reason": "trimmed"});
    json!({"event": "open", "data": data}).to_string()
}

/// The epoch that a line names.
pub fn epoch(line: &str) -> Option<String> {
    let Signal::Open(open) = signal(line) else { return None };
    open.epoch.map(str::to_owned)
}

/// Lines as the one frame of a snapshot.
pub fn snapshot(lines: &[String]) -> String {
    let frames = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let events = |frame: &Value| frame["data"]["events"].as_array().cloned().unwrap_or_default();
    let events: Vec<Value> = frames.flat_map(|frame| events(&frame)).collect();
    let to = events.last().unwrap()["sequence"].clone();
    let data = json!({"from": 1, "to": to, "events": events, "complete": true});
    json!({"event": "snapshot", "id": "a_1_b", "data": data}).to_string()
}

/// Lines that end a connection.
pub fn ends() -> Vec<String> {
    let end = |reason: &str| {
        format!(r#"{{"event":"end","id":"a_1_b","data":{{"reason":"{reason}","sequence":1}}}}"#)
    };
    vec![
        r#"{"event":"drain","id":"a_1_b","data":{"reason":"draining","sequence":1,"retry_ms":1}}"#.to_owned(),
        r#"{"event":"error","data":{"code":"store_unavailable","title":"t","detail":"d","status":503}}"#
            .to_owned(),
        r#"{"event":"error","data":[]}"#.to_owned(),
        end("plan_step_completed"),
        end("session_closed"),
        end("expired"),
        end("something new"),
    ]
}

/// The last text that was told of each output, as the log has it.
pub fn last_texts(lines: &[String]) -> std::collections::BTreeMap<String, String> {
    let mut last = std::collections::BTreeMap::new();
    for line in lines {
        let value: Value = serde_json::from_str(line).unwrap();
        for event in value["data"]["events"].as_array().into_iter().flatten() {
            let content = &event["content"];
            let text = ["answer", "content", "transcript", "summary"]
                .iter()
                .find_map(|name| content["payload"].get(name)?.as_str());
            if let (Some(key), Some(text)) = (content["result_key"].as_str(), text) {
                last.insert(key.to_owned(), text.to_owned());
            }
        }
    }
    last
}
