//! What subagents of every kind give, made regular on its way through the real service.

use serde_json::{Value, json};

use crate::harness::{Subagent, TestApp, assert_problem, open_plan};
use crate::hosts::PlainAgent;
use crate::scene::{Scene, about, calling, ended, statuses};

const KINDS: [&str; 5] = ["documentation", "row_selection", "action_workflow", "voice", "safety"];

/// The payload of an output's success.
fn payload(events: &[Value], key: &str) -> Value {
    let of_success = |content: &Value| content["status"] == "success" && content.get("payload").is_some();
    let success = about(events, key).into_iter().find(of_success);
    success.unwrap_or_else(|| panic!("`{key}` has no success: {events:?}"))["payload"].clone()
}

/// A schema as the service serves it.
async fn schema(app: &TestApp, name: &str) -> jsonschema::Validator {
    let answer = app.get(format!("/schemas/{name}")).send().await;
    assert_eq!(answer.header("content-type"), Some("application/schema+json"), "{name}");
    jsonschema::validator_for(&answer.expect(200)).unwrap()
}

/// What every kind gives for the question of the scene.
fn assert_regular(kind: &str, payload: &Value) {
    let text = |pointer: &str| payload.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    match kind {
        "documentation" => {
            assert!(text("/answer").contains("how do quotes convert?"), "{payload}");
            assert!(text("/citations/1/url").starts_with("https://"), "{payload}");
            assert!(!text("/citations/0/title").is_empty() && !text("/citations/0/snippet").is_empty());
            assert!(payload["citations"][0]["quality"].is_f64(), "{payload}");
            assert_eq!(payload["retrieval_count"], 2);
        }
        "row_selection" => {
            let column = |column: &Value| (column["key"].clone(), column["type"].clone());
            let columns: Vec<_> = payload["columns"].as_array().unwrap().iter().map(column).collect();
            let wanted = [
                ("id", "integer"),
                ("customer", "string"),
                ("region", "string"),
                ("amount", "number"),
                ("ordered_on", "date"),
                ("paid", "boolean"),
            ];
            assert_eq!(columns, wanted.map(|(key, kind)| (json!(key), json!(kind))));
            assert_eq!((&payload["row_count"], &payload["truncated"]), (&json!(12), &json!(false)));
            assert_eq!(
                (&payload["rows"][11]["id"], text("/query").get(..9)),
                (&json!(1_011), Some("SELECT id"))
            );
        }
        "action_workflow" => {
            assert!(["create_ticket", "send_quote", "update_record"].contains(&text("/action")), "{payload}");
            assert_eq!((text("/state"), &payload["requires_confirmation"]), ("proposed", &json!(true)));
            assert!(
                text("/parameters/due").starts_with("2026-12-") && !text("/summary").is_empty(),
                "{payload}"
            );
        }
        "voice" => {
            assert!(text("/transcript").ends_with("could you please check that for me"), "{payload}");
            assert_eq!(payload["final"], true);
            assert!(payload["segments"][0]["end_ms"].as_f64() > Some(0.0) && payload["confidence"].is_f64());
        }
        "safety" => {
            assert_eq!((text("/decision"), &payload["terminate"]), ("allow", &json!(false)));
            assert!(!text("/policy").is_empty() && !text("/reason").is_empty(), "{payload}");
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn every_kind_that_is_called_gives_its_regular_payload() {
    let scene = Scene::new().await;
    for protocol in ["json", "sse"] {
        let session = scene.app.planner(protocol);
        let expected = KINDS.map(|kind| scene.called(kind, &format!("/{kind}/{protocol}")));
        let directive =
            json!({"plan_step_id": "p", "query": "how do quotes convert?", "expected_subagents": expected});
        session.post(&directive).await.expect(201);
        let events = ended(&session, "p").await;
        for kind in KINDS {
            let payload = payload(&events, kind);
            assert_regular(kind, &payload);
            let schema = schema(&scene.app, kind).await;
            for content in about(&events, kind).iter().filter(|content| content.get("payload").is_some()) {
                assert!(schema.is_valid(&content["payload"]), "{kind} {protocol}: {content}");
            }
        }
        let finality = about(&events, "voice")
            .into_iter()
            .filter_map(|content| content.pointer("/payload/final").cloned());
        let wanted = if protocol == "json" { vec![true] } else { vec![false, false, false, true, true] };
        assert_eq!(
            finality.collect::<Vec<_>>(),
            wanted,
            "interim ones are partials; the last is shown, then the success"
        );
    }
}

#[tokio::test]
async fn refusal_of_a_safety_subagent_is_read_from_its_own_words() {
    let scene = Scene::new().await;
    let path = "/safety/json?decision=refuse&subagent=documentation";
    let planner = scene.plan(&[scene.called("safety", path)]).await;
    let payload = payload(&ended(&planner, "p").await, "safety");
    assert_eq!((&payload["decision"], &payload["subagent"]), (&json!("refuse"), &json!("documentation")));
    assert_eq!(payload["terminate"], false, "it names a subagent");
    assert!(payload["reason"].as_str().unwrap().starts_with("category S"), "{payload}");
}

fn card(state: &str) -> Value {
    json!({"action": "send_quote", "state": state, "summary": "s", "parameters": {}, "requires_confirmation": true})
}

async fn push(subagent: &Subagent, status: &str, state: &str) -> crate::harness::Answer {
    subagent.post(&json!({"status": status, "payload": card(state)})).await
}

#[tokio::test]
async fn card_goes_its_way_and_an_impossible_step_is_refused_and_changes_nothing() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["action_workflow"]).await;
    let subagent = planner.subagent("p", "action_workflow");
    let ways = [
        ("proposed", &["executing", "done"][..]),
        ("confirmed", &["proposed", "done"]),
        ("executing", &["proposed", "confirmed"]),
    ];
    for (state, impossible) in ways {
        push(&subagent, "partial", state).await.expect(200);
        let before = (planner.page("/events").await, planner.state().await);
        for next in impossible {
            for status in ["partial", "success"] {
                let problem = assert_problem(&push(&subagent, status, next).await, 422, "invalid_event");
                assert_eq!(problem["errors"][0]["pointer"], "/payload/state", "{problem}");
                let detail = problem["errors"][0]["detail"].as_str().unwrap();
                assert!(detail.contains(state) && detail.contains(next), "{detail}");
            }
        }
        assert_eq!((planner.page("/events").await, planner.state().await), before, "after {state}");
    }
    push(&subagent, "success", "done").await.expect(200);
    let events = ended(&planner, "p").await;
    let states: Vec<_> = about(&events, "action_workflow")
        .into_iter()
        .filter_map(|content| content.pointer("/payload/state").cloned())
        .collect();
    assert_eq!(states, ["proposed", "confirmed", "executing", "done"]);
    assert_eq!(planner.step("p").await["status"], "completed");
}

#[tokio::test]
async fn card_begins_as_proposed_unless_nobody_has_to_confirm_it() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["action_workflow"]).await;
    let subagent = planner.subagent("p", "action_workflow");
    for state in ["confirmed", "executing", "done", "failed"] {
        for status in ["partial", "success"] {
            let answer = subagent.post(&json!({"status": status, "payload": card(state)})).await;
            let problem = assert_problem(&answer, 422, "invalid_event");
            assert_eq!(problem["errors"][0]["pointer"], "/payload/state", "{problem}");
        }
    }
    let mut at_once = card("executing");
    at_once["requires_confirmation"] = json!(false);
    subagent.post(&json!({"status": "partial", "payload": at_once})).await.expect(200);
    // Who doesn't say has nobody asked, as an engine's own report.
    let alone = open_plan(app.client(), "u", &["action_workflow"]).await;
    let mut unsaid = card("done");
    unsaid.as_object_mut().unwrap().remove("requires_confirmation");
    let event = json!({"status": "success", "payload": unsaid});
    alone.subagent("p", "action_workflow").post(&event).await.expect(200);
    assert_eq!(alone.step("p").await["status"], "completed");
    let other = open_plan(app.client(), "t", &["action_workflow"]).await;
    let report = json!({"finished": true, "status": "success", "workflowData": {"name": "send quotes"}});
    let event = json!({"status": "success", "payload": report});
    other.subagent("p", "action_workflow").post(&event).await.expect(200);
    assert_eq!(other.step("p").await["status"], "completed");
}

#[tokio::test]
async fn state_that_there_is_not_is_refused_and_not_taken_for_another() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["action_workflow"]).await;
    let answer = push(&planner.subagent("p", "action_workflow"), "partial", "marinating").await;
    let problem = assert_problem(&answer, 422, "invalid_event");
    let error = &problem["errors"][0];
    assert_eq!(error["pointer"], "/payload/state", "{problem}");
    let detail = error["detail"].as_str().unwrap();
    assert!(detail.contains("`marinating`") && detail.contains("`executing`"), "{detail}");
    let path = format!("{}?raw=true", planner.subagent("p", "action_workflow").path);
    let problem =
        assert_problem(&app.post(path).json(&card("marinating")).send().await, 422, "invalid_event");
    assert_eq!(problem["errors"][0]["pointer"], "/state", "the body is the payload: {problem}");
}

#[tokio::test]
async fn success_whose_card_failed_is_the_success_that_its_sender_says() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["action_workflow"]).await;
    let subagent = planner.subagent("p", "action_workflow");
    push(&subagent, "partial", "proposed").await.expect(200);
    push(&subagent, "success", "failed").await.expect(200);
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "action_workflow"), ["partial", "success"]);
    let card = payload(&events, "action_workflow");
    assert_eq!((&card["summary"], &card["state"]), (&json!("s"), &json!("failed")));
    assert_eq!(planner.step("p").await["status"], "completed");
    // So it is with a failure that the adapter reads out of an engine's report, and his own word stands the other way, too.
    for (session, event, status) in [
        ("t", json!({"status": "success", "payload": {"error": "boom", "content": "text"}}), "completed"),
        ("u", json!({"error": {"code": "no_stock"}, "payload": {"error": "boom"}}), "failed"),
    ] {
        let planner = open_plan(app.client(), session, &["action_workflow"]).await;
        planner.subagent("p", "action_workflow").post(&event).await.expect(200);
        assert_eq!(planner.step("p").await["status"], status, "{event}");
    }
}

#[tokio::test]
async fn impossible_step_of_a_card_in_an_answer_is_a_failure_that_is_not_tried_again() {
    let agent = PlainAgent::start(|_| {
        let lines: String = ["proposed", "done"].map(|state| format!("{}\n", card(state))).concat();
        PlainAgent::answer("200 OK", "application/x-ndjson", &lines)
    })
    .await;
    let app = calling(agent.addr).start().await;
    let planner = app.planner("s");
    let expected = [agent.called("action_workflow", "/", "ndjson")];
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "action_workflow"), ["in_progress", "partial", "error"]);
    let about = about(&events, "action_workflow");
    assert_eq!(about[2]["payload"]["state"], "proposed");
    assert_eq!(about[3]["error"]["code"], "invalid_event");
    assert_eq!(agent.asked().len(), 1);
}

#[tokio::test]
async fn interim_transcript_that_is_sent_raw_is_a_partial_and_the_final_one_the_success() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["voice"]).await;
    let path = format!("{}?raw=true", planner.subagent("p", "voice").path);
    for (words, is_final) in [("send", false), ("send the quote", false), ("send the quote to Ada", true)] {
        let alternative = json!({"transcript": words, "confidence": 0.93, "words": []});
        let result =
            json!({"type": "Results", "is_final": is_final, "channel": {"alternatives": [alternative]}});
        let answer = app.post(&path).json(&result).send().await.expect(200);
        assert_eq!(answer["accepted"], 1);
    }
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "voice"), ["partial", "partial", "success"]);
    let about = about(&events, "voice");
    let payload =
        |at: usize| (about[at]["payload"]["transcript"].clone(), about[at]["payload"]["final"].clone());
    assert_eq!(payload(1), (json!("send"), json!(false)));
    assert_eq!(payload(3), (json!("send the quote to Ada"), json!(true)));
    assert_eq!(about[0]["mode"], "push");
}

/// A speech service says more than what it heard: its messages begin and end a stream.
#[tokio::test]
async fn messages_of_a_speech_service_without_a_transcript_end_nothing() {
    let started = json!({"type": "SpeechStarted", "channel": [0, 1], "timestamp": 0.1});
    let alternative = json!({"transcript": "cancel my order", "confidence": 0.9, "words": []});
    let heard = json!({"type": "Results", "is_final": true, "channel": {"alternatives": [alternative]}});
    let about_it = json!({"type": "Metadata", "duration": 2.1});
    let app = TestApp::new().start().await;
    let pushed = open_plan(app.client(), "s", &["voice"]).await;
    let path = format!("{}?raw=true", pushed.subagent("p", "voice").path);
    for message in [&started, &heard] {
        assert_eq!(app.post(&path).json(message).send().await.expect(200)["accepted"], 1, "{message}");
    }
    let lines = format!("{started}\n{heard}\n{about_it}\n");
    let agent = PlainAgent::start(move |request| {
        let lines = if request.contains("/nothing") { "{\"type\":\"Metadata\"}\n" } else { &lines };
        PlainAgent::answer("200 OK", "application/x-ndjson", lines)
    })
    .await;
    let app = calling(agent.addr).start().await;
    let called = app.planner("s");
    let mut outputs = [agent.called("voice", "/", "ndjson"), agent.called("voice", "/nothing", "ndjson")];
    (outputs[1]["result_key"], outputs[1]["max_attempts"]) = (json!("nothing"), json!(1));
    called.post(&json!({"plan_step_id": "p", "expected_subagents": outputs})).await.expect(201);
    for (planner, parts) in [(&pushed, "partial"), (&called, "in_progress,partial")] {
        let events = ended(planner, "p").await;
        assert_eq!(statuses(&events, "voice").join(","), format!("{parts},success"));
        assert_eq!(payload(&events, "voice")["transcript"], "cancel my order");
    }
    let nothing = about(&ended(&called, "p").await, "nothing");
    assert!(nothing.iter().any(|content| content["error"]["code"] == "empty_answer"), "{nothing:?}");
}

/// What a language model answers whose text this is.
fn answer_of_model(protocol: &str, text: &str) -> String {
    let body = match protocol {
        "openai" => json!({"object": "chat.completion", "model": "m", "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}),
        _ => json!({"type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}]}),
    };
    PlainAgent::answer("200 OK", "application/json", &body.to_string())
}

/// The events of a step whose one output a language model answers with this text.
async fn model_says(protocol: &'static str, key: &str, text: &str) -> (Vec<Value>, usize) {
    let text = text.to_owned();
    let agent = PlainAgent::start(move |_| answer_of_model(protocol, &text)).await;
    let app = calling(agent.addr).start().await;
    let planner = app.planner("s");
    let mut output = agent.called(key, "/", protocol);
    output["invoke"]["body"] = json!({"messages": []});
    output["max_attempts"] = json!(2);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": [output]})).await.expect(201);
    let events = ended(&planner, "p").await;
    (events, agent.asked().len())
}

#[tokio::test]
async fn json_that_a_model_writes_as_its_text_is_read_by_the_adapter() {
    let table = r#"{"title": "Stock", "rows": [{"id": 7, "stock": 3}], "selected": [7]}"#;
    let card = r#"{"action": "send_quote", "summary": "Send it", "parameters": {"to": "Ada"}}"#;
    let heard = r#"{"transcript": "send the quote", "confidence": 0.9}"#;
    for (key, json, pointer, wanted) in [
        ("row_selection", table, "/rows/0/stock", json!(3)),
        ("row_selection", r#"[{"id": 1, "stock": 4}]"#, "/rows/0/stock", json!(4)),
        ("action_workflow", card, "/parameters/to", json!("Ada")),
        ("voice", heard, "/transcript", json!("send the quote")),
    ] {
        let forms = [
            json.to_owned(),
            format!("```json\n{json}\n```"),
            format!("Here it is:\n\n```json\n{json}\n```\nAnything else?"),
        ];
        for (form, protocol) in forms.iter().zip(["openai", "anthropic", "openai"]) {
            let (events, _) = model_says(protocol, key, form).await;
            let payload = payload(&events, key);
            assert_eq!(payload.pointer(pointer), Some(&wanted), "{protocol} {form}: {payload}");
            let reason = if protocol == "openai" { "stop" } else { "end_turn" };
            assert_eq!(payload["finish_reason"], reason, "what else it says stays: {payload}");
        }
    }
}

#[tokio::test]
async fn text_of_a_model_that_holds_no_card_is_a_malformed_answer() {
    for (key, said) in [
        ("row_selection", "I found three articles, the cheapest costs 4 euros."),
        ("row_selection", r#"{"answer": "three articles"}"#),
        ("row_selection", r#"```json {"rows": [{"id": 1"#),
        ("action_workflow", "I would send the quote to Ada."),
        ("action_workflow", "```json\n{}\n```"),
        ("voice", r#"{"speaker": "Ada"}"#),
    ] {
        let (events, calls) = model_says("openai", key, said).await;
        assert_eq!(statuses(&events, key).last().unwrap(), "error", "{said}: {events:?}");
        let about = about(&events, key);
        let error = about.iter().rev().find_map(|content| content.get("error")).unwrap();
        assert_eq!(error["code"], "malformed_answer", "{said}");
        assert!(error["message"].as_str().unwrap().contains(key), "{error}");
        assert_eq!(calls, 2, "a model may do better: {said}");
    }
    // No rows are an answer.
    let (events, _) = model_says("openai", "row_selection", r#"{"rows": []}"#).await;
    assert_eq!(statuses(&events, "row_selection").last().unwrap(), "success");
}

#[tokio::test]
async fn adapter_that_the_directive_names_goes_before_the_key() {
    let scene = Scene::new().await;
    let output = |key: &str, kind: &str| {
        let mut output = scene.called(key, &format!("/{kind}/json"));
        output["adapter"] = json!(kind);
        output
    };
    let mut anything = scene.called("voice", "/voice/json");
    anything["adapter"] = json!("generic");
    let plain = scene.called("crm", "/documentation/json");
    let outputs =
        [output("documentation", "row_selection"), output("bot", "action_workflow"), anything, plain];
    let planner = scene.plan(&outputs).await;
    let events = ended(&planner, "p").await;
    assert_regular("row_selection", &payload(&events, "documentation"));
    assert_regular("action_workflow", &payload(&events, "bot"));
    assert!(payload(&events, "voice")["channel"].is_object(), "the generic one leaves fields as they are");
    assert!(payload(&events, "crm")["content"].is_string(), "an unknown key has the generic one");
}

#[tokio::test]
async fn every_schema_is_listed_and_served() {
    let app = TestApp::new().start().await;
    let list = app.get("/schemas").send().await.expect(200);
    let mut found: Vec<String> = Vec::new();
    for line in list["schemas"].as_array().unwrap() {
        let (name, href) = (line["name"].as_str().unwrap(), line["href"].as_str().unwrap());
        let answer = app.get(href).send().await;
        assert_eq!(answer.header("content-type"), Some("application/schema+json"), "{href}");
        let document = answer.expect(200);
        assert_eq!(document["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        let validator = jsonschema::validator_for(&document).unwrap();
        let examples = document["examples"].as_array().into_iter().flatten();
        assert!(examples.clone().all(|example| validator.is_valid(example)), "{name}");
        assert!(name.ends_with(".raw") || examples.count() > 0, "{name} shows none");
        let with_ending = app.get(format!("{href}.json")).send().await;
        assert_eq!(with_ending.expect(200), document);
        found.push(name.to_owned());
    }
    let kinds = KINDS.iter().chain(&["generic"]);
    let mut wanted: Vec<String> =
        kinds.flat_map(|kind| [(*kind).to_owned(), format!("{kind}.raw")]).collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
    assert_problem(&app.get("/schemas/nothing").send().await, 404, "not_found");
}
