//! The result of a step, from before its end until after it.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{ask, assert_order, bring, each, fail, plan, result, text};

const QUOTE: &str = "A quote is valid for 30 days [1].";
const ORDER: &str = "The warehouse ships an order on the next working day [1].";

#[tokio::test]
async fn running_step_has_no_result_yet_and_says_when_to_come_back() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    for query in ["", "?wait_ms=1", "?wait_ms=0&partial=false", "?format=html"] {
        let answer = ask(&planner, query).await;
        let body = answer.expect(202);
        assert!(answer.header("retry-after").unwrap().parse::<u64>().unwrap() > 0, "{query}");
        assert_eq!((&body["plan_step_id"], &body["status"]), (&json!("p"), &json!("in_progress")), "{query}");
    }
}

#[tokio::test]
async fn waiting_request_gets_the_result_as_soon_as_the_step_ends() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({})).await;
    // Longer than any test waits: it must be the end that answers it.
    let waiting = planner.get("/steps/p/result?wait_ms=60000");
    let waiting = tokio::spawn(waiting.send());
    for revision in 1..=3 {
        planner.subagent("p", "a").say("partial", revision, "It takes").await;
    }
    assert!(!waiting.is_finished(), "it doesn't take a part for the end");
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    let answer = waiting.await.unwrap().expect(200);
    assert_eq!(answer["status"], "completed");
    assert!(text(&answer, "synthesis").contains("A quote is valid for 30 days"), "{answer}");
    assert_eq!(answer, result(&planner).await);
}

#[tokio::test]
async fn waiting_request_gets_what_there_is_where_the_step_goes_on() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    let waiting = tokio::spawn(planner.get("/steps/p/result?wait_ms=1500&partial=true").send());
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    let draft = waiting.await.unwrap().expect(200);
    assert_eq!((&draft["metadata"]["final"], &draft["status"]), (&json!(false), &json!("in_progress")));
    assert!(
        text(&draft, "synthesis").contains("A quote is valid for 30 days"),
        "what came meanwhile: {draft}"
    );
    // Longer than any test waits: it must be the end that answers it.
    let waiting = tokio::spawn(planner.get("/steps/p/result?wait_ms=60000&partial=true").send());
    bring(&planner, "b", ORDER, &["https://b.org/orders"]).await;
    let answer = waiting.await.unwrap().expect(200);
    assert_eq!(answer["metadata"]["final"], true);
    assert_eq!(answer, result(&planner).await);
}

#[tokio::test]
async fn waiting_that_makes_no_sense_is_refused() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({})).await;
    for query in ["?wait_ms=soon", "?wait_ms=-1", "?partial=perhaps"] {
        let answer = ask(&planner, query).await;
        assert_eq!(answer.status, 422, "{query}: {}", answer.text());
    }
}

#[tokio::test]
async fn draft_after_the_first_success_names_who_is_still_at_work() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b", "c"], json!({})).await;
    let nothing = ask(&planner, "?partial=true").await.expect(200);
    assert_eq!((&nothing["metadata"]["final"], &nothing["results"]), (&json!(false), &json!([])));
    let told = text(&nothing, "synthesis");
    assert!(told.contains("draft") && told.contains("yet: all 3 tasks are still running"), "{told}");
    assert_eq!(each(&nothing["failures"], "error"), ["it is still running"; 3]);
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    planner.subagent("p", "b").say("partial", 1, "An order is packed first.").await;
    let draft = ask(&planner, "?partial=true").await.expect(200);
    assert_eq!((&draft["metadata"]["final"], &draft["status"]), (&json!(false), &json!("in_progress")));
    assert!(text(&draft, "synthesis").contains("A quote is valid for 30 days"), "{draft}");
    let pending: Vec<(&str, &str)> =
        each(&draft["failures"], "task_id").into_iter().zip(each(&draft["failures"], "status")).collect();
    assert!(pending.contains(&("c", "pending")), "{}", draft["failures"]);
    for format in ["llm", "anthropic", "slack", "html"] {
        let shown = ask(&planner, &format!("?partial=true&format={format}")).await.text().to_lowercase();
        assert!(shown.contains("draft") && !shown.contains("what failed"), "{format}: {shown}");
    }
    let metadata = &draft["metadata"];
    let counts = ["total_subagents", "successful_subagents", "failed_subagents"].map(|name| &metadata[name]);
    assert_eq!(counts, [&json!(3), &json!(1), &json!(0)], "nobody has failed yet");
    let partial =
        draft["results"].as_array().unwrap().iter().find(|result| result["task_id"] == "b").unwrap();
    assert_eq!(partial["partial"], true, "what b said so far is marked: {partial}");
    assert_eq!(ask(&planner, "").await.status, 202, "a draft isn't the result");
}

#[tokio::test]
async fn draft_of_everything_is_what_the_result_will_be() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b", "c"], json!({"query": "How long is a quote valid?"})).await;
    bring(&planner, "c", ORDER, &["https://c.org/orders"]).await;
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    ask(&planner, "?partial=true").await.expect(200);
    fail(&planner, "b", "no rows").await;
    let first = result(&planner).await;
    // The same directive and the same events in another order, and nobody asked for a draft.
    let other = TestApp::new().start().await;
    let again = plan(&other, &["a", "b", "c"], json!({"query": "How long is a quote valid?"})).await;
    fail(&again, "b", "no rows").await;
    bring(&again, "a", QUOTE, &["https://a.org/quotes"]).await;
    bring(&again, "c", ORDER, &["https://c.org/orders"]).await;
    let (mut first, mut second) = (first, result(&again).await);
    for result in [&mut first, &mut second] {
        result["metadata"]["trace_id"].take();
    }
    assert_eq!(first.to_string(), second.to_string());
}

#[tokio::test]
async fn result_is_the_same_bytes_for_ever_after() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({"more_steps": true})).await;
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    bring(&planner, "b", ORDER, &["https://b.org/orders"]).await;
    let first = ask(&planner, "").await;
    assert_eq!(first.json()["metadata"]["final"], true);
    // Something late, another step, another reader: none of it changes what was told.
    let late =
        json!({"status": "success", "revision": 9, "payload": {"content": "No: 60 days.", "sources": []}});
    planner.subagent("p", "a").post(&late).await;
    planner.start("q", &["a"]).await;
    for query in ["", "?partial=true", "?wait_ms=5", "?format=json"] {
        assert_eq!(ask(&planner, query).await.text(), first.text(), "{query}");
    }
}

#[tokio::test]
async fn end_of_a_step_is_told_in_one_order_once() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    bring(&planner, "b", ORDER, &["https://b.org/orders"]).await;
    ask(&planner, "").await.expect(200);
    ask(&planner, "?partial=true").await.expect(200);
    let page = planner.page("/steps/p/events").await;
    let types = each(&page["events"], "type");
    let expected = ["step_completed", "aggregation", "synthesis", "plan_step_completed"];
    assert_eq!(types[types.len() - 4..], expected);
    for name in expected {
        assert_eq!(types.iter().filter(|found| **found == name).count(), 1, "{name}: {types:?}");
    }
    let content = |back: usize| &page["events"][types.len() - back]["content"];
    let (aggregation, synthesis, completed) = (content(3), content(2), content(1));
    let result = result(&planner).await;
    let href = &completed["href"];
    assert_eq!(href, "/planner/sessions/s/steps/p/result");
    assert_eq!((&aggregation["final"], &aggregation["href"]), (&json!(true), href));
    assert_eq!(aggregation["summary"], result["summary"]);
    assert_eq!(as_numbers(&aggregation["metadata"]), as_numbers(&result["metadata"]));
    assert_eq!((&synthesis["summary"], &synthesis["href"]), (&result["summary"], href));
    assert_eq!(synthesis["method"], "extractive");
    assert_eq!(as_numbers(&synthesis["quality"]), as_numbers(&result["quality"]));
}

/// The same with every number as a float: an event writes `1`, a result `1.0`.
fn as_numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(as_numbers).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), as_numbers(value))).collect()
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

#[tokio::test]
async fn step_without_a_synthesis_tells_none() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({"synthesis": {"mode": "none"}})).await;
    bring(&planner, "a", QUOTE, &["https://a.org/quotes"]).await;
    let page = planner.page("/steps/p/events").await;
    let types = each(&page["events"], "type");
    assert_eq!(types[types.len() - 3..], ["step_completed", "aggregation", "plan_step_completed"]);
    assert!(!types.contains(&"synthesis"), "{types:?}");
    let result = result(&planner).await;
    assert_eq!(each(&result["results"], "task_id"), ["a"], "it is combined all the same");
}

#[tokio::test]
async fn every_sentence_of_a_result_is_a_quotation_with_its_source_and_its_subagent() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["crm", "stock"], json!({"query": "How are quotes and orders handled?"})).await;
    bring(&planner, "crm", QUOTE, &["https://a.org/quotes"]).await;
    bring(&planner, "stock", ORDER, &["https://b.org/orders"]).await;
    let result = result(&planner).await;
    let sources = result["sources"].as_array().unwrap();
    for finding in result["findings"].as_array().unwrap() {
        let contributor = finding["contributors"][0].as_str().unwrap();
        let source = &sources[finding["sources"][0].as_u64().unwrap() as usize - 1];
        assert_eq!(source["cited_by"], json!([contributor]), "{finding}");
        let line = format!("” [{}] — *{contributor}*", source["id"]);
        assert_order(text(&result, "synthesis"), &[&line]);
    }
    assert_eq!(result["findings"].as_array().unwrap().len(), 2);
    assert_eq!((&result["session_id"], &result["plan_step_id"]), (&json!("s"), &json!("p")));
}

#[tokio::test]
async fn figures_beyond_0_to_1_are_clamped_and_the_result_says_so() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    let payload =
        json!({"content": QUOTE, "sources": ["https://a.org"], "relevance": -0.5, "confidence": 85});
    let event = json!({"status": "success", "payload": payload});
    planner.subagent("p", "a").post(&event).await.expect(200);
    let payload = json!({"content": ORDER, "sources": ["https://b.org"], "relevance": 1, "confidence": 0.0});
    let event = json!({"status": "success", "payload": payload});
    planner.subagent("p", "b").post(&event).await.expect(200);
    let first = result(&planner).await;
    let again = app.post("/syntheses").json(&json!({"aggregation": first})).send().await.expect(200);
    for result in [first, again] {
        let of = |subagent: &str| {
            let results = result["results"].as_array().unwrap();
            results.iter().find(|one| one["subagent"] == subagent).unwrap().clone()
        };
        let wanted = [
            "clamped: a relevance of -0.5 counts as 0, as it is 0 to 1",
            "clamped: a confidence of 85.0 counts as 1, as it is 0 to 1",
        ];
        assert_eq!((&of("a")["notes"], &of("a")["confidence"]), (&json!(wanted), &json!(1.0)));
        assert_eq!(of("b")["notes"], Value::Null);
    }
}
