//! A collector, subagents that can be called, and a service that tells the one about the others.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tributary::simulate::Simulator;

use crate::harness::{Client, Planner, Setup, TestApp, eventually};
use crate::otlp_receiver::OtlpReceiver;
use crate::tree::{Told, Tree};

/// The trace of a planner that traces itself, and its span.
pub const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
pub const CALLER: &str = "00f067aa0ba902b7";

/// Where a subagent says that it stands itself.
pub const OWN_TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
pub const OWN_SPAN: &str = "b7ad6b7169203331";

/// The header of that planner, with these flags.
pub fn traceparent(flags: &str) -> String {
    format!("00-{TRACE}-{CALLER}-{flags}")
}

/// All of them, running.
pub struct Scene {
    pub collector: OtlpReceiver,
    pub agents: Simulator,
    pub app: TestApp,
}

/// Subagents on a free port.
pub async fn simulator() -> Simulator {
    Simulator::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap()
}

/// A service that may call `agents`, and is quick between attempts.
pub fn calling(agents: &Simulator) -> Setup {
    let setup = TestApp::new().env("INVOKE__ALLOWED_HOSTS", agents.addr).env("INVOKE__ALLOW_PRIVATE", true);
    setup.env("INVOKE__BACKOFF_BASE_MS", 20).env("INVOKE__BACKOFF_MOST_MS", 100)
}

/// The same, telling `collector` soon.
pub fn telling(agents: &Simulator, collector: &OtlpReceiver) -> Setup {
    let setup = calling(agents).variable("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
    setup.variable("OTEL_BSP_SCHEDULE_DELAY", 50)
}

impl Scene {
    pub async fn new() -> Self {
        Self::with(|setup| setup).await
    }

    /// With other settings.
    pub async fn with(change: impl FnOnce(Setup) -> Setup) -> Self {
        let (collector, agents) = (OtlpReceiver::start().await, simulator().await);
        let app = change(telling(&agents, &collector)).start().await;
        Self { collector, agents, app }
    }

    /// An output of `key` that is called at `path` of the simulator.
    pub fn called(&self, key: &str, path: &str) -> Value {
        called(&self.agents, key, path)
    }

    /// Waits until the collector has a step's span and `more`; what it has then.
    pub async fn told(&self, step: &str, more: impl Fn(&Tree) -> bool) -> Tree {
        told(&self.collector, step, more).await
    }

    /// Ends the service, so that nothing is on its way any more; what the collector has then.
    pub async fn stopped(mut self) -> Tree {
        self.app.signal("TERM");
        assert!(self.app.exited().await.success());
        Tree::of(&self.collector.received())
    }
}

/// Waits until a collector has a step's span and `more`.
pub async fn told(collector: &OtlpReceiver, step: &str, more: impl Fn(&Tree) -> bool) -> Tree {
    // The request that began it may be answered after its step has ended.
    let begun = |tree: &Tree, step: &Told| tree.0.iter().any(|span| span.id == step.parent);
    let whole = |tree: &Tree| tree.step(step).is_some_and(|step| begun(tree, step)) && more(tree);
    let received = collector.until(&format!("span of {step}"), |received| whole(&Tree::of(received))).await;
    Tree::of(&received)
}

/// An output of `key` that is called at `path` of `agents` (`/documentation/sse?fail=1`).
pub fn called(agents: &Simulator, key: &str, path: &str) -> Value {
    let protocol = path.split(['/', '?']).nth(2).unwrap();
    json!({ "key": key, "invoke": { "url": agents.url(path), "protocol": protocol } })
}

/// A directive for a step `p` with these outputs and a minute's time.
pub fn directive(expected: &[Value]) -> Value {
    json!({
        "plan_step_id": "p", "query": "how do quotes convert?", "deadline_ms": 60_000, "expected_subagents": expected,
    })
}

/// Posts a directive as a planner that traces itself; it must be taken.
pub async fn post_traced(client: Client, planner: &Planner, directive: &Value, flags: &str) -> Value {
    let request =
        client.post(planner.path("/steps")).json(directive).header("traceparent", traceparent(flags));
    request.send().await.expect(201)
}

/// The events of a step once it has ended.
pub async fn ended(planner: &Planner, step: &str) -> Vec<Value> {
    eventually(format!("the end of {step}"), || async {
        let page = planner.page(&format!("/steps/{step}/events?limit=5000")).await;
        (page["closed"] == true).then(|| page["events"].as_array().unwrap().clone())
    })
    .await
}

/// Five outputs: called and tried again, called and refused, called and silent, pushed with a context of its own, pushed and
/// failing.
pub fn five_of(agents: &Simulator) -> Vec<Value> {
    let mut silent = called(agents, "slow", "/documentation/json?hang=head");
    silent["deadline_ms"] = json!(3_000);
    vec![
        called(agents, "docs", "/documentation/json?fail=1"),
        called(agents, "rows", "/row_selection/json?status=404"),
        silent,
        json!({ "key": "crm" }),
        json!({ "key": "notes", "result_key": "meeting_notes", "task": "what was said", "max_attempts": 2 }),
    ]
}

/// The events of the two that push.
pub async fn push_both(planner: &Planner, payload: &str, message: &str) {
    let telemetry = json!({ "trace_id": OWN_TRACE, "span_id": OWN_SPAN });
    let crm = planner.subagent("p", "crm");
    crm.post(&json!({ "status": "in_progress", "revision": 1 })).await.expect(200);
    let done = json!({ "status": "success", "revision": 2, "telemetry": telemetry,
        "payload": { "content": payload, "sources": [] } });
    crm.post(&done).await.expect(200);
    let failed =
        json!({ "status": "error", "revision": 1, "error": { "code": "quota", "message": message } });
    planner.subagent("p", "notes").post(&failed).await.expect(200);
}
