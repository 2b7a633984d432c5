//! Tokens × sessions × operations: all that the service describes, so that no new route is forgotten.

use std::collections::BTreeMap;

use serde_json::json;

use super::everyone::{Someone, everyone};
use super::harness::{Answer, Folder, TestApp, assert_problem};
use super::keys::{configured, new_key};
use super::operations::{About, Operation};
use super::scene::{ALL, Holder, SECRET, claims, in_seconds, token, with};

/// Those that say something of the answer itself.
fn headers(answer: &Answer) -> BTreeMap<String, String> {
    let all = answer.headers.iter().filter(|(name, _)| *name != "date");
    all.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect()
}

/// A service with keys, and a session `exists` that is over.
async fn scene() -> (TestApp, Folder, Vec<Someone>) {
    let folder = Folder::new();
    let ((reader, of_reader), (old, of_old)) = (new_key(), new_key());
    let setup = configured(
        &folder,
        &[
            ("reader", &of_reader, "tenant = \"acme\"\nscopes = [\"read\"]"),
            ("old", &of_old, "tenant = \"acme\"\nscopes = [\"read\"]\nexpires = \"2020-01-01T00:00:00Z\""),
        ],
    );
    let app = setup.env("AUTH__JWT_SECRET", SECRET).env("ARCHIVE__URL", folder.url()).start().await;
    let holder = Holder::of_all(app.client());
    holder.start("exists").await;
    holder.say("exists", "success", "done").await.expect(200);
    (app, folder, everyone(&[("reader", reader), ("old", old)]))
}

#[tokio::test]
async fn everyone_may_do_what_the_token_says_and_a_refusal_is_the_same_for_what_exists_and_what_does_not() {
    let (app, _folder, everyone) = scene().await;
    let operations = Operation::all(&app).await;
    // Those that are let in may change something: they come after all that is compared.
    let mut let_in = Vec::new();
    for someone in &everyone {
        for operation in &operations {
            let Some(code) = someone.expected(operation) else {
                let_in.push((someone, operation));
                continue;
            };
            let at = format!("{} at {} {}", someone.name, operation.method, operation.template);
            let authorization = someone.authorization.as_deref();
            let exists = operation.ask(&app, authorization, "exists").await;
            let status = if code == "forbidden" { 403 } else { 401 };
            assert_eq!(
                (exists.status, &exists.json()["code"]),
                (status, &json!(code)),
                "{at}: {}",
                exists.text()
            );
            assert_problem(&exists, status, code);
            let challenge = exists.header("www-authenticate").map(|text| text.starts_with("Bearer"));
            assert_eq!(challenge, (status == 401).then_some(true), "{at}");
            if operation.method == "GET" && operation.about == About::Session {
                assert_eq!(
                    operation.status("HEAD", &app, authorization, "exists").await,
                    status,
                    "{at}, HEAD"
                );
            }
            if operation.about == About::Session {
                // One operation has a way of its own, unless its path is percent-encoded.
                let others =
                    if operation.scope == "publish" { &["lacking", "exis%74s"][..] } else { &["lacking"] };
                for other in others {
                    let answer = operation.ask(&app, authorization, other).await;
                    assert_eq!((answer.status, answer.text()), (status, exists.text()), "{at} {other}");
                    let (mut told, mut of_exists) = (headers(&answer), headers(&exists));
                    if other.contains('%') {
                        // Whether the body was read by then depends on how the path is written, for every session.
                        told.remove("connection");
                        of_exists.remove("connection");
                    }
                    assert_eq!(told, of_exists, "{at} {other}");
                }
            }
        }
    }
    for (someone, operation) in let_in {
        let authorization = someone.authorization.as_deref();
        let status = operation.status(operation.method, &app, authorization, "exists").await;
        let at = format!("{} at {} {}", someone.name, operation.method, operation.template);
        assert!(![401, 403, 405, 500].contains(&status), "{at}: {status}");
    }
}

#[tokio::test]
async fn nothing_is_there_for_another_tenant() {
    let (app, _folder, _) = scene().await;
    let stranger = token(&with(claims(&ALL), &json!({"tenant": "other"})));
    let authorization = format!("Bearer {stranger}");
    for operation in Operation::all(&app).await {
        // Whoever begins a session has one; that it is another one is the next test's subject.
        if operation.about != About::Session || operation.scope.is_empty() {
            continue;
        }
        if operation.template.starts_with("/bridges/") {
            let [exists, lacking] = ["exists", "lacking"]
                .map(|session| operation.status(operation.method, &app, Some(&authorization), session));
            assert_eq!(exists.await, lacking.await, "{} {}", operation.method, operation.template);
            continue;
        }
        let exists = operation.ask(&app, Some(&authorization), "exists").await;
        let lacking = operation.ask(&app, Some(&authorization), "lacking").await;
        let plain = |answer: &Answer| answer.text().replace("lacking", "exists");
        let at = format!("{} {}", operation.method, operation.template);
        assert_eq!(exists.status, lacking.status, "{at}: {}", exists.text());
        if operation.template != "/tickets" {
            assert_eq!(plain(&exists), plain(&lacking), "{at}");
        }
    }
    let kept = Holder::of_all(app.client()).get("/planner/sessions/exists").send().await;
    assert_eq!(kept.status, 200, "what a stranger did is done to nobody else: {}", kept.text());
}

#[tokio::test]
async fn events_that_go_through_the_router_meet_the_same_walls() {
    let app = super::scene::signed().env("LIMITS__REQUESTS_PER_SECOND", 1_000_000).start().await;
    let holder = Holder::of_all(app.client());
    holder.start("exists").await;
    let operations = Operation::all(&app).await;
    let publishing = operations.iter().find(|operation| operation.scope == "publish").unwrap();
    for (claims, status) in [
        (claims(&["plan", "read", "admin"]), 403),
        (with(claims(&ALL), &json!({"sessions": ["else-*"]})), 403),
        (with(claims(&ALL), &json!({"exp": in_seconds(-1.0)})), 401),
        (claims(&["publish"]), 422),
    ] {
        let authorization = format!("Bearer {}", token(&claims));
        let exists = publishing.ask(&app, Some(&authorization), "exists").await;
        let lacking = publishing.ask(&app, Some(&authorization), "lacking").await;
        assert_eq!(exists.status, status, "{claims}: {}", exists.text());
        assert!(status == 422 || exists.body == lacking.body, "{claims}");
    }
}
