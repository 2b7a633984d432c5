//! All operations that the service describes, and what each asks for.

use std::collections::BTreeMap;

use serde_json::json;

use super::harness::{Answer, Client, Request, within};

/// What each operation asks for; `""`: nothing. An operation that isn't here fails the test: say who may use it.
const SCOPES: [(&str, &[&str]); 5] = [
    (
        "",
        &[
            "/healthz",
            "/readyz",
            "/openapi.json",
            "/docs",
            "/docs/{file}",
            "/schemas",
            "/schemas/{name}",
            "/console",
            "/console/",
            "/console/{file}",
        ],
    ),
    ("admin", &["/metrics", "/analytics/subagents", "/analytics/feedback", "/shadow/discrepancies"]),
    ("publish", &["/planner/sessions/{session_id}/steps/{plan_step_id}/subagents/{key}/events"]),
    (
        "read",
        &[
            "/planner/sessions/{session_id}/events",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/events",
            "/tickets",
            "/bridges/a2a/sessions/{session_id}",
            "/bridges/a2a/sessions/{session_id}/.well-known/agent-card.json",
            "/bridges/ag-ui/sessions/{session_id}/steps/{plan_step_id}",
            "/bridges/ai-sdk/sessions/{session_id}/steps/{plan_step_id}",
            "/bridges/ai-sdk/sessions/{session_id}/steps/{plan_step_id}/{chat_id}/stream",
            "/bridges/durable-streams/sessions/{session_id}",
            "/bridges/durable-streams/sessions/{session_id}/steps/{plan_step_id}",
            "/bridges/langgraph/threads/{session_id}/stream",
            "/bridges/langgraph/threads/{session_id}/runs/{plan_step_id}/stream",
        ],
    ),
    (
        "plan",
        &[
            "/planner/sessions",
            "/planner/sessions/{session_id}",
            "/planner/sessions/{session_id}/cancel",
            "/planner/sessions/{session_id}/close",
            "/planner/sessions/{session_id}/safety",
            "/planner/sessions/{session_id}/steps",
            "/planner/sessions/{session_id}/steps/{plan_step_id}",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/cancel",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/legacy-response",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/progress",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/result",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/result/feedback",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/results/{result_key}",
            "/planner/sessions/{session_id}/steps/{plan_step_id}/safety",
            "/aggregations",
            "/syntheses",
            "/answers",
            "/trees",
        ],
    ),
];

/// What an operation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// Nobody's in particular, or what the token itself limits.
    Anything,
    /// One session.
    Session,
    /// All of a tenant.
    Tenant,
}

pub struct Operation {
    pub method: &'static str,
    pub template: String,
    pub scope: &'static str,
    pub about: About,
}

impl Operation {
    pub async fn all(client: &Client) -> Vec<Self> {
        let document = client.get("/openapi.json").send().await.expect(200);
        let known: BTreeMap<&str, &str> =
            SCOPES.iter().flat_map(|(scope, paths)| paths.iter().map(move |path| (*path, *scope))).collect();
        let mut all = Vec::new();
        for (template, item) in document["paths"].as_object().unwrap() {
            let scope = known.get(template.as_str());
            let scope = *scope.unwrap_or_else(|| panic!("{template} is new: say in SCOPES who may use it"));
            let about = match template.as_str() {
                path if path.contains("{session_id}") || path == "/tickets" => About::Session,
                path if path.starts_with("/analytics/") || path.starts_with("/shadow/") => About::Tenant,
                _ => About::Anything,
            };
            for method in ["GET", "POST", "DELETE", "PUT", "PATCH"] {
                if item.get(method.to_lowercase()).is_some() {
                    let scope = if method == "DELETE" { "admin" } else { scope };
                    all.push(Self { method, template: template.clone(), scope, about });
                }
            }
        }
        assert!(all.len() >= 30, "{}", all.len());
        all
    }

    /// The whole answer.
    pub async fn ask(&self, client: &Client, authorization: Option<&str>, session: &str) -> Answer {
        self.request(self.method, client, authorization, session).send().await
    }

    /// The status alone: for what may be a stream without an end.
    pub async fn status(
        &self,
        method: &'static str,
        client: &Client,
        authorization: Option<&str>,
        session: &str,
    ) -> u16 {
        let opened = self.request(method, client, authorization, session).open();
        within(format!("{method} {}", self.template), opened).await.unwrap().status
    }

    fn request(
        &self,
        method: &'static str,
        client: &Client,
        authorization: Option<&str>,
        session: &str,
    ) -> Request {
        let ids = [("{session_id}", session), ("{plan_step_id}", "p"), ("{key}", "a"), ("{result_key}", "a")];
        let others = [("{chat_id}", "p"), ("{file}", "index.html"), ("{name}", "generic")];
        let all = ids.iter().chain(&others);
        let path = all.fold(self.template.clone(), |path, (name, id)| path.replace(name, id));
        let mut request = client.request(method, path);
        if let Some(authorization) = authorization {
            request = request.header("authorization", authorization);
        }
        if method != "POST" {
            return request;
        }
        request.json(&if self.template == "/tickets" { json!({"session_id": session}) } else { json!({}) })
    }
}
