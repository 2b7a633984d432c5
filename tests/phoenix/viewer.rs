//! Arize Phoenix, a viewer of language models' traces, started offline: what it shows of a plan of five subagents.
//!
//! It is large (requirements.txt), so it runs in `scripts/test --full` only, which installs it.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Client, Folder, eventually};
use crate::redis_server::free_port;
use crate::scene::{CALLER, TRACE, calling, directive, ended, five_of, post_traced, push_both, simulator};

/// It reads a few hundred Python files before it listens.
const PATIENCE: Duration = Duration::from_secs(90);

struct Phoenix {
    child: Child,
    client: Client,
    port: u16,
    _folder: Folder,
}

impl Phoenix {
    async fn start() -> Self {
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
        let program = target.join("phoenix/venv/bin/phoenix");
        assert!(program.exists(), "{} isn't installed: scripts/test --full does that", program.display());
        let (folder, port, grpc) = (Folder::new(), free_port(), free_port());
        let mut command = Command::new(program);
        command.arg("serve").env("PHOENIX_WORKING_DIR", &folder.0).env("PHOENIX_HOST", "127.0.0.1");
        command.env("PHOENIX_PORT", port.to_string()).env("PHOENIX_GRPC_PORT", grpc.to_string());
        command.env("PHOENIX_TELEMETRY_ENABLED", "false").env("PHOENIX_ALLOW_EXTERNAL_RESOURCES", "false");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let client = Client::new(([127, 0, 0, 1], port).into());
        let mut phoenix = Self { child: command.spawn().unwrap(), client, port, _folder: folder };
        let begun = Instant::now();
        let mut looks = tokio::time::interval(Duration::from_millis(100));
        while phoenix.client.get("/healthz").open().await.map_or(0, |answer| answer.status) != 200 {
            assert!(phoenix.child.try_wait().unwrap().is_none(), "Phoenix ended");
            assert!(begun.elapsed() < PATIENCE, "Phoenix isn't there after {PATIENCE:?}");
            looks.tick().await;
        }
        phoenix
    }

    /// The spans of the planner's trace, once those are there that are told last.
    async fn spans(&self) -> Vec<Value> {
        let path = format!("/v1/projects/default/spans?trace_id={TRACE}&limit=100");
        eventually("the trace in Phoenix", || async {
            let answer = self.client.get(&*path).send().await;
            let spans = answer.json()["data"].as_array().cloned().unwrap_or_default();
            let count = |wanted: &str| spans.iter().filter(|span| name(span) == wanted).count();
            let whole = count("plan_step") == 1 && count("stream") == 1 && count("aggregation.call") == 4;
            (answer.status == 200 && whole).then_some(spans)
        })
        .await
    }
}

impl Drop for Phoenix {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn name(span: &Value) -> &str {
    span["name"].as_str().unwrap()
}

fn one<'a>(spans: &'a [Value], wanted: &str) -> &'a Value {
    let found: Vec<_> = spans.iter().filter(|span| name(span) == wanted).collect();
    assert_eq!(found.len(), 1, "{wanted}: {spans:#?}");
    found[0]
}

#[tokio::test]
async fn phoenix_shows_five_subagents_and_their_answer_as_one_tree() {
    let (phoenix, agents) = (Phoenix::start().await, simulator().await);
    let app = calling(&agents)
        .variable(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            format!("http://127.0.0.1:{}/v1/traces", phoenix.port),
        )
        .variable("OTEL_BSP_SCHEDULE_DELAY", 100)
        .env("TELEMETRY__CAPTURE_CONTENT", true)
        .start()
        .await;
    let planner = app.planner("s");
    let mut directive = directive(&five_of(&agents));
    directive["planner_context"] = json!({ "conversation_id": "conv-22", "user_id": "user-42" });
    post_traced(app.client(), &planner, &directive, "01").await;
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    push_both(&planner, "a customer since 2019", "no more today").await;
    reader.until("end").await;
    drop(reader);
    ended(&planner, "p").await;
    let spans = phoenix.spans().await;

    let request = one(&spans, "POST /planner/sessions/{session_id}/steps");
    assert_eq!(request["parent_id"], CALLER);
    let step = one(&spans, "plan_step");
    assert_eq!(step["parent_id"], request["context"]["span_id"]);
    let mut kinds: Vec<_> = spans
        .iter()
        .filter(|span| span["parent_id"] == step["context"]["span_id"] && span["span_kind"] != "UNKNOWN")
        .map(|span| (name(span), span["span_kind"].as_str().unwrap()))
        .collect();
    kinds.sort_unstable();
    let agent = |name| (name, "AGENT");
    let outputs = ["crm", "docs", "notes", "rows", "slow"];
    let outputs = outputs.map(|key| format!("invoke_agent {key}"));
    let mut wanted: Vec<_> = outputs.iter().map(|name| agent(&**name)).collect();
    wanted.extend([("subagent.aggregation", "CHAIN"), ("synthesize-results", "CHAIN")]);
    assert_eq!(kinds, wanted);
    assert_eq!(step["span_kind"], "CHAIN");
    let docs = one(&spans, "invoke_agent docs");
    let below = |wanted: &str| {
        let of_docs = |span: &&Value| span["parent_id"] == docs["context"]["span_id"] && name(span) == wanted;
        spans.iter().filter(of_docs).count()
    };
    assert_eq!((below("aggregation.call"), below("aggregation.retry")), (2, 1));
    for (name, status) in [("docs", "OK"), ("rows", "ERROR"), ("slow", "ERROR"), ("notes", "ERROR")] {
        let span = one(&spans, &format!("invoke_agent {name}"));
        let is = span["status_code"].as_str().unwrap();
        assert_eq!(is == "ERROR", status == "ERROR", "{span}");
        assert_eq!(span["attributes"]["session.id"], "conv-22", "{span}");
        assert_eq!(span["attributes"]["user.id"], "user-42", "{span}");
    }
    assert_eq!(step["attributes"]["input.value"], "how do quotes convert?", "{step}");
    let crm = &one(&spans, "invoke_agent crm")["attributes"];
    assert!(crm["output.value"].as_str().unwrap().contains("a customer since 2019"), "{crm}");
}
