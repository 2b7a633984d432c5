//! Data whose time is over: told apart from what never was, and the sequence goes on.

use serde_json::{Value, json};

use crate::harness::{Folder, Planner, TestApp, assert_problem, eventually};

async fn start() -> (TestApp, Planner, Value) {
    let app = TestApp::new().env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20);
    let app = app.env("COORDINATOR__IDLE_MS", 100).start().await;
    let planner = app.planner("s");
    planner.post(&step("p")).await.expect(201);
    planner.subagent("p", "a").say("success", 1, "x").await;
    let before = planner.page("/events").await;
    let gone = || async { (planner.get("").send().await.status == 410).then_some(()) };
    eventually("the session's data to expire", gone).await;
    app.settled("active_sessions", 0).await;
    (app, planner, before)
}

fn step(id: &str) -> Value {
    json!({"plan_step_id": id, "expected_subagents": [{"key": "a"}]})
}

#[tokio::test]
async fn expired_session_says_so_wherever_it_is_asked() {
    let (app, planner, before) = start().await;
    assert_problem(&planner.get("").send().await, 410, "session_expired");
    assert_problem(&planner.get("/steps/p").send().await, 410, "session_expired");
    let event = json!({"status": "partial"});
    assert_problem(&planner.subagent("p", "a").post(&event).await, 410, "session_expired");
    assert_problem(&app.post(planner.path("/cancel")).send().await, 410, "session_expired");
    assert_problem(&app.get("/planner/sessions/never").send().await, 404, "unknown_session");
    let page = planner.page("/events").await;
    assert_eq!(page["verdict"], json!({"recovered": false, "reason": "expired"}));
    assert_eq!(
        (&page["events"], &page["tail"], &page["closed"]),
        (&json!([]), &before["tail"], &json!(true))
    );
}

#[tokio::test]
async fn reader_of_expired_data_gets_its_verdict_and_the_end() {
    let (app, planner, before) = start().await;
    let starts =
        ["", "?after=2", "?after=snapshot", "?after=deadbeef_3_0000000000000000", "?after=999", "?last=2"];
    let paths = [planner.path("/events"), planner.events("p")];
    for path in paths.iter().flat_map(|path| starts.map(|start| format!("{path}{start}"))) {
        let page = app.get(&path).send().await.expect(200);
        let verdict = json!({"recovered": false, "reason": "expired"});
        assert_eq!((&page["verdict"], &page["closed"]), (&verdict, &json!(true)), "{path}");
        let mut reader = app.sse(path).await;
        let opened = reader.expect("open").await;
        assert_eq!(
            (&opened.json()["reason"], &opened.json()["recovered"], opened.id.as_ref()),
            (&json!("expired"), &json!(false), None)
        );
        let snapshot = reader.expect("snapshot").await.json();
        assert_eq!((&snapshot["events"], &snapshot["complete"]), (&json!([]), &json!(true)));
        let end = reader.expect("end").await;
        assert_eq!(end.json(), json!({"reason": "expired", "sequence": before["tail"]}));
        let again = planner
            .get("/events")
            .header("accept", "text/event-stream")
            .header("last-event-id", end.id.unwrap());
        assert_eq!(again.send().await.status, 204, "an EventSource stops");
    }
}

#[tokio::test]
async fn sequence_goes_on_after_data_expired() {
    let (app, planner, before) = start().await;
    let tail = before["tail"].as_u64().unwrap();
    planner.post(&step("q")).await.expect(201);
    let page = planner.page("/steps/q/events").await;
    assert_eq!((page["from"].as_u64(), &page["events"][0]["sequence"]), (Some(tail + 1), &json!(tail + 1)));
    // Whoever had seen everything continues exactly; whoever hadn't is told.
    let mut reader =
        planner.get("/events").header("last-event-id", before["next"].as_str().unwrap()).sse().await;
    let (open, mut coverage) = reader.open().await;
    assert_eq!((&open["reason"], &open["recovered"]), (&json!("ok"), &json!(true)));
    reader.cover(&mut coverage, tail + 1).await;
    let open = app.sse(format!("{}?after=2", planner.path("/events"))).await.expect("open").await.json();
    assert_eq!(open["recovered"], false);
}

#[tokio::test]
async fn step_of_expired_data_is_not_taken_for_its_repeat() {
    let (_app, planner, _) = start().await;
    // The directive was forgotten with the data: this is a new step, with its own events.
    planner.post(&step("p")).await.expect(201);
    let said = planner.subagent("p", "a").say("partial", 1, "again").await;
    assert_eq!(said["verdict"], "accepted");
}

#[tokio::test]
async fn session_in_memory_does_not_answer_for_data_that_expired() {
    let app = TestApp::new().env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20).start().await;
    let planner = app.planner("s");
    planner.post(&step("p")).await.expect(201);
    let a = planner.subagent("p", "a");
    let success = json!({"status": "success", "revision": 1});
    a.post(&success).await.expect(200);
    let gone = || async { (planner.get("").send().await.status == 410).then_some(()) };
    eventually("the session's data to expire", gone).await;
    assert_problem(&a.post(&success).await, 410, "session_expired");
    assert_eq!(planner.post(&step("p")).await.status, 201, "what is gone can't be repeated");
}

#[tokio::test]
async fn data_lives_while_a_step_runs() {
    let app = TestApp::new().env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20).start().await;
    let (running, over) = (app.planner("running"), app.planner("over"));
    running.start("p", &["a"]).await;
    over.start("p", &["a"]).await;
    over.subagent("p", "a").succeed().await;
    let gone = || async { (over.get("").send().await.status == 410).then_some(()) };
    eventually("the other session to expire", gone).await;
    assert_eq!(running.state().await["status"], "open");
}

/// A session whose data is over, and an archive's alone where there is one; `after` is its last place.
async fn expired(archive: Option<&Folder>, more_steps: bool) -> (TestApp, Planner, String) {
    let mut app = TestApp::new().env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20);
    if let Some(folder) = archive {
        app = app.env("ARCHIVE__URL", folder.url());
    }
    let app = app.start().await;
    let planner = app.planner("s");
    let mut directive = step("p");
    directive["more_steps"] = json!(more_steps);
    planner.post(&directive).await.expect(201);
    planner.subagent("p", "a").say("success", 1, "x").await;
    let after = planner.page("/events").await["next"].as_str().unwrap().to_owned();
    eventually("the session's data to expire", || async {
        let page = planner.page("/events?after=0").await;
        (page["source"] == "archive" || page["verdict"]["reason"] == "expired").then_some(())
    })
    .await;
    (app, planner, after)
}

#[tokio::test]
async fn expired_session_is_closed_at_its_tail_unless_it_expects_more_steps() {
    let folder = Folder::new();
    for archive in [None, Some(&folder)] {
        for more_steps in [true, false] {
            let (app, planner, after) = expired(archive, more_steps).await;
            let at_tail = [&*format!("after={after}"), "after=tail", "last=0"];
            for (path, reason) in
                at_tail.map(|start| format!("/events?{start}")).iter().zip(["ok", "new", "new"])
            {
                let page = planner.page(path).await;
                let verdict = if more_steps { reason } else { "closed" };
                assert_eq!(
                    (&page["verdict"], &page["closed"], &page["events"]),
                    (&json!({"recovered": true, "reason": verdict}), &json!(!more_steps), &json!([])),
                    "{path} {more_steps}"
                );
                let stream = planner.get(path).header("accept", "text/event-stream");
                if !more_steps {
                    assert_eq!(stream.send().await.status, 204, "{path}");
                    continue;
                }
                let mut reader = stream.sse().await;
                let open = reader.expect("open").await.json();
                assert_eq!((&open["reason"], &open["recovered"]), (&json!(reason), &json!(true)));
                assert_eq!(reader.expect("end").await.json()["reason"], "expired", "{path}");
            }
            let last = planner.page("/events?last=2").await;
            let verdict = if archive.is_some() { "new" } else { "expired" };
            assert_eq!(last["verdict"]["reason"], verdict, "{more_steps}: {last}");
            // The step is over, whether or not another one comes.
            let of_step = app.get(format!("{}?after={after}", planner.events("p")));
            assert_eq!(of_step.header("accept", "text/event-stream").send().await.status, 204);
            planner.post(&step("q")).await.expect(201);
            let mut reader = planner.get("/events").header("last-event-id", &after).sse().await;
            assert_eq!(reader.expect("open").await.json()["reason"], "ok");
            app.request("DELETE", planner.path("")).send().await;
        }
    }
}

#[tokio::test]
async fn last_events_of_expired_data_come_out_of_the_archive_in_every_form() {
    let folder = Folder::new();
    let (app, planner, _) = expired(Some(&folder), false).await;
    for path in [planner.path("/events?last=2"), format!("{}?last=2", planner.events("p"))] {
        let page = app.get(&path).send().await.expect(200);
        assert_eq!((page["events"].as_array().unwrap().len(), &page["source"]), (2, &json!("archive")));
        let mut reader = app.sse(&path).await;
        let (open, mut coverage) = reader.open().await;
        assert_eq!(
            (&open["oldest"], &open["from"]),
            (&json!(1), &page["from"].as_u64().map_or(json!(0), |from| json!(from - 1)))
        );
        let events = reader.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;
        assert_eq!(json!(events), page["events"], "{path}");
        reader.expect("end").await;
        let lines = app.get(&path).header("accept", "application/x-ndjson").send().await;
        let frames = lines.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let events: Vec<Value> =
            frames.filter_map(|frame| frame["data"]["events"].as_array().cloned()).flatten().collect();
        assert_eq!(json!(events), page["events"], "{path}");
    }
}

#[tokio::test]
async fn durable_stream_of_expired_data_is_closed_only_where_nothing_was_to_follow() {
    let app = TestApp::new().env("CACHE__TTL_SECONDS", 1).env("CACHE__SWEEP_MS", 20);
    let app = app.env("BRIDGES__DURABLE_STREAMS__LONG_POLL_MS", 3_000).start().await;
    for (session, more_steps) in [("more", true), ("last", false)] {
        let planner = app.planner(session);
        let mut step = step("p");
        step["more_steps"] = json!(more_steps);
        planner.post(&step).await.expect(201);
        planner.subagent("p", "a").say("success", 1, "x").await;
        let path = format!("/bridges/durable-streams/sessions/{session}");
        let at = |offset: &str| app.get(format!("{path}?live=long-poll&offset={offset}")).send();
        // Its data expires while it waits, and was over when it comes again.
        let first = at("now").await;
        let next = first.header("stream-next-offset").unwrap().to_owned();
        for answer in [first, at(&next).await] {
            assert_eq!(answer.status, 204, "{}", answer.text());
            assert_eq!(answer.header("stream-closed").is_some(), !more_steps, "{session}");
            assert_eq!(answer.header("stream-next-offset").unwrap(), next);
        }
    }
}
