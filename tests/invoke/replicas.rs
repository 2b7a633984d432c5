//! Two replicas over one Redis: each call is made by one of them, and what one leaves behind the other goes on with.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value, json};
use tributary::simulate::{Calls, Ended, Script, Simulator};

use crate::harness::{PATIENCE, Planner, eventually};
use crate::redis_server::RedisServer;
use crate::replica_scene::{Scene, Wanderer, whole_log};
use crate::restart::asked;
use crate::scene::{about, ended, simulator, statuses};

/// A lease that nobody loses to a machine that stands still or is busy.
const LONG_LEASE: &str = "20000";
/// A lease of those who are killed or frozen: it outlasts two seconds of standing still between two renewals.
const LEASE: Duration = Duration::from_millis(6_000);
const SHORT_LEASE: (&str, &str) = ("INVOKE__LEASE_MS", "6000");
/// What a machine that is busy or stands still may add to a wait that is measured; shorter than the long lease.
const SLACK: Duration = Duration::from_millis(12_000);

/// Agents, and two replicas that may call them.
pub struct Pair {
    pub agents: Simulator,
    pub scene: Scene,
}

impl Pair {
    pub async fn new(variables: &[(&str, &str)]) -> Self {
        Self::calling(simulator().await, variables).await
    }

    async fn calling(agents: Simulator, variables: &[(&str, &str)]) -> Self {
        let address = agents.addr.to_string();
        let mut all = vec![
            ("INVOKE__ALLOWED_HOSTS", &*address),
            ("INVOKE__ALLOW_PRIVATE", "true"),
            ("INVOKE__LEASE_MS", LONG_LEASE),
            ("INVOKE__BACKOFF_BASE_MS", "20"),
            ("INVOKE__BACKOFF_MOST_MS", "100"),
        ];
        all.extend(variables);
        let scene = Scene::with(RedisServer::start(), &all).await;
        Self { agents, scene }
    }

    /// What agents do from now on.
    fn script(&self, script: &Value) {
        self.agents.set_script(Script::read(&script.to_string()).unwrap());
    }

    /// An output that is called.
    pub fn called(&self, key: &str, path: &str) -> Value {
        let protocol = path.split(['/', '?']).nth(2).unwrap();
        json!({ "key": key, "invoke": { "url": self.agents.url(path), "protocol": protocol } })
    }

    /// A step `p` of a session, posted at the first replica.
    async fn plan(&self, session: &str, expected: &[Value]) -> Planner {
        let planner = self.scene.planner(0, session);
        let step = json!({"plan_step_id": "p", "query": "how?", "deadline_ms": 60_000, "expected_subagents": expected});
        planner.post(&step).await.expect(201);
        planner
    }

    /// Waits for the agents to have seen what is wanted.
    async fn until(&self, wanted: impl Fn(&Calls) -> bool) -> Calls {
        self.agents.until(PATIENCE, wanted).await.unwrap()
    }

    /// The events of a step that ended, which both replicas tell alike, to whoever reads now and to whoever asks later.
    async fn told_alike(&self, session: &str) -> Vec<Value> {
        let events = ended(&self.scene.planner(1, session), "p").await;
        for client in self.scene.clients() {
            assert_eq!(whole_log(client, session).await, events);
            let read = Wanderer::new(vec![client], session).read().await;
            assert_eq!(read.events, events);
        }
        events
    }
}

fn count(statuses: &[String], status: &str) -> usize {
    statuses.iter().filter(|known| *known == status).count()
}

#[tokio::test]
async fn an_output_is_called_once_whichever_replica_its_session_is_busy_at() {
    const SESSIONS: usize = 20;
    let pair = Pair::new(&[("BREAKER__MINIMUM_CALLS", "1000")]).await;
    let work = async |session: String| {
        let expected = [
            pair.called("documentation", "/documentation/sse?chunks=3&chunk_ms=30"),
            pair.called("row_selection", "/row_selection/json?fail=1&retry_after=1"),
            json!({"key": "crm"}),
        ];
        let at_a = pair.plan(&session, &expected).await;
        let at_b = pair.scene.planner(1, &session);
        let readers = pair.scene.clients().into_iter();
        let readers = readers.map(|client| Wanderer::new(vec![client], &session).read());
        let pushes = async {
            for revision in 1..=10 {
                let planner = if revision % 4 == 0 { &at_a } else { &at_b };
                planner.subagent("p", "crm").say("partial", revision, "x").await;
            }
            at_b.subagent("p", "crm").say("success", 11, "x").await;
        };
        let (read, ()) = tokio::join!(join_all(readers), pushes);
        let events = pair.told_alike(&session).await;
        for reader in read {
            assert_eq!(reader.events, events, "a reader that was there all the time saw the same");
        }
        let seen = |key| {
            let mut seen = statuses(&events, key);
            seen.dedup();
            seen
        };
        assert_eq!(seen("documentation"), ["in_progress", "partial", "success"], "{session}");
        assert_eq!(seen("row_selection"), ["in_progress", "retry", "in_progress", "success"], "{session}");
        assert_eq!(events.last().unwrap()["content"]["status"], "completed");
    };
    join_all((0..SESSIONS).map(|n| work(format!("s-{n}")))).await;
    let calls = pair.agents.calls();
    let mut outputs = BTreeMap::<_, usize>::new();
    for call in &calls.calls {
        let header = |name: &str| call.asked.headers[name].clone();
        let count =
            outputs.entry((header("tributary-session-id"), header("tributary-subagent"))).or_default();
        *count += 1;
        assert_eq!((call.ended, header("tributary-attempt")), (Some(Ended::Answered), format!("{count}/3")));
    }
    assert_eq!(outputs.len(), 2 * SESSIONS);
    // The second attempt is due at both at the same time.
    let wanted = |key: &str| if key == "row_selection" { 2 } else { 1 };
    assert!(outputs.iter().all(|((_, key), calls)| *calls == wanted(key)), "{outputs:?}");
}

#[tokio::test]
async fn a_call_of_a_killed_replica_is_made_by_the_other_once_its_lease_is_over() {
    let mut pair = Pair::new(&[SHORT_LEASE]).await;
    pair.script(&json!({ "/documentation/": [{ "hang": "body" }, {}] }));
    let path = "/documentation/sse?chunks=4&chunk_ms=10";
    pair.plan("s", &[pair.called("documentation", path)]).await;
    eventually("a partial", || async {
        let page = pair.scene.planner(1, "s").page("/events").await;
        (count(&statuses(page["events"].as_array().unwrap(), "documentation"), "partial") > 0).then_some(())
    })
    .await;
    pair.scene.replicas[0].signal("KILL");
    pair.scene.replicas[0].exited().await;
    let calls = pair.until(|calls| calls.total == 2).await;
    let waited = calls.calls[1].started_ms - calls.calls[0].ended_ms.unwrap();
    assert!(waited < (LEASE + SLACK).as_millis() as f64, "taken over after {waited} ms");
    let (_, attempts) = asked(&calls);
    assert_eq!(attempts, ["1/3", "1/3"]);
    let events = ended(&pair.scene.planner(1, "s"), "p").await;
    let seen = statuses(&events, "documentation");
    assert_eq!(
        (count(&seen, "in_progress"), count(&seen, "success"), count(&seen, "retry")),
        (1, 1, 0),
        "{seen:?}"
    );
    assert_eq!(events.last().unwrap()["content"]["status"], "completed");
    let revisions: Vec<_> =
        about(&events, "documentation").iter().filter_map(|content| content["revision"].as_u64()).collect();
    assert!(revisions.is_sorted(), "{revisions:?}");
    let client = pair.scene.client(1);
    assert_eq!(Wanderer::new(vec![client], "s").read().await.events, events);
    assert_eq!(pair.agents.calls().total, 2);
}

#[tokio::test]
async fn an_attempt_that_waits_for_its_time_when_its_replica_is_killed_begins_at_the_other() {
    let mut pair = Pair::new(&[SHORT_LEASE]).await;
    let failure = json!({ "status": 503, "retry_after": 6 });
    pair.script(&json!({ "/documentation/": [failure, {}] }));
    pair.plan("s", &[pair.called("documentation", "/documentation/json")]).await;
    eventually("a retry", || async {
        let page = pair.scene.planner(1, "s").page("/events").await;
        (count(&statuses(page["events"].as_array().unwrap(), "documentation"), "retry") > 0).then_some(())
    })
    .await;
    pair.scene.replicas[0].signal("KILL");
    pair.scene.replicas[0].exited().await;
    let events = ended(&pair.scene.planner(1, "s"), "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "retry", "in_progress", "success"]);
    let calls = pair.agents.calls();
    assert_eq!(asked(&calls).1, ["1/3", "2/3"]);
    let waited = calls.calls[1].started_ms - calls.calls[0].ended_ms.unwrap();
    assert!(
        (6_000.0..6_000.0 + SLACK.as_millis() as f64).contains(&waited),
        "called again after {waited} ms"
    );
}

#[tokio::test]
async fn a_frozen_replica_that_has_an_answer_when_it_wakes_up_changes_nothing() {
    let pair = Pair::new(&[SHORT_LEASE, ("COORDINATOR__IDLE_MS", "300")]).await;
    // What the frozen one is answered would end the output otherwise.
    let frozen = json!({ "latency_ms": 3_500, "status": 400 });
    pair.script(&json!({ "/documentation/": [frozen, {}] }));
    pair.plan("s", &[pair.called("documentation", "/documentation/json")]).await;
    pair.until(|calls| calls.in_flight == 1).await;
    pair.scene.replicas[0].signal("STOP");
    let events = ended(&pair.scene.planner(1, "s"), "p").await;
    let calls = pair.until(|calls| calls.in_flight == 0).await;
    assert_eq!(calls.calls.iter().map(|call| call.ended.unwrap()).collect::<Vec<_>>(), [Ended::Answered; 2]);
    assert_eq!(asked(&calls).1, ["1/3", "1/3"]);
    let tail = pair.scene.planner(1, "s").page("/events").await["tail"].clone();
    pair.scene.replicas[0].signal("CONT");
    let late = json!({"status": "success", "revision": 99, "payload": {"content": "x", "sources": []}});
    let late = pair.scene.planner(0, "s").subagent("p", "documentation").post(&late).await.expect(200);
    assert_eq!(late["results"][0]["verdict"], "late");
    // It has read what it was answered, and has nothing left to do.
    pair.scene.replicas[0].settled("active_sessions", 0).await;
    assert_eq!(pair.told_alike("s").await, events);
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"]);
    assert_eq!(
        pair.scene.planner(1, "s").page("/events").await["tail"],
        tail,
        "not an entry more, hidden or not"
    );
    assert_eq!(pair.agents.calls().total, 2);
}

#[tokio::test]
async fn what_a_frozen_replica_was_told_is_dropped_while_the_other_still_calls() {
    let pair = Pair::new(&[SHORT_LEASE]).await;
    let frozen = json!({ "chunks": 32, "chunk_ms": 120 });
    pair.script(&json!({ "/documentation/": [frozen, { "latency_ms": 4_000, "seed": 7, "chunks": 1 }] }));
    pair.plan("s", &[pair.called("documentation", "/documentation/sse")]).await;
    let partials = async || {
        let page = pair.scene.planner(1, "s").page("/events").await;
        count(&statuses(page["events"].as_array().unwrap(), "documentation"), "partial")
    };
    eventually("a partial", || async { (partials().await > 0).then_some(()) }).await;
    pair.scene.replicas[0].signal("STOP");
    let before = partials().await;
    // The other calls, and the whole of the first answer waits for a replica that doesn't read it.
    pair.until(|calls| calls.total == 2 && calls.calls[0].ended == Some(Ended::Answered)).await;
    pair.scene.replicas[0].signal("CONT");
    let events = pair.told_alike("s").await;
    let seen = statuses(&events, "documentation");
    assert_eq!(count(&seen, "success"), 1, "{seen:?}");
    let late = count(&seen, "partial") - before;
    assert!(late <= 1, "of the frozen replica's at most the one that was on its way is told: {seen:?}");
    let calls = pair.agents.calls();
    assert_eq!(
        (calls.total, calls.calls[1].ended),
        (2, Some(Ended::Answered)),
        "it didn't end the other's call"
    );
}

#[tokio::test]
async fn a_call_that_is_longer_than_two_leases_stays_where_it_is() {
    let pair = Pair::new(&[SHORT_LEASE]).await;
    let path = format!("/documentation/json?latency_ms={}", 2 * LEASE.as_millis() + 500);
    let planner = pair.plan("s", &[pair.called("documentation", &path), json!({"key": "crm"})]).await;
    // The other replica knows the session, too, and looks after it.
    pair.scene.planner(1, "s").subagent("p", "crm").say("partial", 1, "x").await;
    pair.until(|calls| calls.total == 1 && calls.in_flight == 0).await;
    planner.subagent("p", "crm").succeed().await;
    let events = pair.told_alike("s").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"]);
    let calls = pair.agents.calls();
    assert_eq!((calls.total, calls.calls[0].ended), (1, Some(Ended::Answered)));
}

#[tokio::test]
async fn a_replica_that_is_told_to_stop_hands_its_calls_over_at_once() {
    let mut pair = Pair::new(&[("SERVER__DRAIN_WINDOW_MS", "600")]).await;
    pair.script(&json!({ "/documentation/": [{ "hang": "head" }, {}] }));
    pair.plan("s", &[pair.called("documentation", "/documentation/json")]).await;
    pair.until(|calls| calls.in_flight == 1).await;
    let told = Instant::now();
    pair.scene.replicas[0].signal("TERM");
    let calls = pair.until(|calls| calls.total == 2).await;
    let waited = told.elapsed();
    assert!(waited < Duration::from_millis(300) + SLACK, "taken over after {waited:?}");
    assert_eq!(asked(&calls).1, ["1/3", "1/3"]);
    assert_eq!(calls.calls[0].ended, Some(Ended::PeerGone));
    let events = ended(&pair.scene.planner(1, "s"), "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"]);
    assert!(pair.scene.replicas[0].exited().await.success());
}

#[tokio::test]
async fn a_call_that_ends_while_its_replica_stops_is_not_made_again() {
    // Longer than the lease, and shorter than the half of the window that calls may take to finish.
    let mut pair = Pair::new(&[SHORT_LEASE, ("SERVER__DRAIN_WINDOW_MS", "30000")]).await;
    let path = format!("/documentation/json?latency_ms={}", LEASE.as_millis() + 1_000);
    pair.plan("s", &[pair.called("documentation", &path)]).await;
    pair.until(|calls| calls.in_flight == 1).await;
    pair.scene.replicas[0].signal("TERM");
    let events = ended(&pair.scene.planner(1, "s"), "p").await;
    assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"]);
    assert_eq!(pair.agents.calls().total, 1);
    assert!(pair.scene.replicas[0].exited().await.success());
}

#[tokio::test]
async fn what_ends_an_output_at_one_replica_ends_its_call_at_the_other() {
    let pair = Pair::new(&[]).await;
    let refusal = json!({"decision": "refuse", "policy": "p", "reason": "no", "terminate": true});
    let done = json!({"status": "success", "payload": {"content": "x", "sources": []}});
    let ends = [
        ("/steps/p/safety", refusal.clone(), "refused"),
        ("/safety", refusal, "refused"),
        ("/steps/p/cancel", json!({"reason": "enough"}), "cancelled"),
        ("/cancel", json!({"reason": "enough"}), "cancelled"),
        ("/steps/p/subagents/documentation/events", done, "success"),
    ];
    for (n, (rest, body, status)) in ends.into_iter().enumerate() {
        pair.agents.reset();
        let session = format!("s-{n}");
        pair.plan(&session, &[pair.called("documentation", "/documentation/sse?hang=body")]).await;
        pair.until(|calls| calls.in_flight == 1).await;
        let told = Instant::now();
        pair.scene.planner(1, &session).tell(rest, body).await;
        let calls = pair.until(|calls| calls.in_flight == 0).await;
        let waited = told.elapsed();
        assert!(waited < SLACK, "{rest} ended the call after {waited:?}");
        assert_eq!((calls.total, calls.calls[0].ended), (1, Some(Ended::PeerGone)), "{rest}");
        let events = pair.told_alike(&session).await;
        assert_eq!(statuses(&events, "documentation").last().unwrap(), status, "{rest}");
    }
}

/// What the breaker of `key` is at a replica.
async fn breaker(scene: &Scene, replica: usize, key: &str) -> Option<String> {
    let figures = scene.client(replica).get("/analytics/subagents").send().await.expect(200);
    let of_it = figures["subagents"].as_array().unwrap().iter().find(|subagent| subagent["key"] == key)?;
    of_it["breaker"]["state"].as_str().map(str::to_owned)
}

const BREAKERS: [(&str, &str); 3] =
    [("BREAKER__MINIMUM_CALLS", "3"), ("BREAKER__OPEN_MS", "1500"), ("BREAKER__OPEN_MOST_MS", "1500")];

impl Pair {
    /// A step with one call and one attempt, posted at a replica.
    async fn one_call(&self, replica: usize, session: &str) -> Planner {
        let planner = self.scene.planner(replica, session);
        let mut expected = self.called("documentation", "/documentation/json");
        expected["max_attempts"] = json!(1);
        let step = json!({"plan_step_id": "p", "deadline_ms": 60_000, "expected_subagents": [expected]});
        planner.post(&step).await.expect(201);
        planner
    }

    /// Fails calls until the breaker is open on both, then waits until a probe is due on both.
    async fn half_open(&self) {
        self.script(&json!({ "/documentation/": [{ "status": 503 }] }));
        for replica in [0, 1] {
            for n in 0.. {
                if breaker(&self.scene, replica, "documentation").await.is_some_and(|state| state != "closed")
                {
                    break;
                }
                assert!(n < 50, "the breaker of replica {replica} doesn't open");
                ended(&self.one_call(replica, &format!("open-{replica}-{n}")).await, "p").await;
            }
        }
        for replica in [0, 1] {
            eventually("a half-open breaker", || async {
                (breaker(&self.scene, replica, "documentation").await? == "half_open").then_some(())
            })
            .await;
        }
        self.agents.reset();
    }
}

#[tokio::test]
async fn one_call_at_a_time_tries_a_degraded_subagent_whichever_replica_asks() {
    let pair = Pair::new(&BREAKERS).await;
    pair.half_open().await;
    pair.script(&json!({ "/documentation/": [{ "latency_ms": 4_000 }, {}] }));
    let steps = (0..20).map(|n| (n % 2, format!("s-{n}")));
    let planners =
        join_all(steps.map(async |(replica, session)| pair.one_call(replica, &session).await)).await;
    let mut ends = Vec::new();
    for planner in &planners {
        ends.push(statuses(&ended(planner, "p").await, "documentation").pop().unwrap());
    }
    assert_eq!((count(&ends, "success"), count(&ends, "degraded")), (1, 19), "{ends:?}");
    let calls = pair.agents.calls();
    assert_eq!((calls.total, calls.max_in_flight), (1, 1));
    // Each replica closes its own by a call of its own.
    for replica in [0, 1] {
        let planner = pair.one_call(replica, &format!("after-{replica}")).await;
        assert_eq!(statuses(&ended(&planner, "p").await, "documentation"), ["in_progress", "success"]);
        assert_eq!(breaker(&pair.scene, replica, "documentation").await.unwrap(), "closed");
    }
}

#[tokio::test]
async fn a_try_that_came_to_nothing_makes_room_for_the_next_at_either_replica() {
    let pair = Pair::new(&BREAKERS).await;
    pair.half_open().await;
    pair.script(&json!({ "/documentation/": [{ "hang": "head" }, {}] }));
    let planner = pair.one_call(0, "cancelled").await;
    pair.until(|calls| calls.in_flight == 1).await;
    let meanwhile = pair.one_call(1, "meanwhile").await;
    assert_eq!(statuses(&ended(&meanwhile, "p").await, "documentation").pop().unwrap(), "degraded");
    planner.tell("/steps/p/cancel", json!({"reason": "enough"})).await;
    pair.until(|calls| calls.in_flight == 0).await;
    // At the other replica, and there again, as its own breaker closes by that.
    for session in ["next", "after"] {
        let tried = Instant::now();
        let mut seen = Vec::new();
        // The place is given back right after the call has ended.
        for n in 0.. {
            seen = statuses(
                &ended(&pair.one_call(1, &format!("{session}-{n}")).await, "p").await,
                "documentation",
            );
            if seen != ["degraded"] || tried.elapsed() > SLACK {
                break;
            }
        }
        assert_eq!(seen, ["in_progress", "success"], "{session}");
    }
}

#[tokio::test]
async fn a_decision_is_posted_once_when_both_replicas_are_there() {
    const SESSIONS: usize = 20;
    let agents = simulator().await;
    let url = agents.url("/generic/json?latency_ms=50");
    let webhook = [("SAFETY__WEBHOOK_URL", &*url), ("SAFETY__WEBHOOK_SECRET", "a secret of these tests")];
    let pair = Pair::calling(agents, &webhook).await;
    let decide = async |session: String| {
        let planner = pair.plan(&session, &[json!({"key": "crm"}), json!({"key": "docs"})]).await;
        // Both have a task for the session.
        let at_b = pair.scene.planner(1, &session);
        at_b.subagent("p", "crm").say("partial", 1, "x").await;
        let refusal = json!({"decision": "refuse", "policy": "p", "reason": "no", "terminate": true});
        let pushes = async {
            for revision in 2..=6 {
                let event = json!({"status": "partial", "revision": revision, "payload": {"content": "x", "sources": []}});
                at_b.subagent("p", "crm").post(&event).await.expect(200);
            }
        };
        tokio::join!(planner.tell("/steps/p/safety", refusal), pushes);
        let events = pair.told_alike(&session).await;
        let last = events.last().unwrap()["sequence"].as_u64().unwrap();
        // Taken and delivered: an entry each, hidden ones.
        eventually(format!("the decision of {session} to be delivered"), || async {
            let tail = at_b.page("/events").await["tail"].as_u64().unwrap();
            (tail > last).then_some(())
        })
        .await;
        let policy = events.iter().find(|event| event["type"] == "policy_outcome").unwrap();
        (session, policy.clone())
    };
    let decided = join_all((0..SESSIONS).map(|n| decide(format!("s-{n}")))).await;
    let calls = pair.until(|calls| calls.total >= SESSIONS as u64 && calls.in_flight == 0).await;
    assert_eq!(calls.total, SESSIONS as u64);
    let mut ids = std::collections::BTreeSet::new();
    for (session, policy) in decided {
        let posted = calls
            .calls
            .iter()
            .filter(|call| call.asked.body.parse::<Value>().unwrap()["session_id"] == *session);
        let posted: Vec<_> = posted.collect();
        assert_eq!(posted.len(), 1, "{session}");
        assert_eq!(posted[0].asked.body.parse::<Value>().unwrap(), policy);
        assert!(
            ids.insert(posted[0].asked.headers["webhook-id"].clone()),
            "each decision has an id of its own"
        );
    }
}

#[tokio::test]
async fn a_decision_that_a_stopping_replica_was_posting_is_posted_by_the_other_at_once() {
    let agents = simulator().await;
    let url = agents.url("/generic/json");
    let webhook = [
        ("SAFETY__WEBHOOK_URL", &*url),
        ("SAFETY__WEBHOOK_SECRET", "a secret of these tests"),
        ("SERVER__DRAIN_WINDOW_MS", "600"),
    ];
    let mut pair = Pair::calling(agents, &webhook).await;
    pair.script(&json!({ "/generic/": [{ "hang": "head" }, {}] }));
    let planner = pair.plan("s", &[json!({"key": "crm"})]).await;
    let refusal = json!({"decision": "refuse", "policy": "p", "reason": "no", "terminate": true});
    planner.tell("/steps/p/safety", refusal).await;
    pair.until(|calls| calls.in_flight == 1).await;
    pair.scene.replicas[0].signal("TERM");
    assert!(pair.scene.replicas[0].exited().await.success());
    let calls = pair.until(|calls| calls.total == 2 && calls.in_flight == 0).await;
    let (first, second) = (&calls.calls[0].asked, &calls.calls[1].asked);
    assert_eq!((&first.headers["webhook-id"], &first.body), (&second.headers["webhook-id"], &second.body));
    assert_eq!(calls.calls[1].ended, Some(Ended::Answered));
}
