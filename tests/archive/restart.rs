//! A process that ends, well or not, and one that goes on where the archive is.

use serde_json::json;

use crate::harness::{Planner, Setup, TestApp, assert_problem, eventually, open_plan};
use crate::sqlite::Folder;

fn archived(folder: &Folder) -> Setup {
    TestApp::new().env("ARCHIVE__URL", folder.url())
}

async fn stop(mut app: TestApp) {
    app.signal("TERM");
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn unfinished_session_goes_on_in_a_new_epoch_and_its_cursors_are_ok() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let planner = open_plan(app.client(), "s", &["a", "b"]).await;
    for revision in 1..=5 {
        planner.subagent("p", "a").say("partial", revision, "x").await;
    }
    let before = planner.page("/events").await;
    let early = planner.page("/events?limit=3").await;
    // The last answer is on its way when the signal comes: it is archived before the process ends.
    stop(app).await;

    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let state = planner.state().await;
    assert_eq!((&state["status"], &state["sequence"]["tail"]), (&json!("open"), &before["tail"]));
    assert_ne!(state["epoch"], before["epoch"]);
    for cursor in [&before["next"], &early["next"]] {
        let mut reader = planner.get("/events").header("last-event-id", cursor.as_str().unwrap()).sse().await;
        let (open, _) = reader.open().await;
        assert_eq!((&open["reason"], &open["recovered"]), (&json!("ok"), &json!(true)), "{cursor}");
    }
    let mut reader =
        planner.get("/events").header("last-event-id", early["next"].as_str().unwrap()).sse().await;
    let (_, mut coverage) = reader.open().await;
    assert_eq!(planner.subagent("p", "a").say("partial", 5, "x").await["verdict"], "duplicate");
    let said = planner.subagent("p", "a").say("success", 6, "the end").await;
    let tail = before["tail"].as_u64().unwrap();
    assert_eq!(said["sequence"].as_u64(), Some(tail + 1), "the sequence goes on");
    reader.cover(&mut coverage, tail + 1).await;
    let page = planner.page("/events").await;
    let (old, new) = (before["events"].as_array().unwrap(), page["events"].as_array().unwrap());
    assert_eq!(new[..old.len()], old[..]);
    assert_eq!((&page["verdict"]["reason"], &page["source"]), (&json!("new"), &json!("archive")));
}

#[tokio::test]
async fn deadlines_run_on_across_a_restart() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let step = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "deadline_ms": 1_500});
    planner.post(&step).await.expect(201);
    stop(app).await;
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let state = eventually("the deadline", || async {
        let step = planner.step("p").await;
        (step["status"] == "failed").then_some(step)
    })
    .await;
    assert_eq!(state["subagents"][0]["status"], "timeout");
}

#[tokio::test]
async fn crash_costs_nothing_that_was_archived() {
    let folder = Folder::new();
    let mut tail = 0;
    for round in 1..=3 {
        let app = archived(&folder).env("ARCHIVE__BATCH_WAIT_MS", 1).start().await;
        let planner = app.planner("s");
        let step = json!({"plan_step_id": format!("p-{round}"), "expected_subagents": [{"key": "a"}], "deadline_ms": 60_000});
        planner.post(&step).await.expect(201);
        for revision in 1..=20 {
            planner.subagent(&format!("p-{round}"), "a").say("partial", revision, "x").await;
        }
        eventually("everything to be archived", || async {
            let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
            (archive["waiting_sessions"] == 0).then_some(())
        })
        .await;
        let page = planner.page("/events?limit=5000").await;
        let sequences: Vec<u64> =
            page["events"].as_array().unwrap().iter().map(|e| e["sequence"].as_u64().unwrap()).collect();
        assert_eq!(sequences, (1..=tail + 22).collect::<Vec<_>>());
        tail += 22;
        // Dropping the app kills the process.
    }
}

#[tokio::test]
async fn ended_session_that_only_the_archive_knows_is_read_and_goes_on_above() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    let before = planner.page("/events").await;
    stop(app).await;

    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let page = planner.page("/events").await;
    assert_eq!(
        (&page["events"], &page["closed"], &page["source"]),
        (&before["events"], &json!(true), &json!("archive"))
    );
    let after = planner.page(&format!("/events?after={}", before["next"].as_str().unwrap())).await;
    assert_eq!((&after["closed"], &after["verdict"]["recovered"]), (&json!(true), &json!(true)));
    planner.start("q", &["a"]).await;
    let page = planner.page("/events").await;
    assert_eq!(page["tail"].as_u64().unwrap(), before["tail"].as_u64().unwrap() + 1);
    let other: Planner = app.planner("other");
    other.start("p", &["a"]).await;
    assert_eq!(other.page("/events").await["tail"], 1);
}

#[tokio::test]
async fn session_that_waits_for_another_step_is_still_open() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let step = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "more_steps": true});
    planner.post(&step).await.expect(201);
    planner.subagent("p", "a").succeed().await;
    let before = planner.page("/events").await;
    stop(app).await;
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    assert_eq!(planner.state().await["status"], "open");
    let mut reader =
        planner.get("/events").header("last-event-id", before["next"].as_str().unwrap()).sse().await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!(open["reason"], "ok");
    planner.start("q", &["a"]).await;
    reader.cover(&mut coverage, before["tail"].as_u64().unwrap() + 1).await;
}

#[tokio::test]
async fn what_was_acknowledged_in_an_ended_session_is_known_after_a_restart() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let keyed = |app: &TestApp| {
        let event = json!({"status": "success", "revision": 2, "payload": {"content": "x"}});
        let path = app.planner("s").subagent("p", "a").path;
        app.post(path).json(&event).header("idempotency-key", "k")
    };
    let first = keyed(&app).send().await;
    first.expect(200);
    let before = planner.page("/events").await;
    stop(app).await;

    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let again = keyed(&app).send().await.expect(200);
    assert_eq!(again["results"], first.json()["results"]);
    // The same place, in another epoch.
    let place =
        |answer: &serde_json::Value| answer["cursor"].as_str().unwrap().split_once('_').unwrap().1.to_owned();
    assert_eq!(place(&again), place(&first.json()));
    let a = planner.subagent("p", "a");
    let verdict = async |revision: u64, content: &str| {
        let event = json!({"status": "success", "revision": revision, "payload": {"content": content}});
        a.post(&event).await.expect(200)["results"][0]["verdict"].clone()
    };
    assert_eq!(verdict(2, "x").await, "duplicate");
    assert_eq!(verdict(1, "x").await, "stale");
    assert_eq!(verdict(5, "y").await, "late");
    assert_problem(&a.post(&json!({"status": "partial", "revision": 2})).await, 409, "revision_conflict");
    for (rest, body) in [("/steps/p/progress", json!({"message": "m"})), ("/steps/p/cancel", json!({}))] {
        assert_problem(&app.post(planner.path(rest)).json(&body).send().await, 409, "step_ended");
    }
    assert_eq!(planner.tell("/cancel", json!({})).await["status"], "closed");
    let page = planner.page("/events").await;
    assert_eq!((&page["events"], &page["closed"]), (&before["events"], &json!(true)));
    // A reader who has it all is at the end, as before.
    let after = planner.page(&format!("/events?after={}", before["next"].as_str().unwrap())).await;
    assert_eq!((&after["closed"], &after["verdict"]["recovered"]), (&json!(true), &json!(true)));
    assert_eq!(planner.tell("/close", json!({})).await["status"], "closed");
    planner.start("q", &["a"]).await;
    planner.subagent("q", "a").succeed().await;
    let sequences: Vec<u64> = planner.page("/events").await["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["sequence"].as_u64().unwrap())
        .collect();
    assert!(sequences.is_sorted_by(|one, next| one < next), "{sequences:?}");
}

#[tokio::test]
async fn ended_session_whose_time_is_over_takes_nothing_after_a_restart() {
    let folder = Folder::new();
    let brief = || archived(&folder).env("CACHE__TTL_SECONDS", 1);
    let app = brief().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    planner.subagent("p", "a").succeed().await;
    let ended = std::time::Instant::now();
    stop(app).await;
    let app = brief().start().await;
    let planner = app.planner("s");
    eventually("the session's time to be over", || async {
        (ended.elapsed() > std::time::Duration::from_millis(1_100)).then_some(())
    })
    .await;
    let late = planner.subagent("p", "a").post(&json!({"status": "success", "revision": 5})).await;
    assert_problem(&late, 410, "session_expired");
    planner.get("/steps/p/result").send().await.expect(200);
}

#[tokio::test]
async fn session_of_which_nothing_was_seen_is_still_open() {
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    let step = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "shadow": true});
    planner.post(&step).await.expect(201);
    planner.subagent("p", "a").succeed().await;
    assert_eq!(planner.page("/events").await["closed"], false);
    stop(app).await;
    let app = archived(&folder).start().await;
    let planner = app.planner("s");
    assert_eq!(planner.page("/events").await["closed"], false);
    assert_eq!(planner.state().await["status"], "open");
    assert_eq!(planner.tell("/close", json!({})).await["status"], "closed");
    assert_eq!(planner.page("/events").await["closed"], true);
}

#[tokio::test]
async fn text_of_a_session_that_was_deleted_is_in_no_file() {
    const SECRET: &str = "the customer's name is Quillfeather";
    let folder = Folder::new();
    let app = archived(&folder).start().await;
    for session in ["s", "t"] {
        let planner = open_plan(app.client(), session, &["a"]).await;
        let text = if session == "s" { SECRET } else { "what stays" };
        planner.subagent("p", "a").say("success", 1, &text.repeat(300)).await;
    }
    let holding = |text: &str| {
        let files = std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().path());
        let holds = |path: &std::path::PathBuf| {
            // The log may go while its folder is read.
            let bytes = std::fs::read(path).unwrap_or_default();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        };
        files.filter(holds).count()
    };
    eventually("both to be archived", || async {
        (holding(SECRET) > 0 && holding("what stays") > 0).then_some(())
    })
    .await;
    assert_eq!(app.request("DELETE", "/planner/sessions/s").send().await.status, 204);
    assert_eq!(holding(SECRET), 0, "while the service runs");
    stop(app).await;
    assert_eq!((holding(SECRET), holding("what stays")), (0, 1));
}
