//! JWTs: what a claim means, which key counts, and what a refusal says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::routing::get;
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::harness::{Answer, Client, Folder, Setup, TestApp, assert_problem, eventually};
use super::issuer::{Signer, key_set};
use super::scene::{ALL, Holder, SECRET, claims, events, in_seconds, signed, token, whole_second_in, with};

async fn read(client: &Client, token: &str, session: &str) -> Answer {
    Holder::new(*client, token).get(events(session)).send().await
}

/// What everyone may ask who is let in with the scope `plan`.
async fn list(client: &Client, token: &str) -> Answer {
    Holder::new(*client, token).get("/planner/sessions").send().await
}

#[tokio::test]
async fn claims_say_tenant_scopes_sessions_and_end() {
    let app = signed().start().await;
    Holder::of_all(app.client()).start("chat-1").await;
    let tail = |answer: &Answer| answer.json()["tail"].clone();
    for (others, status) in [
        (json!({}), 200),
        (json!({"sessions": ["chat-*"]}), 200),
        (json!({"sessions": ["*-1"]}), 200),
        (json!({"sessions": ["chat-2", "chat-1"]}), 200),
        (json!({"sessions": ["chat-10"]}), 403),
        (json!({"sessions": []}), 403),
        (json!({"scopes": ["plan", "publish", "admin"]}), 403),
        (json!({"scopes": []}), 403),
        (json!({"scopes": ["READ"]}), 403),
        (json!({"scopes": ["plan"], "scope": "openid read"}), 200),
        (json!({"nbf": in_seconds(60.0)}), 401),
        (json!({"nbf": in_seconds(-1.0)}), 200),
        (json!({"exp": null}), 401),
        (json!({"exp": "2100"}), 401),
        (json!({"sessions": null}), 401),
        (json!({"tenant": ""}), 401),
    ] {
        let answer = read(&app, &token(&with(claims(&ALL), &others)), "chat-1").await;
        assert_eq!(answer.status, status, "{others}: {}", answer.text());
        assert!(status != 200 || tail(&answer) == 1, "{others}: {}", answer.text());
    }
    // Without a tenant it is the default one, where nothing is.
    let nobody = json!({"scopes": ALL, "exp": in_seconds(60.0)});
    assert_problem(&read(&app, &token(&nobody), "chat-1").await, 404, "unknown_session");
}

#[tokio::test]
async fn token_ends_without_leeway() {
    let app = signed().start().await;
    Holder::of_all(app.client()).start("s").await;
    let end = whole_second_in(2.0);
    let short = token(&with(claims(&ALL), &json!({"exp": end})));
    let first = read(&app, &short, "s").await;
    assert!(first.status == 200 || in_seconds(0.0) >= end, "{}", first.text());
    // It was checked a moment ago, and is known: that makes it live no longer.
    let refused = eventually("the end of the token", || async {
        let begun = in_seconds(0.0);
        let answer = read(&app, &short, "s").await;
        assert!(answer.status == 401 || begun < end, "it opened {} s after its end", begun - end);
        assert!(answer.status == 200 || in_seconds(0.0) >= end, "it ended too early");
        (answer.status == 401).then_some(answer)
    });
    let refused = refused.await;
    assert_problem(&refused, 401, "token_expired");
    let challenge = refused.header("www-authenticate").unwrap();
    assert!(challenge.starts_with("Bearer realm=") && challenge.contains("invalid_token"), "{challenge}");
}

#[tokio::test]
async fn refusal_says_what_is_wrong_and_how_to_sign_in() {
    let app = signed().start().await;
    let plain = app.get(events("s")).send().await;
    assert_problem(&plain, 401, "unauthorized");
    assert_eq!(plain.header("www-authenticate"), Some("Bearer realm=\"tributary\""));
    let wrong = read(&app, "x.y.z", "s").await;
    assert_problem(&wrong, 401, "unauthorized");
    let invalid =
        r#"Bearer realm="tributary", error="invalid_token", error_description="the token opens nothing""#;
    assert_eq!(wrong.header("www-authenticate"), Some(invalid));
    // Another scheme is no token at all (RFC 6750, 3.1).
    let other = app.get(events("s")).header("authorization", "Basic eDp5").send().await;
    assert_problem(&other, 401, "unauthorized");
    assert_eq!(other.header("www-authenticate"), plain.header("www-authenticate"));
    // Where events are posted, past the router, no less.
    let item = json!({"status": "success", "payload": 1});
    for (token, challenge) in
        [(Some("Bearer x.y.z"), Some(invalid)), (None, plain.header("www-authenticate"))]
    {
        let mut post = app.post("/planner/sessions/s/steps/p/subagents/a/events").json(&item);
        if let Some(token) = token {
            post = post.header("authorization", token);
        }
        let refused = post.send().await;
        assert_problem(&refused, 401, "unauthorized");
        assert_eq!(refused.header("www-authenticate"), challenge);
    }
    let forbidden = read(&app, &token(&claims(&["plan"])), "s").await;
    let document = assert_problem(&forbidden, 403, "forbidden");
    assert!(document["detail"].as_str().unwrap().contains("`read`"), "{document}");
    assert_eq!(forbidden.header("www-authenticate"), None);
    // An event stream is refused by the status: an `EventSource` stops for good.
    let stream = app.get(events("s")).header("accept", "text/event-stream").send().await;
    assert_problem(&stream, 401, "unauthorized");
}

/// `alg` says another thing than the key is for.
#[tokio::test]
async fn public_key_is_no_secret() {
    let folder = Folder::new();
    let rsa = Signer::rsa(&folder);
    let set = key_set(&[("rsa", &rsa)]);
    let app = with_keys(&folder, &set).start().await;
    let modulus = serde_json::from_str::<Value>(&set).unwrap()["keys"][0]["n"].as_str().unwrap().to_owned();
    for secret in [set.as_str(), &modulus] {
        let forged = Signer::secret(secret).token(Some("rsa"), &claims(&ALL));
        assert_problem(&read(&app, &forged, "s").await, 401, "unauthorized");
    }
    let unsigned = {
        let token = rsa.token(Some("rsa"), &claims(&ALL));
        let claims = token.split('.').nth(1).unwrap().to_owned();
        // {"alg":"none"}
        format!("eyJhbGciOiJub25lIn0.{claims}.")
    };
    assert_problem(&read(&app, &unsigned, "s").await, 401, "unauthorized");
}

fn with_keys(folder: &Folder, set: &str) -> Setup {
    let file = folder.0.join("keys.json");
    std::fs::write(&file, set).unwrap();
    TestApp::new().env("AUTH__MODE", "required").env("AUTH__JWKS", file.display())
}

#[tokio::test]
async fn keys_of_every_kind_come_from_a_file_and_change_with_it() {
    let folder = Folder::new();
    let signers = [Signer::rsa(&folder), Signer::ec(&folder), Signer::ed(&folder)];
    let [rsa, ec, ed] = &signers;
    let app = with_keys(&folder, &key_set(&[("rsa", rsa), ("ec", ec)]))
        .env("AUTH__JWKS_REFRESH_MS", 1_000)
        .start()
        .await;
    for (signer, id) in [(rsa, "rsa"), (ec, "ec")] {
        for id in [Some(id), None] {
            let answer = list(&app, &signer.token(id, &claims(&ALL))).await;
            assert_eq!(answer.status, 200, "{id:?}: {}", answer.text());
        }
        let swapped = if id == "rsa" { "ec" } else { "rsa" };
        let answer = list(&app, &signer.token(Some(swapped), &claims(&ALL))).await;
        assert_problem(&answer, 401, "unauthorized");
    }
    let of_ed = ed.token(Some("ed"), &claims(&ALL));
    assert_problem(&list(&app, &of_ed).await, 401, "unauthorized");
    std::fs::write(folder.0.join("keys.json"), key_set(&[("ed", ed)])).unwrap();
    eventually("the new key to count", || async { (list(&app, &of_ed).await.status == 200).then_some(()) })
        .await;
    // A token that wasn't seen before: the key that is gone counts no more.
    let late = rsa.token(Some("rsa"), &claims(&["plan"]));
    assert_problem(&list(&app, &late).await, 401, "unauthorized");
}

/// A server of key sets.
struct KeyServer {
    url: String,
    set: Arc<Mutex<Option<String>>>,
    asked: Arc<AtomicUsize>,
}

impl KeyServer {
    async fn start(set: String) -> Self {
        let set = Arc::new(Mutex::new(Some(set)));
        let asked = Arc::new(AtomicUsize::new(0));
        let (now, count) = (set.clone(), asked.clone());
        let answer = move || {
            count.fetch_add(1, Ordering::SeqCst);
            let set = now.lock().clone();
            std::future::ready(set.ok_or(http::StatusCode::INTERNAL_SERVER_ERROR))
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/keys", listener.local_addr().unwrap());
        let routes = Router::new().route("/keys", get(answer));
        tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { url, set, asked }
    }
}

#[tokio::test]
async fn keys_come_from_an_address_and_change_there() {
    let folder = Folder::new();
    let (first, second) = (Signer::ec(&folder), Signer::ed(&folder));
    let server = KeyServer::start(key_set(&[("1", &first)])).await;
    let setup = TestApp::new().env("AUTH__MODE", "required").env("AUTH__JWKS", &server.url);
    let app = setup.env("AUTH__JWKS_REFRESH_MS", 1_000).start().await;
    let of_first = first.token(Some("1"), &claims(&ALL));
    assert_eq!(list(&app, &of_first).await.status, 200);
    *server.set.lock() = Some(key_set(&[("1", &first), ("2", &second)]));
    let of_second = second.token(Some("2"), &claims(&ALL));
    eventually("the second key", || async { (list(&app, &of_second).await.status == 200).then_some(()) })
        .await;
    // The server fails: the keys that are known are used on.
    *server.set.lock() = None;
    let asked = server.asked.load(Ordering::SeqCst);
    eventually("a look that fails", || async {
        (server.asked.load(Ordering::SeqCst) > asked + 1).then_some(())
    })
    .await;
    let fresh = first.token(Some("1"), &claims(&["plan"]));
    assert_eq!(list(&app, &fresh).await.status, 200);
}

#[tokio::test]
async fn without_keys_nobody_is_let_in_and_the_service_says_that_it_passes() {
    let server = KeyServer::start("{\"keys\": []}".into()).await;
    *server.set.lock() = None;
    let app = TestApp::new().env("AUTH__MODE", "required").env("AUTH__JWKS", &server.url).start().await;
    let folder = Folder::new();
    let token = Signer::ed(&folder).token(Some("1"), &claims(&ALL));
    assert_problem(&list(&app, &token).await, 503, "store_unavailable");
    // A reader of event streams comes back by itself.
    let mut stream = Holder::new(app.client(), token).get(events("s")).sse().await;
    assert_eq!(stream.expect("error").await.json()["code"], "store_unavailable");
    assert!(stream.retry.is_some());
}

#[tokio::test]
async fn two_tokens_that_differ_are_none() {
    let app = signed().start().await;
    Holder::of_all(app.client()).start("s").await;
    let good = format!("Bearer {}", token(&claims(&ALL)));
    for (fields, status) in
        [(vec![&*good], 200), (vec![&*good, &*good], 200), (vec![&*good, "Bearer x"], 401)]
    {
        let ask = |request: crate::harness::Request, field: &&str| request.header("authorization", *field);
        let answer = fields.iter().fold(app.get(events("s")), ask).send().await;
        assert_eq!(answer.status, status, "{fields:?}");
    }
}

/// docs/security.md: while the secret is changed, tokens of either are taken.
#[tokio::test]
async fn tokens_of_the_secret_before_are_taken_as_long_as_it_is_named() {
    let new = "another secret of these tests, as long as the first";
    let by_new = Signer::secret(new).token(None, &claims(&ALL));
    let by_none = Signer::secret("a secret that nobody configured, and long").token(None, &claims(&ALL));
    let by_old = token(&claims(&ALL));
    let setup = || TestApp::new().env("AUTH__MODE", "required").env("AUTH__JWT_SECRET", new);
    let both = setup().env("AUTH__JWT_SECRET_PREVIOUS", SECRET).start().await;
    for taken in [&by_old, &by_new] {
        assert_eq!(list(&both, taken).await.status, 200);
    }
    assert_problem(&list(&both, &by_none).await, 401, "unauthorized");
    let one = setup().start().await;
    assert_problem(&list(&one, &by_old).await, 401, "unauthorized");
    assert_eq!(list(&one, &by_new).await.status, 200);
}
