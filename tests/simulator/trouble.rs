//! What goes wrong on purpose: failures, hangs, garbage, cuts, redirects, scripts.

use std::time::{Duration, Instant};

use tributary::simulate::{Ended, Script};

use crate::client::{Open, PATIENCE, ask, call};
use crate::simulator;

/// From a peer's end until the simulator has noticed it, on a machine that has more to do.
const PROMPT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn the_first_calls_of_a_name_fail_and_the_next_ones_do_not() {
    let simulator = simulator().await;
    let path = "/documentation/sse?fail=2&status=429&retry_after=3&name=docs";
    for wanted in [429, 429, 200, 200] {
        let answer = ask(&simulator, path).await;
        assert_eq!(answer.status, wanted);
        assert_eq!(answer.header("retry-after"), (wanted == 429).then_some("3"));
    }
    let other = ask(&simulator, &path.replace("docs", "other")).await;
    assert_eq!(other.status, 429, "another name begins anew");
    for (key, wanted) in [("a", 503), ("b", 503), ("a", 200), ("b", 200)] {
        let key = format!("Idempotency-Key: {key}\r\n");
        let answer = call(&simulator, "POST", "/voice/json?fail=1", &key, "{}").await;
        assert_eq!(answer.status, wanted, "{key}");
    }
    let named = call(&simulator, "POST", "/voice/json?fail=1&name=c", "Idempotency-Key: a\r\n", "{}").await;
    assert_eq!(named.status, 503, "the name goes before the key");
    for wanted in [503, 200] {
        assert_eq!(ask(&simulator, "/generic/json?fail=1").await.status, wanted, "the path is the name");
    }
    simulator.stop().await;
}

#[tokio::test]
async fn statuses_come_with_the_words_of_the_protocol() {
    let simulator = simulator().await;
    for (path, status, words) in [
        ("/generic/json?status=503", 503, r#""code":"simulated_503""#),
        ("/generic/openai?status=429", 429, r#""type":"rate_limit_error""#),
        ("/generic/anthropic?status=529", 529, r#""type":"overloaded_error""#),
        ("/generic/sse?status=422", 422, r#""code":"simulated_422""#),
        ("/generic/json?status=202", 202, r#""input":"why?""#),
        ("/generic/json?status=204", 204, ""),
        ("/generic/json?status=304", 304, ""),
    ] {
        let answer = ask(&simulator, path).await;
        assert_eq!((answer.status, answer.complete), (status, true), "{path}");
        assert!(answer.text().contains(words), "{path}: {}", answer.text());
    }
    simulator.stop().await;
}

#[tokio::test]
async fn a_redirect_names_its_place() {
    let simulator = simulator().await;
    let answer = ask(&simulator, "/generic/json?redirect=http%3A%2F%2F127.0.0.1%3A1%2Fx").await;
    assert_eq!((answer.status, answer.header("location")), (307, Some("http://127.0.0.1:1/x")));
    let answer = ask(&simulator, "/generic/json?redirect=/y&redirect_status=302").await;
    assert_eq!((answer.status, answer.header("location")), (302, Some("/y")));
    simulator.stop().await;
}

#[tokio::test]
async fn a_call_that_hangs_notices_that_its_peer_is_gone() {
    let simulator = simulator().await;
    for (path, comes) in [
        ("/generic/json?hang=head", ""),
        ("/generic/json?latency_ms=3600000", ""),
        ("/generic/json?hang=body", "{"),
        ("/generic/sse?hang=body", "data: {"),
        ("/generic/sse?first_byte_ms=3600000", "\r\n\r\n"),
        ("/generic/openai?chunk_ms=3600000", "assistant"),
        ("/generic/a2a?hang=head&name=long", ""),
    ] {
        simulator.reset();
        let mut open = Open::begin(simulator.addr, "POST", path, "", "{}").await;
        simulator.until(PATIENCE, |calls| calls.in_flight == 1).await.unwrap();
        open.until(comes).await;
        assert!(open.is_silent_for(Duration::from_millis(20)).await || !comes.is_empty(), "{path}");
        let left = Instant::now();
        drop(open);
        let calls = simulator.until(PATIENCE, |calls| calls.in_flight == 0).await.unwrap();
        assert_eq!(calls.calls[0].ended, Some(Ended::PeerGone), "{path}");
        assert!(left.elapsed() < PROMPT, "{path}: {:?}", left.elapsed());
    }
    simulator.stop().await;
}

#[tokio::test]
async fn a_body_that_hangs_stops_in_its_middle() {
    let simulator = simulator().await;
    let mut open = Open::begin(simulator.addr, "POST", "/generic/ndjson?hang=body&chunks=4", "", "{}").await;
    let lines = |text: String| text.matches("\"}\n\r\n").count();
    while lines(open.until("\"}\n\r\n").await) < 2 {
        assert!(!open.is_silent_for(Duration::from_secs(5)).await, "half of it should come");
    }
    assert!(open.is_silent_for(Duration::from_millis(50)).await, "the other half shouldn't");
    let whole = ask(&simulator, "/generic/json").await.body.len();
    let body = r#"{"query": "why?"}"#;
    let mut open = Open::begin(simulator.addr, "POST", "/generic/json?hang=body", "", body).await;
    assert!(open.until("\r\n\r\n{").await.contains(&format!("content-length: {whole}\r\n")));
    simulator.stop().await;
}

#[tokio::test]
async fn garbage_is_what_it_is_called() {
    let simulator = simulator().await;
    let json = ask(&simulator, "/generic/json?garbage=json").await;
    assert_eq!((json.header("content-type"), json.complete), (Some("application/json"), true));
    assert!(serde_json::from_slice::<serde_json::Value>(&json.body).is_err());
    let html = ask(&simulator, "/generic/sse?garbage=html").await;
    assert!(html.header("content-type").unwrap().starts_with("text/html") && html.text().contains("<html>"));
    let binary = ask(&simulator, "/generic/ndjson?garbage=binary&bytes=5000").await;
    assert!(binary.body.len() == 5_000 && std::str::from_utf8(&binary.body).is_err());
    for protocol in ["json", "sse"] {
        let huge = ask(&simulator, &format!("/generic/{protocol}?garbage=huge&bytes=3000000")).await;
        assert!(huge.complete && huge.body.len() > 3_000_000, "{}", huge.body.len());
    }
    assert_eq!(ask(&simulator, "/generic/json?garbage=huge&bytes=9").await.json()["content"], "xxxxxxxxx");
    simulator.stop().await;
}

#[tokio::test]
async fn a_truncated_answer_closes_the_connection_in_the_middle_of_a_chunk() {
    let simulator = simulator().await;
    for protocol in ["json", "ndjson", "sse", "openai", "anthropic"] {
        for query in ["", "&chunk_ms=2", "&chunks=1", "&burst=9"] {
            let whole = ask(&simulator, &format!("/generic/{protocol}?name=whole{query}")).await;
            let cut = ask(&simulator, &format!("/generic/{protocol}?garbage=truncated{query}")).await;
            assert_eq!((cut.status, cut.complete), (200, false), "{protocol} {query}");
            let (cut, whole) = (&cut.body, &whole.body);
            assert!(cut.len() < whole.len() && whole.starts_with(cut), "{protocol} {query}");
            assert!(!cut.ends_with(b"\n"), "{protocol} {query}: not inside a chunk");
        }
    }
    let cut = simulator.calls();
    assert_eq!(cut.of("/generic/sse").map(|call| call.ended).collect::<Vec<_>>(), [Some(Ended::Cut); 4]);
    simulator.stop().await;
}

#[tokio::test]
async fn a_script_tells_each_call_of_a_name_or_a_path() {
    let simulator = simulator().await;
    let script = r#"
        "name=docs" = [{ status = 503, retry_after = 1 }, { garbage = "html" }, {}]
        "/voice/" = [{ status = 401 }]
    "#;
    let put = call(&simulator, "PUT", "/_script", "", script).await;
    assert_eq!(put.status, 204);
    for (path, wanted) in [
        ("/documentation/json?name=docs", (503, "application/json")),
        ("/voice/sse?name=x&status=200", (401, "application/json")),
        ("/voice/json", (401, "application/json")),
        ("/documentation/json?name=docs", (200, "text/html; charset=utf-8")),
        ("/documentation/json?name=docs", (200, "application/json")),
        ("/documentation/json?name=docs&status=418", (418, "application/json")),
        ("/safety/json", (200, "application/json")),
    ] {
        let answer = ask(&simulator, path).await;
        assert_eq!((answer.status, answer.header("content-type").unwrap()), wanted, "{path}");
    }
    let refused = call(&simulator, "PUT", "/_script", "", r#"{"/": [{"sleep": 1}]}"#).await;
    assert!(refused.status == 400 && refused.text().contains("sleep"), "{}", refused.text());
    assert_eq!(ask(&simulator, "/voice/json").await.status, 401, "the script before stays");
    simulator.set_script(Script::default());
    assert_eq!(ask(&simulator, "/voice/json").await.status, 200);
    simulator.stop().await;
}
