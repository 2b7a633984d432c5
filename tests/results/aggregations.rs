//! `POST /aggregations`: results that come with the request.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem};
use crate::scene::{aggregate, each, failed, task, text};

fn five() -> Vec<Value> {
    vec![
        task(
            "a",
            "The standard warranty covers every pump for 24 months [1].",
            &["https://a.org/w", "https://www.c.org/x/"],
        ),
        task(
            "b",
            "The standard warranty covers every pump for 36 months [2].",
            &["https://b.org/w", "https://b.org/x"],
        ),
        task(
            "c",
            "The standard warranty covers every pump for 24 months [1].",
            &["https://c.org/x?utm_source=y"],
        ),
        task("d", "The valve behind the boiler is cleaned each April [1].", &["https://a.org/w#valve"]),
        failed("e", "no rows"),
    ]
}

#[tokio::test]
async fn shuffled_results_give_the_same_bytes() {
    let app = TestApp::new().start().await;
    let tasks = five();
    let shuffled = async |order: [usize; 5], format: &str| {
        let results: Vec<&Value> = order.iter().map(|&at| &tasks[at]).collect();
        let body = json!({"query": "How long does the warranty cover a pump?", "results": results});
        let answer = app.post(format!("/aggregations?format={format}")).json(&body).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().to_owned()
    };
    let orders = [[4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 1, 0, 4, 2], [1, 4, 3, 2, 0], [2, 4, 1, 3, 0]];
    for format in ["json", "llm", "html", "slack", "anthropic"] {
        let first = shuffled([0, 1, 2, 3, 4], format).await;
        for order in orders {
            assert_eq!(shuffled(order, format).await, first, "{format} of {order:?}");
        }
    }
}

/// Eight threads combine the same tasks at once, each in another order.
#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn many_at_once_give_the_same_bytes() {
    let app = TestApp::new().start().await;
    let question = "How long does the warranty cover a pump?";
    let one = async |turn: usize| {
        let mut tasks = five();
        tasks.rotate_left(turn % 5);
        let body = json!({"query": question, "results": tasks});
        let answer = app.post("/aggregations").json(&body).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().to_owned()
    };
    let first = one(0).await;
    let all = futures::future::join_all((0..64).map(one)).await;
    assert!(all.iter().all(|answer| *answer == first), "an answer differs");
}

#[tokio::test]
async fn sources_of_an_item_may_be_of_either_kind() {
    let app = TestApp::new().start().await;
    let sources = json!(["https://a.org/one", {"url": "https://b.org/two", "title": "Two", "type": "document", "quality": "MEDIUM", "more": [1]}]);
    let content = "The pump of the plant needs oil every 30 days [1]. The valve is cleaned each April [2].";
    let item = json!({"task_id": "a", "task": "Find it", "subagent": "docs", "success": true, "content": content, "sources": sources});
    let result = aggregate(app.client(), &[item]).await;
    assert_eq!(each(&result["sources"], "url"), ["https://a.org/one", "https://b.org/two"]);
    assert_eq!(
        (&result["sources"][1]["title"], &result["sources"][1]["quality"]),
        (&json!("Two"), &json!("MEDIUM"))
    );
    assert_eq!(result["results"][0]["task"], "Find it");
    assert_eq!((result.get("session_id"), result.get("plan_step_id")), (None, None));
}

#[tokio::test]
async fn result_that_names_few_sources_and_cites_nowhere_rests_on_them() {
    let app = TestApp::new().start().await;
    let one = task("a", "The price is 10 euros.", &["https://a.org/p"]);
    let two = task("b", "The price is 12 euros.", &["https://b.org/p"]);
    let result = aggregate(app.client(), &[one, two]).await;
    let cited: Vec<_> =
        result["findings"].as_array().unwrap().iter().map(|found| found["sources"].clone()).collect();
    assert_eq!(cited, [json!([1]), json!([2])], "{result}");
    assert!(result["sources"].as_array().unwrap().iter().all(|source| source["used"] == true), "{result}");
    let contradiction = &result["contradictions"][0];
    assert_eq!((&contradiction["kind"], &contradiction["sources"]), (&json!("number"), &json!([1, 2])));
    // Of two sources both are named, and that it isn't known which says it; not where another sentence cites the only one.
    let several = task("a", "The valve is cleaned each April.", &["https://a.org/p", "https://b.org/p"]);
    let cites = task("b", "The pump is checked in May [1]. It was painted green.", &["https://c.org/p"]);
    let result = aggregate(app.client(), &[several, cites]).await;
    let found = |text: &str| {
        let found = result["findings"].as_array().unwrap().iter().find(|found| found["content"] == text);
        found.unwrap_or_else(|| panic!("{text}: {result}"))
    };
    assert_eq!(found("It was painted green.")["sources"], json!([]), "{result}");
    let together = found("The valve is cleaned each April.");
    assert_eq!(together["sources"].as_array().unwrap().len(), 2, "{together}");
    assert_eq!(together["confidence"], "medium", "{together}");
    assert!(text(together, "verify").contains("which of its 2 sources"), "{together}");
}

async fn refused(app: &TestApp, path: &str, body: &Value, code: &str) -> Vec<(Option<u64>, String)> {
    let problem = assert_problem(&app.post(path).json(body).send().await, 422, code);
    let errors = problem["errors"].as_array().unwrap_or_else(|| panic!("no `errors`: {problem}"));
    errors.iter().map(|error| (error["index"].as_u64(), text(error, "pointer").to_owned())).collect()
}

#[tokio::test]
async fn problem_names_every_bad_item_and_its_place() {
    let app = TestApp::new().start().await;
    let good = task("a", "x", &[]);
    let items = json!([good, {"subagent": "b", "success": "yes"}, 7, {"task_id": "d", "subagent": " ", "success": true, "sources": "none"}]);
    let mut found = refused(&app, "/aggregations", &json!({ "results": items }), "invalid_event").await;
    found.sort();
    let expected = [
        (1, "/results/1/success"),
        (1, "/results/1/task_id"),
        (2, "/results/2"),
        (3, "/results/3/sources"),
        (3, "/results/3/subagent"),
    ];
    let expected: Vec<_> =
        expected.iter().map(|(index, pointer)| (Some(*index), pointer.to_string())).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn task_that_is_there_twice_is_refused_with_its_place() {
    let app = TestApp::new().start().await;
    let body = json!({"results": [task("a", "x", &[]), task("b", "x", &[]), task("a", "y", &[])]});
    for path in ["/aggregations", "/syntheses"] {
        let found = refused(&app, path, &body, "invalid_event").await;
        assert_eq!(found, [(Some(2), "/results/2/task_id".to_owned())]);
    }
}

#[tokio::test]
async fn field_that_nobody_knows_is_refused_wherever_it_stands() {
    let app = TestApp::new().start().await;
    let item = |more: Value| {
        let mut item = task("b", "x", &[]);
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    for (body, place) in [
        (json!({"results": [item(json!({}))], "colour": 1}), (None, "/colour")),
        (
            json!({"results": [task("a", "x", &[]), item(json!({"colour": 1}))]}),
            (Some(1), "/results/1/colour"),
        ),
        (json!({"results": [], "options": {"colour": 1}}), (None, "/options/colour")),
        (json!({"results": [], "options": {"min_quality": 1}}), (None, "/options/min_quality")),
    ] {
        let found = refused(&app, "/aggregations", &body, "unknown_field").await;
        assert_eq!(found, [(place.0, place.1.to_owned())], "{body}");
    }
}

#[tokio::test]
async fn body_that_makes_no_sense_is_refused_with_its_place() {
    let app = TestApp::new().start().await;
    let many: Vec<Value> = (0..1_001).map(|n| task(&format!("t{n}"), "x", &[])).collect();
    for (body, code, pointer) in [
        (json!({}), "invalid_event", "/results"),
        (json!({"results": {}}), "invalid_event", "/results"),
        (json!({"results": [], "query": 7}), "invalid_event", "/query"),
        (json!({"results": [], "options": {"min_relevance": 2}}), "invalid_event", "/options/min_relevance"),
        (json!({"results": [], "options": {"max_results": -1}}), "invalid_event", "/options/max_results"),
        (json!({"results": [], "options": []}), "invalid_event", "/options"),
        (json!({"results": many}), "limit_reached", "/results"),
    ] {
        assert_eq!(refused(&app, "/aggregations", &body, code).await, [(None, pointer.to_owned())]);
    }
    let send = |text: &'static str, kind: &'static str| app.post("/aggregations").body(kind, text).send();
    assert_problem(&send("{\"results\":[", "application/json").await, 400, "invalid_json");
    assert_problem(&send("{\"results\":[],\"results\":[]}", "application/json").await, 400, "invalid_json");
    assert_problem(&send("{\"results\":[]}", "text/plain").await, 415, "unsupported_media_type");
}

#[tokio::test]
async fn one_odd_item_does_not_spoil_the_others() {
    let app = TestApp::new().start().await;
    let odd = |id: &str, relevance: Value| {
        let mut item =
            task(id, &format!("The pump number {} of the plant needs oil every week.", id.len()), &[]);
        item["relevance"] = relevance;
        item
    };
    let items = [
        odd("nan", json!("NaN")),
        odd("infinite", json!("-Infinity")),
        odd("much", json!(7.5)),
        odd("less", json!(-3)),
        odd("good", json!(0.25)),
        odd("nil", Value::Null),
    ];
    let body = json!({"results": items, "options": {"deduplicate": false}});
    let result = app.post("/aggregations").json(&body).send().await.expect(200);
    let results = result["results"].as_array().unwrap();
    assert_eq!((results.len(), &result["failures"]), (items.len(), &json!([])));
    for (id, expected) in
        [("nan", 0.5), ("infinite", 0.5), ("much", 1.0), ("less", 0.0), ("good", 0.25), ("nil", 0.5)]
    {
        let found = results.iter().find(|result| result["task_id"] == id).unwrap();
        assert_eq!(found["relevance_detail"]["reported"], expected, "{id}");
    }
}

#[tokio::test]
async fn nothing_at_all_is_a_result_that_says_so() {
    let app = TestApp::new().start().await;
    let result = aggregate(app.client(), &[]).await;
    assert!(text(&result, "synthesis").contains("no answer"), "{result}");
    assert_eq!((&result["results"], &result["confidence"]), (&json!([]), &json!(0)));
    assert_eq!(result["metadata"]["total_subagents"], 0);
    let quality = &result["quality"];
    for name in ["citation_rate", "citation_precision", "coverage", "coherence", "redundancy"] {
        assert_eq!(quality[name], 0.0, "{name} of nothing: {quality}");
    }
    assert_eq!((&quality["overall"], &quality["verified"]), (&json!(0.0), &json!(false)));
}

#[tokio::test]
async fn answer_comes_in_every_form() {
    let app = TestApp::new().start().await;
    for (format, expected) in [
        ("json", "application/json"),
        ("llm", "text/markdown"),
        ("html", "text/html"),
        ("slack", "application/json"),
        ("anthropic", "application/json"),
    ] {
        let request = app.post(format!("/aggregations?format={format}")).json(&json!({"results": five()}));
        let answer = request.send().await;
        assert!(answer.header("content-type").unwrap().starts_with(expected), "{format}");
        assert!(answer.text().contains("24 months"), "{format}: {}", answer.text());
        assert_eq!(
            answer.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")),
            format == "html"
        );
    }
}

#[tokio::test]
async fn short_sentences_are_quoted_too() {
    let app = TestApp::new().start().await;
    let content = "Pumps need oil [1]. Valves need care [2].";
    let result =
        aggregate(app.client(), &[task("a", content, &["https://a.org/x", "https://b.org/y"])]).await;
    assert_eq!(result["status"], "completed");
    for said in ["Pumps need oil", "Valves need care"] {
        assert!(text(&result, "synthesis").contains(said), "{said}: {result}");
    }
    assert_eq!(result["sources"][0]["used"], true, "{}", result["sources"]);
    let coverage = result["quality"]["per_result_coverage"]["a"].as_f64().unwrap();
    assert!(coverage.is_sign_positive(), "{}", result["quality"]);
}

/// The same item below two headings says something of each.
#[tokio::test]
async fn what_is_said_of_two_is_not_repeated() {
    let app = TestApp::new().start().await;
    let items = "- Sales of cars rose by 12%.\n- Margins on cars were stable.\n";
    let content = format!("## 2023\n\n{items}\n## 2024\n\n{items}");
    let result = aggregate(app.client(), &[task("a", &content, &[])]).await;
    let codes = each(&result["quality"]["issues"], "code");
    assert_eq!(result["findings"].as_array().unwrap().len(), 4, "{result}");
    assert!(!codes.contains(&"repeated"), "{result}");
}
