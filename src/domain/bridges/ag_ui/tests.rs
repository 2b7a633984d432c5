//! Whatever a connection brings, and wherever it ends, the client gets a whole run.

mod checker;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::domain::bridges::parts::tests::invented::connection;
use crate::domain::bridges::parts::tests::recorded::{
    LOGS, ends, epoch, event, last_texts, lines, one_by_one, open, play, signal, snapshot,
};
use checker::{Checked, check};

fn run() -> AgUi {
    AgUi::new("t".to_owned(), "r".to_owned())
}

fn whole(name: &str) -> Checked {
    let (out, next) = play(&mut run(), &lines(name));
    assert_eq!(next, Next::Done, "{name}");
    check(&out).unwrap_or_else(|why| panic!("{name}: {why}"))
}

fn types(checked: &Checked) -> Vec<&str> {
    checked.events.iter().filter_map(|event| event["type"].as_str()).collect()
}

fn find<'a>(checked: &'a Checked, kind: &str, field: &str, is: &str) -> &'a Value {
    let found = checked.events.iter().find(|event| event["type"] == kind && event[field] == is);
    found.unwrap_or_else(|| panic!("no {kind} with {field} {is}"))
}

#[test]
fn every_cut_of_every_log_is_a_whole_run() {
    for (name, _) in LOGS {
        let lines = one_by_one(&lines(name));
        // Another end at each cut; the lengths of the logs bring every end to every kind of place.
        for (cut, end) in (0..=lines.len()).zip(ends().iter().cycle()) {
            let (out, next) = play(&mut run(), lines[..cut].iter().chain([end]));
            assert_eq!(next, Next::Done, "{name} cut at {cut}");
            check(&out).unwrap_or_else(|why| panic!("{name} cut at {cut}, then {end}: {why}"));
        }
    }
}

#[test]
fn the_last_message_of_a_subagent_is_its_last_text() {
    for (name, _) in LOGS {
        let checked = whole(name);
        for (key, text) in last_texts(&lines(name)) {
            let message = &checked.last_message[&format!("r/{key}")];
            assert_eq!(checked.texts[message], text, "{key} in {name}");
        }
    }
}

#[test]
fn how_events_are_put_into_frames_changes_nothing() {
    for (name, _) in LOGS {
        let (single, _) = play(&mut run(), &one_by_one(&lines(name)));
        assert_eq!(check(&single).unwrap().events, whole(name).events, "{name}");
    }
}

#[test]
fn subagents_end_as_they_did() {
    let mixed = whole("mixed");
    let codes = [
        ("slow", "timeout", "deadline"),
        ("risky", "refused", "not allowed"),
        ("broken", "boom", "it broke"),
        ("off", "degraded", "disabled"),
    ];
    for (key, code, message) in codes {
        let event = find(&mixed, "SUBAGENT_ERROR", "subagentRunId", &format!("r/{key}"));
        assert_eq!((event["code"].as_str(), event["message"].as_str()), (Some(code), Some(message)));
    }
    let docs = find(&mixed, "SUBAGENT_FINISHED", "subagentRunId", "r/docs");
    assert_eq!(docs["result"]["citations"][0]["url"], "https://docs.example/quotes");
    assert_eq!(docs["metadata"]["telemetry"]["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(docs["metadata"]["sequence"], 46);
    let started = find(&mixed, "SUBAGENT_STARTED", "subagentRunId", "r/crm_eu");
    assert_eq!(
        (started["name"].as_str(), started["description"].as_str()),
        (Some("crm"), Some("And in Europe?"))
    );
    let retry = find(&mixed, "ACTIVITY_SNAPSHOT", "messageId", "r/failing/activity");
    assert_eq!(retry["content"]["status"], "retry");
    let risky = types(&mixed).iter().filter(|kind| **kind == "SUBAGENT_STARTED").count();
    assert_eq!(risky, 11);
}

#[test]
fn a_text_that_is_told_anew_replaces_its_message() {
    let mixed = whole("mixed");
    let end = find(&mixed, "TEXT_MESSAGE_END", "messageId", "r/voice/1");
    assert_eq!(end["metadata"]["replaced"], true);
    assert_eq!(mixed.texts["r/voice/2"], "Hello there.");
    assert_eq!(find(&mixed, "TEXT_MESSAGE_END", "messageId", "r/voice/2")["metadata"].get("replaced"), None);
}

#[test]
fn the_answer_is_a_message_of_its_own() {
    let mixed = whole("mixed");
    let answer = "“A quote may hold 400 lines.” — *crm* “It may hold 500 lines.” — *documentation*";
    assert_eq!(mixed.texts["r/result/1"], answer);
    let drafted = whole("drafted");
    assert!(
        drafted.texts["r/draft/1"]
            .starts_with("Quotes\n\nA quote becomes an order when it is confirmed [1].")
    );
    assert!(drafted.texts["r/draft/1"].ends_with("Confirming a quote makes an order, up to 500 lines."));
    let end = find(&drafted, "TEXT_MESSAGE_END", "messageId", "r/draft/1");
    assert_eq!((&end["metadata"]["draft"], &end["metadata"]["replaced"]), (&true.into(), &true.into()));
    let result = find(&drafted, "TEXT_MESSAGE_START", "messageId", "r/result/1");
    assert_eq!((result.get("subagentRunId"), result["metadata"].get("draft")), (None, None));
}

#[test]
fn a_draft_that_begins_again_is_another_message() {
    let delta = |sequence, path: &str, offset: u64, text: &str| {
        event(sequence, "synthesis_delta", json!({"path": path, "offset": offset, "text": text}))
    };
    let lines =
        [delta(1, "t", 0, "one"), delta(2, "s", 0, "two"), delta(3, "t", 0, "three"), ends().remove(0)];
    let checked = check(&play(&mut run(), &lines).0).unwrap();
    assert_eq!((&*checked.texts["r/draft/1"], &*checked.texts["r/draft/2"]), ("one\n\ntwo", "three"));
    assert_eq!(find(&checked, "TEXT_MESSAGE_END", "messageId", "r/draft/1")["metadata"]["replaced"], true);
}

#[test]
fn a_draft_that_is_taken_back_is_replaced_by_nothing() {
    let delta = |sequence, path: &str, text: &str| {
        event(sequence, "synthesis_delta", json!({"path": path, "offset": 0, "text": text}))
    };
    let back = [delta(1, "t", "one"), delta(2, "s", "two"), delta(3, "s", ""), delta(4, "t", "")];
    let whole = back.iter().cloned().chain([ends().remove(0)]).collect::<Vec<_>>();
    let checked = check(&play(&mut run(), &whole).0).unwrap();
    assert_eq!(checked.texts.keys().collect::<Vec<_>>(), ["r/draft/1"]);
    assert_eq!(find(&checked, "TEXT_MESSAGE_END", "messageId", "r/draft/1")["metadata"]["replaced"], true);
    let again = back.into_iter().chain([delta(5, "t", "three"), ends().remove(0)]).collect::<Vec<_>>();
    let checked = check(&play(&mut run(), &again).0).unwrap();
    assert_eq!(&*checked.texts["r/draft/2"], "three");
}

#[test]
fn runs_end_as_their_steps() {
    let last = |name: &str| whole(name).events.pop().unwrap();
    let outcome = |name: &str| last(name)["outcome"]["type"].clone();
    assert_eq!(
        (outcome("mixed"), outcome("parent"), outcome("cancelled")),
        ("success".into(), "success".into(), "cancelled".into())
    );
    assert_eq!(last("mixed")["result"]["status"], "partial_failure");
    assert_eq!((last("mixed")["threadId"].as_str(), last("mixed")["runId"].as_str()), (Some("t"), Some("r")));
    let code = |name: &str| last(name)["code"].clone();
    assert_eq!(
        (code("refused"), code("failed"), code("unknown")),
        ("refused".into(), "failed".into(), "unknown_step".into())
    );
    let code = |end: &str| {
        let (out, _) = play(&mut run(), [&end.to_owned()]);
        check(&out).unwrap().events.pop().unwrap()["code"].clone()
    };
    let codes: Vec<Value> = ends().iter().map(|end| code(end)).collect();
    // Who is told of the end of a step, and of nothing in it, may not see it.
    let unseen = "unknown_step";
    let expected = [
        "draining",
        "store_unavailable",
        "internal",
        unseen,
        "unknown_step",
        "session_expired",
        "interrupted",
    ];
    assert_eq!(codes, expected);
}

#[test]
fn a_heartbeat_is_a_comment() {
    let (out, next) = play(&mut run(), &lines("unknown")[..2]);
    assert_eq!(next, Next::More);
    assert!(out.ends_with(b"\n\n:\n\n"), "{}", String::from_utf8_lossy(&out));
}

#[test]
fn a_run_is_started_before_anything_is_there() {
    let (out, _) = play(&mut run(), &lines("unknown")[..1]);
    let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}"#;
    assert_eq!(String::from_utf8(out).unwrap(), format!("data: {started}\n\n"));
}

fn partial(sequence: u64, status: &str, text: &str) -> String {
    let content = json!({"stage": "a", "result_key": "a", "status": status, "revision": 1, "attempt": 1,
        "payload": {"content": text}});
    event(sequence, "planner_stream", content)
}

#[test]
fn a_snapshot_repeats_nothing() {
    for (name, _) in LOGS {
        let lines = one_by_one(&lines(name));
        let read = &lines[..lines.len() - 2];
        let Some(epoch) = read.iter().rev().find_map(|line| epoch(line)) else { continue };
        let mut bridge = run();
        play(&mut bridge, read);
        let (out, next) = play(&mut bridge, &[open(&epoch), snapshot(read)]);
        assert_eq!((String::from_utf8(out).unwrap().as_str(), next), ("", Next::More), "{name}");
    }
}

#[test]
fn what_another_log_says_goes_on_with_what_was_told() {
    let again =
        [open("b"), snapshot(&[partial(2, "partial", "one two")]), partial(3, "success", "one two three")];
    let lines = [&[open("a"), partial(5, "partial", "one")], &again[..], &ends()[..1]].concat();
    let checked = check(&play(&mut run(), &lines).0).unwrap();
    assert_eq!(checked.texts["r/a/1"], "one two three");
}

#[test]
fn an_output_that_has_ended_is_not_heard_of_again() {
    let mut bridge = run();
    play(&mut bridge, &[open("a"), partial(1, "success", "one")]);
    let (out, _) = play(&mut bridge, &[partial(2, "partial", "two"), partial(3, "timeout", "three")]);
    assert_eq!(String::from_utf8(out).unwrap(), "");
}

#[test]
fn what_is_written_is_delivered_instead_of_the_aggregation() {
    let ended =
        event(3, "plan_step_completed", json!({"status": "completed", "href": "/", "more_steps": false}));
    let aggregated = event(1, "aggregation", json!({"summary": "extracted"}));
    let written = event(2, "synthesis", json!({"summary": "written"}));
    let texts = |lines: &[&String]| {
        let checked = check(&play(&mut run(), lines.iter().copied()).0).unwrap();
        checked.texts.into_values().collect::<Vec<_>>()
    };
    assert_eq!(texts(&[&aggregated, &written, &ended]), ["written"]);
    assert_eq!(texts(&[&aggregated, &ended]), ["extracted"]);
}

#[test]
fn nothing_follows_the_end() {
    let mut bridge = run();
    play(&mut bridge, &lines("mixed"));
    for line in lines("unknown").iter().chain(&lines("drafted")).chain(&ends()) {
        let mut out = Vec::new();
        assert_eq!((bridge.take(&signal(line), &mut out), out.len()), (Next::Done, 0), "{line}");
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(128))]

    #[test]
    fn whatever_comes_the_run_is_whole(lines in connection(), end in prop::sample::select(ends())) {
        let (out, next) = play(&mut run(), lines.iter().chain([&end]));
        prop_assert_eq!(next, Next::Done);
        let checked = check(&out);
        prop_assert!(checked.is_ok(), "{:?}", checked.err());
    }
}
