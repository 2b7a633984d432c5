//! One session that can't be read: a newer version wrote it, or it is damaged.

use serde_json::json;
use tributary::domain::ids::{SessionKey, TenantId};
use tributary::engine::ports::archive::Archive;

use super::archived::{archive_in, archived_to};
use super::scene::{Scene, replica};
use super::versions::set_format;
use crate::redis_server::RedisServer;

/// What no version writes.
const DAMAGE: [&str; 4] = ["HSET", "tributary:{default/s}:meta", "session", "{damaged"];

/// Whatever is wrong with one session, whoever looks at all of them sees the others, and its name.
#[tokio::test]
async fn session_that_cannot_be_read_takes_neither_the_list_nor_the_figures_away() {
    let scene = Scene::new().await;
    for session in ["a", "s", "z"] {
        let planner = scene.planner(0, session);
        planner.start("p", &["crm"]).await;
        planner.subagent("p", "crm").say("success", 1, "one").await;
    }
    let list = async |query: &str| {
        let listed = scene.client(1).get(format!("/planner/sessions{query}")).send().await.expect(200);
        let names: Vec<String> = listed["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line["session_id"].as_str().unwrap().to_owned())
            .collect();
        (names, listed["unreadable"].clone(), listed["next"].clone())
    };
    let figures = async || scene.client(1).get("/analytics/subagents").send().await.expect(200);
    assert_eq!(list("").await, (vec!["a".into(), "s".into(), "z".into()], json!(null), json!(null)));
    assert_eq!(figures().await["unreadable_sessions"], 0);

    set_format(&scene, 200);
    let (names, unreadable, next) = list("").await;
    assert_eq!((names, next), (vec!["a".to_owned(), "z".to_owned()], json!(null)));
    let [line] = &unreadable.as_array().unwrap()[..] else { panic!("{unreadable}") };
    assert_eq!((&line["session_id"], &line["reason"]), (&json!("s"), &json!("newer_format")));
    assert!(line["detail"].as_str().unwrap().contains("format 200"), "{line}");
    let told = figures().await;
    assert_eq!(
        (&told["unreadable_sessions"], &told["subagents"][0]["counts"]["success"]),
        (&json!(1), &json!(2))
    );
    // Page by page there is a way past it.
    let (names, unreadable, next) = list("?limit=1&after=a").await;
    assert!(names.is_empty() && unreadable[0]["session_id"] == "s" && next == "s", "{unreadable} {next}");
    assert_eq!(list("?limit=1&after=s").await, (vec!["z".into()], json!(null), json!(null)));

    set_format(&scene, 2);
    scene.redis.command(&DAMAGE);
    let (names, unreadable, _) = list("").await;
    assert_eq!(names, ["a", "z"]);
    assert_eq!((&unreadable[0]["session_id"], &unreadable[0]["reason"]), (&json!("s"), &json!("corrupt")));
    assert!(!unreadable.to_string().contains("damaged"), "what is stored isn't shown: {unreadable}");
    assert_eq!(figures().await["unreadable_sessions"], 1);
    // Whoever finds it there deletes it.
    let deleted = scene.client(1).request("DELETE", "/planner/sessions/s").send().await;
    assert_eq!(deleted.status, 204, "{}", deleted.text());
    assert_eq!(list("").await, (vec!["a".into(), "z".into()], json!(null), json!(null)));
}

/// docs/operations.md: there is nothing else to do with it.
#[tokio::test]
async fn a_damaged_session_is_deleted_out_of_the_archive_too() {
    let redis = RedisServer::start();
    let (url, archive) = archive_in(&redis);
    let replica = replica(&redis.url(), &[("ARCHIVE__URL", &url)]).await;
    let planner = replica.client().planner("s");
    planner.start("p", &["crm"]).await;
    archived_to(&archive, "s", planner.page("/events").await["tail"].as_u64().unwrap()).await;
    redis.command(&DAMAGE);
    let deleted = replica.client().request("DELETE", planner.path("")).send().await;
    assert_eq!(deleted.status, 204, "{}", deleted.text());
    let key = SessionKey { tenant: TenantId::default_tenant(), session: "s".parse().unwrap() };
    assert_eq!(archive.session(&key).await.unwrap(), None);
    assert_eq!(planner.get("").send().await.status, 404);
    archive.close().await;
}
