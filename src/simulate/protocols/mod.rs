//! How an output travels: each protocol makes the pieces of a body out of what a subagent gives. Pure.

mod a2a;
mod anthropic;
mod chat;
mod openai;
mod plain;
mod refusal;
mod rubbish;

use serde_json::Value;

use super::agents::Agent;
use super::behaviour::Behaviour;
use super::frames::Frames;
use plain::Framing;
pub use refusal::refusal;
pub use rubbish::rubbish;

#[cfg(test)]
mod tests;

/// Media types.
const JSON: &str = "application/json";
const NDJSON: &str = "application/x-ndjson";
const EVENT_STREAM: &str = "text/event-stream";

/// What a subagent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// One JSON document.
    Json,
    /// A JSON document a line.
    Ndjson,
    /// Server-sent events with a JSON document each.
    Sse,
    /// Chat completions of OpenAI.
    Openai,
    /// Messages of Anthropic.
    Anthropic,
    /// Agent2Agent over JSON-RPC, 0.3 and 1.0.
    A2a,
}

impl Protocol {
    /// By its name in a path.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "ndjson" => Self::Ndjson,
            "sse" => Self::Sse,
            "openai" => Self::Openai,
            "anthropic" => Self::Anthropic,
            "a2a" => Self::A2a,
            _ => return None,
        })
    }

    /// The media type of its streams, or of its one document.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => JSON,
            Self::Ndjson => NDJSON,
            Self::Sse | Self::Openai | Self::Anthropic | Self::A2a => EVENT_STREAM,
        }
    }
}

/// What of a call changes the form of its answer.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The body where it is JSON, else null.
    pub body: Value,
    /// The header `A2A-Version`.
    pub a2a_version: Option<String>,
}

/// A body that is ready to be paced.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Its media type.
    pub media_type: &'static str,
    /// Its pieces.
    pub frames: Frames,
    /// How many pieces come before the first of the output.
    pub preamble: u64,
}

impl Reply {
    fn stream(frames: Frames, preamble: u64) -> Self {
        Self { media_type: EVENT_STREAM, frames, preamble }
    }

    fn document(document: &Value) -> Self {
        Self { media_type: JSON, frames: Frames::one(document.to_string()), preamble: 0 }
    }
}

/// The answer of `agent` to `request`.
pub fn answer(protocol: Protocol, agent: Agent, behaviour: &Behaviour, request: &Request) -> Reply {
    match protocol {
        Protocol::Json => plain::json(&agent, behaviour),
        Protocol::Ndjson => plain::stream(agent, behaviour, Framing::Lines),
        Protocol::Sse => plain::stream(agent, behaviour, Framing::Events),
        Protocol::Openai => openai::answer(agent, behaviour, request),
        Protocol::Anthropic => anthropic::answer(agent, behaviour, request),
        Protocol::A2a => a2a::answer(agent, behaviour, request),
    }
}

/// The answer to a request that cancels an agent's task, where `body` is one.
pub fn cancelled(protocol: Protocol, body: &[u8]) -> Option<Value> {
    let body = (protocol == Protocol::A2a).then(|| serde_json::from_slice(body).ok()).flatten();
    a2a::cancelled(&body?)
}

/// In how many parts an output comes: as told, at least as many as come at once.
fn parts(behaviour: &Behaviour, usual: u64) -> u64 {
    let burst = behaviour.burst;
    behaviour.chunks.or(burst).unwrap_or(usual).max(burst.unwrap_or(1)).max(1)
}
