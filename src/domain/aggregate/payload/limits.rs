//! Whether a model's answer says of itself that it stopped at its limit: what it says then ends anywhere.

use super::{Member, boolean, items, member, members, text};
use crate::domain::aggregate::input::TaskInput;

/// Where APIs say why a model stopped: OpenAI and all that speak like it, Anthropic, Gemini, Ollama, Bedrock.
pub(super) const REASONS: [&str; 6] =
    ["finish_reason", "stop_reason", "finishReason", "done_reason", "stopReason", "doneReason"];
/// What they say then.
const LIMITS: [&str; 5] = ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length"];
/// Where they hold several answers, of which the first counts.
const ANSWERS: [&str; 2] = ["choices", "candidates"];
/// Where libraries put what else an API says beside its text: LangChain, Hugging Face.
const BESIDE: [&str; 3] = ["response_metadata", "generation_info", "details"];
/// Texts that `"truncated": true` may be about; of a list of files it says that there are more of them.
const TEXTS: [&str; 5] = ["content", "answer", "text", "output", "response"];

/// Notes it of a result whose text is such an answer in JSON.
pub(in crate::domain::aggregate) fn note(input: &mut TaskInput) {
    let content = input.content.trim();
    // A list of one is that one.
    let inner = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map(str::trim);
    let content = inner.filter(|inner| inner.starts_with('{')).unwrap_or(content);
    let may_say = content.starts_with('{')
        && content.ends_with('}')
        && REASONS.iter().chain(&["truncated", "incomplete_details"]).any(|name| content.contains(name));
    if !may_say || input.notes.iter().any(|note| note.starts_with("clipped:")) {
        return;
    }
    if let Some(note) = members(content).and_then(|members| stopped_early(&members)) {
        input.notes.push(note);
    }
}

/// A note, where a language model's own member says that it stopped at its limit.
pub(super) fn stopped_early(of: &[Member<'_>]) -> Option<String> {
    let answers = ANSWERS.iter().filter_map(|name| member(of, name).and_then(items)?.first().copied());
    let beside = BESIDE.iter().filter_map(|name| member(of, name));
    let nested = || answers.chain(beside).filter_map(members).find_map(|answer| reason(&answer));
    let (name, said) = reason(of).or_else(nested).or_else(|| incomplete(of)).or_else(|| truncated(of))?;
    Some(format!("clipped: the model stopped at its limit (`{name}` is `{said}`)"))
}

fn reason(of: &[Member<'_>]) -> Option<(&'static str, String)> {
    let said = REASONS.iter().find_map(|name| Some((*name, member(of, name).and_then(text)?)));
    said.filter(|(_, reason)| LIMITS.contains(&reason.as_str()))
}

/// `{"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}`, of OpenAI's Responses.
fn incomplete(of: &[Member<'_>]) -> Option<(&'static str, String)> {
    let status = member(of, "status").and_then(text).filter(|status| status == "incomplete")?;
    let details = member(of, "incomplete_details").and_then(members).unwrap_or_default();
    Some(("status", member(&details, "reason").and_then(text).unwrap_or(status)))
}

fn truncated(of: &[Member<'_>]) -> Option<(&'static str, String)> {
    let is_so = member(of, "truncated").and_then(boolean) == Some(true);
    let has_text = || TEXTS.iter().any(|name| member(of, name).and_then(text).is_some());
    (is_so && has_text()).then(|| ("truncated", "true".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stopped_at_its_limit_says_so_in_several_ways() {
        for (content, is_clipped) in [
            (r#"{"content":[{"type":"text","text":"CATL leads."}],"stop_reason":"max_tokens"}"#, true),
            (r#"{"choices":[{"finish_reason":"length","message":{"content":"It leads by 20"}}]}"#, true),
            (r#"{"candidates":[{"finishReason":"MAX_TOKENS","content":{}}]}"#, true),
            (r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}"#, true),
            (r#"{"answer":"It leads by 20","truncated":true}"#, true),
            (r#"{"message":{"content":"It leads by 20"},"done":true,"done_reason":"length"}"#, true),
            (r#"{"output":{"message":{"content":[]}},"stopReason":"max_tokens"}"#, true),
            (r#"{"content":"It leads by 20","response_metadata":{"finish_reason":"length"}}"#, true),
            (r#"[{"generated_text":"It leads by 20","details":{"finish_reason":"length"}}]"#, true),
            (r#"{"message":{"content":"It leads."},"done":true,"done_reason":"stop"}"#, false),
            (r#"{"text":"It leads.","details":{"length":"5"}}"#, false),
            (r#"[{"text":"It leads.","stopReason":"length"},{"text":"It falls."}]"#, false),
            (r#"{"files":["a","b"],"truncated":true}"#, false),
            (r#"{"answer":"It leads.","truncated":false}"#, false),
            (r#"{"choices":[{"finish_reason":"stop","message":{"content":"It leads."}}]}"#, false),
            (r#"{"status":"incomplete application","answer":"It lacks a stamp."}"#, false),
            (r#"The member "stop_reason" is "max_tokens" then."#, false),
        ] {
            let mut input = TaskInput { content: content.to_owned(), ..TaskInput::default() };
            note(&mut input);
            assert_eq!(input.notes.len(), usize::from(is_clipped), "{content}");
            assert!(input.notes.iter().all(|note| note.starts_with("clipped: ")), "{content}");
        }
    }
}
