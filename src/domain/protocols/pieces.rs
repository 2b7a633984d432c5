//! Answers that stream pieces of a text, joined where what they come in says that they are pieces.
//!
//! | what comes | whose |
//! |---|---|
//! | `{"type": "text-delta", "delta"}` … `{"type": "finish"}` | AI SDK's UI message stream |
//! | `{"type": "TEXT_MESSAGE_CONTENT", "delta"}` … `{"type": "RUN_FINISHED"}` | AG-UI |
//! | `event: data` with a text, or an object with one behind `event: metadata` with a `run_id`; a chunk of a message | LangServe, LangChain, LangGraph |
//! | `{"token": "…"}`, `{"delta": "…"}`, `{"type": "token", "content": "…"}`, TGI's `{"token": {"text"}}` | servers of their own |
//! | `{"done": false, "response": "…"}`, also with `message` | Ollama |
//! | `{"object": "chat.completion.chunk", …}` | OpenAI's API |
//! | texts of which one begins or ends with a blank, where another follows that doesn't begin with it | plain text, token by token |
//!
//! Nothing else is joined: each is the whole so far and replaces the one before. Of several messages the last one with a text counts. An
//! object among pieces that has a text of its own is the whole; what else it has stands beside the text.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::Failure;
use super::own_failure::told;
use crate::domain::adapters::shape::{Member, members};
use crate::domain::adapters::{CONTENT_ALIASES, conversation};
use crate::domain::event::RawJson;

mod envelopes;
mod plain;

use envelopes::{Piece, piece_of, text_of};
use plain::Plain;

/// The text of an answer that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    bytes_max: usize,
    /// Whether it does.
    known: bool,
    /// Whether LangServe has begun.
    is_run: bool,
    /// Whether its end has a mark that hasn't come.
    wants_end: bool,
    text: String,
    /// Of the message before, which is shown until this one has a text.
    before: String,
    message: Option<String>,
    /// Whose pieces aren't the assistant's.
    mute: Option<String>,
    sources: Vec<String>,
    beside: Vec<(String, String)>,
    /// What a run has as its result where it has no text.
    result: Option<RawJson>,
    changed: bool,
    plain: Plain,
}

/// Members that are kept beside a text; those that come later are left out.
const BESIDE_MAX: usize = 64;

/// What an output was.
#[derive(Debug)]
pub(super) enum Taken {
    /// No piece: it replaces what was before.
    Whole,
    /// A piece, or a sign of life among pieces.
    Piece,
    /// The mark of the end.
    End,
    Failed(Failure),
}

impl Pieces {
    /// A text of at most `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { bytes_max, ..Self::default() }
    }

    /// Takes an output; `name` is that of its event, `raw` what was sent where that was no JSON or has blanks around it.
    pub(super) fn take(&mut self, name: &str, raw: Option<&str>, output: &RawJson) -> Result<Taken, Failure> {
        let json = output.get();
        let tuple = (name == "messages").then(|| envelopes::chunk_of(json)).flatten();
        let json = tuple.unwrap_or(json);
        let Some(members) = members(json) else {
            let Some(text) = raw.map(str::to_owned).or_else(|| plain::text(json)) else {
                return Ok(Taken::Whole);
            };
            return self.take_text(name, &text);
        };
        self.plain = Plain::default();
        self.is_run |= name == "metadata" && text_of(&members, "run_id").is_some();
        let piece = piece_of(&members, self.known, self.is_run && name == "data");
        let Some(piece) = piece else { return Ok(self.take_other(name, &members)) };
        self.known = true;
        match piece {
            Piece::Text { text, message } => {
                if message.is_some() && message == self.mute {
                    return Ok(Taken::Piece);
                }
                if message.is_some() && message != self.message {
                    self.begin();
                    self.message = message;
                }
                self.push(&text)?;
            }
            Piece::Begins => self.begin(),
            Piece::Mutes(message) => self.mute = Some(message),
            Piece::Sign { wants_end } => self.wants_end |= wants_end,
            Piece::Source(source) => {
                self.changed = true;
                self.sources.push(source);
            }
            Piece::Beside => self.keep(&members),
            Piece::Result(result) => {
                self.result = RawValue::from_string(result).ok().map(Arc::from).or(self.result.take());
            }
            Piece::End(result) => {
                if let Some(result) = result {
                    self.result = RawValue::from_string(result).ok().map(Arc::from);
                }
                self.wants_end = false;
                return Ok(Taken::End);
            }
            Piece::Failed => return Ok(Taken::Failed(told(&envelopes::failure(&members)))),
        }
        Ok(Taken::Piece)
    }

    /// A text that is no object's.
    fn take_text(&mut self, name: &str, text: &str) -> Result<Taken, Failure> {
        if self.known || name == "data" && plain::is_word(text) {
            self.known = true;
            return self.push(text).map(|()| Taken::Piece);
        }
        match self.plain.take(text, self.bytes_max) {
            Some(joined) => {
                self.known = true;
                self.push(&joined).map(|()| Taken::Piece)
            }
            None => Ok(Taken::Whole),
        }
    }

    /// Data that are nothing but blanks say nothing, unless they stand among pieces.
    pub(super) fn take_blank(&mut self, blank: &str) -> Result<(), Failure> {
        if self.known {
            return self.push(blank);
        }
        self.plain.take_blank(blank);
        Ok(())
    }

    /// An object that is no piece.
    fn take_other(&mut self, name: &str, members: &[Member<'_>]) -> Taken {
        if !self.known {
            return Taken::Whole;
        }
        let says = |Member { key, value }: &Member<'_>| {
            let is_text = key.0 == "content" || CONTENT_ALIASES.contains(&&*key.0);
            is_text && !matches!(*value, "null" | "\"\"" | "[]" | "{}") || conversation::is_chat(value)
        };
        let is_whole = !matches!(name, "metadata" | "end") && members.iter().any(says);
        // Without a text it may be what its signs of life led up to.
        if is_whole || self.said().trim().is_empty() {
            *self = Self { is_run: self.is_run, ..Self::new(self.bytes_max) };
            return Taken::Whole;
        }
        self.keep(members);
        Taken::Piece
    }

    fn keep(&mut self, members: &[Member<'_>]) {
        self.changed = true;
        for Member { key, value } in members {
            if !envelopes::is_about_stream(&key.0) {
                let is_full = self.beside.len() == BESIDE_MAX;
                match self.beside.iter_mut().find(|(name, _)| *name == *key.0) {
                    Some((_, kept)) => *kept = (*value).to_owned(),
                    None if is_full => {}
                    None => self.beside.push((key.0.to_string(), (*value).to_owned())),
                }
            }
        }
    }

    fn begin(&mut self) {
        if !self.text.trim().is_empty() {
            self.before = std::mem::take(&mut self.text);
        }
    }

    fn push(&mut self, piece: &str) -> Result<(), Failure> {
        if self.text.len() + piece.len() > self.bytes_max {
            return Err(Failure::too_large("a text", self.bytes_max));
        }
        self.text.push_str(piece);
        self.changed |= !piece.is_empty();
        Ok(())
    }

    fn said(&self) -> &str {
        if self.text.trim().is_empty() { &self.before } else { &self.text }
    }

    /// The stream says that it is done.
    pub(super) fn done(&mut self) {
        self.wants_end = false;
    }

    /// Bytes of the text.
    pub(super) fn len(&self) -> usize {
        self.said().len()
    }

    /// The whole so far, where it changed since it was last asked for.
    pub(super) fn so_far(&mut self) -> Option<RawJson> {
        let has_changed = std::mem::take(&mut self.changed) && !self.said().trim().is_empty();
        has_changed.then(|| self.output()).flatten()
    }

    fn output(&self) -> Option<RawJson> {
        let mut members = vec![("content".to_owned(), serde_json::Value::from(self.said()).to_string())];
        if !self.sources.is_empty() {
            members.push(("sources".to_owned(), format!("[{}]", self.sources.join(","))));
        }
        let is_free = |name: &str| name != "content" && (name != "sources" || self.sources.is_empty());
        members.extend(self.beside.iter().filter(|(name, _)| is_free(name)).cloned());
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{}:{value}", serde_json::Value::from(name.as_str())))
            .collect();
        RawValue::from_string(format!("{{{}}}", members.join(","))).ok().map(Arc::from)
    }

    /// What they come to at the end of the stream; `None` where there are none.
    pub(super) fn end(&mut self) -> Option<Result<RawJson, Failure>> {
        if !std::mem::take(&mut self.known) {
            return None;
        }
        if self.wants_end {
            return Some(Err(Failure::retryable("truncated_answer", "the stream broke off before its end")));
        }
        let output = if self.said().trim().is_empty() { self.result.take() } else { self.output() };
        Some(output.ok_or_else(|| Failure::malformed("the stream ended, and had no text")))
    }
}
