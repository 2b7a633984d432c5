//! Tasks of A2A agents: of those that don't stream, and of those for which nobody waits any more. Peers on the official SDK do what
//! their SDK does; the agent here does what the protocol also allows.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures::StreamExt;
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::harness::{Planner, TestApp, eventually};
use crate::redis_server::RedisServer;
use crate::replica_scene;
use crate::scene::{about, calling, ended, statuses};

/// A request: the path, the version in its header, its body.
type Seen = (String, String, Value);

/// An agent that does as its path says, and what it was asked.
struct Agent {
    address: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Agent {
    async fn start() -> Self {
        let seen = Arc::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let app = Router::new().route("/{skill}", post(answer)).with_state(Arc::clone(&seen));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, seen }
    }

    /// An output of `skill` that is called.
    fn called(&self, skill: &str) -> Value {
        let url = format!("http://{}/{skill}", self.address);
        json!({"key": skill, "adapter": "generic", "task": "do it", "invoke": {"url": url, "protocol": "a2a"}})
    }

    /// The methods that a skill was asked by, each with its version.
    fn asked(&self, skill: &str) -> Vec<String> {
        let seen = self.seen.lock();
        let of_it = seen.iter().filter(|(path, ..)| path == skill);
        of_it.map(|(_, version, body)| format!("{version} {}", body["method"].as_str().unwrap())).collect()
    }

    /// Waits until a skill was asked by that method, and tells with which parameters.
    async fn asked_by(&self, skill: &str, method: &str) -> Value {
        eventually(format!("{skill} to be asked by {method}"), || async {
            let seen = self.seen.lock();
            let found = seen.iter().find(|(path, _, body)| path == skill && body["method"] == method);
            found.map(|(.., body)| body["params"].clone())
        })
        .await
    }
}

async fn answer(
    State(seen): State<Arc<Mutex<Vec<Seen>>>>,
    Path(skill): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Response {
    let body: Value = serde_json::from_str(&body).unwrap();
    let version = headers["a2a-version"].to_str().unwrap().to_owned();
    let method = body["method"].as_str().unwrap().to_owned();
    let count = {
        let mut seen = seen.lock();
        seen.push((skill.clone(), version, body.clone()));
        seen.iter().filter(|(path, _, known)| *path == skill && known["method"] == method).count()
    };
    let streams = matches!(method.as_str(), "SendStreamingMessage" | "message/stream");
    match (skill.as_str(), method.as_str()) {
        (_, "CancelTask" | "tasks/cancel") => result(&task(&skill, "CANCELED", None)),
        ("silent" | "deleted", _) if streams => silent(&task(&skill, "WORKING", None)),
        // `capabilities.streaming` is false in their cards.
        ("whole" | "slow" | "failing" | "shaky" | "endless", _) if streams => {
            error(-32004, "it doesn't stream")
        }
        ("refused", _) if streams => {
            (StatusCode::METHOD_NOT_ALLOWED, error_text(-32601, "no such method")).into_response()
        }
        ("whole", "SendMessage") => result(&json!({"message": {"parts": [{"text": "At once."}]}})),
        ("refused", "message/send") => result(&task(&skill, "COMPLETED", Some("In 0.3."))),
        ("slow" | "failing" | "shaky" | "endless", "SendMessage") => {
            result(&json!({"task": task(&skill, "SUBMITTED", None)}))
        }
        ("slow", "GetTask") if count < 4 => result(&task(&skill, "WORKING", None)),
        ("shaky", "GetTask") if count < 3 => StatusCode::BAD_GATEWAY.into_response(),
        ("slow" | "shaky", "GetTask") => result(&task(&skill, "COMPLETED", Some("In the end."))),
        ("failing", "GetTask") => result(&task(&skill, "FAILED", None)),
        ("endless", "GetTask") => result(&task(&skill, "WORKING", None)),
        _ => error(-32601, "no such method"),
    }
}

fn task(skill: &str, state: &str, text: Option<&str>) -> Value {
    let artifacts: Vec<Value> =
        text.map(|text| json!({"artifactId": "a", "parts": [{"text": text}]})).into_iter().collect();
    let status = match state {
        "WORKING" => json!({"state": "TASK_STATE_WORKING", "message": {"parts": [{"text": "Looking."}]}}),
        state => json!({"state": format!("TASK_STATE_{state}")}),
    };
    json!({"id": format!("task-{skill}"), "contextId": "c", "status": status, "artifacts": artifacts})
}

fn result(result: &Value) -> Response {
    json_of(json!({"jsonrpc": "2.0", "id": "1", "result": result}).to_string())
}

fn error(code: i64, message: &str) -> Response {
    json_of(error_text(code, message))
}

fn error_text(code: i64, message: &str) -> String {
    json!({"jsonrpc": "2.0", "id": "1", "error": {"code": code, "message": message}}).to_string()
}

fn json_of(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// A stream that names its task and says nothing more.
fn silent(task: &Value) -> Response {
    let event = format!("data: {}\n\n", json!({"jsonrpc": "2.0", "id": "1", "result": {"task": task}}));
    let events = futures::stream::iter([Ok::<_, std::io::Error>(event)]).chain(futures::stream::pending());
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
}

async fn plan(app: &TestApp, session: &str, expected: &[Value]) -> Planner {
    let planner = app.planner(session);
    let directive = json!({"plan_step_id": "p", "deadline_ms": 60_000, "expected_subagents": expected});
    planner.post(&directive).await.expect(201);
    planner
}

/// Waits until an agent works on an output.
async fn works(planner: &Planner, key: &str) {
    eventually(format!("{key} to work"), || async {
        let page = planner.page("/steps/p/events").await;
        let contents = about(page["events"].as_array().unwrap(), key);
        contents.iter().any(|content| content["payload"]["progress"] == "Looking.").then_some(())
    })
    .await;
}

fn content(events: &[Value], key: &str) -> Value {
    let contents = about(events, key).into_iter();
    contents
        .filter(|content| content["status"] == "success")
        .find_map(|content| content.get("payload").cloned())
        .unwrap()["content"]
        .clone()
}

#[tokio::test]
async fn agent_that_does_not_stream_is_asked_for_one_answer_and_after_its_task() {
    let agent = Agent::start().await;
    let app = calling(&agent.address).start().await;
    let skills = ["whole", "refused", "slow", "shaky", "failing"];
    let planner = plan(&app, "s", &skills.map(|skill| agent.called(skill))).await;
    let events = ended(&planner, "p").await;
    for (skill, text) in
        [("whole", "At once."), ("refused", "In 0.3."), ("slow", "In the end."), ("shaky", "In the end.")]
    {
        assert_eq!(content(&events, skill), text, "{skill}");
        assert!(!statuses(&events, skill).contains(&"retry".to_owned()), "{skill}");
    }
    assert_eq!(agent.asked("whole"), ["1.0 SendStreamingMessage", "1.0 SendMessage"]);
    assert_eq!(
        agent.asked("refused"),
        ["1.0 SendStreamingMessage", "0.3 message/stream", "0.3 message/send"]
    );
    let slow = agent.asked("slow");
    assert_eq!(slow[..2], ["1.0 SendStreamingMessage", "1.0 SendMessage"]);
    assert_eq!(slow[2..], ["1.0 GetTask"; 4]);
    assert_eq!(agent.asked_by("slow", "GetTask").await["id"], "task-slow");
    // That it works is told once, however often it was asked.
    assert_eq!(statuses(&events, "slow"), ["in_progress", "in_progress", "success"]);
    assert_eq!(statuses(&events, "failing").last().unwrap(), "error");
    assert_eq!(agent.asked("failing").len(), 3, "what failed by the agent's word isn't asked again");
}

#[tokio::test]
async fn task_that_is_asked_after_is_cancelled_with_its_step() {
    let agent = Agent::start().await;
    let app = calling(&agent.address).start().await;
    let planner = plan(&app, "s", &[agent.called("endless")]).await;
    works(&planner, "endless").await;
    planner.tell("/steps/p/cancel", json!({"reason": "not needed"})).await;
    ended(&planner, "p").await;
    assert_eq!(agent.asked_by("endless", "CancelTask").await["id"], "task-endless");
}

#[tokio::test]
async fn agent_is_told_to_stop_when_its_session_is_deleted() {
    let agent = Agent::start().await;
    let app = calling(&agent.address).start().await;
    let planner = plan(&app, "s", &[agent.called("deleted")]).await;
    works(&planner, "deleted").await;
    assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
    assert_eq!(agent.asked_by("deleted", "CancelTask").await["id"], "task-deleted");
    let told = "tributary_call_withdrawals_total{outcome=\"withdrawn\"";
    eventually("it to be counted", || async {
        let metrics = app.get("/metrics").send().await;
        let line = metrics.text().lines().find(|line| line.starts_with(told))?.to_owned();
        line.ends_with(" 1").then_some(())
    })
    .await;
}

#[tokio::test]
async fn agent_is_told_to_stop_when_another_replica_deletes_its_session() {
    let agent = Agent::start().await;
    let variables = [("INVOKE__ALLOWED_HOSTS", &*agent.address), ("INVOKE__ALLOW_PRIVATE", "true")];
    let scene = replica_scene::Scene::with(RedisServer::start(), &variables).await;
    let planner = plan(&scene.replicas[0], "s", &[agent.called("silent")]).await;
    works(&planner, "silent").await;
    assert_eq!(scene.client(1).request("DELETE", planner.path("")).send().await.status, 204);
    assert_eq!(agent.asked_by("silent", "CancelTask").await["id"], "task-silent");
    // It is told once, and nobody asks it again.
    eventually("the first to know", || async {
        let known = scene.client(0).get(planner.path("")).send().await;
        (known.status == 404).then_some(())
    })
    .await;
    assert_eq!(agent.asked("silent"), ["1.0 SendStreamingMessage", "1.0 CancelTask"]);
}
