//! Who may call, from the configuration to the port.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::store::Store;
use crate::config::{self, AuthMode, Config, Secret, without_credentials};
use crate::domain::time::Timestamp;
use crate::edge::auth::{
    ApiKey, AuthSettings, Authenticator, JwksSettings, JwksSource, MemoryTickets, SigningIn, Tickets,
};
use crate::edge::http::access::{Access, CookieSettings};
use crate::edge::http::rate_limit::RateLimits;

/// How callers are told apart, and what keeps their keys up to date.
pub(super) struct SignedIn {
    pub(super) access: Access,
    pub(super) authenticator: Arc<Authenticator>,
}

/// Joins tokens, tickets and the store of tickets.
///
/// # Errors
/// What of `[auth]` can't work.
pub(super) async fn open(config: &Config, store: &Store) -> anyhow::Result<SignedIn> {
    let authenticator = Arc::new(Authenticator::new(settings(config)?)?);
    if config.auth.mode == AuthMode::Required && !authenticator.refresh().await {
        // A file is as wrong as any other of the configuration; an address may answer in a moment.
        let told = no_keys(config, &authenticator);
        anyhow::ensure!(!has_keys_in_a_file(config), told);
        tracing::error!("{told}: tokens that it signs are refused until they can");
    }
    let tickets = store.tickets.clone().unwrap_or_else(|| Arc::new(MemoryTickets::default()));
    let tickets = Tickets::new(tickets, authenticator.clone(), config.auth.cookie_seconds);
    let origins = config.cors.allowed_origins.clone();
    let encrypted = !config.server.tls_certificate_file.is_empty();
    let access = Access {
        required: config.auth.mode == AuthMode::Required,
        sign_in: Arc::new(SigningIn::new(authenticator.clone(), tickets)),
        cookies: CookieSettings {
            cross_site: origins.iter().any(|origin| origin != "*"),
            secure: config.auth.cookie_secure || encrypted,
        },
        origins,
    };
    Ok(SignedIn { access, authenticator })
}

/// Whether tokens can be checked as configured and the keys be had; `offline`, those in a file alone.
///
/// # Errors
/// What is wrong.
pub async fn check(config: &Config, offline: bool) -> anyhow::Result<()> {
    let authenticator = Authenticator::new(settings(config)?)?;
    let is_asked = config.auth.mode == AuthMode::Required && (!offline || has_keys_in_a_file(config));
    anyhow::ensure!(!is_asked || authenticator.refresh().await, no_keys(config, &authenticator));
    Ok(())
}

fn has_keys_in_a_file(config: &Config) -> bool {
    matches!(JwksSource::read(&config.auth.jwks), Ok(JwksSource::File(_)))
}

/// That there are none, and why.
fn no_keys(config: &Config, authenticator: &Authenticator) -> String {
    let (why, origin) = (authenticator.trouble().unwrap_or_default(), config.origin_of("auth.jwks"));
    let from = without_credentials(&config.auth.jwks);
    format!("auth.jwks: no keys can be read from {from}: {why} (set in {origin})")
}

pub(super) fn rate_limits(config: &Config) -> RateLimits {
    RateLimits::new(config.limits.requests_per_second, config.limits.token_requests_per_second)
}

fn settings(config: &Config) -> anyhow::Result<AuthSettings> {
    let auth = &config.auth;
    let jwks = |text: &String| {
        let source = JwksSource::read(text);
        let source = source.map_err(|error| config.wrong("auth.jwks", error.to_string()))?;
        let refresh = Duration::from_millis(auth.jwks_refresh_ms);
        let stale = Duration::from_millis(auth.jwks_stale_ms);
        anyhow::Ok(JwksSettings { refresh, stale, ..JwksSettings::new(source) })
    };
    let is_set = |text: &&String| !text.is_empty();
    let secret = |secret: &Secret| secret.is_set().then(|| secret.expose().as_bytes().to_vec());
    Ok(AuthSettings {
        api_keys: auth.keys.iter().map(api_key).collect::<anyhow::Result<BTreeMap<_, _>>>()?,
        jwt_secret: secret(&auth.jwt_secret),
        jwt_secret_previous: secret(&auth.jwt_secret_previous),
        jwks: Some(&auth.jwks).filter(is_set).map(jwks).transpose()?,
        issuer: Some(&auth.jwt_issuer).filter(is_set).cloned(),
        audiences: auth.jwt_audiences.clone(),
    })
}

fn api_key((name, key): (&String, &config::KeySettings)) -> anyhow::Result<(String, ApiKey)> {
    let instant = |text: &String| {
        let read: Result<jiff::Timestamp, _> = text.parse();
        let read = read.with_context(|| format!("auth.keys.{name}.expires: `{text}` is no RFC 3339 time"))?;
        anyhow::Ok(Timestamp(read.as_millisecond()))
    };
    let hash = key.hash.expose().parse().with_context(|| format!("auth.keys.{name}.hash"))?;
    let expires = key.expires.as_ref().map(instant).transpose()?;
    let config::KeySettings { tenant, scopes, sessions, .. } = key.clone();
    Ok((name.clone(), ApiKey { hash, tenant, scopes, sessions, expires }))
}
