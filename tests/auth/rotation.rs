//! Key sets that change, go, come back, or are no key sets: over HTTP and in a file.

use std::sync::Arc;

use futures::future::join_all;
use serde_json::{Value, json};
use tributary::domain::time::Timestamp;
use tributary::edge::auth::AuthError::{self, BadSignature, NoKeys, UnknownKey};
use tributary::edge::auth::{AuthSettings, Authenticator, JwksSettings, JwksSource};

use crate::auth::issuer::{EC, ED, Folder, NOW, RSA, Signer, claims, key_set};
use crate::auth::key_server::{Answer, KeyServer, pass};

fn set(keys: &[Value]) -> String {
    json!({ "keys": keys }).to_string()
}

/// A token of its own, so that none is known from before.
fn token(signer: &Signer, id: &str) -> String {
    let mut claims = claims();
    claims["jti"] = fastrand::u64(..).into();
    signer.usual(Some(id), &claims)
}

async fn outcome(authenticator: &Authenticator, signer: &Signer, id: &str) -> Result<(), AuthError> {
    authenticator.authenticate(&token(signer, id), NOW).await.map(|_| ())
}

#[tokio::test]
async fn first_token_fetches_the_set_and_the_next_ones_do_not() {
    let server = KeyServer::start(Answer::Body(key_set().to_string())).await;
    let authenticator = server.authenticator();
    assert_eq!(server.requests(), 0, "nothing is fetched before it is needed");
    for (signer, id) in [(&*RSA, "rsa"), (&*EC, "ec"), (&*ED, "ed")].repeat(20) {
        assert_eq!(outcome(&authenticator, signer, id).await, Ok(()));
    }
    assert_eq!(
        outcome(&authenticator, &ED, "ec").await,
        Err(UnknownKey),
        "the kid is of another kind of key"
    );
    assert_eq!(server.requests(), 1);
    let request = server.last_request();
    assert!(
        request.starts_with("GET /jwks HTTP/1.1\r\n") && request.contains("user-agent: tributary/"),
        "{request}"
    );
}

#[tokio::test]
async fn new_key_is_fetched_when_a_token_names_it_and_an_old_one_goes() {
    let (old, new) = (Signer::ed(), Signer::ed());
    let server = KeyServer::start(Answer::Body(set(&[old.jwk(Some("1"))]))).await;
    let authenticator = server.authenticator();
    let kept = token(&old, "1");
    assert!(authenticator.authenticate(&kept, NOW).await.is_ok());
    server.set(Answer::Body(set(&[new.jwk(Some("2"))])));
    // Within ten seconds nothing is fetched again, whatever the token names.
    assert_eq!(outcome(&authenticator, &new, "2").await, Err(UnknownKey));
    assert_eq!(server.requests(), 1);
    pass(10).await;
    assert_eq!(outcome(&authenticator, &new, "2").await, Ok(()));
    assert_eq!(outcome(&authenticator, &old, "1").await, Err(UnknownKey));
    assert_eq!(server.requests(), 2);
    // One that was checked before is known for a minute, and no longer.
    assert!(authenticator.authenticate(&kept, Timestamp(NOW.0 + 59_999)).await.is_ok());
    let mut long = claims();
    long["exp"] = json!(NOW.0 / 1_000 + 3_600);
    let later = Timestamp(NOW.0 + 60_000);
    let long = old.usual(Some("1"), &long);
    assert_eq!(authenticator.authenticate(&long, later).await, Err(UnknownKey));
}

#[tokio::test]
async fn key_that_takes_the_id_of_another_counts_from_the_next_look() {
    let (old, new) = (Signer::ed(), Signer::ed());
    let server = KeyServer::start(Answer::Body(set(&[old.jwk(Some("1"))]))).await;
    let authenticator = server.authenticator();
    assert_eq!(outcome(&authenticator, &old, "1").await, Ok(()));
    assert_eq!(outcome(&authenticator, &new, "1").await, Err(BadSignature));
    server.set(Answer::Body(set(&[new.jwk(Some("1"))])));
    assert!(authenticator.refresh().await);
    assert_eq!(outcome(&authenticator, &new, "1").await, Ok(()));
    assert_eq!(outcome(&authenticator, &old, "1").await, Err(BadSignature));
}

#[tokio::test]
async fn outage_leaves_the_keys_for_their_time_and_they_come_back_by_themselves() {
    let server = KeyServer::start(Answer::Body(key_set().to_string())).await;
    let authenticator = server.authenticator();
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
    server.set(Answer::Closed);
    pass(1_800).await;
    assert_eq!(authenticator.trouble(), None);
    assert!(!authenticator.refresh().await);
    assert!(authenticator.trouble().is_some());
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
    assert_eq!(outcome(&authenticator, &ED, "unknown").await, Err(UnknownKey));
    pass(1_801).await;
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Err(NoKeys));
    let before = server.requests();
    assert_eq!(
        outcome(&authenticator, &ED, "ed").await,
        Err(NoKeys),
        "the service isn't held up by what is down"
    );
    assert_eq!(server.requests(), before);
    server.set(Answer::Body(key_set().to_string()));
    pass(10).await;
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
    assert_eq!(authenticator.trouble(), None);
}

#[tokio::test]
async fn ten_thousand_unknown_keys_make_few_fetches() {
    let server = KeyServer::start(Answer::Body(key_set().to_string())).await;
    let authenticator = server.authenticator();
    for n in 0..10_000 {
        let header = json!({"alg": "EdDSA", "kid": n.to_string()}).to_string();
        let token = format!("{}.e30.AAAA", crate::auth::issuer::encode(header));
        assert_eq!(authenticator.authenticate(&token, NOW).await, Err(UnknownKey));
        if n % 1_000 == 999 {
            pass(1).await;
        }
    }
    // Ten seconds passed, and a bit of real time: one at first, one more.
    assert!((1..=3).contains(&server.requests()), "{}", server.requests());
}

#[tokio::test]
async fn all_who_wait_wait_for_one_fetch() {
    let server = KeyServer::start(Answer::Nothing).await;
    let authenticator = server.authenticator();
    let waiting = (0..500).map(|_| {
        let authenticator = authenticator.clone();
        tokio::spawn(async move { outcome(&authenticator, &ED, "ed").await })
    });
    let waiting: Vec<_> = waiting.collect();
    server.seen(1).await;
    server.set(Answer::Body(key_set().to_string()));
    for outcome in join_all(waiting).await {
        assert_eq!(outcome.unwrap(), Ok(()));
    }
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn one_who_goes_takes_the_fetch_from_nobody() {
    let server = KeyServer::start(Answer::Nothing).await;
    let authenticator = server.authenticator();
    let start = || {
        let authenticator: Arc<Authenticator> = authenticator.clone();
        tokio::spawn(async move { outcome(&authenticator, &ED, "ed").await })
    };
    let first = start();
    server.seen(1).await;
    let second = start();
    tokio::task::yield_now().await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    server.set(Answer::Body(key_set().to_string()));
    assert_eq!(second.await.unwrap(), Ok(()));
    assert_eq!(server.requests(), 1);
    // Where nobody is left the next one goes on with it.
    let server = KeyServer::start(Answer::Nothing).await;
    let authenticator = server.authenticator();
    let lonely = tokio::spawn({
        let authenticator = authenticator.clone();
        async move { outcome(&authenticator, &ED, "ed").await }
    });
    server.seen(1).await;
    lonely.abort();
    assert!(lonely.await.unwrap_err().is_cancelled());
    server.set(Answer::Body(key_set().to_string()));
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
    assert_eq!(server.requests(), 1);
}

#[tokio::test]
async fn fetch_that_nobody_waited_for_is_made_anew_when_its_time_is_over() {
    let server = KeyServer::start(Answer::Nothing).await;
    let authenticator = server.authenticator();
    let lonely = tokio::spawn({
        let authenticator = authenticator.clone();
        async move { outcome(&authenticator, &ED, "ed").await }
    });
    server.seen(1).await;
    lonely.abort();
    assert!(lonely.await.unwrap_err().is_cancelled());
    server.set(Answer::Body(key_set().to_string()));
    pass(11).await;
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
    assert_eq!(server.requests(), 2);
}

#[tokio::test]
async fn source_that_does_not_answer_holds_nobody_longer_than_its_time() {
    let server = KeyServer::start(Answer::Nothing).await;
    let authenticator = server.authenticator();
    let waiting = tokio::spawn({
        let authenticator = authenticator.clone();
        async move { outcome(&authenticator, &ED, "ed").await }
    });
    server.seen(1).await;
    assert!(!waiting.is_finished());
    pass(5).await;
    assert_eq!(waiting.await.unwrap(), Err(NoKeys));
}

#[tokio::test]
async fn what_is_no_key_set_leaves_the_keys_as_they_are() {
    let good = key_set().to_string();
    let server = KeyServer::start(Answer::Body(good.clone())).await;
    let authenticator = server.authenticator();
    assert!(authenticator.refresh().await);
    let other = format!("location: http://127.0.0.1:{}/other\r\n", server.port);
    for answer in [
        Answer::Body("<html>sign in</html>".into()),
        Answer::Body(String::new()),
        Answer::Body("{}".into()),
        Answer::Body(r#"{"keys": {}}"#.into()),
        Answer::Body(format!("{good}{}", " ".repeat(256 * 1024))),
        Answer::Body("[".repeat(200_000)),
        Answer::Status("404 Not Found", String::new()),
        Answer::Status("500 Internal Server Error", String::new()),
        Answer::Status("203 Non-Authoritative Information", String::new()),
        Answer::Status("302 Found", other.clone()),
        Answer::Status("307 Temporary Redirect", other),
        Answer::Cut(good.clone()),
        Answer::Endless,
        Answer::Closed,
    ] {
        let before = server.requests();
        server.set(answer.clone());
        assert!(!authenticator.refresh().await);
        assert_eq!(server.requests(), before + 1, "nothing is followed or tried again");
        assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
        let fresh = server.authenticator();
        assert_eq!(outcome(&fresh, &ED, "ed").await, Err(NoKeys));
    }
    // A set without keys is one: then nobody's signature counts any more.
    server.set(Answer::Body(r#"{"keys": []}"#.into()));
    assert!(authenticator.refresh().await);
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Err(UnknownKey));
}

#[tokio::test]
async fn set_is_looked_at_in_its_rhythm_and_sooner_after_a_failure() {
    let server = KeyServer::start(Answer::Body(key_set().to_string())).await;
    let authenticator = server.authenticator();
    let task = tokio::spawn({
        let authenticator = authenticator.clone();
        async move { authenticator.refresh_forever().await }
    });
    server.seen(1).await;
    // The answer has been read once a token is accepted.
    assert_eq!(outcome(&authenticator, &ED, "ed").await, Ok(()));
    assert_eq!(server.requests(), 1);
    server.set(Answer::Closed);
    pass(301).await;
    server.seen(2).await;
    assert!(!authenticator.refresh().await, "joins the look that fails, or makes another one");
    let new = Signer::ed();
    server.set(Answer::Body(set(&[new.jwk(Some("new"))])));
    let before = server.requests();
    pass(11).await;
    server.seen(before + 1).await;
    pass(11).await;
    assert_eq!(outcome(&authenticator, &new, "new").await, Ok(()));
    task.abort();
}

#[tokio::test]
async fn file_is_read_again_when_it_changes() {
    let (old, new) = (Signer::ed(), Signer::ec());
    let folder = Folder::new();
    let path = folder.file("jwks.json", &set(&[old.jwk(Some("1"))]));
    let jwks = JwksSettings::new(JwksSource::read(path.to_str().unwrap()).unwrap());
    let settings = AuthSettings { jwks: Some(jwks), ..AuthSettings::default() };
    let authenticator = Authenticator::new(settings).unwrap();
    assert_eq!(outcome(&authenticator, &old, "1").await, Ok(()));
    folder.file("jwks.json", &set(&[new.jwk(Some("2")), old.jwk(Some("1"))]));
    assert_eq!(outcome(&authenticator, &new, "2").await, Err(UnknownKey));
    pass(10).await;
    assert_eq!(outcome(&authenticator, &new, "2").await, Ok(()));
    folder.file("jwks.json", "half of a f");
    assert!(!authenticator.refresh().await);
    assert_eq!(outcome(&authenticator, &new, "2").await, Ok(()));
    std::fs::remove_file(&path).unwrap();
    assert!(!authenticator.refresh().await);
    assert_eq!(outcome(&authenticator, &old, "1").await, Ok(()));
    pass(3_601).await;
    assert_eq!(outcome(&authenticator, &old, "1").await, Err(NoKeys));
    folder.file("jwks.json", &set(&[new.jwk(Some("2"))]));
    pass(10).await;
    assert_eq!(outcome(&authenticator, &new, "2").await, Ok(()));
    assert_eq!(outcome(&authenticator, &old, "1").await, Err(UnknownKey));
    // One that stays as it is isn't stale, however long ago it was read.
    for _ in 0..3 {
        pass(3_000).await;
        assert!(authenticator.refresh().await);
    }
    assert_eq!(outcome(&authenticator, &new, "2").await, Ok(()));
    folder.file("jwks.json", &" ".repeat(256 * 1024 + 1));
    assert!(!authenticator.refresh().await);
}
