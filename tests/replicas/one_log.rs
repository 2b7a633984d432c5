//! Any replica takes any call.

use serde_json::json;

use super::load::{Load, start};
use super::scene::{Scene, replica, whole_log};
use crate::harness::{essential, eventually};

const FEEDBACK: &str = "tributary:{default/s}:feedback";

#[tokio::test]
async fn what_one_replica_stored_every_other_answers_with() {
    let scene = Scene::new().await;
    let (here, there) = (scene.planner(0, "s"), scene.planner(1, "s"));
    start(&here).await;
    for revision in 1..=20 {
        // By turns, so that each replica learns from the other what it missed.
        let (writer, other) = if revision % 2 == 0 { (&here, &there) } else { (&there, &here) };
        let result = writer.subagent("p", "crm").say("partial", revision, "x").await;
        assert_eq!(result["verdict"], "accepted");
        let again = other.subagent("p", "crm").say("partial", revision, "x").await;
        assert_eq!((&again["verdict"], &again["sequence"]), (&json!("duplicate"), &result["sequence"]));
        let page = other.page("/events?limit=5000").await;
        assert_eq!(page["tail"], result["sequence"], "a page has what was acknowledged elsewhere");
    }
    assert_eq!(whole_log(scene.client(0), "s").await, whole_log(scene.client(1), "s").await);
    assert_eq!(here.state().await, there.state().await);
    let listed = scene.client(1).get("/planner/sessions").send().await.expect(200);
    assert_eq!(listed["sessions"][0]["session_id"], "s");
}

#[tokio::test]
async fn a_late_result_that_is_repeated_elsewhere_is_counted_once() {
    let scene = Scene::new().await;
    let (here, there) = (scene.planner(0, "s"), scene.planner(1, "s"));
    start(&here).await;
    here.subagent("p", "crm").succeed().await;
    let late = json!([{"status": "success", "payload": "x"}, {"status": "success", "payload": "y"}]);
    let send = async |at: &crate::harness::Planner| {
        let request = at.subagent("p", "crm").request(&late).header("idempotency-key", "k");
        request.send().await.expect(200)
    };
    let first = send(&here).await;
    assert_eq!(first["late"], 2);
    assert_eq!((send(&there).await, send(&here).await), (first.clone(), first));
    for planner in [here, there] {
        assert_eq!(planner.step("p").await["subagents"][0]["late"], 2);
    }
}

#[tokio::test]
async fn a_reader_goes_on_at_another_replica() {
    let scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").say("partial", 1, "a").await;
    let mut stream = scene.client(0).sse(planner.path("/events")).await;
    let (_, mut coverage) = stream.open().await;
    stream.cover(&mut coverage, 3).await;
    // What the first replica acknowledged a moment ago is known to the second when the reader comes.
    let event = json!({"status": "partial", "revision": 2, "payload": {"content": "b"}});
    let answer = planner.subagent("p", "crm").post(&event).await.expect(200);
    let cursor = answer["cursor"].as_str().unwrap();
    let other = scene.client(1);
    let mut ahead = other.get(planner.path("/events")).header("last-event-id", cursor).sse().await;
    assert_eq!(ahead.expect("open").await.json()["reason"], "ok");
    let id = stream.last_id.clone().unwrap();
    let mut stream = other.get(planner.path("/events")).header("last-event-id", id).sse().await;
    coverage.resume(&stream.expect("open").await.json());
    planner.subagent("p", "crm").succeed().await;
    let events = stream.cover(&mut coverage, 10).await;
    assert_eq!(
        essential(&events),
        ["crm:partial", "crm:success", "subagent_completed", "step_completed", "plan_step_completed"]
    );
    stream.expect("end").await;
}

#[tokio::test]
async fn deleting_a_session_reaches_every_replica() {
    let scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    let mut stream = scene.client(1).sse(planner.path("/events")).await;
    stream.open().await;
    scene.client(1).request("DELETE", planner.path("")).send().await;
    let rest = stream.rest().await;
    assert_eq!(rest.last().unwrap().name, "error");
    assert_eq!(planner.get("").send().await.expect(404)["code"], "unknown_session");
    // It may begin anew, at either.
    start(&scene.planner(0, "s")).await;
    assert_eq!(whole_log(scene.client(1), "s").await.len(), 1);
}

#[tokio::test]
async fn what_another_replica_keeps_beside_a_deleted_session_goes_with_it() {
    let scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").succeed().await;
    let client = scene.client(0);
    let feedback = json!({"score": 1, "comment": "private words"});
    client.post(planner.path("/steps/p/result/feedback")).json(&feedback).send().await.expect(201);
    let answer = json!({"answer": "The limit is 200 EUR."});
    client.post(planner.path("/steps/p/legacy-response")).json(&answer).send().await.expect(200);
    let kept = || async {
        let feedback = scene.client(0).get("/analytics/feedback").send().await.expect(200);
        let compared = scene.client(0).get("/shadow/discrepancies").send().await.expect(200);
        [feedback["count"].as_u64().unwrap(), compared["summary"]["comparisons"].as_u64().unwrap()]
    };
    assert_eq!(kept().await, [1, 1]);
    assert_eq!(scene.client(1).request("DELETE", planner.path("")).send().await.status, 204);
    eventually("both to be forgotten", || async { (kept().await == [0, 0]).then_some(()) }).await;
}

#[tokio::test]
async fn feedback_that_is_repeated_at_another_replica_counts_once() {
    let scene = Scene::new().await;
    let planner = scene.planner(0, "s");
    start(&planner).await;
    planner.subagent("p", "crm").succeed().await;
    let gives = |replica: usize, key: &str, score: u64| {
        let path = planner.path("/steps/p/result/feedback");
        scene.client(replica).post(path).header("idempotency-key", key).json(&json!({"score": score})).send()
    };
    let first = gives(0, "k", 1).await.expect(201);
    assert_eq!(gives(1, "k", 1).await.expect(201), first);
    assert_eq!(gives(1, "k", 2).await.expect(422)["code"], "idempotency_conflict");
    gives(1, "other", 1).await.expect(201);
    for replica in [0, 1] {
        let counted = scene.client(replica).get("/analytics/feedback").send().await.expect(200);
        assert_eq!(counted["count"], 1, "each counts what it took");
    }
    // The oldest of many go, and all with their session.
    for key in 0..256 {
        gives(0, &format!("k-{key}"), 1).await.expect(201);
    }
    assert_eq!(scene.redis.command(&["HLEN", FEEDBACK]), format!(":{}", 2 * 256 + 1));
    gives(1, "k", 2).await.expect(201);
    assert_eq!(scene.client(1).request("DELETE", planner.path("")).send().await.status, 204);
    assert_eq!(scene.redis.command(&["EXISTS", FEEDBACK]), ":0");
}

#[tokio::test]
async fn a_killed_replica_loses_nothing_under_load() {
    let mut scene = Scene::new().await;
    let third = replica(&scene.redis.url(), &[]).await;
    let load = Load::new(50, 40);
    let clients = [scene.client(0), scene.client(1), third.client()];
    load.begin(&clients).await;
    let running = tokio::spawn({
        let clients = clients.to_vec();
        async move { (load.run(&clients).await, load) }
    });
    let watched = third.client();
    eventually("the load to be halfway", || async move {
        let state = watched.planner("load-0").state().await;
        (state["sequence"]["tail"].as_u64()? > 20).then_some(())
    })
    .await;
    scene.replicas[0].signal("KILL");
    let (told, _) = running.await.unwrap();
    for told in told {
        told.assert_whole(third.client()).await;
    }
    scene.replicas[0].exited().await;
}
