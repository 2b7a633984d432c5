//! What ordinary subagents answer, how it is paced, and in which pieces it comes.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{Open, ask, call};
use crate::simulator;

const A2A: &str = r#"{"jsonrpc": "2.0", "id": 7, "method": "SendStreamingMessage",
    "params": {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": "why?"}]}}}"#;

#[tokio::test]
async fn every_kind_answers_in_every_protocol() {
    let simulator = simulator().await;
    for (protocol, media) in [
        ("json", "application/json"),
        ("ndjson", "application/x-ndjson"),
        ("sse", "text/event-stream"),
        ("openai", "text/event-stream"),
        ("anthropic", "text/event-stream"),
        ("a2a", "text/event-stream"),
    ] {
        for kind in ["documentation", "row_selection", "action_workflow", "voice", "safety", "generic"] {
            let path = format!("/{kind}/{protocol}");
            let answer = match protocol {
                "a2a" => call(&simulator, "POST", &path, "A2A-Version: 1.0\r\n", A2A).await,
                _ => ask(&simulator, &path).await,
            };
            let whole = (answer.status, answer.header("content-type"), answer.complete);
            assert_eq!(whole, (200, Some(media), true), "{path}");
            assert!(answer.text().len() > 50, "{path}: {}", answer.text());
        }
    }
    simulator.stop().await;
}

#[tokio::test]
async fn agents_of_each_kind_give_what_such_agents_give() {
    let simulator = simulator().await;
    for (path, pointer, wanted) in [
        ("/documentation/json", "/sources/1/link", None),
        ("/row_selection/json", "/columns/0", Some("id")),
        ("/action_workflow/json", "/tool_calls/0/type", Some("function")),
        ("/voice/json", "/channel/alternatives/0/transcript", None),
        ("/safety/json", "/label", Some("safe")),
        ("/safety/json?decision=refuse", "/label", Some("unsafe")),
        ("/safety/json?decision=escalate", "/label", Some("flag_for_review")),
        ("/safety/json?subagent=crm", "/subagent", Some("crm")),
        ("/generic/json", "/input", Some("why?")),
    ] {
        let answer = ask(&simulator, path).await.json();
        let found = answer.pointer(pointer).and_then(Value::as_str);
        assert!(found.is_some() && (wanted.is_none() || found == wanted), "{path}: {answer}");
    }
    simulator.stop().await;
}

#[tokio::test]
async fn the_same_call_has_the_same_bytes_and_another_seed_others() {
    let simulator = simulator().await;
    let first = ask(&simulator, "/row_selection/sse?seed=1").await.body;
    assert_eq!(first, ask(&simulator, "/row_selection/sse?seed=1&name=again").await.body);
    assert_ne!(first, ask(&simulator, "/row_selection/sse?seed=2").await.body);
    simulator.stop().await;
}

#[tokio::test]
async fn waits_come_where_they_are_asked_for() {
    let simulator = simulator().await;
    for (query, least_ms) in [
        ("latency_ms=60", 60),
        ("first_byte_ms=60", 60),
        ("chunks=4&chunk_ms=20", 60),
        ("chunks=4&chunk_ms=20&latency_ms=30&first_byte_ms=30", 120),
    ] {
        let begun = Instant::now();
        assert!(ask(&simulator, &format!("/generic/ndjson?{query}")).await.complete);
        assert!(begun.elapsed() >= Duration::from_millis(least_ms), "{query}: {:?}", begun.elapsed());
    }
    simulator.stop().await;
}

#[tokio::test]
async fn a_burst_comes_at_once_and_the_rest_is_paced() {
    let simulator = simulator().await;
    let path = "/generic/ndjson?burst=50&chunks=51&chunk_ms=3600000";
    let mut open = Open::begin(simulator.addr, "POST", path, "", "{}").await;
    open.until("\r\n\r\n").await;
    let lines = |text: String| text.matches("\"}\n\r\n").count();
    while lines(open.until("\"}\n\r\n").await) < 50 {
        assert!(!open.is_silent_for(Duration::from_secs(5)).await, "the burst stops");
    }
    assert_eq!(lines(open.until("").await), 50);
    assert!(open.is_silent_for(Duration::from_millis(50)).await, "the rest should wait an hour");
    simulator.stop().await;
}

#[tokio::test]
async fn a_document_comes_in_as_many_chunks_as_asked_for() {
    let simulator = simulator().await;
    let one = ask(&simulator, "/documentation/json").await;
    assert_eq!(one.header("content-length"), Some(one.body.len().to_string().as_str()));
    let many = ask(&simulator, "/documentation/json?chunks=7&chunk_ms=1").await;
    assert_eq!((many.header("transfer-encoding"), many.json()), (Some("chunked"), one.json()));
    simulator.stop().await;
}

#[tokio::test]
async fn a_model_writes_a_text_of_that_length_and_a_document_where_it_is_asked_for_one() {
    let simulator = simulator().await;
    let text = ask(&simulator, "/generic/openai?text_bytes=100000&usage=123").await;
    let deltas = text.text().lines().filter_map(|line| line.strip_prefix("data: {"));
    let deltas = deltas.filter_map(|rest| {
        let event: Value = serde_json::from_str(&format!("{{{rest}")).unwrap();
        Some(event.pointer("/choices/0/delta/content")?.as_str()?.len())
    });
    assert_eq!(deltas.sum::<usize>(), 100_000);
    assert!(text.text().contains(r#""completion_tokens":123"#));
    let body = r#"{"stream": false, "messages": [{"role": "user", "content": "why?"}]}"#;
    let document = call(&simulator, "POST", "/generic/openai?text_bytes=77", "", body).await;
    assert_eq!(document.header("content-type"), Some("application/json"));
    let content = document.json().pointer("/choices/0/message/content").unwrap().as_str().unwrap().len();
    assert_eq!(content, 77);
    simulator.stop().await;
}

#[tokio::test]
async fn explicit_events_end_as_they_are_told() {
    let simulator = simulator().await;
    let failed = ask(&simulator, "/generic/json?status_event=error&retryable=false").await.json();
    assert_eq!((&failed["status"], &failed["error"]["retryable"]), (&"error".into(), &false.into()));
    let done = ask(&simulator, "/generic/json?status_event=success").await.json();
    assert_eq!((&done["status"], &done["payload"]["input"]), (&"success".into(), &"why?".into()));
    let open = ask(&simulator, "/generic/ndjson?status_event=partial&chunks=3").await;
    assert_eq!(open.text().matches(r#""status":"partial""#).count(), 3);
    simulator.stop().await;
}
