//! Requests that don't become a WebSocket get an answer at once.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Error;

use super::Socket;
use crate::harness::{Answer, Client, Incoming, TestApp, assert_problem, eventually, open_plan, within};

/// Sends a `GET` with exactly these fields.
async fn send(client: Client, path: &str, fields: &[&str]) -> Answer {
    let mut stream = client.connect().await;
    let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: t\r\n{fields}\r\n").as_bytes()).await.unwrap();
    let answer = async { Incoming::read_head(stream).await.unwrap().whole().await.unwrap() };
    within(format!("an answer to {fields}"), answer).await
}

const UPGRADE: &str = "upgrade: websocket";
const CONNECTION: &str = "connection: upgrade";
const VERSION: &str = "sec-websocket-version: 13";
const KEY: &str = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";

#[tokio::test]
async fn half_an_upgrade_is_a_problem_and_no_wait() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let path = planner.events("p");
    let halves: [(&[&str], u16); 8] = [
        (&[UPGRADE, CONNECTION, KEY], 426),
        (&[UPGRADE, CONNECTION, KEY, "sec-websocket-version: 12"], 426),
        (&[UPGRADE, CONNECTION, KEY, "sec-websocket-version: x"], 426),
        (&[UPGRADE, CONNECTION, VERSION], 422),
        (&[UPGRADE, CONNECTION, VERSION, "sec-websocket-key: c2hvcnQ="], 422),
        (&[UPGRADE, CONNECTION, VERSION, "sec-websocket-key: not Base64 at all!!!!"], 422),
        (&[UPGRADE, VERSION, KEY], 422),
        (&["upgrade: WebSocket", "connection: close", VERSION, KEY], 422),
    ];
    for (fields, status) in halves {
        let answer = send(app.client(), &path, fields).await;
        assert_problem(&answer, status, "invalid_event");
        assert_eq!(answer.header("sec-websocket-version"), Some("13"), "{fields:?}");
        let upgrade = (status == 426).then_some("websocket");
        assert_eq!(answer.header("upgrade"), upgrade, "{fields:?}");
    }
    assert_eq!(app.gauge("readers").await, 0);
}

#[tokio::test]
async fn upgrade_to_http2_is_ignored() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let fields =
        ["connection: upgrade, http2-settings", "upgrade: h2c", "http2-settings: AAMAAABkAAQAoAAAAAIAAAAA"];
    let answer = send(app.client(), &planner.events("p"), &fields).await;
    assert_eq!(answer.expect(200)["tail"], 1, "a page, as without it");
    let mut stream =
        planner.get("/events").header("upgrade", "h2c").header("connection", "upgrade").sse().await;
    stream.open().await;
}

/// The status and the code of an answer that refused a WebSocket.
async fn refused(client: Client, path: &str) -> (u16, String) {
    match within("an answer", Socket::ask(client, path, &[], None)).await {
        Err(Error::Http(answer)) => {
            let body: serde_json::Value =
                serde_json::from_slice(answer.body().as_deref().unwrap_or_default()).unwrap_or_default();
            assert_eq!(answer.headers()["content-type"], "application/problem+json");
            assert_eq!(answer.headers().contains_key("retry-after"), answer.status() == 503);
            (answer.status().as_u16(), body["code"].as_str().unwrap_or_default().to_owned())
        }
        Err(error) => panic!("{path}: {error}"),
        Ok(_) => panic!("{path} was opened"),
    }
}

#[tokio::test]
async fn where_there_is_no_seat_the_upgrade_is_refused_with_503() {
    let app = TestApp::new().env("LIMITS__READERS", 2).env("LIMITS__READERS_PER_SESSION", 2).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut seated = Vec::new();
    for _ in 0..2 {
        let mut socket = Socket::open(app.client(), planner.events("p")).await;
        socket.opened().await;
        seated.push(socket);
    }
    assert_eq!(refused(app.client(), &planner.events("p")).await, (503, "over_capacity".to_owned()));
    seated.pop();
    app.settled("readers", 1).await;
    Socket::open(app.client(), planner.events("p")).await.opened().await;
    seated[0].expect("planner_stream").await;
}

#[tokio::test]
async fn sockets_hold_their_connection_and_beyond_the_bound_there_is_an_answer() {
    let app = TestApp::new().env("SERVER__CONNECTIONS_MAX", 2).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut held = Vec::new();
    while held.len() < 2 {
        let ask = || async { Socket::ask(app.client(), &planner.events("p"), &[], None).await.ok() };
        held.push(eventually("a connection to be let in", ask).await);
    }
    for _ in 0..5 {
        assert_eq!(refused(app.client(), &planner.events("p")).await, (503, "over_capacity".to_owned()));
        assert_problem(&app.get("/readyz").send().await, 503, "over_capacity");
    }
    held.pop();
    let room = || async { (app.get("/readyz").send().await.status == 200).then_some(()) };
    eventually("room for a connection", room).await;
}

#[tokio::test]
async fn wrong_queries_are_problems_before_anything_is_upgraded() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    for query in ["last_event_id=nonsense", "after=sideways", "batch=9", "type=nothing"] {
        let (status, code) = refused(app.client(), &format!("{}?{query}", planner.events("p"))).await;
        assert!(matches!(status, 400 | 422) && !code.is_empty(), "{query}: {status} {code}");
    }
}

#[tokio::test]
async fn who_breaks_the_protocol_is_told_so_by_the_close() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    // Masked with zeros, but for the first.
    for (frame, code) in [
        (&[0x81, 0x01, b'x'][..], 1002),
        (&[0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFE], 1007),
        (&[0x83, 0x80, 0, 0, 0, 0], 1002),
        (&[0xC1, 0x80, 0, 0, 0, 0], 1002),
        (&[0x80, 0x80, 0, 0, 0, 0], 1002),
    ] {
        let mut stream = app.client().connect().await;
        let fields = [UPGRADE, CONNECTION, VERSION, KEY].join("\r\n");
        let asked = format!("GET {} HTTP/1.1\r\nhost: t\r\n{fields}\r\n\r\n", planner.events("p"));
        stream.write_all(asked.as_bytes()).await.unwrap();
        let mut heard = Vec::new();
        let until = |heard: &[u8], what: &[u8]| heard.windows(what.len()).any(|seen| seen == what);
        while !until(&heard, b"planner_stream") {
            assert_ne!(within("the first frames", stream.read_buf(&mut heard)).await.unwrap(), 0);
        }
        stream.write_all(frame).await.unwrap();
        let close = [&[0x88][..], &u16::to_be_bytes(code)].concat();
        // The length stands between.
        let closes =
            |heard: &[u8]| heard.windows(4).any(|seen| seen[0] == close[0] && seen[2..] == close[1..]);
        while !closes(&heard) {
            assert_ne!(within("a close", stream.read_buf(&mut heard)).await.unwrap(), 0, "{frame:x?}");
        }
    }
}
