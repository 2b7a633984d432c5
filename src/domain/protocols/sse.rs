//! `sse`: the data of each Server-Sent Event is a JSON text, or else a text of its own.
//!
//! `data: [DONE]` ends the stream; an event named `error` tells of a failure, whatever its data is; empty data is a sign
//! of life, and so is an empty object under a name of its own (`event: end`, `data: {}`). Other names make no difference, unless
//! what comes are pieces of a text, which are joined ([`pieces`](super::pieces)). Data that is JSON with a key given twice, or nested too deeply, is
//! malformed and no text; so is what begins as an object or an array and isn't one: an agent's broken JSON mustn't pass for
//! an answer.

use std::collections::VecDeque;

use super::item::{Item, output, read};
use super::own_failure::told;
use super::part::{malformed, trimmed};
use super::tally::Tally;
use super::{Bounds, End, Failure, ReadAnswer, Said, SseDecoder, SseEvent};
use crate::domain::canonical_json::JsonFault;
use crate::domain::event::RawJson;

/// What stands in the data where a stream says that it is over, as OpenAI's does.
pub(super) const DONE: &str = "[DONE]";

/// Reads a stream of Server-Sent Events.
#[derive(Debug)]
pub(super) struct SseReader {
    decoder: SseDecoder,
    tally: Tally,
}

impl SseReader {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self { decoder: SseDecoder::new(bounds.event_bytes), tally: Tally::new(bounds) }
    }
}

fn take_event(event: SseEvent<'_>, tally: &mut Tally, said: &mut VecDeque<Said>) -> Result<(), Failure> {
    let data = trimmed(event.data);
    if tally.is_over() {
        return Ok(());
    }
    if event.name == "error" {
        tally.take(Item::Failed(told(data)), said);
    } else if data == DONE {
        tally.done();
    } else if !is_sign_of_life(event.name, data) {
        let item = item(event.data)?;
        let is_text = !data.starts_with(['{', '[', '"']);
        return tally.take_part((event.name, is_text.then_some(event.data)), item, said);
    } else if data.is_empty() {
        return tally.take_blank(event.data);
    }
    Ok(())
}

/// Whether an event says nothing: it is there to keep the line open, or to say that it ends. Without a name an empty object may be an
/// output.
pub fn is_sign_of_life(name: &str, data: &str) -> bool {
    let is_named = !matches!(name, "" | "message");
    data.is_empty() || is_named && matches!(data, "{}" | "null" | "[]")
}

fn item(data: &str) -> Result<Item, Failure> {
    match read(data) {
        Ok(item) => Ok(item),
        Err(fault @ JsonFault::Syntax { .. }) if trimmed(data).starts_with(['{', '[']) => {
            Err(malformed(&fault))
        }
        Err(JsonFault::Syntax { .. }) => {
            let json = serde_json::Value::from(data).to_string();
            output(&json).map(Item::Output).map_err(|fault| malformed(&fault))
        }
        Err(fault @ (JsonFault::DuplicateKey { .. } | JsonFault::TooDeep)) => Err(malformed(&fault)),
    }
}

impl ReadAnswer for SseReader {
    fn feed(&mut self, chunk: &[u8], said: &mut VecDeque<Said>) -> Result<(), Failure> {
        self.decoder.feed(chunk, &mut |event| take_event(event, &mut self.tally, said))
    }

    fn is_over(&self) -> bool {
        self.tally.is_over()
    }

    /// The end of the body ends its last event, as it does the last of lines. Of a text without its line break nothing tells
    /// whether that is all of it.
    fn finish(&mut self, said: &mut VecDeque<Said>) -> Result<End, Failure> {
        let is_open = self.decoder.is_inside_line();
        if !self.tally.is_over() {
            self.decoder.finish(&mut |event| match trimmed(event.data).starts_with(['{', '[', '"']) {
                false if is_open => Err(Failure::malformed("the answer breaks off inside an event")),
                true | false => take_event(event, &mut self.tally, said),
            })?;
        }
        self.tally.finish()
    }

    fn output_so_far(&mut self) -> Option<RawJson> {
        self.tally.so_far()
    }

    fn text_len(&self) -> usize {
        self.tally.text_len()
    }
}
