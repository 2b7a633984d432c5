//! What is sent to a subagent.
//!
//! | header | says |
//! |---|---|
//! | `traceparent`, `tracestate`, `baggage` | the output's place in its caller's trace (W3C Trace Context, W3C Baggage) |
//! | `idempotency-key` | the same for every attempt of the output: a repeat whose first answer was lost does nothing twice |
//! | `tributary-deadline` | when the answer must be whole, RFC 3339 |
//! | `tributary-budget-ms` | how long that is from now |
//! | `tributary-attempt` | which attempt this is, of how many: `2/3` |
//! | `anthropic-version` | in that protocol, where the directive or the configuration gives none: its servers refuse a call without |
//! | `tributary-session-id`, `tributary-plan-step-id`, `tributary-subagent`, `tributary-result-key` | where to push, should it rather do that |

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use serde::Serialize;
use url::Url;
use xxhash_rust::xxh3::Xxh3;

use super::CallJob;
use super::open_task::AgentTask;
use crate::domain::directive::{InvokeCall, Protocol};
use crate::domain::event::{ArcJson, RawJson};
use crate::domain::protocols::{
    A2aChoice, A2aIds, A2aManner, A2aRequest, A2aVersion, ANTHROPIC_VERSION, a2a_request,
};
use crate::domain::time::Timestamp;
use crate::engine::ports::subagent::{CallError, OutboundCall};
use crate::engine::telemetry::Propagators;

/// What a subagent is told whose directive gives no body.
#[derive(Serialize)]
struct Asked<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    planner_context: Option<&'a ArcJson>,
}

/// A request, and in which manner an A2A agent is asked by it; in other protocols without meaning.
pub(super) struct Request {
    pub(super) call: OutboundCall,
    pub(super) manner: A2aManner,
    /// What of that could be otherwise.
    pub(super) choice: A2aChoice,
}

/// A request about an agent's task.
pub(super) struct AboutTask {
    /// How it is written: of the configured body, the request's id, the task's, and the version.
    pub(super) words: fn(Option<&RawJson>, &str, &str, A2aVersion) -> String,
    /// The request's id.
    pub(super) id: &'static str,
    /// How long the agent may take to answer.
    pub(super) patience: Duration,
}

/// A call's own timer runs out this long after its deadline: its session ends it then, as a time-out. Where the timer was
/// first by a millisecond, the output would be told as failed.
const AFTER_DEADLINE: Duration = Duration::from_millis(100);

impl CallJob {
    /// The request of this attempt, made at `now`; to an A2A agent in `manner`, unless its body shows another.
    pub(super) fn request(
        &self,
        call: &InvokeCall,
        manner: A2aManner,
        now: Timestamp,
        propagators: Propagators,
    ) -> Result<Request, CallError> {
        let url = Url::parse(&call.url).map_err(|error| CallError::NotAllowed(error.to_string()))?;
        let budget_ms = self.deadline().since_ms(now);
        let mut headers = self.given_headers(call);
        self.add_own_headers(&mut headers, budget_ms, propagators);
        let (mut manner, mut choice) = (manner, A2aChoice::Nothing);
        let body = if call.protocol == Protocol::A2a {
            let request = self.a2a_request(call, manner);
            (manner, choice) = (request.manner, request.choice);
            add_version(&mut headers, manner.version);
            request.body.into()
        } else if let Some(given) = &call.body {
            Bytes::copy_from_slice(given.0.get().as_bytes())
        } else {
            self.asked()
        };
        // Without any time left it isn't asked at all.
        let after = if budget_ms == 0 { Duration::ZERO } else { AFTER_DEADLINE };
        let patience = Duration::from_millis(budget_ms) + after;
        let call = OutboundCall { url, headers, body, accept: accepted(call.protocol), patience };
        Ok(Request { call, manner, choice })
    }

    /// A request about an agent's `task`: to the same place, signed in alike. Without an idempotency key, which stands for
    /// what was asked.
    pub(super) fn about_task(
        &self,
        call: &InvokeCall,
        task: &AgentTask,
        propagators: Propagators,
        about: AboutTask,
    ) -> Result<OutboundCall, CallError> {
        let url = Url::parse(&call.url).map_err(|error| CallError::NotAllowed(error.to_string()))?;
        let mut headers = self.given_headers(call);
        self.add_place_headers(&mut headers, propagators);
        add_version(&mut headers, task.version);
        let body = call.body.as_ref().map(|body| &body.0);
        let body = (about.words)(body, about.id, &task.id, task.version).into();
        Ok(OutboundCall { url, headers, body, accept: "application/json", patience: about.patience })
    }

    /// The headers that the directive or the configuration gives.
    pub(super) fn given_headers(&self, call: &InvokeCall) -> Vec<(HeaderName, HeaderValue)> {
        let mut headers = Vec::with_capacity(call.headers.len() + 12);
        for (name, value) in &call.headers {
            let name = HeaderName::from_bytes(name.as_bytes());
            let value = HeaderValue::from_str(value);
            if let (Ok(name), Ok(value)) = (name, value) {
                headers.push((name, value));
            }
        }
        if !headers.iter().any(|(name, _)| name == CONTENT_TYPE) {
            headers.push((CONTENT_TYPE, HeaderValue::from_static("application/json")));
        }
        let (version, usual) = ANTHROPIC_VERSION;
        if call.protocol == Protocol::Anthropic && !headers.iter().any(|(name, _)| name == version) {
            headers.push((HeaderName::from_static(version), HeaderValue::from_static(usual)));
        }
        headers
    }

    fn add_own_headers(
        &self,
        headers: &mut Vec<(HeaderName, HeaderValue)>,
        budget_ms: u64,
        propagators: Propagators,
    ) {
        let attempt = format!("{}/{}", self.subagent.attempt, self.subagent.expected.max_attempts);
        self.add_place_headers(headers, propagators);
        add(headers, "idempotency-key", &self.idempotency_key());
        add(headers, "tributary-deadline", &self.deadline());
        add(headers, "tributary-budget-ms", &budget_ms);
        add(headers, "tributary-attempt", &attempt);
    }

    /// Whose call it is: its place in the trace, and its output.
    pub(super) fn add_place_headers(
        &self,
        headers: &mut Vec<(HeaderName, HeaderValue)>,
        propagators: Propagators,
    ) {
        // Not where an earlier attempt said that it stood: what this one does belongs to the output.
        let (result_key, own) =
            (self.subagent.output.result_key.as_str(), self.subagent.expected.telemetry.as_ref());
        let context = self.step.context.child(result_key, own);
        let output = &self.subagent.output;
        let traceparent = context.traceparent();
        let (tracestate, baggage) = (context.tracestate.as_deref(), context.baggage.as_deref());
        let place = [("traceparent", Some(&*traceparent)), ("tracestate", tracestate), ("baggage", baggage)];
        for (name, value) in place.into_iter().filter(|(name, _)| propagators.carry(name)) {
            if let Some(value) = value {
                add(headers, name, &value);
            }
        }
        add(headers, "tributary-session-id", &self.key.session);
        add(headers, "tributary-plan-step-id", &output.step);
        add(headers, "tributary-subagent", &output.stage);
        add(headers, "tributary-result-key", &output.result_key);
    }

    /// Names the output and what was asked, whoever calls and however often.
    fn idempotency_key(&self) -> String {
        let mut hash = Xxh3::new();
        let digest = self.step.digest.0.to_be_bytes();
        let output = &self.subagent.output;
        let parts = [self.key.tenant.as_str(), self.key.session.as_str(), output.step.as_str()];
        for part in parts.into_iter().chain([output.result_key.as_str()]) {
            hash.update(part.as_bytes());
            // Ids have no such byte: no two lists of parts are the same text.
            hash.update(&[0]);
        }
        hash.update(&digest);
        format!("{:032x}", hash.digest128())
    }

    fn a2a_request(&self, call: &InvokeCall, manner: A2aManner) -> A2aRequest {
        let directive = &self.step.directive;
        let task = self.subagent.expected.task.as_deref();
        let text = task.or(directive.query.as_deref()).or(directive.goal.as_deref()).unwrap_or_default();
        let name = self.idempotency_key();
        let ids = A2aIds { request: &name, message: &name, context: None };
        a2a_request(call.body.as_ref().map(|body| &body.0), text, ids, manner)
    }

    fn asked(&self) -> Bytes {
        let directive = &self.step.directive;
        let asked = Asked {
            task: self.subagent.expected.task.as_deref(),
            query: directive.query.as_deref(),
            goal: directive.goal.as_deref(),
            instructions: directive.instructions.as_deref(),
            planner_context: directive.planner_context.as_ref(),
        };
        serde_json::to_vec(&asked).expect("texts and raw JSON serialise").into()
    }
}

fn add_version(headers: &mut Vec<(HeaderName, HeaderValue)>, version: A2aVersion) {
    let value = HeaderValue::from_static(version.as_str());
    headers.push((HeaderName::from_static(A2aVersion::HEADER), value));
}

fn add(headers: &mut Vec<(HeaderName, HeaderValue)>, name: &'static str, value: &dyn Display) {
    // What a sender put into its trace may not fit a header: then it isn't sent on.
    if let Ok(value) = HeaderValue::from_str(&value.to_string()) {
        headers.push((HeaderName::from_static(name), value));
    }
}

fn accepted(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Json => "application/json",
        Protocol::Ndjson => "application/x-ndjson, application/json;q=0.5",
        Protocol::Sse | Protocol::Openai | Protocol::Anthropic | Protocol::A2a => {
            "text/event-stream, application/json;q=0.5"
        }
    }
}
