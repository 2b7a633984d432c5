//! `[auth]`, `[cors]`: who may call, and from which pages.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use super::check::Checks;
use super::secret::Secret;
use super::server::Server;
use crate::domain::access::{SECRET_BYTES_LEAST, Scopes, SessionPattern};
use crate::domain::ids::{SessionId, TenantId};

/// Whether callers must sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthMode {
    /// Everyone who can connect may do everything.
    None,
    /// By token.
    Required,
}

/// Who may call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Auth {
    pub mode: AuthMode,
    pub jwt_secret: Secret,
    pub jwt_secret_previous: Secret,
    pub jwks: String,
    pub jwks_refresh_ms: u64,
    pub jwks_stale_ms: u64,
    pub jwt_issuer: String,
    pub jwt_audiences: Vec<String>,
    pub cookie_seconds: u64,
    pub cookie_secure: bool,
    pub keys: BTreeMap<String, KeySettings>,
}

/// An API key, which the configuration knows by its hash alone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySettings {
    /// `sha256:` and 64 hexadecimal digits, from `tributary key`. Printed nowhere: it may be the key itself, by mistake.
    pub hash: Secret,
    /// Whose sessions it opens.
    #[serde(default = "TenantId::default_tenant")]
    pub tenant: TenantId,
    /// What it is for.
    pub scopes: Scopes,
    /// Which sessions, each a name in which `*` stands for any characters; absent: all of the tenant.
    #[serde(default)]
    pub sessions: Option<Vec<SessionPattern>>,
    /// Until when, RFC 3339; absent: without an end.
    #[serde(default)]
    pub expires: Option<String>,
}

impl Auth {
    pub(super) fn check(&self, server: &Server, checks: &mut Checks<'_>) {
        let none = !self.jwt_secret.is_set() && self.jwks.is_empty() && self.keys.is_empty();
        match self.mode {
            AuthMode::Required if none => {
                checks.refuse("auth.mode", "nobody could sign in: set auth.jwt_secret, auth.jwks or auth.keys");
            }
            AuthMode::None if !server.listen.ip().is_loopback() => checks.refuse(
                "server.listen",
                format!(
                    "{} can be reached by others, and auth.mode is none: set it to required, or listen on 127.0.0.1",
                    server.listen
                ),
            ),
            AuthMode::None | AuthMode::Required => {}
        }
        for (key, secret) in self.jwt_secrets() {
            if secret.expose().len() < SECRET_BYTES_LEAST {
                let detail = format!("it is too short: at least {SECRET_BYTES_LEAST} bytes, better 32");
                checks.refuse(key, detail);
            }
        }
        self.keys.iter().for_each(|(name, key)| key.check(name, checks));
        self.check_twins(checks);
        checks.range("auth.jwks_refresh_ms", self.jwks_refresh_ms, 1_000..=86_400_000);
        checks.range("auth.jwks_stale_ms", self.jwks_stale_ms, 1_000..=2_592_000_000);
        checks.range("auth.cookie_seconds", self.cookie_seconds, 60..=2_592_000);
    }
}

impl Auth {
    /// The secrets of JWTs that are set, by their keys.
    pub(super) fn jwt_secrets(&self) -> impl Iterator<Item = (&'static str, &Secret)> {
        let all =
            [("auth.jwt_secret", &self.jwt_secret), ("auth.jwt_secret_previous", &self.jwt_secret_previous)];
        all.into_iter().filter(|(_, secret)| secret.is_set())
    }

    /// Two names for one key: whose grant would count isn't said.
    fn check_twins(&self, checks: &mut Checks<'_>) {
        let mut known = BTreeMap::new();
        for (name, key) in &self.keys {
            if let Some(first) = known.insert(key.hash.expose().to_ascii_lowercase(), name) {
                let detail = format!("it is the same as `auth.keys.{first}.hash`: a key has one name");
                checks.refuse(&format!("auth.keys.{name}.hash"), detail);
            }
        }
    }
}

impl KeySettings {
    fn check(&self, name: &str, checks: &mut Checks<'_>) {
        // The characters of ids are those that are safe in a label.
        if name.parse::<SessionId>().is_err() {
            let detail = "a key's name is 1 to 128 characters of A-Z a-z 0-9 . _ : -";
            checks.refuse(&format!("auth.keys.{name}"), detail);
        }
        let digits = self.hash.expose().strip_prefix("sha256:").unwrap_or_default();
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            let detail = "the hash of a key is `sha256:` and 64 hexadecimal digits";
            checks.refuse(&format!("auth.keys.{name}.hash"), detail);
        }
        let is_time = |text: &String| text.parse::<Timestamp>().is_ok();
        if let Some(text) = self.expires.as_ref().filter(|text| !is_time(text)) {
            let detail = format!("`{text}` is no RFC 3339 time, such as 2027-01-31T00:00:00Z");
            checks.refuse(&format!("auth.keys.{name}.expires"), detail);
        }
    }
}

/// Pages of other origins.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Cors {
    pub allowed_origins: Vec<String>,
}

impl Cors {
    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        for origin in &self.allowed_origins {
            let is_one = url::Url::parse(origin).is_ok_and(|url| {
                matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == *origin
            });
            if !is_one && origin != "*" {
                let detail = format!("`{origin}` is not an origin, such as https://app.example.com, nor *");
                checks.refuse("cors.allowed_origins", detail);
            } else if is_one && origin.contains('*') {
                let detail = format!("`{origin}` has a wildcard, which matches nothing: name every origin");
                checks.refuse("cors.allowed_origins", detail);
            }
        }
        if self.allowed_origins.len() > 1 && self.allowed_origins.iter().any(|origin| origin == "*") {
            checks.refuse("cors.allowed_origins", "* stands alone: it allows all");
        }
    }
}
