//! Requests that meet the end: bodies on their way are answered with what was stored, new ones are told to come again.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Answer, Folder, Incoming, TestApp, assert_problem, eventually, open_plan, within};

/// Half a head: the service has the connection and must answer whatever comes.
async fn begun(app: &TestApp, head: &str) -> TcpStream {
    let mut socket = app.connect().await;
    let (first, _) = head.split_at(head.len() / 2);
    socket.write_all(first.as_bytes()).await.unwrap();
    socket
}

async fn complete(mut socket: TcpStream, head: &str) -> Answer {
    let (_, rest) = head.split_at(head.len() / 2);
    socket.write_all(rest.as_bytes()).await.unwrap();
    within("the answer", async { Incoming::read_head(socket).await.unwrap().whole().await.unwrap() }).await
}

#[tokio::test]
async fn requests_that_come_while_it_stops_are_told_so() {
    let folder = Folder::new();
    let setup = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 20_000).env("ARCHIVE__URL", folder.url());
    let mut app = setup.start().await;
    assert_eq!(app.get("/readyz").send().await.json()["dependencies"]["archive"]["ready"], true);
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let body = json!({"status": "partial"}).to_string();
    let post = format!(
        "POST {} HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        planner.subagent("p", "a").path,
        body.len()
    );
    let get =
        |path: &str, accept: &str| format!("GET {path} HTTP/1.1\r\nhost: t\r\naccept: {accept}\r\n\r\n");
    let ready = get("/readyz", "*/*");
    let sse = get(&planner.events("p"), "text/event-stream");
    let lines = get(&planner.events("p"), "application/x-ndjson");
    let page = get(&planner.events("p"), "application/json");
    let mut reader = app.sse(planner.events("p")).await;
    reader.open().await;
    let mut sockets = Vec::new();
    for head in [&post, &ready, &lines, &page, &sse] {
        sockets.push(begun(&app, head).await);
    }
    // A request behind them has been answered, so the service has taken their connections.
    app.gauge("readers").await;
    app.signal("TERM");
    // Readers are the last who are told, so everyone else knows by now.
    reader.until("drain").await;
    let mut sockets = sockets.into_iter();
    let mut next = async |head: &str| complete(sockets.next().unwrap(), head).await;
    assert_problem(&next(&post).await, 503, "draining");
    let answer = next(&ready).await;
    assert_eq!((answer.status, answer.json()["ready"].as_bool()), (503, Some(false)));
    assert_eq!(answer.json()["dependencies"]["service"]["reason"], "draining");
    assert!(answer.json()["dependencies"].get("archive").is_none(), "its end is no fault: {}", answer.text());
    assert_problem(&next(&lines).await, 503, "draining");
    let page = next(&page).await.expect(200);
    assert_eq!(page["tail"], 1, "what is stored can be read to the end");
    let refused = next(&sse).await;
    assert_eq!((refused.status, refused.header("content-type")), (200, Some("text/event-stream")));
    let told = refused.text().contains("retry: ") && refused.text().contains("\"code\":\"draining\"");
    assert!(told, "{}", refused.text());
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn new_connections_are_answered_while_readers_leave() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 8_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    // Who doesn't read can't be sent away, so the service waits for it until the window is over.
    let mut stalled = app.get(planner.events("p")).receive_buffer(2_048).sse().await;
    stalled.open().await;
    for revision in 1..=40 {
        planner.subagent("p", "a").say("partial", revision, &"x".repeat(16_384)).await;
    }
    app.signal("TERM");
    let unready = eventually("the service to be unready", || async {
        Some(app.get("/readyz").send().await).filter(|answer| answer.status == 503)
    });
    let unready = unready.await;
    assert_eq!(unready.json()["dependencies"]["service"]["reason"], "draining");
    assert!(unready.header("retry-after").is_some());
    let event = planner.subagent("p", "a").post(&json!({"status": "success"})).await;
    assert_problem(&event, 503, "draining");
    assert!(event.header("retry-after").is_some());
    let directive = json!({"plan_step_id": "q", "expected_subagents": [{"key": "a"}]});
    assert_problem(&planner.post(&directive).await, 503, "draining");
    let mut reader = app.sse(planner.events("p")).await;
    assert_eq!(reader.expect("error").await.json()["code"], "draining");
    assert_eq!(planner.get("/events").send().await.status, 200, "what is stored can be read");
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn streaming_body_is_answered_with_what_was_stored() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 30_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(planner.events("p")).await;
    let (_, mut coverage) = reader.open().await;
    let mut upload = planner.subagent("p", "a").upload("application/x-ndjson").await;
    upload
        .send("{\"status\":\"partial\",\"revision\":1}\n{\"status\":\"partial\",\"revision\":2}\n{\"sta")
        .await;
    reader.cover(&mut coverage, 4).await;
    app.signal("TERM");
    let begin = Instant::now();
    let problem = assert_problem(&upload.answer().await, 503, "draining");
    assert!(begin.elapsed() < Duration::from_secs(10), "a body is answered at once, not at the window's end");
    assert_eq!((&problem["accepted"], problem["results"].as_array().unwrap().len()), (&json!(2), 2));
    assert_eq!(problem["results"][1], json!({"verdict": "accepted", "sequence": 4}));
    let last = reader.rest().await;
    assert_eq!(last.last().unwrap().name, "drain");
    assert!(app.exited().await.success());
}

#[tokio::test]
async fn bodies_that_stop_and_callers_who_do_not_go_hold_nothing_up() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 20_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n{{\"status\":",
        planner.subagent("p", "a").path
    );
    let mut stopped = app.connect().await;
    stopped.write_all(head.as_bytes()).await.unwrap();
    // HTTP/2: preface, settings, a request for `/healthz`. It reads nothing, and so answers no ping.
    let mut idle = app.connect().await;
    idle.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.unwrap();
    idle.write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0]).await.unwrap();
    let mut block = vec![0x82, 0x86, 0x04, 8];
    block.extend(b"/healthz");
    block.extend([0x01, 1, b't']);
    idle.write_all(&[0, 0, block.len() as u8, 1, 5, 0, 0, 0, 1]).await.unwrap();
    idle.write_all(&block).await.unwrap();
    // Its answer has come.
    let mut first = [0; 1];
    idle.read_exact(&mut first).await.unwrap();
    app.gauge("readers").await;
    app.signal("TERM");
    let begin = Instant::now();
    let answer = async { Incoming::read_head(stopped).await.unwrap().whole().await.unwrap() };
    assert_problem(&within("the answer", answer).await, 503, "draining");
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    assert!(app.exited().await.success());
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_while_it_stopped_was_seen_by_its_readers() {
    let mut app = TestApp::new().env("SERVER__DRAIN_WINDOW_MS", 20_000).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut reader = app.sse(format!("{}?coalesce=never", planner.events("p"))).await;
    let (_, mut coverage) = reader.open().await;
    let mut senders = Vec::new();
    for sender in 0..4 {
        let mut upload = planner.subagent("p", "a").upload("application/x-ndjson").await;
        senders.push(tokio::spawn(async move {
            // Until the service closes the connection, or has more than it needs.
            let mut count = 0;
            let mut line = || {
                count += 1;
                format!("{{\"status\":\"partial\",\"payload\":\"{sender} {count}\"}}\n")
            };
            while upload.offer(&line()).await && !line().contains(" 4000\"") {
                tokio::task::yield_now().await;
            }
            upload.maybe_answer().await
        }));
    }
    reader.cover(&mut coverage, 50).await;
    app.signal("TERM");
    let mut stored = 0;
    for sender in senders {
        // A request whose head wasn't read yet is closed without an answer. Had anything of it been stored, the count
        // below would tell.
        let Some(answer) = sender.await.unwrap() else { continue };
        // Where nothing of a body was decided, the refusal has no counts.
        stored += assert_problem(&answer, 503, "draining")["accepted"].as_u64().unwrap_or(0);
    }
    for event in reader.rest().await.iter().filter(|event| event.name == "planner_stream") {
        coverage.take(event);
    }
    coverage.assert_whole(2 + stored);
    assert!(app.exited().await.success());
}
