//! What is no longer kept: a snapshot, then live, never a silent hole.

use serde_json::{Value, json};

use crate::harness::{Coverage, Planner, TestApp, events_of, open_plan, within};

const RING: u64 = 16;

async fn start() -> (TestApp, Planner) {
    let app = TestApp::new().env("CACHE__RING_ENTRIES", RING).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    (app, planner)
}

async fn say(planner: &Planner, revisions: std::ops::RangeInclusive<u64>) {
    for revision in revisions {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
}

#[tokio::test]
async fn trimmed_reader_gets_the_last_of_everything_then_live() {
    let (app, planner) = start().await;
    planner.subagent("p", "b").say("success", 1, "kept").await;
    let old = planner.page("/events?limit=3").await["next"].as_str().unwrap().to_owned();
    say(&planner, 1..=30).await;
    for start in ["start", &old, "2"] {
        let mut reader = app.sse(format!("{}?after={start}", planner.events("p"))).await;
        let opened = reader.expect("open").await;
        let open = opened.json();
        assert_eq!(
            (&open["reason"], &open["recovered"], opened.id),
            (&json!("trimmed"), &json!(false), None),
            "{start}"
        );
        let tail = open["tail"].as_u64().unwrap();
        assert_eq!(open["oldest"].as_u64(), Some(tail - RING + 1));
        let mut coverage = Coverage::after(&open);
        let snapshot = reader.expect("snapshot").await;
        coverage.take(&snapshot);
        let shown: Vec<Value> = events_of(&snapshot);
        let kinds = crate::harness::essential(&shown);
        assert_eq!(kinds, ["step_started", "b:success", "a:partial"], "{start}");
        let revision = shown[2]["content"]["revision"].as_u64().unwrap();
        say(&planner, revision + 1..=revision + 3).await;
        let live = reader.cover(&mut coverage, tail + 3).await;
        assert_eq!((live.len(), coverage.to), (3, tail + 3));
    }
}

#[tokio::test]
async fn oldest_entry_that_is_kept_can_still_be_continued() {
    let (app, planner) = start().await;
    say(&planner, 1..=30).await;
    let oldest = planner.page("/events?after=tail").await["oldest"].as_u64().unwrap();
    let mut reader = app.sse(format!("{}?after={}", planner.events("p"), oldest - 1)).await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!(open["reason"], "ok");
    reader.cover(&mut coverage, oldest + RING - 1).await;
    coverage.assert_whole(oldest + RING - 1);
    let gone = planner.page(&format!("/events?after={}", oldest - 2)).await;
    assert_eq!(gone["verdict"], json!({"recovered": false, "reason": "trimmed"}));
}

#[tokio::test]
async fn page_that_was_trimmed_is_a_snapshot_and_says_so() {
    let (_app, planner) = start().await;
    say(&planner, 1..=30).await;
    let page = planner.page("/events").await;
    assert_eq!(page["verdict"], json!({"recovered": false, "reason": "trimmed"}));
    assert_eq!((page["to"].as_u64(), page["events"].as_array().unwrap().len()), (page["tail"].as_u64(), 2));
}

#[tokio::test]
async fn log_that_is_trimmed_under_a_reader_gives_it_a_second_open() {
    let app = TestApp::new()
        .env("CACHE__RING_ENTRIES", RING)
        .env("STREAMING__COALESCE_BACKLOG", 1_000)
        .start()
        .await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let request = app.get(format!("{}?coalesce=never", planner.events("p"))).receive_buffer(2_048);
    let mut reader = request.sse().await;
    let (_, mut coverage) = reader.open().await;
    // More than the sockets between hold, while nobody reads.
    let content = "x".repeat(8_192);
    for revision in 1..=150 {
        planner.subagent("p", "a").say("partial", revision, &content).await;
    }
    planner.subagent("p", "a").say("success", 151, "the end").await;
    let mut opens = 0;
    let reading = async {
        while let Some(event) = reader.try_next().await.unwrap() {
            match event.name.as_str() {
                "open" => {
                    let open = event.json();
                    assert_eq!(
                        (&open["reason"], &open["recovered"], event.id),
                        (&json!("trimmed"), &json!(false), None)
                    );
                    opens += 1;
                    coverage = Coverage::after(&open);
                }
                "end" => assert_eq!(event.json()["sequence"].as_u64(), Some(coverage.to)),
                _ => coverage.take(&event),
            }
        }
    };
    within("a reader that was left behind", reading).await;
    assert!(opens >= 1, "nothing was trimmed under the reader");
    assert!(coverage.events.contains(
        &planner.subagent("p", "a").say("success", 151, "the end").await["sequence"].as_u64().unwrap()
    ));
}
