//! What an operator may set: read once at start, checked once, then handed on as small structs.
//!
//! Four layers, the later the stronger: `config/default.toml` (built in, holds every key), `--config FILE`,
//! `TRIBUTARY_SECTION__KEY` in the environment, `--listen`. Unknown keys, wrong types and values out of range are
//! errors that name the key and where it was set. Secrets are never printed, nor are passwords of addresses in wrong keys.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use serde::Deserialize;

use crate::domain::directive::{CallRules, DirectiveRules};
use crate::domain::ids::SubagentKey;
use crate::domain::limits::SessionLimits;

mod archive;
mod auth;
mod bridges;
mod calls;
mod check;
mod doubtful;
mod error;
mod hidden;
mod kept_out;
mod layers;
mod limits;
mod log;
mod reference;
mod secret;
mod server;
mod store;
mod streaming;
mod switches;
mod synthesis;
mod telemetry;
#[cfg(test)]
mod tests;
mod typed;
mod unused;
mod variables;

pub use archive::Archive;
pub use auth::{Auth, AuthMode, Cors, KeySettings};
pub use bridges::{Bridges, DurableStreams};
pub use calls::{Breaker, Invoke, Safety, Secrets, SubagentSettings};
pub use error::{ConfigError, Finding};
pub use hidden::without_credentials;
pub use limits::Limits;
pub use log::{Log, LogFormat};
pub use reference::reference;
pub use secret::Secret;
pub use server::Server;
pub use store::{Cache, CacheBackend};
pub use streaming::{Coordinator, Streaming};
pub use switches::Rollout;
pub use synthesis::{Model, SchemaSupport, Spending, Synthesis, SynthesisProvider};
pub use telemetry::Telemetry;

use check::Checks;
use layers::Origins;

/// What the command line says about configuration.
#[derive(Debug, Clone, Default)]
pub struct ConfigArgs {
    /// `--config FILE`.
    pub file: Option<PathBuf>,
    /// `--listen ADDR`.
    pub listen: Option<String>,
}

/// The whole configuration; each section is documented in `config/default.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the section of its name")]
pub struct Config {
    pub server: Server,
    pub cache: Cache,
    pub streaming: Streaming,
    pub coordinator: Coordinator,
    pub limits: Limits,
    pub archive: Archive,
    pub auth: Auth,
    pub cors: Cors,
    pub bridges: Bridges,
    pub invoke: Invoke,
    pub breaker: Breaker,
    pub safety: Safety,
    pub secrets: Secrets,
    pub synthesis: Synthesis,
    pub rollout: Rollout,
    pub subagents: BTreeMap<SubagentKey, SubagentSettings>,
    pub log: Log,
    pub telemetry: Telemetry,
    /// The `OTEL_*` variables that are set. Their values may hold credentials.
    #[serde(skip)]
    pub otel_variables: BTreeMap<String, Secret>,
    #[serde(skip)]
    origins: Origins,
}

impl Config {
    /// Reads all layers and checks the result.
    pub fn load(args: &ConfigArgs) -> Result<Self, ConfigError> {
        Self::load_with(args, std::env::vars_os())
    }

    /// The same with another environment.
    pub fn load_with(
        args: &ConfigArgs,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigError> {
        let mut layers = layers::read(args, environment)?;
        let mut findings = std::mem::take(&mut layers.findings);
        let Some(mut config) = typed::read::<Self>(&mut layers, &mut findings) else {
            return Err(ConfigError::Wrong(findings));
        };
        config.limits.fit(&layers.origins);
        config.origins = layers.origins;
        config.otel_variables = layers.otel_variables;
        match (config.check(), findings.is_empty()) {
            (Ok(()), true) => Ok(config),
            (Err(ConfigError::Wrong(also)), false) => {
                // What a value that counts as not set is held against says nothing.
                let about = |other: &Finding| {
                    findings
                        .iter()
                        .any(|finding| finding.key == other.key || other.detail.contains(&finding.key))
                };
                let also: Vec<Finding> = also.into_iter().filter(|other| !about(other)).collect();
                findings.extend(also);
                Err(ConfigError::Wrong(findings))
            }
            (Ok(()), false) => Err(ConfigError::Wrong(findings)),
            (Err(error), _) => Err(error),
        }
    }

    /// Refuses what can't work: values out of range, settings that contradict each other or ask for what isn't built.
    /// Reports everything at once.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.checked().finish()
    }

    fn checked(&self) -> Checks<'_> {
        let mut checks = Checks::new(&self.origins);
        self.server.check(&mut checks);
        self.cache.check(&mut checks);
        self.streaming.check(&mut checks);
        self.coordinator.check(&mut checks);
        self.limits.check(&self.cache, &mut checks);
        self.archive.check(&mut checks);
        self.auth.check(&self.server, &mut checks);
        self.cors.check(&mut checks);
        self.bridges.check(&mut checks);
        self.invoke.check(&mut checks);
        self.breaker.check(&mut checks);
        self.safety.check(&mut checks);
        calls::check_secrets(&self.secrets, &mut checks);
        self.synthesis.check(&mut checks);
        self.check_calls(&mut checks);
        self.log.check(&mut checks);
        checks
    }

    /// What a session may hold.
    pub fn session_limits(&self) -> SessionLimits {
        self.limits.session(self.safety.rules(), self.synthesis.writing_ms())
    }

    /// What directives may ask for.
    pub fn directive_rules(&self) -> DirectiveRules {
        let configured =
            self.subagents.iter().filter_map(|(key, subagent)| Some((key.clone(), subagent.call()?)));
        DirectiveRules {
            limits: self.session_limits(),
            calls: CallRules {
                allowed_hosts: self.invoke.allowed_hosts.clone(),
                allow_private: self.invoke.allow_private,
                secrets: self.secrets.keys().cloned().collect(),
                configured: configured.collect(),
            },
            prompts: BTreeSet::new(),
        }
    }

    /// Calls that are configured are held to what directives are.
    fn check_calls(&self, checks: &mut Checks<'_>) {
        let rules = self.directive_rules().calls;
        for (key, subagent) in &self.subagents {
            subagent.check(key, checks);
            if let Some(Err(refusal)) = subagent.call().map(|call| rules.check(&call, "")) {
                checks.refuse(&format!("subagents.{key}"), refusal.detail);
            }
        }
        let url = &self.safety.webhook_url;
        if let (false, Err(refusal)) = (url.is_empty(), rules.check_url(url, "")) {
            checks.refuse("safety.webhook_url", refusal.detail);
        }
    }

    /// What is set but has no effect beside the rest, or won't do what it is set for, a sentence each. Holds no secret.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = unused::warnings(self);
        warnings.extend(doubtful::warnings(self, jiff::Timestamp::now()));
        warnings
    }

    /// Where a key was set.
    pub fn origin_of(&self, key: &str) -> String {
        self.origins.of(key)
    }

    /// That a key's value can't work, found out by whoever uses it.
    pub fn wrong(&self, key: &str, detail: impl Into<String>) -> ConfigError {
        let origin = self.origin_of(key);
        ConfigError::Wrong(vec![Finding { key: key.to_owned(), detail: detail.into(), origin }])
    }
}
