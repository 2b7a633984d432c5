//! One process with an archive that ends in the middle of calls, and the next one that goes on with them.

use serde_json::{Value, json};
use tributary::simulate::{Calls, Ended, Script, Simulator};

use crate::harness::{Coverage, Folder, PATIENCE, Planner, SseClient, TestApp, events_of, eventually};
use crate::scene::{calling, ended, simulator, statuses};

/// Agents, and a place where processes leave what the next one goes on with.
struct Scene {
    agents: Simulator,
    folder: Folder,
}

impl Scene {
    /// Agents that do one thing at the first call and answer at the second.
    async fn new(first: Value) -> Self {
        let scene = Self { agents: simulator().await, folder: Folder::new() };
        let script = json!({ "/documentation/": [first, {}] });
        scene.agents.set_script(Script::read(&script.to_string()).unwrap());
        scene
    }

    async fn start(&self) -> TestApp {
        calling(self.agents.addr)
            .env("ARCHIVE__URL", self.folder.url())
            .env("ARCHIVE__BATCH_WAIT_MS", 1)
            .start()
            .await
    }

    async fn plan(&self, app: &TestApp, path: &str) -> Planner {
        let planner = app.planner("s");
        let call = json!({ "url": self.agents.url(path), "protocol": path.split(['/', '?']).nth(2) });
        let expected = json!([{ "key": "documentation", "invoke": call }]);
        let step = json!({"plan_step_id": "p", "query": "how?", "deadline_ms": 60_000, "expected_subagents": expected});
        planner.post(&step).await.expect(201);
        planner
    }

    async fn until(&self, wanted: impl Fn(&Calls) -> bool) -> Calls {
        self.agents.until(PATIENCE, wanted).await.unwrap()
    }
}

/// How calls named an output and its attempt: one idempotency key for all, and the attempt of each.
pub fn asked(calls: &Calls) -> (String, Vec<String>) {
    let header =
        |name: &str| calls.calls.iter().map(|call| call.asked.headers[name].clone()).collect::<Vec<_>>();
    let mut keys = header("idempotency-key");
    keys.dedup();
    assert_eq!(keys.len(), 1, "one output has one key: {keys:?}");
    (keys.remove(0), header("tributary-attempt"))
}

/// Waits for an event with a status, which a crash doesn't take any more.
async fn archived(app: &TestApp, planner: &Planner, status: &str) {
    eventually(format!("`{status}` to be archived"), || async {
        let page = planner.page("/events").await;
        let seen = statuses(page["events"].as_array().unwrap(), "documentation");
        let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
        (seen.iter().any(|seen| seen == status) && archive["waiting_sessions"] == 0).then_some(())
    })
    .await;
}

async fn kill(mut app: TestApp) {
    app.signal("KILL");
    app.exited().await;
}

/// A reader of the session that has read everything so far.
async fn reader(planner: &Planner) -> (SseClient, Coverage, Vec<Value>) {
    let mut reader = planner.get("/events?coalesce=never").sse().await;
    let (open, mut coverage) = reader.open().await;
    let events = reader.cover(&mut coverage, open["tail"].as_u64().unwrap()).await;
    (reader, coverage, events)
}

#[tokio::test]
async fn a_call_that_hangs_when_its_process_is_killed_is_made_again_by_the_next() {
    let scene = Scene::new(json!({ "hang": "body" })).await;
    let app = scene.start().await;
    // It hangs behind its first piece: another one could come between what is archived and what is read.
    let planner = scene.plan(&app, "/documentation/sse?chunks=2").await;
    archived(&app, &planner, "partial").await;
    let (before, mut coverage, mut read) = reader(&planner).await;
    kill(app).await;

    let app = scene.start().await;
    // Nobody speaks: it goes on by itself.
    let calls = scene.until(|calls| calls.total == 2 && calls.in_flight == 0).await;
    assert_eq!(calls.calls[0].ended, Some(Ended::PeerGone));
    assert_eq!(asked(&calls).1, ["1/3", "1/3"]);
    let planner = app.planner("s");
    let id = before.last_id.as_deref().unwrap();
    let mut after = planner.get("/events?coalesce=never").header("last-event-id", id).sse().await;
    let open = after.expect("open").await.json();
    assert_eq!(open["reason"], "ok");
    coverage.resume(&open);
    loop {
        let event = after.next().await.unwrap();
        match event.name.as_str() {
            "planner_stream" => {
                coverage.take(&event);
                read.extend(events_of(&event));
            }
            "end" => break,
            _ => {}
        }
    }
    let events = ended(&planner, "p").await;
    assert_eq!(read, events, "what a reader saw across the crash is the log");
    let seen = statuses(&events, "documentation");
    let count = |status: &str| seen.iter().filter(|seen| *seen == status).count();
    assert_eq!((count("in_progress"), count("success"), count("retry")), (1, 1, 0), "{seen:?}");
    assert_eq!(events.last().unwrap()["content"]["status"], "completed");
    let sequences: Vec<_> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert!(sequences.windows(2).all(|two| two[0] < two[1]), "{sequences:?}");
    assert_eq!(scene.agents.calls().total, 2);
}

#[tokio::test]
async fn an_attempt_that_waits_for_its_time_when_its_process_is_killed_begins_in_the_next() {
    let scene = Scene::new(json!({ "status": 503, "retry_after": 6 })).await;
    let app = scene.start().await;
    let planner = scene.plan(&app, "/documentation/json").await;
    archived(&app, &planner, "retry").await;
    kill(app).await;

    let app = scene.start().await;
    let planner = app.planner("s");
    assert_eq!(scene.agents.calls().total, 1, "its time hasn't come yet");
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "retry", "in_progress", "success"]);
    let calls = scene.agents.calls();
    assert_eq!(asked(&calls).1, ["1/3", "2/3"]);
    let waited = calls.calls[1].started_ms - calls.calls[0].ended_ms.unwrap();
    assert!((6_000.0..16_000.0).contains(&waited), "called again after {waited} ms");
}

#[tokio::test]
async fn a_call_that_is_running_when_its_process_is_told_to_stop_is_made_by_the_next() {
    let scene = Scene::new(json!({ "hang": "head" })).await;
    let setup = calling(scene.agents.addr).env("ARCHIVE__URL", scene.folder.url());
    let mut app = setup.env("SERVER__DRAIN_WINDOW_MS", 600).start().await;
    scene.plan(&app, "/documentation/json").await;
    scene.until(|calls| calls.in_flight == 1).await;
    app.signal("TERM");
    assert!(app.exited().await.success());

    let app = scene.start().await;
    let events = ended(&app.planner("s"), "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"]);
    assert_eq!(asked(&scene.agents.calls()).1, ["1/3", "1/3"]);
}

#[tokio::test]
async fn a_decision_that_was_not_taken_is_posted_by_the_next_process() {
    let agents = simulator().await;
    let folder = Folder::new();
    let script = json!({ "/generic/": [{ "hang": "head" }, {}] });
    agents.set_script(Script::read(&script.to_string()).unwrap());
    let start = async || {
        let setup = calling(agents.addr).env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1);
        let setup = setup.env("SAFETY__WEBHOOK_URL", agents.url("/generic/json"));
        setup.env("SAFETY__WEBHOOK_SECRET", "a secret of these tests").start().await
    };
    let app = start().await;
    let planner = app.planner("s");
    planner.start("p", &["crm", "documentation"]).await;
    // The step goes on: what is posted is no end.
    let refusal =
        json!({"decision": "refuse", "policy": "p", "reason": "no", "subagent": "crm", "terminate": false});
    planner.tell("/steps/p/safety", refusal).await;
    agents.until(PATIENCE, |calls| calls.in_flight == 1).await.unwrap();
    eventually("everything to be archived", || async {
        let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
        (archive["waiting_sessions"] == 0).then_some(())
    })
    .await;
    kill(app).await;

    let _app = start().await;
    let calls = agents.until(PATIENCE, |calls| calls.total == 2 && calls.in_flight == 0).await.unwrap();
    let (first, second) = (&calls.calls[0].asked, &calls.calls[1].asked);
    assert_eq!((&first.headers["webhook-id"], &first.body), (&second.headers["webhook-id"], &second.body));
}

#[tokio::test]
async fn a_decision_that_ended_its_session_is_posted_by_the_next_process() {
    let agents = simulator().await;
    let folder = Folder::new();
    let script = json!({ "/generic/": [{ "hang": "head" }, {}] });
    agents.set_script(Script::read(&script.to_string()).unwrap());
    let start = async || {
        let setup = calling(agents.addr).env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1);
        let setup = setup.env("SAFETY__WEBHOOK_URL", agents.url("/generic/json"));
        setup.env("SAFETY__WEBHOOK_SECRET", "a secret of these tests").start().await
    };
    let app = start().await;
    let planner = app.planner("s");
    planner.start("p", &["crm"]).await;
    let refusal = json!({"decision": "refuse", "policy": "p", "reason": "no", "terminate": true});
    planner.tell("/steps/p/safety", refusal).await;
    agents.until(PATIENCE, |calls| calls.in_flight == 1).await.unwrap();
    eventually("everything to be archived", || async {
        let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
        (archive["waiting_sessions"] == 0).then_some(())
    })
    .await;
    kill(app).await;

    let _app = start().await;
    agents.until(PATIENCE, |calls| calls.total == 2 && calls.in_flight == 0).await.unwrap();
}

#[tokio::test]
async fn without_an_archive_nothing_goes_on_as_the_manual_says() {
    let scene = Scene::new(json!({ "hang": "head" })).await;
    let app = calling(scene.agents.addr).start().await;
    scene.plan(&app, "/documentation/json").await;
    scene.until(|calls| calls.in_flight == 1).await;
    kill(app).await;
    scene.until(|calls| calls.in_flight == 0).await;

    let app = calling(scene.agents.addr).start().await;
    assert_eq!(app.planner("s").get("").send().await.expect(404)["code"], "unknown_session");
    // The planner asks again, and then there is a call: the only one that this process makes.
    let planner = scene.plan(&app, "/documentation/json").await;
    ended(&planner, "p").await;
    assert_eq!(scene.agents.calls().total, 2);
    let manual = include_str!("../../docs/subagents.md").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(manual.contains("On one machine with an archive the calls go on after a restart."), "the manual");
}
