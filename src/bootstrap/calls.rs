//! Calls of subagents and webhooks, from the configuration to their ports.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::store::Store;
use crate::config::Config;
use crate::domain::adapters::Adapter;
use crate::domain::backoff::BackoffSettings;
use crate::domain::protocols::Bounds;
use crate::domain::signature::WebhookSecret;
use crate::edge::subagents::{CallOptions, HttpSubagents, Secrets};
use crate::engine::invoke::{InvokeSettings, Invoker, Webhook};
use crate::engine::ports::result_cache::ResultCache;
use crate::engine::telemetry::Telemetry;

/// Who calls, over the given store.
pub(super) fn invoker(
    config: &Config,
    store: &Store,
    cache: &Arc<dyn ResultCache>,
    telemetry: &Telemetry,
) -> anyhow::Result<Invoker> {
    let subagents = subagents(config)?;
    let webhook = webhook(config, cache)?;
    // Where there are no tokens to share there is nobody to share them with, nor to take a call over.
    let settings = settings(config, store.tokens.is_some());
    Ok(Invoker::new(Arc::new(subagents), store.tokens.clone(), webhook, settings, telemetry.clone()))
}

/// Whether calls can be made as configured; none is made.
///
/// # Errors
/// Where they can't; the text names the key.
pub fn check(config: &Config) -> anyhow::Result<()> {
    subagents(config).map(drop)
}

fn subagents(config: &Config) -> anyhow::Result<HttpSubagents> {
    let made = HttpSubagents::new(call_options(config)?);
    let path = &config.invoke.ca_file;
    if path.is_empty() { Ok(made?) } else { made.with_context(|| ca_file(config)) }
}

/// The root certificates that are configured besides the system's.
///
/// # Errors
/// Where the file can't be read.
pub(super) fn ca_certificates(config: &Config) -> anyhow::Result<Option<Vec<u8>>> {
    let path = &config.invoke.ca_file;
    let read = || std::fs::read(path).with_context(|| format!("{} can't be read", ca_file(config)));
    (!path.is_empty()).then(read).transpose()
}

fn ca_file(config: &Config) -> String {
    format!("invoke.ca_file {} (set in {})", config.invoke.ca_file, config.origin_of("invoke.ca_file"))
}

fn call_options(config: &Config) -> anyhow::Result<CallOptions> {
    let invoke = &config.invoke;
    let secrets = config.secrets.iter().map(|(name, value)| (name.clone(), value.expose().to_owned()));
    let secrets = Secrets::new(secrets)
        .map_err(|name| anyhow::anyhow!("secrets.{name} isn't a value of an HTTP header"))?;
    Ok(CallOptions {
        allowed_hosts: invoke.allowed_hosts.clone(),
        allow_private: invoke.allow_private,
        secrets,
        ca_certificates: ca_certificates(config)?,
        calls_max: invoke.calls_max,
        connect_timeout: Duration::from_millis(invoke.connect_timeout_ms),
        idle_timeout: Duration::from_millis(invoke.idle_timeout_ms),
        answer_bytes_max: invoke.answer_bytes,
    })
}

fn settings(config: &Config, is_shared: bool) -> InvokeSettings {
    let invoke = &config.invoke;
    let kinds = Adapter::ALL.iter().filter(|kind| **kind != Adapter::Generic);
    let kinds = kinds.filter_map(|kind| kind.name().parse().ok());
    InvokeSettings {
        named: config.subagents.keys().cloned().chain(kinds).collect(),
        calls_max: invoke.calls_max,
        lease: is_shared.then(|| Duration::from_millis(invoke.lease_ms)),
        backoff: BackoffSettings { base_ms: invoke.backoff_base_ms, most_ms: invoke.backoff_most_ms },
        breaker: config.breaker.settings(),
        bounds: Bounds { event_bytes: config.limits.event_bytes, text_bytes: config.limits.event_bytes },
    }
}

fn webhook(config: &Config, cache: &Arc<dyn ResultCache>) -> anyhow::Result<Option<Webhook>> {
    let safety = &config.safety;
    if safety.webhook_url.is_empty() {
        return Ok(None);
    }
    let url = safety.webhook_url.parse().context("safety.webhook_url isn't a URL")?;
    let secret = WebhookSecret::parse(safety.webhook_secret.expose()).context("safety.webhook_secret")?;
    Ok(Some(Webhook { url, secret, cache: cache.clone() }))
}
