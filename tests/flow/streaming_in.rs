//! Long-lived bodies and raw outputs: each event is stored and streamed as it arrives.

use serde_json::{Value, json};

use crate::harness::{Planner, SseClient, TestApp, assert_problem, events_of, open_plan};

async fn reader(app: &TestApp, planner: &Planner) -> SseClient {
    let mut reader = app.sse(format!("{}?type=planner_stream&batch=1", planner.events("p"))).await;
    reader.open().await;
    reader
}

async fn next_payload(reader: &mut SseClient) -> Value {
    events_of(&reader.expect("planner_stream").await)[0]["content"]["payload"]["content"].clone()
}

#[tokio::test]
async fn lines_are_seen_by_readers_before_the_body_ends() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = reader(&app, &planner).await;
    let mut upload = planner.subagent("p", "a").upload("application/x-ndjson").await;
    for part in ["one", "two"] {
        upload.send(&format!("{{\"status\":\"partial\",\"payload\":\"{part}\"}}\r\n\n")).await;
        assert_eq!(next_payload(&mut reader).await, part);
    }
    upload.send("{\"status\":\"partial\",").await;
    upload.send("\"payload\":\"three\"}\n{\"status\":\"success\",\"payload\":\"last\"}").await;
    assert_eq!(next_payload(&mut reader).await, "three");
    let answer = upload.finish().await.expect(200);
    assert_eq!((answer["accepted"].as_u64(), answer["results"].as_array().unwrap().len()), (Some(4), 4));
    assert_eq!(next_payload(&mut reader).await, "last", "a last line needs no line break");
}

#[tokio::test]
async fn event_stream_as_a_body_is_taken_event_by_event() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = reader(&app, &planner).await;
    let mut upload = planner.subagent("p", "a").upload("text/event-stream; charset=utf-8").await;
    upload
        .send(": hello\n\nevent: x\nid: 7\ndata: {\"status\":\"partial\",\ndata: \"payload\":\"one\"}\n\n")
        .await;
    assert_eq!(next_payload(&mut reader).await, "one");
    upload.send("data:{\"status\":\"success\",\"payload\":\"two\"}\r\n\r\ndata: [DONE]\n\n").await;
    assert_eq!(next_payload(&mut reader).await, "two");
    assert_eq!(upload.finish().await.expect(200)["accepted"], 2);
}

/// What an agent may answer to a call it may push as well.
#[tokio::test]
async fn signs_of_life_in_a_pushed_stream_say_nothing() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let body = "event: ping\ndata: {}\n\ndata:\n\ndata: {\"status\":\"success\",\"payload\":1}\n\nevent: end\ndata: {}\n\n";
    let answer = app.post(&a.path).body("text/event-stream", body).send().await.expect(200);
    assert_eq!(answer["results"].as_array().unwrap().len(), 1, "{answer}");
    assert_eq!(planner.step("p").await["status"], "completed");
}

/// The way that a refusal names for raw output is one that is taken.
#[tokio::test]
async fn raw_output_in_a_stream_is_told_as_what_it_is_taken() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let (lines, sse) =
        (("application/x-ndjson", "{\"x\":1}\n"), ("text/event-stream", "data: {\"x\":1}\n\n"));
    for (media, body) in [lines, sse, ("application/json", "{\"x\":1}")] {
        let answer = app.post(&a.path).body(media, body).send().await;
        let detail = assert_problem(&answer, 422, "invalid_event")["detail"].to_string();
        assert!(detail.contains("`application/json` or `text/plain` with `?raw=true`"), "{media}: {detail}");
    }
    app.post(format!("{}?raw=true", a.path)).body("application/json", "{\"x\":1}").send().await.expect(200);
}

/// `printf 'data: …' | curl -T -` is one that has none.
#[tokio::test]
async fn last_event_of_a_body_that_has_ended_needs_no_empty_line() {
    let app = TestApp::new().start().await;
    for (number, end) in ["", "\n", "\r", "\r\n", "\nid: 7"].into_iter().enumerate() {
        let planner = open_plan(app.client(), &format!("s{number}"), &["a"]).await;
        let a = planner.subagent("p", "a");
        let body = format!(
            "data: {{\"status\":\"partial\"}}\n\ndata: {{\"status\":\"success\",\ndata: \"payload\":\"whole\"}}{end}"
        );
        let answer = app.post(&a.path).body("text/event-stream", body).send().await.expect(200);
        assert_eq!(answer["accepted"], 2, "{end:?}");
        assert_eq!(planner.step("p").await["status"], "completed", "{end:?}");
    }
    let planner = open_plan(app.client(), "cut", &["a"]).await;
    let a = planner.subagent("p", "a");
    let cut = app.post(&a.path).body("text/event-stream", "data: {\"status\":\"success\",").send().await;
    assert_problem(&cut, 422, "invalid_json");
    assert_eq!(planner.step("p").await["subagents"][0]["status"], "pending");
}

#[tokio::test]
async fn wrong_line_is_refused_and_the_others_are_stored() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let lines =
        b"{\"status\":\"partial\"}\nnot json\n{\"status\":\"wrong\"}\n\xff\n{\"status\":\"success\"}\n"
            .to_vec();
    let answer = app.post(&a.path).body("application/x-ndjson", lines).send().await;
    let problem = assert_problem(&answer, 422, "invalid_json");
    let verdicts: Vec<_> =
        problem["results"].as_array().unwrap().iter().map(|r| r["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["accepted", "invalid", "invalid", "invalid", "accepted"]);
    let indexes: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|e| e["index"].as_u64().unwrap()).collect();
    assert_eq!(indexes, [1, 2, 3]);
    assert_eq!(planner.step("p").await["status"], "completed");
}

#[tokio::test]
async fn what_came_whole_is_stored_when_the_sender_hangs_up() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = reader(&app, &planner).await;
    let mut upload = planner.subagent("p", "a").upload("application/x-ndjson").await;
    upload.send("{\"status\":\"partial\",\"payload\":\"whole\"}\n{\"status\":\"success\",\"payl").await;
    assert_eq!(next_payload(&mut reader).await, "whole");
    upload.hang_up();
    // A half line is no event; the subagent goes on where it was.
    planner.subagent("p", "a").say("partial", 2, "again").await;
    assert_eq!(next_payload(&mut reader).await, "again");
}

#[tokio::test]
async fn body_that_breaks_off_is_not_answered_as_if_it_were_whole() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for (media_type, item) in [
        ("application/x-ndjson", "{\"status\":\"partial\",\"payload\":\"whole\"}\n"),
        ("text/event-stream", "data: {\"status\":\"partial\",\"payload\":\"whole\"}\n\n"),
    ] {
        let mut upload = planner.subagent("p", "a").upload(media_type).await;
        upload.send(&format!("{item}{}", &item[..20])).await;
        let answer = upload.break_off().await;
        assert_problem(&answer, 400, "invalid_json");
        let answer = answer.json();
        assert!(answer["detail"].as_str().unwrap().contains("broke off"), "{answer}");
        assert_eq!(answer["results"].as_array().unwrap().len(), 1, "{answer}");
        // Nor is what looks whole: more of it may have been meant.
        let mut upload = planner.subagent("p", "a").upload(media_type).await;
        upload.send(&format!("{item}{}", item.trim_end())).await;
        let answer = upload.break_off().await;
        assert_problem(&answer, 400, "invalid_json");
        assert_eq!(answer.json()["results"].as_array().unwrap().len(), 1, "{answer:?}");
    }
}

#[tokio::test]
async fn body_for_nobody_is_answered_at_its_first_event() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut upload = app.planner("t").subagent("p", "a").upload("application/x-ndjson").await;
    upload.send("{\"status\":\"partial\"}\n").await;
    assert_problem(&upload.answer().await, 404, "unknown_step");
    for (step, key, code) in [("none", "a", "unknown_step"), ("p", "b", "unknown_subagent")] {
        let mut upload = planner.subagent(step, key).upload("application/x-ndjson").await;
        upload.send("{\"status\":\"partial\"}\n").await;
        assert_problem(&upload.answer().await, 404, code);
    }
    let stranger =
        app.post(planner.subagent("p", "b").path).body("application/x-ndjson", "{\"status\":\"partial\"}\n");
    assert_problem(&stranger.send().await, 404, "unknown_subagent");
}

/// Some editors and shells write one; the answers of subagents that are called may have it as well.
#[tokio::test]
async fn byte_order_mark_before_a_body_is_ignored() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let path = planner.subagent("p", "a").path;
    let partial = "\u{feff}{\"status\":\"partial\",\"payload\":\"x\"}";
    for (media_type, body) in [
        ("application/json", partial.to_owned()),
        ("application/x-ndjson", format!("{partial}\n")),
        ("text/event-stream", format!("\u{feff}data: {}\n\n", &partial[3..])),
    ] {
        let answer = app.post(&path).body(media_type, body).send().await.expect(200);
        assert_eq!(answer["accepted"], 1, "{media_type}");
    }
    let directive = "\u{feff}{\"plan_step_id\":\"q\",\"expected_subagents\":[{\"key\":\"a\"}]}";
    app.post(planner.path("/steps")).body("application/json", directive).send().await.expect(201);
    let raw = format!("{path}?raw=true");
    app.post(raw).body("text/plain", "\u{feff}just words").send().await.expect(200);
    let original = planner.get("/steps/p/results/a").send().await.expect(200);
    assert_eq!(original["content"]["payload"]["content"], "just words");
}

#[tokio::test]
async fn raw_body_is_the_output_itself() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b", "documentation"]).await;
    for (key, switch, media_type, body, payload) in [
        (
            "a",
            "raw=true",
            "application/json",
            r#"{"status":"mine","text":"t"}"#,
            json!({"status": "mine", "text": "t", "content": "t", "sources": []}),
        ),
        ("b", "raw", "text/plain", "just words", json!({"content": "just words", "sources": []})),
        (
            "documentation",
            "raw=1",
            "application/json",
            "\"words\"",
            json!({"answer": "words", "citations": []}),
        ),
    ] {
        let path = format!("{}?{switch}", planner.subagent("p", key).path);
        let answer = app.post(path).body(media_type, body).send().await.expect(200);
        assert_eq!(answer["accepted"], 1);
        let page = planner.page(&format!("/events?type=planner_stream&subagent={key}")).await;
        let content = &page["events"][0]["content"];
        assert_eq!(
            (&content["payload"], &content["status"], &content["revision"]),
            (&payload, &json!("success"), &json!(1))
        );
    }
    assert_eq!(planner.step("p").await["status"], "completed");
    let lines = format!("{}?raw=true", planner.subagent("p", "a").path);
    let refused = app.post(lines).body("application/x-ndjson", "{}\n").send().await;
    assert_problem(&refused, 415, "unsupported_media_type");
}

#[tokio::test]
async fn output_that_forgot_raw_is_pointed_to_it() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let problem =
        assert_problem(&planner.subagent("p", "a").post(&json!({"payload": {}})).await, 422, "invalid_event");
    assert!(problem["detail"].as_str().unwrap().contains("raw=true"));
}

#[tokio::test]
async fn way_past_the_router_and_the_way_through_it_lead_to_the_same_answer() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let plain = planner.subagent("p", "a").path;
    let encoded = plain.replace("/subagents/a/", "/subagents/%61/");
    let event = |revision: u64| json!({"status": "partial", "revision": revision});
    for (path, revision) in [(&plain, 1), (&encoded, 2)] {
        let answer = app.post(path).json(&event(revision)).send().await;
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.expect(200)["results"], json!([{"verdict": "accepted", "sequence": revision + 2}]));
    }
    let again =
        [app.post(&plain).json(&event(2)).send().await, app.post(&encoded).json(&event(2)).send().await];
    assert_eq!(again[0].text(), again[1].text());
    let mut refused = Vec::new();
    for path in [&plain, &encoded] {
        refused.push(app.post(path).body("text/plain", "x").send().await);
        refused.push(app.post(path).json(&json!({"status": "done"})).send().await);
        refused.push(app.post(format!("{path}?raw=true")).body("text/plain", vec![0xFF]).send().await);
    }
    for (past, through) in refused[..3].iter().zip(&refused[3..]) {
        assert_eq!((past.status, past.text()), (through.status, through.text()));
    }
    assert_eq!(
        refused.iter().map(|answer| answer.status).collect::<Vec<_>>(),
        [415, 422, 400, 415, 422, 400]
    );
}
