//! How each peer spells a step.

use std::net::SocketAddr;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::peers::durable_streams::put;
use crate::server::post;
use crate::step::dialect::{Coming, Dialect, Position, get, read_with_id, scan};
use crate::step::sse::SseEvent;

/// Tributary: a directive, three subagents, the step's own end.
pub struct Tributary(pub SocketAddr);

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow)]
    events: Vec<FrameEvent<'a>>,
}

#[derive(Deserialize)]
struct FrameEvent<'a> {
    r#type: &'a str,
    #[serde(borrow)]
    content: &'a RawValue,
}

impl Dialect for Tributary {
    fn create(&self, step: usize) -> Option<Vec<u8>> {
        let expected = [0, 1, 2].map(|agent| format!(r#"{{"key":"agent-{agent}","result_key":"r{agent}"}}"#));
        let directive = format!(
            r#"{{"plan_step_id":"p","expected_subagents":[{}],"deadline_ms":600000}}"#,
            expected.join(",")
        );
        Some(post(self.0, &format!("/planner/sessions/step-{step}/steps"), "application/json", &directive))
    }

    /// The last event is the agent's result, and the third result ends the step.
    fn publish(&self, step: usize, agent: usize, body: &str, is_last: bool) -> Option<Vec<u8>> {
        let path = format!("/planner/sessions/step-{step}/steps/p/subagents/agent-{agent}/events");
        let body = if is_last { &body.replacen("partial", "success", 1) } else { body };
        Some(post(self.0, &path, "application/json", body))
    }

    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let id = position.id.as_deref().filter(|_| coming == Coming::Again);
        get(self.0, &format!("/planner/sessions/step-{step}/steps/p/events?after=start&coalesce=never"), id)
    }

    /// The aggregation quotes the results: only what the agents said is counted.
    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        if event.name == "planner_stream"
            && let Ok(frame) = serde_json::from_str::<Frame<'_>>(&event.data)
        {
            let said = frame.events.iter().filter(|event| event.r#type == "planner_stream");
            said.for_each(|event| scan(event.content.get(), revisions));
        }
        if event.id.is_some() {
            position.id.clone_from(&event.id);
        }
        true
    }
}

/// nchan: one channel that all three agents publish to.
pub struct Nchan(pub SocketAddr);

impl Dialect for Nchan {
    /// A channel exists from its first message or reader on.
    fn create(&self, _step: usize) -> Option<Vec<u8>> {
        None
    }

    fn publish(&self, step: usize, _agent: usize, body: &str, _is_last: bool) -> Option<Vec<u8>> {
        Some(post(self.0, &format!("/publish/step-{step}"), "application/json", body))
    }

    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let id = position.id.as_deref().filter(|_| coming == Coming::Again);
        get(self.0, &format!("/oldest/step-{step}"), id)
    }

    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        read_with_id(event, position, revisions)
    }
}

/// Durable Streams: one stream of JSON that all three agents append to. Its `control` events say where a reader is.
pub struct DurableStreams(pub SocketAddr);

#[derive(Deserialize)]
struct Control {
    #[serde(rename = "streamNextOffset")]
    next: String,
}

impl Dialect for DurableStreams {
    fn create(&self, step: usize) -> Option<Vec<u8>> {
        Some(put(self.0, &format!("/step-{step}")))
    }

    fn publish(&self, step: usize, _agent: usize, body: &str, _is_last: bool) -> Option<Vec<u8>> {
        Some(post(self.0, &format!("/step-{step}"), "application/json", body))
    }

    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let offset = position.id.as_deref().filter(|_| coming == Coming::Again).unwrap_or("-1");
        get(self.0, &format!("/step-{step}?offset={offset}&live=sse"), None)
    }

    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        if event.name != "control" {
            scan(&event.data, revisions);
            return false;
        }
        let control = serde_json::from_str::<Control>(&event.data).ok();
        let is_control = control.is_some();
        position.id = control.map(|control| control.next).or(position.id.take());
        is_control
    }
}

/// A server around resumable-stream: it joins the agents itself, and a reader goes on at a character.
pub struct ResumableStream(pub SocketAddr);

impl Dialect for ResumableStream {
    fn create(&self, step: usize) -> Option<Vec<u8>> {
        Some(post(self.0, &format!("/streams/step-{step}?agents=3"), "text/plain", ""))
    }

    fn publish(&self, step: usize, _agent: usize, body: &str, is_last: bool) -> Option<Vec<u8>> {
        let last = if is_last { "?last" } else { "" };
        Some(post(self.0, &format!("/streams/step-{step}/events{last}"), "application/json", body))
    }

    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let query = match coming {
            Coming::First => String::new(),
            Coming::Late | Coming::After => "?resumeAt=0".to_owned(),
            Coming::Again => format!("?resumeAt={}", position.characters),
        };
        get(self.0, &format!("/streams/step-{step}{query}"), None)
    }

    fn read(&self, event: &SseEvent, _position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        scan(&event.data, revisions);
        true
    }

    fn counts_characters(&self) -> bool {
        true
    }
}

/// LangGraph's server: a thread and a resumable run of a graph whose three nodes are the agents.
pub struct LangGraph {
    pub address: SocketAddr,
    pub tokens: usize,
}

#[derive(Deserialize)]
struct Metadata {
    run_id: String,
}

/// Threads are named by UUIDs.
fn thread(step: usize) -> String {
    format!("00000000-0000-4000-8000-{step:012x}")
}

impl Dialect for LangGraph {
    fn create(&self, step: usize) -> Option<Vec<u8>> {
        let body = format!(r#"{{"thread_id":"{}"}}"#, thread(step));
        Some(post(self.address, "/threads", "application/json", &body))
    }

    fn publish(&self, _step: usize, _agent: usize, _body: &str, _is_last: bool) -> Option<Vec<u8>> {
        None
    }

    /// The first reader's request starts the run.
    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let (thread, tokens) = (thread(step), self.tokens);
        if coming == Coming::First {
            let run = format!(
                r#"{{"assistant_id":"step","input":{{"partials":{tokens}}},"stream_mode":["custom"],"stream_resumable":true}}"#
            );
            return post(self.address, &format!("/threads/{thread}/runs/stream"), "application/json", &run);
        }
        let id = position.id.as_deref().filter(|_| coming == Coming::Again).unwrap_or("-1");
        let run = position.run.as_deref().unwrap_or_default();
        get(self.address, &format!("/threads/{thread}/runs/{run}/stream"), Some(id))
    }

    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        if event.name == "metadata"
            && let Ok(metadata) = serde_json::from_str::<Metadata>(&event.data)
        {
            position.run = Some(metadata.run_id);
        }
        read_with_id(event, position, revisions)
    }
}
