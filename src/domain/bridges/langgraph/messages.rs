//! Texts of subagents and of the synthesis as messages of a chat.
//!
//! A client adds the pieces with one id to one text and can't take any of it back: a text that is written anew is a
//! message with another id.

use serde_json::{Value, json};

use super::Say;
use crate::domain::bridges::Event;
use crate::domain::bridges::outputs::{Output, Outputs, Written, text};

/// The id of the message with an output's text.
pub(super) fn id_of(step: &str, result_key: &str, output: &Output) -> String {
    match output.rewritten {
        Some(revision) => format!("{step}/{result_key}/{revision}"),
        None => format!("{step}/{result_key}"),
    }
}

/// The id of the message with the delivered answer. No result key has a second slash behind it.
pub(super) fn synthesis_id(step: &str) -> String {
    format!("{step}//synthesis")
}

fn draft_id(step: &str, outputs: &Outputs) -> String {
    format!("{step}//draft/{}", outputs.drafts)
}

/// A whole message.
pub(super) fn message(id: &str, name: &str, content: &str) -> Value {
    json!({ "type": "ai", "id": id, "name": name, "content": content })
}

/// A text that an event brought something new of.
struct News<'a> {
    id: String,
    name: &'a str,
    whole: &'a str,
    from: usize,
    is_complete: bool,
}

fn news<'a>(step: &str, event: &'a Event<'_>, outputs: &'a Outputs, written: Written) -> Option<News<'a>> {
    let from = match written {
        Written::On(from) => from,
        Written::Nothing | Written::Anew => 0,
    };
    match event.event_type {
        "planner_stream" => {
            let key = text(&event.content, "result_key");
            let output = outputs.outputs.get(key)?;
            let is_complete = output.is_terminal();
            if output.text.is_empty() || (written == Written::Nothing && !is_complete) {
                return None;
            }
            let from = if written == Written::Nothing { output.text.len() } else { from };
            let id = id_of(step, key, output);
            Some(News { id, name: &output.stage, whole: &output.text, from, is_complete })
        }
        "synthesis_delta" if written != Written::Nothing => {
            let id = draft_id(step, outputs);
            Some(News { id, name: "draft", whole: &outputs.draft, from, is_complete: false })
        }
        "synthesis" => {
            let whole = text(&event.content, "summary");
            Some(News { id: synthesis_id(step), name: "synthesis", whole, from: 0, is_complete: true })
        }
        _ => None,
    }
}

fn metadata(thread: &str, step: &str, name: &str) -> Value {
    json!({ "langgraph_node": name, "thread_id": thread, "run_id": step, "tags": [] })
}

/// The mode `messages-tuple`: what is new, and where it is from.
pub(super) fn tuple(
    thread: &str,
    step: &str,
    event: &Event<'_>,
    outputs: &Outputs,
    written: Written,
    say: &mut Say<'_>,
) {
    let Some(News { id, name, whole, from, .. }) = news(step, event, outputs, written) else { return };
    let piece = whole.get(from..).unwrap_or_default();
    if !piece.is_empty() {
        let chunk = json!({ "type": "AIMessageChunk", "id": id, "name": name, "content": piece });
        say("messages", json!([chunk, metadata(thread, step, name)]));
    }
}

/// The mode `messages`: the text as far as it is, and once more when it is whole.
pub(super) fn whole(
    thread: &str,
    step: &str,
    event: &Event<'_>,
    outputs: &Outputs,
    written: Written,
    say: &mut Say<'_>,
) {
    let Some(News { id, name, whole, from, is_complete }) = news(step, event, outputs, written) else {
        return;
    };
    if from == 0 {
        let about = json!({ "metadata": metadata(thread, step, name) });
        say("messages/metadata", json!({ id.as_str(): about }));
    }
    let event = if is_complete { "messages/complete" } else { "messages/partial" };
    say(event, json!([message(&id, name, whole)]));
}
