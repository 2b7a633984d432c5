//! Discrepancies are read: all, some, page by page, and summed up.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem};
use crate::scene::{OTHER_QUOTE, QUOTE, answer, discrepancies, ended};

fn sessions(page: &Value) -> Vec<&str> {
    let all = page["discrepancies"].as_array().unwrap();
    all.iter().map(|one| one["session_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn discrepancies_are_read_page_by_page_and_by_what_they_are() {
    let app = TestApp::new().start().await;
    let none = discrepancies(app.client(), "").await;
    let latency = json!({"ours_p50_ms": null, "legacy_p50_ms": null});
    let summary = json!({"comparisons": 0, "same": 0, "minor": 0, "different": 0, "by_kind": {},
        "agreement_average": null, "latency": latency});
    assert_eq!(none, json!({"discrepancies": [], "next": null, "summary": summary}));
    for (session, said) in [("a", OTHER_QUOTE), ("b", QUOTE), ("c", "The hotline is closed on Sundays.")] {
        let planner = ended(app.client(), session).await;
        answer(app.client(), &planner, said).await.expect(200);
    }
    let all = discrepancies(app.client(), "").await;
    assert_eq!(sessions(&all), ["c", "c", "a"], "newest first: {all}");
    let first = &all["discrepancies"][0];
    let expected = json!({"session_id": "c", "plan_step_id": "p", "kind": "missing", "ours": null,
        "legacy": "The hotline is closed on Sundays.", "detail": first["detail"], "at": first["at"]});
    assert_eq!(*first, expected);
    let summary = &all["summary"];
    assert_eq!(summary["by_kind"], json!({"missing": 1, "extra": 1, "different_numbers": 1}));
    assert_eq!([&summary["same"], &summary["minor"], &summary["different"]], [1, 0, 2], "{summary}");
    assert_eq!(summary["latency"]["legacy_p50_ms"], 4_000);
    let (mut query, mut read) = ("?limit=2".to_owned(), Vec::new());
    loop {
        let page = discrepancies(app.client(), &query).await;
        read.extend(page["discrepancies"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_u64() else { break };
        query = format!("?limit=2&after={next}");
    }
    assert_eq!(Value::from(read), all["discrepancies"]);
    for (query, expected) in [
        ("?session=a", &["a"] as &[&str]),
        ("?session=nobody", &[]),
        ("?kind=missing", &["c"]),
        ("?kind=different_numbers&session=c", &[]),
        ("?verdict=same", &[]),
        ("?verdict=different&kind=extra", &["c"]),
    ] {
        assert_eq!(sessions(&discrepancies(app.client(), query).await), expected, "{query}");
    }
    let same = discrepancies(app.client(), "?verdict=same").await;
    assert_eq!((&same["summary"]["comparisons"], &same["summary"]["same"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn questions_that_make_no_sense_are_refused() {
    let app = TestApp::new().start().await;
    for (query, code) in [
        ("limit=0", "limit_reached"),
        ("limit=1001", "limit_reached"),
        ("limit=x", "invalid_event"),
        ("after=-1", "invalid_event"),
        ("after=9223372036854775808", "limit_reached"),
        ("verdict=other", "invalid_event"),
        ("kind=other", "invalid_event"),
        ("session=a%20b", "invalid_id"),
        ("bogus=1", "unknown_field"),
        ("limit=5&Verdict=same", "unknown_field"),
    ] {
        let answer = app.get(format!("/shadow/discrepancies?{query}")).send().await;
        let problem = assert_problem(&answer, 422, code);
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            code != "unknown_field" || detail.contains("bogus") || detail.contains("Verdict"),
            "{detail}"
        );
    }
    discrepancies(app.client(), "?after=9223372036854775807").await;
}
