//! `[archive]`, `[auth]`, `[invoke]`, `[synthesis]`: who may call, and whom the service calls.

use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::check::Checks;
use super::secret::Secret;
use super::server::Server;

/// Where entries are kept for good.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Archive {
    pub url: Secret,
    pub batch_entries: usize,
    pub batch_bytes: usize,
    pub batch_wait_ms: u64,
    pub look_after_ms: u64,
    pub retention_days: u64,
}

impl Archive {
    /// Where it is; `None` where there is none.
    pub fn url(&self) -> Option<&str> {
        let url = self.url.expose();
        (self.url.is_set() && url != "none").then_some(url)
    }

    pub(super) fn check(&self, checks: &mut Checks<'_>) {
        const SCHEMES: [&str; 3] = ["sqlite://", "postgres://", "postgresql://"];
        let fits =
            |url: &str| SCHEMES.iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
        if self.url().is_some_and(|url| !fits(url)) {
            checks.refuse("archive.url", "it is `none`, `sqlite://<path>` or `postgres://…`");
        }
        checks.range("archive.batch_entries", self.batch_entries as u64, 1..=100_000);
        checks.range("archive.batch_bytes", self.batch_bytes as u64, 65_536..=1 << 30);
        checks.range("archive.batch_wait_ms", self.batch_wait_ms, 0..=10_000);
        checks.range("archive.look_after_ms", self.look_after_ms, 100..=3_600_000);
        checks.range("archive.retention_days", self.retention_days, 1..=36_500);
    }
}

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
}

impl Auth {
    pub(super) fn check(&self, server: &Server, checks: &mut Checks<'_>) {
        let advice = "listen on 127.0.0.1 and put a proxy that signs callers in before it";
        match self.mode {
            AuthMode::Required => {
                checks.refuse("auth.mode", format!("sign-in is not built yet: set it to none, {advice}"));
            }
            AuthMode::None if server.listen.ip().is_loopback() => {}
            AuthMode::None => checks.refuse(
                "server.listen",
                format!("{} can be reached by others, and sign-in is not built yet: {advice}", server.listen),
            ),
        }
    }

    pub(super) fn warn(&self, warnings: &mut Vec<String>) {
        if self.mode == AuthMode::None && self.jwt_secret.is_set() {
            warnings.push(
                "auth.jwt_secret is set, but auth.mode is none: callers are not asked for a token".into(),
            );
        }
    }
}

/// A host that subagents may be called at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AllowedHost {
    /// Name or address, in lower case; an IPv6 address without brackets.
    pub host: String,
    /// `None`: any port.
    pub port: Option<u16>,
}

impl std::fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.host),
            None => f.write_str(&self.host),
        }
    }
}

impl FromStr for AllowedHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = || format!("`{text}` is neither `host` nor `host:port`");
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, port)) => (host, Some(port.strip_prefix(':').ok_or_else(unfit)?)),
            None if text.matches(':').count() > 1 => (text, None),
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let port = port.map(str::parse).transpose().map_err(|_| unfit())?;
        let is_address = host.parse::<std::net::Ipv6Addr>().is_ok();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if host.is_empty() || !(is_address || host.chars().all(is_name)) {
            return Err(unfit());
        }
        Ok(Self { host: host.to_ascii_lowercase(), port })
    }
}

impl<'de> Deserialize<'de> for AllowedHost {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Whom the service may call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Invoke {
    pub allowed_hosts: Vec<AllowedHost>,
    pub allow_private: bool,
}

/// Whose language model drafts answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SynthesisProvider {
    /// Nobody's: answers are extracted.
    None,
    /// OpenAI, or what speaks its protocol.
    OpenAi,
    /// Anthropic, or what speaks its protocol.
    Anthropic,
}

/// The language model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "config/default.toml documents the keys")]
pub struct Synthesis {
    pub provider: SynthesisProvider,
    pub base_url: String,
    pub model: String,
    pub api_key: Secret,
}

impl Synthesis {
    pub(super) fn warn(&self, warnings: &mut Vec<String>) {
        if self.provider != SynthesisProvider::None {
            let consequence = "answers are extracted from the results";
            warnings.push(format!(
                "synthesis.provider is set, but language models are not built yet: {consequence}"
            ));
        }
    }
}
