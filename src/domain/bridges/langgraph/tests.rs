//! LangGraph: recorded logs, cut anywhere, miss and repeat nothing.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::domain::bridges::tests::{Log, Told as Seen, log, logs, told};

const ALL: [&str; 5] = ["values", "updates", "custom", "messages", "messages-tuple"];

fn bridge(log: &Log, modes: Modes, place: Option<&Place>) -> LangGraph {
    let run = (log.name != "session").then_some("p1");
    let bridge = LangGraph::new(&log.name, run, modes);
    let Some(place) = place else { return bridge };
    let mut bridge = bridge.resumed(place.clone());
    if bridge.needs_past() {
        let last = log.anchor(place);
        log.events().filter(|event| event.sequence <= last).for_each(|event| bridge.past(&event));
    }
    bridge
}

fn read(log: &Log, modes: &[&str], place: Option<&Place>, batch: usize) -> Vec<u8> {
    let mut bridge = bridge(log, Modes::read(modes.iter().copied()), place);
    let (bytes, next) = log.play(&mut bridge, place, batch);
    assert_eq!(next, Next::Done, "{}", log.name);
    bytes
}

fn said(events: &[Seen]) -> Vec<(&str, &Value)> {
    events.iter().map(|event| (event.name.as_str(), &event.data)).collect()
}

fn names(name: &str, modes: &[&str]) -> Vec<String> {
    told(&read(log(name), modes, None, 5)).into_iter().map(|event| event.name).collect()
}

#[test]
fn values_come_after_each_step_of_the_graph() {
    let events = told(&read(log("parallel"), &["values"], None, 5));
    assert_eq!(events[0].name, "metadata");
    assert_eq!(events[0].data, json!({"run_id": "p1", "thread_id": "parallel", "attempt": 1}));
    let values: Vec<&Value> = events[1..].iter().map(|event| &event.data).collect();
    assert_eq!(values.len(), 6, "started, twice completed, aggregation, synthesis, end");
    assert_eq!(
        values[0]["messages"],
        json!([{"type": "human", "id": "p1/query", "content": "What is parallel?"}])
    );
    let last = values[values.len() - 1];
    assert_eq!(last["status"], "completed");
    assert_eq!(last["subagents"]["doc"]["payload"]["citations"][0]["title"], "Quotes");
    assert_eq!(last["subagents"]["search"]["stage"], "search");
    assert_eq!(last["messages"][3]["content"], last["synthesis"]["summary"]);
}

#[test]
fn updates_name_the_subagent() {
    let events = told(&read(log("retry"), &["updates"], None, 5));
    let statuses: Vec<&Value> =
        events.iter().filter_map(|event| event.data.get("documentation")?.get("status")).collect();
    assert_eq!(statuses, ["partial", "retry", "success"]);
    assert!(events.iter().any(|event| event.data.get("aggregation").is_some()));
}

#[test]
fn custom_is_the_log_itself() {
    for log in logs() {
        let events = told(&read(log, &["custom"], None, 3));
        let custom: Vec<&Seen> = events.iter().filter(|event| event.name == "custom").collect();
        assert_eq!(custom.len(), log.events().count(), "{}", log.name);
        assert!(custom.iter().zip(log.events()).all(|(told, event)| told.data["sequence"] == event.sequence));
    }
}

#[test]
fn pieces_of_messages_join_to_their_texts() {
    for log in logs() {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for event in told(&read(log, &["messages-tuple"], None, 2)) {
            if event.name == "messages" {
                let chunk = &event.data[0];
                texts.entry(text(chunk, "id").to_owned()).or_default().push_str(text(chunk, "content"));
            }
        }
        let events = told(&read(log, &["values"], None, 2));
        for values in events.iter().filter(|event| event.name == "values") {
            for message in values.data["messages"].as_array().unwrap() {
                if message["type"] == "ai" {
                    assert_eq!(texts[text(message, "id")], text(message, "content"), "{}", log.name);
                }
            }
        }
    }
}

#[test]
fn whole_messages_end_complete() {
    let names = names("timeout", &["messages"]);
    assert_eq!(names.iter().filter(|name| *name == "messages/complete").count(), 3, "{names:?}");
    assert!(names.iter().any(|name| name == "messages/partial"), "{names:?}");
}

#[test]
fn draft_grows_and_begins_anew_as_another_message() {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let events = told(&read(log("drafted"), &["messages-tuple", "values"], None, 2));
    for event in events.iter().filter(|event| event.name == "messages") {
        let chunk = &event.data[0];
        texts.entry(text(chunk, "id").to_owned()).or_default().push_str(text(chunk, "content"));
    }
    let summary = text(&events.last().unwrap().data["synthesis"], "summary");
    assert_eq!(texts["p1//draft/0"], "The limit is ü");
    assert_eq!(texts["p1//draft/1"], format!("Anew: {summary}"));
    assert_eq!(texts["p1//synthesis"], summary);
}

#[test]
fn run_without_a_result_ends_in_an_error() {
    for (name, error) in
        [("error", "failed"), ("cancelled", "cancelled"), ("refused", "refused"), ("refused_plan", "refused")]
    {
        let events = told(&read(log(name), &ALL, None, 5));
        let errors: Vec<&Seen> = events.iter().filter(|event| event.name == "error").collect();
        assert_eq!(errors.len(), 1, "{name}");
        assert_eq!(errors[0].data["error"], error);
        assert_eq!(events.last(), errors.last().copied(), "{name}: nothing after it");
    }
    let events = told(&read(log("refused_plan"), &ALL, None, 5));
    assert_eq!(events.last().unwrap().data["message"], "holds personal data");
    let events = told(&read(log("unknown"), &ALL, None, 5));
    assert_eq!(
        said(&events),
        [("error", &json!({"error": "unknown_step", "message": "no directive came for this step"}))]
    );
    assert!(!names("timeout", &ALL).contains(&"error".to_owned()));
}

#[test]
fn stream_that_cannot_go_on_ends_in_one_error() {
    for log in logs() {
        for count in 0..log.events().filter(|event| event.event_type != "plan_step_completed").count() {
            let mut bridge = bridge(log, Modes::read(ALL), None);
            let (bytes, next) = log.play_and_fail(&mut bridge, count);
            let errors: Vec<Value> = told(&bytes)
                .into_iter()
                .skip_while(|event| event.name != "error")
                .map(|event| event.data)
                .collect();
            assert_eq!(next, Next::Done);
            assert_eq!(
                errors,
                [json!({"error": "token_expired", "message": "the token has expired"})],
                "{}",
                log.name
            );
        }
    }
}

#[test]
fn thread_has_its_runs_one_by_one() {
    let events = told(&read(log("session"), &["values"], None, 5));
    let runs: Vec<&Value> =
        events.iter().filter(|event| event.name == "metadata").map(|event| &event.data["run_id"]).collect();
    assert_eq!(runs, ["p1", "p2"]);
}

#[test]
fn heartbeat_makes_no_event() {
    let mut out = Vec::new();
    LangGraph::new("s", Some("p"), Modes::default()).take(&Signal::Heartbeat, &mut out);
    assert_eq!(out, b": heartbeat\n");
}

#[test]
fn every_message_has_an_id_of_its_own() {
    for log in logs().iter().filter(|log| log.name != "unknown") {
        for batch in 1..=5 {
            let events = told(&read(log, &ALL, None, batch));
            let ids: HashSet<&str> = events.iter().map(|event| event.id.as_deref().unwrap()).collect();
            assert_eq!(ids.len(), events.len(), "{}", log.name);
        }
    }
}

#[test]
fn place_within_a_frame_stands_on_the_cursor_before_it() {
    let log = log("parallel");
    for event in told(&read(log, &ALL, None, 2)) {
        let place: Place = event.id.unwrap().parse().unwrap();
        let sequence =
            place.to_string().split_once('~').map(|(_, rest)| rest.split_once('.').unwrap().0.parse());
        if let Some(Ok(sequence)) = sequence {
            let _: u64 = sequence;
            assert!(sequence - log.anchor(&place) <= 2, "{place}");
        }
    }
}

#[test]
fn cut_after_every_message_misses_and_repeats_nothing() {
    for log in logs().iter().filter(|log| log.name != "unknown") {
        let all = told(&read(log, &ALL, None, 5));
        for cut in 0..all.len() {
            let place = all[..cut].last().map(|event| event.id.clone().unwrap().parse::<Place>().unwrap());
            let rest = told(&read(log, &ALL, place.as_ref(), 1 + cut % 5));
            assert!(said(&rest) == said(&all[cut..]), "{} cut at {cut}, {place:?}", log.name);
        }
    }
}

#[test]
fn cut_at_a_byte_leaves_whole_messages() {
    let whole = read(log("refused"), &["updates"], None, 5);
    let all = told(&whole);
    for cut in 0..whole.len() {
        let begin = told(&whole[..cut]);
        assert!(all.starts_with(&begin));
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(32))]
    #[test]
    fn many_cuts_in_any_modes_and_frames_miss_and_repeat_nothing(
        which in 0..15_usize,
        modes in prop::sample::subsequence(ALL.to_vec(), 1..=5),
        cuts in prop::collection::vec((0.0..1.0_f64, 1..6_usize), 1..6),
    ) {
        let log = &logs()[which % logs().len()];
        prop_assume!(log.name != "unknown");
        let all = told(&read(log, &modes, None, 5));
        let (mut joined, mut place) = (Vec::new(), None::<Place>);
        for (cut, batch) in cuts {
            let bytes = read(log, &modes, place.as_ref(), batch);
            let got = told(&bytes[..(bytes.len() as f64 * cut) as usize]);
            place = got.last().map_or(place, |event| Some(event.id.clone().unwrap().parse().unwrap()));
            joined.extend(got);
        }
        joined.extend(told(&read(log, &modes, place.as_ref(), 4)));
        prop_assert!(said(&joined) == said(&all), "{}", log.name);
    }
}

#[test]
fn snapshot_begins_the_run_anew() {
    let log = log("parallel");
    let mut bridge =
        bridge(log, Modes::read(["values", "custom"]), Some(&"aaaaaa_3_00~4.2".parse().unwrap()));
    let open = crate::domain::bridges::Open {
        epoch: Some("bbbbbb"),
        from: 0,
        tail: 9,
        oldest: 4,
        recovered: false,
        reason: "epoch_changed",
    };
    let raws: Vec<String> = log.events().take(1).map(|event| {
        json!({"type": event.event_type, "plan_step_id": "p1", "sequence": 9, "timestamp": "", "content": event.content}).to_string()
    }).collect();
    let events: Vec<&RawValue> = raws.iter().map(|raw| serde_json::from_str(raw).unwrap()).collect();
    let mut out = Vec::new();
    bridge.take(&Signal::Open(open), &mut out);
    let half = Frame { cursor: None, from: 1, to: 5, events: events.clone(), complete: false };
    bridge.take(&Signal::Snapshot(half), &mut out);
    assert!(
        !told(&out).is_empty() && told(&out).iter().all(|event| event.id.is_none()),
        "no place in its middle"
    );
    out.clear();
    let last = Frame { cursor: Some("bbbbbb_9_00"), from: 6, to: 9, events, complete: true };
    bridge.take(&Signal::Snapshot(last), &mut out);
    assert_eq!(told(&out).last().unwrap().id.as_deref(), Some("bbbbbb_9_00"));
    let again = told(&out);
    assert_eq!(again[0].name, "metadata");
    let values = again.iter().find(|event| event.name == "values").unwrap();
    assert_eq!(values.data["subagents"], json!({}), "what was known doesn't count");
}
