//! `json`, `ndjson` and `sse`: raw outputs, or explicit events where they are asked for.
//!
//! A stream gives outputs that grow, the last one is the whole. Agents that have nothing to show before their end say
//! `{"status":"in_progress"}` in place of it.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{EVENT_STREAM, JSON, NDJSON, Reply, parts};
use crate::simulate::agents::Agent;
use crate::simulate::behaviour::{Behaviour, StatusEvent};
use crate::simulate::frames::Frames;

/// How one document is told from the next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Framing {
    /// A line each.
    Lines,
    /// An event each, with its place as `id`.
    Events,
}

/// One document, in as many pieces as asked for; with `burst` an array of that many events.
pub(super) fn json(agent: &Agent, behaviour: &Behaviour) -> Reply {
    let document = match behaviour.burst {
        None => item(agent, behaviour.status_event, behaviour.retryable, 1, 1),
        Some(count) => {
            let ending = behaviour.status_event.or(Some(StatusEvent::Success));
            (1..=count).map(|part| item(agent, ending, behaviour.retryable, part, count)).collect()
        }
    };
    let frames = Frames::cut(document.to_string(), behaviour.chunks.unwrap_or(1));
    Reply { media_type: JSON, frames, preamble: 0 }
}

/// A document after the other.
pub(super) fn stream(agent: Agent, behaviour: &Behaviour, framing: Framing) -> Reply {
    let count = parts(behaviour, agent.usual_parts());
    let (ending, retryable) = (behaviour.status_event, behaviour.retryable);
    let frames = Frames::new(count, move |index| {
        let item = item(&agent, ending, retryable, index + 1, count);
        Bytes::from(match framing {
            Framing::Lines => format!("{item}\n"),
            Framing::Events => format!("id: {}\ndata: {item}\n\n", index + 1),
        })
    });
    let media_type = match framing {
        Framing::Lines => NDJSON,
        Framing::Events => EVENT_STREAM,
    };
    Reply { media_type, frames, preamble: 0 }
}

fn item(agent: &Agent, ending: Option<StatusEvent>, retryable: Option<bool>, part: u64, parts: u64) -> Value {
    let is_last = part == parts;
    if is_last && ending == Some(StatusEvent::Error) {
        let retryable = retryable.unwrap_or(true);
        return json!({"status": "error",
            "error": {"code": "simulated", "message": "it failed as it was told", "retryable": retryable}});
    }
    let Some(output) = agent.output(part, parts) else { return json!({"status": "in_progress"}) };
    match ending {
        None => output,
        Some(StatusEvent::Success) if is_last => json!({"status": "success", "payload": output}),
        Some(StatusEvent::Success | StatusEvent::Error | StatusEvent::Partial) => {
            json!({"status": "partial", "payload": output})
        }
    }
}
