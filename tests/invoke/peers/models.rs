//! Language models: npm's `@copilotkit/aimock` as OpenAI and as Anthropic.

use serde_json::{Value, json};

use super::process::Peer;
use super::{Scene, assert_grows, failures, having, success, with_status};
use crate::scene::about;

/// Names of outputs, one for each API.
const APIS: [&str; 3] = ["chat", "responses", "messages"];

async fn models() -> Scene {
    Scene::of(Peer::node("aimock.mjs", "@copilotkit/aimock").await).await
}

impl Scene {
    /// An output that asks a model `text`, streamed, by way of an API.
    fn prompted(&self, api: &str, text: &str) -> Value {
        let (protocol, path) = match api {
            "chat" => ("openai", "/v1/chat/completions"),
            "responses" => ("openai", "/v1/responses"),
            _ => ("anthropic", "/v1/messages"),
        };
        let mut output = self.called(api, protocol, path);
        let messages = json!([{ "role": "user", "content": text }]);
        output["invoke"]["body"] = match api {
            "responses" => json!({ "model": "m", "stream": true, "input": text }),
            _ => json!({ "model": "m", "stream": true, "max_tokens": 100, "messages": messages }),
        };
        output
    }

    /// The statuses of what the mock was asked, in order.
    async fn answered(&self) -> Vec<u64> {
        let journal = self.told("/__aimock/journal").await;
        let entries = journal.as_array().unwrap().iter();
        entries.map(|entry| entry["response"]["status"].as_u64().unwrap()).collect()
    }
}

#[tokio::test]
async fn text_of_a_model_is_shown_as_it_grows_and_ends_whole() {
    let scene = models().await;
    let events = scene.run("s", &APIS.map(|api| scene.prompted(api, "quotes paced"))).await;
    for api in APIS {
        assert_eq!(assert_grows(&events, api, "content"), "Quotes convert at 12 % in Q3 – up from 9 %.");
    }
    assert_eq!(scene.answered().await, [200; 3]);
}

#[tokio::test]
async fn calls_of_tools_and_the_reason_to_stop_are_part_of_the_answer() {
    let scene = models().await;
    let events = scene.run("tool", &APIS.map(|api| scene.prompted(api, "quotes tool"))).await;
    for api in APIS {
        let payload = success(&events, api, 0);
        let [call] = &payload["tool_calls"].as_array().unwrap()[..] else { panic!("{payload}") };
        let arguments = serde_json::from_str::<Value>(call["arguments"].as_str().unwrap()).unwrap();
        assert_eq!((&call["name"], arguments), (&json!("select_rows"), json!({ "ids": [1, 2] })), "{api}");
    }
    // The mock's responses have no such end.
    let clipped = [("chat", "length"), ("messages", "max_tokens")];
    let events = scene.run("length", &clipped.map(|(api, _)| scene.prompted(api, "quotes length"))).await;
    for (api, reason) in clipped {
        let payload = success(&events, api, 0);
        assert_eq!(
            (&payload["content"], &payload["finish_reason"]),
            (&json!("Quotes convert"), &json!(reason))
        );
    }
}

#[tokio::test]
async fn limit_of_a_model_is_waited_for_as_long_as_it_asks_and_then_recovers() {
    for api in APIS {
        let scene = models().await;
        let events = scene.run("s", &[scene.prompted(api, "quotes limited")]).await;
        assert_eq!(success(&events, api, 1)["content"], "After the limit.", "{api}");
        assert_eq!(with_status(&events, api, "retry")[0]["error"]["code"], "status_429", "{api}");
        // `Retry-After: 1`; by itself the service would have waited for 20 ms.
        let completed = about(&events, api).pop().unwrap();
        assert!(completed["latency_ms"].as_u64().unwrap() >= 1_000, "{api}: {completed}");
        assert_eq!(scene.answered().await, [429, 200], "{api}");
    }
}

#[tokio::test]
async fn overloaded_model_is_asked_again() {
    for api in APIS {
        let scene = models().await;
        let events = scene.run("s", &[scene.prompted(api, "quotes overloaded")]).await;
        assert_eq!(success(&events, api, 1)["content"], "After the load.", "{api}");
        assert_eq!(with_status(&events, api, "retry")[0]["error"]["code"], "status_529", "{api}");
        assert_eq!(scene.answered().await, [529, 200], "{api}");
    }
}

#[tokio::test]
async fn stream_that_breaks_off_is_never_the_answer_and_is_tried_again() {
    let scene = models().await;
    let outputs = APIS.map(|api| having(scene.prompted(api, "quotes cut"), "max_attempts", 2));
    let events = scene.run("s", &outputs).await;
    for api in APIS {
        assert_eq!(failures(&events, api), ["broken_answer"; 2], "{api}");
    }
    // Four pieces of a response hold no text yet.
    for api in ["chat", "messages"] {
        let partials = with_status(&events, api, "partial");
        let is_begun =
            |partial: &Value| "Quotes convert".starts_with(partial["payload"]["content"].as_str().unwrap());
        assert!(!partials.is_empty() && partials.iter().all(is_begun), "{api}: {partials:?}");
    }
    assert_eq!(scene.answered().await.len(), 6, "each twice");
}

#[tokio::test]
async fn request_that_a_model_refuses_is_not_made_again() {
    let scene = models().await;
    for (prompt, status, why) in
        [("quotes invalid", 400, "messages: required"), ("quotes unauthorised", 401, "bad key")]
    {
        let session = format!("s{status}");
        let events = scene.run(&session, &APIS.map(|api| scene.prompted(api, prompt))).await;
        for api in APIS {
            assert_eq!(failures(&events, api), [format!("status_{status}")], "{api}");
            let error = &with_status(&events, api, "error")[0]["error"];
            assert!(error["message"].as_str().unwrap().contains(why), "{api}: {error}");
        }
    }
    assert_eq!(scene.answered().await, [400, 400, 400, 401, 401, 401]);
}
