//! Answers of called subagents that are made to harm: packed, without an end, or nested without one. Each fails its own
//! output, costs a bounded amount of memory, and others are served.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::{Value, json};

use super::attacker::{Attack, attack, attacker, calling, chunk, ok};
use crate::harness::{Planner, eventually};

/// What an answer may have, and what all of them together may cost.
const ANSWER_BYTES: usize = 256 << 10;
const GROWTH_BYTES: u64 = 32 << 20;
/// 64 MiB of blanks by Brotli, which nothing here can make.
const BROTLI: &[u8] = b"\xcf\xff\xff\x7f\xf8\x25\x40\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\xf0\x4b\x00\xc4\x61\x01\x80\
    \xee\xfd\x3f\xff\xff\xff\xe1\x97\x00\x88\xc3\x22\x00\xdd\xfb\xff\xfc\xff\xff\xc7\x2f\x01\x10\x87\x05\x00\xba\xf7\xff";

/// Calls the attackers one after the other, each in a step of its own. A good answer comes first: what the first of all
/// results costs, tables of tokens and words, isn't what an attack costs.
async fn suffer(mut attacks: Vec<Attack>, deadline_ms: u64) {
    let good = ok("connection: close\r\ncontent-length: 27\r\n") + "{\"content\":\"it is so [1]\"}\r\n";
    attacks.insert(0, attack("a good answer", "json", good, "", &["success"]));
    let attacks = Arc::new(attacks);
    let address = attacker(attacks.clone()).await;
    // What the session keeps of thousands of partial results has a bound of its own.
    let setup = calling(address).env("INVOKE__ANSWER_BYTES", ANSWER_BYTES).env("CACHE__RING_ENTRIES", 1_000);
    let app = setup.env("BREAKER__MINIMUM_CALLS", 1_000_000).start().await;
    let planner = app.planner("s");
    let mut before = u64::MAX;
    for (number, attack) in attacks.iter().enumerate() {
        let mut invoke = json!({"url": format!("http://{address}/{number}"), "protocol": attack.protocol});
        if matches!(attack.protocol, "openai" | "anthropic") {
            let messages = json!([{"role": "user", "content": "q"}]);
            invoke["body"] = json!({"model": "m", "stream": true, "max_tokens": 100, "messages": messages});
        }
        let expected = json!([{"key": "a", "max_attempts": 1, "invoke": invoke}]);
        let step = format!("p{number}");
        let deadline_ms = if number == 0 { 60_000 } else { deadline_ms };
        let directive = json!({"plan_step_id": step, "query": "q", "deadline_ms": deadline_ms,
            "more_steps": true, "expected_subagents": expected});
        planner.post(&directive).await.expect(201);
        let code = failure(&planner, &step).await;
        assert!(attack.codes.contains(&code.as_str()), "{}: {code}", attack.name);
        let grown = app.rss_bytes().saturating_sub(before);
        assert!(grown < 3 * GROWTH_BYTES, "{grown} bytes more after {}", attack.name);
        assert_eq!(app.get("/healthz").send().await.status, 200, "{}", attack.name);
        before = before.min(app.rss_bytes());
    }
}

/// How the output of a step failed: the code of its error, or its status.
async fn failure(planner: &Planner, step: &str) -> String {
    let page = eventually(format!("the end of {step}"), || async {
        let page = planner.page(&format!("/steps/{step}/events?limit=5000")).await;
        (page["closed"] == true).then_some(page)
    });
    let page = page.await;
    let events = page["events"].as_array().unwrap();
    let last = events.iter().rfind(|event| event["type"] == "planner_stream");
    let content: &Value = &last.unwrap_or_else(|| panic!("no end in {page}"))["content"];
    let code = content["error"]["code"].as_str().or(content["status"].as_str());
    code.unwrap_or_else(|| panic!("{content}")).to_owned()
}

#[tokio::test]
async fn packed_answers_are_never_unpacked() {
    let blanks = vec![b' '; 48 << 20];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&blanks).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut deflate = ZlibEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(&blanks).unwrap();
    let deflate = deflate.finish().unwrap();
    let mut attacks = Vec::new();
    for (coding, packed) in [("gzip", &*gzip), ("deflate", &*deflate), ("br", BROTLI), ("gzip, gzip", &*gzip)]
    {
        for (protocol, media_type) in [
            ("json", "application/json"),
            ("ndjson", "application/x-ndjson"),
            ("sse", "text/event-stream"),
            ("openai", "text/event-stream"),
        ] {
            let framing = format!("content-type: {media_type}\r\ncontent-length: {}\r\n", packed.len());
            let told = ok(&format!("{framing}content-encoding: {coding}\r\n"));
            let name = format!("{coding} as {protocol}");
            attacks.push(attack(
                &name,
                protocol,
                [told.as_bytes(), packed].concat(),
                "",
                &["compressed_answer"],
            ));
            if coding != "gzip" {
                continue;
            }
            // Nothing says that it is packed: then it is what it looks like.
            let untold = [ok(&framing).as_bytes(), packed].concat();
            let codes = &["malformed_answer", "empty_answer", "ended_early", "truncated_answer"];
            attacks.push(attack(format!("{name}, untold"), protocol, untold, "", codes));
        }
        let transfer = ok(&format!("transfer-encoding: {coding}, chunked\r\n"));
        attacks.push(attack(coding, "json", transfer, chunk("  "), &["broken_answer", "answer_too_large"]));
    }
    suffer(attacks, 60_000).await;
}

#[tokio::test]
async fn answers_without_an_end_end_at_a_bound() {
    const LARGE: &[&str] = &["answer_too_large"];
    let chunked = ok("transfer-encoding: chunked\r\n");
    let to_the_end = ok("");
    let event = |data: Value| chunk(&format!("data: {data}\n\n"));
    let delta = event(json!({"choices": [{"index": 0, "delta": {"content": "x".repeat(100)}}]}));
    let block =
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "xxxx"}});
    let nested =
        |open: &str| format!("{}{}", ok("content-length: 250000\r\n"), open.repeat(250_000 / open.len()));
    suffer(
        vec![
            attack("an array", "json", format!("{chunked}{}", chunk("[0")), chunk(",1"), LARGE),
            attack("a text", "json", format!("{to_the_end}\""), "x", LARGE),
            attack("blanks", "json", &*to_the_end, " ", LARGE),
            attack("a large length", "json", ok("content-length: 999999999999\r\n"), " ", LARGE),
            attack("a line", "ndjson", &*to_the_end, "x", LARGE),
            attack("empty lines", "ndjson", &*to_the_end, "\n", LARGE),
            attack("lines", "ndjson", &*chunked, chunk("{\"status\":\"partial\",\"payload\":1}\n"), LARGE),
            attack("short lines", "ndjson", &*to_the_end, "1\n", LARGE),
            attack("short data", "sse", &*to_the_end, "data:1\n\n", LARGE),
            attack("data", "sse", format!("{to_the_end}data: "), "x", LARGE),
            attack("lines of data", "sse", &*to_the_end, "data: x\n", LARGE),
            attack("comments", "sse", &*to_the_end, ": x\n", LARGE),
            attack("deltas", "openai", &*chunked, delta, LARGE),
            attack("blocks", "anthropic", &*chunked, event(block), &["answer_too_large", "malformed_answer"]),
            attack("a JSON-RPC answer", "a2a", format!("{to_the_end}{{\"jsonrpc\": \""), "x", LARGE),
            attack("arrays in arrays", "json", nested("["), "", &["malformed_answer"]),
            attack("objects in objects", "json", nested("{\"a\":"), "", &["malformed_answer"]),
            attack("arrays on a line", "ndjson", nested("["), "", &["malformed_answer"]),
        ],
        60_000,
    )
    .await;
}

#[tokio::test]
async fn heads_without_an_end_end_at_a_bound() {
    let broken: &'static [&'static str] = &["broken_answer"];
    let chunked = ok("transfer-encoding: chunked\r\n");
    let redirect = "HTTP/1.1 307 On\r\nlocation: /8\r\ncontent-length: 0\r\n\r\n";
    let refusal = "HTTP/1.1 400 No\r\ntransfer-encoding: chunked\r\n\r\n";
    suffer(
        vec![
            attack("fields", "json", "HTTP/1.1 200 OK\r\n", "x-a: b\r\n", broken),
            attack("a field", "json", "HTTP/1.1 200 OK\r\nx-a: ", "b", broken),
            attack("a name", "json", "HTTP/1.1 200 OK\r\n", "x", broken),
            attack("a reason", "json", "HTTP/1.1 200 ", "OK", broken),
            attack("a version", "json", "HTTP/", "1", broken),
            attack("an extension", "json", format!("{chunked}1;"), "x=y;", broken),
            attack("trailers", "json", format!("{chunked}0\r\n"), "t: u\r\n", broken),
            attack("redirects", "json", redirect, "", &["redirected"]),
            attack("a refusal", "json", refusal, chunk("no"), &["status_400"]),
        ],
        60_000,
    )
    .await;
}

#[tokio::test]
async fn answers_that_never_begin_end_with_the_deadline() {
    let late: &'static [&'static str] = &["timeout", "timed_out", "broken_answer"];
    let begun = Instant::now();
    suffer(
        vec![
            attack("going on", "json", "", "HTTP/1.1 100 Continue\r\n\r\n", late),
            attack("hints", "json", "", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", late),
            attack("empty lines", "json", "", "\r\n", late),
            attack("a size", "json", ok("transfer-encoding: chunked\r\n"), "0", late),
        ],
        300,
    )
    .await;
    assert!(begun.elapsed() < Duration::from_secs(60));
}
