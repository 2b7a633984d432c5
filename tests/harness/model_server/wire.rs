//! What a language model's server writes: the frames of Chat Completions and of Messages.

use serde_json::{Value, json};

/// Which API is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's Chat Completions.
    OpenAi,
    /// Anthropic's Messages.
    Anthropic,
}

impl Protocol {
    /// What goes into `synthesis.provider`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// The word for an answer that is whole.
    pub fn whole(self) -> &'static str {
        match self {
            Self::OpenAi => "stop",
            Self::Anthropic => "end_turn",
        }
    }

    /// The word for an answer that reached the limit of its length.
    pub fn cut(self) -> &'static str {
        match self {
            Self::OpenAi => "length",
            Self::Anthropic => "max_tokens",
        }
    }
}

/// Tokens that each answer is said to have taken, in and out.
pub const USAGE: (u64, u64) = (1_000, 200);
/// Characters of a piece, where the test doesn't cut it itself.
const PIECE_CHARS: usize = 9;

fn openai(choice: &Value) -> String {
    let chunk = json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "served", "choices": [choice]});
    format!("data: {chunk}\n\n")
}

fn anthropic(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
}

/// What comes before the first text.
pub fn begin(protocol: Protocol) -> String {
    match protocol {
        Protocol::OpenAi => {
            openai(&json!({"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": null}))
        }
        Protocol::Anthropic => {
            let message = json!({"id": "m", "type": "message", "role": "assistant", "model": "served", "content": [],
                "stop_reason": null, "usage": {"input_tokens": USAGE.0, "output_tokens": 1}});
            let start = anthropic(&json!({"type": "message_start", "message": message}));
            let block = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
            start + &anthropic(&block) + &anthropic(&json!({"type": "ping"}))
        }
    }
}

/// A piece of the text.
pub fn piece(protocol: Protocol, text: &str) -> String {
    match protocol {
        Protocol::OpenAi => openai(&json!({"index": 0, "delta": {"content": text}, "finish_reason": null})),
        Protocol::Anthropic => {
            let delta = json!({"type": "text_delta", "text": text});
            anthropic(&json!({"type": "content_block_delta", "index": 0, "delta": delta}))
        }
    }
}

/// What comes after the last text; `reason` is the API's word.
pub fn end(protocol: Protocol, reason: &str) -> String {
    match protocol {
        Protocol::OpenAi => {
            let usage = json!({"prompt_tokens": USAGE.0, "completion_tokens": USAGE.1, "total_tokens": USAGE.0 + USAGE.1});
            let last = json!({"id": "c", "object": "chat.completion.chunk", "model": "served", "choices": [], "usage": usage});
            let stop = openai(&json!({"index": 0, "delta": {}, "finish_reason": reason}));
            format!("{stop}data: {last}\n\ndata: [DONE]\n\n")
        }
        Protocol::Anthropic => {
            let usage = json!({"output_tokens": USAGE.1});
            let delta = json!({"stop_reason": reason, "stop_sequence": null});
            anthropic(&json!({"type": "content_block_stop", "index": 0}))
                + &anthropic(&json!({"type": "message_delta", "delta": delta, "usage": usage}))
                + &anthropic(&json!({"type": "message_stop"}))
        }
    }
}

/// The body of a whole answer, and the byte from which on it is whole whatever comes behind.
pub fn whole(protocol: Protocol, text: &str, reason: &str) -> (String, usize) {
    let mut body = begin(protocol);
    let characters: Vec<char> = text.chars().collect();
    for characters in characters.chunks(PIECE_CHARS) {
        body.push_str(&piece(protocol, &characters.iter().collect::<String>()));
    }
    let end = end(protocol, reason);
    let needed = match protocol {
        Protocol::OpenAi => end.find("\n\n").unwrap() + 2,
        Protocol::Anthropic => end.len(),
    };
    let whole_from = body.len() + needed;
    (body + &end, whole_from)
}

/// A whole answer that isn't streamed.
pub fn plain(protocol: Protocol, text: &str) -> String {
    let answer = match protocol {
        Protocol::OpenAi => json!({"id": "c", "object": "chat.completion", "model": "served",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": USAGE.0, "completion_tokens": USAGE.1}}),
        Protocol::Anthropic => json!({"id": "m", "type": "message", "role": "assistant", "model": "served",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
            "usage": {"input_tokens": USAGE.0, "output_tokens": USAGE.1}}),
    };
    answer.to_string()
}
