//! A service that is asked in the terms of its document. Every answer is held against it.

use serde_json::Value;

use super::described::{Ask, Described};
use super::harness::{Answer, Setup, TestApp};

/// The service, and what it says of itself.
pub struct Scene {
    pub app: TestApp,
    pub described: Described,
}

impl Scene {
    pub async fn with(setup: Setup) -> Self {
        let app = setup.start().await;
        let described = Described::by(&app).await;
        Self { app, described }
    }

    pub async fn ask(&self, id: &str, ask: Ask<'_>) -> Answer {
        self.described.ask(&self.app, id, ask).await
    }

    pub async fn get(&self, id: &str, query: &str, status: u16) -> Answer {
        let answer = self.ask(id, Ask { query, ..Ask::default() }).await;
        assert_eq!(answer.status, status, "{id} {query}: {}", answer.text());
        answer
    }

    pub async fn read(&self, id: &str, query: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask(id, Ask { query, headers, ..Ask::default() }).await
    }

    pub async fn post(&self, id: &str, value: Value, status: u16) -> Value {
        self.post_text(id, &[], &value.to_string(), status).await
    }

    pub async fn post_text(&self, id: &str, headers: &[(&str, &str)], text: &str, status: u16) -> Value {
        let body = Some(("application/json", text.into()));
        self.ask(id, Ask { headers, body, ..Ask::default() }).await.expect(status)
    }

    /// Posts the directive of the document's own example.
    pub async fn start_step(&self) {
        let directive = String::from_utf8(self.described.example("post_step")).unwrap();
        self.post_text("post_step", &[], &directive, 201).await;
    }
}
