//! What users think of results, over HTTP.

use serde_json::{Value, json};

use crate::harness::{Answer, Planner, TestApp, assert_problem};
use crate::reading::expired;
use crate::sqlite::Folder;

async fn scene(folder: &Folder) -> (TestApp, Planner) {
    let app = TestApp::new().env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1).start().await;
    let planner = app.planner("s");
    planner.start("p", &["crm"]).await;
    (app, planner)
}

async fn give(app: &TestApp, planner: &Planner, step: &str, key: Option<&str>, body: &Value) -> Answer {
    let request = app.post(planner.path(&format!("/steps/{step}/result/feedback"))).json(body);
    let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
    request.send().await
}

async fn read(app: &TestApp) -> Value {
    app.get("/analytics/feedback?hours=1").send().await.expect(200)
}

#[tokio::test]
async fn feedback_is_kept_and_read_back_until_its_session_is_forgotten() {
    let folder = Folder::new();
    let (app, planner) = scene(&folder).await;
    let none = read(&app).await;
    assert_eq!((&none["count"], &none["average"], &none["comments"]), (&json!(0), &json!(null), &json!([])));
    let liked =
        give(&app, &planner, "p", None, &json!({"score": 0.5, "comment": "half of it"})).await.expect(201);
    let expected = json!({
        "session_id": "s", "plan_step_id": "p", "score": 0.5, "comment": "half of it", "at": liked["at"],
    });
    assert_eq!(liked, expected);
    planner.tell("/cancel", json!({})).await;
    let after = give(&app, &planner, "p", None, &json!({"score": 1, "comment": " "})).await.expect(201);
    assert_eq!(after, json!({"session_id": "s", "plan_step_id": "p", "score": 1.0, "at": after["at"]}));
    let figures = read(&app).await;
    assert_eq!((&figures["count"], &figures["average"]), (&json!(2), &json!(0.75)));
    assert_eq!(figures["comments"], json!([expected]));
    assert!(
        figures["from"].as_str() < liked["at"].as_str() && liked["at"].as_str() <= figures["to"].as_str()
    );
    let events = planner.page("/events").await;
    assert!(!events.to_string().contains("half of it"), "it is no event");
    assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
    assert_eq!(read(&app).await["count"], 0, "forgotten there too");
}

#[tokio::test]
async fn repeated_feedback_gets_the_first_answer_and_other_is_refused() {
    let folder = Folder::new();
    let (app, planner) = scene(&folder).await;
    planner.start("q", &["crm"]).await;
    let body = json!({"score": 0, "comment": "no"});
    let first = give(&app, &planner, "p", Some("k"), &body).await.expect(201);
    assert_eq!(give(&app, &planner, "p", Some("k"), &body).await.expect(201), first);
    for (step, body) in [("p", json!({"score": 1})), ("q", body.clone())] {
        let other = give(&app, &planner, step, Some("k"), &body).await;
        assert_problem(&other, 422, "idempotency_conflict");
    }
    assert_eq!(read(&app).await["count"], 1);
    give(&app, &planner, "q", Some("l"), &body).await.expect(201);
    let long = "k".repeat(256);
    assert_problem(&give(&app, &planner, "p", Some(&long), &body).await, 422, "invalid_id");
}

#[tokio::test]
async fn feedback_that_makes_no_sense_is_refused_with_its_place() {
    let folder = Folder::new();
    let (app, planner) = scene(&folder).await;
    for (body, code, pointer) in [
        (json!({"score": 100.01}), "invalid_event", "/score"),
        (json!({"score": -100.01}), "invalid_event", "/score"),
        (json!({"score": "1"}), "invalid_event", "/score"),
        (json!({"score": null}), "invalid_event", "/score"),
        (json!({"comment": "a"}), "invalid_event", "/score"),
        (json!({"score": 1, "comment": 1}), "invalid_event", "/comment"),
        (json!({"score": 1, "comment": "ü".repeat(8_193)}), "invalid_event", "/comment"),
        (json!({"score": 1, "comment": "a\u{0}"}), "invalid_event", "/comment"),
        (json!({"score": 1, "stars": 5}), "unknown_field", "/stars"),
    ] {
        let problem = assert_problem(&give(&app, &planner, "p", None, &body).await, 422, code);
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    let long = json!({"score": 1, "comment": "ü".repeat(8_192)});
    give(&app, &planner, "p", None, &long).await.expect(201);
    let good = json!({"score": 1});
    assert_problem(&give(&app, &planner, "q", None, &good).await, 404, "unknown_step");
    assert_problem(&give(&app, &app.planner("t"), "p", None, &good).await, 404, "unknown_step");
    assert_problem(&app.get("/analytics/feedback?hours=0").send().await, 422, "limit_reached");
    assert_eq!(read(&app).await["count"], 1);
}

#[tokio::test]
async fn feedback_is_taken_while_the_archive_knows_the_session() {
    let folder = Folder::new();
    let (app, planner, _) = expired(&folder).await;
    let given = give(&app, &planner, "p", None, &json!({"score": 1, "comment": "late"})).await.expect(201);
    assert_eq!(read(&app).await["comments"], json!([given]));
    drop(app);
    // A process that has decided nothing yet knows the time all the same.
    let app = TestApp::new().env("ARCHIVE__URL", folder.url()).start().await;
    give(&app, &app.planner("s"), "p", None, &json!({"score": 0})).await.expect(201);
    assert_eq!(read(&app).await["count"], 2);
}

#[tokio::test]
async fn without_an_archive_it_is_kept_in_memory_until_its_session_is_forgotten() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    planner.start("p", &["crm"]).await;
    let body = json!({"score": 4, "comment": "four stars"});
    let given = give(&app, &planner, "p", Some("k"), &body).await.expect(201);
    assert_eq!(give(&app, &planner, "p", Some("k"), &body).await.expect(201), given);
    assert_problem(&give(&app, &planner, "q", None, &body).await, 404, "unknown_step");
    let figures = read(&app).await;
    assert_eq!((&figures["count"], &figures["average"]), (&json!(1), &json!(4.0)));
    assert_eq!(figures["comments"], json!([given]));
    assert_eq!(app.request("DELETE", planner.path("")).send().await.status, 204);
    assert_eq!(read(&app).await["count"], 0);
}
