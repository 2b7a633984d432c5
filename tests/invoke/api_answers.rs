//! Answers of models' and agents' APIs as they come, pushed raw and answered to a call: their text is the output, and what
//! says that it failed has failed.

use serde_json::{Value, json};

use crate::harness::{TestApp, open_plan};
use crate::hosts::PlainAgent;
use crate::scene::{Scene, about, calling, ended, simulator, statuses};

fn completion(text: &str) -> Value {
    json!({"object": "chat.completion", "model": "m", "choices": [
        {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]})
}

fn task(state: &str, text: &str) -> Value {
    json!({"kind": "task", "id": "t", "status": {"state": state, "message": {"role": "agent", "messageId": "1",
        "parts": [{"kind": "text", "text": text}]}}})
}

#[tokio::test]
async fn pushed_answer_of_an_api_is_a_success_and_one_that_failed_says_so() {
    let app = TestApp::new().start().await;
    let table = r#"{"columns":["id"],"rows":[[1],[2]]}"#;
    let limit =
        json!({"error": {"message": "Rate limit reached", "type": "tokens", "code": "rate_limit_exceeded"}});
    let cases = [
        (
            "documentation",
            completion("Quotes end after 30 days."),
            "success",
            "/payload/answer",
            json!("Quotes end after 30 days."),
        ),
        ("row_selection", completion(table), "success", "/payload/row_count", json!(2)),
        ("voice", task("completed", "Hello there."), "success", "/payload/transcript", json!("Hello there.")),
        ("safety", completion("unsafe\nS6"), "success", "/payload/decision", json!("refuse")),
        (
            "documentation",
            task("failed", "The index is down."),
            "success",
            "/error/message",
            json!("The index is down."),
        ),
        ("generic", json!({"error": "no such index"}), "success", "/error/message", json!("no such index")),
        ("generic", json!({"error": "no such index"}), "success", "/payload/error", json!("no such index")),
        ("generic", json!({"ok": false, "message": "down"}), "success", "/reason", json!("failed_output")),
        ("generic", json!({"ok": false, "answer": "42"}), "success", "/payload/content", json!("42")),
        ("documentation", limit, "success", "/error/code", json!("rate_limit_exceeded")),
    ];
    for (at, (key, answer, status, pointer, expected)) in cases.into_iter().enumerate() {
        let planner = open_plan(app.client(), &format!("s{at}"), &[key]).await;
        let path = format!("{}?raw=true", planner.subagent("p", key).path);
        app.post(&path).json(&answer).send().await.expect(200);
        let page = planner.get("/events").send().await.expect(200);
        let events = page["events"].as_array().unwrap();
        let said = about(events, key).into_iter().find(|content| content["status"] == status);
        let said = said.unwrap_or_else(|| panic!("{answer}: {events:?}"));
        assert_eq!(said.pointer(pointer), Some(&expected), "{answer}");
    }
}

/// What a raw output says of its failure isn't passed off as a result, and what a sender itself calls a success is one.
#[tokio::test]
async fn failed_output_that_is_pushed_raw_is_among_the_failures_of_the_result() {
    let app = TestApp::new().start().await;
    let tool = json!({"content": [{"type": "text", "text": "There is no such file."}], "isError": true});
    let rpc =
        json!({"jsonrpc": "2.0", "id": 7, "error": {"code": -32603, "message": "There is no such file."}});
    let mut partly = task("failed", "There is no such file.");
    partly["artifacts"] =
        json!([{"artifactId": "a", "parts": [{"kind": "text", "text": "Quotes end soon."}]}]);
    for (at, (query, body, failures, is_empty)) in [
        ("?raw=true", tool.clone(), 1, true),
        ("?raw=true", rpc, 1, true),
        ("?raw=true", task("failed", "There is no such file."), 1, true),
        ("?raw=true", json!({"status": "error", "message": "There is no such file."}), 1, true),
        ("?raw=true", json!({"error": {"message": "There is no such file."}}), 1, true),
        // What it had brought until then.
        ("?raw=true", partly, 1, false),
        ("", json!({"status": "success", "payload": tool}), 0, false),
        ("?raw=true", json!({"ok": true, "answer": "Quotes end after 30 days."}), 0, false),
    ]
    .into_iter()
    .enumerate()
    {
        let planner = open_plan(app.client(), &format!("f{at}"), &["files"]).await;
        let path = format!("{}{query}", planner.subagent("p", "files").path);
        assert_eq!(app.post(&path).json(&body).send().await.expect(200)["accepted"], 1);
        let result = planner.get("/steps/p/result?wait_ms=10000").send().await.expect(200);
        let said = result["failures"].as_array().unwrap();
        assert_eq!((&result["status"], said.len()), (&json!("completed"), failures), "{body}: {result}");
        assert!(said.iter().all(|failure| failure["error"].as_str().unwrap().contains("no such file")));
        let (summary, gaps) = (result["summary"].as_str().unwrap(), result["gaps"].to_string());
        assert_eq!(summary.contains("the only task brought no usable result"), is_empty, "{body}: {result}");
        assert_eq!(result["findings"] == json!([]), is_empty, "{body}: {result}");
        assert_eq!(gaps.contains("only a part"), failures == 1 && !is_empty, "{body}: {result}");
        let step = planner.step("p").await;
        assert_eq!(step["subagents"][0]["status"], "success", "{body}");
    }
}

#[tokio::test]
async fn called_agent_may_answer_as_an_api_does() {
    let agent = PlainAgent::start(|request| {
        let body = match request.split(' ').nth(1) {
            Some("/text") => completion("Quotes end after 30 days."),
            _ => json!({"error": {"type": "invalid_request_error", "message": "no such model"}}),
        };
        PlainAgent::answer("200 OK", "application/json", &body.to_string())
    })
    .await;
    let scene = Scene { agents: simulator().await, app: calling(agent.addr).start().await };
    let planner =
        scene.plan(&[agent.called("a", "/text", "json"), agent.called("b", "/error", "json")]).await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "a"), ["in_progress", "success"]);
    assert_eq!(about(&events, "a")[2]["payload"]["content"], "Quotes end after 30 days.");
    assert_eq!(statuses(&events, "b"), ["in_progress", "error"], "nothing that passes: no retry");
    assert_eq!(about(&events, "b")[2]["error"]["message"], "no such model");
    let result = planner.get("/steps/p/result").send().await.expect(200);
    let failure = &result["failures"][0]["error"];
    assert_eq!(
        (&result["status"], failure),
        (&json!("partial_failure"), &json!("no such model (invalid_request_error)"))
    );
}

/// To readers there is no difference between an answer that is pushed as it came and the same to a call.
#[tokio::test]
async fn sources_of_a_model_that_is_called_are_those_of_its_answer_pushed() {
    let text = "The sky is blue because of Rayleigh scattering [1].";
    let mut perplexity = completion(text);
    perplexity["citations"] = json!(["https://e.example/sky"]);
    perplexity["search_results"] = json!([{"title": "Sky", "url": "https://e.example/sky"}]);
    let mut openai = completion(text);
    openai["choices"][0]["message"]["annotations"] = json!([
        {"type": "url_citation", "url_citation": {"url": "https://e.example/sky", "title": "Sky", "start_index": 0, "end_index": 9}}]);
    let cited = json!({"type": "web_search_result_location", "url": "https://e.example/sky", "title": "Sky"});
    let anthropic = json!({"type": "message", "model": "m", "stop_reason": "end_turn", "content": [
        {"type": "text", "text": "The sky is blue because of Rayleigh scattering.", "citations": [cited]}]});
    for (protocol, body) in [("openai", perplexity), ("openai", openai), ("anthropic", anthropic)] {
        let answer = body.to_string();
        let agent =
            PlainAgent::start(move |_| PlainAgent::answer("200 OK", "application/json", &answer)).await;
        let app = calling(agent.addr).start().await;
        let pushed = open_plan(app.client(), "pushed", &["m"]).await;
        let path = format!("{}?raw=true", pushed.subagent("p", "m").path);
        app.post(&path).json(&body).send().await.expect(200);
        let called = app.planner("called");
        let mut output = agent.called("m", "/", protocol);
        output["invoke"]["body"] = json!({"model": "m", "messages": []});
        called.post(&json!({"plan_step_id": "p", "expected_subagents": [output]})).await.expect(201);
        let mut found = Vec::new();
        for planner in [pushed, called] {
            let result = planner.get("/steps/p/result?wait_ms=10000").send().await.expect(200);
            found.push((result["sources"].clone(), result["confidence"].clone()));
        }
        assert_eq!(found[0].0[0]["url"], "https://e.example/sky", "{body}");
        assert_eq!(found[0], found[1], "{body}");
    }
}

/// Its words may be in any language: that they are none is said beside them.
#[tokio::test]
async fn refusal_that_a_model_declares_is_a_failure_pushed_and_called() {
    let words = "Das beantworte ich nicht, weil es gegen die Regeln ist.";
    let mut refused = completion("");
    refused["choices"][0]["message"] = json!({"role": "assistant", "content": null, "refusal": words});
    let answer = refused.to_string();
    let agent = PlainAgent::start(move |_| PlainAgent::answer("200 OK", "application/json", &answer)).await;
    let scene = Scene { agents: simulator().await, app: calling(agent.addr).start().await };
    let mut output = agent.called("m", "/", "openai");
    output["invoke"]["body"] = json!({"model": "m", "messages": []});
    let called = scene.plan(&[output]).await;
    let events = ended(&called, "p").await;
    assert_eq!(statuses(&events, "m"), ["in_progress", "error"], "it would come again");
    let pushed = open_plan(scene.app.client(), "pushed", &["m"]).await;
    let path = format!("{}?raw=true", pushed.subagent("p", "m").path);
    scene.app.post(&path).json(&refused).send().await.expect(200);
    for planner in [called, pushed] {
        let result = planner.get("/steps/p/result?wait_ms=10000").send().await.expect(200);
        assert_eq!(result["findings"], json!([]), "{result}");
        assert!(result["failures"][0]["error"].as_str().unwrap().contains(words), "{result}");
    }
}

/// Whether it is waited for mustn't depend on a field that says nothing of it.
#[tokio::test]
async fn rate_limit_in_an_answer_is_waited_for_in_whatever_shape_it_comes() {
    let agent = PlainAgent::start(|request| {
        let error = r#"{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}"#;
        match request.split(' ').nth(1) {
            Some("/json") => PlainAgent::answer("200 OK", "application/json", error),
            Some("/ndjson") => PlainAgent::answer("200 OK", "application/x-ndjson", error),
            Some("/sse") => PlainAgent::answer("200 OK", "text/event-stream", &format!("data: {error}\n\n")),
            _ => {
                let event = error.replacen('{', r#"{"status":"error","#, 1);
                PlainAgent::answer("200 OK", "application/json", &event)
            }
        }
    })
    .await;
    let scene = Scene { agents: simulator().await, app: calling(agent.addr).start().await };
    let outputs = ["json", "ndjson", "sse", "event"].map(|key| {
        let mut output = agent.called(key, &format!("/{key}"), if key == "event" { "json" } else { key });
        output["max_attempts"] = json!(2);
        output
    });
    let events = ended(&scene.plan(&outputs).await, "p").await;
    for key in ["json", "ndjson", "sse", "event"] {
        assert_eq!(statuses(&events, key), ["in_progress", "retry", "in_progress", "error"], "{key}");
    }
}
