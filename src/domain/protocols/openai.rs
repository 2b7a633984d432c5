//! `openai`: the Chat Completions and the Responses API of OpenAI, and of the many servers that speak like them.
//!
//! Sources: the API reference of OpenAI, "Chat Completions", "Chat streaming", "Responses" and "Streaming events"; and
//! what servers do that are called compatible. A stream of chunks is whole where a choice gave its `finish_reason`, or
//! where `[DONE]` came and something was said: there are servers that never give a reason, and others that never send
//! `[DONE]`, but a connection that breaks gives neither. A stream of Responses has its own last event, and no `[DONE]`.
//!
//! Only the choice of index 0 is read. `length` is a success whose `finish_reason` tells that it was clipped;
//! `content_filter` is a failure, and so are the words of a `refusal`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use super::model::{Dialect, ModelAnswer};
use super::own_failure::told;
use super::part::{items, message, object, part, text};

mod responses;

/// The messages of OpenAI's APIs.
#[derive(Debug, Default)]
pub(super) struct Openai;

/// A message of a stream, or a whole answer, of either API: what is told by first.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    output: Option<&'a RawValue>,
    choices: Option<&'a RawValue>,
    model: Option<&'a RawValue>,
    usage: Option<&'a RawValue>,
    citations: Option<&'a RawValue>,
    search_results: Option<&'a RawValue>,
}

/// One choice of a chunk (`delta`) or of a whole completion (`message`).
#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    index: Option<&'a RawValue>,
    delta: Option<&'a RawValue>,
    message: Option<&'a RawValue>,
    finish_reason: Option<&'a RawValue>,
}

/// What the model says.
#[derive(Deserialize)]
struct Words<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    refusal: Option<&'a RawValue>,
    tool_calls: Option<&'a RawValue>,
    annotations: Option<&'a RawValue>,
}

/// A part of a content that is a list.
#[derive(Deserialize)]
struct ContentPart<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    text: Option<&'a RawValue>,
}

/// A call of a tool, or a part of one.
#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow)]
    index: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    function: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    arguments: Option<&'a RawValue>,
}

impl Dialect for Openai {
    fn message(&mut self, _name: &str, data: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
        let chunk: Message<'_> = message(data)?;
        if chunk.error.is_some() {
            answer.failed = Some(told(data));
            return Ok(());
        }
        match text(chunk.kind).as_deref() {
            Some("error") => {
                answer.failed = Some(told(data));
                Ok(())
            }
            Some(kind) if kind.starts_with("response.") => responses::event(kind, data, answer),
            Some(_) | None => take(&chunk, answer),
        }
    }

    fn whole(&mut self, json: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
        let whole: Message<'_> = message(json)?;
        if whole.error.is_some() {
            answer.failed = Some(told(json));
            return Ok(());
        }
        match (whole.choices, whole.output) {
            (Some(_), _) => take(&whole, answer),
            (None, Some(_)) => responses::whole(json, answer),
            (None, None) => Err(Failure::malformed("the answer is neither a completion nor a response")),
        }
    }
}

/// A chunk or a whole completion.
fn take(chunk: &Message<'_>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    if let Some(model) = text(chunk.model) {
        answer.named(&model);
    }
    if let Some(usage) = chunk.usage {
        answer.used(usage);
    }
    answer.sources.listed([chunk.citations, chunk.search_results])?;
    for choice in items(chunk.choices) {
        let Some(choice) = object::<Choice<'_>>(Some(choice)) else { continue };
        if part::<u64>(choice.index).unwrap_or_default() == 0 {
            take_choice(&choice, answer)?;
        }
    }
    Ok(())
}

fn take_choice(choice: &Choice<'_>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    if let Some(words) = object::<Words<'_>>(choice.delta.or(choice.message)) {
        take_content(words.content, answer)?;
        answer.refuse(&text(words.refusal).unwrap_or_default())?;
        answer.sources.annotated(words.annotations)?;
        for (place, call) in items(words.tool_calls).into_iter().enumerate() {
            take_call(place as u64, call, answer)?;
        }
    }
    match text(choice.finish_reason).as_deref() {
        Some("content_filter") => answer.filtered("content_filter"),
        Some("error") => {
            let message = "the server says that the model failed (`finish_reason` is `error`)";
            answer.failed = Some(Failure::retryable("model_error", message));
        }
        Some(reason) if !reason.is_empty() => answer.stopped(reason),
        Some(_) | None => {}
    }
    Ok(())
}

/// A string, or a list of parts of which those with a `text` count, unless they are the model's thinking.
fn take_content(content: Option<&RawValue>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    if let Some(words) = text(content) {
        return answer.text.push(&words);
    }
    for part in items(content) {
        let Some(part) = object::<ContentPart<'_>>(Some(part)) else { continue };
        if !matches!(text(part.kind).as_deref(), Some("thinking" | "reasoning")) {
            answer.text.push(&text(part.text).unwrap_or_default())?;
        }
    }
    Ok(())
}

fn take_call(place: u64, call: &RawValue, answer: &mut ModelAnswer) -> Result<(), Failure> {
    let Some(call) = object::<Call<'_>>(Some(call)) else { return Ok(()) };
    let index = part::<u64>(call.index).unwrap_or(place);
    let function = object::<Function<'_>>(call.function);
    let name = function.as_ref().and_then(|function| text(function.name)).unwrap_or_default();
    let arguments = function.as_ref().and_then(|function| text(function.arguments)).unwrap_or_default();
    answer.calls.take(index, &text(call.id).unwrap_or_default(), &name, &arguments)
}
