//! `Authenticator`: what a token grants.

use std::sync::Arc;

use jsonwebtoken::DecodingKey;

use super::api_keys::{ApiKeys, is_of_a_key};
use super::checked::Checked;
use super::claims::Claims;
use super::digest::sha256;
use super::error::AuthError;
use super::jwks::Jwks;
use super::jws::{Jws, TOKEN_BYTES_MAX};
use super::key_set::Algorithm;
use super::settings::{AuthSettings, AuthSettingsError, check_secret};
use crate::domain::access::{Grant, SessionPattern};
use crate::domain::time::Timestamp;

/// Keys that a token without a key's id is tried with.
const TRIED_MAX: usize = 8;

/// Checks tokens. One for the whole service.
pub struct Authenticator {
    api_keys: ApiKeys,
    /// Of HS256; one, or two while the one is exchanged for the other.
    secrets: Vec<DecodingKey>,
    jwks: Option<Jwks>,
    issuer: Option<String>,
    audiences: Vec<String>,
    checked: Checked,
}

impl Authenticator {
    /// Of settings that are as they should be. Nothing is read or fetched yet.
    ///
    /// # Errors
    /// What about them isn't.
    pub fn new(settings: AuthSettings) -> Result<Self, AuthSettingsError> {
        let AuthSettings { api_keys, jwt_secret, jwt_secret_previous, jwks, issuer, audiences } = settings;
        // One before none isn't one before another: without a secret no JWT is taken by one.
        let previous = jwt_secret_previous.filter(|_| jwt_secret.is_some());
        let secrets: Vec<_> = jwt_secret.into_iter().chain(previous).collect();
        secrets.iter().try_for_each(|secret| check_secret(secret))?;
        Ok(Self {
            api_keys: ApiKeys::new(api_keys)?,
            secrets: secrets.iter().map(|secret| DecodingKey::from_secret(secret)).collect(),
            jwks: jwks.as_ref().map(Jwks::new).transpose()?,
            issuer,
            audiences,
            checked: Checked::default(),
        })
    }

    /// What a token grants, where that can be said at once: for API keys, for JWTs that were checked within the last
    /// minute, and for what can't be a token. `None`: [`authenticate`](Self::authenticate) knows.
    pub fn known(&self, token: &str, now: Timestamp) -> Option<Result<Arc<Grant>, AuthError>> {
        match digest_of(token) {
            Ok(digest) => self.known_by(&digest, token, now),
            Err(error) => Some(Err(error)),
        }
    }

    /// An API key may have dots as well; then it is found here before it is read as a JWT.
    fn known_by(
        &self,
        digest: &[u8; 32],
        token: &str,
        now: Timestamp,
    ) -> Option<Result<Arc<Grant>, AuthError>> {
        if let Some(grant) = self.checked.get(digest, now) {
            return Some(Ok(grant));
        }
        match self.api_keys.check(digest, now) {
            Err(AuthError::Unknown) if token.contains('.') => None,
            known => Some(known),
        }
    }

    /// What a token grants.
    ///
    /// # Errors
    /// What is wrong with it, or [`AuthError::NoKeys`] where the keys to check it with can't be had. Waits for these at
    /// most as long as a fetch may take.
    pub async fn authenticate(&self, token: &str, now: Timestamp) -> Result<Arc<Grant>, AuthError> {
        let digest = digest_of(token)?;
        if let Some(known) = self.known_by(&digest, token, now) {
            return known;
        }
        let jws = Jws::parse(token)?;
        self.check_signature(&jws).await?;
        let claims = Claims::read(&jws.claims()?)?;
        claims.check(now, self.issuer.as_deref(), &self.audiences)?;
        let grant = Arc::new(claims.grant(&digest)?);
        self.checked.keep(digest, grant.clone(), now);
        Ok(grant)
    }

    /// Keeps the keys of JWTs up to date: for one task, which is dropped to end it. Returns where there are none to keep.
    pub async fn refresh_forever(&self) {
        if let Some(jwks) = &self.jwks {
            jwks.refresh_forever().await;
        }
    }

    /// Looks at the keys of JWTs now: at the start, so that the first token doesn't wait, and to tell what is wrong. Whether
    /// they could be had; also where there are none to have.
    pub async fn refresh(&self) -> bool {
        match &self.jwks {
            Some(jwks) => jwks.refresh().await,
            None => true,
        }
    }

    /// Whether the keys of JWTs could be had when they were looked at last; absent where there are none to have.
    pub fn keys(&self) -> Option<Result<(), String>> {
        self.jwks.as_ref().map(|jwks| jwks.failure().map_or(Ok(()), Err))
    }

    /// Why the keys of JWTs couldn't be had when they were looked at last, where they couldn't.
    pub fn trouble(&self) -> Option<String> {
        self.jwks.as_ref().and_then(Jwks::failure)
    }

    /// The algorithm names the kind of key, and only keys of that kind are tried: a public key is never a secret.
    async fn check_signature(&self, jws: &Jws<'_>) -> Result<(), AuthError> {
        if jws.algorithm == Algorithm::Hs256 {
            let mut secrets = self.secrets.iter().peekable();
            if secrets.peek().is_none() {
                return Err(AuthError::Algorithm);
            }
            let is_ours = secrets.any(|secret| jws.is_signed_by(secret));
            return if is_ours { Ok(()) } else { Err(AuthError::BadSignature) };
        }
        let keys = self.jwks.as_ref().ok_or(AuthError::Algorithm)?.keys(jws.key_id.as_deref()).await?;
        let mut tried = keys.candidates(jws.algorithm, jws.key_id.as_deref()).take(TRIED_MAX).peekable();
        if tried.peek().is_none() {
            return Err(AuthError::UnknownKey);
        }
        if tried.any(|key| jws.is_signed_by(&key.key)) { Ok(()) } else { Err(AuthError::BadSignature) }
    }

    /// What a stored grant is bound to besides its own time: the API key that it came from. `None` for a JWT's grant.
    pub(super) fn bound_to(&self, grant: &Grant) -> Option<String> {
        self.api_keys.fingerprint(grant)
    }

    /// Whether a grant that was stored with [`bound_to`](Self::bound_to) still holds: its time isn't over, and the very key
    /// that it came from is still configured, for all that it grants.
    pub(super) fn still_holds(&self, grant: &Grant, bound_to: Option<&str>, now: Timestamp) -> bool {
        if grant.is_expired(now) {
            return false;
        }
        if !is_of_a_key(grant) {
            return bound_to.is_none();
        }
        let is_same_key = bound_to.is_some() && self.bound_to(grant).as_deref() == bound_to;
        is_same_key && self.api_keys.current(grant).is_some_and(|current| holds(current, grant, now))
    }
}

/// What a token is known by, where it can be one.
fn digest_of(token: &str) -> Result<[u8; 32], AuthError> {
    match token.len() {
        0 => Err(AuthError::Missing),
        1..=TOKEN_BYTES_MAX => Ok(sha256(&[token.as_bytes()])),
        _ => Err(AuthError::Malformed("it is longer than 8 KiB")),
    }
}

/// Whether a key still grants what was narrowed out of it: reading the sessions of these names.
fn holds(current: &Grant, narrowed: &Grant, now: Timestamp) -> bool {
    let has_scopes = narrowed.scopes.iter().all(|scope| current.scopes.contains(scope));
    let is_one = |pattern: &SessionPattern| pattern.as_str().parse().is_ok_and(|id| current.covers(&id));
    let has_sessions = narrowed.sessions.as_ref().is_some_and(|patterns| patterns.iter().all(is_one));
    current.tenant == narrowed.tenant && !current.is_expired(now) && has_scopes && has_sessions
}
