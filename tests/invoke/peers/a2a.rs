//! Agents on the official Agent2Agent SDK.

use serde_json::{Value, json};

use super::process::Peer;
use super::{Scene, assert_grows, failures, having, success, with_status};
use crate::harness::eventually;
use crate::scene::{about, ended, statuses};

const ANSWER: &str = "Quotes convert at 12 % in Q3 – up from 9 %.";

pub async fn agent() -> Scene {
    Scene::of(Peer::node("a2a_server.mjs", "@a2a-js/sdk").await).await
}

impl Scene {
    /// An output of `key` whose agent at `path` is told `task`.
    pub fn asked(&self, key: &str, path: &str, task: &str) -> Value {
        let output = having(self.called(key, "a2a", path), "adapter", "documentation");
        having(output, "task", task)
    }

    /// The same, in a body that shows A2A 0.3.
    pub fn asked_in_0_3(&self, key: &str, path: &str, task: &str) -> Value {
        let message =
            json!({ "kind": "message", "role": "user", "parts": [{ "kind": "text", "text": task }] });
        let mut output = self.asked(key, path, "");
        output["invoke"]["body"] = json!({ "message": message });
        output
    }

    /// The tasks that reached the agent with this as their first word.
    async fn tasks(&self, skill: &str) -> Vec<Value> {
        let seen = self.told("/seen").await;
        seen.as_array().unwrap().iter().filter(|seen| seen["skill"] == skill).cloned().collect()
    }
}

fn assert_quotes(payload: &Value) {
    assert_eq!(payload["answer"], ANSWER);
    assert_eq!(payload["citations"][0]["title"], "Quotes");
    assert_eq!(payload["citations"][0]["url"], "https://docs.example.com/quotes");
}

#[tokio::test]
async fn artifacts_of_an_agent_on_the_official_sdk_become_the_answer_in_1_0_and_in_0_3() {
    let scene = agent().await;
    let outputs = [
        scene.asked("only_new", "/v1", "stream"),
        scene.asked("new", "/compat", "stream"),
        scene.asked_in_0_3("old", "/compat", "stream"),
    ];
    let events = scene.run("s", &outputs).await;
    let tasks = scene.tasks("stream").await;
    assert_eq!(tasks.len(), 3);
    for (key, version) in [("only_new", "1.0"), ("new", "1.0"), ("old", "0.3")] {
        assert_quotes(&success(&events, key, 0));
        let mut said = statuses(&events, key);
        said.retain(|status| status != "partial");
        assert_eq!(said, ["in_progress", "in_progress", "success"], "{key}");
        let working = &with_status(&events, key, "in_progress")[1];
        assert_eq!(working["payload"]["progress"], "Looking at the documents…", "{key}");
        let task = tasks.iter().find(|task| task["headers"]["tributary-result-key"] == key).unwrap();
        assert_eq!(task["headers"]["a2a-version"], version, "{key}");
    }
}

#[tokio::test]
async fn artifact_that_comes_in_parts_is_shown_as_it_grows() {
    let scene = agent().await;
    let outputs = [scene.asked("new", "/v1", "paced 100"), scene.asked_in_0_3("old", "/compat", "paced 100")];
    let events = scene.run("s", &outputs).await;
    for key in ["new", "old"] {
        assert_eq!(assert_grows(&events, key, "answer"), ANSWER);
    }
}

#[tokio::test]
async fn every_way_to_answer_of_an_agent_is_a_success() {
    let scene = agent().await;
    let skills = ["data", "snapshot", "message", "long 400"];
    let keys = ["data", "snapshot", "message", "long"];
    for (session, path) in [("new", "/v1"), ("old", "/compat")] {
        let asked = |(key, task): (&&str, &str)| match path {
            "/v1" => scene.asked(key, path, task),
            _ => scene.asked_in_0_3(key, path, task),
        };
        let outputs: Vec<_> = keys.iter().zip(skills).map(asked).collect();
        let events = scene.run(session, &outputs).await;
        let [data, snapshot, message, long] = keys.map(|key| success(&events, key, 0));
        assert_eq!((&data["answer"], &data["citations"][0]["title"]), (&json!("12 %"), &json!("Quotes")));
        assert_eq!((&snapshot["answer"], &snapshot["data"]), (&json!("All at once."), &json!([{"rows": 3}])));
        assert_eq!(message["answer"], "Just an answer.");
        let words: String = (0..400).map(|word| format!("word{word} ")).collect();
        assert_eq!(long["answer"].as_str().unwrap().trim(), words.trim());
    }
}

#[tokio::test]
async fn agent_that_only_knows_0_3_is_asked_in_that_at_once() {
    let scene = Scene::of(Peer::node("a2a_0_3_server.mjs", "a2a-js-sdk-0-3").await).await;
    let events = scene.run("s", &[scene.asked("documentation", "/", "stream")]).await;
    assert_quotes(&success(&events, "documentation", 0));
    let seen = scene.told("/seen").await;
    let seen = seen.as_array().unwrap();
    let methods: Vec<_> = seen.iter().map(|seen| seen["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["SendStreamingMessage", "message/stream"]);
    assert!(seen.iter().all(|seen| seen["headers"]["tributary-attempt"] == "1/3"), "{seen:?}");
}

#[tokio::test]
async fn task_that_ends_badly_is_an_error_and_not_asked_again() {
    let scene = agent().await;
    let endings = [
        ("fail", "task_failed", "The index is being rebuilt."),
        ("reject", "rejected", "I don't do taxes."),
        ("cancel", "cancelled", "Stopped by its operator."),
        ("input", "input_required", "Which quarter?"),
        ("auth", "auth_required", "Sign in to the CRM."),
    ];
    for path in ["/v1", "/compat"] {
        let session = path.trim_start_matches('/');
        let asked = |(skill, _, _): &(&str, _, _)| match path {
            "/v1" => scene.asked(skill, path, skill),
            _ => scene.asked_in_0_3(skill, path, skill),
        };
        let events = scene.run(session, &endings.iter().map(asked).collect::<Vec<_>>()).await;
        for (skill, code, message) in endings {
            assert_eq!(failures(&events, skill), [code], "{skill} {path}");
            let error = &with_status(&events, skill, "error")[0]["error"];
            assert_eq!((&error["message"], &error["retryable"]), (&json!(message), &json!(null)), "{skill}");
        }
    }
    for (skill, _, _) in endings {
        assert_eq!(scene.tasks(skill).await.len(), 2, "{skill}: once in each version");
    }
}

#[tokio::test]
async fn agent_that_says_that_it_may_recover_is_asked_again_with_the_same_message() {
    let scene = agent().await;
    let events = scene.run("s", &[scene.asked("documentation", "/v1", "flaky 2 one")]).await;
    assert_quotes(&success(&events, "documentation", 2));
    let retries = with_status(&events, "documentation", "retry");
    assert!(retries.iter().all(|retry| retry["error"]["code"] == "task_failed"), "{retries:?}");
    let tasks = scene.tasks("flaky").await;
    let attempts: Vec<_> =
        tasks.iter().map(|task| task["headers"]["tributary-attempt"].as_str().unwrap()).collect();
    assert_eq!(attempts, ["1/3", "2/3", "3/3"]);
    assert!(tasks.iter().all(|task| task["message_id"] == tasks[0]["message_id"]), "{tasks:?}");
    // It asked for 50 ms before each.
    let completed = about(&events, "documentation").pop().unwrap();
    assert!(completed["latency_ms"].as_u64().unwrap() >= 100, "{completed}");
}

#[tokio::test]
async fn agent_that_crashes_is_asked_again_and_has_given_no_answer() {
    let scene = agent().await;
    let outputs = [
        scene.asked("throw", "/v1", "throw"),
        scene.asked("late_throw", "/v1", "late_throw"),
        scene.asked_in_0_3("old_late_throw", "/compat", "late_throw"),
    ];
    let outputs = outputs.map(|output| having(output, "max_attempts", 2));
    let events = scene.run("s", &outputs).await;
    // Before the agent has said anything the SDK answers with an empty stream.
    assert_eq!(failures(&events, "throw"), ["empty_answer"; 2]);
    assert_eq!(failures(&events, "late_throw"), ["ended_early"; 2]);
    assert_eq!(failures(&events, "old_late_throw"), ["ended_early"; 2]);
}

#[tokio::test]
async fn slow_agent_is_a_timeout_and_its_call_is_ended_while_the_others_go_on() {
    let scene = agent().await;
    let outputs = [
        having(scene.asked("slow", "/v1", "slow 600000"), "deadline_ms", 3_000),
        scene.asked("documentation", "/v1", "stream"),
    ];
    let planner = scene.plan("s", &outputs).await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "slow"), ["in_progress", "in_progress", "timeout"]);
    assert_quotes(&success(&events, "documentation", 0));
    assert_eq!(planner.step("p").await["status"], "partial_failure");
    // It sees the connection's end or is told to stop, whichever comes first: then there is nothing left to be cut.
    eventually("the agent to see that its caller went", || async {
        let seen = scene.told("/seen").await;
        let mut seen = seen.as_array().unwrap().iter();
        seen.any(|seen| seen["aborted"] == "/v1" || seen["cancelled"] == "slow").then_some(())
    })
    .await;
    assert_eq!(scene.tasks("slow").await.len(), 1);
}
