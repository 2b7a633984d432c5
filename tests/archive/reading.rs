//! Readers over HTTP: what the cache has let go of is read from the archive, and only `source` tells.

use serde_json::{Value, json};

use crate::harness::{
    Planner, Setup, TestApp, assert_problem, event_texts, events_of, eventually, open_plan,
};
use crate::sqlite::Folder;

const RING: u64 = 16;

fn archived(folder: &Folder) -> Setup {
    TestApp::new().env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1)
}

/// A service whose ring has let go of the beginning of a session's log.
async fn trimmed(folder: &Folder) -> (TestApp, Planner) {
    let app = archived(folder).env("CACHE__RING_ENTRIES", RING).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    for revision in 1..=40 {
        planner.subagent("p", "a").say("partial", revision, &format!("part {revision}")).await;
    }
    // Trimming waits for the archive; then only the ring is left.
    eventually("the ring to be trimmed", || async {
        let page = planner.page("/events?after=tail").await;
        let from_archive = planner.page("/events?limit=1").await["source"] == "archive";
        (from_archive && page["source"] == "ring").then_some(())
    })
    .await;
    (app, planner)
}

async fn settled(app: &TestApp) {
    eventually("everything to be archived", || async {
        let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
        assert_eq!(archive["backend"], "sqlite");
        (archive["waiting_sessions"] == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn trimmed_history_is_read_whole_and_byte_for_byte() {
    let folder = Folder::new();
    let (app, planner) = trimmed(&folder).await;
    let page = planner.page("/events").await;
    assert_eq!(page["verdict"], json!({"recovered": true, "reason": "new"}));
    assert_eq!((&page["source"], &page["oldest"], &page["from"]), (&json!("archive"), &json!(1), &json!(1)));
    assert_eq!(page["events"].as_array().unwrap().len() as u64, page["tail"].as_u64().unwrap());
    // What is still in the ring is the same text as what the archive has of it.
    let whole = planner.get("/events").send().await;
    let tail = page["tail"].as_u64().unwrap();
    let ring = planner.get(&format!("/events?after={}", tail - 5)).send().await;
    assert_eq!(ring.json()["source"], "ring");
    let (whole, ring) = (event_texts(whole.text()), event_texts(ring.text()));
    assert_eq!(whole[whole.len() - 5..], ring[..]);
    for after in ["start", "3", page["next"].as_str().unwrap()] {
        let mut reader = app.sse(format!("{}?after={after}&coalesce=never", planner.events("p"))).await;
        let (open, mut coverage) = reader.open().await;
        assert_eq!(open["recovered"], true, "{after}: {open}");
        if coverage.to < tail {
            reader.cover(&mut coverage, tail).await;
        }
        coverage.assert_whole(tail);
    }
    let gone = planner.page("/events?after=99").await;
    assert_eq!(gone["verdict"]["reason"], "ahead");
}

#[tokio::test]
async fn who_lags_behind_the_ring_is_spared_replaced_partials_as_well() {
    let folder = Folder::new();
    let app = archived(&folder).env("CACHE__RING_ENTRIES", RING).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    let event = |n: u64| json!({"status": "partial", "payload": {"content": format!("part {n}")}});
    let events: Vec<Value> = (1..=600).map(event).collect();
    planner.subagent("p", "a").post(&json!(events)).await.expect(200);
    settled(&app).await;
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    let mut shown = Vec::new();
    for coalesce in ["auto", "never"] {
        let mut reader = app.sse(format!("{}?coalesce={coalesce}", planner.events("p"))).await;
        let (_, mut coverage) = reader.open().await;
        let mut events = 0;
        while coverage.to < tail {
            let frame = reader.expect("planner_stream").await;
            coverage.take(&frame);
            events += events_of(&frame).len();
        }
        coverage.assert_whole(tail);
        shown.push((events as u64, coverage.coalesced.len() as u64));
    }
    let [(spared, left_out), never] = shown[..] else { panic!("{shown:?}") };
    assert!(spared + left_out == tail && left_out > 300, "{left_out} of {tail} were left out");
    assert_eq!(never, (tail, 0));
}

#[tokio::test]
async fn page_with_a_filter_and_a_small_limit_finds_what_lies_far_behind() {
    let folder = Folder::new();
    let (app, planner) = trimmed(&folder).await;
    planner.tell("/steps/p/progress", json!({"message": "half of it"})).await;
    settled(&app).await;
    for after in ["start", "1", "30"] {
        let page = planner.page(&format!("/events?type=planner_progress&limit=1&after={after}")).await;
        let events = page["events"].as_array().unwrap();
        assert!(events.len() == 1 && events[0]["content"]["message"] == "half of it", "{after}: {page}");
        assert_eq!(
            page["next"].as_str().unwrap().split('_').nth(1),
            events[0]["sequence"].as_u64().map(|n| n.to_string()).as_deref()
        );
    }
}

#[tokio::test]
async fn oldest_is_the_archives_wherever_a_stream_begins() {
    let folder = Folder::new();
    let (app, planner) = trimmed(&folder).await;
    for after in ["start", "39", "tail", "snapshot"] {
        let (open, _) = app.sse(format!("{}?after={after}", planner.events("p"))).await.open().await;
        assert_eq!((&open["oldest"], &open["recovered"]), (&json!(1), &json!(true)), "{after}: {open}");
    }
}

#[tokio::test]
async fn cursor_of_a_trimmed_entry_is_continued_and_one_of_another_branch_is_not() {
    let folder = Folder::new();
    let (_app, planner) = trimmed(&folder).await;
    let early = planner.page("/events?limit=4").await;
    let cursor = early["next"].as_str().unwrap();
    let page = planner.page(&format!("/events?after={cursor}")).await;
    assert_eq!((&page["verdict"]["reason"], &page["from"]), (&json!("ok"), &json!(5)));
    let diverged = format!("{}0123456789abcdef", &cursor[..cursor.len() - 16]);
    let page = planner.page(&format!("/events?after={diverged}")).await;
    assert_eq!(page["verdict"], json!({"recovered": false, "reason": "diverged"}));
}

#[tokio::test]
async fn last_events_are_counted_beyond_the_ring() {
    let folder = Folder::new();
    let (_app, planner) = trimmed(&folder).await;
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    for last in [3, RING + 4, 30] {
        let page = planner.page(&format!("/events?last={last}")).await;
        assert_eq!(
            (page["from"].as_u64(), &page["verdict"]["recovered"]),
            (Some(tail - last + 1), &json!(true))
        );
        assert_eq!(page["events"].as_array().unwrap().len() as u64, last);
    }
    let all = planner.page("/events?last=4000").await;
    assert_eq!(all["from"], 1);
}

#[tokio::test]
async fn page_of_large_events_has_a_bound_and_the_next_one_goes_on() {
    const EVENTS: u64 = 40;
    let folder = Folder::new();
    let app = archived(&folder).env("CACHE__RING_ENTRIES", RING).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let large = "x".repeat(900_000);
    for revision in 1..=EVENTS {
        planner.subagent("p", "a").say("partial", revision, &large).await;
        // More than 32 MiB that wait for the archive are refused.
        if revision % 8 == 0 {
            settled(&app).await;
        }
    }
    let (mut after, mut events) = ("start".to_owned(), 0);
    loop {
        let page = planner.get(&format!("/events?limit=5000&after={after}")).send().await;
        assert!(page.text().len() < 18 << 20, "{} bytes", page.text().len());
        let page = page.json();
        assert_eq!((&page["verdict"]["recovered"], page["from"].as_u64()), (&json!(true), Some(events + 1)));
        events += page["events"].as_array().unwrap().len() as u64;
        after = page["next"].as_str().unwrap().to_owned();
        if page["to"] == page["tail"] {
            break;
        }
    }
    assert_eq!(events, 2 + EVENTS);
}

/// A session that ended, and whose data the cache has let go of.
pub async fn expired(folder: &Folder) -> (TestApp, Planner, Value) {
    let app = archived(folder).env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20);
    let app = app.env("COORDINATOR__IDLE_MS", 100).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").say("partial", 1, "half").await;
    planner.subagent("p", "a").say("success", 2, "whole").await;
    let before = planner.page("/events").await;
    settled(&app).await;
    eventually("the session's data to expire", || async {
        (planner.page("/events").await["source"] == "archive").then_some(())
    })
    .await;
    app.settled("active_sessions", 0).await;
    (app, planner, before)
}

#[tokio::test]
async fn expired_session_replays_as_it_was() {
    let folder = Folder::new();
    let (app, planner, before) = expired(&folder).await;
    let after = planner.page("/events").await;
    for field in ["events", "from", "to", "tail", "next", "closed", "epoch", "verdict", "oldest"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let of_step = planner.page("/steps/p/events").await;
    assert_eq!((&of_step["events"], &of_step["closed"]), (&before["events"], &json!(true)));
    for path in [planner.path("/events"), planner.events("p"), format!("{}?after=2", planner.events("p"))] {
        let mut reader = app.sse(path).await;
        let (open, mut coverage) = reader.open().await;
        assert_eq!(open["recovered"], true);
        let rest = reader.until("end").await;
        rest.iter().filter(|event| event.name == "planner_stream").for_each(|event| coverage.take(event));
        coverage.assert_whole(before["tail"].as_u64().unwrap());
    }
    // At the end an `EventSource` stops.
    let next = before["next"].as_str().unwrap();
    let again = planner.get("/events").header("accept", "text/event-stream").header("last-event-id", next);
    assert_eq!(again.send().await.status, 204);
    let snapshot = planner.page("/events?after=snapshot").await;
    assert_eq!(snapshot["events"].as_array().unwrap().len(), 6, "{snapshot}");
    assert_eq!(snapshot["source"], "archive");
}

#[tokio::test]
async fn expired_session_shows_its_state_and_takes_no_more_events() {
    let folder = Folder::new();
    let (_app, planner, _) = expired(&folder).await;
    assert_eq!(planner.state().await["status"], "closed");
    assert_eq!(planner.step("p").await["status"], "completed");
    let event = json!({"status": "partial"});
    assert_problem(&planner.subagent("p", "a").post(&event).await, 410, "session_expired");
    let never = planner.get("/steps/q").send().await;
    assert_problem(&never, 404, "unknown_step");
}

#[tokio::test]
async fn directive_brings_a_session_back_with_all_it_was() {
    let folder = Folder::new();
    let (_app, planner, before) = expired(&folder).await;
    let again = planner
        .post(&json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "deadline_ms": 60_000}))
        .await;
    assert_eq!(again.status, 200, "a repeat is known: {}", again.text());
    planner.start("q", &["b"]).await;
    let said = planner.subagent("p", "a").say("success", 2, "whole").await;
    assert_eq!(said["verdict"], "duplicate");
    let tail = before["tail"].as_u64().unwrap();
    let page = planner.page("/events").await;
    assert_eq!((page["tail"].as_u64(), &page["epoch"]), (Some(tail + 1), &before["epoch"]));
    let mut reader =
        planner.get("/events").header("last-event-id", before["next"].as_str().unwrap()).sse().await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!((&open["reason"], &open["recovered"]), (&json!("ok"), &json!(true)));
    planner.subagent("q", "b").succeed().await;
    let last = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    reader.cover(&mut coverage, last).await;
    let snapshot = planner.page("/events?after=snapshot").await;
    let steps: Vec<&Value> =
        snapshot["events"].as_array().unwrap().iter().map(|e| &e["plan_step_id"]).collect();
    assert!(steps.contains(&&json!("p")) && steps.contains(&&json!("q")), "{snapshot}");
}

#[tokio::test]
async fn forgotten_session_is_gone_from_the_archive_too() {
    let folder = Folder::new();
    let (app, planner, _) = expired(&folder).await;
    let deleted = app.request("DELETE", planner.path("")).send().await;
    assert_eq!(deleted.status, 204, "{}", deleted.text());
    assert_problem(&planner.get("").send().await, 404, "unknown_session");
    assert_problem(&planner.get("/events").send().await, 404, "unknown_session");
    let again = app.request("DELETE", planner.path("")).send().await;
    assert_eq!(again.status, 404, "{}", again.text());
    planner.start("p", &["a"]).await;
    assert_eq!(planner.page("/events").await["tail"], 1, "it begins anew");
}

#[tokio::test]
async fn reader_that_is_left_behind_by_the_ring_misses_nothing() {
    let folder = Folder::new();
    let app = archived(&folder)
        .env("CACHE__RING_ENTRIES", RING)
        .env("STREAMING__COALESCE_BACKLOG", 1_000_000)
        .start()
        .await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let request = app.get(format!("{}?coalesce=never", planner.events("p"))).receive_buffer(2_048);
    let mut reader = request.sse().await;
    let (_, mut coverage) = reader.open().await;
    let content = "x".repeat(8_192);
    for revision in 1..=150 {
        planner.subagent("p", "a").say("partial", revision, &content).await;
    }
    planner.subagent("p", "a").say("success", 151, "the end").await;
    settled(&app).await;
    let rest = reader.until("end").await;
    assert!(rest.iter().all(|event| event.name != "open"), "nothing was trimmed for it");
    rest.iter().filter(|event| event.name == "planner_stream").for_each(|event| coverage.take(event));
    let tail = planner.page("/events?after=tail").await["tail"].as_u64().unwrap();
    coverage.assert_whole(tail);
    assert!(rest.iter().flat_map(events_of).count() > 150);
}
