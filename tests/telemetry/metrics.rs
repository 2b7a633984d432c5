//! Figures, exactly: a story whose every number is known, and what `/metrics` says of it.

use serde_json::json;

use crate::figures::Figures;
use crate::harness::{SseClient, TestApp, open_plan};
use crate::scene::{Scene, directive, ended};

#[tokio::test]
async fn events_that_are_pushed_are_counted_by_their_verdicts_their_appends_and_their_frames() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["crm", "notes"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    let (open, mut coverage) = reader.open().await;
    reader.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;
    Figures::until(&app, "a reader", |figures| figures.count("tributary_readers") == 1.0).await;
    let crm = planner.subagent("p", "crm");
    let said = async |status: &str, revision: u64, content: &str| {
        let event = json!({ "status": status, "revision": revision, "payload": { "content": content, "sources": [] } });
        crm.post(&event).await.status
    };
    assert_eq!(said("in_progress", 1, "").await, 200);
    reader.cover(&mut coverage, 3).await;
    assert_eq!(said("partial", 2, "a").await, 200);
    reader.cover(&mut coverage, 4).await;
    assert_eq!(said("partial", 2, "a").await, 200, "a duplicate");
    assert_eq!(said("partial", 1, "b").await, 200, "stale");
    assert_eq!(said("partial", 2, "b").await, 409, "a conflict");
    assert_eq!(said("success", 3, "a").await, 200);
    reader.cover(&mut coverage, 6).await;
    assert_eq!(said("success", 4, "a").await, 200, "late");
    let figures = Figures::of(&app).await;
    let verdict = |name: &str| figures.get(&format!("tributary_publishes_total{{verdict=\"{name}\"}}"));
    let verdicts = ["accepted", "duplicate", "stale", "conflict", "late"].map(verdict);
    assert_eq!(verdicts, [3.0, 1.0, 1.0, 1.0, 1.0]);
    // The directive and three events, each an append of its own.
    assert_eq!(figures.get("tributary_append_duration_seconds_count"), 4.0);
    assert_eq!(figures.get("tributary_append_duration_seconds_bucket{le=\"+Inf\"}"), 4.0);
    assert_eq!(figures.get("tributary_appended_entries_total"), 6.0);
    // Each was waited for.
    assert_eq!(figures.get("tributary_delivery_duration_seconds_count"), 3.0);
    assert_eq!(figures.get("tributary_frames_total"), 4.0);
    assert_eq!(figures.get("tributary_frames_encoded_total"), 4.0);
    assert_eq!(figures.get("tributary_events_coalesced_total"), 0.0);
    assert_eq!(figures.get("tributary_replayed_entries_total{source=\"ring\"}"), 1.0);
    assert_eq!(figures.get("tributary_subagent_outcomes_total{status=\"success\"}"), 1.0);
    assert_eq!(figures.get("tributary_sessions_active"), 1.0);
    assert!(
        !figures.0.keys().any(|series| series.starts_with("tributary_step_duration")),
        "no step has ended"
    );
    let process = ["process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"];
    assert!(
        process.iter().all(|name| figures.get(name) > 0.0),
        "{:?}",
        process.map(|name| figures.get(name))
    );
    drop(reader);
    Figures::until(&app, "no reader", |figures| figures.get("tributary_readers") == 0.0).await;
}

#[tokio::test]
async fn what_became_of_outputs_calls_and_steps_is_counted() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    let mut silent = scene.called("slow", "/documentation/json?hang=head");
    silent["deadline_ms"] = json!(3_000);
    let outputs = [
        scene.called("docs", "/documentation/json?fail=2"),
        scene.called("rows", "/row_selection/json?status=404"),
        silent,
        json!({ "key": "nobody", "deadline_ms": 200 }),
        json!({ "key": "crm" }),
    ];
    planner.post(&directive(&outputs)).await.expect(201);
    planner.subagent("p", "crm").succeed().await;
    ended(&planner, "p").await;
    for (step, status) in [("q", "completed"), ("r", "cancelled")] {
        planner.start(step, &["crm"]).await;
        match status {
            "completed" => planner.subagent(step, "crm").succeed().await,
            _ => planner.tell(&format!("/steps/{step}/cancel"), json!({})).await,
        };
        assert_eq!(ended(&planner, step).await.last().unwrap()["content"]["status"], status);
    }
    let called = |figures: &Figures, outcome: &str| {
        figures.count(&format!(
            "tributary_call_duration_seconds_count{{outcome=\"{outcome}\",protocol=\"json\"}}"
        ))
    };
    // A call that times out is told when its task is gone.
    let last = "tributary_step_duration_seconds_count{status=\"cancelled\"}";
    let combined = "tributary_aggregation_duration_seconds_count";
    let whole = |figures: &Figures| {
        called(figures, "timeout") == 1.0 && figures.count(last) == 1.0 && figures.count(combined) == 3.0
    };
    let figures = Figures::until(&scene.app, "all calls and steps", whole).await;
    let outcome =
        |status: &str| figures.get(&format!("tributary_subagent_outcomes_total{{status=\"{status}\"}}"));
    let outcomes = ["success", "error", "timeout", "cancelled", "degraded", "refused"].map(outcome);
    assert_eq!(outcomes, [3.0, 1.0, 2.0, 1.0, 0.0, 0.0]);
    assert_eq!(figures.get("tributary_subagent_retries_total"), 2.0);
    let steps =
        |status: &str| figures.get(&format!("tributary_step_duration_seconds_count{{status=\"{status}\"}}"));
    assert_eq!(["partial_failure", "completed", "cancelled"].map(steps), [1.0; 3]);
    assert_eq!(["success", "failure", "timeout"].map(|outcome| called(&figures, outcome)), [1.0, 3.0, 1.0]);
    let written = "tributary_syntheses_total{method=\"extractive\",outcome=\"delivered\"}";
    assert!(figures.get(written) >= 2.0, "{figures:#?}");
    let posted = "http_server_request_duration_seconds_count{http_request_method=\"POST\",\
        http_response_status_code=\"201\",http_route=\"/planner/sessions/{session_id}/steps\"}";
    assert_eq!(figures.get(posted), 3.0, "{figures:#?}");
    assert_eq!(figures.get("tributary_breakers{state=\"open\",subagent=\"other\"}"), 0.0);
}

#[tokio::test]
async fn readers_are_counted_by_the_verdict_on_their_place_and_by_what_they_are_replayed() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["crm"]).await;
    planner.subagent("p", "crm").say("partial", 1, "x").await;
    planner.subagent("p", "crm").succeed().await;
    let events = ended(&planner, "p").await;
    let last = events.last().unwrap()["sequence"].as_u64().unwrap();
    // From the beginning, then from what its second frame or event ended with.
    let mut first = app.get(planner.path("/steps/p/events?batch=1")).sse().await;
    let (_, mut coverage) = first.open().await;
    first.cover(&mut coverage, 2).await;
    let (id, seen) = (first.last_id.clone().unwrap(), coverage.to);
    first.until("end").await;
    let mut again: SseClient = app.get(planner.events("p")).header("last-event-id", id).sse().await;
    again.until("end").await;
    let nowhere =
        app.get(planner.events("p")).header("last-event-id", "000000_7_0000000000000000").sse().await;
    let reason = {
        let mut nowhere = nowhere;
        nowhere.open().await.0["reason"].as_str().unwrap().to_owned()
    };
    assert_eq!(reason, "epoch_changed");
    let figures = Figures::of(&app).await;
    for verdict in ["new", "ok", "epoch_changed"] {
        assert_eq!(
            figures.get(&format!("tributary_resumes_total{{verdict=\"{verdict}\"}}")),
            1.0,
            "{figures:#?}"
        );
    }
    let from =
        |source: &str| figures.get(&format!("tributary_replayed_entries_total{{source=\"{source}\"}}"));
    assert!(from("ring") >= (last + last - seen) as f64, "{figures:#?}");
    assert_eq!((from("cache"), from("archive")), (0.0, 0.0));
    let (frames, encoded) =
        (figures.get("tributary_frames_total"), figures.get("tributary_frames_encoded_total"));
    assert!(frames >= last as f64 && encoded > 0.0, "{frames} frames, {encoded} of them put together");
}

#[tokio::test]
async fn many_readers_of_one_place_share_their_frames() {
    const READERS: usize = 20;
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["crm"]).await;
    let mut readers = Vec::new();
    for _ in 0..READERS {
        let mut reader = app.sse(planner.events("p")).await;
        let (open, mut coverage) = reader.open().await;
        reader.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;
        readers.push(reader);
    }
    planner.subagent("p", "crm").succeed().await;
    for reader in &mut readers {
        reader.until("end").await;
    }
    let figures = Figures::of(&app).await;
    let (frames, encoded) =
        (figures.get("tributary_frames_total"), figures.get("tributary_frames_encoded_total"));
    assert!(
        frames >= 2.0 * READERS as f64 && encoded < frames / 2.0,
        "{frames} frames, {encoded} put together"
    );
}

#[tokio::test]
async fn a_service_that_drains_says_so() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 20_000).start().await;
    assert_eq!(Figures::of(&app).await.get("tributary_draining"), 0.0);
    let planner = open_plan(app.client(), "s", &["crm"]).await;
    // Who doesn't read keeps the service.
    let mut stalled = app.get(planner.events("p")).receive_buffer(2_048).sse().await;
    stalled.open().await;
    for revision in 1..=40 {
        planner.subagent("p", "crm").say("partial", revision, &"x".repeat(16_384)).await;
    }
    app.signal("TERM");
    Figures::until(&app, "the service to drain", |figures| figures.get("tributary_draining") == 1.0).await;
    drop(stalled);
    assert!(app.exited().await.success());
}
