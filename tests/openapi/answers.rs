//! Answers, in the good case and in the bad ones.

use regex_lite::Regex;
use serde_json::{Value, json};

use super::described::{Ask, media};
use super::harness::{Folder, Setup, TestApp};
use super::scene::Scene;

fn narrow() -> Setup {
    TestApp::new().env("LIMITS__BODY_BYTES", 8_192).env("LIMITS__EVENT_BYTES", 1_024)
}

#[tokio::test]
async fn answers_to_directives_are_as_described() {
    let scene = Scene::with(narrow()).await;
    scene.start_step().await;
    let again = String::from_utf8(scene.described.example("post_step")).unwrap();
    scene.post_text("post_step", &[], &again, 200).await;
    let of = |subagents: Value| json!({ "plan_step_id": "plan-step-4", "expected_subagents": subagents });
    let calls = |invoke: Value| of(json!([{ "key": "a", "invoke": invoke }]));
    for (directive, status, code) in [
        (of(json!([{ "key": "a" }])), 409, "directive_conflict"),
        (of(json!([])), 422, "invalid_event"),
        (of(json!([{ "key": "a b" }])), 422, "invalid_id"),
        (of(json!([{ "key": "a", "x": 1 }])), 422, "unknown_field"),
        (of(vec![json!({ "key": "a" }); 257].into()), 422, "limit_reached"),
        (calls(json!(true)), 422, "invalid_event"),
        (calls(json!({ "url": "https://a.example", "protocol": "json" })), 422, "host_not_allowed"),
        (json!({ "query": "x".repeat(9_000) }), 413, "body_too_large"),
    ] {
        assert_eq!(scene.post("post_step", directive, status).await["code"], code);
    }
    scene.post_text("post_step", &[], "{", 400).await;
    let body = Some(("text/xml", b"<a/>".to_vec()));
    scene.ask("post_step", Ask { body, ..Ask::default() }).await.expect(415);
}

/// What the service refuses whatever its configuration, the document refuses as well.
#[tokio::test]
async fn what_no_directive_may_say_is_described() {
    let scene = Scene::with(TestApp::new()).await;
    let of = |more: Value| {
        let mut directive = json!({ "plan_step_id": "p", "expected_subagents": [{ "key": "a" }] });
        directive.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        directive
    };
    let wrong = [
        json!({ "plan_step_id": "p" }),
        json!({ "plan_step_id": "p", "expected_subagents": [], "expected_children": null }),
        of(json!({ "plan_step_id": "." })),
        of(json!({ "parent_step_id": ".." })),
        of(json!({ "expected_subagents": [{ "key": "a", "result_key": "." }] })),
        of(json!({ "expected_children": ["b", "b"] })),
        of(json!({ "depends_on": ["b", "c", "b"] })),
        of(json!({ "synthesis": { "budget": { "cost": -1 } } })),
        of(json!({ "deadline_ms": 604_800_001 })),
        of(json!({ "expected_subagents": [{ "key": "a", "deadline_ms": 604_800_001 }] })),
    ];
    let schema = json!({ "$ref": "#/components/schemas/DirectiveBody" });
    for directive in wrong {
        let faults = scene.described.validator().faults(&schema, &directive, "");
        assert!(!faults.is_empty(), "{directive}");
        scene.post("post_step", directive, 422).await;
    }
    for right in [
        of(json!({ "plan_step_id": "..." })),
        of(json!({ "plan_step_id": ".a", "expected_children": [".-", "b"], "depends_on": null })),
        json!({ "plan_step_id": "q", "expected_children": ["c"], "deadline_ms": 86_400_000 }),
    ] {
        scene.described.check("DirectiveBody", &right);
        scene.post("post_step", right, 201).await;
    }
}

#[tokio::test]
async fn answers_to_planners_are_as_described() {
    let scene = Scene::with(TestApp::new()).await;
    for (id, query, status) in [
        ("healthz", "", 200),
        ("readyz", "", 200),
        ("list_sessions", "", 200),
        ("list_sessions", "after=a%20b", 422),
        ("get_session", "", 404),
        ("get_step", "", 404),
        ("get_result", "", 404),
        ("delete_session", "", 404),
        ("get_subagents", "", 200),
        ("get_subagents", "hours=0", 422),
        ("get_subagents", "hours=x", 422),
        ("get_feedback", "", 200),
        ("get_feedback", "hours=87601", 422),
    ] {
        scene.get(id, query, status).await;
    }
    let bad_id = Ask { ids: &[("session_id", "a%20b")], ..Ask::default() };
    scene.ask("get_session", bad_id).await.expect(422);
    scene.start_step().await;
    let once = [("idempotency-key", "k")];
    scene.post_text("post_progress", &once, r#"{"message":"a","percent":1.5,"payload":[1]}"#, 200).await;
    scene.post_text("post_progress", &once, r#"{"message":"b"}"#, 422).await;
    let refuse =
        |subagent: &str| json!({ "decision": "refuse", "policy": "p", "reason": "r", "subagent": subagent });
    scene.post("post_step_safety", refuse("nobody"), 404).await;
    scene.post("post_step_safety", refuse("row_selection"), 200).await;
    let allow = json!({ "decision": "allow", "policy": "p", "reason": "r" });
    scene.post("post_session_safety", allow, 200).await;
    for id in ["get_session", "get_step", "list_sessions"] {
        scene.get(id, "", 200).await;
    }
    for id in ["post_step_cancel", "post_session_cancel", "post_close"] {
        scene.post_text(id, &[], "", 200).await;
    }
    assert_eq!(scene.post("post_progress", json!({ "message": "a" }), 409).await["code"], "step_ended");
    for id in ["get_session", "get_step"] {
        scene.get(id, "", 200).await;
    }
    scene.get("delete_session", "", 204).await;
    scene.post_text("post_session_cancel", &[], "", 404).await;
}

#[tokio::test]
async fn an_idempotency_key_is_what_its_pattern_says() {
    let scene = Scene::with(TestApp::new()).await;
    scene.start_step().await;
    let operation = scene.described.operation("post_progress");
    let described = operation.parameters().find(|parameter| parameter["name"] == "Idempotency-Key");
    let pattern = Regex::new(described.unwrap()["schema"]["pattern"].as_str().unwrap()).unwrap();
    let long = "k".repeat(255);
    for (key, is_one) in
        [("k", true), ("order 7, again", true), (&*long, true), ("a\tb", false), ("ä", false)]
    {
        assert_eq!(pattern.is_match(key), is_one, "{key}");
        let status = if is_one { 200 } else { 422 };
        let said =
            scene.post_text("post_progress", &[("idempotency-key", key)], r#"{"message":"a"}"#, status).await;
        assert!(is_one || said["detail"].as_str().unwrap().contains("printable ASCII"), "{key}: {said}");
    }
}

#[tokio::test]
async fn answers_from_the_archive_are_as_described() {
    let folder = Folder::new();
    let scene = Scene::with(narrow().env("ARCHIVE__URL", folder.url())).await;
    let good = json!({ "score": 1 });
    assert_eq!(scene.post("post_feedback", good.clone(), 404).await["code"], "unknown_step");
    for id in ["get_subagents", "get_feedback"] {
        scene.get(id, "", 200).await;
    }
    scene.start_step().await;
    let once = [("idempotency-key", "k")];
    for (body, status) in [(good.to_string(), 201), (good.to_string(), 201), (r#"{"score":0}"#.into(), 422)] {
        scene.post_text("post_feedback", &once, &body, status).await;
    }
    for (body, status) in [
        (r#"{"score":0.25,"comment":"a"}"#, 201),
        (r#"{"score":101}"#, 422),
        (r#"{"score":1,"x":1}"#, 422),
        ("{", 400),
        (&" ".repeat(9_000), 413),
    ] {
        scene.post_text("post_feedback", &[], body, status).await;
    }
    scene.get("get_feedback", "hours=1", 200).await;
    scene.get("get_subagents", "hours=1", 200).await;
}

#[tokio::test]
async fn answers_to_the_monolith_are_as_described() {
    let scene = Scene::with(narrow()).await;
    let good = String::from_utf8(scene.described.example("post_legacy_response")).unwrap();
    scene.post_text("post_legacy_response", &[], &good, 404).await;
    scene.start_step().await;
    let once = [("idempotency-key", "k")];
    scene.post_text("post_legacy_response", &once, &good, 202).await;
    scene.post_text("post_legacy_response", &once, r#"{"answer":"b"}"#, 422).await;
    for (body, status) in
        [("{", 400), ("{}", 422), (r#"{"answer":"","x":1}"#, 422), (&" ".repeat(9_000), 413)]
    {
        scene.post_text("post_legacy_response", &[], body, status).await;
    }
    scene.get("get_discrepancies", "", 200).await;
    scene.post("post_step_cancel", json!({ "reason": "enough" }), 200).await;
    let compared = scene.post_text("post_legacy_response", &once, &good, 200).await;
    assert_eq!(compared["state"], "compared", "{compared}");
    for (query, status) in [
        ("limit=1", 200),
        ("kind=citation_missing&verdict=different&session=sess-123", 200),
        ("kind=x", 422),
        ("limit=0", 422),
        ("session=a%20b", 422),
    ] {
        scene.get("get_discrepancies", query, status).await;
    }
}

#[tokio::test]
async fn answers_to_subagents_are_as_described() {
    let scene = Scene::with(narrow()).await;
    let result = |revision: u64, text: &str| json!({ "status": "success", "revision": revision, "payload": { "answer": text } });
    assert_eq!(scene.post("post_events", result(1, "a"), 404).await["code"], "unknown_step");
    scene.start_step().await;
    let partial = json!({ "status": "partial", "revision": 2, "payload": { "answer": "a" } });
    let large = json!({ "status": "partial", "payload": "x".repeat(2_000) });
    for (events, status, verdicts) in [
        (json!([partial, partial]), 200, json!(["accepted", "duplicate"])),
        (json!([result(1, "b")]), 200, json!(["stale"])),
        (json!([result(2, "b")]), 409, json!(["conflict"])),
        (json!([{ "status": "done" }, result(3, "c")]), 422, json!(["invalid", "accepted"])),
        (json!([large]), 413, json!(["invalid"])),
        (json!([large, result(4, "d")]), 422, json!(["invalid", "late"])),
        (json!([{ "status": "pending", "result_key": "other" }]), 404, json!(["invalid"])),
    ] {
        let answer = scene.post("post_events", events.clone(), status).await;
        let results = answer["results"].as_array().unwrap();
        let found: Value = results.iter().map(|result| result["verdict"].clone()).collect();
        assert_eq!(found, verdicts, "{events}: {answer}");
    }
}

#[tokio::test]
async fn bodies_of_subagents_are_taken_as_described() {
    let scene = Scene::with(narrow()).await;
    scene.start_step().await;
    let too_large = vec![b' '; 9_000];
    for (media, query, text, status) in [
        ("application/json", "", b"{".as_slice(), 400),
        ("application/json", "", b"\xff", 400),
        ("application/json", "", &too_large, 413),
        ("application/xml", "", b"<a/>", 415),
        ("application/x-ndjson", "", b"{\"status\":\"pending\"}\n", 200),
        ("text/event-stream", "", b"data: {\"status\":\"pending\"}\n\n", 200),
        ("application/json", "raw=true", b"[1]", 200),
        ("text/plain", "raw=true", b"that's it", 200),
    ] {
        let body = Some((media, text.to_vec()));
        scene.ask("post_events", Ask { query, body, ..Ask::default() }).await.expect(status);
    }
}

#[tokio::test]
async fn answers_to_readers_are_as_described() {
    let scene = Scene::with(TestApp::new()).await;
    for id in ["get_session_events", "get_step_events"] {
        for (query, status) in [
            ("", 404),
            ("after=nowhere", 400),
            ("after=18446744073709551616", 400),
            ("type=nothing", 422),
            ("subagent=a%20b", 422),
            ("limit=0", 422),
            ("batch=6", 422),
            ("coalesce=maybe", 422),
        ] {
            scene.get(id, query, status).await;
        }
        // An upgrade that isn't whole is refused; one to something else is passed over (RFC 9110, 7.8).
        for (upgrade, status) in [("websocket", 426), ("h2c", 404)] {
            let upgrade = [("connection", "upgrade"), ("upgrade", upgrade)];
            scene.read(id, "", &upgrade).await.expect(status);
        }
    }
    scene.start_step().await;
    scene.post("post_step_cancel", json!({ "reason": "enough" }), 200).await;
    for query in ["", "after=snapshot", "after=tail", "last=2", "limit=3&type=planner_stream,step_started"] {
        let page = scene.get("get_step_events", query, 200).await.json();
        assert_eq!(page["events"].as_array().unwrap().is_empty(), query == "after=tail", "{query}: {page}");
    }
    let page = scene.get("get_session_events", "subagent=documentation", 200).await.json();
    let after_all = [("accept", "text/event-stream"), ("last-event-id", page["next"].as_str().unwrap())];
    let over = scene.read("get_step_events", "", &after_all).await;
    assert_eq!((over.status, media(&over)), (204, None));
}
