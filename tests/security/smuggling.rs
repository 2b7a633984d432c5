//! Requests that two readers may read in different ways: a proxy sees one, the service two. Each gets one answer, and the
//! connection is closed: what follows is never taken for a request.

use super::{said_to, statuses};
use crate::harness::TestApp;

/// The request inside: a second answer would be its.
const INNER: &str = "GET /planner/sessions/smuggled HTTP/1.1\r\nhost: t\r\n\r\n";

/// Head fields and body of the request outside, and the status of its answer.
const PROBES: &[(&str, &str, &str)] = &[
    ("a length, then chunks", "content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", "4"),
    ("chunks, then a length", "transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n0\r\n\r\n", "4"),
    ("two hosts", "host: u\r\n\r\n", "400"),
    ("two lengths", "content-length: 0\r\ncontent-length: 52\r\n\r\n", "400"),
    ("a list of lengths", "content-length: 0, 52\r\n\r\n", "400"),
    ("a negative length", "content-length: -1\r\n\r\n", "400"),
    ("a signed length", "content-length: +0\r\n\r\n", "400"),
    ("a length in hex", "content-length: 0x0\r\n\r\n", "400"),
    ("a length beyond 64 bits", "content-length: 18446744073709551616\r\n\r\n", "400"),
    ("an unknown coding", "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n", "400"),
    ("chunks inside of another coding", "transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n", "400"),
    ("chunks around another coding", "transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "400"),
    (
        "another coding in a field of its own",
        "transfer-encoding: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "400",
    ),
    ("chunks twice", "transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n", "400"),
    (
        "chunks in two fields",
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "400",
    ),
    ("a vertical tab", "transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n", "400"),
    ("a space before the colon", "transfer-encoding : chunked\r\n\r\n0\r\n\r\n", "400"),
    ("a folded field", "x-a: b\r\n content-length: 52\r\n\r\n", "400"),
    ("a bare CR", "x-a: b\rcontent-length: 52\r\n\r\n", "400"),
    ("a NUL", "x-a: b\0\r\n\r\n", "400"),
    ("a name with a NUL", "x\0-a: b\r\n\r\n", "400"),
    ("a chunk beyond 64 bits", "transfer-encoding: chunked\r\n\r\n10000000000000000\r\n", "4"),
    ("a negative chunk", "transfer-encoding: chunked\r\n\r\n-1\r\n", "4"),
    ("a chunk in C's hex", "transfer-encoding: chunked\r\n\r\n0x0\r\n\r\n", "4"),
    ("an extension with a bare LF", "transfer-encoding: chunked\r\n\r\n1;a\nX\r\n0\r\n\r\n", "4"),
    ("a chunk that is longer than it says", "transfer-encoding: chunked\r\n\r\n1\r\nXX0\r\n\r\n", "4"),
];

#[tokio::test]
async fn what_can_be_read_in_two_ways_is_answered_once_and_closed() {
    // So an idle connection would stay open longer than the test waits: only a refusal closes it.
    let app = TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", 600_000).start().await;
    // One that reads the body, one that doesn't, and the one that goes past the router.
    for path in ["/planner/sessions/s/close", "/nowhere", "/planner/sessions/s/steps/p/subagents/a/events"] {
        for (name, rest, status) in PROBES {
            let outer =
                format!("POST {path} HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\n{rest}{INNER}");
            let said = said_to(app.client(), outer.as_bytes()).await;
            let answers = statuses(&said);
            assert!(answers.len() == 1 && answers[0].starts_with(status), "{name}, {path}: {said}");
        }
    }
}

#[tokio::test]
async fn request_without_a_host_is_refused_but_for_the_version_that_knows_none() {
    let app = TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", 600_000).start().await;
    for (request, status) in [
        ("GET /healthz HTTP/1.1\r\n\r\n", "400"),
        (
            "POST /planner/sessions/s/steps/p/subagents/a/events HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}",
            "400",
        ),
        ("GET /healthz HTTP/1.0\r\n\r\n", "200"),
    ] {
        let said = said_to(app.client(), request.as_bytes()).await;
        assert!(said.starts_with("HTTP/1.") && said[9..].starts_with(status), "{request}: {said}");
        assert_eq!(said.contains("application/problem+json"), status == "400", "{request}: {said}");
    }
}

#[tokio::test]
async fn older_versions_and_ends_of_streams_carry_no_second_request() {
    let app = TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", 600_000).start().await;
    let length = INNER.len();
    for (name, request, status) in [
        (
            "chunks in HTTP/1.0",
            format!("POST /x HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{INNER}"),
            "400",
        ),
        ("HTTP/1.0 without keep-alive", format!("GET /healthz HTTP/1.0\r\n\r\n{INNER}"), "200"),
        ("a version that isn't", format!("GET /healthz HTTP/1.2\r\nhost: t\r\n\r\n{INNER}"), "400"),
        ("HTTP/0.9", format!("GET /healthz\r\n\r\n{INNER}"), "400"),
        (
            "a request as the body of a GET",
            format!(
                "GET /healthz HTTP/1.1\r\nhost: t\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{INNER}"
            ),
            "200",
        ),
        (
            "an address of elsewhere",
            "GET http://elsewhere.example/healthz HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n"
                .to_owned(),
            "200",
        ),
    ] {
        let said = said_to(app.client(), request.as_bytes()).await;
        // hyper answers a version that it doesn't speak in the older one.
        let said = said.replace("HTTP/1.0 ", "HTTP/1.1 ");
        assert_eq!(statuses(&said), [status], "{name}: {said}");
    }
}

#[tokio::test]
async fn nothing_of_a_path_becomes_a_field_or_a_file() {
    let app = TestApp::new().start().await;
    for path in [
        "/planner/sessions/a%0d%0aset-cookie:%20x=1/steps",
        "/planner/sessions/s/steps/p%0D%0A%0D%0Ahello",
        "/bridges/langgraph/threads/a%0d%0aset-cookie:%20x=1/runs/stream",
        "/console/..%2f..%2f..%2fetc/passwd",
        "/console/../../../../etc/passwd",
        "/docs/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/docs/..%5c..%5cCargo.toml",
        "/schemas/../Cargo.toml",
        "/schemas/..%2f..%2fCargo.toml",
        "//etc/passwd",
    ] {
        for method in ["GET", "POST"] {
            let answer = app.request(method, path).json(&serde_json::json!({})).send().await;
            assert!((300..500).contains(&answer.status), "{method} {path}: {}", answer.status);
            assert!(answer.header("set-cookie").is_none(), "{method} {path}: {:?}", answer.headers);
            assert!(
                !answer.text().contains("root:") && !answer.text().contains("[package]"),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn heads_have_a_bound_in_every_direction() {
    let app = TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", 600_000).start().await;
    for (name, head, status) in [
        ("a long address", format!("GET /{} HTTP/1.1\r\nhost: t\r\n\r\n", "x".repeat(70_000)), "414"),
        ("many fields", format!("GET /healthz HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(101)), "431"),
        ("a long field", format!("GET /healthz HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(20_000)), "431"),
        ("a long name", format!("GET /healthz HTTP/1.1\r\n{}: x\r\n\r\n", "x".repeat(20_000)), "431"),
    ] {
        let said = said_to(app.client(), head.as_bytes()).await;
        let answers = statuses(&said);
        let refused = answers == [status] || answers == ["431"];
        assert!(refused, "{name}: {said}");
    }
    assert_eq!(app.get("/healthz").send().await.status, 200);
}

#[tokio::test]
async fn answer_before_the_body_was_read_says_that_the_connection_closes() {
    let app = TestApp::new().env("SERVER__HEADER_READ_TIMEOUT_MS", 600_000).start().await;
    // One that the router doesn't know, one that goes past it and isn't read, and one whose body is read and refused.
    for (path, media, closes) in [
        ("/nowhere", "application/json", true),
        ("/planner/sessions/s/steps/p/subagents/a/events", "text/html", true),
        ("/planner/sessions/s/steps/p/subagents/a/events", "application/json", false),
    ] {
        let head =
            format!("POST {path} HTTP/1.1\r\nhost: t\r\ncontent-type: {media}\r\ncontent-length: 2\r\n\r\n");
        let next = if closes { "" } else { "GET /healthz HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n" };
        let said = said_to(app.client(), format!("{head}{{}}{next}").as_bytes()).await;
        let answers = statuses(&said);
        assert_eq!(answers.len(), if closes { 1 } else { 2 }, "{path}: {said}");
        let first = said.split("HTTP/1.1 ").nth(1).unwrap().to_lowercase();
        assert_eq!(first.contains("connection: close"), closes, "{path}: {said}");
    }
}
