//! The claims of a JWT (RFC 7519), and the grant that they come to.
//!
//! What limits a token is never read generously: a claim of a wrong kind, also `null`, or one that stands there twice makes
//! the token unreadable rather than wider.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

use super::digest::{hex, sha256};
use super::error::AuthError;
use super::jws::read_object;
use crate::domain::access::{Grant, Scope, SessionPattern};
use crate::domain::ids::TenantId;
use crate::domain::time::Timestamp;

/// The last second of the year 9999. A later `exp` is a mistake, such as milliseconds.
const LAST_SECOND: f64 = 253_402_300_799.0;
/// Patterns of one token: it is kept for a minute, with as many others.
const PATTERNS_MAX: usize = 64;
/// Longest subject that is a label as it is.
const SUBJECT_BYTES_MAX: usize = 64;

/// Those that count; all others are passed over.
#[derive(Deserialize)]
pub(super) struct Claims {
    exp: Number,
    #[serde(default, deserialize_with = "never_null")]
    nbf: Option<Number>,
    #[serde(default, deserialize_with = "never_null")]
    iss: Option<String>,
    #[serde(default, deserialize_with = "never_null")]
    aud: Option<Audience>,
    #[serde(default, deserialize_with = "never_null")]
    sub: Option<String>,
    #[serde(default, deserialize_with = "never_null")]
    tenant: Option<TenantId>,
    #[serde(default)]
    scopes: Vec<String>,
    #[serde(default)]
    scope: String,
    #[serde(default, deserialize_with = "never_null")]
    sessions: Option<Vec<SessionPattern>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn has_one_of(&self, audiences: &[String]) -> bool {
        match self {
            Self::One(audience) => audiences.contains(audience),
            Self::Several(several) => several.iter().any(|audience| audiences.contains(audience)),
        }
    }
}

/// A claim that is absent or whole: an `Option` alone would take `null` for absent, which is the widest.
fn never_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Claims {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, AuthError> {
        read_object(bytes).ok_or_else(|| AuthError::Malformed(wrong_claim(bytes)))
    }

    /// Whether the token is for now, from the issuer, and for one of the audiences; without leeway.
    pub(super) fn check(
        &self,
        now: Timestamp,
        issuer: Option<&str>,
        audiences: &[String],
    ) -> Result<(), AuthError> {
        if now >= self.expires_at()? {
            return Err(AuthError::Expired);
        }
        if let Some(start) = &self.nbf
            && now < instant(start)?
        {
            return Err(AuthError::NotYet);
        }
        if issuer.is_some_and(|issuer| self.iss.as_deref() != Some(issuer)) {
            return Err(AuthError::WrongIssuer);
        }
        if !audiences.is_empty() && !self.aud.as_ref().is_some_and(|aud| aud.has_one_of(audiences)) {
            return Err(AuthError::WrongAudience);
        }
        Ok(())
    }

    fn expires_at(&self) -> Result<Timestamp, AuthError> {
        instant(&self.exp)
    }

    /// What they grant; `digest` is the token's, for one that says not who has it.
    pub(super) fn grant(self, digest: &[u8; 32]) -> Result<Grant, AuthError> {
        let expires_at = Some(self.expires_at()?);
        if self.sessions.as_ref().is_some_and(|patterns| patterns.len() > PATTERNS_MAX) {
            return Err(AuthError::Malformed("it has more than 64 sessions"));
        }
        let names = self.scopes.iter().map(String::as_str).chain(self.scope.split(' '));
        let scopes = names.filter_map(|name| name.parse::<Scope>().ok()).collect();
        let tenant = self.tenant.unwrap_or_else(TenantId::default_tenant);
        Ok(Grant {
            tenant,
            scopes,
            sessions: self.sessions,
            expires_at,
            name: label(self.sub.as_deref(), digest),
        })
    }
}

/// What is wrong with claims that can't be read.
fn wrong_claim(bytes: &[u8]) -> &'static str {
    let is_text = Value::is_string;
    let are_texts = |value: &Value| value.as_array().is_some_and(|texts| texts.iter().all(is_text));
    let Some(claims) = read_object::<Map<String, Value>>(bytes) else {
        return "its claims can't be read as a JSON object";
    };
    let wrong =
        |name: &str, is_right: &dyn Fn(&Value) -> bool| claims.get(name).is_some_and(|it| !is_right(it));
    match () {
        () if !claims.contains_key("exp") => "its claims lack `exp`",
        () if wrong("exp", &Value::is_number) => "its claim `exp` is no number",
        () if wrong("nbf", &Value::is_number) => "its claim `nbf` is no number",
        () if wrong("iss", &is_text) => "its claim `iss` is no text",
        () if wrong("sub", &is_text) => "its claim `sub` is no text",
        () if wrong("aud", &|aud| is_text(aud) || are_texts(aud)) => {
            "its claim `aud` is no text or array of texts"
        }
        () if wrong("tenant", &|tenant| TenantId::deserialize(tenant).is_ok()) => {
            "its claim `tenant` is no tenant's name"
        }
        () if wrong("scopes", &are_texts) => "its claim `scopes` is no array of texts",
        () if wrong("scope", &is_text) => "its claim `scope` is no text",
        () if wrong("sessions", &|all| Vec::<SessionPattern>::deserialize(all).is_ok()) => {
            "its claim `sessions` is no array of session patterns"
        }
        () => "one of its claims stands there twice",
    }
}

/// Seconds since 1970, also with a fraction (RFC 7519, section 2, "NumericDate"), rounded down to a millisecond: no token
/// lives longer than it says.
fn instant(seconds: &Number) -> Result<Timestamp, AuthError> {
    let seconds = seconds.as_f64().filter(|seconds| *seconds <= LAST_SECOND);
    let seconds = seconds.ok_or(AuthError::Malformed("an instant of it is not one"))?;
    Ok(Timestamp((seconds * 1_000.0).floor() as i64))
}

/// `jwt:` and the subject, or what stands for it where it is long or has characters that logs don't.
fn label(subject: Option<&str>, digest: &[u8; 32]) -> Arc<str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-@|/+".contains(&byte);
    let short = |digest: &[u8; 32]| hex(&digest[..4]);
    let who = match subject.filter(|subject| !subject.is_empty()) {
        Some(plain) if plain.len() <= SUBJECT_BYTES_MAX && plain.bytes().all(is_plain) => plain.to_owned(),
        Some(other) => short(&sha256(&[other.as_bytes()])),
        None => short(digest),
    };
    format!("jwt:{who}").into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn granted(claims: &str) -> Result<Grant, AuthError> {
        let claims = Claims::read(claims.as_bytes())?;
        claims.check(Timestamp(5_000), None, &[])?;
        claims.grant(&[0xab; 32])
    }

    #[test]
    fn time_is_taken_to_the_millisecond() {
        for (claims, expected) in [
            (r#"{"exp": 6}"#, Ok(6_000)),
            (r#"{"exp": 6.0015}"#, Ok(6_001)),
            (r#"{"exp": 5.001}"#, Ok(5_001)),
            (r#"{"exp": 5}"#, Err(AuthError::Expired)),
            (r#"{"exp": 5.0009}"#, Err(AuthError::Expired)),
            (r#"{"exp": -1}"#, Err(AuthError::Expired)),
            (r#"{"exp": -1e300}"#, Err(AuthError::Expired)),
            (r#"{"exp": 253402300799}"#, Ok(253_402_300_799_000)),
            (r#"{"exp": 1e300}"#, Err(AuthError::Malformed("an instant of it is not one"))),
            (r#"{"exp": 1700000000000}"#, Err(AuthError::Malformed("an instant of it is not one"))),
            (r#"{"exp": 6, "nbf": 5}"#, Ok(6_000)),
            (r#"{"exp": 6, "nbf": 5.001}"#, Err(AuthError::NotYet)),
            (r#"{"exp": 5, "nbf": 6}"#, Err(AuthError::Expired)),
        ] {
            let end = granted(claims).map(|grant| grant.expires_at.unwrap().0);
            assert_eq!(end, expected, "{claims}");
        }
    }

    #[test]
    fn claims_of_a_wrong_kind_are_never_read_as_absent() {
        for wrong in [
            "null",
            "[]",
            "[6]",
            r#"[6, 1, "me", "x", "u-1", "acme", ["read"]]"#,
            "6",
            "",
            r#"{"exp": "6"}"#,
            r#"{"exp": null}"#,
            "{}",
            r#"{"exp": [6]}"#,
            r#"{"exp": true}"#,
            r#"{"exp": 6, "exp": 7}"#,
            r#"{"exp": 6, "nbf": "1"}"#,
            r#"{"exp": 6, "nbf": null}"#,
            r#"{"exp": 6, "tenant": null}"#,
            r#"{"exp": 6, "tenant": ""}"#,
            r#"{"exp": 6, "tenant": "a/b"}"#,
            r#"{"exp": 6, "tenant": "a\u0000"}"#,
            r#"{"exp": 6, "tenant": ["a"]}"#,
            r#"{"exp": 6, "tenant": 1}"#,
            r#"{"exp": 6, "tenant": "a", "tenant": "b"}"#,
            r#"{"exp": 6, "sessions": null}"#,
            r#"{"exp": 6, "sessions": "*"}"#,
            r#"{"exp": 6, "sessions": ["a b"]}"#,
            r#"{"exp": 6, "sessions": [""]}"#,
            r#"{"exp": 6, "sessions": ["a"], "sessions": ["*"]}"#,
            r#"{"exp": 6, "scopes": "read"}"#,
            r#"{"exp": 6, "scopes": null}"#,
            r#"{"exp": 6, "scopes": [1]}"#,
            r#"{"exp": 6, "scope": ["read"]}"#,
            r#"{"exp": 6, "sub": 1}"#,
            r#"{"exp": 6, "iss": 1}"#,
            r#"{"exp": 6, "aud": null}"#,
            r#"{"exp": 6} "#,
            r#"{"exp": 6}x"#,
        ] {
            // A blank behind the document is JSON.
            let expected = wrong.ends_with("} ");
            assert_eq!(granted(wrong).is_ok(), expected, "{wrong}");
        }
    }

    #[test]
    fn grant_is_what_the_claims_say() {
        let grant = granted(
            r#"{"exp": 6, "tenant": "acme", "scopes": ["read", "fly"], "scope": "plan openid", "sessions": ["a*", "b"], "sub": "u-1", "x": {}}"#,
        );
        let expected = Grant {
            tenant: "acme".parse().unwrap(),
            scopes: [Scope::Plan, Scope::Read].into_iter().collect(),
            sessions: Some(vec!["a*".parse().unwrap(), "b".parse().unwrap()]),
            expires_at: Some(Timestamp(6_000)),
            name: "jwt:u-1".into(),
        };
        assert_eq!(grant, Ok(expected));
        let least = granted(r#"{"exp": 6}"#).unwrap();
        assert_eq!(
            (least.tenant.as_str(), least.scopes.iter().count(), least.sessions),
            ("default", 0, None)
        );
        assert_eq!(granted(r#"{"exp": 6, "sessions": []}"#).unwrap().sessions, Some(vec![]));
    }

    #[test]
    fn label_is_short_and_plain_whatever_the_subject() {
        let digest = [0xab; 32];
        assert_eq!(&*label(None, &digest), "jwt:abababab");
        assert_eq!(&*label(Some(""), &digest), "jwt:abababab");
        assert_eq!(&*label(Some("auth0|5f7c@acme"), &digest), "jwt:auth0|5f7c@acme");
        for odd in ["two words", "line\nbreak", "ä", "\0", &"x".repeat(65)] {
            let label = label(Some(odd), &digest);
            assert!(label.len() == 12 && !label.contains(odd) && &*label != "jwt:abababab", "{label}");
        }
    }

    #[test]
    fn issuer_and_audience_count_where_they_are_configured() {
        let check = |claims: &str, issuer: Option<&str>, audiences: &[&str]| {
            let audiences: Vec<String> = audiences.iter().map(ToString::to_string).collect();
            Claims::read(claims.as_bytes()).unwrap().check(Timestamp(0), issuer, &audiences)
        };
        let (iss, aud) = (Err(AuthError::WrongIssuer), Err(AuthError::WrongAudience));
        for (claims, issuer, audiences, expected) in [
            (r#"{"exp": 6, "iss": "me", "aud": "x"}"#, None, &[][..], Ok(())),
            (r#"{"exp": 6, "iss": "me"}"#, Some("me"), &[], Ok(())),
            (r#"{"exp": 6, "iss": "me/"}"#, Some("me"), &[], iss),
            (r#"{"exp": 6}"#, Some("me"), &[], iss),
            (r#"{"exp": 6, "aud": "a"}"#, None, &["a", "b"], Ok(())),
            (r#"{"exp": 6, "aud": ["z", "b"]}"#, None, &["a", "b"], Ok(())),
            (r#"{"exp": 6, "aud": ["z"]}"#, None, &["a", "b"], aud),
            (r#"{"exp": 6, "aud": []}"#, None, &["a"], aud),
            (r#"{"exp": 6, "aud": "ab"}"#, None, &["a", "b"], aud),
            (r#"{"exp": 6}"#, None, &["a"], aud),
        ] {
            assert_eq!(check(claims, issuer, audiences), expected, "{claims} {issuer:?} {audiences:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_claims_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(claims) = Claims::read(&bytes) {
                let _ = claims.check(Timestamp(0), Some("a"), &[]);
                let _ = claims.grant(&[0; 32]);
            }
        }

        #[test]
        fn no_number_gives_a_token_more_time_than_it_says(seconds in any::<f64>(), whole in any::<i64>()) {
            for text in [serde_json::to_string(&seconds).unwrap(), whole.to_string()] {
                if let Ok(grant) = granted(&format!(r#"{{"exp": {text}}}"#)) {
                    let end = grant.expires_at.unwrap().0;
                    prop_assert!(end as f64 / 1_000.0 <= text.parse::<f64>().unwrap());
                }
            }
        }
    }
}
