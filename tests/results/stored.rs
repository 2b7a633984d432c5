//! A result is a function of the log: whoever holds the log has it.

use serde_json::json;

use crate::harness::{Folder, Planner, Setup, TestApp, assert_problem, eventually};
use crate::replica_scene::{Scene, whole_log};
use crate::scene::{ask, bring, each, fail, plan};

async fn two_sides(planner: &Planner) {
    bring(planner, "a", "A quote is valid for 30 days [1].", &["https://a.org/quotes"]).await;
    planner.subagent("p", "b").say("partial", 1, "An order is packed on the same day.").await;
}

#[tokio::test]
async fn replicas_that_see_a_step_end_make_one_result() {
    let scene = Scene::new().await;
    let planner = plan(&scene.replicas[0], &["a", "b"], json!({"query": "How long?"})).await;
    let other = scene.planner(1, "s");
    two_sides(&planner).await;
    let waiting = tokio::spawn(other.get("/steps/p/result?wait_ms=60000").send());
    fail(&other, "b", "no rows").await;
    let there = waiting.await.unwrap();
    let here = ask(&planner, "").await;
    assert_eq!((there.status, here.status), (200, 200), "{}", there.text());
    assert_eq!(here.text(), there.text());
    for client in scene.clients() {
        let log = whole_log(client, "s").await;
        let types = each(&json!(log), "type").into_iter().filter(|name| *name == "aggregation").count();
        assert_eq!(types, 1);
    }
}

fn archived(folder: &Folder) -> Setup {
    TestApp::new().env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1)
}

#[tokio::test]
async fn result_outlives_the_process_that_made_it() {
    let folder = Folder::new();
    let mut app = archived(&folder).start().await;
    let planner = plan(&app, &["a", "b"], json!({"query": "How long?"})).await;
    two_sides(&planner).await;
    fail(&planner, "b", "no rows").await;
    let queries = ["", "?format=llm", "?format=html", "?format=slack", "?format=anthropic"];
    let mut before = Vec::new();
    for query in queries {
        before.push(ask(&planner, query).await);
    }
    let original = planner.get("/steps/p/results/b").send().await;
    app.signal("TERM");
    assert!(app.exited().await.success());
    drop(app);
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    for (query, before) in queries.iter().zip(&before) {
        assert_eq!((before.status, ask(&planner, query).await.text()), (200, before.text()), "{query}");
    }
    let again = planner.get("/steps/p/results/b").send().await;
    assert_eq!((original.status, again.text()), (200, original.text()));
}

#[tokio::test]
async fn result_of_what_has_expired_is_gone_and_of_what_never_was_is_unknown() {
    let app = TestApp::new().env("CACHE__TTL_SECONDS", 4).env("CACHE__SWEEP_MS", 20);
    let app = app.env("COORDINATOR__IDLE_MS", 100).start().await;
    let planner = plan(&app, &["a"], json!({})).await;
    bring(&planner, "a", "A quote is valid for 30 days.", &[]).await;
    ask(&planner, "").await.expect(200);
    assert_problem(&planner.get("/steps/q/result").send().await, 404, "unknown_step");
    assert_problem(&planner.get("/steps/q/result?partial=true").send().await, 404, "unknown_step");
    assert_problem(&planner.get("/steps/q/results/a").send().await, 404, "unknown_step");
    assert_problem(&app.planner("t").get("/steps/p/result").send().await, 404, "unknown_step");
    let gone = eventually("the session's data to expire", || async {
        let answer = ask(&planner, "").await;
        (answer.status != 200).then_some(answer)
    })
    .await;
    assert_problem(&gone, 410, "session_expired");
    assert_problem(&planner.get("/steps/p/results/a").send().await, 410, "session_expired");
}

#[tokio::test]
async fn result_of_what_only_the_archive_has_is_the_same() {
    let folder = Folder::new();
    let app = archived(&folder).env("CACHE__TTL_SECONDS", 4).env("CACHE__SWEEP_MS", 20);
    let app = app.env("COORDINATOR__IDLE_MS", 100).start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    two_sides(&planner).await;
    fail(&planner, "b", "no rows").await;
    let before = ask(&planner, "").await;
    eventually("the session's data to expire", || async {
        (planner.page("/events").await["source"] == "archive").then_some(())
    })
    .await;
    let after = ask(&planner, "").await;
    assert_eq!((after.status, after.text()), (200, before.text()));
}
