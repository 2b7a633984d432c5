//! API keys, as they are configured and used.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tributary::config::KeySettings;
use tributary::domain::access::{Denied, Scope};
use tributary::domain::time::Timestamp;
use tributary::domain::verdict::Code;
use tributary::edge::auth::{
    ApiKey, AuthError, AuthSettings, AuthSettingsError, Authenticator, KeyHash, new_api_key, random_bytes,
};

use crate::auth::issuer::NOW;

/// Settings as they would stand in a file.
pub fn settings(keys: &Value) -> AuthSettings {
    let keys: BTreeMap<String, KeySettings> = serde_json::from_value(keys.clone()).unwrap();
    let api_keys = keys.into_iter().map(|(name, key)| (name, api_key(key))).collect();
    AuthSettings { api_keys, ..AuthSettings::default() }
}

fn api_key(key: KeySettings) -> ApiKey {
    let KeySettings { hash, tenant, scopes, sessions, expires } = key;
    let instant = |text: String| Timestamp(text.parse::<jiff::Timestamp>().unwrap().as_millisecond());
    ApiKey { hash: hash.expose().parse().unwrap(), tenant, scopes, sessions, expires: expires.map(instant) }
}

#[tokio::test]
async fn key_opens_what_its_entry_says_and_is_known_at_once() {
    let (key, hash) = new_api_key(random_bytes().unwrap());
    let (other, other_hash) = new_api_key(random_bytes().unwrap());
    let keys = json!({
        "planner": {"hash": hash, "tenant": "acme", "scopes": ["plan", "publish"], "sessions": ["a*"]},
        "ops": {"hash": other_hash, "scopes": ["admin"], "expires": "2027-01-15T09:00:00+01:00"},
    });
    let authenticator = Authenticator::new(settings(&keys)).unwrap();
    let grant = authenticator.known(&key, NOW).unwrap().unwrap();
    assert_eq!((grant.tenant.as_str(), &*grant.name, grant.expires_at), ("acme", "key:planner", None));
    assert_eq!(grant.allows(Scope::Plan, Some(&"a1".parse().unwrap())), Ok(()));
    assert_eq!(grant.allows(Scope::Publish, Some(&"b".parse().unwrap())), Err(Denied::Session));
    assert_eq!(grant.allows(Scope::Read, None), Err(Denied::Scope(Scope::Read)));
    assert_eq!(authenticator.authenticate(&key, NOW).await, Ok(grant));
    // 2027-01-15T08:00:00Z is the time of the tests.
    let before = Timestamp(NOW.0 - 1);
    let ops = authenticator.known(&other, before).unwrap().unwrap();
    assert_eq!((ops.tenant.as_str(), ops.sessions.is_none()), ("default", true));
    assert_eq!(authenticator.known(&other, NOW), Some(Err(AuthError::Expired)));
    assert_eq!(AuthError::Expired.code(), Code::TokenExpired);
}

#[tokio::test]
async fn only_the_whole_key_opens_something() {
    let (key, hash) = new_api_key([7; 32]);
    assert!(key.starts_with("trb_") && key.len() == 47 && hash.len() == 71, "{key} {hash}");
    let authenticator = Authenticator::new(settings(&json!({"a": {"hash": hash, "scopes": []}}))).unwrap();
    assert!(authenticator.authenticate(&key, NOW).await.is_ok());
    let bare = hash.trim_start_matches("sha256:").to_owned();
    let odd = [
        &key[1..],
        &key[4..],
        &key[..46],
        &format!("{key}A"),
        &format!(" {key}"),
        &hash,
        &bare,
        &key.to_uppercase(),
        "trb_",
        "a",
    ]
    .map(str::to_owned);
    for odd in odd {
        assert_eq!(authenticator.authenticate(&odd, NOW).await, Err(AuthError::Unknown), "{odd}");
    }
}

#[tokio::test]
async fn key_of_a_thousand_is_found_wherever_it_stands() {
    let made: Vec<(String, String)> = (0..1_000_u32)
        .map(|n| new_api_key(std::array::from_fn(|at| n.to_le_bytes().get(at).copied().unwrap_or(9))))
        .collect();
    let entries = made.iter().enumerate();
    let entries = entries.map(|(n, (_, hash))| (format!("k{n}"), json!({"hash": hash, "scopes": ["read"]})));
    let keys = Value::Object(entries.collect());
    let authenticator = Authenticator::new(settings(&keys)).unwrap();
    for (n, (key, _)) in made.iter().enumerate() {
        let grant = authenticator.known(key, NOW).unwrap().unwrap();
        assert_eq!(*grant.name, format!("key:k{n}"));
    }
}

/// Such as keys of another service that are taken over.
#[tokio::test]
async fn key_of_ones_own_may_have_dots() {
    // SHA-256 of "my.own.key", by `sha256sum`.
    let hash = "sha256:bb415bb69616a6d517be392142cfe788bc170b0ccc5e577abecef81d5ed10cb1";
    let authenticator = Authenticator::new(settings(&json!({"own": {"hash": hash, "scopes": []}}))).unwrap();
    assert_eq!(&*authenticator.authenticate("my.own.key", NOW).await.unwrap().name, "key:own");
    assert!(matches!(authenticator.authenticate("my.own.kez", NOW).await, Err(AuthError::Malformed(_))));
}

#[test]
fn entry_that_could_mean_something_else_is_refused_without_being_quoted() {
    let good = new_api_key([1; 32]).1;
    for entry in [
        json!({"hash": 7, "scopes": []}),
        json!({"hash": ["trb_a-key-itself"], "scopes": []}),
        json!({"scopes": []}),
        json!({"hash": good}),
        json!({"hash": good, "scopes": ["root"]}),
        json!({"hash": good, "scopes": "read"}),
        json!({"hash": good, "scopes": [], "sessions": ["a b"]}),
        json!({"hash": good, "scopes": [], "session": ["a"]}),
        json!({"hash": good, "scopes": [], "tenant": ""}),
    ] {
        let error = serde_json::from_value::<KeySettings>(entry.clone()).err().unwrap().to_string();
        assert!(!error.contains("a-key-itself"), "{entry}: {error}");
    }
    for hash in ["trb_a-key-itself", &good[..70]] {
        let error = hash.parse::<KeyHash>().err().unwrap().to_string();
        assert!(!error.contains(hash), "{error}");
    }
}

#[test]
fn names_and_hashes_are_each_ones_own() {
    let hash = new_api_key([1; 32]).1;
    let entry = json!({"hash": hash, "scopes": []});
    let refused = |keys: &Value| Authenticator::new(settings(keys)).err().unwrap();
    assert_eq!(refused(&json!({"a": entry, "b": entry})), AuthSettingsError::SameKey("a".into(), "b".into()));
    for name in ["", "a b", "a\n", &"x".repeat(129)] {
        assert_eq!(refused(&json!({name: entry})), AuthSettingsError::KeyName);
    }
    let short = AuthSettings { jwt_secret: Some(b"short".to_vec()), ..AuthSettings::default() };
    assert_eq!(Authenticator::new(short).err(), Some(AuthSettingsError::ShortSecret));
}
