//! The first bytes of a connection, which say what is spoken.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Incoming, TestApp, open_plan, within};

/// How HTTP/2 begins (RFC 9113, 3.4), and settings that change nothing.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// The type of a frame of settings.
const SETTINGS: u8 = 4;

/// Sends one byte after the other, so slowly that each arrives alone.
async fn drip(stream: &mut TcpStream, bytes: &[u8]) {
    let mut clock = tokio::time::interval(Duration::from_millis(3));
    for byte in bytes {
        clock.tick().await;
        stream.write_all(&[*byte]).await.unwrap();
    }
}

#[tokio::test]
async fn greeting_may_come_byte_by_byte() {
    let app = TestApp::new().start().await;
    let mut stream = app.connect().await;
    drip(&mut stream, PREFACE).await;
    let mut head = [0; 9];
    within("the service's settings", stream.read_exact(&mut head)).await.unwrap();
    assert_eq!(head[3], SETTINGS, "{head:?}");

    // Requests that begin as the preface does.
    for method in ["POST", "PUT", "PRIM"] {
        let mut stream = app.connect().await;
        let request = format!(
            "{method} /healthz HTTP/1.1\r\nhost: t\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
        );
        drip(&mut stream, request.as_bytes()).await;
        let answer = within("an answer", Incoming::read_head(stream)).await.unwrap();
        assert_eq!(answer.status, 405, "{method}");
    }
}

#[tokio::test]
async fn who_says_nothing_or_not_enough_is_let_go() {
    let app = TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", 200).start().await;
    for said in ["", "P", "PRI", "PRI * HTTP/2.0\r\n", "GET", "GET / HTTP/1.1\r\nhost: t\r\n"] {
        let mut stream = app.connect().await;
        stream.write_all(said.as_bytes()).await.unwrap();
        // A reset ends it as well.
        let _ = within(format!("the end after `{said}`"), stream.read_to_end(&mut Vec::new())).await;
    }
    let mut stream = app.connect().await;
    stream.write_all(PREFACE).await.unwrap();
    let _ = within("the end without a request", stream.read_to_end(&mut Vec::new())).await;
}

#[tokio::test]
async fn tls_on_a_port_without_it_fails_at_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut stream = app.connect().await;
    // The beginning of a ClientHello (RFC 8446, 5.1).
    stream.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").await.unwrap();
    let mut answer = Vec::new();
    let _ = within("the end", stream.read_to_end(&mut answer)).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{answer}");
    assert_eq!(planner.page("/events").await["tail"], 1);
}
