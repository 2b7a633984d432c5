//! TLS: a certificate and its key, what is agreed on, and what is told where they are wrong.

use std::path::Path;
use std::process::{Command, Stdio};

use futures::StreamExt;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use super::Http2;
use super::client::handshake;
use crate::certificates::Certificates;
use crate::harness::{eventually, within};
use crate::service::Service;

const EVENTS: &str = "/planner/sessions/s/steps/p/events";
const SUBAGENT: &str = "/planner/sessions/s/steps/p/subagents/a/events";

struct Encrypted {
    service: Service,
    certificates: Certificates,
}

impl Encrypted {
    fn start() -> Self {
        Self::patient(Path::new("10000"))
    }

    /// One that waits so many milliseconds for what begins a connection.
    fn patient(milliseconds: &Path) -> Self {
        let certificates = Certificates::new();
        let (certificate, key) = (certificates.file("server.pem"), certificates.file("server.key"));
        let service = Service::with(&[
            ("TRIBUTARY_SERVER__TLS_CERTIFICATE_FILE", &certificate),
            ("TRIBUTARY_SERVER__TLS_KEY_FILE", &key),
            ("TRIBUTARY_SERVER__HEADER_READ_TIMEOUT_MS", milliseconds),
        ]);
        Self { service, certificates }
    }

    async fn http2(&self) -> Http2 {
        Http2::encrypted(self.service.address, &self.certificates.file("ca.pem")).await
    }
}

async fn begin(connection: &Http2) {
    let directive = json!({"plan_step_id": "p", "expected_subagents": [{"key": "a"}], "deadline_ms": 60_000});
    assert_eq!(connection.post("/planner/sessions/s/steps", &directive).await.status, 201);
}

fn success(content: &str) -> serde_json::Value {
    json!({"status": "success", "payload": {"content": content, "sources": []}})
}

#[tokio::test]
async fn handshake_agrees_on_http2_and_streams_share_the_connection() {
    let encrypted = Encrypted::start();
    let connection = encrypted.http2().await;
    begin(&connection).await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(connection.events(EVENTS).await);
    }
    let event = json!({"status": "partial", "payload": {"content": "found it."}});
    assert_eq!(connection.post(SUBAGENT, &event).await.status, 200);
    for stream in &mut streams {
        stream.until("found it.").await;
    }
    connection.post(SUBAGENT, &success(&"x".repeat(500_000))).await;
    for stream in streams {
        assert!(stream.rest().await.contains("event: end\n"));
    }
}

#[tokio::test]
async fn http1_over_tls_streams_as_well_and_each_event_at_once() {
    let encrypted = Encrypted::start();
    let connection = encrypted.http2().await;
    begin(&connection).await;
    let authority = encrypted.certificates.file("ca.pem");
    for protocols in [&["http/1.1"][..], &[]] {
        let mut stream =
            within("TLS", handshake(encrypted.service.address, &authority, protocols)).await.unwrap();
        let request = format!("GET {EVENTS} HTTP/1.1\r\nhost: t\r\naccept: text/event-stream\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut seen = String::new();
        for number in 1..=5 {
            let text = format!("{} of {protocols:?}.", number).replace('"', "");
            let event = json!({"status": "partial", "payload": {"content": text}});
            assert_eq!(connection.post(SUBAGENT, &event).await.status, 200);
            read_until(&mut stream, &mut seen, &text).await;
        }
        assert!(seen.starts_with("HTTP/1.1 200 OK\r\n"), "{seen}");
    }
    // A large event, and the end: all that was encrypted is sent.
    let mut stream = within("TLS", handshake(encrypted.service.address, &authority, &[])).await.unwrap();
    let request = format!("GET {EVENTS} HTTP/1.1\r\nhost: t\r\naccept: text/event-stream\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut seen = String::new();
    read_until(&mut stream, &mut seen, "event: open").await;
    connection.post(SUBAGENT, &success(&"x".repeat(700_000))).await;
    let mut rest = String::new();
    within("the end", stream.read_to_string(&mut rest)).await.unwrap();
    assert!(rest.contains(&"x".repeat(10_000)) && rest.ends_with("\r\n0\r\n\r\n"), "{} bytes", rest.len());
}

async fn read_until(stream: &mut (impl AsyncReadExt + Unpin), seen: &mut String, wanted: &str) {
    while !seen.contains(wanted) {
        let mut room = [0; 8_192];
        let n = within(wanted, stream.read(&mut room)).await.unwrap();
        assert!(n > 0, "it ended before `{wanted}`: {seen}");
        seen.push_str(&String::from_utf8_lossy(&room[..n]));
    }
}

#[tokio::test]
async fn websocket_over_tls_has_the_events_and_its_close() {
    let encrypted = Encrypted::start();
    let connection = encrypted.http2().await;
    begin(&connection).await;
    connection.post(SUBAGENT, &success("done")).await;
    let authority = encrypted.certificates.file("ca.pem");
    let stream =
        within("TLS", handshake(encrypted.service.address, &authority, &["http/1.1"])).await.unwrap();
    let opening = tokio_tungstenite::client_async(format!("wss://127.0.0.1{EVENTS}"), stream);
    let (mut socket, _) = within("a WebSocket", opening).await.unwrap();
    let mut said = Vec::new();
    while let Some(Ok(message)) = within("a message", socket.next()).await {
        said.push(message);
    }
    let [.., end, Message::Close(Some(close))] = &said[..] else { panic!("no close: {said:?}") };
    assert!(end.to_text().unwrap().starts_with("{\"event\":\"end\""), "{end:?}");
    assert_eq!(u16::from(close.code), 1000);
}

#[tokio::test]
async fn plain_http_on_a_port_with_tls_is_told_so_at_once() {
    let encrypted = Encrypted::start();
    for request in ["GET /healthz HTTP/1.1\r\nhost: t\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let mut stream = TcpStream::connect(encrypted.service.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let _ = within("the end", stream.read_to_end(&mut answer)).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.starts_with("HTTP/1.1 400 Bad Request\r\n") && answer.contains("https://"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn handshake_that_does_not_come_is_not_waited_for() {
    let encrypted = Encrypted::patient(Path::new("400"));
    for said in [&b""[..], b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"] {
        let mut stream = TcpStream::connect(encrypted.service.address).await.unwrap();
        stream.write_all(said).await.unwrap();
        let mut rest = Vec::new();
        let _ = within(format!("the end after {said:?}"), stream.read_to_end(&mut rest)).await;
    }
    // Nor is a preface of HTTP/2, or a request after it.
    let authority = encrypted.certificates.file("ca.pem");
    for said in [&b""[..], b"PRI * HTTP", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"] {
        // On a busy machine the time may be over before it is said.
        let Ok(mut stream) = handshake(encrypted.service.address, &authority, &["h2"]).await else {
            continue;
        };
        let _ = stream.write_all(said).await;
        let _ = within(format!("the end after {said:?}"), stream.read_to_end(&mut Vec::new())).await;
    }
}

/// What the program says before it ends with a failure.
async fn refusal(command: &str, certificate: &Path, key: &Path) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tributary"));
    program.args([command, "--listen", "127.0.0.1:0"]).stdin(Stdio::null());
    program
        .env("TRIBUTARY_SERVER__TLS_CERTIFICATE_FILE", certificate)
        .env("TRIBUTARY_SERVER__TLS_KEY_FILE", key);
    let mut child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ended = || std::future::ready(child.try_wait().unwrap());
    let status = eventually(format!("`{command}` to end"), ended).await;
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert!(status.code().is_some_and(|code| code != 0), "{command}: {status}: {said}");
    said
}

#[tokio::test]
async fn wrong_files_are_named_at_the_start_and_by_check() {
    let (certificates, others) = (Certificates::new(), Certificates::new());
    let (certificate, key) = (certificates.file("server.pem"), certificates.file("server.key"));
    let empty = certificates.file("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let garbage = certificates.file("garbage.pem");
    std::fs::write(&garbage, "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n").unwrap();
    let missing = certificates.file("missing.pem");
    let other = others.file("server.key");
    let none = Path::new("");
    let cases: [(&Path, &Path, &str, &Path); 8] = [
        (&missing, &key, "server.tls_certificate_file", &missing),
        (&empty, &key, "server.tls_certificate_file", &empty),
        (&garbage, &key, "server.tls_certificate_file", &garbage),
        (&certificate, &missing, "server.tls_key_file", &missing),
        (&certificate, &certificate, "server.tls_key_file", &certificate),
        (&certificate, &other, "belong together", &other),
        (&certificate, none, "server.tls_key_file", none),
        (none, &key, "server.tls_certificate_file", none),
    ];
    for (certificate, key, named, file) in cases {
        for command in ["check", "serve"] {
            let said = refusal(command, certificate, key).await;
            assert!(said.contains(named) && said.contains(file.to_str().unwrap()), "{command}: {said}");
        }
    }
}
