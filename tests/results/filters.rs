//! What isn't delivered: too little quality, too little relevance, too many.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{ask, bring, combine, each, plan, result, text};

fn relevant(id: &str, relevance: f64, content: &str) -> Value {
    let source = format!("https://{id}.org/page");
    json!({"task_id": id, "subagent": id, "success": true, "content": content, "sources": [source], "relevance": relevance})
}

fn three() -> Value {
    json!([
        relevant("low", 0.1, "The canteen of the plant opens at noon on every weekday [1]."),
        relevant("high", 0.9, "The pump of the plant needs oil every 30 days [1]."),
        relevant("middle", 0.6, "The valve behind the boiler is cleaned each April [1]."),
    ])
}

async fn with(app: &TestApp, options: Value) -> Value {
    combine(app.client(), "/aggregations", json!({"results": three(), "options": options})).await
}

#[tokio::test]
async fn results_come_by_relevance_and_both_parts_of_it_are_shown() {
    let app = TestApp::new().start().await;
    let body = json!({"query": "When is the boiler's valve cleaned?", "results": three()});
    let result = combine(app.client(), "/aggregations", body).await;
    assert_eq!(each(&result["results"], "task_id")[0], "middle", "{}", result["results"]);
    let relevances: Vec<f64> = result["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["relevance"].as_f64().unwrap())
        .collect();
    assert!(relevances.is_sorted_by(|a, b| a >= b), "{relevances:?}");
    let detail = &result["results"][0]["relevance_detail"];
    assert_eq!(detail["reported"], 0.6);
    let others = result["results"].as_array().unwrap()[1..].iter();
    let best = others.map(|result| result["relevance_detail"]["bm25"].as_f64().unwrap()).fold(0.0, f64::max);
    assert!(detail["bm25"].as_f64().unwrap() > best, "{}", result["results"]);
    let average = relevances.iter().sum::<f64>() / 3.0;
    assert!((result["metadata"]["average_relevance"].as_f64().unwrap() - average).abs() < 0.001);
}

#[tokio::test]
async fn what_is_too_irrelevant_is_left_out_with_its_sources() {
    let app = TestApp::new().start().await;
    let result = with(&app, json!({"min_relevance": 0.5})).await;
    assert_eq!(each(&result["results"], "task_id"), ["high", "middle"]);
    assert_eq!(result["metadata"]["filtered_results"], 1);
    assert_eq!(result["metadata"]["total_input_results"], 3);
    assert!(!result.to_string().contains("low.org"), "its source isn't shown as cited: {result}");
    assert!(!text(&result, "synthesis").contains("canteen"));
    let all = with(&app, json!({"min_relevance": 0})).await;
    assert!(all.to_string().contains("low.org"), "{all}");
}

#[tokio::test]
async fn result_that_speaks_of_all_that_was_asked_is_fully_relevant() {
    let app = TestApp::new().start().await;
    let one = json!([relevant("a", 1.0, "The limit per order is 5.")]);
    for query in [json!("What is the limit per order?"), json!(null)] {
        let body = json!({"query": query, "results": one, "options": {"min_relevance": 1}});
        let result = combine(app.client(), "/aggregations", body).await;
        assert_eq!(each(&result["results"], "task_id"), ["a"], "{result}");
    }
    let body = json!({"query": "Who built the bridge?", "results": one, "options": {"min_relevance": 0.6}});
    let other = combine(app.client(), "/aggregations", body).await;
    assert_eq!(other["metadata"]["filtered_results"], 1, "{other}");
}

#[tokio::test]
async fn more_than_are_wanted_are_left_out_with_their_sources() {
    let app = TestApp::new().start().await;
    let result = with(&app, json!({"max_results": 1})).await;
    assert_eq!(each(&result["results"], "task_id"), ["high"], "the most relevant one stays");
    assert_eq!(result["metadata"]["filtered_results"], 2);
    assert_eq!(each(&result["sources"], "url"), ["https://high.org/page"]);
    assert_eq!(result["metadata"]["total_sources"], 1);
}

#[tokio::test]
async fn synthesis_of_too_little_quality_is_withheld_and_says_so() {
    let app = TestApp::new().start().await;
    let synthesis = json!({"min_quality": 1, "on_low_quality": "block"});
    let planner =
        plan(&app, &["a", "b"], json!({"query": "What does the canteen cost?", "synthesis": synthesis}))
            .await;
    bring(&planner, "a", "The pump of the plant needs oil every 30 days [1].", &["https://a.org/m"]).await;
    bring(&planner, "b", "The valve behind the boiler is cleaned each April.", &[]).await;
    let result = result(&planner).await;
    assert_eq!((text(&result, "synthesis"), text(&result, "summary")), ("", ""));
    assert_eq!(result["quality"]["gate"], "block");
    let reason = text(&result["metadata"], "reason");
    assert!(reason.contains("withheld"), "{reason}");
    assert_eq!(each(&result["results"], "task_id").len(), 2, "the results themselves are there");
    let page = planner.page("/steps/p/events?type=synthesis").await;
    let told = &page["events"][0]["content"];
    assert_eq!((&told["summary"], &told["quality"]["gate"]), (&json!(""), &json!("block")));
    for format in ["llm", "html", "slack"] {
        assert_eq!(ask(&planner, &format!("?format={format}")).await.status, 200, "{format}");
    }
}

#[tokio::test]
async fn synthesis_of_too_little_quality_is_delivered_with_a_warning_by_default() {
    let app = TestApp::new().start().await;
    for (min_quality, gate) in [(json!(1), "warn"), (json!(0), "pass")] {
        let body = json!({"query": "What does the canteen cost?", "results": three(), "options": {"min_quality": min_quality}});
        let result = combine(app.client(), "/syntheses", body).await;
        assert_eq!(result["quality"]["gate"], gate, "{}", result["quality"]);
        assert!(!text(&result, "synthesis").is_empty());
    }
    let body = json!({"results": three(), "options": {"min_quality": 1, "on_low_quality": "block"}});
    let blocked = combine(app.client(), "/syntheses", body).await;
    assert_eq!((&blocked["quality"]["gate"], &blocked["synthesis"]), (&json!("block"), &json!("")));
}

#[tokio::test]
async fn measures_are_shares_and_say_what_is_wanting() {
    let app = TestApp::new().start().await;
    let result = with(&app, json!({})).await;
    let quality = result["quality"].as_object().unwrap();
    for (name, value) in quality {
        let Some(number) = value.as_f64() else { continue };
        assert!((0.0..=1.0).contains(&number) && number.is_sign_positive(), "{name} is {value}");
    }
    let per_result = quality["per_result_coverage"].as_object().unwrap();
    assert_eq!(per_result.keys().collect::<Vec<_>>(), ["high", "low", "middle"]);
    for issue in quality["issues"].as_array().unwrap() {
        assert!(!text(issue, "code").is_empty() && !text(issue, "detail").is_empty());
    }
}

#[tokio::test]
async fn where_all_is_left_out_it_is_told_why() {
    let app = TestApp::new().start().await;
    let none = with(&app, json!({"min_relevance": 1})).await;
    assert_eq!(each(&none["results"], "task_id"), Vec::<&str>::new());
    assert!(text(&none, "synthesis").contains("all 3 results were left out"), "{}", none["synthesis"]);
    let average = none["metadata"]["average_relevance"].as_f64().unwrap();
    assert!(average == 0.0 && average.is_sign_positive(), "{average}");
}

#[tokio::test]
async fn synthesis_of_what_was_chosen_chooses_nothing_again() {
    let app = TestApp::new().start().await;
    let results: Vec<Value> = (0..30)
        .map(|at| {
            relevant(
                &format!("t{at}"),
                0.4 + f64::from(at) / 100.0,
                &format!("Plant number {at} was built in the north in {} [1].", 1950 + at),
            )
        })
        .collect();
    let body = json!({"query": "When was plant number 7 built?", "results": results, "options": {"max_results": 30}});
    let aggregation = combine(app.client(), "/aggregations", body).await;
    let again = json!({"query": "When was plant number 7 built?", "aggregation": aggregation});
    let again = combine(app.client(), "/syntheses", again).await;
    assert_eq!(again["metadata"]["filtered_results"], 0, "{}", again["metadata"]);
    let relevance = |result: &Value| -> Vec<Value> {
        result["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| json!([one["task_id"], one["relevance"]]))
            .collect()
    };
    assert_eq!(relevance(&again), relevance(&aggregation));
}
