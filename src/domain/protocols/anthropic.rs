//! `anthropic`: the Messages API of Anthropic.
//!
//! Source: Anthropic's API reference, "Messages" and "Streaming messages". A stream is whole where its `message_stop`
//! came. Text blocks are joined as they are, and what they cite is kept; `tool_use` blocks become calls of tools; thinking, its
//! signatures, results of the server's own tools and unknown events are skipped. `refusal` as the reason to stop means
//! that a classifier held the answer back: a failure, as `content_filter` is. `max_tokens` is a success whose
//! `finish_reason` tells that it was clipped.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use super::model::{Dialect, ModelAnswer};
use super::own_failure::told;
use super::part::{items, message, object, part, text};

/// The header without which its servers refuse a request, and the version; there has been no later one.
pub const ANTHROPIC_VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// The messages of Anthropic's API.
#[derive(Debug, Default)]
pub(super) struct Anthropic;

/// An event of a stream.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    message: Option<&'a RawValue>,
    index: Option<&'a RawValue>,
    content_block: Option<&'a RawValue>,
    delta: Option<&'a RawValue>,
    usage: Option<&'a RawValue>,
}

/// A message: whole, or as far as it is known at its beginning.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    model: Option<&'a RawValue>,
    content: Option<&'a RawValue>,
    stop_reason: Option<&'a RawValue>,
    usage: Option<&'a RawValue>,
}

/// A block of content.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    text: Option<&'a RawValue>,
    citations: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    input: Option<&'a RawValue>,
}

/// What changes: in a block, or in the message.
#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    text: Option<&'a RawValue>,
    citation: Option<&'a RawValue>,
    partial_json: Option<&'a RawValue>,
    stop_reason: Option<&'a RawValue>,
}

impl Dialect for Anthropic {
    fn message(&mut self, _name: &str, data: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
        let event: Event<'_> = message(data)?;
        let index = part::<u64>(event.index).unwrap_or_default();
        match text(event.kind).as_deref() {
            Some("message_start") => {
                if let Some(message) = object::<Message<'_>>(event.message) {
                    message.usage.into_iter().for_each(|usage| answer.used_at_first(usage));
                    take_message(&message, answer)?;
                }
            }
            Some("content_block_start") => {
                if let Some(block) = object::<Block<'_>>(event.content_block) {
                    take_block(index, &block, answer)?;
                }
            }
            Some("content_block_delta") => {
                if let Some(delta) = object::<Delta<'_>>(event.delta) {
                    take_delta(index, &delta, answer)?;
                }
            }
            Some("message_delta") => {
                event.usage.into_iter().for_each(|usage| answer.used(usage));
                let delta = object::<Delta<'_>>(event.delta);
                take_reason(delta.and_then(|delta| delta.stop_reason), answer);
            }
            Some("message_stop") => answer.done = true,
            Some("error") => answer.failed = Some(told(data)),
            Some(_) | None => {}
        }
        Ok(())
    }

    fn whole(&mut self, json: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
        let whole: Message<'_> = message(json)?;
        match text(whole.kind).as_deref() {
            Some("message") => {
                whole.usage.into_iter().for_each(|usage| answer.used(usage));
                take_message(&whole, answer)
            }
            Some("error") => {
                answer.failed = Some(told(json));
                Ok(())
            }
            Some(_) | None => Err(Failure::malformed("the answer isn't a message")),
        }
    }

    fn needs_done(&self) -> bool {
        true
    }
}

fn take_message(message: &Message<'_>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    if let Some(model) = text(message.model) {
        answer.named(&model);
    }
    for (index, block) in items(message.content).into_iter().enumerate() {
        if let Some(block) = object::<Block<'_>>(Some(block)) {
            take_block(index as u64, &block, answer)?;
        }
    }
    take_reason(message.stop_reason, answer);
    Ok(())
}

fn take_block(index: u64, block: &Block<'_>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    match text(block.kind).as_deref() {
        Some("text") => {
            answer.sources.cited(block.citations)?;
            answer.text.push(&text(block.text).unwrap_or_default())
        }
        Some("tool_use") => {
            let (id, name) = (text(block.id).unwrap_or_default(), text(block.name).unwrap_or_default());
            // A stream begins with an empty input, and gives it in deltas.
            let input = block.input.map(RawValue::get).filter(|input| *input != "{}").unwrap_or_default();
            answer.calls.take(index, &id, &name, input)
        }
        Some(_) | None => Ok(()),
    }
}

fn take_delta(index: u64, delta: &Delta<'_>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    match text(delta.kind).as_deref() {
        Some("text_delta") => answer.text.push(&text(delta.text).unwrap_or_default()),
        Some("citations_delta") => {
            delta.citation.map_or(Ok(()), |citation| answer.sources.citation(citation))
        }
        Some("input_json_delta") if answer.calls.has(index) => {
            answer.calls.take(index, "", "", &text(delta.partial_json).unwrap_or_default())
        }
        Some(_) | None => Ok(()),
    }
}

fn take_reason(reason: Option<&RawValue>, answer: &mut ModelAnswer) {
    match text(reason).as_deref() {
        Some("refusal") => answer.filtered("refusal"),
        Some(reason) if !reason.is_empty() => answer.stopped(reason),
        Some(_) | None => {}
    }
}
