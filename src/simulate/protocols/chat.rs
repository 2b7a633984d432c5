//! What the streams of both language models share: a text, or the arguments of a tool, in deltas.

use std::sync::Arc;

use serde_json::Value;

use super::{Request, parts};
use crate::simulate::agents::Agent;
use crate::simulate::behaviour::{Behaviour, StatusEvent, Usage};

/// Bytes of a delta, about as a model's tokens come, and most deltas where their number isn't given.
const DELTA_BYTES: u64 = 16;
const DELTAS_MAX: u64 = 10_000;
/// About how many bytes a token has.
const TOKEN_BYTES: usize = 4;

/// What a model writes.
#[derive(Debug, Clone)]
pub(super) struct Written {
    /// The text, or the tool's arguments.
    pub(super) text: Arc<str>,
    /// The tool that is called.
    pub(super) tool: Option<&'static str>,
    /// In how many deltas it comes.
    pub(super) deltas: u64,
    /// Ids of the answer and of the call of the tool, without dashes.
    pub(super) id: String,
    pub(super) call_id: String,
    /// The model's name as the request has it.
    pub(super) model: String,
    /// Tokens in and out.
    pub(super) tokens: (u64, u64),
    /// How it ends.
    pub(super) ending: Option<StatusEvent>,
    pub(super) retryable: bool,
}

impl Written {
    pub(super) fn new(agent: &Agent, behaviour: &Behaviour, request: &Request, model: &str) -> Self {
        let call = agent.tool_call();
        let tool = call.as_ref().map(|(name, _)| *name);
        let text = call.map_or_else(|| agent.text(), |(_, arguments)| arguments.to_string());
        // Arguments of another length would be no JSON any more.
        let text = match behaviour.text_bytes {
            Some(bytes) if tool.is_none() => sized(&text, usize::try_from(bytes).unwrap_or(usize::MAX)),
            Some(_) | None => text,
        };
        let deltas = parts(behaviour, (text.len() as u64 / DELTA_BYTES).clamp(1, DELTAS_MAX));
        let asked = agent.question.query.len() / TOKEN_BYTES + 1;
        let written = match behaviour.usage {
            Some(Usage::Tokens(tokens)) => tokens,
            Some(Usage::Silent | Usage::Counted) | None => (text.len() / TOKEN_BYTES + 1) as u64,
        };
        let model = request.body.get("model").and_then(Value::as_str).unwrap_or(model).to_owned();
        Self {
            text: text.into(),
            tool,
            deltas,
            id: agent.question.id(101).replace('-', ""),
            call_id: agent.question.id(102).replace('-', ""),
            model,
            tokens: (asked as u64, written),
            ending: behaviour.status_event,
            retryable: behaviour.retryable.unwrap_or(true),
        }
    }

    /// The text of the delta at `index`. Characters stay whole, so some are empty where there are more than characters.
    pub(super) fn delta(&self, index: u64) -> &str {
        let place = |index: u64| {
            let bytes = u128::from(index) * self.text.len() as u128 / u128::from(self.deltas);
            self.text.floor_char_boundary(usize::try_from(bytes).unwrap_or(usize::MAX))
        };
        self.text.get(place(index)..place(index + 1)).unwrap_or_default()
    }

    /// Whether the answer stops without its last marks.
    pub(super) fn stays_open(&self) -> bool {
        self.ending == Some(StatusEvent::Partial)
    }

    /// Whether the answer ends as an error.
    pub(super) fn fails(&self) -> bool {
        self.ending == Some(StatusEvent::Error)
    }
}

/// Whether the caller asked for one document in place of a stream.
pub(super) fn wants_document(request: &Request) -> bool {
    request.body.get("stream") == Some(&Value::Bool(false))
}

/// `text`, repeated and cut to exactly that many bytes.
pub(super) fn sized(text: &str, bytes: usize) -> String {
    let mut sized = String::with_capacity(bytes);
    while sized.len() < bytes && !text.is_empty() {
        let left = bytes - sized.len();
        let piece = text.get(..text.floor_char_boundary(left)).unwrap_or_default();
        sized.push_str(piece);
        if piece.len() < text.len() {
            break;
        }
        if sized.len() < bytes {
            sized.push(' ');
        }
    }
    let missing = bytes - sized.len();
    sized.extend(std::iter::repeat_n('.', missing));
    sized
}

/// A server-sent event without a name.
pub(super) fn event(data: &Value) -> bytes::Bytes {
    format!("data: {data}\n\n").into()
}
