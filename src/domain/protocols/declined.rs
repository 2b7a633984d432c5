//! Answers whose API says that they are none: the model refuses, or a filter held them back. In whatever language the words are
//! that come with it, and whether the answer came of a call or was pushed as it came.
//!
//! | said by | whose |
//! |---|---|
//! | `choices[0].message.refusal`, `choices[0].finish_reason: content_filter` | OpenAI's chat completions |
//! | a part `{type: refusal}` of a message of `output`, `incomplete_details.reason: content_filter` | OpenAI's Responses |
//! | `stop_reason: refusal` of a `message` | Anthropic |
//! | `promptFeedback.blockReason`, `candidates[0].finishReason: SAFETY`, … | Gemini |

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Failure;
use super::part::{items, object, text};
use crate::domain::event::RawJson;

/// Why Gemini ends an answer that it holds back.
const HELD_BACK: [&str; 6] =
    ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"];

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    choices: Option<&'a RawValue>,
    output: Option<&'a RawValue>,
    incomplete_details: Option<&'a RawValue>,
    stop_reason: Option<&'a RawValue>,
    content: Option<&'a RawValue>,
    candidates: Option<&'a RawValue>,
    #[serde(rename = "promptFeedback")]
    prompt_feedback: Option<&'a RawValue>,
}

/// Any object below an answer: what it may say of that.
#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    content: Option<&'a RawValue>,
    text: Option<&'a RawValue>,
    refusal: Option<&'a RawValue>,
    reason: Option<&'a RawValue>,
    finish_reason: Option<&'a RawValue>,
    #[serde(rename = "finishReason")]
    finish_reason_of_gemini: Option<&'a RawValue>,
    #[serde(rename = "blockReason")]
    block_reason: Option<&'a RawValue>,
}

/// The failure of an answer that its API says is none.
pub(super) fn declined(raw: &RawJson) -> Option<Failure> {
    let answer: Answer<'_> = serde_json::from_str(raw.get()).ok()?;
    by_refusal(&answer).or_else(|| by_filter(&answer))
}

fn by_refusal(answer: &Answer<'_>) -> Option<Failure> {
    let said = |part: &Part<'_>| text(part.refusal).filter(|words| !words.trim().is_empty()).map(refused);
    let of_choice = || said(&object(first(answer.choices)?.message)?);
    let of_output = || {
        let parts = items(answer.output).into_iter().filter_map(part).flat_map(|item| items(item.content));
        parts.filter_map(part).find_map(|part| said(&part))
    };
    let of_message = || {
        let is_message = text(answer.kind).is_some_and(|kind| kind == "message");
        let refuses = is_message && text(answer.stop_reason).is_some_and(|reason| reason == "refusal");
        let words = || items(answer.content).into_iter().filter_map(part).find_map(|part| text(part.text));
        refuses.then(|| words().map_or_else(|| held_back("refusal"), refused))
    };
    of_choice().or_else(of_output).or_else(of_message)
}

fn by_filter(answer: &Answer<'_>) -> Option<Failure> {
    let of_choice = || text(first(answer.choices)?.finish_reason).filter(|reason| reason == "content_filter");
    let of_response = || {
        let details: Part<'_> = object(answer.incomplete_details)?;
        text(details.reason).filter(|reason| reason == "content_filter")
    };
    let of_candidate = || {
        let reason = text(first(answer.candidates)?.finish_reason_of_gemini);
        reason.filter(|reason| HELD_BACK.contains(&&**reason))
    };
    let of_prompt = || {
        let feedback: Part<'_> = object(answer.prompt_feedback)?;
        text(feedback.block_reason)
            .filter(|_| items(answer.candidates).is_empty() || of_candidate().is_some())
    };
    of_choice().or_else(of_response).or_else(of_candidate).or_else(of_prompt).map(|reason| held_back(&reason))
}

fn part(raw: &RawValue) -> Option<Part<'_>> {
    object(Some(raw))
}

fn first<'a>(list: Option<&'a RawValue>) -> Option<Part<'a>> {
    items(list).first().copied().and_then(part)
}

/// `refusal`: the model says so, in these words.
pub(super) fn refused(words: impl AsRef<str>) -> Failure {
    let words = words.as_ref().trim();
    Failure::lasting("refusal", if words.is_empty() { "the model refuses" } else { words })
}

/// `content_filter`: the API says so, for this reason.
pub(super) fn held_back(reason: &str) -> Failure {
    Failure::lasting("content_filter", format!("the model's answer was held back (`{reason}`)"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_that_their_api_calls_none_are_failures() {
        let none = "Das beantworte ich nicht.";
        let filter = |reason: &str| format!("content_filter: the model's answer was held back (`{reason}`)");
        for (answer, expected) in [
            (
                json!({"choices": [{"message": {"content": null, "refusal": none}, "finish_reason": "stop"}]}),
                format!("refusal: {none}"),
            ),
            (
                json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}),
                filter("content_filter"),
            ),
            (
                json!({"object": "response", "output": [{"type": "reasoning"}, {"type": "message", "content":
                    [{"type": "refusal", "refusal": none}]}]}),
                format!("refusal: {none}"),
            ),
            (
                json!({"output": [], "incomplete_details": {"reason": "content_filter"}}),
                filter("content_filter"),
            ),
            (
                json!({"type": "message", "content": [{"type": "text", "text": none}], "stop_reason": "refusal"}),
                format!("refusal: {none}"),
            ),
            (json!({"type": "message", "content": [], "stop_reason": "refusal"}), filter("refusal")),
            (
                json!({"candidates": [{"finishReason": "SAFETY"}], "promptFeedback": {"blockReason": "SAFETY"}}),
                filter("SAFETY"),
            ),
            (json!({"promptFeedback": {"blockReason": "OTHER"}}), filter("OTHER")),
            (
                json!({"choices": [{"message": {"content": "42", "refusal": null}, "finish_reason": "stop"}]}),
                String::new(),
            ),
            (
                json!({"candidates": [{"content": {"parts": [{"text": "42"}]}, "finishReason": "STOP"}]}),
                String::new(),
            ),
            (json!({"answer": "42", "stop_reason": "refusal", "content": "42"}), String::new()),
            (json!({"refusal": "a policy of the shop", "answer": "42"}), String::new()),
        ] {
            let raw: RawJson = RawValue::from_string(answer.to_string()).unwrap().into();
            let told = declined(&raw).map(|failure| format!("{}: {}", failure.code, failure.message));
            assert_eq!(told.unwrap_or_default(), expected, "{answer}");
        }
    }
}
