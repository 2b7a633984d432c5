//! Other people's readers on the real program: curl, Chromium, Python's httpx-sse and three of npm.
//!
//! Each reads a step over a line that is cut twice: within a frame while it catches up, and with a reset while it
//! follows, after which it finds nobody for a while and misses events. It must see each event once, in order, and the
//! end, and then stop by itself. `scripts/test` installs what they need.
//!
//! Then how else the stream can be had: as a WebSocket, over HTTP/2 and TLS, and behind proxies.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../harness/certificates.rs"]
mod certificates;
#[path = "../harness/mod.rs"]
mod harness;

mod autobahn;
mod client;
mod cut_line;
mod http2;
mod proxies;
mod service;
mod transcript;
mod websocket;

use std::time::Duration;

use client::Client;
use cut_line::CutLine;
use serde_json::{Value, json};
use service::{Service, Step};
use transcript::Transcript;

/// How long a test waits for what must happen.
const DEADLINE: Duration = Duration::from_secs(45);

#[test]
fn eventsource_of_chromium_resumes_by_itself_and_stops_at_the_end() {
    reads_across_cuts(Client::chromium);
}

#[test]
fn eventsource_of_npm_resumes_by_itself_and_stops_at_the_end() {
    reads_across_cuts(Client::eventsource);
}

#[test]
fn eventsource_client_of_npm_resumes_by_itself_and_stops_at_the_end() {
    reads_across_cuts(Client::eventsource_client);
}

#[test]
fn fetch_event_source_resumes_by_itself_and_is_told_of_the_end() {
    reads_across_cuts(Client::fetch_event_source);
}

#[test]
fn httpx_sse_resumes_with_last_event_id() {
    reads_across_cuts(Client::python);
}

#[test]
fn curl_resumes_with_last_event_id() {
    reads_across_cuts(Client::curl);
}

fn reads_across_cuts(start: impl Fn(&CutLine, &str) -> Client) {
    let service = Service::start();
    let line = CutLine::to(service.address);
    let mut step = service.begin_step();
    let mut transcript = Transcript::default();

    // Catching up: five events a frame, cut within the third, of which nothing counts.
    step.publish(40);
    line.cut_in_frame(3);
    let client = start(&line, Step::EVENTS);
    transcript.hear_sequence(&client.said, tail(&step));
    let opens = transcript.of("open");
    assert_eq!((opens.len(), &opens[1]["from"]), (2, &json!(10)), "{:?}", transcript.names());

    // Following.
    for _ in 0..3 {
        step.publish(2);
        transcript.hear_sequence(&client.said, tail(&step));
    }
    assert_eq!(transcript.of("open").len(), 2, "{:?}", transcript.names());

    // Missing some.
    line.go_down();
    step.publish(7);
    line.go_up();
    transcript.hear_sequence(&client.said, tail(&step));
    step.finish();
    transcript.hear_closed(&client.said);

    transcript.check(&step.events());
    let reasons: Vec<_> = transcript.of("open").iter().map(|open| open["reason"].clone()).collect();
    assert_eq!(reasons, ["new", "ok", "ok"]);
    let [end] = transcript.of("end")[..] else { panic!("one end: {:?}", transcript.names()) };
    assert_eq!(*end, json!({"reason": "plan_step_completed", "sequence": tail(&step)}));
    assert_eq!(line.statuses(), [200, 200, 200, 204]);
    client.ends();
}

fn tail(step: &Step<'_>) -> u64 {
    step.events().len() as u64
}

#[test]
fn curl_replays_what_is_over_and_ends_by_itself() {
    let service = Service::start();
    let mut step = service.begin_step();
    step.publish(20);
    step.finish();
    let url = format!("http://{}{}", service.address, Step::EVENTS);
    let output = client::curl(&["--header", "accept: text/event-stream", &url]);
    assert!(output.status.success(), "{output:?}");
    let mut transcript = Transcript { said: client::events(&output.stdout[..]).collect() };
    assert_eq!(transcript.said.last().unwrap()["event"], "end");
    transcript.check(&step.events());

    // The same as lines of JSON.
    let output = client::curl(&["--header", "accept: application/x-ndjson", &url]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    transcript.said.iter_mut().for_each(|said| said.as_object_mut().unwrap().retain(|_, value| value != ""));
    assert_eq!(lines, transcript.said);
}
