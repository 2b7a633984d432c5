//! Those who come with a token, or with something else, and what they may expect.

use serde_json::{Value, json};

use super::issuer::Signer;
use super::operations::{About, Operation};
use super::scene::{ALL, claims, in_seconds, token, with};

/// Somebody with a token, and what the token is for.
pub struct Someone {
    pub name: String,
    pub authorization: Option<String>,
    refusal: Option<&'static str>,
    scopes: Vec<&'static str>,
    covers: bool,
    whole_tenant: bool,
}

impl Someone {
    fn refused(name: &str, authorization: Option<String>, code: &'static str) -> Self {
        let name = name.to_owned();
        Self { name, authorization, refusal: Some(code), scopes: vec![], covers: false, whole_tenant: false }
    }

    fn with(name: &str, token: &str, scopes: &[&'static str], sessions: Option<bool>) -> Self {
        Self {
            name: name.to_owned(),
            authorization: Some(format!("Bearer {token}")),
            refusal: None,
            scopes: scopes.to_vec(),
            covers: sessions != Some(false),
            whole_tenant: sessions.is_none(),
        }
    }

    /// The code of its refusal; `None` where it is let in.
    pub fn expected(&self, operation: &Operation) -> Option<&'static str> {
        if operation.scope.is_empty() {
            return None;
        }
        let about = match operation.about {
            About::Anything => true,
            About::Session => self.covers,
            About::Tenant => self.whole_tenant,
        };
        let allowed = self.scopes.contains(&operation.scope) && about;
        self.refusal.or((!allowed).then_some("forbidden"))
    }
}

/// Everyone there is; `keys` are API keys by name.
pub fn everyone(keys: &[(&str, String)]) -> Vec<Someone> {
    let bearer = |claims: &Value| Some(format!("Bearer {}", token(claims)));
    let all = claims(&ALL);
    let forged = Signer::secret("another secret, which is as long as the right one is").token(None, &all);
    let sessions = |names: &[&str]| token(&with(claims(&ALL), &json!({"sessions": names})));
    let key = |name: &str| keys.iter().find(|(known, _)| *known == name).unwrap().1.clone();
    let mut everyone = vec![
        Someone::refused("nothing", None, "unauthorized"),
        Someone::refused("another scheme", Some(format!("Basic {}", token(&all))), "unauthorized"),
        Someone::refused("an empty token", Some("Bearer ".into()), "unauthorized"),
        Someone::refused("garbage", Some("Bearer a.b.c".into()), "unauthorized"),
        Someone::refused("a forged token", Some(format!("Bearer {forged}")), "unauthorized"),
        Someone::refused(
            "a truncated token",
            bearer(&all).map(|t| t[..t.len() - 4].to_owned()),
            "unauthorized",
        ),
        Someone::refused(
            "a token that ended a second ago",
            bearer(&with(claims(&ALL), &json!({"exp": in_seconds(-1.0)}))),
            "token_expired",
        ),
        Someone::refused("a key that ended", Some(format!("Bearer {}", key("old"))), "token_expired"),
        Someone::with("no scope", &token(&claims(&[])), &[], None),
        Someone::with("other sessions", &sessions(&["else-*"]), &ALL, Some(false)),
        Someone::with("no session", &sessions(&[]), &ALL, Some(false)),
        Someone::with("these sessions", &sessions(&["exists", "lacking"]), &ALL, Some(true)),
        Someone::with("a key to read", &key("reader"), &["read"], None),
        Someone::with("all", &token(&all), &ALL, None),
    ];
    for scope in ALL {
        everyone.push(Someone::with(scope, &token(&claims(&[scope])), &[scope], None));
    }
    everyone
}
