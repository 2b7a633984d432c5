//! API keys, from `tributary key` to the configuration.

use serde_json::{Value, json};

use super::harness::{Folder, Setup, TestApp, assert_problem};
use super::processes::run;
use super::scene::{Holder, events, published};

/// A key and its hash, as the program makes them.
pub fn new_key() -> (String, String) {
    let output = run(&["key"], &[]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let find = |prefix: &str| {
        let mut words = said.split(|c: char| c.is_whitespace() || c == '"');
        words
            .find(|word| word.starts_with(prefix))
            .unwrap_or_else(|| panic!("no {prefix}…: {said}"))
            .to_owned()
    };
    (find("trb_"), find("sha256:"))
}

/// A configuration in which these keys stand: name, hash and what else is said of it.
pub fn configured(folder: &Folder, keys: &[(&str, &str, &str)]) -> Setup {
    let tables =
        keys.iter().map(|(name, hash, rest)| format!("[auth.keys.{name}]\nhash = \"{hash}\"\n{rest}\n"));
    let text = format!("[auth]\nmode = \"required\"\n{}", tables.collect::<String>());
    let file = folder.0.join(format!("{:x}.toml", fastrand::u64(..)));
    std::fs::write(&file, text).unwrap();
    TestApp::new().file(file)
}

#[tokio::test]
async fn key_opens_what_its_configuration_says() {
    let folder = Folder::new();
    let (all, of_all) = new_key();
    let (some, of_some) = new_key();
    let (old, of_old) = new_key();
    let app = configured(
        &folder,
        &[
            ("planner", &of_all, "scopes = [\"plan\", \"publish\", \"read\"]\ntenant = \"acme\""),
            ("reader", &of_some, "scopes = [\"read\"]\ntenant = \"acme\"\nsessions = [\"chat-*\"]"),
            ("old", &of_old, "scopes = [\"read\"]\ntenant = \"acme\"\nexpires = \"2020-01-01T00:00:00Z\""),
        ],
    )
    .start()
    .await;
    assert_ne!(all, some);
    let planner = Holder::new(app.client(), &all);
    planner.start("chat-1").await;
    planner.start("other").await;
    planner.say("chat-1", "partial", "hello").await.expect(200);
    let reader = Holder::new(app.client(), &some);
    let page: Value = reader.get(events("chat-1")).send().await.expect(200);
    assert_eq!(page["tail"], 3);
    assert_problem(&reader.get(events("other")).send().await, 403, "forbidden");
    assert_problem(&reader.post(published("chat-1"), &json!({"status": "success"})).await, 403, "forbidden");
    assert_problem(&planner.request("DELETE", "/planner/sessions/other").send().await, 403, "forbidden");
    let expired = Holder::new(app.client(), &old).get(events("chat-1")).send().await;
    assert_problem(&expired, 401, "token_expired");
    // What stands in the configuration isn't the key, nor is a part or a variant of it.
    let upper = some.to_uppercase();
    for wrong in [&*of_all, &of_all["sha256:".len()..], &all[4..], &all[..all.len() - 1], &upper] {
        let answer = Holder::new(app.client(), wrong).get(events("chat-1")).send().await;
        assert_problem(&answer, 401, "unauthorized");
    }
}

#[test]
fn every_key_is_another_one() {
    let made: std::collections::BTreeSet<_> = (0..4).map(|_| new_key()).collect();
    assert_eq!(made.len(), 4);
    for (key, hash) in made {
        assert_eq!((key.len(), hash.len()), ("trb_".len() + 43, "sha256:".len() + 64));
    }
}
