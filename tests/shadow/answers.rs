//! The monolith answers: before our step's end and after it, again, and wrongly.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem, eventually};
use crate::scene::{OTHER_QUOTE, QUOTE, answer, answering, discrepancies, end, ended, plan};

#[tokio::test]
async fn answer_after_the_end_is_compared_at_once_and_logged() {
    let app = TestApp::new().start().await;
    let planner = ended(app.client(), "s").await;
    let body = json!({
        "answer": "A quote is valid for 45 days. The hotline is closed on Sundays.",
        "sources": ["http://www.a.example/quotes?utm_source=x", {"url": "https://b.example", "title": "B"}],
        "latency_ms": 4_000.4, "status": "ok", "metadata": {"release": 7},
    });
    let answered = answering(app.client(), &planner, &body).send().await.expect(200);
    assert_eq!((&answered["session_id"], &answered["plan_step_id"]), (&json!("s"), &json!("p")));
    assert_eq!(answered["state"], "compared");
    let comparison = &answered["comparison"];
    let number = json!({
        "kind": "different_numbers",
        "ours": "A quote is valid for 30 days", "legacy": "A quote is valid for 45 days.",
        "detail": "Ours: “30 days”; the monolith's: “45 days”.",
    });
    assert_eq!(comparison["different_numbers"], json!([number]), "{comparison}");
    assert_eq!(comparison["missing"][0]["legacy"], "The hotline is closed on Sundays.");
    assert_eq!(comparison["citations"]["same"], json!(["https://a.example/quotes"]));
    assert_eq!(comparison["citations"]["missing"][0]["legacy"], "https://b.example/");
    assert_eq!(comparison["latency"]["legacy_ms"], 4_000);
    assert!(comparison["latency"]["ours_ms"].as_u64().unwrap() < 30_000, "{comparison}");
    assert_eq!((&comparison["verdict"], &comparison["legacy_status"]), (&json!("different"), &json!("ok")));
    assert_eq!(comparison["metadata"], json!({"release": 7}));
    let line: Value = serde_json::from_str(&app.logged("compared with the monolith's answer").await).unwrap();
    let text = line.to_string();
    for field in [r#""session":"s""#, r#""step":"p""#, r#""verdict":"different""#, r#""different_numbers":1"#]
    {
        assert!(text.contains(field), "{field}: {text}");
    }
    let events = planner.page("/events").await;
    assert!(!events.to_string().contains("hotline"), "it is no event");
}

#[tokio::test]
async fn answer_before_the_end_waits_for_it() {
    let app = TestApp::new().start().await;
    let planner = plan(app.client(), "s").await;
    let answered = answer(app.client(), &planner, QUOTE).await.expect(202);
    assert_eq!(answered, json!({"session_id": "s", "plan_step_id": "p", "state": "waiting"}));
    assert_eq!(discrepancies(app.client(), "").await["summary"]["comparisons"], 0);
    end(&planner).await;
    let page = eventually("the comparison", || async {
        let page = discrepancies(app.client(), "").await;
        (page["summary"]["comparisons"] == 1).then_some(page)
    })
    .await;
    assert_eq!(page["summary"]["same"], 1, "{page}");
}

#[tokio::test]
async fn answers_to_steps_that_go_on_keep_no_other_from_being_compared() {
    let app = TestApp::new().start().await;
    for number in 0..150 {
        let planner = plan(app.client(), &format!("open-{number}")).await;
        answer(app.client(), &planner, QUOTE).await.expect(202);
    }
    let planner = plan(app.client(), "s").await;
    answer(app.client(), &planner, QUOTE).await.expect(202);
    end(&planner).await;
    eventually("the comparison", || async {
        (discrepancies(app.client(), "").await["summary"]["comparisons"] == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_later_answer_takes_the_place_of_an_earlier_one() {
    let app = TestApp::new().start().await;
    let planner = ended(app.client(), "s").await;
    assert_eq!(
        answer(app.client(), &planner, OTHER_QUOTE).await.expect(200)["comparison"]["verdict"],
        "different"
    );
    assert_eq!(answer(app.client(), &planner, QUOTE).await.expect(200)["comparison"]["verdict"], "same");
    let page = discrepancies(app.client(), "").await;
    assert_eq!((&page["discrepancies"], &page["summary"]["comparisons"]), (&json!([]), &json!(1)));
    assert_eq!(page["summary"]["agreement_average"], 1.0);
}

#[tokio::test]
async fn repeated_answer_gets_the_first_one_and_another_under_its_key_is_refused() {
    let app = TestApp::new().start().await;
    let planner = plan(app.client(), "s").await;
    let send = async |said: &str| {
        let request = answering(app.client(), &planner, &json!({ "answer": said }));
        request.header("idempotency-key", "k").send().await
    };
    for _ in 0..2 {
        assert_eq!(send(OTHER_QUOTE).await.expect(202)["state"], "waiting");
    }
    assert_problem(&send(QUOTE).await, 422, "idempotency_conflict");
    end(&planner).await;
    let first = send(OTHER_QUOTE).await.expect(200);
    assert_eq!(first["comparison"]["verdict"], "different");
    assert_eq!(send(OTHER_QUOTE).await.expect(200), first);
    // A retry that comes after the next answer doesn't take its place.
    answer(app.client(), &planner, QUOTE).await.expect(200);
    assert_eq!(send(OTHER_QUOTE).await.expect(200), first);
    assert_eq!(discrepancies(app.client(), "").await["summary"]["same"], 1);
}

#[tokio::test]
async fn answers_that_make_no_sense_are_refused() {
    let app = TestApp::new().start().await;
    let nobody = app.planner("nobody");
    assert_problem(&answer(app.client(), &nobody, QUOTE).await, 404, "unknown_step");
    let planner = plan(app.client(), "s").await;
    for (body, status, code, pointers) in [
        ("{", 400, "invalid_json", &[""] as &[&str]),
        ("[]", 422, "invalid_event", &[""]),
        ("{}", 422, "invalid_event", &["/answer"]),
        (r#"{"answer":"a","x":1}"#, 422, "unknown_field", &["/x"]),
        (
            r#"{"answer":1,"latency_ms":-1,"sources":[{"url":2}]}"#,
            422,
            "invalid_event",
            &["/answer", "/sources/0/url", "/latency_ms"],
        ),
    ] {
        let request = app.post(planner.path("/steps/p/legacy-response")).body("application/json", body);
        let problem = assert_problem(&request.send().await, status, code);
        let found: Vec<&str> = problem["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| error["pointer"].as_str().unwrap())
            .collect();
        assert_eq!(found, pointers, "{body}");
    }
    let unknown =
        app.post(planner.path("/steps/q/legacy-response")).json(&json!({"answer": "a"})).send().await;
    assert_problem(&unknown, 404, "unknown_step");
    let text = app.post(planner.path("/steps/p/legacy-response")).body("text/plain", "a").send().await;
    assert_problem(&text, 415, "unsupported_media_type");
    let off = TestApp::new().env("ROLLOUT__AGGREGATOR_STREAMING", "false").start().await;
    assert_problem(&answer(off.client(), &off.planner("s"), QUOTE).await, 404, "feature_disabled");
}
