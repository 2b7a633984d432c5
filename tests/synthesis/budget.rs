//! What an answer may cost: bounds of the service and of a directive, for one request and over a session.

use serde_json::{Value, json};

use crate::drafts::{Draft, faithful};
use crate::harness::TestApp;
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{
    BOTH, assert_extracted, assert_written, bring_all, by_model, ended, patient, post_step, result, synthesis,
};

async fn answering() -> ModelServer {
    ModelServer::saying(|asked| Says::Text(faithful(asked))).await
}

/// A first draft with a swapped figure, which would have to go back.
async fn swapping() -> ModelServer {
    ModelServer::saying(|asked| Says::Text(Draft::faithful(asked).replacing("24 months", "42 months").text()))
        .await
}

async fn app_with(server: &ModelServer, bounds: &[(&str, &str)]) -> TestApp {
    let mut setup = patient(server, Protocol::OpenAi).env("SYNTHESIS__ATTEMPTS", 1);
    for (name, value) in bounds {
        setup = setup.env(&format!("SYNTHESIS__{name}"), value);
    }
    setup.start().await
}

#[track_caller]
fn assert_used_up(result: &Value, which: &str) {
    let reason = assert_extracted(result);
    assert!(reason.contains("budget") && reason.contains(which), "{reason}");
}

#[tokio::test]
async fn with_one_call_there_is_a_draft_and_no_repair() {
    let server = swapping().await;
    let app = app_with(&server, &[("REQUEST__CALLS", "1")]).await;
    let result = by_model(app.client()).await;
    assert_written(&result);
    assert_eq!(server.calls().len(), 1);
    let counts = &result["metadata"]["synthesis"];
    assert_eq!((&counts["repaired"], &counts["twins"]), (&json!(0), &json!(1)), "{counts}");
    // Each request has its own.
    assert_written(&by_model(app.client()).await);
    assert_eq!(server.calls().len(), 2);
}

#[tokio::test]
async fn with_too_few_tokens_or_too_little_money_nobody_is_asked() {
    for (bounds, which) in [
        (&[("REQUEST__TOKENS", "500")][..], "budget_tokens"),
        (&[("SESSION__TOKENS", "500")], "budget_tokens"),
        (&[("REQUEST__COST", "0.0001"), ("INPUT_PRICE", "10"), ("OUTPUT_PRICE", "30")], "budget_money"),
        (&[("SESSION__COST", "0.0001"), ("INPUT_PRICE", "10"), ("OUTPUT_PRICE", "30")], "budget_money"),
    ] {
        let server = answering().await;
        let app = app_with(&server, bounds).await;
        assert_used_up(&by_model(app.client()).await, which);
        assert_eq!(server.calls().len(), 0, "{bounds:?}");
    }
}

#[tokio::test]
async fn where_less_is_left_less_may_be_answered() {
    let server = answering().await;
    let app = app_with(&server, &[]).await;
    assert_written(&by_model(app.client()).await);
    let whole = &server.asked()[0];
    assert_eq!(whole.output_tokens_max(), 4_000, "as the prompt says");
    let server = answering().await;
    let app = app_with(&server, &[("REQUEST__TOKENS", "4000")]).await;
    assert_written(&by_model(app.client()).await);
    let less = server.asked()[0].output_tokens_max();
    assert!((256..3_500).contains(&less), "{less}");
}

#[tokio::test]
async fn a_directive_may_narrow_the_bounds_and_not_widen_them() {
    let server = answering().await;
    let app = app_with(&server, &[("REQUEST__TOKENS", "500")]).await;
    let wide = synthesis(app.client(), &json!({"mode": "llm", "budget": {"tokens": 1_000_000}})).await;
    assert_used_up(&wide, "budget_tokens");
    let app = app_with(&server, &[("INPUT_PRICE", "10"), ("OUTPUT_PRICE", "30")]).await;
    for (budget, which) in [
        (json!({"tokens": 500}), "budget_tokens"),
        (json!({"calls": 0}), "budget_calls"),
        (json!({"cost": 0.0001}), "budget_money"),
    ] {
        let planner = app.planner(which);
        post_step(&planner, "p", json!({ "budget": budget })).await.expect(201);
        bring_all(&planner, "p").await;
        ended(&planner, "p").await;
        assert_used_up(&result(&planner, "p").await, which);
    }
    assert_eq!(server.calls().len(), 0);
    let rich = synthesis(
        app.client(),
        &json!({"mode": "llm", "budget": {"tokens": 100_000, "calls": 5, "cost": 1.0}}),
    )
    .await;
    assert_written(&rich);
}

/// Answers of a session's steps, one after the other, until one is extracted; what each is.
async fn until_extracted(app: &TestApp, session: &str, most: usize) -> Vec<Value> {
    let planner = app.planner(session);
    let mut results = Vec::new();
    for number in 0..most {
        let step = format!("p{number}");
        post_step(&planner, &step, json!({})).await.expect(201);
        bring_all(&planner, &step).await;
        ended(&planner, &step).await;
        results.push(result(&planner, &step).await);
        if results.last().unwrap()["metadata"]["method"] == "extractive" {
            break;
        }
    }
    results
}

#[tokio::test]
async fn a_session_has_one_budget_for_all_of_its_steps() {
    // 1000 tokens in and 200 out cost 0.016.
    let prices = [("INPUT_PRICE", "10"), ("OUTPUT_PRICE", "30")];
    for (bound, which, written) in [
        (("SESSION__CALLS", "1"), "budget_calls", 1..=1),
        (("SESSION__CALLS", "2"), "budget_calls", 2..=2),
        (("SESSION__TOKENS", "6000"), "budget_tokens", 1..=4),
        (("SESSION__COST", "0.08"), "budget_money", 1..=4),
    ] {
        let server = answering().await;
        let app = app_with(&server, &[&prices[..], &[bound]].concat()).await;
        for session in ["s", "t"] {
            let before = server.calls().len();
            let results = until_extracted(&app, session, 6).await;
            let (last, first) = results.split_last().unwrap();
            first.iter().for_each(assert_written);
            assert_used_up(last, which);
            assert!(written.contains(&first.len()), "{bound:?}: {} were written", first.len());
            assert_eq!(server.calls().len() - before, first.len(), "each session has its own");
        }
    }
}

#[tokio::test]
async fn a_directive_that_gives_little_time_gets_its_answer_in_it() {
    let server = ModelServer::saying(|_| Says::Hang).await;
    let app = app_with(&server, &[]).await;
    let planner = app.planner("s");
    post_step(&planner, "p", json!({"budget": {"time_ms": 800}})).await.expect(201);
    bring_all(&planner, "p").await;
    let begun = std::time::Instant::now();
    ended(&planner, "p").await;
    assert!(begun.elapsed() < std::time::Duration::from_secs(15), "{:?}", begun.elapsed());
    assert!(!assert_extracted(&result(&planner, "p").await).is_empty());
}

/// What `/metrics` says of a series, by its beginning.
pub async fn figure(app: &TestApp, series: &str) -> f64 {
    let metrics = app.get("/metrics").send().await.text().to_owned();
    let line = metrics.lines().find(|line| line.starts_with(series)).unwrap_or_else(|| panic!("{metrics}"));
    line.rsplit_once(' ').unwrap().1.parse().unwrap()
}

#[tokio::test]
async fn a_call_that_is_given_up_is_counted_with_its_tokens() {
    let server = ModelServer::start().await;
    let app = app_with(&server, &[]).await;
    let planner = app.planner("s");
    post_step(&planner, "p", json!({"budget": {"time_ms": 5_000}})).await.expect(201);
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    let draft = Draft::faithful(&exchange.asked).text();
    exchange.begin().await;
    exchange.say(&draft[..draft.len() / 2]).await;
    ended(&planner, "p").await;
    exchange.gone().await;
    // Where the machine stands still as the time is over, the call's own timer may be first.
    let metrics = app.get("/metrics").send().await.text().to_owned();
    let calls: Vec<_> =
        metrics.lines().filter(|line| line.starts_with("tributary_model_calls_total{")).collect();
    let is_counted = |call: &&str| {
        (call.contains("\"given_up\"") || call.contains("\"deadline_exceeded\"")) && call.ends_with(" 1")
    };
    assert!(calls.len() == 1 && calls.iter().all(is_counted), "{calls:?}");
    assert!(figure(&app, "tributary_model_tokens_total{direction=\"output\"").await > 50.0);
    assert!(figure(&app, "tributary_model_tokens_total{direction=\"input\"").await > 500.0);
}

#[tokio::test]
async fn a_model_that_writes_more_than_it_may_is_ended() {
    for protocol in BOTH {
        let server = ModelServer::start().await;
        let app = patient(&server, protocol).env("SYNTHESIS__REQUEST__TOKENS", 3_000).start().await;
        let asked = app.client();
        let asking = tokio::spawn(async move { by_model(asked).await });
        let mut exchange = server.next().await;
        let most = exchange.asked.output_tokens_max();
        let draft = Draft::faithful(&exchange.asked).text();
        exchange.begin().await;
        exchange.say(&draft[..draft.len() - 2]).await;
        exchange.say(",{\"topic\":\"More\",\"content\":\"").await;
        for _ in 0..most * 2 {
            exchange.say("more and ").await;
        }
        exchange.gone().await;
        let result = asking.await.unwrap();
        assert_eq!(server.calls().len(), 1, "{}", result["metadata"]);
    }
}

#[tokio::test]
async fn two_answers_of_a_session_that_are_written_at_once_share_what_is_left() {
    let server = ModelServer::start().await;
    let app = app_with(&server, &[("SESSION__CALLS", "1")]).await;
    let planner = app.planner("s");
    for step in ["p", "q"] {
        post_step(&planner, step, json!({})).await.expect(201);
        bring_all(&planner, step).await;
    }
    // One is asked for and waits; of the other nobody may be asked, as long as that is so.
    let exchange = server.next().await;
    let (extracted, written) = tokio::select! {
        _ = ended(&planner, "p") => ("p", "q"),
        _ = ended(&planner, "q") => ("q", "p"),
    };
    assert_used_up(&result(&planner, extracted).await, "budget_calls");
    let said = faithful(&exchange.asked);
    exchange.answer(Says::Text(said)).await;
    ended(&planner, written).await;
    assert_written(&result(&planner, written).await);
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn an_answer_that_cant_be_read_isnt_kept_and_one_that_can_is() {
    let server = ModelServer::saying(|asked| {
        Says::Text(if asked.number == 0 { "Sorry?".to_owned() } else { faithful(asked) })
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600).start().await;
    assert!(assert_extracted(&by_model(app.client()).await).contains("can't be read"));
    for _ in 0..2 {
        assert_written(&by_model(app.client()).await);
    }
    assert_eq!(server.calls().len(), 2);
}
