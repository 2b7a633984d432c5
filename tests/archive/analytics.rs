//! Figures over HTTP.

use serde_json::json;

use crate::harness::{TestApp, eventually};
use crate::sqlite::Folder;

#[tokio::test]
async fn figures_tell_what_subagents_did() {
    let folder = Folder::new();
    let app = TestApp::new().env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1).start().await;
    let empty = app.get("/analytics/subagents").send().await.expect(200);
    assert_eq!(empty["subagents"], json!([]));
    let planner = app.planner("s");
    planner.start("p", &["crm", "voice"]).await;
    let event = json!({"status": "success", "payload": {"content": "x"}, "telemetry": {"latency_ms": 930}});
    planner.subagent("p", "crm").post(&event).await.expect(200);
    let failed = json!({"status": "error", "error": {"message": "x", "retryable": true}});
    planner.subagent("p", "voice").post(&failed).await.expect(200);
    planner.tell("/cancel", json!({})).await;
    let late = planner.subagent("p", "crm").say("success", 9, "late").await;
    assert_eq!(late["verdict"], "late");
    let figures = eventually("the figures", || async {
        let figures = app.get("/analytics/subagents?hours=1").send().await.expect(200)["subagents"].clone();
        (figures[1]["outputs"] == 1 && figures[0]["late"] == 1).then_some(figures)
    })
    .await;
    let crm = json!({
        "key": "crm",
        "outputs": 1,
        "counts": {"success": 1, "error": 0, "timeout": 0, "degraded": 0, "refused": 0, "cancelled": 0},
        "error_rate": 0.0,
        "timeout_rate": 0.0,
        "retries": 0,
        "late": 1,
        "latency_ms": {"p50": 930, "p95": 930, "p99": 930},
        "breaker": null,
    });
    assert_eq!(figures[0], crm);
    assert_eq!((&figures[1]["counts"]["cancelled"], &figures[1]["retries"]), (&json!(1), &json!(1)));
    // A terminal that no sender timed took from the step's start on.
    let step = planner.step("p").await;
    assert_eq!(figures[1]["latency_ms"]["p50"], step["subagents"][1]["latency_ms"]);
    let deleted = app.request("DELETE", planner.path("")).send().await;
    assert_eq!(deleted.status, 204);
    let after = app.get("/analytics/subagents").send().await.expect(200);
    assert_eq!(after["subagents"], json!([]), "forgotten there too");
}

#[tokio::test]
async fn without_an_archive_figures_are_of_what_the_store_holds() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    planner.start("p", &["crm"]).await;
    let event = json!({"status": "success", "payload": {"content": "x"}, "telemetry": {"latency_ms": 930}});
    planner.subagent("p", "crm").post(&event).await.expect(200);
    assert_eq!(planner.subagent("p", "crm").say("success", 9, "late").await["verdict"], "late");
    let figures = app.get("/analytics/subagents").send().await.expect(200);
    assert_eq!(figures["source"], "store");
    let crm = &figures["subagents"][0];
    assert_eq!((&crm["counts"]["success"], &crm["late"]), (&json!(1), &json!(1)));
    assert_eq!(crm["latency_ms"], json!({"p50": 930, "p95": 930, "p99": 930}));
}

#[tokio::test]
async fn figures_of_the_store_say_where_there_are_more_sessions_than_are_read() {
    for (most, truncated) in [(3, true), (4, true), (5, false), (6, false)] {
        let app = TestApp::new().env("LIMITS__FIGURES_SESSIONS", most).start().await;
        for session in 0..5 {
            let planner = app.planner(&format!("s{session}"));
            planner.start("p", &["crm"]).await;
            planner.subagent("p", "crm").succeed().await;
        }
        let figures = app.get("/analytics/subagents").send().await.expect(200);
        assert_eq!(figures["truncated"], truncated, "{most}");
        assert_eq!(figures["subagents"][0]["outputs"], most.min(5), "{most}");
    }
}
