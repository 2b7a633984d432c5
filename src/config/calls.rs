//! `[invoke]`, `[breaker]`, `[safety]`, `[secrets]`, `[subagents]`: whom the service calls, and what happens when that fails.

use std::collections::BTreeMap;

use http::HeaderValue;
use serde::Deserialize;

use super::check::Checks;
use super::secret::Secret;
use crate::domain::allowed_host::AllowedHost;
use crate::domain::breaker::BreakerSettings;
use crate::domain::directive::{InvokeCall, Protocol};
use crate::domain::event::ArcJson;
use crate::domain::ids::SubagentKey;
use crate::domain::limits::{SafetyFailure, SafetyRules};
use crate::domain::signature::WebhookSecret;

/// How subagents are called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Invoke {
    pub allowed_hosts: Vec<AllowedHost>,
    pub allow_private: bool,
    pub ca_file: String,
    pub calls_max: usize,
    pub connect_timeout_ms: u64,
    pub idle_timeout_ms: u64,
    pub answer_bytes: usize,
    pub backoff_base_ms: u64,
    pub backoff_most_ms: u64,
    pub lease_ms: u64,
}

impl Invoke {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.range("invoke.calls_max", self.calls_max as u64, 1..=1_000_000);
        checks.range("invoke.connect_timeout_ms", self.connect_timeout_ms, 10..=600_000);
        checks.range("invoke.idle_timeout_ms", self.idle_timeout_ms, 10..=86_400_000);
        checks.range("invoke.answer_bytes", self.answer_bytes as u64, 1_024..=1 << 30);
        checks.range("invoke.backoff_base_ms", self.backoff_base_ms, 1..=600_000);
        checks.range("invoke.backoff_most_ms", self.backoff_most_ms, 1..=3_600_000);
        let (base, most) = (self.backoff_base_ms, self.backoff_most_ms);
        checks.at_most("invoke.backoff_base_ms", base, "invoke.backoff_most_ms", most);
        checks.range("invoke.lease_ms", self.lease_ms, 300..=600_000);
    }
}

/// When a subagent that keeps failing isn't called for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Breaker {
    pub window_ms: u64,
    pub minimum_calls: u64,
    pub failure_percent: u64,
    pub open_ms: u64,
    pub open_most_ms: u64,
    pub probe_ms: u64,
}

impl Breaker {
    /// The part that breakers keep.
    pub fn settings(&self) -> BreakerSettings {
        BreakerSettings {
            window_ms: self.window_ms,
            minimum_calls: self.minimum_calls,
            failure_rate: self.failure_percent as f64 / 100.0,
            open_ms: self.open_ms,
            open_most_ms: self.open_most_ms,
            probe_ms: self.probe_ms,
        }
    }

    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        checks.range("breaker.window_ms", self.window_ms, 100..=3_600_000);
        checks.range("breaker.minimum_calls", self.minimum_calls, 1..=1_000_000);
        checks.range("breaker.failure_percent", self.failure_percent, 1..=100);
        checks.range("breaker.open_ms", self.open_ms, 1..=3_600_000);
        checks.range("breaker.open_most_ms", self.open_most_ms, 1..=86_400_000);
        checks.at_most("breaker.open_ms", self.open_ms, "breaker.open_most_ms", self.open_most_ms);
        checks.range("breaker.probe_ms", self.probe_ms, 100..=86_400_000);
    }
}

/// What follows from safety decisions, and from their absence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Safety {
    pub on_failure: SafetyFailure,
    pub webhook_url: String,
    pub webhook_secret: Secret,
}

impl Safety {
    /// The part that decisions keep.
    pub fn rules(&self) -> SafetyRules {
        SafetyRules { on_failure: self.on_failure, notifies: !self.webhook_url.is_empty() }
    }

    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        if !self.webhook_url.is_empty() && !self.webhook_secret.is_set() {
            let detail = "a webhook is signed: set `safety.webhook_secret` too";
            checks.refuse("safety.webhook_url", detail);
        }
        let secret = self.webhook_secret.is_set().then(|| WebhookSecret::parse(self.webhook_secret.expose()));
        if let Some(Err(error)) = secret {
            checks.refuse("safety.webhook_secret", error.to_string());
        }
    }
}

/// What is configured of one kind of subagent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubagentSettings {
    /// Off: its terminal is `degraded`, reason `disabled`.
    #[serde(default = "on")]
    pub enabled: bool,
    /// Where it is called, unless a directive says otherwise; absent: it pushes.
    #[serde(default)]
    pub url: Option<String>,
    /// How its answer is read.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    /// Headers to send; credentials are `secret:<name>`.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// What to send; absent: the task, the query and the goal.
    #[serde(default)]
    pub body: Option<serde_json::Value>,
}

fn on() -> bool {
    true
}

impl SubagentSettings {
    /// The call that is configured, where one is.
    pub fn call(&self) -> Option<InvokeCall> {
        let url = self.url.clone()?;
        let raw = |body: &serde_json::Value| serde_json::value::to_raw_value(body).ok();
        let body = self.body.as_ref().and_then(raw).map(|raw| ArcJson(raw.into()));
        let protocol = self.protocol.unwrap_or(Protocol::Json);
        Some(InvokeCall { url, protocol, headers: self.headers.clone(), body })
    }

    pub(super) fn check(&self, key: &SubagentKey, checks: &mut Checks<'_>) {
        let given = self.protocol.is_some() || !self.headers.is_empty() || self.body.is_some();
        if given && self.url.is_none() {
            checks.refuse(&format!("subagents.{key}"), "it has no `url` to call, so nothing else of a call");
        }
    }
}

/// Credentials by name, as `secret:<name>` in headers of calls.
pub type Secrets = BTreeMap<String, Secret>;

/// Each is sent as the value of a header; what isn't one would be found out by the first call.
pub(super) fn check_secrets(secrets: &Secrets, checks: &mut Checks<'_>) {
    for (name, secret) in secrets {
        if HeaderValue::from_str(secret.expose()).is_err() {
            let detail = "it isn't a value of an HTTP header: visible ASCII, spaces and tabs";
            checks.refuse(&format!("secrets.{name}"), detail);
        }
    }
}
