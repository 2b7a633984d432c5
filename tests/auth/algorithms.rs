//! Good tokens of every algorithm, and what is known of them afterwards.

use serde_json::json;
use tributary::domain::access::{Denied, Scope};
use tributary::domain::time::Timestamp;
use tributary::edge::auth::{AuthError, AuthSettings, Authenticator};

use crate::auth::issuer::{EC, ED, HMAC, NOW, RSA, Signer, authenticator, claims};

fn signers() -> [(&'static Signer, &'static str); 4] {
    [(&HMAC, "any"), (&RSA, "rsa"), (&EC, "ec"), (&ED, "ed")]
}

#[tokio::test]
async fn token_of_every_algorithm_opens_what_its_claims_say() {
    let (authenticator, _folder) = authenticator();
    for (signer, id) in signers() {
        for id in [Some(id), None] {
            let token = signer.usual(id, &claims());
            let grant = authenticator.authenticate(&token, NOW).await.unwrap();
            assert_eq!((grant.tenant.as_str(), &*grant.name), ("acme", "jwt:u-1"));
            assert_eq!(grant.expires_at, Some(Timestamp(NOW.0 + 60_000)));
            assert_eq!(grant.allows(Scope::Read, Some(&"abc".parse().unwrap())), Ok(()));
            assert_eq!(grant.allows(Scope::Read, Some(&"b".parse().unwrap())), Err(Denied::Session));
            assert_eq!(grant.allows(Scope::Plan, None), Err(Denied::Scope(Scope::Plan)));
        }
    }
}

#[tokio::test]
async fn token_that_was_checked_is_known_until_it_ends() {
    let (authenticator, _folder) = authenticator();
    let mut claims = claims();
    claims["exp"] = json!(NOW.0 / 1_000 + 30);
    for (signer, id) in signers() {
        let token = signer.usual(Some(id), &claims);
        assert!(authenticator.known(&token, NOW).is_none(), "nothing is known before");
        authenticator.authenticate(&token, NOW).await.unwrap();
        assert!(matches!(authenticator.known(&token, NOW), Some(Ok(_))));
        let last = Timestamp(NOW.0 + 29_999);
        assert!(matches!(authenticator.known(&token, last), Some(Ok(_))));
        let end = Timestamp(NOW.0 + 30_000);
        assert!(authenticator.known(&token, end).is_none());
        assert_eq!(authenticator.authenticate(&token, end).await, Err(AuthError::Expired));
        let other = format!("{token}A");
        assert!(authenticator.known(&other, NOW).is_none());
    }
}

#[tokio::test]
async fn what_is_not_configured_opens_nothing() {
    let nothing = Authenticator::new(AuthSettings::default()).unwrap();
    for (signer, id) in signers() {
        let token = signer.usual(Some(id), &claims());
        assert_eq!(nothing.authenticate(&token, NOW).await, Err(AuthError::Algorithm));
    }
    assert_eq!(nothing.authenticate("trb_key", NOW).await, Err(AuthError::Unknown));
    assert!(nothing.refresh().await);
    // There is nothing to keep up to date, so it is done at once.
    nothing.refresh_forever().await;
}

#[tokio::test]
async fn issuer_and_audience_are_looked_at_where_they_are_configured() {
    let settings = AuthSettings {
        jwt_secret: Some(crate::auth::issuer::SECRET.to_vec()),
        issuer: Some("https://id.example.com".into()),
        audiences: vec!["tributary".into()],
        ..AuthSettings::default()
    };
    let authenticator = Authenticator::new(settings).unwrap();
    for (issuer, audience, expected) in [
        (json!("https://id.example.com"), json!(["other", "tributary"]), None),
        (json!("https://id.example.com/"), json!("tributary"), Some(AuthError::WrongIssuer)),
        (json!("https://id.example.com"), json!("other"), Some(AuthError::WrongAudience)),
    ] {
        let mut claims = claims();
        (claims["iss"], claims["aud"]) = (issuer, audience);
        let token = HMAC.usual(None, &claims);
        assert_eq!(authenticator.authenticate(&token, NOW).await.err(), expected, "{claims}");
    }
}
