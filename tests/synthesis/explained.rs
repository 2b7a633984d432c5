//! `?explain=true`: what a result was made of, what the model was asked and answered, what the checks found; and where
//! that isn't known, that it isn't.

use serde_json::{Value, json};

use crate::drafts::{Draft, faithful};
use crate::harness::{Planner, TestApp, eventually};
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::scene::{BOTH, KEY, bring_all, ended, patient, plan, post_step, result, text};

/// A draft with a swapped figure, which goes back, and then as it should be.
fn swapped_once(asked: &Asked) -> Says {
    Says::Text(match asked.items() {
        None => Draft::faithful(asked).replacing("24 months", "42 months").text(),
        Some(items) => {
            let mended = items[0]["draft"].to_string().replace("42 months", "24 months");
            format!("{{\"findings\": [{mended}]}}")
        }
    })
}

async fn explained(planner: &Planner, step: &str) -> Value {
    planner.get(&format!("/steps/{step}/result?explain=true&format=html")).send().await.expect(200)
}

async fn a_step(app: &TestApp, synthesis: Value) -> Planner {
    let planner = plan(app.client(), "s", synthesis).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    planner
}

/// Why a member isn't there.
#[track_caller]
fn why_missing(explained: &Value, what: &str) -> String {
    assert_eq!(explained[what], Value::Null, "{what}");
    let missing = explained["missing"].as_array().unwrap();
    let found = missing.iter().find(|missing| missing["what"] == what);
    text(found.unwrap_or_else(|| panic!("{what} is missing without a reason: {missing:?}")), "why").to_owned()
}

#[tokio::test]
async fn an_answer_is_explained_by_what_was_sent_and_what_came_and_what_the_checks_found() {
    for protocol in BOTH {
        let server = ModelServer::saying(swapped_once).await;
        let app = patient(&server, protocol).start().await;
        let planner = a_step(&app, json!({})).await;
        let explained = explained(&planner, "p").await;
        assert_eq!(explained["missing"], json!([]));
        assert_eq!(explained["result"], result(&planner, "p").await);
        let asked = server.asked();
        let calls = explained["calls"].as_array().unwrap();
        let purposes: Vec<&str> = calls.iter().map(|call| text(call, "purpose")).collect();
        assert_eq!((purposes, asked.len()), (vec!["draft", "repair"], 2));
        for (call, asked) in calls.iter().zip(&asked) {
            let Says::Text(said) = swapped_once(asked) else { unreachable!("it says texts") };
            let request = &call["requests"][0];
            assert_eq!(text(&request["user"], "text"), asked.user());
            // A server may be told the schema behind what it is told to do.
            assert!(asked.system().starts_with(text(&request["system"], "text")));
            assert_eq!((text(&call["answer"], "text"), text(call, "stop")), (said.as_str(), "end"));
            assert_eq!(
                (&call["failed"], &call["tried"], &call["cached"]),
                (&Value::Null, &json!([]), &json!(false))
            );
            assert!(call["prompt_version"].is_string() && call["output_tokens"].as_u64() > Some(0), "{call}");
        }
        let checks = explained["checks"]["findings"].as_array().unwrap();
        let failing: Vec<&Value> = checks.iter().filter(|finding| finding["stands"] == false).collect();
        assert_eq!(failing.len(), 1, "{checks:?}");
        assert!(text(failing[0], "content").contains("42 months"));
        let codes: Vec<&str> =
            failing[0]["reasons"].as_array().unwrap().iter().map(|why| text(why, "code")).collect();
        assert_eq!(codes, ["figure_not_in_source"]);
        let origins: Vec<&str> = explained["written"]["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| text(found, "origin"))
            .collect();
        assert_eq!(origins.iter().filter(|origin| **origin == "repaired").count(), 1, "{origins:?}");
        assert_eq!(explained["baseline"]["metadata"]["method"], "extractive");
        // What would be asked now is what was asked, but for the fence.
        let again = &explained["prompt"];
        assert_eq!((text(again, "name"), text(&calls[0], "prompt")), ("retrieval", "retrieval"));
        assert_eq!(text(&again["user"], "text").len(), asked[0].user().len());
        let inputs = explained["inputs"].as_array().unwrap();
        let heard: Vec<(&str, &str)> =
            inputs.iter().map(|input| (text(input, "subagent"), text(input, "status"))).collect();
        assert_eq!(heard, [("docs", "success"), ("crm", "success"), ("tickets", "success")]);
        let original = app.client().get(text(&inputs[0], "href")).send().await.expect(200);
        assert!(original.to_string().contains("24 months"));
        assert!(!explained.to_string().contains(KEY));
    }
}

#[tokio::test]
async fn what_isnt_kept_is_told_and_the_rest_is_made_again() {
    // Nothing is kept at all; nothing as large as this.
    for (bytes, why) in [(0, "explain_bytes"), (1_000, "not known to this replica")] {
        let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
        let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__EXPLAIN_BYTES", bytes).start().await;
        let planner = a_step(&app, json!({})).await;
        let explained = explained(&planner, "p").await;
        for what in ["calls", "checks"] {
            assert!(why_missing(&explained, what).contains(why));
        }
        let asked = server.asked();
        assert_eq!(text(&explained["prompt"]["user"], "text").len(), asked[0].user().len());
        assert!(asked[0].system().starts_with(text(&explained["prompt"]["system"], "text")));
        assert_eq!(explained["written"]["counts"], explained["result"]["metadata"]["synthesis"]);
        assert_eq!(explained["baseline"]["metadata"]["method"], "extractive");
    }
}

#[tokio::test]
async fn an_extracted_answer_says_that_nobody_was_asked() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = a_step(&app, json!({"mode": "extractive"})).await;
    let explained = explained(&planner, "p").await;
    for what in ["prompt", "calls", "checks"] {
        assert!(why_missing(&explained, what).contains("`synthesis.mode` isn't `llm`"));
    }
    assert_eq!((&explained["written"], &explained["result"]), (&Value::Null, &explained["baseline"]));
}

#[tokio::test]
async fn a_call_that_failed_shows_what_was_sent_and_a_code_and_nothing_that_the_server_said() {
    let (refused, hangs) = (
        Says::Status(401, vec![], json!({"error": {"message": format!("no such key: {KEY}")}}).to_string()),
        Says::HangBehind("{\"findings\": [".to_owned()),
    );
    for (number, (says, code)) in [(refused, Some("unauthorized")), (hangs, None)].into_iter().enumerate() {
        let server = ModelServer::start().await;
        let says = std::sync::Mutex::new(Some(says));
        server.script(move |_| says.lock().unwrap().take());
        let app = patient(&server, Protocol::OpenAi).start().await;
        let planner = a_step(&app, json!({"budget": {"time_ms": 5_000}})).await;
        // Where the step's own bound was faster, what is known of the writing comes a moment later.
        let asked = server.asked();
        assert_eq!(asked.len(), 1, "{number}");
        let explained = eventually("what was asked", || async {
            Some(explained(&planner, "p").await).filter(|explained| explained["calls"].is_array())
        })
        .await;
        let call = &explained["calls"][0];
        assert_eq!(text(&call["requests"][0]["user"], "text"), asked[0].user());
        assert!(call["failed"].is_string() && call["answer"].is_null(), "{number}: {call}");
        if code.is_some() {
            assert_eq!(call["tried"].as_array().unwrap().len(), 1, "{call}");
        }
        assert!(why_missing(&explained, "checks").contains("no draft"));
        assert!(!explained.to_string().contains(KEY));
    }
}

#[tokio::test]
async fn a_step_that_goes_on_or_isnt_there_explains_nothing() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = a_step(&app, json!({})).await;
    post_step(&planner, "q", json!({})).await.expect(201);
    let ask = |step: &str| planner.get(&format!("/steps/{step}/result?explain=true")).send();
    ask("q").await.expect(202);
    assert_eq!(ask("nobody").await.expect(404)["code"], "unknown_step");
    let odd = planner.get("/steps/p/result?explain=perhaps").send().await;
    assert_eq!(odd.expect(422)["code"], "invalid_event");
    ask("p").await.expect(200);
    // Who forgets a session forgets this, too: another one of that name has its own.
    assert_eq!(app.client().request("DELETE", planner.path("")).send().await.status, 204);
    ask("p").await.expect(404);
    let planner = a_step(&app, json!({"budget": {"calls": 0}})).await;
    let calls = &self::explained(&planner, "p").await["calls"];
    assert_eq!((&calls[0]["requests"][0]["answer"], &calls[0]["answer"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_writing_that_is_cancelled_shows_what_was_under_way() {
    let server = ModelServer::saying(|_| Says::Hang).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let calls = server.until("a call", |calls| calls.len() == 1).await;
    let cancel = planner.path("/steps/p/cancel");
    app.client().post(cancel).json(&json!({"reason": "enough"})).send().await.expect(200);
    ended(&planner, "p").await;
    let explained = eventually("what was under way", || async {
        Some(explained(&planner, "p").await).filter(|explained| explained["calls"].is_array())
    })
    .await;
    let call = &explained["calls"][0];
    assert_eq!((text(call, "purpose"), text(call, "failed")), ("draft", "given_up"));
    assert_eq!(text(&call["requests"][0]["user"], "text"), calls[0].asked.user());
    assert!(call["input_tokens"].as_u64() > Some(100), "what was booked for it: {call}");
    assert_eq!(call["output_tokens"], 0, "nothing was written");
}

#[tokio::test]
async fn a_call_that_is_given_up_shows_what_was_booked_for_it() {
    let begun = "{\"findings\": [{\"topic\": \"one two three four five six seven\"";
    let server = ModelServer::saying(move |_| Says::HangBehind(begun.to_owned())).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    // The reader's page has grown: some of the answer was heard.
    eventually("a delta", || async {
        let page = planner.page("/steps/p/events?type=synthesis_delta").await;
        page["events"].as_array().filter(|events| !events.is_empty()).map(Vec::len)
    })
    .await;
    planner.tell("/steps/p/cancel", json!({})).await;
    ended(&planner, "p").await;
    let explained = eventually("what was under way", || async {
        Some(explained(&planner, "p").await).filter(|explained| explained["calls"].is_array())
    })
    .await;
    let call = &explained["calls"][0];
    assert_eq!(text(call, "failed"), "given_up");
    let tokens = |name: &str| call[name].as_u64().unwrap();
    assert!(tokens("input_tokens") > 100 && (5..60).contains(&tokens("output_tokens")), "{call}");
}
