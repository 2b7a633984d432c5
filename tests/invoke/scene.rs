//! What these tests say all the time: a service that may call the simulator, an output that is called there, and what came
//! of it.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::{Value, json};
use tributary::simulate::Simulator;

use crate::harness::{Planner, Setup, TestApp, eventually};

/// A simulator and a service that may call it.
pub struct Scene {
    pub agents: Simulator,
    pub app: TestApp,
}

/// A simulator on a free port.
pub async fn simulator() -> Simulator {
    Simulator::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap()
}

/// A service that may call `host`, fast in what it waits for between attempts.
pub fn calling(host: impl std::fmt::Display) -> Setup {
    let setup = TestApp::new().env("INVOKE__ALLOWED_HOSTS", host).env("INVOKE__ALLOW_PRIVATE", true);
    setup.env("INVOKE__BACKOFF_BASE_MS", 20).env("INVOKE__BACKOFF_MOST_MS", 100)
}

impl Scene {
    pub async fn new() -> Self {
        Self::with(|setup| setup).await
    }

    /// With other settings.
    pub async fn with(change: impl FnOnce(Setup) -> Setup) -> Self {
        let agents = simulator().await;
        let app = change(calling(agents.addr)).start().await;
        Self { agents, app }
    }

    /// An output of `key` that is called at `path` of the simulator (`/documentation/sse?fail=1`).
    pub fn called(&self, key: &str, path: &str) -> Value {
        let protocol = path.split(['/', '?']).nth(2).unwrap();
        let mut invoke = json!({ "url": self.agents.url(path), "protocol": protocol });
        if matches!(protocol, "openai" | "anthropic") {
            let messages = json!([{ "role": "user", "content": "how do quotes convert?" }]);
            invoke["body"] = json!({ "model": "m", "stream": true, "max_tokens": 100, "messages": messages });
        }
        json!({ "key": key, "invoke": invoke })
    }

    /// A session `s` with one step `p` that expects these; a minute's time.
    pub async fn plan(&self, expected: &[Value]) -> Planner {
        self.plan_with(expected, json!({})).await
    }

    /// The same with other fields of the directive.
    pub async fn plan_with(&self, expected: &[Value], fields: Value) -> Planner {
        let planner = self.app.planner("s");
        let mut directive = json!({
            "plan_step_id": "p", "query": "how do quotes convert?", "deadline_ms": 60_000, "expected_subagents": expected,
        });
        for (name, value) in fields.as_object().unwrap() {
            directive[name] = value.clone();
        }
        planner.post(&directive).await.expect(201);
        planner
    }
}

/// The events of a step once it has ended.
pub async fn ended(planner: &Planner, step: &str) -> Vec<Value> {
    eventually(format!("the end of {step}"), || async {
        let page = planner.page(&format!("/steps/{step}/events?limit=5000")).await;
        (page["closed"] == true).then(|| page["events"].as_array().unwrap().clone())
    })
    .await
}

/// The contents of an output's events, in order.
pub fn about(events: &[Value], result_key: &str) -> Vec<Value> {
    let of_it = |event: &&Value| event["content"]["result_key"] == result_key;
    events.iter().filter(of_it).map(|event| event["content"].clone()).collect()
}

/// The statuses of an output's `planner_stream` events, in order.
pub fn statuses(events: &[Value], result_key: &str) -> Vec<String> {
    let streamed =
        |event: &&Value| event["type"] == "planner_stream" && event["content"]["result_key"] == result_key;
    let status = |event: &Value| event["content"]["status"].as_str().unwrap().to_owned();
    events.iter().filter(streamed).map(status).collect()
}
