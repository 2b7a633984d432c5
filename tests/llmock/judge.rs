//! The server: what it is told to do, and what it says of its client.

use serde_json::{Value, json};

use super::process::Peer;

/// A running llmock.
pub struct Judge {
    peer: Peer,
}

impl Judge {
    pub async fn start() -> Self {
        Self { peer: Peer::llmock().await }
    }

    pub fn url(&self, path: &str) -> String {
        self.peer.url(path)
    }

    /// Forgets what was, does as told with what comes, and then replies.
    pub async fn plan(&self, behaviors: &[Value], reply: &str) {
        let client = self.peer.client();
        client.post("/_llmock/reset").json(&json!({})).send().await.expect(200);
        let reply = json!({ "type": "reply", "text": reply, "times": null });
        let behaviors = [behaviors, &[reply]].concat();
        client.post("/_llmock/scenario").json(&json!({ "behaviors": behaviors })).send().await.expect(201);
    }

    pub async fn verdict(&self) -> Value {
        self.peer.client().get("/_llmock/verdict").send().await.expect(200)
    }
}

/// A stream that breaks after so many chunks.
pub fn fault(kind: &str, after: u32) -> Value {
    json!({ "type": "stream_fault", "kind": kind, "after_chunks": after })
}

/// A stream that stops for so long.
pub fn stall(seconds: u32) -> Value {
    json!({ "type": "stream_fault", "kind": "stall", "after_chunks": 1, "stall_seconds": seconds })
}

/// Another status than 200.
pub fn fail(status: u16) -> Value {
    json!({ "type": "fail", "status": status })
}
