//! A service that asks for tokens, and those who hold some.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::harness::{Answer, Client, Request, Setup, TestApp};
use super::issuer::Signer;

/// The key of HS256.
pub const SECRET: &str = "a secret of these tests, of more than thirty-two bytes";
/// Every scope.
pub const ALL: [&str; 4] = ["plan", "publish", "read", "admin"];

/// A service that signs callers in by a secret.
pub fn signed() -> Setup {
    TestApp::new().env("AUTH__MODE", "required").env("AUTH__JWT_SECRET", SECRET)
}

/// So many seconds from now, as claims have it (RFC 7519, "NumericDate").
pub fn in_seconds(seconds: f64) -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() + seconds
}

/// The same at a whole second: the service keeps milliseconds, and would end up to one before a time between two of them.
pub fn whole_second_in(seconds: f64) -> f64 {
    in_seconds(seconds).ceil()
}

/// Claims of the tenant `acme` for an hour.
pub fn claims(scopes: &[&str]) -> Value {
    json!({"tenant": "acme", "scopes": scopes, "exp": in_seconds(3_600.0)})
}

/// Claims with some that are other ones.
pub fn with(mut claims: Value, others: &Value) -> Value {
    claims.as_object_mut().unwrap().extend(others.as_object().unwrap().clone());
    claims
}

/// A token of the service's own secret.
pub fn token(claims: &Value) -> String {
    Signer::secret(SECRET).token(None, claims)
}

/// Whoever holds a token.
#[derive(Clone)]
pub struct Holder {
    client: Client,
    pub token: String,
}

impl Holder {
    pub fn new(client: Client, token: impl Into<String>) -> Self {
        Self { client, token: token.into() }
    }

    /// Of every scope of `acme`.
    pub fn of_all(client: Client) -> Self {
        Self::new(client, token(&claims(&ALL)))
    }

    pub fn request(&self, method: &'static str, path: impl Into<String>) -> Request {
        self.client.request(method, path).header("authorization", format!("Bearer {}", self.token))
    }

    pub fn get(&self, path: impl Into<String>) -> Request {
        self.request("GET", path)
    }

    pub async fn post(&self, path: impl Into<String>, body: &Value) -> Answer {
        self.request("POST", path).json(body).send().await
    }

    /// Begins the step `p` of a session, which expects `a`.
    pub async fn start(&self, session: &str) -> Value {
        let directive =
            json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "deadline_ms": 60_000});
        self.post(format!("/planner/sessions/{session}/steps"), &directive).await.expect(201)
    }

    /// `a` says something.
    pub async fn say(&self, session: &str, status: &str, text: &str) -> Answer {
        let event = json!({"status": status, "payload": {"content": text, "sources": []}});
        self.post(published(session), &event).await
    }

    /// A ticket, which must be given.
    pub async fn ticket(&self, session: &str) -> String {
        let answer = self.post("/tickets", &json!({"session_id": session})).await.expect(201);
        answer["ticket"].as_str().unwrap().to_owned()
    }
}

/// Where `a` publishes.
pub fn published(session: &str) -> String {
    format!("/planner/sessions/{session}/steps/p/subagents/a/events")
}

/// Where a session is read.
pub fn events(session: &str) -> String {
    format!("/planner/sessions/{session}/events")
}

/// Text after `name=` in a cookie that was set.
pub fn cookie_of(answer: &http::HeaderMap) -> Option<String> {
    let line = answer.get("set-cookie")?.to_str().unwrap();
    Some(line.split(';').next().unwrap().to_owned())
}

/// The statuses of answers, for comparing.
pub fn statuses(answers: &[Answer]) -> Vec<u16> {
    answers.iter().map(|answer| answer.status).collect()
}
