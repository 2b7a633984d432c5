//! `POST /syntheses`: of results, or of a result.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem};
use crate::scene::{aggregate, combine, each, failed, task, text};

fn results() -> Vec<Value> {
    vec![
        task("a", "The standard warranty covers every pump for 24 months [1].", &["https://a.org/w"]),
        task(
            "b",
            "The valve behind the boiler is cleaned each April [2].",
            &["https://unused.org/x", "https://b.org/v"],
        ),
        failed("c", "no rows"),
    ]
}

#[tokio::test]
async fn synthesis_of_results_is_the_aggregated_result() {
    let app = TestApp::new().start().await;
    let given = combine(app.client(), "/syntheses", json!({"results": results()})).await;
    assert_eq!(given, aggregate(app.client(), &results()).await);
    assert!(text(&given, "synthesis").contains("24 months"), "{given}");
}

#[tokio::test]
async fn synthesis_of_an_aggregated_result_says_the_same() {
    let app = TestApp::new().start().await;
    let aggregation = aggregate(app.client(), &results()).await;
    let again = combine(app.client(), "/syntheses", json!({ "aggregation": aggregation })).await;
    for member in
        ["synthesis", "summary", "findings", "failures", "contradictions", "gaps", "status", "confidence"]
    {
        assert_eq!(again[member], aggregation[member], "{member}");
    }
    let cited = |result: &Value| -> Vec<Value> {
        let sources = result["sources"].as_array().unwrap().iter().filter(|source| source["used"] == true);
        sources.map(|source| json!([source["id"], source["url"], source["cited_by"]])).collect()
    };
    assert_eq!(cited(&again), cited(&aggregation));
}

#[tokio::test]
async fn an_aggregation_is_taken_as_it_is_whatever_was_cut_or_left_out() {
    let app = TestApp::new().start().await;
    let a = "Acme was founded in 1987 and sells pumps to farmers in forty countries. The pump costs 500 euros. \
        You should call Acme before May.";
    let results = [
        task("a", a, &["https://a.org/p"]),
        task("b", "The pump costs 700 euros.", &["https://b.org/p"]),
        failed("c", "no rows"),
    ];
    let query = "What does the pump cost?";
    for options in [
        json!({}),
        json!({"max_result_tokens": 12}),
        json!({"max_results": 1}),
        json!({"max_results": 1, "max_result_tokens": 12, "include_contradictions": false}),
    ] {
        let path =
            if options.get("include_contradictions").is_some() { "/syntheses" } else { "/aggregations" };
        let body = json!({"query": query, "results": results, "options": options});
        let aggregation = combine(app.client(), path, body).await;
        for none in [json!(null), json!({}), json!({"max_results": null})] {
            let body = json!({"query": query, "aggregation": aggregation, "options": none});
            assert_eq!(combine(app.client(), "/syntheses", body).await, aggregation, "{options}");
        }
        let body = json!({"query": query, "aggregation": aggregation, "options": {"max_results": 1}});
        let named = combine(app.client(), "/syntheses", body).await;
        assert_eq!(named["results"].as_array().unwrap().len(), 1, "{options}");
    }
    // One that doesn't hold together is read result by result.
    let mut broken = aggregate(app.client(), &results).await;
    broken["findings"][0]["sources"] = json!([99]);
    let again = combine(app.client(), "/syntheses", json!({"aggregation": broken})).await;
    assert!(
        again["findings"][0]["sources"] != json!([99]) && again["findings"].as_array().unwrap().len() > 1
    );
}

#[tokio::test]
async fn a_draft_is_no_whole_result_because_it_was_sent_again() {
    let app = TestApp::new().start().await;
    let planner = crate::scene::plan(&app, &["a", "b"], json!({})).await;
    crate::scene::bring(
        &planner,
        "a",
        "The pump of the plant needs oil every 30 days [1].",
        &["https://a.org/m"],
    )
    .await;
    let draft = crate::scene::ask(&planner, "?partial=true").await.expect(200);
    assert_eq!(draft["metadata"]["final"], false);
    let again = combine(app.client(), "/syntheses", json!({ "aggregation": draft })).await;
    assert_eq!(again, draft);
    for format in ["llm", "html", "slack"] {
        let of_step = crate::scene::ask(&planner, &format!("?partial=true&format={format}")).await;
        let body = json!({ "aggregation": draft });
        let given = app.post(format!("/syntheses?format={format}")).json(&body).send().await;
        assert_eq!((given.status, given.text()), (200, of_step.text()), "{format}");
    }
}

#[tokio::test]
async fn synthesis_of_a_steps_result_says_the_same() {
    let app = TestApp::new().start().await;
    let planner = crate::scene::plan(&app, &["a", "b"], json!({})).await;
    crate::scene::bring(
        &planner,
        "a",
        "The pump of the plant needs oil every 30 days [1].",
        &["https://a.org/m"],
    )
    .await;
    planner.subagent("p", "b").say("partial", 1, "The valve is cleaned each April.").await;
    crate::scene::fail(&planner, "b", "no rows").await;
    let result = crate::scene::result(&planner).await;
    let again = combine(app.client(), "/syntheses", json!({ "aggregation": result })).await;
    for member in ["synthesis", "findings", "failures"] {
        assert_eq!(again[member], result[member], "{member}");
    }
}

#[tokio::test]
async fn both_or_neither_is_refused() {
    let app = TestApp::new().start().await;
    let aggregation = aggregate(app.client(), &results()).await;
    for body in
        [json!({"results": results(), "aggregation": aggregation}), json!({}), json!({"aggregation": 7})]
    {
        let problem = assert_problem(&app.post("/syntheses").json(&body).send().await, 422, "invalid_event");
        assert!(!problem["errors"].as_array().unwrap().is_empty(), "{problem}");
    }
}

#[tokio::test]
async fn options_of_a_synthesis_count() {
    let app = TestApp::new().start().await;
    let with = |options: Value| {
        combine(app.client(), "/syntheses", json!({"results": results(), "options": options}))
    };
    let plain = with(json!({})).await;
    let narrative = with(json!({"format": "narrative"})).await;
    assert!(
        text(&plain, "synthesis").starts_with("## ") && !text(&narrative, "synthesis").starts_with("## ")
    );
    let german = with(json!({"language": "de"})).await;
    assert!(text(&german, "synthesis").contains("## Quellen"), "{}", german["synthesis"]);
    let without = with(json!({"include_gaps": false})).await;
    assert!(text(&plain, "synthesis").contains("## Gaps"));
    assert!(!text(&without, "synthesis").contains("## Gaps"));
    assert!(plain["gaps"] != json!([]) && without["gaps"] == json!([]), "{}", without["gaps"]);
    let results = [
        task("a", "The limit is 5 MB.", &["https://a.org"]),
        task("b", "The limit is 9 MB.", &["https://b.org"]),
    ];
    let contradicted = async |options: Value| {
        let body = json!({"results": results, "options": options});
        combine(app.client(), "/syntheses", body).await["contradictions"].as_array().unwrap().len()
    };
    assert_eq!(contradicted(json!({})).await, 1);
    assert_eq!(contradicted(json!({"include_contradictions": false})).await, 0);
    // Nor does any form speak of one.
    for format in ["json", "llm", "html", "slack", "anthropic"] {
        let told = async |options: Value| {
            let body = json!({"results": results, "options": options});
            let answer = app.post(format!("/syntheses?format={format}")).json(&body).send().await;
            assert_eq!(answer.status, 200, "{}", answer.text());
            answer.text().to_lowercase().matches("contradicts").count()
        };
        assert_eq!(told(json!({"include_contradictions": false})).await, 0, "{format}");
        assert!(format == "anthropic" || told(json!({})).await > 0, "{format}");
    }
    let short = with(json!({"target_length": 5})).await;
    assert!(text(&short, "synthesis").len() < text(&plain, "synthesis").len());
    let wrong = json!({"results": [], "options": {"on_low_quality": "hide"}});
    assert_problem(&app.post("/syntheses").json(&wrong).send().await, 422, "invalid_event");
}

#[tokio::test]
async fn stream_of_a_synthesis_adds_up_to_its_last_event() {
    let app = TestApp::new().start().await;
    let sentence = |n: u32| {
        format!(
            "The größte pump number {n} of the plant in 東京 needs fresh oil every {} days, as building {n} says [1].",
            n + 2
        )
    };
    let content: Vec<String> = (1..=60).map(sentence).collect();
    let results = [task("a", &content.join("\n\n"), &["https://a.org/m"]), failed("b", "no rows")];
    let body = json!({"results": results, "options": {"target_length": 5_000}});
    let mut stream = app.post("/syntheses").json(&body).sse().await;
    let events = stream.rest().await;
    let (deltas, last) = events.split_at(events.len() - 2);
    assert!(deltas.len() > 2, "{} deltas", deltas.len());
    assert_eq!((last[0].name.as_str(), last[1].name.as_str()), ("synthesis", "end"));
    let mut text_so_far = String::new();
    for delta in deltas {
        assert_eq!(delta.name, "synthesis_delta");
        let delta = delta.json();
        assert_eq!(delta["path"], "synthesis");
        assert_eq!(delta["offset"].as_u64(), Some(text_so_far.len() as u64), "{delta}");
        text_so_far.push_str(text(&delta, "text"));
    }
    let whole = last[0].json();
    assert_eq!(text(&whole, "synthesis"), text_so_far);
    assert_eq!(whole, combine(app.client(), "/syntheses", body).await, "the same without a stream");
    assert_eq!(each(&whole["failures"], "task_id"), ["b"]);
}

#[tokio::test]
async fn stream_that_is_refused_is_a_problem() {
    let app = TestApp::new().start().await;
    let request = app.post("/syntheses").header("accept", "text/event-stream").json(&json!({}));
    assert_problem(&request.send().await, 422, "invalid_event");
}

#[tokio::test]
async fn what_an_aggregation_left_out_has_not_failed() {
    let app = TestApp::new().start().await;
    let one = json!([{"task_id": "t", "subagent": "a", "success": true, "relevance": 0.2,
        "content": "The pump of the plant needs oil every 30 days, and the valve each April."}]);
    for options in [json!({"min_relevance": 0.9}), json!({"max_result_tokens": 2})] {
        let body = json!({"results": one, "options": options});
        let aggregation = combine(app.client(), "/aggregations", body).await;
        let again = combine(app.client(), "/syntheses", json!({"aggregation": aggregation})).await;
        for member in ["status", "failures"] {
            assert_eq!(again[member], aggregation[member], "{options} {member}: {}", again["synthesis"]);
        }
        assert_eq!(again["metadata"]["filtered_results"], aggregation["metadata"]["filtered_results"]);
        assert_eq!(again["metadata"]["total_subagents"], 1);
    }
}

#[tokio::test]
async fn without_gaps_it_is_still_told_that_nothing_can_be_quoted() {
    let app = TestApp::new().start().await;
    let content = "| a | b |\n|---|---|\n| 1 | 2 |";
    let results = json!([{"task_id": "t", "subagent": "a", "success": true, "content": content}]);
    let body = json!({"query": "q", "results": results, "options": {"include_gaps": false}});
    let silent = combine(app.client(), "/syntheses", body).await;
    for told in [text(&silent, "synthesis"), text(&silent, "summary"), text(&silent["metadata"], "reason")] {
        assert!(told.contains("no answer to quote"), "{silent}");
    }
    assert_eq!((&silent["status"], &silent["gaps"]), (&json!("completed"), &json!([])));
    let gapped = combine(app.client(), "/syntheses", json!({"query": "q", "results": results})).await;
    assert!(!gapped.to_string().contains("no answer to quote"), "{gapped}");
}
