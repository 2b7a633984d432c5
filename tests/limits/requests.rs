//! Bounds of a request: its body, its events, its rate.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{TestApp, assert_problem, event_texts, open_plan, within};

#[tokio::test]
async fn body_has_a_bound_however_it_is_framed() {
    let app = TestApp::new().env("LIMITS__BODY_BYTES", 8_192).env("LIMITS__EVENT_BYTES", 4_096).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let event = json!({"status": "partial", "payload": "x".repeat(3_500)});
    a.post(&json!([event, event])).await.expect(200);
    let paths =
        [planner.path("/steps"), planner.path("/steps/p/progress"), planner.path("/close"), a.path.clone()];
    for path in paths {
        let large = vec![b' '; 9_000];
        assert_problem(&app.post(&path).body("application/json", large).send().await, 413, "body_too_large");
        let mut upload = app.post(&path).upload("application/json").await;
        for _ in 0..9 {
            upload.offer(&" ".repeat(1_000)).await;
        }
        assert_problem(&upload.answer().await, 413, "body_too_large");
    }
    assert_eq!(planner.page("/events?type=planner_stream").await["events"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn much_too_large_body_is_answered_before_it_is_read() {
    let app = TestApp::new().env("LIMITS__BODY_BYTES", 2_048).env("LIMITS__EVENT_BYTES", 1_024).start().await;
    let answer =
        app.post("/planner/sessions/s/steps").body("application/json", vec![b'x'; 600_000]).send().await;
    assert_problem(&answer, 413, "body_too_large");
}

#[tokio::test]
async fn body_that_is_announced_too_large_is_refused_before_any_of_it_comes() {
    let app = TestApp::new().env("LIMITS__BODY_BYTES", 2_048).env("LIMITS__EVENT_BYTES", 1_024).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for path in [planner.path("/steps"), planner.subagent("p", "a").path, "/aggregations".to_owned()] {
        for more in ["", "expect: 100-continue\r\n"] {
            let mut caller = app.client().connect().await;
            let fields = "host: t\r\ncontent-type: application/json\r\ncontent-length: 2049";
            caller
                .write_all(format!("POST {path} HTTP/1.1\r\n{fields}\r\n{more}\r\n").as_bytes())
                .await
                .unwrap();
            let mut answer = String::new();
            within("an answer", caller.read_to_string(&mut answer)).await.unwrap();
            assert!(
                answer.starts_with("HTTP/1.1 413 ") && answer.contains("body_too_large"),
                "{path}: {answer}"
            );
        }
    }
}

#[tokio::test]
async fn event_has_a_bound_in_every_kind_of_body() {
    let app = TestApp::new().env("LIMITS__EVENT_BYTES", 1_024).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let of = |bytes: usize| json!({"status": "partial", "payload": "x".repeat(bytes)}).to_string();
    let (small, large) = (of(900), of(1_100));
    assert_problem(
        &app.post(&a.path).body("application/json", large.clone()).send().await,
        413,
        "event_too_large",
    );
    for (media_type, body) in [
        ("application/json", format!("[{small},{large},{small}]")),
        ("application/x-ndjson", format!("{small}\n{large}\n{small}\n")),
        ("text/event-stream", format!("data: {small}\n\ndata: {large}\n\ndata: {small}\n\n")),
    ] {
        let answer = app.post(&a.path).body(media_type, body).send().await;
        let problem = assert_problem(&answer, 422, "event_too_large");
        let verdicts: Vec<_> =
            problem["results"].as_array().unwrap().iter().map(|r| r["verdict"].clone()).collect();
        assert_eq!(verdicts, ["accepted", "invalid", "accepted"], "{media_type}");
        assert_eq!(problem["errors"][0]["index"], 1);
    }
    for media_type in ["application/json", "text/plain"] {
        let raw =
            app.post(format!("{}?raw=true", a.path)).body(media_type, format!("\"{}\"", "x".repeat(1_100)));
        assert_problem(&raw.send().await, 413, "event_too_large");
    }
    let progress = json!({"message": "on", "payload": "x".repeat(1_100)});
    let progress = app.post(planner.path("/steps/p/progress")).json(&progress).send().await;
    assert_problem(&progress, 413, "event_too_large");
    let whole = app.get(planner.events("p")).send().await;
    assert_eq!(event_texts(whole.text()).len(), 2 + 6);
}

#[tokio::test]
async fn line_without_an_end_is_not_held() {
    let app = TestApp::new().env("LIMITS__EVENT_BYTES", 1_024).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for (media_type, prefix, end) in
        [("application/x-ndjson", "", "\n"), ("text/event-stream", "data: ", "\n\n")]
    {
        let before = app.rss_bytes();
        let mut upload = planner.subagent("p", "a").upload(media_type).await;
        // The first bytes tell that it is one line, or one event.
        upload.send(&format!("{prefix}x")).await;
        for _ in 0..400 {
            upload.send(&"x".repeat(64 * 1_024)).await;
        }
        upload.send(&format!("{end}{prefix}{{\"status\":\"partial\"}}{end}")).await;
        let problem = assert_problem(&upload.finish().await, 422, "event_too_large");
        assert_eq!(
            (&problem["accepted"], problem["results"].as_array().unwrap().len()),
            (&json!(1), 2),
            "{media_type}"
        );
        let grown = app.rss_bytes().saturating_sub(before);
        assert!(grown < 12 << 20, "{grown} bytes for a line of 25 MiB");
    }
}

#[tokio::test]
async fn request_has_so_many_events_but_a_stream_has_no_end() {
    let app = TestApp::new().env("LIMITS__EVENTS_PER_REQUEST", 3).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let events = |count: u64| {
        (1..=count).map(|revision| json!({"status": "partial", "revision": revision})).collect::<Vec<Value>>()
    };
    assert_problem(&a.post(&json!(events(4))).await, 422, "limit_reached");
    assert_eq!(
        planner.step("p").await["subagents"][0]["revision"],
        0,
        "all or nothing of an array that is too long"
    );
    a.post(&json!(events(3))).await.expect(200);
    let lines: String = events(10).iter().map(|event| format!("{event}\n")).collect();
    let answer = app.post(&a.path).body("application/x-ndjson", lines.clone()).send().await.expect(200);
    let counts = ["accepted", "duplicate", "stale"].map(|name| answer[name].as_u64().unwrap());
    assert_eq!(counts, [7, 1, 2]);
    assert_eq!(
        (answer["results"].as_array().unwrap().len(), &answer["results_truncated"]),
        (3, &json!(true))
    );
    let keyed = app.post(&a.path).header("idempotency-key", "k").body("application/x-ndjson", lines);
    assert_problem(&keyed.send().await, 422, "limit_reached");
}

#[tokio::test]
async fn rate_has_a_bound_and_says_when_to_come_back() {
    let app = TestApp::new().env("LIMITS__REQUESTS_PER_SECOND", 20).start().await;
    let planner = app.planner("s");
    let mut answers = Vec::new();
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    while answers.last().is_none_or(|status| *status != 429) {
        let answer = planner.post(&directive).await;
        if answer.status == 429 {
            assert_problem(&answer, 429, "rate_limited");
        }
        answers.push(answer.status);
    }
    assert!(
        answers[0] == 201 && answers[1..answers.len() - 1].iter().all(|status| *status == 200),
        "{answers:?}"
    );
    let page = crate::harness::eventually("the rate to allow a request", || async {
        Some(planner.get("/events").send().await).filter(|answer| answer.status == 200)
    });
    assert_eq!(page.await.json()["tail"], 1);
}

/// Where nobody signs in, all are one; `tests/access` has those who do.
#[tokio::test]
async fn caller_has_a_rate_wherever_it_calls_from() {
    let app = TestApp::new().env("LIMITS__TOKEN_REQUESTS_PER_SECOND", 1).start().await;
    let planner = app.planner("s");
    let refused = crate::harness::eventually("a request too many", || async {
        let answer = planner.get("/events").send().await;
        (answer.status == 429).then_some(answer)
    });
    let problem = assert_problem(&refused.await, 429, "rate_limited");
    assert!(problem["detail"].as_str().unwrap().contains("token"), "{problem}");
}

#[tokio::test]
async fn reader_beyond_the_rate_is_told_in_the_stream_and_health_has_no_rate() {
    let app = TestApp::new().env("LIMITS__REQUESTS_PER_SECOND", 1).start().await;
    let planner = app.planner("s");
    crate::harness::eventually("the rate to be used up", || async {
        (planner.get("/events").send().await.status == 429).then_some(())
    })
    .await;
    // Of two in a row at one a second, the second is over the rate at the latest.
    let mut refused = None;
    while refused.is_none() {
        let first = app.sse(planner.path("/events")).await.next().await.unwrap();
        refused = Some(first).filter(|event| event.name == "error");
    }
    assert_eq!(refused.unwrap().json()["code"], "rate_limited");
    let mut reader = app.sse(planner.path("/events")).await;
    let error = reader.expect("error").await.json();
    assert_eq!((error["code"].as_str(), error["status"].as_u64()), (Some("rate_limited"), Some(429)));
    assert!(reader.retry.is_some_and(|retry_ms| retry_ms >= 1_000) && reader.next().await.is_none());
    let post = planner.post(&json!({})).await;
    assert_problem(&post, 429, "rate_limited");
    for path in ["/healthz", "/readyz"].repeat(10) {
        assert_eq!(app.get(path).send().await.status, 200);
    }
}

#[tokio::test]
async fn head_of_a_request_has_a_bound() {
    let app = TestApp::new().start().await;
    let answer = app.get("/healthz").header("x-large", "x".repeat(20_000)).send().await;
    assert_eq!(answer.status, 431);
}
