//! `Idempotency-Key`: a repeat gets the first answer and changes nothing; another request under the key is refused.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Answer, Planner, Request, TestApp, assert_problem, open_plan};

async fn twice(request: Request) -> (Answer, Answer) {
    let request = request.header("idempotency-key", "key-1");
    (request.clone().send().await, request.send().await)
}

async fn shown(planner: &Planner) -> usize {
    planner.page("/events?type=planner_stream&limit=5000").await["events"].as_array().unwrap().len()
}

#[tokio::test]
async fn repeat_of_an_event_without_a_revision_is_stored_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let (first, again) = twice(a.request(&json!({"status": "partial", "payload": "x"}))).await;
    assert_eq!((first.expect(200), shown(&planner).await), (again.expect(200), 1));
    // Without the key it is another event.
    a.post(&json!({"status": "partial", "payload": "x"})).await.expect(200);
    assert_eq!(shown(&planner).await, 2);
}

#[tokio::test]
async fn repeat_of_what_ended_a_step_gets_the_first_answer_to_the_letter() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let last = planner.subagent("p", "a");
    let (first, again) = twice(last.request(&json!({"status": "success", "payload": "x"}))).await;
    assert_eq!(first.text(), again.text());
    let planner = open_plan(app.client(), "t", &["a"]).await;
    let cancel = app.post("/planner/sessions/t/steps/p/cancel").json(&json!({"reason": "enough"}));
    let (first, again) = twice(cancel).await;
    assert_eq!(first.expect(200)["status"], "cancelled");
    assert_eq!(first.text(), again.text());
    drop(planner);
}

#[tokio::test]
async fn repeat_of_a_late_result_is_counted_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let a = planner.subagent("p", "a");
    a.succeed().await;
    let late = json!([{"status": "success", "payload": "x"}, {"status": "success", "payload": "y"}]);
    let (first, again) = twice(a.request(&late)).await;
    assert_eq!((first.expect(200)["late"].as_u64(), first.text()), (Some(2), again.text()));
    let counted = async || planner.step("p").await["subagents"][0]["late"].as_u64();
    assert_eq!(counted().await, Some(2));
    a.request(&late).header("idempotency-key", "key-2").send().await.expect(200);
    assert_eq!(counted().await, Some(4), "another key is another request");
    a.post(&late).await.expect(200);
    assert_eq!(counted().await, Some(6), "without a key each is another one");
}

#[tokio::test]
async fn a_key_whose_request_changed_nothing_is_no_other_ones() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}, {"key": "b"}]});
    planner.post(&directive).await.expect(201);
    let a = planner.subagent("p", "a");
    a.say("partial", 2, "two").await;
    let event = |revision: u32, text: &str| {
        a.request(&json!({"status": "partial", "revision": revision, "payload": text}))
    };
    let keyed = async |request: Request, key: &str| request.header("idempotency-key", key).send().await;
    let stale = keyed(event(1, "one"), "stale").await;
    let known = keyed(app.post(planner.path("/steps")).json(&directive), "known").await;
    assert_eq!((known.status, stale.expect(200)["stale"].as_u64()), (200, Some(1)), "{}", known.text());
    a.succeed().await;
    let late = keyed(event(9, "nine"), "late").await;
    assert_eq!(late.expect(200)["late"], 1);
    planner.subagent("p", "b").say("partial", 1, "on").await;
    for key in ["stale", "known", "late"] {
        let other =
            keyed(planner.subagent("p", "b").request(&json!({"status": "partial", "payload": key})), key)
                .await;
        assert_problem(&other, 422, "idempotency_conflict");
    }
    assert_eq!(keyed(event(1, "one"), "stale").await.text(), stale.text());
    assert_eq!(keyed(event(9, "nine"), "late").await.text(), late.text());
    let again = keyed(app.post(planner.path("/steps")).json(&directive), "known").await;
    assert_eq!((again.status, again.text()), (200, known.text()));
    // A request that was refused has no answer that its key stands for.
    let refused = keyed(planner.subagent("q", "a").request(&json!({"status": "partial"})), "refused").await;
    assert_problem(&refused, 404, "unknown_step");
    keyed(planner.subagent("p", "b").request(&json!({"status": "partial"})), "refused").await.expect(200);
}

#[tokio::test]
async fn two_keys_are_none() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for second in ["k", "l"] {
        let request = planner.subagent("p", "a").request(&json!({"status": "partial"}));
        let request = request.header("idempotency-key", "k").header("idempotency-key", second);
        assert_problem(&request.send().await, 422, "invalid_id");
    }
}

#[tokio::test]
async fn same_body_under_another_query_is_another_request() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let body = json!({"status": "partial", "payload": "x"});
    let send = |query: &str| {
        app.post(format!("{}{query}", a.path)).json(&body).header("idempotency-key", "key-1").send()
    };
    send("").await.expect(200);
    let problem = assert_problem(&send("?raw=true").await, 422, "idempotency_conflict");
    assert!(problem["detail"].as_str().unwrap().contains("another request"), "{problem}");
    assert_eq!((send("").await.expect(200)["accepted"].as_u64(), shown(&planner).await), (Some(1), 1));
}

#[tokio::test]
async fn repeat_of_an_array_is_answered_item_by_item() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let events: Vec<Value> =
        (0..600).map(|n| json!({"status": "partial", "payload": {"content": n}})).collect();
    let (first, again) = twice(a.request(&json!(events))).await;
    let (first, again) = (first.expect(200), again.expect(200));
    assert_eq!((first["results"].as_array().unwrap().len(), shown(&planner).await), (600, 600));
    assert_eq!(first["results"], again["results"]);
}

#[tokio::test]
async fn repeat_of_lines_is_stored_once_also_after_a_cut() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let lines: String = (0..50).map(|n| format!("{{\"status\":\"partial\",\"payload\":{n}}}\n")).collect();
    let part: String = lines.lines().take(20).map(|line| format!("{line}\n")).collect();
    let request = app.post(&a.path).header("idempotency-key", "key-1");
    let mut upload = request.clone().upload("application/x-ndjson").await;
    upload.send(&part).await;
    let mut reader = app.sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    reader.cover(&mut coverage, 22).await;
    upload.hang_up();
    for _ in 0..2 {
        let answer = request.clone().body("application/x-ndjson", lines.clone()).send().await.expect(200);
        assert_eq!(answer["accepted"], 50);
    }
    assert_eq!(shown(&planner).await, 50);
}

#[tokio::test]
async fn repeat_of_lines_with_a_wrong_one_is_stored_once_wherever_it_is_cut() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let request = app.post(planner.subagent("p", "a").path).header("idempotency-key", "key-1");
    let says = |text: &str| format!("{{\"status\":\"partial\",\"payload\":\"{text}\"}}\n");
    let mut lines = ["{\"bad\":1}\n".to_owned(), says("one"), says("two"), says("three")];
    let results = async |pieces: [&[String]; 2]| {
        let mut upload = request.clone().upload("application/x-ndjson").await;
        for piece in pieces {
            upload.send(&piece.concat()).await;
        }
        upload.finish().await.json()["results"].as_array().unwrap().clone()
    };
    let first = results([&lines, &[]]).await;
    for cut in 1..lines.len() {
        assert_eq!(results([&lines[..cut], &lines[cut..]]).await[1..], first[1..], "cut behind {cut}");
    }
    // Whoever mends the line has only that one stored.
    lines[0] = says("mended");
    let mended = results([&lines[..2], &lines[2..]]).await;
    assert_eq!((&mended[0]["verdict"], &mended[1..]), (&json!("accepted"), &first[1..]));
    assert_eq!((results([&lines, &[]]).await, shown(&planner).await), (mended, 4));
}

#[tokio::test]
async fn repeats_that_come_together_are_stored_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    for round in 0..10 {
        let request =
            a.request(&json!({"status": "partial", "payload": round})).header("idempotency-key", round);
        let answers = join_all((0..20).map(|_| request.clone().send())).await;
        let first = answers[0].expect(200);
        assert!(answers.iter().all(|answer| answer.expect(200)["results"] == first["results"]));
    }
    assert_eq!(shown(&planner).await, 10);
}

#[tokio::test]
async fn repeat_of_what_a_planner_says_changes_nothing() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]});
    let (first, again) = twice(app.post(planner.path("/steps")).json(&directive)).await;
    assert_eq!((first.status, first.text()), (again.status, again.text()));
    for (name, body) in [
        ("/steps/p/progress", json!({"message": "m"})),
        ("/steps/p/safety", json!({"decision": "allow", "policy": "x", "reason": "y"})),
        ("/steps/p/cancel", json!({})),
        ("/close", json!({})),
    ] {
        let request = app.post(planner.path(name)).json(&body).header("idempotency-key", name);
        let (first, again) = (request.clone().send().await.expect(200), request.send().await.expect(200));
        assert_eq!(first["sequence"], again["sequence"], "{name}");
    }
    let page = planner.page("/events?type=planner_progress,policy_outcome").await;
    assert_eq!(page["events"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn key_of_another_request_is_refused() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let event = json!({"status": "partial", "payload": "x"});
    let keyed = |request: Request| request.header("idempotency-key", "key-1");
    let a = planner.subagent("p", "a");
    keyed(a.request(&event)).send().await.expect(200);
    let others = [
        a.request(&json!({"status": "partial", "payload": "y"})),
        planner.subagent("p", "b").request(&event),
        app.post(planner.path("/steps/p/progress")).json(&json!({"message": "m"})),
        app.post(&a.path).body("application/x-ndjson", "{\"status\":\"partial\"}\n"),
    ];
    for other in others {
        assert_problem(&keyed(other).send().await, 422, "idempotency_conflict");
    }
    assert_eq!(shown(&planner).await, 1);
    // Keys belong to a session.
    let elsewhere = open_plan(app.client(), "t", &["a"]).await;
    keyed(elsewhere.subagent("p", "a").request(&event)).send().await.expect(200);
}

#[tokio::test]
async fn a_directive_in_other_bytes_is_the_same_and_another_one_is_not() {
    let app = TestApp::new().start().await;
    let post = |body: &str| {
        let request = app.post("/planner/sessions/s/steps").header("idempotency-key", "key-1");
        request.body("application/json", body.to_owned())
    };
    let body = r#"{"plan_step_id":"p","expected_subagents":[{"key":"a","result_key":"r"}],"goal":"g"}"#;
    let first = post(body).send().await;
    first.expect(201);
    for same in [
        r#"{"goal":"g","expected_subagents":[{"result_key":"r","key":"a"}],"plan_step_id":"p"}"#,
        "{ \"plan_step_id\": \"p\",\n \"expected_subagents\": [{\"key\":\"a\",\"result_key\":\"r\"}], \"goal\": \"\\u0067\" }",
    ] {
        let again = post(same).send().await;
        assert_eq!((again.status, again.text()), (first.status, first.text()));
    }
    for other in [body.replace("\"g\"", "\"h\""), body.replace("\"p\"", "\"q\"")] {
        assert_problem(&post(&other).send().await, 422, "idempotency_conflict");
    }
    let progress = app.post("/planner/sessions/s/steps/p/progress").header("idempotency-key", "key-1");
    assert_problem(&progress.json(&json!({"message": "m"})).send().await, 422, "idempotency_conflict");
}

#[tokio::test]
async fn other_lines_under_a_used_key_are_not_taken_for_stored() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let lines = |n: u32| format!("{{\"status\":\"partial\",\"payload\":{n}}}\n");
    let request =
        |n| app.post(&a.path).header("idempotency-key", "key-1").body("application/x-ndjson", lines(n));
    request(1).send().await.expect(200);
    assert_problem(&request(2).send().await, 422, "idempotency_conflict");
}

#[tokio::test]
async fn last_256_keys_are_remembered() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let send = |key: u32| a.request(&json!({"status": "partial"})).header("idempotency-key", key).send();
    let first = send(0).await.expect(200);
    for key in 1..256 {
        send(key).await.expect(200);
    }
    assert_eq!(send(0).await.expect(200)["results"], first["results"]);
    send(256).await.expect(200);
    assert_ne!(send(0).await.expect(200)["results"], first["results"], "the oldest key is forgotten");
}

#[tokio::test]
async fn key_that_is_none_is_refused() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for key in ["", &"k".repeat(256), "ä"] {
        let request =
            planner.subagent("p", "a").request(&json!({"status": "partial"})).header("idempotency-key", key);
        assert_problem(&request.send().await, 422, "invalid_id");
    }
}

#[tokio::test]
async fn repeat_of_a_conflict_is_a_conflict_whatever_came_since() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    a.say("partial", 1, "A").await;
    let other =
        json!([{"status": "partial", "revision": 1, "payload": "B"}, {"status": "partial", "revision": 2}]);
    let request = a.request(&other).header("idempotency-key", "C");
    let first = assert_problem(&request.clone().send().await, 409, "revision_conflict");
    a.say("partial", 3, "A").await;
    let again = assert_problem(&request.send().await, 409, "revision_conflict");
    assert_eq!(first["results"], again["results"]);
    assert_eq!(shown(&planner).await, 3);
}

#[tokio::test]
async fn repeat_of_what_a_planner_says_tells_how_it_stood_then() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let allow = json!({"decision": "allow", "policy": "x", "reason": "y"});
    let calls = [
        ("/steps/p/progress", json!({"message": "m"}), "in_progress"),
        ("/steps/p/safety", allow.clone(), "in_progress"),
        ("/safety", allow, "open"),
        ("/close", json!({}), "open"),
    ];
    let send = async |key: &str, rest: &str, body: &Value| {
        app.post(planner.path(rest)).json(body).header("idempotency-key", key).send().await
    };
    let mut first = Vec::new();
    for (rest, body, status) in &calls {
        let answer = send(rest, rest, body).await;
        assert_eq!(answer.expect(200)["status"], *status, "{rest}");
        first.push(answer);
    }
    planner.subagent("p", "a").succeed().await;
    assert_eq!(planner.state().await["status"], "closed");
    for ((rest, body, _), first) in calls.iter().zip(&first) {
        assert_eq!(send(rest, rest, body).await.text(), first.text(), "{rest}");
    }
    // Where there was nothing left to end, nor to close, that stands, though the session goes on.
    for rest in ["/cancel", "/close"] {
        assert_eq!(send(&format!("again{rest}"), rest, &json!({})).await.expect(200)["status"], "closed");
    }
    planner.start("q", &["a"]).await;
    for rest in ["/cancel", "/close"] {
        assert_eq!(send(&format!("again{rest}"), rest, &json!({})).await.expect(200)["status"], "closed");
    }
    // What ends all that runs is told so from the first.
    let ended = send("end", "/cancel", &json!({})).await;
    assert_eq!(ended.expect(200)["status"], "closed");
    assert_eq!(planner.state().await["status"], "closed");
    planner.start("r", &["a"]).await;
    assert_eq!(send("end", "/cancel", &json!({})).await.text(), ended.text());
    assert_eq!(planner.step("r").await["status"], "in_progress");
}

#[tokio::test]
async fn repeat_of_a_duplicate_gets_the_first_answer_to_the_letter() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    let event = |revision: u32| json!({"status": "partial", "revision": revision, "payload": revision});
    // One item of an array is a duplicate of another one, which the next makes stale.
    let (first, again) = twice(a.request(&json!([event(1), event(1), event(2)]))).await;
    assert_eq!((first.expect(200)["duplicate"].as_u64(), first.text()), (Some(1), again.text()));
    // An array that changes nothing.
    let nothing = a.request(&json!([event(2), event(1), event(2)])).header("idempotency-key", "key-2");
    let first = nothing.clone().send().await;
    assert_eq!(
        (first.expect(200)["duplicate"].as_u64(), first.expect(200)["stale"].as_u64()),
        (Some(2), Some(1))
    );
    a.say("partial", 3, "on").await;
    assert_eq!(nothing.send().await.text(), first.text());
    assert_eq!(shown(&planner).await, 3);
    // Under another key it is what it is now.
    let other = a.request(&event(2)).header("idempotency-key", "key-3").send().await;
    assert_eq!(other.expect(200)["results"][0]["verdict"], "stale");
}
