//! What was asked and answered: by default not a word of it leaves the service, by opt-in spans carry it.

use serde_json::{Value, json};

use crate::scene::push_both;
use crate::scene::{Scene, directive, ended, post_traced};
use crate::story::five;
use crate::tree::{Tree, bytes};

/// Words that stand for what is nobody's business, each where it is planted.
pub const CANARIES: [&str; 15] = [
    "canaryquery",
    "canarytask",
    "canarygoal",
    "canaryinstructions",
    "canarydocument",
    "canarypayload",
    "canarymessage",
    "canarysecret",
    "canaryheader",
    "canaryurl",
    "canarybody",
    "canaryauthorization",
    "canarybaggage",
    "canaryreason",
    "canarycollector",
];

/// The words of [`CANARIES`] in a text.
pub fn canaries_in(text: &[u8]) -> Vec<&'static str> {
    let holds = |word: &&str| text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    CANARIES.into_iter().filter(holds).collect()
}

/// Settings with canaries in them.
pub fn planted(setup: crate::harness::Setup) -> crate::harness::Setup {
    let setup = setup.env("SECRETS__CRM", "canarysecret");
    setup.variable("OTEL_EXPORTER_OTLP_HEADERS", "authorization=canarycollector")
}

/// The story of five, full of canaries; then a step that is cancelled and one that safety ends.
pub async fn tell_canaries(scene: &Scene) {
    let planner = scene.app.planner("s");
    let mut outputs = five(scene);
    outputs[0] = scene.called("docs", "/documentation/json?fail=1&name=canaryurl");
    outputs[0]["task"] = json!("canarytask");
    outputs[0]["invoke"]["headers"] = json!({ "x-plain": "canaryheader", "x-key": "secret:crm" });
    outputs[0]["invoke"]["body"] = json!({ "query": "canarybody" });
    // Its answer repeats what it was asked.
    outputs[1] = scene.called("rows", "/row_selection/json?status_event=error");
    let mut directive = directive(&outputs);
    directive["query"] = json!("canaryquery");
    directive["goal"] = json!("canarygoal");
    directive["instructions"] = json!("canaryinstructions");
    directive["document_context"] = json!("canarydocument");
    directive["planner_context"] = json!({ "conversation_id": "conv-22", "note": "canarydocument" });
    let request = scene.app.post(planner.path("/steps")).json(&directive);
    let request = request.header("traceparent", crate::scene::traceparent("01"));
    let request =
        request.header("authorization", "Bearer canaryauthorization").header("cookie", "canaryauthorization");
    let request = request.header("baggage", "k=canarybaggage").header("tracestate", "vendor=place");
    request.send().await.expect(201);
    push_both(&planner, "canarypayload", "canarymessage").await;
    ended(&planner, "p").await;
    for (step, path, body) in [
        ("q", "/steps/q/cancel", json!({ "reason": "canaryreason" })),
        (
            "r",
            "/steps/r/safety",
            json!({ "decision": "refuse", "policy": "no-secrets", "reason": "canaryreason" }),
        ),
    ] {
        let other =
            json!({ "plan_step_id": step, "query": "canaryquery", "expected_subagents": [{ "key": "crm" }] });
        post_traced(scene.app.client(), &planner, &other, "01").await;
        let progress = json!({ "message": "canarymessage" });
        planner.tell(&format!("/steps/{step}/progress"), progress).await;
        planner.tell(path, body).await;
        ended(&planner, step).await;
    }
}

#[tokio::test]
async fn by_default_no_text_of_anybody_leaves_the_service() {
    let scene = Scene::with(|setup| planted(setup).variable("OTEL_METRIC_EXPORT_INTERVAL", 200)).await;
    tell_canaries(&scene).await;
    scene.told("r", |tree| tree.step("p").is_some() && tree.step("q").is_some()).await;
    let metrics = |received: &crate::otlp_receiver::Received| !received.metrics.is_empty();
    scene.collector.until("metrics", metrics).await;
    let received = scene.collector.received();
    assert!(received.requests.iter().all(|headers| headers["authorization"] == "canarycollector"));
    let sent = bytes(&received);
    assert!(sent.len() > 1_000);
    assert_eq!(canaries_in(&sent), [""; 0], "{:#?}", Tree::of(&received));
    // Digests stand for what isn't told.
    let tree = Tree::of(&received);
    let digest = |value: &Value| value.as_str().is_some_and(|text| text.len() == 32);
    assert!(digest(tree.one("invoke_agent docs").get("tributary.output.digest")));
    assert!(digest(tree.step("p").unwrap().get("tributary.input.digest")));
}

#[tokio::test]
async fn by_opt_in_spans_carry_what_was_asked_and_answered_and_no_secret() {
    let scene = Scene::with(|setup| planted(setup).env("TELEMETRY__CAPTURE_CONTENT", true)).await;
    tell_canaries(&scene).await;
    let tree = scene.told("r", |tree| tree.step("p").is_some()).await;
    let step = tree.step("p").unwrap();
    step.has(json!({ "input.value": "canaryquery", "langfuse.observation.input": "canaryquery",
        "tributary.input.digest": null }));
    let crm = tree.about("invoke_agent", "crm").into_iter().find(|span| span.parent == step.id).unwrap();
    let output = crm.get("output.value").as_str().unwrap();
    assert!(output.contains("canarypayload"), "{output}");
    crm.has(json!({ "langfuse.observation.output": output, "output.mime_type": "application/json",
        "tributary.output.digest": null }));
    tree.one("invoke_agent docs")
        .has(json!({ "input.value": "canarytask", "langfuse.observation.input": "canarytask" }));
    let answers: Vec<_> =
        tree.named("synthesize-results").into_iter().filter(|span| span.parent == step.id).collect();
    let answer = answers[0].get("output.value").as_str().unwrap();
    assert!(!answer.is_empty() && answers[0].get("langfuse.observation.output") == answer);
    // Neither is anybody's content.
    let told = canaries_in(&bytes(&scene.collector.received()));
    for word in ["canarysecret", "canaryheader", "canaryauthorization", "canarycollector", "canarybaggage"] {
        assert!(!told.contains(&word), "{word} in {tree:#?}");
    }
}
