//! PyPI's llmock: it plays the faults of OpenAI and of Anthropic, and judges the client that it played them to.

use serde_json::{Value, json};

use super::process::Peer;
use super::{Scene, failures, success, with_status};

const APIS: [(&str, &str); 2] = [("openai", "/v1/chat/completions"), ("anthropic", "/anthropic/v1/messages")];
const ANSWER: &str = "Quotes convert at 12 %.";

/// What became of an output, and what the mock says of its client.
struct Judged {
    events: Vec<Value>,
    verdict: Value,
}

async fn judge() -> Scene {
    // A stall is longer than the service waits for.
    Scene::with(Peer::llmock().await, |setup| setup.env("INVOKE__IDLE_TIMEOUT_MS", 2_500)).await
}

impl Scene {
    /// Plays these faults to an output `key` of a session of that name, and answers then.
    async fn play(
        &self,
        key: &str,
        (protocol, path): (&str, &str),
        faults: &[Value],
        max_attempts: u32,
    ) -> Judged {
        let client = self.peer.client();
        client.post("/_llmock/reset").json(&json!({})).send().await.expect(200);
        let answer = json!({ "type": "reply", "text": ANSWER, "times": null });
        let behaviours: Vec<_> = faults.iter().chain([&answer]).collect();
        client.post("/_llmock/scenario").json(&json!({ "behaviors": behaviours })).send().await.expect(201);
        let mut output = self.called(key, protocol, path);
        let messages = json!([{ "role": "user", "content": "How do quotes convert?" }]);
        output["invoke"]["body"] =
            json!({ "model": "m", "stream": true, "max_tokens": 100, "messages": messages });
        output["max_attempts"] = max_attempts.into();
        let events = self.run(key, &[output]).await;
        Judged { events, verdict: self.told("/_llmock/verdict").await }
    }
}

#[track_caller]
fn assert_passed(verdict: &Value, attempts: u64) {
    assert_eq!((&verdict["passed"], &verdict["errors"]), (&json!(true), &json!(0)), "{verdict}");
    // Not `calls`: where the next attempt comes before the mock saw the end of the last, it takes that for another call.
    assert_eq!(verdict["attempts"], attempts, "{verdict}");
}

/// The codes of what the next attempts came after.
fn retried(events: &[Value], key: &str) -> Vec<String> {
    let retries = with_status(events, key, "retry").into_iter();
    retries.map(|retry| retry["error"]["code"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn mock_that_judges_its_client_passes_ours_after_a_limit_and_a_stream_that_was_cut() {
    let scene = judge().await;
    for api in APIS {
        let faults = [
            json!({ "type": "fail", "status": 429, "retry_after": 1, "times": 1 }),
            json!({ "type": "stream_fault", "kind": "truncate", "after_chunks": 2, "times": 1 }),
        ];
        let Judged { events, verdict } = scene.play(api.0, api, &faults, 3).await;
        assert_passed(&verdict, 3);
        assert_eq!(success(&events, api.0, 2)["content"], ANSWER);
        assert_eq!(retried(&events, api.0), ["status_429", "truncated_answer"]);
    }
}

#[tokio::test]
async fn mock_that_judges_its_client_passes_ours_after_any_other_fault() {
    let scene = judge().await;
    let cut = |kind| json!({ "type": "stream_fault", "kind": kind, "after_chunks": 2, "times": 1 });
    let faults = [
        ("disconnect", cut("disconnect"), "broken_answer"),
        ("malformed", cut("malformed"), "malformed_answer"),
        (
            "stall",
            json!({ "type": "stream_fault", "kind": "stall", "stall_seconds": 60, "after_chunks": 2, "times": 1 }),
            "timed_out",
        ),
        ("500", json!({ "type": "fail", "status": 500, "times": 1 }), "status_500"),
        ("529", json!({ "type": "fail", "status": 529, "times": 1 }), "status_529"),
    ];
    for api in APIS {
        for (name, fault, code) in &faults {
            let key = format!("{}_{name}", api.0);
            let Judged { events, verdict } = scene.play(&key, api, std::slice::from_ref(fault), 3).await;
            assert_eq!(success(&events, &key, 1)["content"], ANSWER, "{key}");
            assert_eq!(retried(&events, &key), [*code], "{key}");
            assert_passed(&verdict, 2);
        }
    }
}

#[tokio::test]
async fn mock_that_judges_its_client_sees_whether_it_insists_or_gives_up() {
    let scene = judge().await;
    for api in APIS {
        let key = format!("{}_refused", api.0);
        let refusal = json!({ "type": "fail", "status": 401, "times": null });
        let Judged { events, verdict } = scene.play(&key, api, &[refusal], 3).await;
        assert_eq!(failures(&events, &key), ["status_401"]);
        assert_passed(&verdict, 1);
        assert_eq!(verdict["findings"], json!([]));

        // That it finds this shows that it looks.
        let key = format!("{}_once", api.0);
        let limit = json!({ "type": "fail", "status": 429, "retry_after": 1, "times": 1 });
        let Judged { events, verdict } = scene.play(&key, api, &[limit], 1).await;
        assert_eq!(failures(&events, &key), ["status_429"]);
        assert!(verdict["findings"].to_string().contains("gave_up"), "{verdict}");
    }
}
