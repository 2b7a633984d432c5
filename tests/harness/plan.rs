//! A planner and its subagents.

use serde_json::{Value, json};

use super::{Answer, Client, Request, Upload};

/// Whoever plans a session.
#[derive(Debug, Clone)]
pub struct Planner {
    client: Client,
    /// The session's name.
    pub session: String,
}

impl Planner {
    pub(super) fn new(client: Client, session: &str) -> Self {
        Self { client, session: session.to_owned() }
    }

    /// A path under the session: `""` itself, `/events`, `/steps/p/cancel`.
    pub fn path(&self, rest: &str) -> String {
        format!("/planner/sessions/{}{rest}", self.session)
    }

    /// The path of a step's events.
    pub fn events(&self, step: &str) -> String {
        self.path(&format!("/steps/{step}/events"))
    }

    /// Posts a directive.
    pub async fn post(&self, directive: &Value) -> Answer {
        self.client.post(self.path("/steps")).json(directive).send().await
    }

    /// Posts a plain directive, which must be accepted: these subagents, a minute's time.
    pub async fn start(&self, step: &str, subagents: &[&str]) -> Value {
        self.post(&directive(step, subagents)).await.expect(201)
    }

    /// Tells the session or a step something (`/close`, `/steps/p/safety`); it must be taken.
    pub async fn tell(&self, rest: &str, body: Value) -> Value {
        self.client.post(self.path(rest)).json(&body).send().await.expect(200)
    }

    /// A `GET` under the session.
    pub fn get(&self, rest: &str) -> Request {
        self.client.get(self.path(rest))
    }

    /// The session's state.
    pub async fn state(&self) -> Value {
        self.get("").send().await.expect(200)
    }

    /// A step's state.
    pub async fn step(&self, step: &str) -> Value {
        self.get(&format!("/steps/{step}")).send().await.expect(200)
    }

    /// A page: `rest` is `/events` or `/steps/p/events`, with its query.
    pub async fn page(&self, rest: &str) -> Value {
        self.get(rest).send().await.expect(200)
    }

    /// One of a step's subagents.
    pub fn subagent(&self, step: &str, key: &str) -> Subagent {
        let path = self.path(&format!("/steps/{step}/subagents/{key}/events"));
        Subagent { client: self.client, path }
    }
}

/// A directive for these subagents, with a minute's time.
fn directive(step: &str, subagents: &[&str]) -> Value {
    let expected: Vec<Value> = subagents.iter().map(|key| json!({"key": key})).collect();
    json!({"plan_step_id": step, "expected_subagents": expected, "deadline_ms": 60_000})
}

/// Whoever works at one output of a step.
#[derive(Debug, Clone)]
pub struct Subagent {
    client: Client,
    /// Where it posts to.
    pub path: String,
}

impl Subagent {
    /// A request with one event, or an array of them.
    pub fn request(&self, events: &Value) -> Request {
        self.client.post(&self.path).json(events)
    }

    /// Posts one event, or an array of them.
    pub async fn post(&self, events: &Value) -> Answer {
        self.request(events).send().await
    }

    /// Posts one event, which must be taken; returns its verdict.
    pub async fn say(&self, status: &str, revision: u64, content: &str) -> Value {
        let payload = json!({"content": content, "sources": []});
        let event = json!({"status": status, "revision": revision, "payload": payload});
        self.post(&event).await.expect(200)["results"][0].clone()
    }

    /// Posts what ends its output well.
    pub async fn succeed(&self) -> Value {
        let event = json!({"status": "success", "payload": {"content": "done", "sources": []}});
        self.post(&event).await.expect(200)
    }

    /// Begins a body of many events.
    pub async fn upload(&self, media_type: &str) -> Upload {
        self.client.post(&self.path).upload(media_type).await
    }
}

/// A session with one running step `p` that expects `subagents`.
pub async fn open_plan(client: Client, session: &str, subagents: &[&str]) -> Planner {
    let planner = client.planner(session);
    planner.start("p", subagents).await;
    planner
}

/// What events say: `type`, or for a `planner_stream` `stage:status`. What a combined result adds is left out, as its
/// place is not these tests' subject.
pub fn essential(events: &[Value]) -> Vec<String> {
    let name = |event: &Value| match event["type"].as_str().unwrap() {
        "aggregation" | "synthesis" | "synthesis_delta" => None,
        "planner_stream" => {
            let content = &event["content"];
            Some(format!("{}:{}", content["stage"].as_str().unwrap(), content["status"].as_str().unwrap()))
        }
        other => Some(other.to_owned()),
    };
    events.iter().filter_map(name).collect()
}
