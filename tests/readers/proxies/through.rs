//! What readers and senders see through each of the proxies.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

use super::Proxy;
use crate::harness::{Client, Coverage, Planner, TestApp, assert_problem, open_plan};
use crate::websocket::{Said, Socket};

/// What the proxies wait for a word from the service: more than a machine stands still.
const PROXY_TIMEOUT: Duration = Duration::from_secs(6);

async fn start() -> (TestApp, Vec<Proxy>) {
    in_front_of(TestApp::new().start().await, "75s").await
}

/// The proxies in front of `app`, all their timeouts set to `timeout`.
async fn in_front_of(app: TestApp, timeout: &str) -> (TestApp, Vec<Proxy>) {
    let proxies = vec![
        Proxy::nginx(&app, timeout).await,
        Proxy::haproxy(&app, timeout).await,
        Proxy::haproxy_over_http2(&app, timeout).await,
    ];
    (app, proxies)
}

#[tokio::test]
async fn idle_streams_outlive_the_proxy_s_timeout() {
    let app = TestApp::new().env("STREAMING__HEARTBEAT_MS", 600).start().await;
    let (app, proxies) = in_front_of(app, &format!("{}s", PROXY_TIMEOUT.as_secs())).await;
    open_plan(app.client(), "s", &["a"]).await;
    let mut watching = tokio::task::JoinSet::new();
    for proxy in &proxies {
        let (client, name) = (proxy.client, proxy.name);
        watching.spawn(async move {
            let mut stream = client.sse("/planner/sessions/s/events").await;
            let begin = Instant::now();
            while begin.elapsed() < PROXY_TIMEOUT * 3 / 2 {
                assert!(stream.next().await.is_some(), "{name} has cut an event stream");
            }
        });
        watching.spawn(async move {
            let mut socket = Socket::open(client, "/planner/sessions/s/events").await;
            let begin = Instant::now();
            while begin.elapsed() < PROXY_TIMEOUT * 3 / 2 {
                let said = socket.hear().await;
                assert!(matches!(said, Said::Line(_) | Said::Ping), "{name} has cut a WebSocket: {said:?}");
            }
        });
    }
    watching.join_all().await;
}

/// Each of these is published when the one before has come.
async fn events_come_one_by_one(planner: Planner, client: Client, accept_encoding: &str) {
    planner.start("p", &["a"]).await;
    let request = client.get(planner.events("p")).header("accept-encoding", accept_encoding);
    let mut stream = request.sse().await;
    let (_, mut coverage) = stream.open().await;
    stream.cover(&mut coverage, 1).await;
    // Smaller and larger than a proxy's buffers.
    for (revision, bytes) in (1..).zip([1, 100, 1_400, 4_000, 5_000, 9_000, 20_000, 1]) {
        planner.subagent("p", "a").say("partial", revision, &"x".repeat(bytes)).await;
        stream.cover(&mut coverage, 1 + revision).await;
    }
    planner.subagent("p", "a").succeed().await;
    let tail = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    stream.cover(&mut coverage, tail).await;
    stream.expect("end").await;
    coverage.assert_whole(tail);
}

#[tokio::test]
async fn nothing_is_buffered_whatever_compression_a_reader_asks_for() {
    let (app, proxies) = start().await;
    let direct = [("direct", app.client())];
    let paths: Vec<_> = proxies.iter().map(|proxy| (proxy.name, proxy.client)).chain(direct).collect();
    let mut reading = tokio::task::JoinSet::new();
    for (number, encoding) in ["gzip", "br", "zstd", "gzip, deflate, br, zstd"].into_iter().enumerate() {
        for (name, client) in &paths {
            let planner = app.client().planner(&format!("{name}-{number}"));
            reading.spawn(events_come_one_by_one(planner, *client, encoding));
        }
    }
    reading.join_all().await;
}

/// Over HTTP/1.0 nginx collects an answer until a buffer is full: that is what `X-Accel-Buffering: no` is for.
#[tokio::test]
async fn our_header_keeps_nginx_from_collecting_a_stream() {
    let app = TestApp::new().start().await;
    let heeds = Proxy::nginx_over_http1_0(&app, "").await;
    let ignores = Proxy::nginx_over_http1_0(&app, "proxy_ignore_headers X-Accel-Buffering;").await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let events = planner.events("p");
    let mut held = tokio::spawn({
        let (client, events) = (ignores.client, events.clone());
        async move {
            let mut stream = client.sse(events).await;
            stream.open().await;
        }
    });
    let mut stream = heeds.client.sse(events).await;
    let (_, mut coverage) = stream.open().await;
    stream.cover(&mut coverage, 1).await;
    let waited = tokio::time::timeout(Duration::from_secs(1), &mut held).await;
    assert!(waited.is_err(), "nginx passed what it collects without the header");
    planner.subagent("p", "a").succeed().await;
    held.await.expect("all of it comes with the stream's end");
}

#[tokio::test]
async fn reader_comes_back_with_its_cursor_and_is_stopped_by_204() {
    let (app, proxies) = start().await;
    for proxy in &proxies {
        let planner = open_plan(app.client(), proxy.name, &["a"]).await;
        let mut stream = proxy.client.sse(planner.events("p")).await;
        let (_, mut coverage) = stream.open().await;
        stream.cover(&mut coverage, 1).await;
        let cursor = stream.last_id.clone().unwrap();
        drop(stream);
        planner.subagent("p", "a").succeed().await;
        let mut stream = proxy.client.get(planner.events("p")).header("last-event-id", &cursor).sse().await;
        coverage.resume(&stream.expect("open").await.json());
        let tail = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
        stream.cover(&mut coverage, tail).await;
        stream.expect("end").await;
        coverage.assert_whole(tail);
        let request = proxy.client.get(planner.events("p")).header("last-event-id", stream.last_id.unwrap());
        let answer = request.header("accept", "text/event-stream").send().await;
        assert_eq!((answer.status, answer.body.len()), (204, 0), "{}", proxy.name);
    }
}

#[tokio::test]
async fn websockets_pass_with_events_pings_and_close() {
    let (app, proxies) = start().await;
    for proxy in &proxies {
        let planner = open_plan(app.client(), proxy.name, &["a"]).await;
        let mut socket = Socket::open(proxy.client, planner.events("p")).await;
        let mut coverage = Coverage::after(&socket.opened().await);
        socket.say(Message::Ping("there?".into())).await.unwrap();
        while !matches!(socket.hear().await, Said::Pong(bytes) if bytes == b"there?") {}
        drop(socket);
        let mut socket = Socket::open(proxy.client, planner.events("p")).await;
        socket.opened().await;
        socket.cover(&mut coverage, 1).await;
        for revision in 1..=5 {
            planner.subagent("p", "a").say("partial", revision, "x").await;
            socket.cover(&mut coverage, 1 + revision).await;
        }
        planner.subagent("p", "a").succeed().await;
        let (events, code) = socket.rest().await;
        assert_eq!((events.last().unwrap().name.as_str(), code), ("end", 1000), "{}", proxy.name);
    }
}

/// What a browser sends for a page of `origin`: the host with its port, which isn't the usual one. Gives the answer.
async fn posted_by_a_page(proxy: &Proxy, path: &str, origin: &str) -> String {
    let body = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}]}).to_string();
    let (host, bytes) = (proxy.client.address, body.len());
    let mut socket = proxy.client.connect().await;
    let head = format!("POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n");
    let rest = format!("content-type: application/json\r\ncontent-length: {bytes}\r\n\r\n{body}");
    socket.write_all((head + &rest).as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn our_own_page_may_call_and_another_may_not() {
    let (_app, proxies) = start().await;
    for proxy in &proxies {
        let path = proxy.client.planner(proxy.name).path("/steps");
        let own = posted_by_a_page(proxy, &path, &format!("http://{}", proxy.client.address)).await;
        assert!(own.starts_with("HTTP/1.1 201"), "{}: {own}", proxy.name);
        let other = posted_by_a_page(proxy, &path, "http://127.0.0.1:1").await;
        assert!(other.starts_with("HTTP/1.1 403"), "{}: {other}", proxy.name);
    }
}

/// What the page tells to write is what is tested here.
#[test]
fn page_has_the_configuration_that_is_tested() {
    let page = include_str!("../../../docs/proxies.md");
    let block =
        |language: &str| page.split_once(&format!("```{language}\n")).unwrap().1.split_once("```").unwrap().0;
    for (language, tested) in
        [("nginx", include_str!("nginx.conf.in")), ("haproxy", include_str!("haproxy.cfg.in"))]
    {
        let listens = if language == "nginx" { "80" } else { ":80" };
        let filled =
            [("@timeout@", "75s"), ("@service@", "127.0.0.1:8080"), ("@options@", ""), ("@listen@", listens)];
        let tested = filled.iter().fold(tested.to_owned(), |text, (name, value)| text.replace(name, value));
        let lines: Vec<&str> = tested.lines().map(str::trim).collect();
        for line in block(language).lines().map(str::trim) {
            assert!(lines.contains(&line), "{language}: {line}");
        }
    }
}

#[tokio::test]
async fn problems_and_uploads_pass_as_they_are() {
    let (app, proxies) = start().await;
    for proxy in &proxies {
        let planner = open_plan(app.client(), proxy.name, &["a"]).await;
        let through = proxy.client.planner(proxy.name);
        assert_problem(&proxy.client.get("/nowhere").send().await, 404, "not_found");
        let direct = planner.post(&json!({"plan_step_id": 7})).await;
        let passed = through.post(&json!({"plan_step_id": 7})).await;
        assert!((400..500).contains(&passed.status));
        assert_eq!((passed.status, passed.text()), (direct.status, direct.text()), "{}", proxy.name);

        // What a subagent sends is published while it sends it.
        let mut stream = proxy.client.sse(planner.events("p")).await;
        let (_, mut coverage) = stream.open().await;
        stream.cover(&mut coverage, 1).await;
        let mut upload = through.subagent("p", "a").upload("application/x-ndjson").await;
        for revision in 1..=5 {
            let event: Value =
                json!({"status": "partial", "revision": revision, "payload": {"content": "x"}});
            upload.send(&format!("{event}\n")).await;
            stream.cover(&mut coverage, 1 + revision).await;
        }
        assert_eq!(upload.finish().await.status, 200, "{}", proxy.name);
    }
}
