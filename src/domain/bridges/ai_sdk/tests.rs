//! Whatever a connection brings, and wherever it ends, the client gets a whole message.

mod checker;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::domain::bridges::parts::tests::invented::connection;
use crate::domain::bridges::parts::tests::recorded::{
    LOGS, ends, epoch, event, last_texts, lines, one_by_one, open, play, signal, snapshot,
};
use checker::{Checked, check};

fn message() -> AiSdk {
    AiSdk::new("m".to_owned())
}

fn whole(name: &str) -> Checked {
    let (out, next) = play(&mut message(), &lines(name));
    assert_eq!(next, Next::Done, "{name}");
    check(&out).unwrap_or_else(|why| panic!("{name}: {why}"))
}

fn of_type<'a>(checked: &'a Checked, kind: &str) -> Vec<&'a Value> {
    checked.parts.iter().filter(|part| part["type"] == kind).collect()
}

#[test]
fn every_cut_of_every_log_is_a_whole_message() {
    for (name, _) in LOGS {
        let lines = one_by_one(&lines(name));
        // Another end at each cut; the lengths of the logs bring every end to every kind of place.
        for (cut, end) in (0..=lines.len()).zip(ends().iter().cycle()) {
            let (out, next) = play(&mut message(), lines[..cut].iter().chain([end]));
            assert_eq!(next, Next::Done, "{name} cut at {cut}");
            check(&out).unwrap_or_else(|why| panic!("{name} cut at {cut}, then {end}: {why}"));
        }
    }
}

#[test]
fn the_last_text_of_a_subagent_is_its_last_text() {
    for (name, _) in LOGS {
        let checked = whole(name);
        for (key, text) in last_texts(&lines(name)) {
            assert_eq!(checked.texts[&checked.last_text[&key]], text, "{key} in {name}");
        }
    }
}

#[test]
fn how_events_are_put_into_frames_changes_nothing() {
    for (name, _) in LOGS {
        let (single, _) = play(&mut message(), &one_by_one(&lines(name)));
        assert_eq!(check(&single).unwrap().parts, whole(name).parts, "{name}");
    }
}

#[test]
fn subagents_are_data_in_place() {
    let mixed = whole("mixed");
    let of = |key: &str| &mixed.data[&("data-subagent".to_owned(), key.to_owned())];
    let statuses = ["docs", "slow", "risky", "broken", "off", "failing"].map(|key| of(key)["status"].clone());
    assert_eq!(statuses, ["success", "timeout", "refused", "error", "degraded", "success"]);
    assert_eq!((&of("crm_eu")["task"], &of("crm_eu")["stage"]), (&json!("And in Europe?"), &json!("crm")));
    assert_eq!(of("row_selection")["payload"]["row_count"], 2);
    assert_eq!(of("docs").get("payload"), None);
    assert_eq!(
        (&of("broken")["error"]["code"], &of("risky")["reason"]),
        (&json!("boom"), &json!("not allowed"))
    );
    assert_eq!(of("docs")["telemetry"]["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    let first = of_type(&mixed, "data-subagent")[0];
    assert_eq!((&first["id"], &first["data"]["status"]), (&json!("docs"), &json!("expected")));
}

#[test]
fn sources_are_parts_each_once() {
    let mixed = whole("mixed");
    let urls: Vec<_> = of_type(&mixed, "source-url").iter().map(|part| part["url"].clone()).collect();
    assert_eq!(urls, ["https://x.example/a", "https://docs.example/quotes", "https://crm.example/q/1"]);
    let titles: Vec<_> =
        of_type(&mixed, "source-document").iter().map(|part| part["title"].clone()).collect();
    assert_eq!(titles, ["Handbook", "Internal guide"]);
    let ids: std::collections::BTreeSet<_> =
        mixed.parts.iter().filter_map(|part| part["sourceId"].as_str()).collect();
    assert_eq!(ids.len(), 5);
}

#[test]
fn a_text_that_is_told_anew_replaces_its_part() {
    let mixed = whole("mixed");
    let ends = of_type(&mixed, "text-end");
    let of = |id: &str| &ends.iter().find(|part| part["id"] == id).unwrap()["providerMetadata"]["tributary"];
    assert_eq!((&of("voice:1")["replaced"], of("voice:2").get("replaced")), (&json!(true), None));
    assert_eq!((&of("slow:1")["status"], of("voice:2").get("status")), (&json!("timeout"), None));
    assert_eq!(mixed.texts["voice:2"], "Hello there.");
}

#[test]
fn a_draft_never_stays_in_the_message() {
    let drafted = whole("drafted");
    let drafts = of_type(&drafted, "data-draft");
    assert_eq!(drafts.len(), 13);
    assert!(drafts.iter().all(|part| part["transient"] == true && part.get("id").is_none()));
    assert_eq!(drafted.texts.len(), 3);
    assert_eq!(
        drafted.texts["answer:1"],
        "“A quote becomes an order when it is confirmed.” [1] — *documentation*"
    );
}

#[test]
fn progress_is_for_now() {
    let mixed = whole("mixed");
    let [progress] = of_type(&mixed, "data-progress")[..] else { panic!("one was told") };
    assert_eq!((&progress["transient"], &progress["data"]["percent"]), (&json!(true), &json!(50)));
    assert_eq!(of_type(&mixed, "data-policy").len(), 2);
}

#[test]
fn messages_end_as_their_steps() {
    let last = |name: &str| whole(name).parts.pop().unwrap();
    let kinds = ["mixed", "drafted", "cancelled", "refused", "failed", "unknown"]
        .map(|name| last(name)["type"].clone());
    assert_eq!(kinds, ["finish", "finish", "abort", "error", "error", "error"]);
    let finish = json!({"type": "finish", "finishReason": "stop", "messageMetadata": {"status": "partial_failure",
        "href": "/planner/sessions/mixed/steps/step-1/result", "more_steps": false}});
    assert_eq!(last("mixed"), finish);
    assert_eq!(last("unknown")["errorText"], "no directive came for this step");
    let last =
        |end: &String| check(&play(&mut message(), [end]).0).unwrap().parts.pop().unwrap()["type"].clone();
    let kinds: Vec<_> = ends().iter().map(last).collect();
    // The end of a step without anything in it, too: who is told that may not see it.
    assert_eq!(kinds, ["error"; 7]);
}

#[test]
fn a_message_is_started_before_anything_is_there_and_a_heartbeat_is_a_comment() {
    let (out, next) = play(&mut message(), &lines("unknown")[..2]);
    assert_eq!(next, Next::More);
    assert_eq!(String::from_utf8(out).unwrap(), "data: {\"type\":\"start\",\"messageId\":\"m\"}\n\n:\n\n");
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
        let mut bridge = message();
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
    let checked = check(&play(&mut message(), &lines).0).unwrap();
    assert_eq!(checked.texts["a:1"], "one two three");
}

#[test]
fn an_output_that_has_ended_is_not_heard_of_again() {
    let mut bridge = message();
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
        let checked = check(&play(&mut message(), lines.iter().copied()).0).unwrap();
        checked.texts.into_values().collect::<Vec<_>>()
    };
    assert_eq!(texts(&[&aggregated, &written, &ended]), ["written"]);
    assert_eq!(texts(&[&aggregated, &ended]), ["extracted"]);
}

#[test]
fn sources_of_the_answer_carry_the_numbers_that_it_cites() {
    let payload = json!({"answer": "Only the manager may prolong it [1].", "citations": [{"id": "1", "url": "https://crm.example/s"}]});
    let content = json!({"stage": "crm", "result_key": "crm", "status": "success", "revision": 1, "attempt": 1, "payload": payload});
    let sources = json!([{"id": 1, "title": "Manual", "url": "https://docs.example/q"}, {"id": 3, "title": "Leaflet", "url": null}]);
    let lines = [
        event(1, "planner_stream", content),
        event(2, "aggregation", json!({"summary": "A draft [1].", "sources": []})),
        event(3, "synthesis", json!({"summary": "It is valid for 30 days [1][3].", "sources": sources})),
        event(4, "plan_step_completed", json!({"status": "completed", "href": "/", "more_steps": false})),
    ];
    let checked = check(&play(&mut message(), &lines).0).unwrap();
    let told: Vec<_> = checked.parts.iter().filter(|part| part.get("sourceId").is_some()).collect();
    let number = |part: &Value| part["providerMetadata"]["tributary"]["number"].clone();
    let seen: Vec<_> =
        told.iter().map(|part| (number(part), part["sourceId"].clone(), part["url"].clone())).collect();
    let expected = [
        (json!(null), json!("source-1"), json!("https://crm.example/s")),
        (json!(1), json!("answer:1:1"), json!("https://docs.example/q")),
        (json!(3), json!("answer:1:3"), json!(null)),
    ];
    assert_eq!(seen, expected);
    let at = |found: &dyn Fn(&Value) -> bool| checked.parts.iter().position(found).unwrap();
    assert!(
        at(&|part| part["sourceId"] == "answer:1:3") < at(&|part| part["id"] == "answer:1"),
        "they come first"
    );
}

#[test]
fn nothing_follows_the_end() {
    let mut bridge = message();
    play(&mut bridge, &lines("mixed"));
    for line in lines("unknown").iter().chain(&lines("drafted")).chain(&ends()) {
        let mut out = Vec::new();
        assert_eq!((bridge.take(&signal(line), &mut out), out.len()), (Next::Done, 0), "{line}");
    }
}

proptest! {
    #![proptest_config(crate::properties::cases(128))]

    #[test]
    fn whatever_comes_the_message_is_whole(lines in connection(), end in prop::sample::select(ends())) {
        let (out, next) = play(&mut message(), lines.iter().chain([&end]));
        prop_assert_eq!(next, Next::Done);
        let checked = check(&out);
        prop_assert!(checked.is_ok(), "{:?}", checked.err());
    }
}
