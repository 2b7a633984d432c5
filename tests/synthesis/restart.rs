//! A process that ends while a model writes, and whoever goes on with it: the next one, or another replica.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::drafts::{Draft, faithful};
use crate::harness::{Folder, Planner, Setup, TestApp, eventually};
use crate::model_server::{Ended, Exchange, ModelServer, Protocol};
use crate::read::{Page, Reader, snapshot};
use crate::redis_server::RedisServer;
use crate::replica_scene::{Scene, Wanderer, whole_log};
use crate::scene::{
    KEY, MODEL, assert_extracted, assert_written, bring_all, ended, of_type, patient, plan, result, text,
};

/// What the first process is told before it ends.
const BEGUN: &str = "{\"findings\":[{\"topic\":\"A topic that nobody ends\",\"content\":\"Words of the first";

async fn begin(server: &ModelServer) -> Exchange {
    let mut exchange = server.next().await;
    exchange.begin().await;
    exchange.say(BEGUN).await;
    exchange
}

/// Waits until a step's draft stands in the log.
async fn drafted(planner: &Planner) {
    eventually("a delta", || async {
        let page = planner.page("/steps/p/events?limit=5000").await;
        let page = Page::of(page["events"].as_array().unwrap());
        page.text("findings/0/content").contains("Words").then_some(())
    })
    .await;
}

async fn archived(app: &TestApp) {
    eventually("everything to be archived", || async {
        let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
        (archive["waiting_sessions"] == 0).then_some(())
    })
    .await;
}

/// The step ended once, with the whole second draft, of which nothing of the first is left.
#[track_caller]
fn assert_once(events: &[Value], draft: &Draft) {
    for once in ["step_completed", "aggregation", "synthesis", "plan_step_completed"] {
        assert_eq!(of_type(events, once).len(), 1, "{once}");
    }
    assert_eq!(events.last().unwrap()["type"], "plan_step_completed");
    let page = Page::of(events);
    assert_eq!(page.text("summary"), draft.summary);
    assert_eq!(page.text("findings/0/content"), text(&draft.findings[0], "content"));
    assert!(page.restarts > 0, "offset 0 begins the texts anew");
    let sequences: Vec<_> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert!(sequences.windows(2).all(|two| two[0] < two[1]), "{sequences:?}");
}

fn kept(server: &ModelServer, folder: &Folder) -> Setup {
    let setup = patient(server, Protocol::OpenAi).env("ARCHIVE__URL", folder.url());
    setup.env("ARCHIVE__BATCH_WAIT_MS", 1)
}

#[tokio::test]
async fn an_answer_that_is_being_written_when_its_process_is_killed_is_written_by_the_next() {
    let (server, folder) = (ModelServer::start().await, Folder::new());
    let mut app = kept(&server, &folder).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    let mut before = Reader::of(planner.get("/steps/p/events?coalesce=never").sse().await).await;
    bring_all(&planner, "p").await;
    let _first = begin(&server).await;
    before.until(|events| Page::of(events).text("findings/0/content").contains("Words")).await;
    archived(&app).await;
    app.signal("KILL");
    app.exited().await;

    let app = kept(&server, &folder).start().await;
    let planner = app.planner("s");
    // Nobody speaks: it goes on by itself.
    let mut exchange = server.next().await;
    let draft = Draft::faithful(&exchange.asked);
    let whole = draft.text();
    let (first, rest) = whole.split_at(whole.find(",\"source_ids\"").unwrap());
    exchange.begin().await;
    exchange.say(first).await;
    let content = text(&draft.findings[0], "content").to_owned();
    eventually("the second draft", || async {
        let shown = snapshot(planner.get("/steps/p/events?after=snapshot").sse().await).await;
        (Page::of(&shown).text("findings/0/content") == content).then_some(())
    })
    .await;
    exchange.say(rest).await;
    exchange.end().await;
    let events = ended(&planner, "p").await;
    assert_once(&events, &draft);
    assert_written(&result(&planner, "p").await);
    assert_eq!(server.calls().len(), 2);

    // A reader who saw the first draft goes on where the line broke.
    let id = before.stream.last_id.clone().unwrap();
    let mut after = planner.get("/steps/p/events?coalesce=never").header("last-event-id", id).sse().await;
    let open = after.expect("open").await.json();
    before.coverage.resume(&open);
    let mut after =
        Reader { stream: after, coverage: before.coverage, events: before.events, is_over: false };
    after.finish().await;
    assert_eq!(after.events, events);
}

#[tokio::test]
async fn what_a_process_spent_before_it_was_killed_is_taken_off_what_the_next_may_spend() {
    let (server, folder) = (ModelServer::start().await, Folder::new());
    let setup = || kept(&server, &folder).env("SYNTHESIS__SESSION__CALLS", 1);
    let mut app = setup().start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let _first = begin(&server).await;
    drafted(&planner).await;
    archived(&app).await;
    app.signal("KILL");
    app.exited().await;
    let app = setup().start().await;
    let planner = app.planner("s");
    ended(&planner, "p").await;
    let reason = assert_extracted(&result(&planner, "p").await);
    assert!(reason.contains("budget_calls"), "{reason}");
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn an_answer_that_was_written_is_the_same_after_a_restart() {
    let (server, folder) = (ModelServer::start().await, Folder::new());
    let mut app = kept(&server, &folder).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    exchange.begin().await;
    exchange.say(&faithful(&exchange.asked)).await;
    exchange.end().await;
    ended(&planner, "p").await;
    let before = planner.get("/steps/p/result").send().await.body;
    archived(&app).await;
    app.signal("KILL");
    app.exited().await;
    let app = kept(&server, &folder).start().await;
    let after = app.planner("s").get("/steps/p/result").send().await;
    assert_written(&after.expect(200));
    assert_eq!(after.body, before, "made again from the log, byte for byte");
    assert_eq!(server.calls().len(), 1);
}

#[tokio::test]
async fn an_answer_is_written_by_the_next_process_when_one_is_told_to_stop() {
    let (server, folder) = (ModelServer::start().await, Folder::new());
    let mut app = kept(&server, &folder).env("SERVER__DRAIN_WINDOW_MS", 600).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let first = begin(&server).await;
    drafted(&planner).await;
    app.signal("TERM");
    first.gone().await;
    assert!(app.exited().await.success());
    let app = kept(&server, &folder).start().await;
    let mut exchange = server.next().await;
    exchange.begin().await;
    exchange.say(&faithful(&exchange.asked)).await;
    let draft = Draft::faithful(&exchange.asked);
    exchange.end().await;
    assert_once(&ended(&app.planner("s"), "p").await, &draft);
}

/// Two replicas that write by this server.
async fn replicas(server: &ModelServer, more: &[(&str, &str)]) -> Scene {
    let url = server.url();
    let mut variables = vec![
        ("SYNTHESIS__PROVIDER", "openai"),
        ("SYNTHESIS__BASE_URL", &*url),
        ("SYNTHESIS__MODEL", MODEL),
        ("SYNTHESIS__API_KEY", KEY),
        ("SYNTHESIS__CACHE_SECONDS", "0"),
        // It outlasts a machine that stands still for two seconds.
        ("INVOKE__LEASE_MS", "6000"),
    ];
    variables.extend(more);
    Scene::with(RedisServer::start(), &variables).await
}

#[tokio::test]
async fn an_answer_of_a_killed_replica_is_written_by_the_other() {
    let server = ModelServer::start().await;
    let mut scene = replicas(&server, &[]).await;
    let planner = plan(scene.client(0), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let _first = begin(&server).await;
    drafted(&scene.planner(1, "s")).await;
    assert_eq!(server.calls().len(), 1, "one of them writes");
    // Whichever writes: the one that was told.
    scene.replicas[0].signal("KILL");
    scene.replicas[0].exited().await;
    let killed = Instant::now();
    let mut exchange = server.next().await;
    assert!(killed.elapsed() < Duration::from_millis(6_000 + 12_000), "after {:?}", killed.elapsed());
    exchange.begin().await;
    exchange.say(&faithful(&exchange.asked)).await;
    let draft = Draft::faithful(&exchange.asked);
    exchange.end().await;
    let events = ended(&scene.planner(1, "s"), "p").await;
    assert_once(&events, &draft);
    assert_written(&result(&scene.planner(1, "s"), "p").await);
    assert_eq!(Wanderer::new(vec![scene.client(1)], "s").read().await.events, events);
    assert_eq!(server.calls().len(), 2);
}

#[tokio::test]
async fn one_of_two_replicas_writes_and_both_tell_it_alike() {
    let server = ModelServer::start().await;
    let scene = replicas(&server, &[]).await;
    let planner = plan(scene.client(0), "s", json!({})).await;
    bring_all(&scene.planner(1, "s"), "p").await;
    let mut exchange = server.next().await;
    exchange.begin().await;
    let text = faithful(&exchange.asked);
    let (first, rest) = text.split_at(text.len() / 2);
    exchange.say(first).await;
    let mut reader =
        Reader::of(scene.planner(1, "s").get("/steps/p/events?coalesce=never").sse().await).await;
    reader.until(|events| !Page::of(events).texts.is_empty()).await;
    exchange.say(rest).await;
    exchange.end().await;
    reader.finish().await;
    let bodies = [&planner, &scene.planner(1, "s")].map(|planner| planner.get("/steps/p/result"));
    let [one, other] = bodies;
    let (one, other) = (one.send().await, other.send().await);
    assert_written(&one.expect(200));
    assert_eq!(one.body, other.body);
    assert_eq!(whole_log(scene.client(0), "s").await, whole_log(scene.client(1), "s").await);
    let calls = server.calls();
    assert_eq!((calls.len(), calls[0].ended), (1, Some(Ended::Answered)));
}

#[tokio::test]
async fn a_cancel_at_one_replica_ends_the_call_of_the_other() {
    let server = ModelServer::start().await;
    let scene = replicas(&server, &[("INVOKE__LEASE_MS", "20000")]).await;
    let planner = plan(scene.client(0), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let first = begin(&server).await;
    scene.planner(1, "s").tell("/steps/p/cancel", json!({"reason": "enough"})).await;
    first.gone().await;
    let events = ended(&scene.planner(1, "s"), "p").await;
    assert_eq!(of_type(&events, "plan_step_completed").len(), 1);
    assert_eq!(of_type(&events, "synthesis")[0]["content"]["method"], "extractive");
    assert_eq!(server.calls().len(), 1);
}
