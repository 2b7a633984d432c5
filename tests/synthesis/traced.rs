//! The spans of what language models write, at a collector: each call with what it cost, whatever became of it.

use serde_json::{Value, json};

use crate::answers::sheet;
use crate::drafts::{Draft, faithful};
use crate::harness::{Setup, TestApp};
use crate::model_server::{ModelServer, Protocol, Says, wire::USAGE};
use crate::otlp_receiver::OtlpReceiver;
use crate::requests::tree as tree_of_tasks;
use crate::scene::{MODEL, body, bring_all, ended, patient, plan};
use crate::tree::{Told, Tree};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

fn traceparent() -> String {
    format!("00-{TRACE}-{CALLER}-01")
}

/// A service that tells `collector` soon.
fn telling(server: &ModelServer, collector: &OtlpReceiver) -> Setup {
    let setup = patient(server, Protocol::OpenAi).env("SYNTHESIS__INPUT_PRICE", 10);
    setup
        .variable("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint())
        .variable("OTEL_BSP_SCHEDULE_DELAY", 50)
}

async fn answering() -> ModelServer {
    ModelServer::saying(|asked| Says::Text(faithful(asked))).await
}

/// What a collector has once it has a span of that name.
async fn told(collector: &OtlpReceiver, name: &str) -> Tree {
    let received = collector.until(name, |received| !Tree::of(received).named(name).is_empty()).await;
    Tree::of(&received)
}

/// A figure of a span.
fn figure(span: &Told, name: &str) -> u64 {
    span.get(name).as_u64().unwrap_or_else(|| panic!("no {name} in {span:#?}"))
}

#[tokio::test]
async fn a_draft_says_who_was_asked_and_what_it_cost_and_its_server_is_told_its_place() {
    let (server, collector) = (answering().await, OtlpReceiver::start().await);
    let app = telling(&server, &collector).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    let tree = told(&collector, "plan_step").await;
    let (answer, draft) = (tree.one("synthesize-results"), tree.one("draft"));
    assert!(tree.names_below(answer).starts_with(&["draft", "verify"]), "{tree:#?}");
    assert_eq!((draft.kind, &draft.error), (3, &None));
    draft.has(json!({ "openinference.span.kind": "LLM", "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai",
        "gen_ai.request.model": MODEL, "gen_ai.response.model": "served", "llm.model_name": MODEL,
        "gen_ai.usage.input_tokens": USAGE.0, "gen_ai.usage.output_tokens": USAGE.1, "tributary.cached": false,
        "tributary.cost_micros": 10_000, "tributary.session_id": "s", "input.value": null, "output.value": null }));
    for digest in ["tributary.input.digest", "tributary.output.digest"] {
        assert!(draft.get(digest).as_str().is_some_and(|digest| digest.len() == 32), "{draft:#?}");
    }
    let parent = format!("00-{}-{}-01", draft.trace, draft.id);
    assert_eq!(server.asked()[0].headers["traceparent"], parent);
}

#[tokio::test]
async fn by_opt_in_a_draft_has_what_was_asked_and_answered() {
    let (server, collector) = (answering().await, OtlpReceiver::start().await);
    let app = telling(&server, &collector).env("TELEMETRY__CAPTURE_CONTENT", true).start().await;
    app.post("/syntheses").json(&body(&json!({"mode": "llm"}))).send().await.expect(200);
    let tree = told(&collector, "synthesize-results").await;
    let (draft, asked) = (tree.one("draft"), &server.asked()[0]);
    let input = format!("{}\n\n{}", asked.system(), asked.user());
    draft.has(
        json!({ "input.value": input, "langfuse.observation.input": input, "output.value": faithful(asked),
        "langfuse.observation.output": faithful(asked), "tributary.input.digest": null,
        "tributary.output.digest": null }),
    );
    assert!(tree.one("synthesize-results").get("output.value").as_str().unwrap().contains("24 months"));
}

/// A call that hadn't ended: what it had cost by then, and how it is told.
#[track_caller]
fn assert_unended(tree: &Tree, why: &str, level: &str) {
    let (answer, draft) = (tree.one("synthesize-results"), tree.one("draft"));
    assert_eq!(draft.parent, answer.id, "{tree:#?}");
    draft.has(json!({ "error.type": why, "langfuse.observation.level": level, "gen_ai.request.model": MODEL,
        "gen_ai.provider.name": "openai", "gen_ai.response.model": null }));
    assert!(figure(draft, "gen_ai.usage.input_tokens") > 500, "{draft:#?}");
    assert!(figure(draft, "tributary.cost_micros") > 5_000, "{draft:#?}");
    answer.has(json!({ "langfuse.observation.level": "WARNING" }));
    // The call is ended once that is stored.
    assert!(answer.start_us <= draft.start_us && answer.end_us > draft.start_us, "{tree:#?}");
}

async fn seconds_asked(app: &TestApp) -> f64 {
    crate::budget::figure(app, "tributary_model_duration_seconds_sum").await
}

#[tokio::test]
async fn a_draft_that_runs_out_of_time_is_a_span_and_takes_its_time() {
    let (server, collector) = (ModelServer::saying(|_| Says::Hang).await, OtlpReceiver::start().await);
    let app = telling(&server, &collector).start().await;
    let planner = plan(app.client(), "s", json!({"budget": {"time_ms": 800}})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    let tree = told(&collector, "plan_step").await;
    assert_unended(&tree, "deadline_exceeded", "ERROR");
    let draft = tree.one("draft");
    assert_eq!(draft.error.as_deref(), Some("deadline_exceeded"));
    let took = (draft.end_us - draft.start_us) as f64 / 1e6;
    let counted = seconds_asked(&app).await;
    assert!(took > 0.3 && counted > took * 0.9, "{took} s, counted {counted} s");
}

#[tokio::test]
async fn a_draft_that_is_cancelled_is_a_span_with_what_was_written_until_then() {
    for (number, path) in ["/steps/p/cancel", "/cancel", "/steps/p/safety"].into_iter().enumerate() {
        let (server, collector) = (ModelServer::start().await, OtlpReceiver::start().await);
        let app = telling(&server, &collector).start().await;
        let planner = plan(app.client(), &format!("s{number}"), json!({})).await;
        bring_all(&planner, "p").await;
        let mut exchange = server.next().await;
        let draft = Draft::faithful(&exchange.asked).text();
        exchange.begin().await;
        exchange.say(&draft[..draft.len() / 2]).await;
        let refusal = json!({"decision": "refuse", "policy": "p", "reason": "no", "terminate": true});
        planner.tell(path, if path.ends_with("safety") { refusal } else { json!({}) }).await;
        exchange.gone().await;
        ended(&planner, "p").await;
        let whole = |tree: &Tree| tree.step("p").is_some() && !tree.named("draft").is_empty();
        let received = collector.until("the step", |received| whole(&Tree::of(received))).await;
        let tree = Tree::of(&received);
        assert_unended(&tree, "given_up", "WARNING");
        let draft = tree.one("draft");
        assert_eq!(draft.error, None);
        assert!(seconds_asked(&app).await > 0.0);
    }
}

/// The spans of one request, and its answer.
async fn asked(path: &str, sent: &Value) -> (Value, Tree) {
    let (server, collector) = (
        ModelServer::saying(|asked| {
            // An answer out of a sheet is prose.
            let is_sheet = asked.material().iter().any(|line| line["entry"].is_u64());
            Says::Text(if is_sheet { format!("{} [1].", crate::answers::VALID) } else { faithful(asked) })
        })
        .await,
        OtlpReceiver::start().await,
    );
    let mut app = telling(&server, &collector).start().await;
    let request = app.post(path).json(sent).header("traceparent", traceparent());
    let answer = request.header("tracestate", "vendor=place").send().await.expect(200);
    app.signal("TERM");
    assert!(app.exited().await.success());
    let received = collector.received();
    assert!(received.all_spans().iter().all(|span| span.trace_state == "vendor=place"), "{received:?}");
    (answer, Tree::of(&received))
}

#[tokio::test]
async fn what_is_asked_without_a_plan_is_told_as_a_step_is() {
    let synthesis = body(&json!({"mode": "llm"}));
    let mut aggregation = synthesis.clone();
    aggregation.as_object_mut().unwrap().remove("options");
    for (path, sent, below) in [
        ("/syntheses", synthesis, &["subagent.aggregation", "synthesize-results"][..]),
        ("/answers", sheet(&json!({"mode": "llm"})), &["synthesize-results"]),
        ("/aggregations", aggregation.clone(), &["subagent.aggregation"]),
        ("/syntheses", aggregation, &["subagent.aggregation", "synthesize-results"]),
    ] {
        let by_model = sent["options"]["mode"] == "llm";
        let (answer, tree) = asked(path, &sent).await;
        tree.assert_whole(TRACE, CALLER);
        let request = tree.one(&format!("POST {path}"));
        assert_eq!(tree.names_below(request), below, "{path}");
        if path != "/answers" {
            assert_eq!(answer["metadata"]["trace_id"], TRACE, "{path}");
        }
        for told in tree.below(request) {
            told.has(json!({ "openinference.span.kind": "CHAIN", "tributary.tenant": "default" }));
        }
        for answer in tree.named("synthesize-results") {
            assert_eq!(!tree.names_below(answer).is_empty(), by_model, "{path}: {tree:#?}");
            let method = if by_model { "llm" } else { "extractive" };
            answer.has(json!({ "tributary.method": method, "error.type": null }));
        }
        if by_model {
            let draft = tree.one("draft");
            draft.has(json!({ "gen_ai.usage.input_tokens": USAGE.0, "tributary.cost_micros": 10_000,
                "tributary.tenant": "default" }));
        }
    }
}

#[tokio::test]
async fn each_written_node_of_a_tree_is_told() {
    let (answer, tree) = asked("/trees", &tree_of_tasks(&json!({"mode": "llm"}))).await;
    tree.assert_whole(TRACE, CALLER);
    let nodes = answer["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["result"]["metadata"]["trace_id"] == TRACE), "{answer}");
    for name in ["subagent.aggregation", "synthesize-results", "draft"] {
        assert_eq!(tree.named(name).len(), nodes.len(), "{name}: {tree:#?}");
    }
}

#[tokio::test]
async fn who_hangs_up_on_a_synthesis_leaves_its_spans() {
    let (server, collector) = (ModelServer::start().await, OtlpReceiver::start().await);
    let app = telling(&server, &collector).start().await;
    let waiting = tokio::spawn(app.post("/syntheses").json(&body(&json!({"mode": "llm"}))).open());
    let exchange = server.next().await;
    waiting.abort();
    exchange.gone().await;
    let tree = told(&collector, "POST /syntheses").await;
    tree.one("synthesize-results").has(json!({ "error.type": "given_up" }));
    assert_unended(&tree, "given_up", "WARNING");
}

#[tokio::test]
async fn a_trace_is_known_by_its_callers_header_where_nobody_wants_spans() {
    let server = answering().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let synthesis = |request: crate::harness::Request| request.json(&body(&json!({"mode": "llm"})));
    let request = synthesis(app.post("/syntheses"));
    let alone = request.clone().send().await.expect(200);
    assert_eq!(alone["metadata"]["trace_id"], Value::Null);
    let traced = request.header("traceparent", traceparent()).send().await.expect(200);
    assert_eq!(traced["metadata"]["trace_id"], TRACE);
    assert!(server.asked().iter().all(|asked| !asked.headers.contains_key("traceparent")));
}
