//! Answers, in the good case and the bad ones.

use serde_json::{Value, json};

use super::described::{Ask, Described};
use super::service::{Answer, Service};
use super::{SSE, body, printed};

/// A service with a session in it, asked in the terms of the document. Every answer is held against it.
pub struct Scene {
    pub service: Service,
    pub described: Described,
}

impl Scene {
    pub fn with(settings: &[(&str, &str)]) -> Self {
        let service = Service::start(settings);
        Self { described: Described::by(&service), service }
    }

    #[track_caller]
    fn ask(&self, id: &str, ask: &Ask<'_>) -> Answer {
        self.described.ask(&self.service, id, ask)
    }

    #[track_caller]
    fn get(&self, id: &str, query: &str, status: u16) -> Answer {
        let answer = self.ask(id, &Ask { query, ..Ask::default() });
        assert_eq!(answer.status, status, "{}", answer.text());
        answer
    }

    #[track_caller]
    pub fn post(&self, id: &str, value: Value, status: u16) -> Value {
        self.post_with(id, &[], body(&value), status)
    }

    #[track_caller]
    pub fn post_with(&self, id: &str, headers: &[(&str, &str)], body: Vec<u8>, status: u16) -> Value {
        let answer = self.ask(id, &Ask { headers, body, ..Ask::default() });
        assert_eq!(answer.status, status, "{}", answer.text());
        answer.json()
    }

    #[track_caller]
    pub fn read(&self, id: &str, query: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(id, &Ask { query, headers, ..Ask::default() })
    }

    pub fn start_step(&self) {
        let directive = self.described.operation("post_step").examples()[0].1.clone();
        self.post_with("post_step", &[], directive, 201);
    }
}

#[test]
fn answers_to_planners_are_as_described() {
    let scene = Scene::with(&[("LIMITS__BODY_BYTES", "8192"), ("LIMITS__EVENT_BYTES", "1024")]);
    for (id, query, status) in [
        ("healthz", "", 200),
        ("readyz", "", 200),
        ("list_sessions", "", 200),
        ("list_sessions", "after=a%20b", 422),
        ("get_session", "", 404),
        ("get_step", "", 404),
        ("get_result", "", 404),
        ("delete_session", "", 404),
    ] {
        scene.get(id, query, status);
    }
    let bad_id = Ask { ids: &[("session_id", "a%20b")], ..Ask::default() };
    assert_eq!(scene.ask("get_session", &bad_id).status, 422);
    scene.start_step();
    let directive = scene.described.operation("post_step").examples()[0].1.clone();
    scene.post_with("post_step", &[], directive, 200);
    let of = |subagents: Value| json!({ "plan_step_id": "plan-step-4", "expected_subagents": subagents });
    let calls = |invoke: Value| of(json!([{ "key": "a", "invoke": invoke }]));
    for (directive, status, code) in [
        (of(json!([{ "key": "a" }])), 409, "directive_conflict"),
        (of(json!([])), 422, "invalid_event"),
        (of(json!([{ "key": "a b" }])), 422, "invalid_id"),
        (of(json!([{ "key": "a", "x": 1 }])), 422, "unknown_field"),
        (calls(json!(true)), 422, "feature_disabled"),
        (calls(json!({ "url": "https://a.example", "protocol": "json" })), 422, "host_not_allowed"),
        (json!({ "query": "x".repeat(9_000) }), 413, "body_too_large"),
    ] {
        assert_eq!(scene.post("post_step", directive, status)["code"], code);
    }
    scene.post_with("post_step", &[], b"{".to_vec(), 400);
    scene.post_with("post_step", &[("content-type", "text/xml")], b"<a/>".to_vec(), 415);
    let once = [("idempotency-key", "k")];
    scene.post_with(
        "post_progress",
        &once,
        body(&json!({ "message": "a", "percent": 1.5, "payload": [1] })),
        200,
    );
    scene.post_with("post_progress", &once, body(&json!({ "message": "b" })), 422);
    let refuses =
        |subagent: &str| json!({ "decision": "refuse", "policy": "p", "reason": "r", "subagent": subagent });
    scene.post("post_step_safety", refuses("nobody"), 404);
    scene.post("post_step_safety", refuses("row_selection"), 200);
    scene.post("post_session_safety", json!({ "decision": "allow", "policy": "p", "reason": "r" }), 200);
    for id in ["get_session", "get_step", "list_sessions"] {
        scene.get(id, "", 200);
    }
    for id in ["post_step_cancel", "post_session_cancel", "post_close"] {
        scene.post_with(id, &[], Vec::new(), 200);
    }
    assert_eq!(scene.post("post_progress", json!({ "message": "a" }), 409)["code"], "step_ended");
    for id in ["get_session", "get_step"] {
        scene.get(id, "", 200);
    }
    scene.get("delete_session", "", 204);
    scene.post_with("post_session_cancel", &[], Vec::new(), 404);
}

#[test]
fn answers_to_subagents_are_as_described() {
    let scene = Scene::with(&[("LIMITS__BODY_BYTES", "8192"), ("LIMITS__EVENT_BYTES", "1024")]);
    let result = |revision: u64, text: &str| json!({ "status": "success", "revision": revision, "payload": { "answer": text } });
    assert_eq!(scene.post("post_events", result(1, "a"), 404)["code"], "unknown_step");
    scene.start_step();
    let partial = json!({ "status": "partial", "revision": 2, "payload": { "answer": "a" } });
    for (events, status, verdicts) in [
        (json!([partial.clone(), partial.clone()]), 200, json!(["accepted", "duplicate"])),
        (json!([result(1, "b")]), 200, json!(["stale"])),
        (json!([result(2, "b")]), 409, json!(["conflict"])),
        (json!([{ "status": "done" }, result(3, "c")]), 422, json!(["invalid", "accepted"])),
        (json!([{ "status": "partial", "payload": "x".repeat(2_000) }]), 413, json!(["invalid"])),
        (
            json!([{ "status": "partial", "payload": "x".repeat(2_000) }, result(4, "d")]),
            422,
            json!(["invalid", "late"]),
        ),
        (json!([{ "status": "pending", "result_key": "other" }]), 404, json!(["invalid"])),
    ] {
        let answer = scene.post("post_events", events.clone(), status);
        let found: Value =
            answer["results"].as_array().unwrap().iter().map(|one| one["verdict"].clone()).collect();
        assert_eq!(found, verdicts, "{events}: {answer}");
    }
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
        let headers = [("content-type", media)];
        let answer =
            scene.ask("post_events", &Ask { query, headers: &headers, body: text.into(), ..Ask::default() });
        assert_eq!(answer.status, status, "{media}: {}", answer.text());
    }
}

#[test]
fn answers_to_readers_are_as_described() {
    let scene = Scene::with(&[]);
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
            scene.get(id, query, status);
        }
        let upgrade = [("connection", "upgrade"), ("upgrade", "websocket")];
        assert_eq!(scene.read(id, "", &upgrade).status, 404);
    }
    scene.start_step();
    scene.post("post_step_cancel", json!({ "reason": "enough" }), 200);
    for query in [
        "",
        "after=snapshot",
        "after=tail",
        "last=2",
        "limit=3&type=planner_stream,step_started",
        "subagent=documentation",
    ] {
        let page = scene.get("get_step_events", query, 200).json();
        assert_eq!(page["events"].as_array().unwrap().is_empty(), query == "after=tail", "{query}: {page}");
    }
    scene.get("get_session_events", "", 200);
    let next = scene.get("get_step_events", "", 200).json()["next"].as_str().unwrap().to_owned();
    let again = scene.read("get_step_events", "", &[SSE, ("last-event-id", &next)]);
    assert_eq!((again.status, again.media()), (204, None));
}

#[test]
fn refusals_of_whole_services_are_as_described() {
    let described = printed();
    let off = Service::start(&[("ROLLOUT__AGGREGATOR_STREAMING", "false")]);
    let full = Service::start(&[("SERVER__CONNECTIONS_MAX", "1")]);
    let _only = full.hold();
    let hurried = Service::start(&[("LIMITS__REQUESTS_PER_SECOND", "1")]);
    for operation in described.operations() {
        let (id, method) =
            (operation.described["operationId"].as_str().unwrap(), operation.method.to_ascii_uppercase());
        if operation.described["tags"][0] == "planner" {
            let answer = described.ask(&off, id, &Ask::default());
            assert_eq!((answer.status, &answer.json()["code"]), (404, &json!("feature_disabled")), "{id}");
        }
        let answer = full.ask(&method, &operation.path(&[], ""), &[], b"");
        assert_eq!((answer.status, &answer.json()["code"]), (503, &json!("over_capacity")), "{id}");
        described.check_answer(operation, &answer);
        let limited = || hurried.ask(&method, &operation.path(&[], ""), &[], b"");
        let answer = std::iter::repeat_with(limited).find(|answer| answer.status == 429).unwrap();
        described.check_answer(operation, &answer);
        assert!(answer.header("retry-after").is_some(), "{id}");
    }
}
