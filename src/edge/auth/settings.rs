//! What tokens are checked with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use url::{Host, Url};

use super::api_keys::ApiKey;
use crate::domain::access::{SECRET_BYTES_ENOUGH, SECRET_BYTES_LEAST};

/// Where the public keys of JWTs are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JwksSource {
    /// A file, read again when it changes.
    File(PathBuf),
    /// An address, fetched: `https`, or `http` on this machine.
    Url(Url),
}

impl JwksSource {
    /// Out of the configuration: an address where it begins with a scheme, else a file.
    ///
    /// # Errors
    /// An address that isn't `https` nor `http` on this machine.
    pub fn read(text: &str) -> Result<Self, AuthSettingsError> {
        if !text.contains("://") {
            return Ok(Self::File(text.into()));
        }
        let url: Url = text.parse().map_err(|_| AuthSettingsError::JwksAddress)?;
        let is_here = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        let fits = url.scheme() == "https" || (url.scheme() == "http" && is_here);
        fits.then_some(Self::Url(url)).ok_or(AuthSettingsError::JwksAddress)
    }
}

/// The keys of JWTs that others sign, and how they are kept up to date.
#[derive(Debug, Clone)]
pub struct JwksSettings {
    /// Where they are.
    pub source: JwksSource,
    /// How often they are looked at.
    pub refresh: Duration,
    /// How long they are used when they can't be had any more, from when they were had last.
    pub stale: Duration,
    /// The least time between two looks that tokens ask for.
    pub pause: Duration,
    /// How long a fetch may take in all.
    pub timeout: Duration,
}

impl JwksSettings {
    /// A source with the usual times: looked at every 5 minutes, used for an hour without an answer.
    pub fn new(source: JwksSource) -> Self {
        Self {
            source,
            refresh: Duration::from_secs(300),
            stale: Duration::from_secs(3_600),
            pause: Duration::from_secs(10),
            timeout: Duration::from_secs(5),
        }
    }
}

/// What a token may be: an API key, or a JWT by a secret or by others' keys. Nothing set: no token opens anything.
#[derive(Clone, Default)]
pub struct AuthSettings {
    /// API keys by their names.
    pub api_keys: BTreeMap<String, ApiKey>,
    /// The secret of HS256.
    pub jwt_secret: Option<Vec<u8>>,
    /// The one before it, whose tokens are taken as well.
    pub jwt_secret_previous: Option<Vec<u8>>,
    /// The keys of RS256, ES256 and EdDSA.
    pub jwks: Option<JwksSettings>,
    /// The `iss` that a JWT must have.
    pub issuer: Option<String>,
    /// The `aud` values of which a JWT must have one; none: not looked at.
    pub audiences: Vec<String>,
}

/// Why tokens can't be checked as configured. No text holds a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthSettingsError {
    /// A name that can't be a label.
    #[error("auth.keys: a name is 1 to 128 characters of A-Z a-z 0-9 . _ : -")]
    KeyName,
    /// Two names for one key: whose grant would count isn't said.
    #[error("auth.keys: `{0}` and `{1}` have the same hash")]
    SameKey(String, String),
    /// A secret that can be guessed.
    #[error(
        "auth.jwt_secret is too short: at least {SECRET_BYTES_LEAST} bytes, better {SECRET_BYTES_ENOUGH}"
    )]
    ShortSecret,
    /// An address that others could answer for.
    #[error("it must be a file, an https address, or an http address of this machine")]
    JwksAddress,
    /// What fetches can't be made.
    #[error("auth.jwks can't be fetched: {0}")]
    Client(String),
}

/// Looks at the length of a secret.
pub(super) fn check_secret(secret: &[u8]) -> Result<(), AuthSettingsError> {
    if secret.len() < SECRET_BYTES_LEAST {
        return Err(AuthSettingsError::ShortSecret);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_from_files_and_from_addresses_that_nobody_else_answers_for() {
        for (text, fits) in [
            ("keys.json", true),
            ("config/jwks.json", true),
            ("https://id.example.com/jwks", true),
            ("http://127.0.0.1:8080/jwks", true),
            ("http://[::1]/jwks", true),
            ("http://localhost:1/", true),
            ("http://id.example.com/jwks", false),
            ("http://localhost.example.com/", false),
            ("http://10.0.0.1/", false),
            ("ftp://127.0.0.1/", false),
            ("file:///keys.json", false),
            ("http://", false),
        ] {
            assert_eq!(JwksSource::read(text).is_ok(), fits, "{text}");
        }
    }

    #[test]
    fn secret_has_eight_bytes_at_least() {
        assert_eq!(check_secret(b"1234567"), Err(AuthSettingsError::ShortSecret));
        assert_eq!(check_secret(b"12345678"), Ok(()));
    }
}
