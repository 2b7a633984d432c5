//! Subagents that are called as configuration says.

use serde_json::{Value, json};

use crate::harness::assert_problem;
use crate::hosts::{at, post};
use crate::scene::{Scene, about, calling, ended, simulator, statuses};

#[tokio::test]
async fn call_as_configured_needs_a_configuration() {
    let scene = Scene::new().await;
    let output = json!({"key": "documentation", "invoke": true});
    let problem = assert_problem(&post(&scene.app.planner("s"), output).await, 422, "invalid_event");
    assert_eq!(problem["errors"][0]["pointer"], "/expected_subagents/0/invoke");
}

#[tokio::test]
async fn configured_model_is_asked_what_the_directive_asks() {
    let agents = simulator().await;
    let setup = calling(agents.addr)
        .env("SUBAGENTS__LLM__URL", agents.url("/documentation/openai"))
        .env("SUBAGENTS__LLM__PROTOCOL", "openai")
        .env("SUBAGENTS__LLM__HEADERS__X_TEAM", "blue")
        .env("SUBAGENTS__LLM__BODY__MODEL", "m");
    let app = setup.start().await;
    let asked = |session: &'static str, output: Value| {
        let (app, agents) = (&app, &agents);
        async move {
            agents.reset();
            let planner = app.planner(session);
            let directive = json!({"plan_step_id": "p", "query": "How long is a quote valid?", "instructions": "Be brief.",
                "document_context": "Quotes: 30 days.", "expected_subagents": [output]});
            planner.post(&directive).await.expect(201);
            assert_eq!(statuses(&ended(&planner, "p").await, "llm").last().unwrap(), "success", "{session}");
            let asked = agents.calls().calls[0].asked.clone();
            assert_eq!(asked.headers["x_team"], "blue", "{session}: as configured");
            serde_json::from_str::<Value>(&asked.body).unwrap()
        }
    };
    let messages = |question: &str| {
        let question = format!("{question}\n\nQuotes: 30 days.");
        json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}])
    };
    let expected = json!({"model": "m", "messages": messages("How long is a quote valid?")});
    assert_eq!(asked("query", json!({"key": "llm"})).await, expected);
    let expected = json!({"model": "m", "messages": messages("Look it up.")});
    assert_eq!(asked("task", json!({"key": "llm", "task": "Look it up."})).await, expected);
    // With another body it is called as configured all the same.
    let own = json!({"model": "n", "stream": true, "messages": [{"role": "user", "content": "Own."}]});
    assert_eq!(asked("own", json!({"key": "llm", "invoke": {"body": own}})).await, own);
    let unknown = json!({"key": "voice", "invoke": {"body": own}});
    let problem = assert_problem(&post(&app.planner("s"), unknown).await, 422, "invalid_event");
    assert_eq!(problem["errors"][0]["pointer"], "/expected_subagents/0/invoke");
}

#[tokio::test]
async fn configured_subagent_is_called_unless_the_directive_says_otherwise() {
    let agents = simulator().await;
    let setup =
        calling(agents.addr).env("SUBAGENTS__DOCUMENTATION__URL", agents.url("/documentation/sse?chunks=2"));
    let app = setup.env("SUBAGENTS__DOCUMENTATION__PROTOCOL", "sse").start().await;
    let called = ["in_progress", "partial", "partial", "success"];
    for (session, output) in [
        ("unsaid", json!({"key": "documentation"})),
        ("asked", json!({"key": "documentation", "invoke": true})),
        ("elsewhere", at(agents.url("/documentation/json"))),
    ] {
        agents.reset();
        let planner = app.planner(session);
        post(&planner, output).await.expect(201);
        let events = ended(&planner, "p").await;
        let wanted = if session == "elsewhere" { &["in_progress", "success"][..] } else { &called };
        assert_eq!(statuses(&events, "documentation"), wanted, "{session}");
        assert_eq!(about(&events, "documentation")[0]["mode"], "invoke", "{session}");
        assert_eq!(agents.calls().total, 1, "{session}");
    }
    agents.reset();
    let planner = app.planner("pushes");
    post(&planner, json!({"key": "documentation", "invoke": false})).await.expect(201);
    planner.subagent("p", "documentation").succeed().await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "documentation"), ["success"]);
    assert_eq!(about(&events, "documentation")[0]["mode"], "push");
    let other = app.planner("another_key");
    post(&other, json!({"key": "voice"})).await.expect(201);
    other.subagent("p", "voice").succeed().await;
    assert_eq!(about(&ended(&other, "p").await, "voice")[0]["mode"], "push");
    assert_eq!(agents.calls().total, 0);
}
