//! Where calls may go, and what may be told of their credentials: nothing.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tributary::simulate::Simulator;

use crate::harness::{Answer, Client, Folder, Planner, assert_problem, eventually};
use crate::scene::{Scene, about, calling, ended, simulator, statuses};

/// An agent that answers each request with what `answer` makes of it, and closes the connection.
pub struct PlainAgent {
    pub addr: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl PlainAgent {
    pub async fn start(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let agent = Self { addr: listener.local_addr().unwrap(), asked: Arc::default() };
        let asked = agent.asked.clone();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let request = read_request(&mut socket).await;
                let answer = answer(&request);
                asked.lock().unwrap().push(request);
                let _ = socket.write_all(answer.as_bytes()).await;
            }
        });
        agent
    }

    /// A whole answer.
    pub fn answer(status: &str, media_type: &str, body: &str) -> String {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }

    /// The requests so far, head and body.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// How an output of it is called.
    pub fn called(&self, key: &str, path: &str, protocol: &str) -> Value {
        json!({"key": key, "invoke": {"url": format!("http://{}{path}", self.addr), "protocol": protocol}})
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut request = String::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some((head, body)) = request.split_once("\r\n\r\n") {
            let header = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= header.map_or(0, |length| length.parse().unwrap()) {
                return request;
            }
        }
        match socket.read(&mut buffer).await {
            Ok(0) | Err(_) => return request,
            Ok(read) => request.push_str(std::str::from_utf8(&buffer[..read]).unwrap()),
        }
    }
}

/// Posts a directive with this one output.
pub async fn post(planner: &Planner, output: Value) -> Answer {
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": [output]})).await
}

/// An output that is called at a URL.
pub fn at(url: impl std::fmt::Display) -> Value {
    json!({"key": "documentation", "invoke": {"url": url.to_string(), "protocol": "json"}})
}

/// Runs a step with this one output, which must fail at its first attempt; returns the error.
async fn only_error(planner: &Planner, output: Value) -> Value {
    post(planner, output).await.expect(201);
    let events = ended(planner, "p").await;
    let statuses = statuses(&events, "documentation");
    assert!(!statuses.iter().any(|status| status == "retry" || status == "success"), "{statuses:?}");
    let mut contents = about(&events, "documentation").into_iter();
    let error = contents.find(|content| content["status"] == "error").unwrap()["error"].clone();
    assert_ne!(error["retryable"], true, "{error}");
    error
}

#[tokio::test]
async fn host_that_is_not_allowed_is_refused_when_the_directive_is_posted() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    let port = scene.agents.addr.port();
    let other_port = if port == u16::MAX { port - 1 } else { port + 1 };
    for (url, code) in [
        ("https://agents.example.com/a".to_owned(), "host_not_allowed"),
        (format!("http://127.0.0.1:{other_port}/generic/json"), "host_not_allowed"),
        (format!("http://localhost:{port}/generic/json"), "host_not_allowed"),
        (format!("http://127.0.0.1.example.com:{port}/"), "host_not_allowed"),
        (format!("http://me:pass@127.0.0.1:{port}/generic/json"), "invalid_event"),
        (format!("ftp://127.0.0.1:{port}/generic/json"), "invalid_event"),
        ("/generic/json".to_owned(), "invalid_event"),
    ] {
        let problem = assert_problem(&post(&planner, at(&url)).await, 422, code);
        assert_eq!(problem["errors"][0]["pointer"], "/expected_subagents/0/invoke/url", "{url}");
    }
    assert_problem(&planner.get("/steps/p").send().await, 404, "unknown_step");
    // Another spelling of the allowed address is the same host.
    post(&planner, at(format!("http://127.1:{port}/generic/json"))).await.expect(201);
    assert_eq!(statuses(&ended(&planner, "p").await, "documentation"), ["in_progress", "success"]);
    assert_eq!(scene.agents.calls().total, 1);
}

#[tokio::test]
async fn private_address_is_refused_unless_those_are_allowed() {
    let scene = Scene::with(|setup| setup.env("INVOKE__ALLOW_PRIVATE", false)).await;
    let answer = post(&scene.app.planner("s"), at(scene.agents.url("/generic/json"))).await;
    let problem = assert_problem(&answer, 422, "host_not_allowed");
    assert!(problem["errors"][0]["detail"].as_str().unwrap().contains("private"), "{problem}");
}

#[tokio::test]
async fn name_that_leads_to_a_private_address_is_found_out_at_the_call_and_not_tried_again() {
    for allow_private in [false, true] {
        let agents = simulator().await;
        let host = format!("localhost:{}", agents.addr.port());
        let app = calling(&host).env("INVOKE__ALLOW_PRIVATE", allow_private).start().await;
        let output = at(format!("http://{host}/generic/json"));
        if allow_private {
            let planner = app.planner("s");
            post(&planner, output).await.expect(201);
            assert_eq!(statuses(&ended(&planner, "p").await, "documentation"), ["in_progress", "success"]);
        } else {
            let error = only_error(&app.planner("s"), output).await;
            assert_eq!(error["code"], "host_not_allowed", "{error}");
        }
        assert_eq!(agents.calls().total, u64::from(allow_private));
    }
}

/// A service with a secret that may call both; the first sends to the second.
async fn two_hosts() -> (Scene, Simulator) {
    let (agents, other) = (simulator().await, simulator().await);
    let app =
        calling(format!("{},{}", agents.addr, other.addr)).env("SECRETS__CRM_TOKEN", "Bearer abcdef").start();
    (Scene { app: app.await, agents }, other)
}

fn with_secret(url: String) -> Value {
    let mut output = at(url);
    output["invoke"]["headers"] = json!({"authorization": "secret:crm_token", "x-own": "mine"});
    output
}

#[tokio::test]
async fn redirect_that_repeats_the_call_is_followed_and_credentials_stay_with_their_host() {
    let (scene, other) = two_hosts().await;
    for (session, status, to) in [
        ("same", 307, "/generic/json".to_owned()),
        ("same_308", 308, scene.agents.url("/generic/json")),
        ("other", 307, other.url("/generic/json")),
    ] {
        scene.agents.reset();
        let planner = scene.app.planner(session);
        let path = format!("/documentation/json?redirect={to}&redirect_status={status}");
        post(&planner, with_secret(scene.agents.url(&path))).await.expect(201);
        let events = ended(&planner, "p").await;
        assert_eq!(statuses(&events, "documentation"), ["in_progress", "success"], "{session}");
        let first = scene.agents.calls().calls[0].asked.clone();
        let stays = session != "other";
        let last = if stays { scene.agents.calls() } else { other.calls() }.calls.pop().unwrap().asked;
        assert_eq!((&*first.path, &*last.path), ("/documentation/json", "/generic/json"));
        assert_eq!(
            (&last.body, &last.headers["idempotency-key"]),
            (&first.body, &first.headers["idempotency-key"])
        );
        assert_eq!(first.headers["authorization"], "Bearer abcdef");
        assert_eq!(last.headers.contains_key("authorization"), stays, "{session}");
        assert_eq!(last.headers["x-own"], "mine", "{session}");
    }
}

#[tokio::test]
async fn redirect_elsewhere_or_by_get_fails_and_is_not_tried_again() {
    let (scene, stranger) = (Scene::new().await, simulator().await);
    for (session, status, to) in [
        ("a", 307, stranger.url("/generic/json")),
        ("b", 302, stranger.url("/generic/json")),
        ("c", 302, "/generic/json".to_owned()),
        ("d", 308, "https://agents.example.com/generic/json".to_owned()),
        ("e", 307, "file:///etc/hostname".to_owned()),
        // Round and round.
        ("f", 307, "".to_owned()),
    ] {
        scene.agents.reset();
        let path = format!("/documentation/json?redirect={to}&redirect_status={status}");
        let error = only_error(&scene.app.planner(session), at(scene.agents.url(&path))).await;
        assert_eq!(error["code"], "redirected", "{session}: {error}");
        let calls = scene.agents.calls().total;
        assert_eq!(calls, if session == "f" { 4 } else { 1 }, "{session}: three redirects are followed");
    }
    assert_eq!(stranger.calls().total, 0);
}

#[tokio::test]
async fn credential_is_a_configured_secret_and_never_a_literal() {
    let scene = Scene::with(|setup| setup.env("SECRETS__CRM_TOKEN", "Bearer abcdef")).await;
    let planner = scene.app.planner("s");
    for (name, value) in [
        ("authorization", "Bearer hunter2"),
        ("x-api-key", "hunter2"),
        ("cookie", "session=hunter2"),
        ("x-crm-token", "hunter2"),
        ("x-forwarded-authorization", "Bearer hunter2"),
        ("authorization", "secret:nobody"),
        ("authorization", "Bearer secret:crm_token"),
        // The service's own.
        ("idempotency-key", "secret:crm_token"),
        ("tributary-attempt", "9/9"),
        ("host", "agents.example.com"),
    ] {
        let mut output = at(scene.agents.url("/generic/json"));
        output["invoke"]["headers"] = json!({ name: value });
        let answer = post(&planner, output).await;
        let problem = assert_problem(&answer, 422, "invalid_event");
        let pointer = format!("/expected_subagents/0/invoke/headers/{name}");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{name}: {value}");
        assert!(!answer.text().contains("hunter2"), "{problem}");
    }
    assert_eq!(scene.agents.calls().total, 0);
}

#[tokio::test]
async fn credential_in_a_query_or_a_body_is_refused_too() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    let url = scene.agents.url("/generic/json");
    for (call, place) in [
        (json!({"url": format!("{url}?api_key=hunter2")}), "/url"),
        (json!({"url": format!("{url}?key=hunter2hunter2hunter2")}), "/url"),
        (json!({"url": url, "body": {"auth": {"password": "hunter2"}}}), "/body/auth/password"),
        (json!({"url": url, "body": {"headers": ["bearer hunter2hunter2hunter2"]}}), "/body/headers/0"),
    ] {
        let answer = post(&planner, json!({"key": "crm", "invoke": call})).await;
        let problem = assert_problem(&answer, 422, "invalid_event");
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"], format!("/expected_subagents/0/invoke{place}"), "{problem}");
        assert!(error["detail"].as_str().unwrap().contains("literal credential"), "{problem}");
        assert!(!answer.text().contains("hunter2"), "{problem}");
    }
    assert_eq!(scene.agents.calls().total, 0);
}

#[tokio::test]
async fn compressed_answer_is_a_failure_that_is_not_tried_again() {
    let agent = PlainAgent::start(|_| {
        PlainAgent::answer("200 OK\r\ncontent-encoding: gzip", "application/json", "{}")
    })
    .await;
    let app = calling(agent.addr).start().await;
    let planner = app.planner("s");
    post(&planner, agent.called("crm", "/", "json")).await.expect(201);
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "crm"), ["in_progress", "error"]);
    let failed = about(&events, "crm").into_iter().find(|content| content["status"] == "error").unwrap();
    assert_eq!(failed["error"]["code"], "compressed_answer", "{failed}");
    assert!(failed["error"]["message"].as_str().unwrap().contains("gzip"), "{failed}");
    assert_eq!(agent.asked().len(), 1);
}

#[tokio::test]
async fn credential_that_an_agent_repeats_is_not_stored() {
    let agent = PlainAgent::start(|request| {
        let sent = request.lines().find_map(|line| line.strip_prefix("authorization: ")).unwrap();
        let (_, word) = sent.split_once(' ').unwrap();
        let body = json!({"content": format!("You are {sent}, that is {word}.")}).to_string();
        PlainAgent::answer("200 OK", "application/json", &body)
    });
    let agent = agent.await;
    let app = calling(agent.addr).env("SECRETS__CRM_TOKEN", "Bearer abcdefgh12").start().await;
    let planner = app.planner("s");
    post(&planner, with_secret(format!("http://{}/", agent.addr))).await.expect(201);
    let events = Value::from(ended(&planner, "p").await).to_string();
    assert!(events.contains("You are <secret>, that is <secret>."), "{events}");
    assert!(!events.contains("abcdefgh12"), "{events}");
    assert!(agent.asked()[0].contains("Bearer abcdefgh12"));
}

/// The service with its log in a file.
struct Logging {
    child: Child,
    client: Client,
    folder: Folder,
}

impl Logging {
    async fn start(env: &[(&str, String)]) -> Self {
        let folder = Folder::new();
        let log = std::fs::File::create(folder.0.join("log")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        command.env_clear().envs(env.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value)));
        command.env("TRIBUTARY_ARCHIVE__URL", folder.url()).args(["serve", "--listen", "127.0.0.1:0"]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap();
        let address = eventually("the service to listen", || async {
            let log = std::fs::read_to_string(folder.0.join("log")).unwrap();
            let line: Value =
                log.lines().find_map(|line| serde_json::from_str(line).ok().filter(is_listening))?;
            line["address"].as_str().unwrap().parse().ok()
        });
        let client = Client::new(address.await);
        Self { child, client, folder }
    }

    /// Everything that it wrote: its log, and its archive.
    fn written(mut self) -> Vec<(String, String)> {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let files = std::fs::read_dir(&self.folder.0).unwrap().map(|file| file.unwrap());
        let text = |file: std::fs::DirEntry| {
            String::from_utf8_lossy(&std::fs::read(file.path()).unwrap()).into_owned()
        };
        files.map(|file| (file.file_name().into_string().unwrap(), text(file))).collect()
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_listening(line: &Value) -> bool {
    line["message"] == "listening"
}

#[tokio::test]
async fn secret_arrives_at_its_agent_and_stands_nowhere_else() {
    // What it is sent as, quoted back by an agent that refuses it.
    let agent = PlainAgent::start(|request| {
        let header = request.lines().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or("none");
        match request.split(' ').nth(1) {
            Some("/refused") => {
                let detail = format!("{{\"detail\":\"no such key: {header}\"}}");
                PlainAgent::answer("401 Unauthorized", "application/json", &detail)
            }
            Some("/busy") => {
                PlainAgent::answer("503 Service Unavailable", "text/plain", &format!("busy with {header}"))
            }
            _ => PlainAgent::answer("200 OK", "application/json", r#"{"content": "fine"}"#),
        }
    })
    .await;
    let token = "crm-9f2e77d1c4";
    let env = [
        ("INVOKE__ALLOWED_HOSTS", agent.addr.to_string()),
        ("INVOKE__ALLOW_PRIVATE", "true".to_owned()),
        ("INVOKE__BACKOFF_BASE_MS", "20".to_owned()),
        ("SECRETS__CRM_TOKEN", format!("Bearer {token}")),
        ("LOG__LEVEL", "trace".to_owned()),
    ];
    let service = Logging::start(&env).await;
    let planner = service.client.planner("s");
    let output = |key: &str| {
        let mut output = agent.called(key, &format!("/{key}"), "json");
        output["invoke"]["headers"] = json!({"Authorization": "secret:crm_token"});
        output
    };
    let expected = ["fine", "refused", "busy"].map(output);
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": expected})).await.expect(201);
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "fine"), ["in_progress", "success"]);
    assert_eq!(statuses(&events, "refused"), ["in_progress", "error"]);
    let asked = agent.asked();
    assert_eq!(asked.len(), 5);
    assert!(
        asked.iter().all(|request| request.contains(&format!("authorization: Bearer {token}\r\n"))),
        "{asked:?}"
    );
    let message = about(&events, "refused")[2]["error"]["message"].clone();
    assert!(message.as_str().unwrap().contains("no such key: <secret>"), "{message}");

    let mut told = vec![("events".to_owned(), json!(events).to_string())];
    for path in
        ["", "/events", "/steps/p", "/steps/p/result", "/steps/p/results/refused", "/steps/p/results/fine"]
    {
        told.push((path.to_owned(), planner.get(path).send().await.text().to_owned()));
    }
    let analytics = eventually("the archive to know of all", || async {
        let analytics = service.client.get("/analytics/subagents").send().await.expect(200);
        let ended =
            analytics["subagents"].as_array().unwrap().iter().filter(|figures| figures["outputs"] == 1);
        (ended.count() == 3).then(|| analytics.to_string())
    });
    told.push(("analytics".to_owned(), analytics.await));
    for path in ["/readyz", "/healthz", "/shadow/discrepancies"] {
        told.push((path.to_owned(), service.client.get(path).send().await.text().to_owned()));
    }
    told.extend(service.written());
    let found = |text: &str| -> Vec<&str> {
        told.iter().filter(|(_, said)| said.contains(text)).map(|(name, _)| &**name).collect()
    };
    assert_eq!(found(token), [""; 0], "the secret");
    assert_eq!(found("\"level\":\"TRACE\""), ["log"], "everything that can be logged is");
    let archived = found("secret:crm_token");
    assert!(
        archived.iter().any(|name| name.starts_with("archive.db")),
        "the archive can be read: {archived:?}"
    );
}

#[tokio::test]
async fn answer_that_is_too_long_fails_and_is_not_tried_again() {
    let scene = Scene::with(|setup| setup.env("INVOKE__ANSWER_BYTES", 1_024)).await;
    for (session, path, stream) in [
        ("endless", "/documentation/json?garbage=huge&bytes=1000000", true),
        ("with_its_length", "/documentation/openai?text_bytes=2000", false),
        ("written", "/documentation/openai?text_bytes=2000", true),
        ("events", "/documentation/sse?chunks=40", true),
        ("lines", "/row_selection/ndjson?chunks=40", true),
    ] {
        scene.agents.reset();
        let mut output = scene.called("documentation", path);
        if !stream {
            output["invoke"]["body"]["stream"] = json!(false);
        }
        let error = only_error(&scene.app.planner(session), output).await;
        assert_eq!(error["code"], "answer_too_large", "{session}: {error}");
        assert_eq!(scene.agents.calls().total, 1, "{session}");
    }
    let planner = scene.plan(&[scene.called("documentation", "/generic/json")]).await;
    assert_eq!(statuses(&ended(&planner, "p").await, "documentation"), ["in_progress", "success"]);
}
