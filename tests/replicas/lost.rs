//! What a store lost that nobody could put back is told by verdict; sequences never go backwards.

use serde_json::json;

use super::load::start;
use super::scene::{Scene, replica, try_send, whole_log};
use crate::harness::{eventually, within};

#[tokio::test]
async fn two_branches_of_one_log_end_in_a_new_epoch_above_both() {
    let mut scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "a").await;
    assert_eq!(scene.redis.command(&["SAVE"]), "+OK");
    let mut stream = scene.client(0).sse(planner.path("/events?coalesce=never")).await;
    let (_, mut coverage) = stream.open().await;
    for revision in 2..=5 {
        planner.subagent("p", "crm").say("partial", revision, "lost").await;
    }
    stream.cover(&mut coverage, 7).await;
    let held = stream.last_id.clone().unwrap();
    // The replica that holds what is lost is frozen while the store rolls back and another replica writes.
    scene.replicas[0].signal("STOP");
    scene.redis.kill();
    scene.redis.restart();
    let other = replica(&scene.redis.url(), &[]).await;
    let planner = other.client().planner("s");
    let verdict = planner.subagent("p", "crm").say("partial", 2, "another").await;
    assert_eq!(verdict["sequence"], 4, "the other replica knows nothing of what was lost");
    planner.tell("/steps/p/progress", json!({"message": "only here"})).await;
    scene.replicas[0].signal("CONT");
    let opened = stream.until("open").await.pop().unwrap().json();
    assert_eq!(opened["recovered"], false, "{opened}");
    assert_eq!(opened["reason"], "epoch_changed");
    let (client, old) = (scene.client(0), held.split('_').next().unwrap());
    let state = eventually("a new epoch", || async move {
        let state = try_send(client.planner("s").get("")).await?.json();
        (state["epoch"].as_str()? != old).then_some(state)
    })
    .await;
    assert!(state["sequence"]["tail"].as_u64().unwrap() >= 7, "never backwards: {state}");
    // The branch with more that was acknowledged goes on; what only the other one has is decided again, but for the revision that both
    // have.
    let client = other.client();
    let repeated = client.planner("s").subagent("p", "crm").say("partial", 5, "lost").await;
    assert_eq!(repeated["verdict"], "duplicate", "{repeated}");
    eventually("what the other branch had to be decided again", || async move {
        let page = client.planner("s").page("/events?after=snapshot").await;
        let after = page["oldest"].as_u64()? - 1;
        let page = client.planner("s").page(&format!("/events?after={after}")).await;
        let events = page["events"].as_array()?;
        let note = events.iter().find(|event| event["content"]["message"] == "only here")?;
        assert!(note["sequence"].as_u64()? > 7, "above both branches: {note}");
        Some(())
    })
    .await;
    let next = other.client().planner("s").subagent("p", "crm").say("partial", 9, "on").await;
    assert!(next["sequence"].as_u64().unwrap() > 7, "{next}");
}

#[tokio::test]
async fn what_was_closed_since_stays_closed_where_an_older_directive_is_decided_again() {
    let mut scene = Scene::new().await;
    let announcing_more = |step| json!({"plan_step_id": step, "expected_subagents": [{"key": "crm"}], "deadline_ms": 600_000, "more_steps": true});
    let planner = scene.planner(0, "s");
    planner.post(&announcing_more("p")).await.expect(201);
    assert_eq!(scene.redis.command(&["SAVE"]), "+OK");
    planner.post(&announcing_more("q")).await.expect(201);
    // The replica that holds what is lost is frozen while the store rolls back and the planner says that it is done.
    scene.replicas[0].signal("STOP");
    scene.redis.kill();
    scene.redis.restart();
    let other = replica(&scene.redis.url(), &[]).await;
    let planner = other.client().planner("s");
    planner.tell("/close", json!({})).await;
    scene.replicas[0].signal("CONT");
    let client = other.client();
    eventually("the lost step", || async move {
        let state = try_send(client.planner("s").get("")).await?.json();
        (state["steps"].as_array()?.len() == 2).then_some(())
    })
    .await;
    planner.tell("/cancel", json!({})).await;
    let mut stream = other.client().sse(planner.path("/events")).await;
    within("the end, between heartbeats", stream.until("end")).await;
}

#[tokio::test]
async fn a_directive_begins_above_what_redis_let_go_where_nobody_holds_it() {
    let mut scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    let done = planner.subagent("p", "crm").say("success", 1, "gone").await;
    let log_ends = done["sequence"].as_u64().unwrap();
    drop(scene.replicas.remove(0));
    assert_eq!(scene.redis.command(&["DEL", "tributary:{default/s}:meta"]), ":1");
    let planner = scene.planner(0, "s");
    start(&planner).await;
    let said = planner.subagent("p", "crm").say("partial", 1, "anew").await;
    assert!(said["sequence"].as_u64().unwrap() > log_ends + 1, "{said}");
}

#[tokio::test]
async fn one_key_that_redis_let_go_is_put_back_by_who_only_wrote_before_anybody_is_told_that_there_is_no_step()
 {
    let scene = Scene::new().await;
    let lost = [&["meta"][..], &["meta", "log"]];
    for (at, keys) in lost.into_iter().enumerate() {
        for (path, session) in [("", 0), ("/events?after=start", 1), ("/steps/p/result", 2)] {
            let session = format!("s-{at}-{session}");
            let planner = scene.planner(0, &session);
            start(&planner).await;
            planner.subagent("p", "crm").say("partial", 1, "kept").await;
            for key in keys {
                let key = format!("tributary:{{default/{session}}}:{key}");
                assert_eq!(scene.redis.command(&["DEL", &key]), ":1");
            }
            let there = scene.planner(1, &session);
            let answer = there.get(path).send().await;
            assert!(answer.status == 200 || answer.status == 202, "{keys:?} {path}: {}", answer.text());
            let page = there.page("/events?after=start").await;
            assert!(page.to_string().contains("kept"), "{keys:?} {path}: {page}");
            assert_eq!(there.subagent("p", "crm").say("partial", 1, "kept").await["verdict"], "duplicate");
        }
    }
}

const LOG: &str = "tributary:{default/s}:log";

/// All that Redis has of the log.
fn stored(scene: &Scene) -> Vec<u8> {
    scene.redis.raw(&["XRANGE", LOG, "-", "+"])
}

#[tokio::test]
async fn log_alone_that_redis_let_go_is_put_back_byte_for_byte_by_who_holds_it() {
    // Whoever is asked: the replica that wrote it, or one that holds nothing and tells the others.
    for asked in [0, 1] {
        let scene = Scene::new().await;
        let planner = scene.planner(0, "s");
        start(&planner).await;
        for revision in 1..=3 {
            planner.subagent("p", "crm").say("partial", revision, "kept").await;
        }
        let (log, place) =
            (stored(&scene), scene.redis.raw(&["HGET", "tributary:{default/s}:meta", "place"]));
        assert_eq!(scene.redis.command(&["DEL", LOG]), ":1");
        eventually("the log", || async {
            scene.planner(asked, "s").get("/events").send().await;
            (stored(&scene) == log).then_some(())
        })
        .await;
        assert_eq!(scene.redis.raw(&["HGET", "tributary:{default/s}:meta", "place"]), place, "{asked}");
        let events = whole_log(scene.client(1), "s").await;
        assert_eq!(events, whole_log(scene.client(0), "s").await);
        // Also where it went on meanwhile.
        assert_eq!(scene.redis.command(&["DEL", LOG]), ":1");
        planner.subagent("p", "crm").say("partial", 4, "kept").await;
        eventually("the beginning of the log", || async {
            scene.planner(asked, "s").get("/events").send().await;
            (scene.redis.command(&["XLEN", LOG]) == format!(":{}", events.len() + 1)).then_some(())
        })
        .await;
        let now = whole_log(scene.client(1), "s").await;
        assert_eq!((now.len(), &now[..events.len()]), (events.len() + 1, &events[..]), "{asked}");
    }
}

#[tokio::test]
async fn log_alone_that_nobody_holds_any_more_stays_gone_and_the_session_goes_on() {
    let mut scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "gone").await;
    drop(scene.replicas.remove(0));
    assert_eq!(scene.redis.command(&["DEL", LOG]), ":1");
    let planner = scene.planner(0, "s");
    let page = planner.page("/events?after=0").await;
    assert_eq!(page["verdict"]["recovered"], false, "{page}");
    planner.subagent("p", "crm").say("partial", 2, "on").await;
    assert_eq!(scene.redis.command(&["XLEN", LOG]), ":1");
    assert!(planner.page("/events?last=1").await.to_string().contains("on"));
}
