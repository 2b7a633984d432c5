//! What each envelope's pieces look like.

use crate::domain::adapters::CONTENT_ALIASES;
use crate::domain::adapters::shape::{Member, members};

/// A part of a stream of pieces.
pub(super) enum Piece {
    Text {
        text: String,
        message: Option<String>,
    },
    /// Another message begins.
    Begins,
    /// A message of that id isn't the assistant's.
    Mutes(String),
    /// Nothing that is the answer's.
    Sign {
        wants_end: bool,
    },
    /// A source, as JSON.
    Source(String),
    /// Members that stand beside the text.
    Beside,
    /// What counts where there is no text.
    Result(String),
    End(Option<String>),
    Failed,
}

/// Types of a piece of text whose text stands under another name.
const TOKENS: [&str; 7] = ["token", "delta", "chunk", "text_delta", "content_delta", "text", "content"];
/// Where it stands then.
const TEXTS: [&str; 7] = ["delta", "token", "content", "text", "chunk", "value", "data"];
/// What an object that is a piece may have beside its text.
#[rustfmt::skip]
const ABOUT: [&str; 16] = [
    "type", "event", "id", "index", "role", "done", "finish_reason", "seq", "sequence", "created", "model", "logprob", "message_id", "messageId", "run_id", "timestamp",
];
/// Types of what isn't the answer's, among pieces.
#[rustfmt::skip]
const SIGNS: [&str; 24] = [
    "start", "status", "progress", "thinking", "reasoning", "tool", "tool_call", "tool_result", "tool_start", "tool_end", "ping", "heartbeat", "metadata", "info", "log", "step", "text-start", "text-end",
    "finish-step", "message-metadata", "file", "source-document", "message_start", "begin",
];
/// Types of the end.
const ENDS: [&str; 9] =
    ["done", "end", "finish", "complete", "completed", "stop", "finished", "stream_end", "message_end"];

/// Whether a member is about the stream, and nothing of the answer.
pub(super) fn is_about_stream(key: &str) -> bool {
    matches!(key, "type" | "event" | "id" | "index" | "done" | "status" | "message" | "run_id" | "messageId")
}

/// What an object is where it belongs to a stream of pieces: one that is `known` to be such, or of a `run` of LangServe's.
pub(super) fn piece_of(object: &[Member<'_>], known: bool, is_of_run: bool) -> Option<Piece> {
    let kind = text_of(object, "type");
    let kind = kind.as_deref().unwrap_or_default();
    ui_message(object, kind, known)
        .or_else(|| ag_ui(object, kind, known))
        .or_else(|| message_chunk(object, kind))
        .or_else(|| completion(object, known))
        .or_else(|| token(object, kind))
        .or_else(|| run(object).filter(|_| is_of_run))
        .or_else(|| known.then(|| among(object, kind)).flatten())
}

/// AI SDK's UI message stream.
fn ui_message(object: &[Member<'_>], kind: &str, known: bool) -> Option<Piece> {
    let has_only = |names: &[&str]| object.iter().all(|member| names.contains(&&*member.key.0));
    match kind {
        "text-delta" => {
            let text = text_of(object, "delta").or_else(|| text_of(object, "text"))?;
            Some(Piece::Text { text, message: None })
        }
        "start" if has_only(&["type", "messageId", "messageMetadata"]) => {
            Some(Piece::Sign { wants_end: true })
        }
        "start-step" => Some(Piece::Begins),
        "source-url" => {
            let url = text_of(object, "url")?;
            let title = text_of(object, "title");
            Some(Piece::Source(
                serde_json::json!({"title": title.as_deref().unwrap_or(&url), "url": url}).to_string(),
            ))
        }
        "error" if text_of(object, "errorText").is_some() => Some(Piece::Failed),
        "abort" if known => Some(Piece::Failed),
        kind if known && ["reasoning-", "tool-", "data-"].iter().any(|start| kind.starts_with(start)) => {
            Some(Piece::Sign { wants_end: false })
        }
        _ => None,
    }
}

/// AG-UI. A run that was begun has to be finished.
fn ag_ui(object: &[Member<'_>], kind: &str, known: bool) -> Option<Piece> {
    let message = || text_of(object, "messageId");
    match kind {
        "RUN_STARTED" => Some(Piece::Sign { wants_end: true }),
        "TEXT_MESSAGE_START" => match (text_of(object, "role"), message()) {
            (Some(role), Some(message)) if role != "assistant" => Some(Piece::Mutes(message)),
            _ => Some(Piece::Sign { wants_end: false }),
        },
        "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_CHUNK" => {
            let text = text_of(object, "delta").unwrap_or_default();
            Some(Piece::Text { text, message: message() })
        }
        "MESSAGES_SNAPSHOT" => {
            let messages = member(object, "messages")?;
            Some(Piece::Result(format!("{{\"messages\":{messages}}}")))
        }
        "RUN_FINISHED" => {
            let result = member(object, "result").filter(|result| !matches!(*result, "null" | "{}" | "\"\""));
            Some(Piece::End(result.map(str::to_owned)))
        }
        "RUN_ERROR" => Some(Piece::Failed),
        "TEXT_MESSAGE_END" | "CUSTOM" | "RAW" if known => Some(Piece::Sign { wants_end: false }),
        kind => {
            let starts = ["TOOL_CALL_", "STEP_", "STATE_", "ACTIVITY_", "THINKING_", "REASONING_"];
            let is_sign = known && starts.iter().any(|start| kind.starts_with(start));
            is_sign.then_some(Piece::Sign { wants_end: false })
        }
    }
}

/// The chunk of a message in the pair that LangGraph makes of it and where it is from.
pub(super) fn chunk_of(pair: &str) -> Option<&str> {
    let pair: Vec<&serde_json::value::RawValue> = serde_json::from_str(pair).ok()?;
    let chunk = pair.first()?.get();
    let inner = members(chunk)?;
    message_chunk(&inner, &text_of(&inner, "type").unwrap_or_default()).map(|_| chunk)
}

/// A chunk of a message of LangChain's, itself or as its constructor.
fn message_chunk(object: &[Member<'_>], kind: &str) -> Option<Piece> {
    let names_chunk = |class: &&str| class.contains("AIMessageChunk");
    let class = member(object, "lc").and_then(|_| member(object, "id")).filter(names_chunk);
    let inner = class.and_then(|_| member(object, "kwargs")).and_then(members);
    let chunk = match &inner {
        Some(inner) => inner.as_slice(),
        None => Some(object).filter(|_| kind == "AIMessageChunk")?,
    };
    Some(Piece::Text { text: words(member(chunk, "content")?), message: None })
}

/// Chunks of OpenAI's API, and lines of Ollama's.
fn completion(object: &[Member<'_>], known: bool) -> Option<Piece> {
    if text_of(object, "object").as_deref() == Some("chat.completion.chunk") {
        let choices: Vec<&serde_json::value::RawValue> =
            serde_json::from_str(member(object, "choices")?).ok()?;
        let delta = choices.first().and_then(|first| members(first.get()));
        let delta = delta.and_then(|first| member(&first, "delta").and_then(members)).unwrap_or_default();
        return Some(Piece::Text { text: text_of(&delta, "content").unwrap_or_default(), message: None });
    }
    let is_open = member(object, "done")? == "false";
    if !is_open && !known || text_of(object, "model").is_none() {
        return None;
    }
    let of_chat = || text_of(&members(member(object, "message")?)?, "content");
    let text = text_of(object, "response").or_else(of_chat)?;
    Some(Piece::Text { text, message: None })
}

/// An object that holds a piece of text and nothing more.
fn token(object: &[Member<'_>], kind: &str) -> Option<Piece> {
    if let Some(inner) = member(object, "token").and_then(members) {
        let is_special = member(&inner, "special") == Some("true");
        let text = text_of(&inner, "text").filter(|_| !is_special).unwrap_or_default();
        return Some(Piece::Text { text, message: None });
    }
    let name = match kind {
        "" => ["token", "delta"].iter().find(|name| text_of(object, name).is_some()),
        kind if TOKENS[..5].contains(&kind) => TEXTS.iter().find(|name| text_of(object, name).is_some()),
        kind if TOKENS.contains(&kind) => {
            ["token", "delta"].iter().find(|name| text_of(object, name).is_some())
        }
        _ => None,
    }?;
    let is_all = object.iter().all(|member| member.key.0 == **name || ABOUT.contains(&&*member.key.0));
    is_all.then(|| Piece::Text { text: text_of(object, name).unwrap_or_default(), message: None })
}

/// What LangServe adds up: the piece of a text under one of its names.
fn run(object: &[Member<'_>]) -> Option<Piece> {
    let name = CONTENT_ALIASES.iter().chain(&["content"]).find(|name| text_of(object, name).is_some())?;
    Some(Piece::Text { text: text_of(object, name)?, message: None })
}

/// What stands among pieces. An end may bring all of the answer with it.
fn among(object: &[Member<'_>], kind: &str) -> Option<Piece> {
    let brings =
        |name: &&str| *name != "message" && text_of(object, name).is_some_and(|text| !text.is_empty());
    if ENDS.contains(&kind) && !CONTENT_ALIASES.iter().chain(&["content"]).any(brings) {
        return Some(if kind == "finish" { Piece::End(None) } else { Piece::Beside });
    }
    SIGNS.contains(&kind).then_some(Piece::Sign { wants_end: false })
}

/// What a failure says, as it is told elsewhere.
pub(super) fn failure(object: &[Member<'_>]) -> String {
    let message = ["errorText", "message", "reason"].iter().find_map(|name| text_of(object, name));
    let message = message.unwrap_or_else(|| "the stream was given up".to_owned());
    serde_json::json!({"message": message, "code": text_of(object, "code")}).to_string()
}

fn member<'a>(object: &[Member<'a>], name: &str) -> Option<&'a str> {
    object.iter().find(|member| member.key.0 == name).map(|member| member.value)
}

/// A member that is a string.
pub(super) fn text_of(object: &[Member<'_>], name: &str) -> Option<String> {
    serde_json::from_str(member(object, name).filter(|value| value.starts_with('"'))?).ok()
}

/// The text of a chunk: a string, or the texts of its parts.
fn words(content: &str) -> String {
    if let Ok(text) = serde_json::from_str(content) {
        return text;
    }
    let parts: Vec<&serde_json::value::RawValue> = serde_json::from_str(content).unwrap_or_default();
    parts.iter().filter_map(|part| text_of(&members(part.get())?, "text")).collect()
}
