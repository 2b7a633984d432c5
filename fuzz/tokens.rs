//! The reader of JWTs.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use tributary::domain::access::Grant;
use tributary::domain::time::Timestamp;
use tributary::edge::auth::{AuthError, AuthSettings, Authenticator};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const SECRET: &[u8] = b"a secret of thirty-two bytes or so";
const HEADER: &str = r#"{"alg":"HS256"}"#;

/// No text is a token but one that was signed, to the last character. What a signed one says (a line of its header, then
/// its claims) grants nothing that doesn't stand in it; changed anywhere it grants nothing.
pub fn token(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if granted(text).is_ok() {
        let message = text.rsplit_once('.').map_or("", |(message, _)| message);
        assert_eq!(text, sealed(message), "nobody signed it");
    }
    let (header, claims) = text.split_once('\n').unwrap_or((HEADER, text));
    let token = sealed(&format!("{}.{}", encode(header), encode(claims)));
    if let Ok(grant) = granted(&token) {
        check_grant(&grant, header, claims);
    }
    // The last character of each part may have bits that stand for nothing.
    let ends = token.match_indices('.').map(|(at, _)| at.saturating_sub(1)).chain([token.len() - 1]);
    let places = ends.chain([bytes.len() * 31 % token.len(), bytes.len() * 7919 % token.len()]);
    for (place, by) in places.flat_map(|place| [(place, 1), (place, 1 + bytes.len() % 63)]) {
        let changed = changed(&token, place, by);
        assert!(granted(&changed).is_err(), "{changed} instead of {token}");
    }
    assert!(granted(&token[..token.len() - 1]).is_err());
    assert!(granted(&format!("{token}=")).is_err());
}

fn granted(token: &str) -> Result<Arc<Grant>, AuthError> {
    let settings = AuthSettings { jwt_secret: Some(SECRET.to_vec()), ..AuthSettings::default() };
    let authenticator = Authenticator::new(settings).expect("the settings are as they should be");
    let asked = pin!(authenticator.authenticate(token, NOW));
    match asked.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(granted) => granted,
        Poll::Pending => unreachable!("a secret is at hand"),
    }
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn sealed(message: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(SECRET).expect("HMAC takes a key of any length");
    mac.update(message.as_bytes());
    format!("{message}.{}", encode(mac.finalize().into_bytes()))
}

/// The token with another character at the place: the one that stands `by` further in the alphabet of base64url, or the
/// first of it for a dot.
fn changed(token: &str, place: usize, by: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bytes = token.as_bytes().to_vec();
    let stood = ALPHABET.iter().position(|byte| *byte == bytes[place]);
    bytes[place] = stood.map_or(b'A', |stood| ALPHABET[(stood + by) % 64]);
    String::from_utf8(bytes).expect("a token is ASCII")
}

/// What is granted stands in the token, as another reader sees it.
fn check_grant(grant: &Grant, header: &str, claims: &str) {
    let object = |text: &str| match serde_json::from_str(text) {
        Ok(Value::Object(fields)) => fields,
        other => panic!("{other:?} was taken for an object"),
    };
    let (header, claims) = (object(header), object(claims));
    assert_eq!((header.get("alg"), header.get("crit")), (Some(&Value::from("HS256")), None));
    let ends = grant.expires_at.expect("a JWT has an end");
    assert!(NOW < ends && claims["exp"].as_f64().is_some_and(|exp| ends.0 as f64 <= exp * 1_000.0));
    assert!(
        claims
            .get("nbf")
            .is_none_or(|nbf| nbf.as_f64().is_some_and(|nbf| nbf * 1_000.0 < NOW.0 as f64 + 1.0))
    );
    assert_eq!(
        grant.tenant.as_str(),
        claims.get("tenant").map_or("default", |tenant| tenant.as_str().unwrap_or(""))
    );
    let patterns = |sessions: &Value| {
        let patterns = sessions.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        patterns.collect::<Vec<_>>()
    };
    let granted = grant.sessions.as_ref().map(|all| all.iter().map(|one| one.as_str().to_owned()).collect());
    assert_eq!(granted, claims.get("sessions").map(patterns));
    let listed = claims.get("scopes").map(patterns).unwrap_or_default();
    let named = claims.get("scope").and_then(Value::as_str).unwrap_or_default();
    for scope in grant.scopes.iter().map(|scope| scope.to_string()) {
        assert!(listed.contains(&scope) || named.split(' ').any(|name| name == scope), "{scope}");
    }
    assert!(grant.name.starts_with("jwt:") && grant.name.len() <= 68 && grant.name.is_ascii());
}
