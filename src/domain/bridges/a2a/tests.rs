//! A2A: recorded logs, cut anywhere, come to the same task.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::value::RawValue;

use super::*;
use crate::domain::bridges::Open;
use crate::domain::bridges::tests::{Log, Told, log, logs, told};

mod requests;

fn read(log: &Log, place: Option<&Place>, batch: usize) -> Vec<u8> {
    let mut bridge = A2a::new(json!(7), &log.name, "p1");
    if let Some(place) = place {
        bridge = bridge.resumed(place.clone());
        let last = log.anchor(place);
        log.events().filter(|event| event.sequence <= last).for_each(|event| bridge.past(&event));
    }
    let (bytes, next) = log.play(&mut bridge, place, batch);
    assert_eq!(next, Next::Done, "{}", log.name);
    bytes
}

fn steps() -> Vec<&'static Log> {
    logs().iter().filter(|log| !matches!(log.name.as_str(), "unknown" | "session")).collect()
}

/// A client's view: the task with all updates in it.
#[derive(Debug, Default, PartialEq)]
struct Client {
    state: String,
    artifacts: BTreeMap<String, (String, Vec<Value>)>,
    is_over: bool,
}

impl Client {
    fn read(&mut self, events: &[Told]) {
        for event in events {
            assert_eq!((&event.data["jsonrpc"], &event.data["id"]), (&json!("2.0"), &json!(7)));
            let result = event.data["result"].as_object().unwrap();
            assert_eq!(result.len(), 1);
            assert!(!self.is_over || result.contains_key("task"), "nothing after the end: {result:?}");
            if let Some(task) = result.get("task") {
                *self = Self::default();
                self.enter(&task["status"]);
                for artifact in task["artifacts"].as_array().unwrap() {
                    self.add(artifact, false);
                }
            } else if let Some(update) = result.get("statusUpdate") {
                self.enter(&update["status"]);
            } else {
                let update = &result["artifactUpdate"];
                assert_ne!(self.state, "", "the task comes first");
                self.add(&update["artifact"], update["append"].as_bool().unwrap());
            }
            let Some(holder) = result.values().next() else { unreachable!() };
            assert_eq!(holder["metadata"][CURSOR_URI].as_str(), event.id.as_deref());
        }
    }

    fn enter(&mut self, status: &Value) {
        let state = text(status, "state");
        let order = |state: &str| match state {
            "" => 0,
            "TASK_STATE_SUBMITTED" => 1,
            "TASK_STATE_WORKING" => 2,
            "TASK_STATE_COMPLETED" | "TASK_STATE_FAILED" | "TASK_STATE_CANCELED" | "TASK_STATE_REJECTED" => 3,
            other => panic!("{other}"),
        };
        assert!(order(state) >= order(&self.state), "{} to {state}", self.state);
        self.is_over = order(state) == 3;
        state.clone_into(&mut self.state);
    }

    fn add(&mut self, artifact: &Value, append: bool) {
        let entry = self.artifacts.entry(text(artifact, "artifactId").to_owned()).or_default();
        if !append {
            *entry = Default::default();
        }
        for part in artifact["parts"].as_array().unwrap() {
            match part.get("text") {
                Some(piece) => entry.0.push_str(piece.as_str().unwrap()),
                None => entry.1.push(part["data"].clone()),
            }
        }
    }
}

fn client(events: &[Told]) -> Client {
    let mut client = Client::default();
    client.read(events);
    // Once there is a result, a snapshot of the task leaves the draft out.
    client.artifacts.remove("/draft");
    client
}

#[test]
fn every_step_begins_as_a_task_and_ends_in_its_state() {
    let ends = [
        ("parallel", "TASK_STATE_COMPLETED"),
        ("timeout", "TASK_STATE_COMPLETED"),
        ("error", "TASK_STATE_FAILED"),
        ("cancelled", "TASK_STATE_CANCELED"),
        ("refused", "TASK_STATE_REJECTED"),
        ("refused_plan", "TASK_STATE_REJECTED"),
    ];
    for (name, state) in ends {
        let events = told(&read(log(name), None, 5));
        assert_eq!(events[0].data["result"]["task"]["status"]["state"], "TASK_STATE_SUBMITTED");
        assert_eq!(events.last().unwrap().data["result"]["statusUpdate"]["status"]["state"], state, "{name}");
    }
}

#[test]
fn artifacts_hold_whole_texts_and_payloads() {
    let client = client(&told(&read(log("parallel"), None, 5)));
    let (text, data) = &client.artifacts["doc"];
    assert!(text.ends_with("\u{2028}Ünïcödé 😀"), "{text}");
    assert_eq!(data[0]["answer"].as_str(), Some(text.as_str()));
    assert_eq!(client.artifacts["search"].0, "Found: one, two, three.");
    let (text, data) = &client.artifacts["/result"];
    assert_eq!((data.len(), data[0]["summary"].as_str()), (1, Some(text.as_str())));
}

#[test]
fn table_is_an_artifact_of_data() {
    let client = client(&told(&read(log("table"), None, 5)));
    let (text, data) = &client.artifacts["row_selection"];
    assert_eq!((text.as_str(), data.len(), &data[0]["row_count"]), ("", 1, &json!(1)));
}

#[test]
fn text_that_grows_is_appended() {
    let events = told(&read(log("parallel"), None, 5));
    let updates: Vec<&Value> =
        events.iter().filter_map(|event| event.data["result"].get("artifactUpdate")).collect();
    let doc: Vec<(&Value, &Value, &Value)> = updates
        .iter()
        .filter(|update| update["artifact"]["artifactId"] == "doc")
        .map(|update| (&update["artifact"]["parts"][0]["text"], &update["append"], &update["lastChunk"]))
        .collect();
    let no = &json!(false);
    assert_eq!(doc[0], (&json!("A quote"), no, no));
    assert_eq!(doc[1], (&json!(" is converted"), &json!(true), no));
    assert_eq!(doc[2], (&json!("Quotes are converted in \"Orders\"."), no, no));
    assert_eq!((doc[3].1, doc[3].2), (&json!(true), &json!(true)));
}

#[test]
fn success_that_repeats_the_text_adds_its_payload() {
    let content = |status: &str| {
        json!({"stage": "s", "result_key": "k", "status": status, "revision": 1, "attempt": 1,
        "payload": {"answer": "So it is."}})
    };
    let event = |event_type: &str, sequence: u64, content: Value| {
        let event = json!({"type": event_type, "plan_step_id": "p1", "sequence": sequence, "timestamp": "t", "content": content});
        RawValue::from_string(event.to_string()).unwrap()
    };
    let raws = [
        event("step_started", 1, json!({})),
        event("planner_stream", 2, content("partial")),
        event("planner_stream", 3, content("success")),
    ];
    let frame = Frame {
        cursor: Some("a_3_0"),
        from: 1,
        to: 3,
        events: raws.iter().map(|raw| &**raw).collect(),
        complete: false,
    };
    let mut out = Vec::new();
    A2a::new(json!(7), "s", "p1").take(&Signal::Frame(frame), &mut out);
    let mut client = Client::default();
    client.read(&told(&out));
    assert_eq!(client.artifacts["k"], ("So it is.".to_owned(), vec![json!({"answer": "So it is."})]));
}

#[test]
fn draft_is_an_artifact_until_there_is_a_result() {
    let mut client = Client::default();
    client.read(&told(&read(log("drafted"), None, 5)));
    let (result, _) = &client.artifacts["/result"];
    assert_eq!(client.artifacts["/draft"].0, format!("Anew: {result}"));
}

#[test]
fn what_a_client_has_in_the_end_is_what_get_task_says() {
    for log in steps() {
        let streamed = client(&told(&read(log, None, 4)));
        let mut bridge = A2a::new(json!(7), &log.name, "p1");
        log.events().for_each(|event| bridge.past(&event));
        assert!(bridge.is_over());
        let task = json!({"jsonrpc": "2.0", "id": 7, "result": {"task": bridge.task(None)}});
        let got = client(&[Told { id: None, name: String::new(), data: task }]);
        assert_eq!(streamed, got, "{}", log.name);
    }
}

#[test]
fn cut_after_every_message_comes_to_the_same_task() {
    for log in steps() {
        let all = told(&read(log, None, 5));
        for cut in 1..all.len() {
            let place: Place = all[cut - 1].id.as_deref().unwrap().parse().unwrap();
            let rest = told(&read(log, Some(&place), 1 + cut % 5));
            assert!(rest[0].data["result"].get("task").is_some(), "{}: the task comes first", log.name);
            // The task is as it was at the cut, so nothing is missed or told twice.
            assert_eq!(client(&all[..cut]), client(&rest[..1]), "{} cut at {cut}", log.name);
            let results = |events: &[Told]| -> Vec<String> {
                events
                    .iter()
                    .map(|event| {
                        let mut result = event.data["result"].clone();
                        let kind = result.as_object().unwrap().keys().next().unwrap().clone();
                        result[&kind]["metadata"][CURSOR_URI] = Value::Null;
                        result.to_string()
                    })
                    .collect()
            };
            assert_eq!(results(&all[cut..]), results(&rest[1..]), "{} cut at {cut}", log.name);
        }
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(32))]
    #[test]
    fn many_cuts_come_to_the_same_task(which in 0..14_usize, cuts in prop::collection::vec((0.0..1.0_f64, 1..6_usize), 1..6)) {
        let steps = steps();
        let log = steps[which % steps.len()];
        let (mut joined, mut place) = (Vec::new(), None::<Place>);
        for (cut, batch) in cuts {
            let bytes = read(log, place.as_ref(), batch);
            let got = told(&bytes[..(bytes.len() as f64 * cut) as usize]);
            place = got.last().map_or(place, |event| Some(event.id.clone().unwrap().parse().unwrap()));
            joined.extend(got);
        }
        joined.extend(told(&read(log, place.as_ref(), 3)));
        prop_assert_eq!(client(&joined), client(&told(&read(log, None, 5))));
    }
}

#[test]
fn unknown_step_is_a_task_that_is_not_found() {
    let events = told(&read(log("unknown"), None, 5));
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0].data["id"], &events[0].data["error"]["code"]), (&json!(7), &json!(-32001)));
}

#[test]
fn stream_that_cannot_go_on_ends_in_one_error() {
    for log in steps() {
        for count in 0..log.events().count() {
            let (bytes, next) = log.play_and_fail(&mut A2a::new(json!(7), &log.name, "p1"), count);
            let mut events = told(&bytes);
            let last = events.pop().unwrap();
            assert_eq!(
                (next, &last.data["error"]["code"], &last.data["id"]),
                (Next::Done, &json!(-32603), &json!(7))
            );
            Client::default().read(&events);
        }
    }
}

#[test]
fn snapshot_takes_the_place_of_what_was_known() {
    let log = log("timeout");
    let place: Place = "aaaaaa_3_00".parse().unwrap();
    let mut bridge = A2a::new(json!(7), "s", "p1").resumed(place);
    log.events().for_each(|event| bridge.past(&event));
    let mut out = Vec::new();
    let open = Open {
        epoch: Some("bbbbbb"),
        from: 0,
        tail: 1,
        oldest: 1,
        recovered: false,
        reason: "epoch_changed",
    };
    bridge.take(&Signal::Open(open), &mut out);
    assert!(out.is_empty());
    let started = log.events().next().unwrap();
    let raw = json!({"type": "step_started", "plan_step_id": "p1", "sequence": 1, "timestamp": "t", "content": started.content});
    let raw = RawValue::from_string(raw.to_string()).unwrap();
    let frame = Frame { cursor: Some("bbbbbb_1_00"), from: 1, to: 1, events: vec![&raw], complete: true };
    bridge.take(&Signal::Snapshot(frame), &mut out);
    let events = told(&out);
    assert_eq!((events.len(), events[0].id.as_deref()), (1, Some("bbbbbb_1_00")));
    assert_eq!(events[0].data["result"]["task"]["artifacts"], json!([]));
}

#[test]
fn drain_and_heartbeat_say_nothing() {
    let mut bridge = A2a::new(json!(7), "s", "p1");
    let mut out = Vec::new();
    assert_eq!(bridge.take(&Signal::Heartbeat, &mut out), Next::More);
    assert_eq!(bridge.take(&Signal::Drain { cursor: None }, &mut out), Next::More);
    assert_eq!(told(&out), []);
}
