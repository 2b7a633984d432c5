//! Which directives are refused and where, and which of them are the same.

use serde_json::{Value, json};

use super::*;
use crate::domain::adapters::Adapter;
use crate::domain::directive::{Invoke, SynthesisMode};

fn parse_with(text: &str, rules: &DirectiveRules) -> Result<Directive, Refusal> {
    parse(text, &"sess-1".parse().unwrap(), rules)
}

fn parsed(value: &Value) -> Directive {
    let prompts = [String::from("p")].into();
    parse_with(&value.to_string(), &DirectiveRules { prompts, ..DirectiveRules::default() })
        .unwrap_or_else(|refusal| panic!("{value}: {refusal:?}"))
}

fn refused(value: &Value) -> (Code, String, String) {
    let refusal = parse_with(&value.to_string(), &DirectiveRules::default()).expect_err(&value.to_string());
    (refusal.code, refusal.issues[0].pointer.clone(), refusal.detail)
}

/// The smallest directive with `value` at `pointer`, whose parents are there.
fn with(pointer: &str, value: Value) -> Value {
    let mut directive = json!({
        "plan_step_id": "p", "expected_subagents": [{ "key": "documentation", "telemetry": {} }],
        "aggregation": {}, "synthesis": {}
    });
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    directive.pointer_mut(parent).unwrap()[name] = value;
    directive
}

/// The directive of the documentation.
fn documented() -> Value {
    json!({
        "session_id": "sess-1", "plan_step_id": "plan-step-4",
        "expected_subagents": [{
            "key": "documentation", "result_key": "quote_conversion_doc", "adapter": "documentation",
            "task": "How is a quote converted into an order?", "deadline_ms": 8000, "max_attempts": 3,
            "on_degraded": "skip", "invoke": false,
            "telemetry": { "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "span_id": "00f067aa0ba902b7",
                           "tracestate": "a=b", "correlation_id": "c" }
        }],
        "planner_context": { "request_id": "req-789", "user_id": "user-42", "conversation_id": "conv-22" },
        "query": "q", "goal": "g", "instructions": "i", "document_context": "d",
        "task_type": "retrieval", "length": 400, "parent_step_id": "plan-step-1",
        "expected_children": ["plan-step-5"], "depends_on": ["plan-step-2"],
        "deadline_ms": 15000, "more_steps": false, "shadow": false,
        "aggregation": { "min_relevance": 0.3, "max_results": 20, "deduplicate": true, "max_result_tokens": 2000 },
        "synthesis": { "mode": "llm", "prompt": "p", "language": "en", "target_length": 200, "format": "narrative",
                       "include_contradictions": true, "include_gaps": true, "min_quality": 0.6,
                       "on_low_quality": "block", "budget": { "tokens": 20000, "calls": 4 } }
    })
}

#[test]
fn the_directive_of_the_documentation_is_taken() {
    let directive = parsed(&documented());
    assert_eq!(directive.synthesis.mode, SynthesisMode::Llm);
    let expected = &directive.expected_subagents[0];
    assert_eq!(
        (expected.adapter, &expected.invoke),
        (Some(Adapter::Documentation), &Some(Invoke::Configured(false)))
    );
    assert_eq!(expected.result_key().as_str(), "quote_conversion_doc");
}

#[test]
fn what_is_left_out_has_the_documented_defaults() {
    let directive =
        parsed(&json!({ "plan_step_id": "p", "expected_subagents": [{ "key": "documentation" }] }));
    let expected = &directive.expected_subagents[0];
    assert_eq!((directive.deadline_ms, expected.deadline_ms, expected.max_attempts), (120_000, None, 3));
    assert_eq!(expected.result_key().as_str(), "documentation");
    assert_eq!((directive.aggregation.max_results, directive.aggregation.max_result_tokens), (20, 2_000));
    assert_eq!((directive.synthesis.mode, directive.more_steps), (SynthesisMode::Extractive, false));
    let parent = parsed(&json!({ "plan_step_id": "p", "expected_children": ["c"] }));
    assert!(parent.expected_subagents.is_empty());
}

/// Pointers to the members of `value`, and to theirs, below `under`.
fn members(value: &Value, under: &str, found: &mut Vec<String>) {
    let steps: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, member)| (name.clone(), member)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    };
    for (step, below) in steps {
        let pointer = format!("{under}/{step}");
        members(below, &pointer, found);
        if value.is_object() {
            found.push(pointer);
        }
    }
}

#[test]
fn an_optional_member_that_is_null_is_absent() {
    let whole = documented();
    let mut pointers = Vec::new();
    members(&whole, "", &mut pointers);
    pointers.retain(|pointer| !pointer.starts_with("/planner_context/"));
    assert!(pointers.len() > 40, "{pointers:?}");
    for pointer in pointers {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let (mut null, mut absent) = (whole.clone(), whole.clone());
        null.pointer_mut(parent).unwrap()[name] = Value::Null;
        absent.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
        if pointer == "/plan_step_id" || pointer.ends_with("/key") {
            assert_eq!(refused(&null), (Code::InvalidEvent, pointer.clone(), refused(&null).2));
        } else {
            assert_eq!(parsed(&null).digest(), parsed(&absent).digest(), "{pointer}");
        }
    }
}

#[test]
fn a_wrong_directive_is_refused_by_code_and_place() {
    let one = "/expected_subagents/0";
    let call = |more: Value| {
        let mut call = json!({ "url": "https://crm.test/", "protocol": "json" });
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call
    };
    for (pointer, value, code, place) in [
        ("/session_id", json!("sess-2"), Code::InvalidEvent, "/session_id"),
        ("/session_id", json!("a b"), Code::InvalidId, "/session_id"),
        ("/plan_step_id", json!(".."), Code::InvalidId, "/plan_step_id"),
        ("/plan_step_id", json!(4), Code::InvalidEvent, "/plan_step_id"),
        ("/expected_subagents", json!([]), Code::InvalidEvent, "/expected_subagents"),
        ("/expected_subagents", json!([["documentation"]]), Code::InvalidEvent, one),
        (
            "/expected_subagents",
            json!(vec![json!({"key": "k"}); 257]),
            Code::LimitReached,
            "/expected_subagents",
        ),
        (
            "/expected_subagents",
            json!([{"key": "k"}, {"key": "k"}]),
            Code::InvalidEvent,
            "/expected_subagents/1/result_key",
        ),
        (
            "/expected_subagents",
            json!([{"key": "k"}, {"key": "j", "result_key": "k"}]),
            Code::InvalidEvent,
            "/expected_subagents/1/result_key",
        ),
        ("/expected_subagents/0/key", json!("a b"), Code::InvalidId, "/expected_subagents/0/key"),
        ("/expected_subagents/0/result_key", json!(""), Code::InvalidId, "/expected_subagents/0/result_key"),
        ("/expected_subagents/0/name", json!(""), Code::UnknownField, "/expected_subagents/0/name"),
        (
            "/expected_subagents/0/adapter",
            json!("telepathy"),
            Code::InvalidEvent,
            "/expected_subagents/0/adapter",
        ),
        (
            "/expected_subagents/0/deadline_ms",
            json!(0),
            Code::InvalidEvent,
            "/expected_subagents/0/deadline_ms",
        ),
        (
            "/expected_subagents/0/deadline_ms",
            json!(86_400_001),
            Code::LimitReached,
            "/expected_subagents/0/deadline_ms",
        ),
        (
            "/expected_subagents/0/max_attempts",
            json!(0),
            Code::InvalidEvent,
            "/expected_subagents/0/max_attempts",
        ),
        (
            "/expected_subagents/0/max_attempts",
            json!(101),
            Code::InvalidEvent,
            "/expected_subagents/0/max_attempts",
        ),
        (
            "/expected_subagents/0/task",
            json!("x".repeat(8_193)),
            Code::InvalidEvent,
            "/expected_subagents/0/task",
        ),
        (
            "/expected_subagents/0/telemetry/span_id",
            json!("x"),
            Code::InvalidEvent,
            "/expected_subagents/0/telemetry/span_id",
        ),
        (
            "/expected_subagents/0/telemetry/metrics",
            json!([]),
            Code::InvalidEvent,
            "/expected_subagents/0/telemetry/metrics",
        ),
        ("/expected_subagents/0/telemetry", json!([]), Code::InvalidEvent, "/expected_subagents/0/telemetry"),
        ("/expected_subagents/0/invoke", json!(true), Code::InvalidEvent, "/expected_subagents/0/invoke"),
        ("/expected_subagents/0/invoke", json!("yes"), Code::InvalidEvent, "/expected_subagents/0/invoke"),
        (
            "/expected_subagents/0/invoke",
            call(json!({})),
            Code::HostNotAllowed,
            "/expected_subagents/0/invoke/url",
        ),
        (
            "/expected_subagents/0/invoke",
            call(json!({"method": "GET"})),
            Code::UnknownField,
            "/expected_subagents/0/invoke/method",
        ),
        (
            "/expected_subagents/0/invoke",
            call(json!({"headers": {"a": 1}})),
            Code::InvalidEvent,
            "/expected_subagents/0/invoke/headers/a",
        ),
        (
            "/expected_subagents/0/invoke",
            call(json!({"headers": {"authorization": "Bearer abc"}, "body": {"x": 1}})),
            Code::InvalidEvent,
            "/expected_subagents/0/invoke/headers/authorization",
        ),
        ("/planner_context", json!([]), Code::InvalidEvent, "/planner_context"),
        ("/query", json!("x".repeat(32_769)), Code::InvalidEvent, "/query"),
        ("/goal", json!("x".repeat(32_769)), Code::InvalidEvent, "/goal"),
        ("/instructions", json!("x".repeat(32_769)), Code::InvalidEvent, "/instructions"),
        ("/document_context", json!("x".repeat(262_145)), Code::InvalidEvent, "/document_context"),
        ("/task_type", json!("search"), Code::InvalidEvent, "/task_type"),
        ("/length", json!(0), Code::InvalidEvent, "/length"),
        ("/length", json!(100_001), Code::InvalidEvent, "/length"),
        ("/parent_step_id", json!("p"), Code::InvalidEvent, "/parent_step_id"),
        ("/expected_children", json!(["a", "p"]), Code::InvalidEvent, "/expected_children/1"),
        ("/expected_children", json!(["a", "b", "a"]), Code::InvalidEvent, "/expected_children/2"),
        ("/expected_children", json!(["a", "b c"]), Code::InvalidId, "/expected_children/1"),
        (
            "/expected_children",
            json!((0..257).map(|n| n.to_string()).collect::<Vec<_>>()),
            Code::LimitReached,
            "/expected_children",
        ),
        ("/depends_on", json!(["p"]), Code::InvalidEvent, "/depends_on/0"),
        ("/depends_on", json!(["a", "a"]), Code::InvalidEvent, "/depends_on/1"),
        (
            "/depends_on",
            json!((0..1_001).map(|n| n.to_string()).collect::<Vec<_>>()),
            Code::LimitReached,
            "/depends_on",
        ),
        ("/deadline_ms", json!(0), Code::InvalidEvent, "/deadline_ms"),
        ("/deadline_ms", json!(86_400_001), Code::LimitReached, "/deadline_ms"),
        ("/aggregation", json!([0.5, 1, true, 1]), Code::InvalidEvent, "/aggregation"),
        ("/aggregation/top", json!(1), Code::UnknownField, "/aggregation/top"),
        ("/aggregation/min_relevance", json!(1.1), Code::InvalidEvent, "/aggregation/min_relevance"),
        ("/aggregation/min_relevance", json!(-0.1), Code::InvalidEvent, "/aggregation/min_relevance"),
        ("/aggregation/max_results", json!(0), Code::InvalidEvent, "/aggregation/max_results"),
        ("/aggregation/max_results", json!(1_001), Code::InvalidEvent, "/aggregation/max_results"),
        (
            "/aggregation/max_result_tokens",
            json!(100_001),
            Code::InvalidEvent,
            "/aggregation/max_result_tokens",
        ),
        ("/synthesis/mode", json!("best"), Code::InvalidEvent, "/synthesis/mode"),
        ("/synthesis/target_length", json!(0), Code::InvalidEvent, "/synthesis/target_length"),
        ("/synthesis/min_quality", json!(2), Code::InvalidEvent, "/synthesis/min_quality"),
        ("/synthesis/budget", json!([1, 1]), Code::InvalidEvent, "/synthesis/budget"),
    ] {
        let (found_code, found_place, detail) = refused(&with(pointer, value));
        assert_eq!((found_code, found_place.as_str()), (code, place), "{pointer}: {detail}");
        assert!(detail.len() > 15 && !detail.contains("u32"), "{pointer}: {detail}");
    }
    let mut both = with("/parent_step_id", json!("a"));
    both["expected_children"] = json!(["a"]);
    assert_eq!(refused(&both).1, "/expected_children/0");
}

#[test]
fn a_call_of_an_allowed_host_is_taken_and_another_is_named() {
    let calls = CallRules { allowed_hosts: vec!["crm.test".parse().unwrap()], ..CallRules::default() };
    let rules = DirectiveRules { calls, ..Default::default() };
    let invoke = |url: &str| {
        with("/expected_subagents/0/invoke", json!({ "url": url, "protocol": "a2a" })).to_string()
    };
    assert!(parse_with(&invoke("https://crm.test/"), &rules).is_ok());
    let refusal = parse_with(&invoke("https://crm.test.evil/"), &rules).unwrap_err();
    assert_eq!(refusal.code, Code::HostNotAllowed);
    assert_eq!(refusal.issues[0].pointer, "/expected_subagents/0/invoke/url");
}

#[test]
fn broken_json_is_told_from_a_wrong_directive() {
    let rules = DirectiveRules::default();
    for (text, pointer) in [
        ("", ""),
        ("{", ""),
        (r#"{"plan_step_id":"p","plan_step_id":"p"}"#, "/plan_step_id"),
        (r#"{"plan_step_id":"p","planner_context":{"a":{"b":1,"b":1}}}"#, "/planner_context/a/b"),
    ] {
        let refusal = parse_with(text, &rules).unwrap_err();
        assert_eq!(
            (refusal.code, refusal.issues[0].pointer.as_str()),
            (Code::InvalidJson, pointer),
            "{text}"
        );
    }
}

#[test]
fn what_is_shown_to_readers_is_on_one_line() {
    let text =
        "{\"plan_step_id\": \"p\", \"expected_children\": [\"c\"],\n \"planner_context\": {\n\"a\": 1}}";
    let directive = parse_with(text, &DirectiveRules::default()).unwrap();
    assert_eq!(directive.planner_context.unwrap().0.get(), r#"{"a":1}"#);
}

#[test]
fn the_same_directive_in_other_words_has_the_same_digest() {
    let short = json!({ "plan_step_id": "p", "expected_subagents": [{ "key": "documentation" }],
                        "planner_context": { "a": 1, "b": 2 } });
    let digest = parsed(&short).digest();
    let long = r#"{ "planner_context": { "b": 2.0, "a": 1 }, "session_id": "sess-1", "query": null, "depends_on": [],
        "expected_subagents": [{ "result_key": "documentation", "adapter": "documentation", "max_attempts": 3,
                                 "deadline_ms": 120000, "key": "documentation", "on_degraded": "skip" }],
        "deadline_ms": 120000, "more_steps": false, "shadow": false, "aggregation": { "min_relevance": 0 },
        "synthesis": { "mode": "extractive" }, "plan_step_id": "p" }"#;
    assert_eq!(parse_with(long, &DirectiveRules::default()).unwrap().digest(), digest);
    let mut called = DirectiveRules::default();
    let url = r#"{"url":"http://h/"}"#;
    called.calls.configured.insert("documentation".parse().unwrap(), serde_json::from_str(url).unwrap());
    let as_configured = long.replacen("{ \"result_key\"", "{ \"invoke\": true, \"result_key\"", 1);
    assert_eq!(parse_with(&as_configured, &called).unwrap().digest(), digest, "absent is the same");
    let later = with("/expected_subagents", json!([{ "key": "documentation", "deadline_ms": 130_000 }]));
    assert_eq!(parsed(&later).expected_subagents[0].deadline_ms, Some(130_000), "kept as it was sent");

    for (pointer, value) in [
        ("/query", json!("q")),
        ("/planner_context", json!({ "a": 1, "b": 3 })),
        ("/expected_subagents/0/adapter", json!("generic")),
        ("/expected_subagents/0/deadline_ms", json!(119_999)),
        ("/expected_subagents/0/invoke", json!(false)),
        ("/aggregation", json!({ "deduplicate": false })),
    ] {
        let mut other = short.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        other.pointer_mut(parent).unwrap()[name] = value;
        assert_ne!(parsed(&other).digest(), digest, "{pointer}");
    }
}

#[test]
fn a_whole_number_is_taken_in_any_notation_and_is_the_same_directive() {
    let text = |number: &str| {
        format!(
            r#"{{"plan_step_id":"p","deadline_ms":{number},"length":{number},"aggregation":{{"max_results":1e2}},
            "synthesis":{{"budget":{{"tokens":{number}}}}},
            "expected_subagents":[{{"key":"a","deadline_ms":{number},"max_attempts":3.0}}]}}"#
        )
    };
    let read = |number: &str| parse_with(&text(number), &DirectiveRules::default());
    let directive = read("8e3").unwrap();
    assert_eq!((directive.deadline_ms, directive.length), (8_000, Some(8_000)));
    assert_eq!(directive, read("8000").unwrap());
    assert_eq!(directive.digest(), read("8000.0").unwrap().digest());
    for number in ["8000.5", "-8e3", "1e300"] {
        assert_eq!(read(number).unwrap_err().code, Code::InvalidEvent, "{number}");
    }
}

#[test]
fn a_stored_directive_reads_back_as_it_was() {
    let directive = parsed(&with("/expected_subagents/0/invoke", json!(false)));
    let stored = serde_json::to_string(&directive).unwrap();
    let read: Directive = serde_json::from_str(&stored).unwrap();
    assert_eq!(read, directive);
    assert_eq!(read.digest(), directive.digest());
}

#[test]
fn a_prompt_that_nobody_configured_is_refused() {
    let (code, pointer, detail) = refused(&with("/synthesis/prompt", json!("brief")));
    assert_eq!((code, &*pointer), (Code::InvalidEvent, "/synthesis/prompt"));
    assert!(detail.contains("`brief`"), "{detail}");
    let (_, pointer, _) = refused(&with("/synthesis/budget", json!({"cost": -1.0})));
    assert_eq!(pointer, "/synthesis/budget/cost");
}
