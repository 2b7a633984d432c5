//! Refusals and escalations are posted to the orchestrator: signed, tried again, and delivered after a crash.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tributary::domain::signature::WebhookSecret;

use crate::harness::{Folder, PATIENCE, Planner, Setup, TestApp, event_texts, eventually};
use crate::scene::{calling, ended, simulator, statuses};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// What a receiver answers.
#[derive(Debug, Clone, Copy)]
enum Reply {
    Status(u16),
    /// That it was taken, in a coding that nobody asked for.
    Compressed,
    /// Nothing, for as long as the service waits.
    Hang,
}

/// What was posted to it.
#[derive(Debug, Clone)]
struct Post {
    headers: BTreeMap<String, String>,
    body: Bytes,
}

impl Post {
    fn id(&self) -> &str {
        &self.headers["webhook-id"]
    }

    fn timestamp(&self) -> i64 {
        self.headers["webhook-timestamp"].parse().unwrap()
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn is_signed_with(&self, secret: &str) -> bool {
        let secret = WebhookSecret::parse(secret).unwrap();
        secret.verifies(self.id(), self.timestamp(), &self.body, &self.headers["webhook-signature"])
    }

    #[track_caller]
    fn assert_signed(&self) {
        assert!(self.is_signed_with(SECRET), "{self:?}");
        assert!(!self.is_signed_with("another secret"));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs().cast_signed();
        assert!((now - 120..=now + 1).contains(&self.timestamp()), "{} isn't now, {now}", self.timestamp());
        assert_eq!(self.headers["content-type"], "application/json");
    }
}

/// A real receiver of webhooks: remembers what comes, and answers as it is told.
struct Receiver {
    posts: watch::Receiver<Vec<Post>>,
    accepting: JoinHandle<()>,
}

impl Receiver {
    /// Answers the first, the second, … so, and all that follow like the last.
    fn at(listener: TcpListener, replies: &[Reply]) -> Self {
        let (sender, posts) = watch::channel(Vec::new());
        let shared = Arc::new((sender, replies.to_vec()));
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = shared.clone();
                let service = service_fn(move |request| answer(shared.clone(), request));
                let http = hyper::server::conn::http1::Builder::new();
                // A peer that breaks off is what some of these tests are about.
                tokio::spawn(http.serve_connection(TokioIo::new(stream), service));
            }
        });
        Self { posts, accepting }
    }

    /// Waits until so many posts have come.
    async fn received(&self, count: usize) -> Vec<Post> {
        let mut posts = self.posts.clone();
        let waited = tokio::time::timeout(PATIENCE, posts.wait_for(|posts| posts.len() >= count)).await;
        waited
            .unwrap_or_else(|_| panic!("{} of {count} posts came", self.posts.borrow().len()))
            .unwrap()
            .clone()
    }

    fn so_far(&self) -> Vec<Post> {
        self.posts.borrow().clone()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn answer(
    shared: Arc<(watch::Sender<Vec<Post>>, Vec<Reply>)>,
    request: Request<Incoming>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let (posts, replies) = &*shared;
    let (head, body) = request.into_parts();
    let text = |value: &http::HeaderValue| value.to_str().unwrap().to_owned();
    let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    let body = body.collect().await.unwrap().to_bytes();
    let mut reply = Reply::Hang;
    posts.send_modify(|posts| {
        reply = replies[posts.len().min(replies.len() - 1)];
        posts.push(Post { headers, body });
    });
    match reply {
        Reply::Status(status) => {
            let mut response = Response::new(Empty::new());
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            Ok(response)
        }
        Reply::Compressed => {
            let mut response = Response::new(Empty::new());
            response.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
            Ok(response)
        }
        Reply::Hang => std::future::pending().await,
    }
}

/// A port that refuses connections until somebody listens on it; nobody else gets it.
fn port() -> (TcpSocket, SocketAddr) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

async fn receiver(replies: &[Reply]) -> (Receiver, SocketAddr) {
    let (socket, address) = port();
    (Receiver::at(socket.listen(64).unwrap(), replies), address)
}

/// A service that posts decisions there.
fn notifying(address: SocketAddr) -> Setup {
    let setup = calling("127.0.0.1").env("SAFETY__WEBHOOK_URL", format!("http://{address}/decisions"));
    setup.env("SAFETY__WEBHOOK_SECRET", SECRET)
}

/// A session with a step of `research` and `other`, and a decision about it.
async fn decided(app: &TestApp, session: &str, decision: Value) -> Planner {
    let planner = app.planner(session);
    planner.start("p", &["research", "other"]).await;
    planner.tell("/steps/p/safety", decision).await;
    planner
}

fn refusal() -> Value {
    json!({"decision": "refuse", "policy": "pii", "reason": "it names “Jürgen”", "severity": "high", "subagent": "research"})
}

/// The decisions of a session as readers are shown them.
async fn streamed(planner: &Planner) -> Vec<String> {
    event_texts(planner.get("/events?type=policy_outcome&limit=5000").send().await.text())
}

/// Ends the service in good order: after that nothing comes any more.
async fn stopped(mut app: TestApp) {
    app.signal("TERM");
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn refusals_and_escalations_are_posted_as_they_are_streamed_and_allowances_are_not() {
    let (receiver, address) = receiver(&[Reply::Status(204)]).await;
    let agents = simulator().await;
    let app = notifying(address).start().await;
    let allow = json!({"decision": "allow", "policy": "all", "reason": "clean"});
    let planner = decided(&app, "s", allow).await;
    let escalate = json!({"decision": "escalate", "policy": "tone", "reason": "rude", "subagent": "other"});
    planner.tell("/steps/p/safety", escalate).await;
    planner.tell("/steps/p/safety", refusal()).await;
    // A safety subagent's, one that is missing, and one about the whole session.
    let called = json!({"url": agents.url("/safety/json?decision=refuse"), "protocol": "json"});
    let missing = json!({"url": agents.url("/safety/json?status=400"), "protocol": "json"});
    for (step, invoke) in [("called", called), ("missing", missing)] {
        let safety = json!({"key": "safety", "invoke": invoke});
        let directive = json!({"plan_step_id": step, "expected_subagents": [safety]});
        planner.post(&directive).await.expect(201);
        ended(&planner, step).await;
    }
    planner.tell("/safety", json!({"decision": "refuse", "policy": "plan", "reason": "all of it"})).await;
    let posts = receiver.received(5).await;
    let streamed = streamed(&planner).await;
    let (allowed, wanted): (Vec<_>, Vec<_>) =
        streamed.into_iter().partition(|text| text.contains("\"decision\":\"allow\""));
    assert_eq!(allowed.len(), 1);
    let mut posted: Vec<_> = posts.iter().map(|post| post.text().to_owned()).collect();
    posted.sort_by_key(|text| serde_json::from_str::<Value>(text).unwrap()["sequence"].as_u64());
    assert_eq!(posted, wanted, "byte for byte");
    let policies: Vec<_> = posts.iter().map(|post| post.json()["content"]["policy"].clone()).collect();
    assert!(policies.contains(&json!("safety_unavailable")), "{policies:?}");
    posts.iter().for_each(Post::assert_signed);
    let ids: std::collections::BTreeSet<_> = posts.iter().map(Post::id).collect();
    assert_eq!(ids.len(), 5, "each decision has an id of its own");
    stopped(app).await;
    assert_eq!(receiver.so_far().len(), 5, "once each, and the allowance never");
}

#[tokio::test]
async fn receiver_that_fails_is_asked_again_with_the_same_id_until_it_takes_it() {
    let replies = [Reply::Status(503), Reply::Status(503), Reply::Status(200)];
    let (receiver, address) = receiver(&replies).await;
    let app = notifying(address).start().await;
    let planner = decided(&app, "s", refusal()).await;
    let posts = receiver.received(3).await;
    posts.iter().for_each(Post::assert_signed);
    assert!(posts.iter().all(|post| post.id() == posts[0].id() && post.body == posts[0].body), "{posts:?}");
    assert_eq!(posts[0].text(), streamed(&planner).await[0]);
    // Another decision goes its own way, and comes when the first has been taken.
    planner.tell("/steps/p/safety", json!({"decision": "escalate", "policy": "x", "reason": "y"})).await;
    assert_ne!(receiver.received(4).await[3].id(), posts[0].id());
    stopped(app).await;
    assert_eq!(receiver.so_far().len(), 4, "what was taken isn't sent again");
}

/// Its server may be deployed, its key changed, its proxy in trouble: there is nobody else to tell.
#[tokio::test]
async fn receiver_is_asked_again_whatever_it_answers_but_a_success() {
    let replies = [Reply::Status(404), Reply::Status(302), Reply::Compressed, Reply::Status(200)];
    let (receiver, address) = receiver(&replies).await;
    let app = notifying(address).start().await;
    let planner = decided(&app, "s", refusal()).await;
    let line = app.logged("a webhook failed and is tried again").await;
    assert!(line.contains("\"WARN\"") && line.contains("404"), "{line}");
    assert!(!line.contains(SECRET) && !line.contains("Jürgen"), "{line}");
    let told: Value = line.parse().unwrap();
    let event: Value = streamed(&planner).await[0].parse().unwrap();
    for (member, expected) in [
        ("session", json!("s")),
        ("step", json!("p")),
        ("decision", json!("refuse")),
        ("policy", json!("pii")),
        ("sequence", event["sequence"].clone()),
        ("trace_id", event["telemetry"]["trace_id"].clone()),
    ] {
        assert_eq!(told[member], expected, "{member}: {line}");
    }
    let posts = receiver.received(3).await;
    assert!(posts.iter().all(|post| post.id() == posts[0].id()), "{posts:?}");
    eventually("the notice to be counted as delivered", || async {
        let metrics = app.get("/metrics").send().await.text().to_owned();
        let count = metrics.lines().find(|line| line.contains("outcome=\"delivered\""))?;
        count.ends_with(" 1").then_some(())
    })
    .await;
    stopped(app).await;
    assert_eq!(receiver.so_far().len(), 3, "what was taken, in whatever coding, isn't sent again");
}

#[tokio::test]
async fn receiver_that_is_down_at_first_gets_it_later() {
    let (socket, address) = port();
    let app = notifying(address).start().await;
    let planner = decided(&app, "s", refusal()).await;
    app.logged("a webhook failed and is tried again").await;
    let receiver = Receiver::at(socket.listen(64).unwrap(), &[Reply::Status(200)]);
    let posts = receiver.received(1).await;
    posts[0].assert_signed();
    assert_eq!(posts[0].text(), streamed(&planner).await[0]);
    stopped(app).await;
    assert_eq!(receiver.so_far().len(), 1);
}

/// Posts have places of their own, which are all taken here by those of another session.
#[tokio::test]
async fn receiver_that_hangs_keeps_no_subagent_from_being_called() {
    let (receiver, address) = receiver(&[Reply::Hang]).await;
    let agents = simulator().await;
    let app = notifying(address).env("INVOKE__CALLS_MAX", 1).start().await;
    for session in ["a", "b"] {
        let planner = app.planner(session);
        planner.start("p", &["research"]).await;
        let escalate = json!({"decision": "escalate", "policy": "tone", "reason": "rude"});
        for _ in 0..64 {
            planner.tell("/steps/p/safety", escalate.clone()).await;
        }
    }
    receiver.received(64).await;
    let planner = app.planner("called");
    let invoke = json!({"url": agents.url("/generic/json"), "protocol": "json"});
    let expected = json!([{"key": "research", "deadline_ms": 5_000, "invoke": invoke}]);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let end = ended(&planner, "p").await;
    assert_eq!(statuses(&end, "research").last().unwrap(), "success", "{end:?}");
    assert_eq!(receiver.so_far().len(), 64, "others wait for their places");
}

#[tokio::test]
async fn webhook_that_could_not_be_posted_or_signed_keeps_the_service_from_starting() {
    let (url, private) = ("http://127.0.0.1:9/decisions", ("INVOKE__ALLOW_PRIVATE", "true"));
    let (hosts, secret) = (("INVOKE__ALLOWED_HOSTS", "127.0.0.1"), ("SAFETY__WEBHOOK_SECRET", SECRET));
    let cases: [(&str, &[(&str, &str)]); 6] = [
        (url, &[private, secret]),
        (url, &[private, secret, ("INVOKE__ALLOWED_HOSTS", "hooks.example.com")]),
        (url, &[private, secret, ("INVOKE__ALLOWED_HOSTS", "127.0.0.1:10")]),
        (url, &[hosts, secret]),
        (url, &[hosts, private]),
        ("decisions", &[hosts, private, secret]),
    ];
    for (url, settings) in cases {
        let said = refused_start(url, settings).await;
        assert!(said.contains("safety.webhook_url"), "{url} {settings:?}: {said}");
        assert!(!said.contains(SECRET), "{said}");
    }
    let short = refused_start(url, &[hosts, private, ("SAFETY__WEBHOOK_SECRET", "whsec_c2hvcnQ=")]).await;
    assert!(short.contains("safety.webhook_secret") && !short.contains("c2hvcnQ"), "{short}");
}

/// What the program says that refuses to start.
async fn refused_start(url: &str, settings: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TRIBUTARY_") {
            command.env_remove(name);
        }
    }
    command.args(["serve", "--listen", "127.0.0.1:0"]).env("TRIBUTARY_SAFETY__WEBHOOK_URL", url);
    command.envs(settings.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let looking = || std::future::ready(child.try_wait().unwrap());
    let status = eventually("the end of a process that may not start", looking).await;
    let output = child.wait_with_output().unwrap();
    assert!(!status.success(), "{url} {settings:?}: it started");
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// What a decision leaves of its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaves {
    Running,
    Ended,
}

/// Kills the service while the receiver of a decision hangs, and starts another on the same archive.
async fn crash_before_delivery(decision: Value, leaves: Leaves) {
    let (receiver, address) = receiver(&[Reply::Hang, Reply::Status(200)]).await;
    let folder = Folder::new();
    let archived = || notifying(address).env("ARCHIVE__URL", folder.url());
    let mut app = archived().start().await;
    let planner = decided(&app, "s", decision).await;
    let running = planner.step("p").await["status"] == "in_progress";
    assert_eq!(running, leaves == Leaves::Running);
    receiver.received(1).await;
    eventually("everything to be archived", || async {
        let archive = app.get("/readyz").send().await.json()["dependencies"]["archive"].clone();
        (archive["waiting_sessions"] == 0).then_some(())
    })
    .await;
    let streamed_before = streamed(&planner).await;
    app.signal("KILL");
    app.exited().await;

    let app = archived().start().await;
    let posts = receiver.received(2).await;
    posts.iter().for_each(Post::assert_signed);
    assert_eq!((posts[0].id(), &posts[0].body), (posts[1].id(), &posts[1].body), "the same message");
    assert_eq!([posts[1].text()], *streamed_before);
    assert_eq!(streamed(&app.planner("s")).await, streamed_before);
    stopped(app).await;
    assert_eq!(receiver.so_far().len(), 2, "delivered is delivered");
}

#[tokio::test]
async fn decision_that_a_crash_kept_from_being_delivered_is_delivered_after_the_restart() {
    crash_before_delivery(refusal(), Leaves::Running).await;
}

#[tokio::test]
async fn decision_that_ended_its_step_is_delivered_after_a_crash_too() {
    let whole = json!({"decision": "refuse", "policy": "pii", "reason": "all of it"});
    crash_before_delivery(whole, Leaves::Ended).await;
}
