//! What a trace survives: a reader that is cut off, a replica that dies in the middle of a step, a process that is killed and
//! comes back.

use serde_json::{Value, json};

use crate::harness::{CutLine, Folder, Setup, TestApp, eventually};
use crate::otlp_receiver::OtlpReceiver;
use crate::redis_server::RedisServer;
use crate::scene::{CALLER, Scene, TRACE, called, directive, ended, post_traced, simulator, telling, told};
use crate::tree::Tree;

#[tokio::test]
async fn a_reader_that_is_cut_off_and_comes_back_is_two_spans_of_one_trace() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    post_traced(scene.app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    let line = CutLine::to(scene.app.client()).await;
    let mut reader = line.client().sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    planner.subagent("p", "crm").say("partial", 1, "x").await;
    reader.cover(&mut coverage, 3).await;
    let (seen, id) = (coverage.to, reader.last_id.clone().unwrap());
    line.cut();
    drop(reader);
    planner.subagent("p", "crm").say("partial", 2, "y").await;
    let mut again = line.client().get(planner.events("p")).header("last-event-id", id).sse().await;
    let (open, _) = again.open().await;
    assert_eq!((&open["reason"], &open["from"]), (&json!("ok"), &json!(seen)));
    planner.subagent("p", "crm").say("success", 3, "z").await;
    again.until("end").await;
    drop(again);
    let tree = scene.told("p", |tree| tree.named("stream").len() == 2).await;
    tree.assert_whole(TRACE, CALLER);
    let mut streams = tree.named("stream");
    streams.sort_by_key(|span| span.start_us);
    let step = tree.one("plan_step");
    assert!(streams.iter().all(|span| span.parent == step.id));
    streams[0].has(json!({ "tributary.verdict": "new", "tributary.recovered": true }));
    // More may have been handed to the connection than came through it.
    assert!(streams[0].get("tributary.sequence.to").as_u64().unwrap() >= seen);
    streams[1].has(
        json!({ "tributary.verdict": "ok", "tributary.recovered": true, "tributary.sequence.from": seen }),
    );
}

#[tokio::test]
async fn a_reader_of_a_whole_session_is_a_span_that_names_no_step() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    post_traced(scene.app.client(), &planner, &directive(&[json!({ "key": "crm" })]), "01").await;
    let mut reader = scene.app.sse(planner.path("/events")).await;
    reader.open().await;
    planner.subagent("p", "crm").succeed().await;
    reader.until("end").await;
    drop(reader);
    let tree = scene.told("p", |tree| !tree.named("stream").is_empty()).await;
    let stream = tree.one("stream");
    assert_eq!(stream.parent, tree.one("plan_step").id);
    stream.has(json!({ "tributary.session_id": "s", "tributary.plan_step_id": null }));
}

/// A directive with one output that is called and hangs at first, and two that push.
fn half_done(scene: &Half) -> Value {
    directive(&[
        called(&scene.agents, "docs", "/documentation/json"),
        json!({ "key": "crm" }),
        json!({ "key": "notes" }),
    ])
}

/// A collector and subagents, for services that come and go.
struct Half {
    collector: OtlpReceiver,
    agents: tributary::simulate::Simulator,
}

impl Half {
    async fn new() -> Self {
        let half = Self { collector: OtlpReceiver::start().await, agents: simulator().await };
        let script = json!({ "/documentation/": [{ "hang": "head" }, {}] });
        half.agents.set_script(tributary::simulate::Script::read(&script.to_string()).unwrap());
        half
    }

    async fn start(&self, change: impl FnOnce(Setup) -> Setup) -> TestApp {
        change(telling(&self.agents, &self.collector)).start().await
    }

    /// The first half of the step: one output is there, the call hangs; nothing of that is on its way any more.
    async fn begin(&self, app: &TestApp) -> Value {
        let planner = app.planner("s");
        post_traced(app.client(), &planner, &half_done(self), "01").await;
        planner.subagent("p", "crm").succeed().await;
        self.agents.until(crate::harness::PATIENCE, |calls| calls.total == 1).await.unwrap();
        let first = |tree: &Tree| !tree.named("invoke_agent").is_empty() && !tree.named("POST").is_empty();
        self.collector.until("the first half", |received| first(&Tree::of(received))).await;
        planner.page("/steps/p/events").await["events"][0]["telemetry"].clone()
    }

    /// The second half, at whoever goes on; the whole trace is as if nothing had happened.
    async fn end(&self, app: &TestApp, began: &Value) -> Tree {
        let planner = app.planner("s");
        planner.subagent("p", "notes").succeed().await;
        ended(&planner, "p").await;
        let tree = told(&self.collector, "p", |tree| !tree.named("aggregation.call").is_empty()).await;
        tree.assert_whole(TRACE, CALLER);
        let step = tree.one("plan_step");
        assert_eq!((&json!(step.id), &json!(step.trace)), (&began["span_id"], &began["trace_id"]));
        let request = tree.one("POST");
        assert_eq!(step.parent, request.id);
        assert_eq!(tree.named("invoke_agent").len(), 3);
        for key in ["crm", "docs", "notes"] {
            let output = tree.one(&format!("invoke_agent {key}"));
            assert_eq!(output.parent, step.id);
            output.has(json!({ "tributary.status": "success" }));
        }
        for name in ["subagent.aggregation", "synthesize-results"] {
            assert_eq!(tree.one(name).parent, step.id);
        }
        // The call that died with its process was told by nobody; the one that was made instead stands in its place.
        let call = tree.one("aggregation.call");
        assert_eq!(call.parent, tree.one("invoke_agent docs").id);
        call.has(json!({ "tributary.status": "success", "tributary.attempt": 1 }));
        let by = |name: &str| tree.one(name).instance.clone();
        assert_eq!(by("invoke_agent crm"), by("POST"), "the first half is told by the first process");
        assert_eq!(by("plan_step"), by("invoke_agent notes"), "the second by the second");
        assert_ne!(by("plan_step"), by("POST"));
        tree
    }
}

async fn kill(mut app: TestApp) {
    app.signal("KILL");
    app.exited().await;
}

#[tokio::test]
async fn a_step_that_another_replica_ends_is_one_span_with_the_ids_that_it_began_with() {
    let (half, redis) = (Half::new().await, RedisServer::start());
    let replica = |setup: Setup| {
        let setup = setup.env("CACHE__BACKEND", "redis").env("CACHE__REDIS_URL", redis.url());
        setup.env("CACHE__SWEEP_MS", 100).env("INVOKE__LEASE_MS", 6_000)
    };
    let (first, second) = (half.start(replica).await, half.start(replica).await);
    let began = half.begin(&first).await;
    kill(first).await;
    half.end(&second, &began).await;
}

#[tokio::test]
async fn a_step_that_ends_after_a_restart_is_one_span_with_the_ids_that_it_began_with() {
    let (half, folder) = (Half::new().await, Folder::new());
    let archived = |setup: Setup| setup.env("ARCHIVE__URL", folder.url()).env("ARCHIVE__BATCH_WAIT_MS", 1);
    let app = half.start(archived).await;
    let began = half.begin(&app).await;
    eventually("everything to be archived", || async {
        let ready = app.get("/readyz").send().await.json();
        (ready["dependencies"]["archive"]["waiting_sessions"] == 0).then_some(())
    })
    .await;
    kill(app).await;
    let app = half.start(archived).await;
    half.end(&app, &began).await;
}
