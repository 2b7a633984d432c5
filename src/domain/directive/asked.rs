//! What a language model is asked that is configured as a subagent: the configuration knows its model, the directive the question.
//!
//! `openai` and `anthropic` need a `body`, which goes as it stands. A configured one is the same for every step, so it would
//! ask the same each time: where it has no `messages`, they are made of what the directive says.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{Directive, InvokeCall, Protocol};
use crate::domain::event::ArcJson;

/// Members of a body that say what is asked, in one API or another.
const ASKS: [&str; 3] = ["messages", "input", "prompt"];

/// A configured call with its question: instructions as the system's message, then the task, else the query, else the
/// goal, with the document below. A call that isn't a model's, or that asks already, is as it was, and so is one that
/// nothing can be asked.
pub(super) fn asking(call: InvokeCall, directive: &Directive, task: Option<&str>) -> InvokeCall {
    let Some(question) = question(directive, task) else { return call };
    let instructions = directive.instructions.as_deref();
    let body = call.body.as_ref().and_then(|body| {
        let given: Map<String, Value> = serde_json::from_str(body.0.get()).ok()?;
        let added = match call.protocol {
            _ if ASKS.iter().any(|name| given.contains_key(*name)) => return None,
            Protocol::Openai => vec![("messages", openai(&question, instructions))],
            Protocol::Anthropic => {
                anthropic(&question, instructions.filter(|_| !given.contains_key("system")))
            }
            Protocol::Json | Protocol::Ndjson | Protocol::Sse | Protocol::A2a => return None,
        };
        with(&body.0, given.is_empty(), &added)
    });
    match body {
        Some(body) => InvokeCall { body: Some(body), ..call },
        None => call,
    }
}

fn question(directive: &Directive, task: Option<&str>) -> Option<String> {
    let asked = task.or(directive.query.as_deref()).or(directive.goal.as_deref())?;
    Some(match directive.document_context.as_deref() {
        Some(document) => format!("{asked}\n\n{document}"),
        None => asked.to_owned(),
    })
}

fn openai(question: &str, instructions: Option<&str>) -> Value {
    let user = json!({"role": "user", "content": question});
    match instructions {
        Some(text) => json!([{"role": "system", "content": text}, user]),
        None => json!([user]),
    }
}

/// Its API has what the system says beside the messages.
fn anthropic(question: &str, instructions: Option<&str>) -> Vec<(&'static str, Value)> {
    let messages = json!([{"role": "user", "content": question}]);
    instructions.map(|text| ("system", json!(text))).into_iter().chain([("messages", messages)]).collect()
}

/// An object with more members; those that it has stay as they were written.
fn with(object: &RawValue, is_empty: bool, members: &[(&str, Value)]) -> Option<ArcJson> {
    let mut text = object.get().trim().strip_suffix('}')?.trim_end().to_owned();
    for (at, (name, value)) in members.iter().enumerate() {
        let comma = if at == 0 && is_empty { "" } else { "," };
        text.push_str(&format!("{comma}\"{name}\":{value}"));
    }
    text.push('}');
    Some(ArcJson(RawValue::from_string(text).ok()?.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTIVE: &str = r#"{"plan_step_id":"p","query":"How long?","goal":"answer","instructions":"Be brief.","document_context":"30 days."}"#;

    fn body(protocol: Protocol, given: &str, directive: &str, task: Option<&str>) -> String {
        let body = Some(serde_json::from_str(given).unwrap());
        let call =
            InvokeCall { url: "https://llm.test/".to_owned(), protocol, headers: Default::default(), body };
        let asked = asking(call, &serde_json::from_str(directive).unwrap(), task);
        asked.body.unwrap().0.get().to_owned()
    }

    #[test]
    fn a_configured_model_is_asked_what_the_directive_asks() {
        let user = r#"{"content":"How long?\n\n30 days.","role":"user"}"#;
        assert_eq!(
            body(Protocol::Openai, r#"{"model" : "m", "temperature":1.0 }"#, DIRECTIVE, None),
            format!(
                r#"{{"model" : "m", "temperature":1.0,"messages":[{{"content":"Be brief.","role":"system"}},{user}]}}"#
            )
        );
        assert_eq!(
            body(Protocol::Anthropic, r#"{"model":"m"}"#, DIRECTIVE, None),
            format!(r#"{{"model":"m","system":"Be brief.","messages":[{user}]}}"#)
        );
        let own = r#"{"system":"Be kind."}"#;
        assert_eq!(
            body(Protocol::Anthropic, own, DIRECTIVE, None),
            format!(r#"{{"system":"Be kind.","messages":[{user}]}}"#)
        );
        let goal = r#"{"plan_step_id":"p","goal":"answer"}"#;
        for (directive, task, said) in
            [(DIRECTIVE, Some("Look it up."), "Look it up.\\n\\n30 days."), (goal, None, "answer")]
        {
            let body = body(Protocol::Openai, "{}", directive, task);
            assert!(body.contains(&format!(r#""content":"{said}","role":"user""#)), "{body}");
        }
    }

    #[test]
    fn what_asks_already_or_is_no_model_goes_as_it_stands() {
        for (protocol, given, directive) in [
            (Protocol::Openai, r#"{"messages":[]}"#, DIRECTIVE),
            (Protocol::Openai, r#"{"model":"m","input":"x"}"#, DIRECTIVE),
            (Protocol::Openai, r#"{"prompt":"x"}"#, DIRECTIVE),
            (Protocol::Openai, r#"["x"]"#, DIRECTIVE),
            (Protocol::Sse, r#"{"model":"m"}"#, DIRECTIVE),
            (Protocol::Openai, r#"{"model":"m"}"#, r#"{"plan_step_id":"p"}"#),
        ] {
            assert_eq!(body(protocol, given, directive, None), given);
        }
    }
}
