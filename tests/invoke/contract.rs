//! The contract's own example: of five subagents that are called one times out, one fails twice and recovers, one is
//! degraded, one is refused by safety and one succeeds. What comes of it is a reviewed snapshot.
//!
//! Nothing here depends on who is faster: each subagent is called through a [`Gate`] that is closed until what is to stand
//! in the log before stands there. The first to speak is the clock: everybody else waits until the timeout is there.
//!
//! `INSTA_UPDATE=always cargo nextest run --test invoke contract` writes the snapshots anew.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tributary::simulate::Ended;

use crate::harness::{PATIENCE, Planner, SseEvent, event_texts, eventually, redacted};
use crate::scene::{Scene, about, ended, statuses};

/// A line to the simulator that carries nothing until it is opened: connections wait.
pub struct Gate {
    address: SocketAddr,
    open: watch::Sender<bool>,
    accepting: JoinHandle<()>,
}

impl Gate {
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, open) = (listener.local_addr().unwrap(), watch::channel(false).0);
        let opened = open.subscribe();
        let accepting = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, target, opened.clone()));
            }
        });
        Self { address, open, accepting }
    }

    /// The output of `called`, called by way of this gate.
    pub fn before(&self, mut called: Value, fields: &Value) -> Value {
        let mut url: url::Url = called["invoke"]["url"].as_str().unwrap().parse().unwrap();
        url.set_port(Some(self.address.port())).unwrap();
        called["invoke"]["url"] = json!(url.as_str());
        called.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        called
    }

    pub fn open(&self) {
        self.open.send_replace(true);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn carry(mut near: TcpStream, target: SocketAddr, mut opened: watch::Receiver<bool>) {
    if opened.wait_for(|open| *open).await.is_err() {
        return;
    }
    if let Ok(mut far) = TcpStream::connect(target).await {
        // A side that breaks off is what many of these tests are about.
        let _ = copy_bidirectional(&mut near, &mut far).await;
    }
}

/// A service whose breakers open after three failures and stay open, and in which `action_workflow` has just failed three
/// times in another session.
async fn scene() -> Scene {
    let scene = Scene::with(|setup| {
        let setup = setup.env("INVOKE__ALLOWED_HOSTS", "127.0.0.1");
        setup.env("BREAKER__MINIMUM_CALLS", 3).env("BREAKER__OPEN_MS", 120_000)
    })
    .await;
    let before = scene.app.planner("before");
    let failing = scene.called("action_workflow", "/action_workflow/json?status=503");
    before.post(&json!({"plan_step_id": "p", "expected_subagents": [failing]})).await.expect(201);
    assert_eq!(statuses(&ended(&before, "p").await, "action_workflow").last().unwrap(), "error");
    scene.agents.reset();
    scene
}

/// The session's step `p`, begun; [`Play::act`] plays it to its end.
struct Play {
    planner: Planner,
    rows: Gate,
    research: Gate,
    documentation: Gate,
}

impl Play {
    async fn begin(scene: &Scene) -> Self {
        let gate = || Gate::to(scene.agents.addr);
        let (rows, research, documentation) = (gate().await, gate().await, gate().await);
        let called = |key: &str, path: &str| scene.called(key, path);
        let mut voice = called("voice", "/voice/json?hang=head");
        voice["deadline_ms"] = json!(4_000);
        let mut degraded = called("action_workflow", "/action_workflow/json");
        degraded["on_degraded"] = json!("skip");
        let expected = [
            documentation.before(
                called("documentation", "/documentation/sse?chunks=2"),
                &json!({"task": "how quotes are converted"}),
            ),
            rows.before(
                called("row_selection", "/row_selection/json?fail=2"),
                &json!({"result_key": "open_quotes", "max_attempts": 3}),
            ),
            degraded,
            research.before(
                called("research", "/documentation/sse?chunks=4&hang=body&seed=7"),
                &json!({"adapter": "documentation"}),
            ),
            voice,
        ];
        let planner = scene.plan(&expected).await;
        Self { planner, rows, research, documentation }
    }

    /// Each opens its gate when the one before has said all that it will.
    async fn act(&self, scene: &Scene) {
        self.said("voice", "timeout", 1).await;
        self.research.open();
        self.said("research", "partial", 2).await;
        let refusal = json!({
            "decision": "refuse", "policy": "pii", "reason": "it quotes a customer's address", "severity": "high",
            "subagent": "research",
        });
        self.planner.tell("/steps/p/safety", refusal).await;
        gone(scene, "/documentation/sse", "seed=7").await;
        gone(scene, "/voice/json", "hang=head").await;
        self.rows.open();
        self.said("open_quotes", "success", 1).await;
        self.documentation.open();
        ended(&self.planner, "p").await;
    }

    async fn said(&self, result_key: &str, status: &str, times: usize) {
        eventually(format!("{times} {status} of {result_key}"), || async {
            let page = self.planner.page("/steps/p/events?limit=5000").await;
            let said = statuses(page["events"].as_array().unwrap(), result_key);
            (said.iter().filter(|said| *said == status).count() == times).then_some(())
        })
        .await;
    }
}

/// The simulator has seen the end of a call that nobody waits for any more.
async fn gone(scene: &Scene, path: &str, query: &str) {
    let is_it = |call: &tributary::simulate::Call| {
        call.asked.path == path && call.asked.query.contains(query) && call.ended == Some(Ended::PeerGone)
    };
    let seen = scene.agents.until(PATIENCE, |calls| calls.calls.iter().any(is_it)).await;
    assert!(seen.is_ok(), "{path} {query}: {seen:?}");
}

async fn played() -> (Scene, Play) {
    let scene = scene().await;
    let play = Play::begin(&scene).await;
    play.act(&scene).await;
    (scene, play)
}

/// A page of all of the step's events, as it came.
async fn page(planner: &Planner) -> Vec<String> {
    event_texts(planner.get("/steps/p/events?limit=5000").send().await.text())
}

/// Events a line each, as far as a person has to read them to see what happened.
fn outline(texts: &[String]) -> String {
    let line = |text: &String| {
        let event: Value = serde_json::from_str(text).unwrap();
        let content = &event["content"];
        let shown =
            ["result_key", "stage", "status", "decision", "policy", "revision", "attempt", "attempts"];
        let told: String = shown.iter().filter_map(|name| Some((name, content.get(name)?))).fold(
            event["type"].as_str().unwrap().to_owned(),
            |line, (name, value)| match (*name, content.get("result_key")) {
                ("stage", Some(_)) => line,
                _ => format!("{line} {name}={}", value.to_string().trim_matches('"')),
            },
        );
        let why = [&content["error"]["code"], &content["reason"]];
        why.into_iter().filter_map(Value::as_str).fold(told, |line, why| format!("{line} ({why})"))
    };
    texts.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn assert_as_reviewed(texts: &[String]) {
    insta::assert_snapshot!("contract_outline", redacted(&outline(texts)));
    let shown: Vec<String> = texts.iter().map(|text| without_combined(text)).collect();
    insta::assert_snapshot!("contract_events", redacted(&shown.join("\n")));
}

/// What was combined is the subject of other tests; here it is its place that counts.
fn without_combined(text: &str) -> String {
    let combined =
        ["aggregation", "synthesis"].iter().any(|it| text.starts_with(&format!("{{\"type\":\"{it}\"")));
    let parts = (text.split_once("\"content\":"), text.split_once("\"href\":"));
    match parts {
        (Some((before, _)), Some((_, after))) if combined => {
            format!("{before}\"content\":{{…,\"href\":{after}")
        }
        _ => text.to_owned(),
    }
}

#[tokio::test]
async fn five_subagents_that_end_in_five_ways_give_the_events_of_the_contract() {
    let (scene, play) = played().await;
    assert_as_reviewed(&page(&play.planner).await);
    assert_eq!(play.planner.step("p").await["status"], "partial_failure");
    let calls = scene.agents.calls().calls;
    let of = |path: &str| calls.iter().filter(|call| call.asked.path == path).count();
    let counts =
        ["/row_selection/json", "/voice/json", "/action_workflow/json", "/documentation/sse"].map(of);
    assert_eq!(counts, [3, 1, 0, 2], "the degraded one isn't called, the recovered one three times");
}

#[tokio::test]
async fn the_same_plan_streamed_gives_the_same_events_and_every_replay_the_same_bytes() {
    let scene = scene().await;
    let play = Play::begin(&scene).await;
    let streamed = async {
        let mut reader = scene.app.sse(format!("{}?coalesce=never", play.planner.events("p"))).await;
        texts(reader.rest().await)
    };
    let (live, ()) = tokio::join!(streamed, play.act(&scene));
    assert_as_reviewed(&live);
    for batch in [1, 5] {
        let path = format!("{}?coalesce=never&batch={batch}", play.planner.events("p"));
        assert_eq!(texts(scene.app.sse(path).await.rest().await), live, "{batch} a frame");
    }
    assert_eq!(page(&play.planner).await, live);
    let lines = play.planner.get("/steps/p/events?coalesce=never").header("accept", "application/x-ndjson");
    let lines = lines.send().await;
    let in_lines = lines.text().lines().filter(|line| line.contains("\"events\":"));
    let in_lines: Vec<String> = in_lines.flat_map(|line| event_texts(data(line))).collect();
    assert_eq!(in_lines, live);
}

fn texts(frames: Vec<SseEvent>) -> Vec<String> {
    let of_events = frames.iter().filter(|frame| frame.name == "planner_stream");
    of_events.flat_map(|frame| event_texts(&frame.data)).collect()
}

/// The data of a line `{event, id, data}`, as it stands there.
fn data(line: &str) -> &str {
    let line: std::collections::BTreeMap<&str, &serde_json::value::RawValue> =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    line["data"].get()
}

#[tokio::test]
async fn the_result_uses_what_there_is_and_names_what_failed_with_its_cause() {
    let (_scene, play) = played().await;
    let result = play.planner.get("/steps/p/result").send().await.expect(200);
    assert_eq!(result["status"], "partial_failure");
    let items = |name: &str| result[name].as_array().unwrap_or_else(|| panic!("no {name}: {result}")).clone();
    let item = |name: &str, id: &str| {
        let found = items(name).into_iter().find(|item| item["task_id"] == id);
        found.unwrap_or_else(|| panic!("no {id} in {}", result[name]))
    };
    for (id, status, cause) in [
        ("voice", "timeout", "deadline"),
        ("action_workflow", "degraded", "failed"),
        ("research", "refused", "a customer's address"),
    ] {
        let failure = item("failures", id);
        assert_eq!(failure["status"], status);
        assert!(failure["error"].as_str().unwrap().contains(cause), "{failure}");
        assert!(result["synthesis"].as_str().unwrap().contains(id), "{id}: {}", result["synthesis"]);
    }
    assert_eq!(items("failures").len(), 3, "{}", result["failures"]);
    assert_eq!(
        (&result["metadata"]["successful_subagents"], &result["metadata"]["failed_subagents"]),
        (&json!(2), &json!(3))
    );
    for id in ["documentation", "open_quotes"] {
        assert!(!item("results", id)["partial"].as_bool().unwrap_or_default(), "{id} is whole");
    }
    let urls: Vec<_> = items("sources").iter().map(|source| source["url"].clone()).collect();
    let events = ended(&play.planner, "p").await;
    let cited = about(&events, "documentation").into_iter().find(|content| content["status"] == "success");
    let cited = cited.unwrap()["payload"]["citations"].as_array().unwrap().clone();
    assert!(!cited.is_empty() && cited.iter().all(|citation| urls.contains(&citation["url"])), "{urls:?}");
    // What safety refused by its name isn't told, not even the part that came before.
    assert!(!items("results").iter().any(|item| item["task_id"] == "research"), "{}", result["results"]);
    let findings = items("findings");
    let from = |id: &str| findings.iter().any(|found| found["contributors"].to_string().contains(id));
    assert!(from("documentation") && !from("research"), "{findings:?}");
}
