//! The Responses API: a stream of named events whose last one carries the whole response, or the response alone.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::protocols::Failure;
use crate::domain::protocols::model::ModelAnswer;
use crate::domain::protocols::own_failure::told;
use crate::domain::protocols::part::{items, message, object, part, text};

/// An event of a stream.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
    output_index: Option<&'a RawValue>,
    item: Option<&'a RawValue>,
    annotation: Option<&'a RawValue>,
    response: Option<&'a RawValue>,
}

/// A response, whole or at its beginning.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    status: Option<&'a RawValue>,
    model: Option<&'a RawValue>,
    usage: Option<&'a RawValue>,
    output: Option<&'a RawValue>,
    incomplete_details: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Incomplete<'a> {
    #[serde(borrow)]
    reason: Option<&'a RawValue>,
}

/// An item of the output: a message, a call of a function, or something else.
#[derive(Deserialize)]
struct OutputItem<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    content: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    call_id: Option<&'a RawValue>,
    name: Option<&'a RawValue>,
    arguments: Option<&'a RawValue>,
}

/// A part of a message.
#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    text: Option<&'a RawValue>,
    refusal: Option<&'a RawValue>,
    annotations: Option<&'a RawValue>,
}

/// One event of a stream, whose type is `kind`. Types that say nothing of the text or its end are skipped.
pub(super) fn event(kind: &str, data: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
    let event: Event<'_> = message(data)?;
    let index = part::<u64>(event.output_index).unwrap_or_default();
    match kind {
        "response.output_text.delta" => answer.text.push(&text(event.delta).unwrap_or_default())?,
        "response.refusal.delta" => answer.refuse(&text(event.delta).unwrap_or_default())?,
        "response.output_text.annotation.added" => {
            event.annotation.map_or(Ok(()), |annotation| answer.sources.annotation(annotation))?;
        }
        "response.output_item.added" => {
            if let Some(item) = object::<OutputItem<'_>>(event.item) {
                take_call(index, &item, answer)?;
            }
        }
        "response.function_call_arguments.delta" => {
            answer.calls.take(index, "", "", &text(event.delta).unwrap_or_default())?;
        }
        "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
            let end = kind.trim_start_matches("response.");
            take_end(end, event.response.map_or("{}", RawValue::get), answer)?;
            answer.done = true;
        }
        _ => {}
    }
    Ok(())
}

/// A response that is no stream.
pub(super) fn whole(json: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
    let response: Response<'_> = message(json)?;
    let status = text(response.status);
    take_end(status.as_deref().unwrap_or("completed"), json, answer)
}

/// The response as it is at its end, which came by the event or with the status `end`.
fn take_end(end: &str, json: &str, answer: &mut ModelAnswer) -> Result<(), Failure> {
    let response: Response<'_> = message(json)?;
    if let Some(model) = text(response.model) {
        answer.named(&model);
    }
    if let Some(usage) = response.usage {
        answer.used(usage);
    }
    take_output(response.output, answer)?;
    let reason =
        object::<Incomplete<'_>>(response.incomplete_details).and_then(|details| text(details.reason));
    match (end, reason.as_deref()) {
        ("completed", _) if answer.has_calls() => answer.stopped("tool_calls"),
        ("completed", _) => answer.stopped("stop"),
        ("incomplete", Some("content_filter")) => answer.filtered("content_filter"),
        ("incomplete", Some(reason)) => answer.stopped(reason),
        ("incomplete", None) => answer.stopped("length"),
        ("failed", _) => answer.failed = Some(told(json)),
        // `cancelled`, or a response in the background that isn't over.
        _ => {
            let message = format!("the response ended as `{}`", end.chars().take(32).collect::<String>());
            answer.failed = Some(Failure::lasting("model_error", message));
        }
    }
    Ok(())
}

/// Text and calls that weren't in deltas before, and what the text rests on.
fn take_output(output: Option<&RawValue>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    let (without_text, without_calls) = (answer.text.as_str().is_empty(), !answer.has_calls());
    for (index, item) in items(output).into_iter().enumerate() {
        let Some(item) = object::<OutputItem<'_>>(Some(item)) else { continue };
        if without_calls {
            take_call(index as u64, &item, answer)?;
        }
        if text(item.kind).as_deref() == Some("message") {
            take_message(item.content, without_text, answer)?;
        }
    }
    Ok(())
}

fn take_message(
    content: Option<&RawValue>,
    with_text: bool,
    answer: &mut ModelAnswer,
) -> Result<(), Failure> {
    for part in items(content) {
        let Some(part) = object::<Content<'_>>(Some(part)) else { continue };
        answer.sources.annotated(part.annotations)?;
        if !with_text {
            continue;
        }
        if let Some(words) = text(part.text) {
            answer.text.push(&words)?;
        }
        if let Some(refusal) = text(part.refusal) {
            answer.refuse(&refusal)?;
        }
    }
    Ok(())
}

fn take_call(index: u64, item: &OutputItem<'_>, answer: &mut ModelAnswer) -> Result<(), Failure> {
    if text(item.kind).as_deref() != Some("function_call") {
        return Ok(());
    }
    let id = text(item.call_id).or_else(|| text(item.id)).unwrap_or_default();
    let arguments = text(item.arguments).unwrap_or_default();
    answer.calls.take(index, &id, &text(item.name).unwrap_or_default(), &arguments)
}
