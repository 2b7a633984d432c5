//! What these tests say all the time.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Planner, Request, Setup, TestApp};

pub const QUOTE: &str = "A quote is valid for 30 days [1].";
pub const OTHER_QUOTE: &str = "A quote is valid for 45 days.";

/// A session with a running step `p`.
pub async fn plan(client: Client, session: &str) -> Planner {
    let planner = client.planner(session);
    planner.start("p", &["docs"]).await;
    planner
}

/// The step `p` ends, and says `QUOTE`.
pub async fn end(planner: &Planner) {
    let payload = json!({"content": QUOTE, "sources": ["https://a.example/quotes"]});
    planner.subagent("p", "docs").post(&json!({"status": "success", "payload": payload})).await.expect(200);
    planner.get("/steps/p/result?wait_ms=30000").send().await.expect(200);
}

/// A session whose step `p` has ended.
pub async fn ended(client: Client, session: &str) -> Planner {
    let planner = plan(client, session).await;
    end(&planner).await;
    planner
}

/// The monolith's answer to the step `p`, not sent yet.
pub fn answering(client: Client, planner: &Planner, body: &Value) -> Request {
    client.post(planner.path("/steps/p/legacy-response")).json(body)
}

/// The monolith answers the step `p`, with the source that ours has.
pub async fn answer(client: Client, planner: &Planner, said: &str) -> Answer {
    let body = json!({"answer": said, "sources": ["https://a.example/quotes"], "latency_ms": 4_000});
    answering(client, planner, &body).send().await
}

/// A page of discrepancies; `query` may be empty.
pub async fn discrepancies(client: Client, query: &str) -> Value {
    client.get(format!("/shadow/discrepancies{query}")).send().await.expect(200)
}

/// The service with an archive.
pub fn archived(folder: &crate::harness::Folder) -> Setup {
    TestApp::new().env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1)
}
