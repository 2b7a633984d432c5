//! Redis is killed, and comes back empty or with an older dump: what was acknowledged is put back by who holds it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::load::{Load, start};
use super::scene::{Scene, whole_log};
use crate::harness::{Planner, assert_problem, eventually, stalled_during};
use crate::redis_server::RedisServer;

/// Waits until a session has so many entries.
async fn progress(scene: &Scene, entries: u64) {
    let client = scene.client(1);
    eventually(format!("{entries} entries"), || async move {
        let answer = super::scene::try_send(client.planner("load-0").get("")).await?;
        (answer.status == 200 && answer.json()["sequence"]["tail"].as_u64()? > entries).then_some(())
    })
    .await;
}

async fn load_while(mut scene: Scene, fault: impl AsyncFnOnce(&mut Scene)) {
    let load = Load::new(8, 40);
    let clients = scene.clients();
    load.begin(&clients).await;
    let running = tokio::spawn({
        let clients = clients.clone();
        async move { load.run(&clients).await }
    });
    progress(&scene, 10).await;
    fault(&mut scene).await;
    for told in running.await.unwrap() {
        told.assert_whole(scene.client(0)).await;
    }
}

#[tokio::test]
async fn redis_killed_under_load_and_back_empty() {
    load_while(Scene::new().await, async |scene| {
        scene.redis.kill();
        scene.redis.restart();
    })
    .await;
}

#[tokio::test]
async fn redis_killed_under_load_and_back_with_an_older_dump() {
    load_while(Scene::new().await, async |scene| {
        assert_eq!(scene.redis.command(&["SAVE"]), "+OK");
        progress(scene, 20).await;
        scene.redis.kill();
        scene.redis.restart();
    })
    .await;
}

#[tokio::test]
async fn what_ended_before_redis_lost_everything_is_put_back_without_another_word() {
    let mut scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").succeed().await;
    let log = whole_log(scene.client(1), "s").await;
    scene.redis.kill();
    scene.redis.restart();
    let client = scene.client(1);
    eventually("the session to be back", || async move {
        let answer = super::scene::try_send(client.planner("s").get("")).await?;
        (answer.status == 200).then_some(())
    })
    .await;
    assert_eq!(whole_log(scene.client(0), "s").await, log);
    assert_eq!(whole_log(scene.client(1), "s").await, log);
}

#[tokio::test]
async fn forgotten_scripts_are_sent_again() {
    load_while(Scene::new().await, async |scene| {
        assert_eq!(scene.redis.command(&["SCRIPT", "FLUSH"]), "+OK");
    })
    .await;
}

#[tokio::test]
async fn killed_subscriptions_are_made_anew() {
    load_while(Scene::new().await, async |scene| {
        let killed = scene.redis.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
        assert_ne!(killed, ":0", "each replica has one");
    })
    .await;
}

#[tokio::test]
async fn a_frozen_redis_is_waited_for_and_readers_are_told() {
    let scene = Scene::with(RedisServer::start(), &[("CACHE__REDIS_TIMEOUT_MS", "1000")]).await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    let mut stream = scene.client(0).sse(planner.path("/events")).await;
    let (_, mut coverage) = stream.open().await;
    stream.cover(&mut coverage, 1).await;
    scene.redis.signal("STOP");
    let said = tokio::spawn({
        let planner = planner.clone();
        async move { planner.subagent("p", "crm").say("partial", 1, "x").await }
    });
    let store = loop {
        let heartbeat = stream.expect("heartbeat").await.json();
        if heartbeat["store"] != "ok" {
            break heartbeat["store"].clone();
        }
    };
    assert_eq!(store, "unavailable");
    let ready = scene.client(0).get("/readyz").send().await.expect(503);
    assert_eq!(ready["dependencies"]["cache"]["ready"], false);
    scene.redis.signal("CONT");
    assert_eq!(said.await.unwrap()["verdict"], "accepted");
    let events = stream.cover(&mut coverage, 3).await;
    assert_eq!(events.len(), 2);
    let client = scene.client(0);
    eventually(
        "readiness",
        || async move { (client.get("/readyz").send().await.status == 200).then_some(()) },
    )
    .await;
}

/// While the store is away: what was refused at the door is told so, the others that they aren't decided.
async fn every_item_is_answered(scene: &Scene, planner: &Planner, event: &Value) {
    let subagent = planner.subagent("p", "crm");
    let verdicts = |problem: &Value| -> Vec<String> {
        let results = problem["results"].as_array().expect("results of all items");
        results.iter().map(|result| result["verdict"].as_str().unwrap().to_owned()).collect()
    };
    let one = subagent.post(event).await.expect(503);
    assert_eq!(verdicts(&one), ["undecided"], "{one}");
    let lines = format!("{event}\n{{\"status\":\"odd\"}}\n{event}\n");
    let several = subagent.post(&json!([event, {"status": "odd"}, event])).await;
    let streamed = scene.client(0).post(&subagent.path).body("application/x-ndjson", lines).send().await;
    for answer in [several, streamed] {
        let problem = assert_problem(&answer, 422, "invalid_event");
        assert_eq!(verdicts(&problem), ["undecided", "invalid", "undecided"], "{problem}");
    }
}

#[tokio::test]
async fn a_redis_that_stays_away_is_said_in_time() {
    let mut scene = Scene::with(RedisServer::start(), &[("CACHE__APPEND_TIMEOUT_MS", "1500")]).await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    scene.redis.kill();
    let begun = std::time::Instant::now();
    let event = serde_json::json!({"status": "partial", "revision": 1, "payload": {"content": "x"}});
    let answer = planner.subagent("p", "crm").post(&event).await;
    assert!(answer.header("retry-after").is_some());
    let code = answer.expect(503)["code"].clone();
    assert!(code == "store_unavailable" || code == "outcome_unknown", "{code}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(15), "{:?}", begun.elapsed());
    every_item_is_answered(&scene, &planner, &event).await;
    scene.redis.restart();
    let subagent = planner.subagent("p", "crm");
    let verdict = eventually("the event to be stored", || {
        let request = subagent.request(&event);
        async move {
            let answer = super::scene::try_send(request).await?;
            (answer.status == 200).then(|| answer.json()["results"][0]["verdict"].clone())
        }
    })
    .await;
    assert!(verdict == "accepted" || verdict == "duplicate", "{verdict}");
}

#[tokio::test]
async fn what_was_deleted_stays_so_whoever_had_written_to_it_and_whatever_is_lost() {
    let mut scene = Scene::new().await;
    for session in ["s", "t"] {
        start(&scene.planner(0, session)).await;
        // The other replica only writes: it doesn't listen to the session.
        scene.planner(1, session).subagent("p", "crm").say("partial", 1, "secret").await;
    }
    let deleted = scene.planner(0, "s");
    assert_eq!(scene.client(0).request("DELETE", deleted.path("")).send().await.status, 204);
    scene.redis.kill();
    scene.redis.restart();
    // What wasn't deleted is put back, and by then the other one would be.
    for replica in 0..2 {
        let kept = scene.planner(replica, "t");
        eventually("the other session to be put back", || async {
            let answer = super::scene::try_send(kept.get("")).await?;
            (answer.status == 200).then_some(())
        })
        .await;
        assert_problem(&scene.planner(replica, "s").get("").send().await, 404, "unknown_session");
    }
    assert_eq!(scene.redis.command(&["EXISTS", "tributary:{default/s}:log"]), ":0");
}

#[tokio::test]
async fn what_was_deleted_stays_so_though_its_writer_was_frozen_meanwhile() {
    let mut scene = Scene::new().await;
    for session in ["s", "t"] {
        start(&scene.planner(0, session)).await;
        scene.planner(1, session).subagent("p", "crm").say("partial", 1, "secret").await;
    }
    scene.replicas[1].signal("STOP");
    for session in ["s", "t"] {
        let path = scene.planner(0, session).path("");
        assert_eq!(scene.client(0).request("DELETE", path).send().await.status, 204);
    }
    // Under one of the names another session begins.
    start(&scene.planner(0, "t")).await;
    scene.redis.kill();
    scene.redis.restart();
    // The mark of the deletion was lost with everything else: who deleted it sets it again.
    eventually("the mark to be back", || async {
        let mark = scene.redis.command(&["HEXISTS", "tributary:{default/s}:meta", "forgotten"]);
        (mark == ":1").then_some(())
    })
    .await;
    scene.replicas[1].signal("CONT");
    for replica in 0..2 {
        let (gone, other) = (scene.planner(replica, "s"), scene.planner(replica, "t"));
        eventually("the line to be back", || async {
            let answer = super::scene::try_send(gone.get("")).await?;
            (answer.status == 404).then_some(())
        })
        .await;
        eventually("the other session to be back", || async {
            let answer = super::scene::try_send(other.get("")).await?;
            (answer.status == 200 && answer.json()["steps"][0]["subagents"][0]["status"] == "pending")
                .then_some(())
        })
        .await;
    }
    assert_eq!(scene.redis.command(&["EXISTS", "tributary:{default/s}:log"]), ":0");
}

#[tokio::test]
async fn who_holds_nothing_of_what_a_restart_lost_waits_for_who_does() {
    let mut scene = Scene::with(RedisServer::start(), &[("STREAMING__HEARTBEAT_MS", "60000")]).await;
    let here = scene.planner(0, "s");
    start(&here).await;
    assert_eq!(scene.redis.command(&["SAVE"]), "+OK");
    here.post(&json!({"plan_step_id": "q", "expected_subagents": [{"key": "crm"}], "deadline_ms": 600_000}))
        .await
        .expect(201);
    let cursor = here.page("/events").await["next"].as_str().unwrap().to_owned();
    scene.replicas[0].signal("STOP");
    scene.redis.kill();
    scene.redis.restart();
    let there = scene.planner(1, "s");
    let page = tokio::spawn({
        let (there, path) = (scene.planner(1, "s"), format!("/events?after={cursor}"));
        async move { there.page(&path).await }
    });
    let said = tokio::spawn(async move { there.subagent("q", "crm").say("partial", 1, "x").await });
    eventually("the other replica to be there again", || async {
        (!scene.redis.text(&["CLIENT", "LIST", "TYPE", "pubsub"]).is_empty()).then_some(())
    })
    .await;
    scene.replicas[0].signal("CONT");
    let said = said.await.unwrap();
    assert_eq!(said["verdict"], "accepted", "{said}");
    assert_eq!(said["sequence"], 4, "after the directive and the subagent's start");
    let page = page.await.unwrap();
    assert_eq!(page["verdict"]["reason"], "ok", "{page}");
    assert_eq!(page["epoch"], cursor.split('_').next().unwrap(), "no fork");
}

#[tokio::test]
async fn what_only_a_frozen_replica_knows_is_not_said_to_be_unknown_right_after_a_restart() {
    let mut scene = Scene::new().await;
    let here = scene.planner(0, "s");
    start(&here).await;
    assert_eq!(scene.redis.command(&["SAVE"]), "+OK");
    here.post(&json!({"plan_step_id": "q", "expected_subagents": [{"key": "crm"}], "deadline_ms": 600_000}))
        .await
        .expect(201);
    let cursor = here.page("/events").await["next"].as_str().unwrap().to_owned();
    let begun_since = scene.planner(0, "t");
    start(&begun_since).await;
    scene.replicas[0].signal("STOP");
    scene.redis.kill();
    scene.redis.restart();
    let [there, other] = ["s", "t"].map(|session| scene.planner(1, session));
    let event = json!({"status": "partial", "revision": 1, "payload": {"content": "x", "sources": []}});
    for subagent in [there.subagent("q", "crm"), other.subagent("p", "crm")] {
        let answer = subagent.post(&event).await;
        assert_problem(&answer, 503, "store_unavailable");
        assert!(answer.headers.contains_key("retry-after"));
    }
    // Who had read on there comes here meanwhile.
    let page = tokio::spawn({
        let (there, path) = (scene.planner(1, "s"), format!("/events?after={cursor}"));
        async move { there.page(&path).await }
    });
    assert_problem(&there.subagent("q", "crm").post(&event).await, 503, "store_unavailable");
    scene.replicas[0].signal("CONT");
    for subagent in [there.subagent("q", "crm"), other.subagent("p", "crm")] {
        eventually("the event to be taken", || async {
            (subagent.post(&event).await.status == 200).then_some(())
        })
        .await;
    }
    let page = page.await.unwrap();
    assert_eq!(page["verdict"], json!({"recovered": true, "reason": "ok"}), "{page}");
}

#[tokio::test]
async fn bound_of_who_comes_behind_others_to_a_frozen_redis_counts_from_when_he_came() {
    let variables = [("CACHE__REDIS_TIMEOUT_MS", "300"), ("CACHE__APPEND_TIMEOUT_MS", "3000")];
    let scene = Scene::with(RedisServer::start(), &variables).await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    let event = json!({"status": "partial", "payload": {"content": "x", "sources": []}});
    assert_eq!(planner.subagent("p", "crm").post(&event).await.status, 200);
    scene.redis.signal("STOP");
    let senders = (0..16).map(async |turn| {
        tokio::time::sleep(Duration::from_millis(250 * turn)).await;
        let began = Instant::now();
        let answer = planner.subagent("p", "crm").post(&event).await;
        (answer.status, began.elapsed())
    });
    let (told, stalled) = stalled_during(futures::future::join_all(senders)).await;
    assert!(told.iter().all(|(status, _)| *status == 503), "{told:?}");
    // One try more than the bound may be under way; it was twice the bound.
    let most = Duration::from_millis(4_700) + stalled;
    assert!(
        told.iter().all(|(_, waited)| *waited < most),
        "{told:?}, the machine stood still for {stalled:?}"
    );
    scene.redis.signal("CONT");
    eventually("the next event to be taken", || async {
        (planner.subagent("p", "crm").post(&event).await.status == 200).then_some(())
    })
    .await;
}
