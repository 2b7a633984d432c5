//! Answers of frameworks for agents, pushed as they came: their text is found and stands under `content`. What they tell of
//! the run (its ids, its cost) isn't of the answer, and stays where it was, below a name that says so.
//!
//! | sent | the answer | whose |
//! |---|---|---|
//! | `data.outputs` beside `workflow_run_id` | the one text of the outputs, else the outputs | Dify's workflows |
//! | `answer` beside `conversation_id` and `message_id` | it | Dify's chats |
//! | `raw` beside `tasks_output` or `token_usage` | `raw` | CrewAI |
//! | `outputs[0].outputs[0].results.message` | its `text` | Langflow |
//! | `<component>.replies` | the first reply | Haystack |
//! | `final_output` beside `new_items` or `raw_responses` | it | OpenAI's Agents SDK |
//! | `output.text` beside `citations` or `sessionId` | it | Bedrock's agents |
//!
//! Only what was found is taken away from its place: the rest stands there, in `metadata` where it stood in a place of the answer.

use super::shape::{Member, ObjectText, is_array, is_object, is_text, members, quoted};
use super::values::{below, find, items, plain, says_something};

/// What is found: the answer, as the value of `content` or as an object whose members it is, and the member that it
/// stood in with what is left of that, under another name where that is one of an answer.
struct Found<'a> {
    answer: String,
    place: &'a str,
    left: Option<(&'static str, String)>,
}

/// The answer of a framework as an object `{content, …}`; `None` for any other.
pub(super) fn opened(members: &[Member<'_>]) -> Option<String> {
    if find(members, "content").is_some_and(is_text) {
        return None;
    }
    let readers = [dify, dify_chat, crew, bedrock, agents_sdk, langflow, haystack];
    let found = readers.into_iter().find_map(|read| read(members))?;
    let mut object = ObjectText::new(256);
    let inner = self::members(&found.answer);
    match &inner {
        Some(inner) => object.members(inner),
        None => object.member("content", &found.answer),
    }
    let own: Vec<&str> = match &inner {
        Some(inner) => inner.iter().map(|member| member.key.0.as_ref()).collect(),
        None => vec!["content"],
    };
    let others = members.iter().filter(|member| member.key.0 != *found.place);
    let mut taken: Vec<String> = own.iter().map(|name| (*name).to_owned()).collect();
    let kept = others.map(|member| (member.key.0.as_ref(), member.value));
    let left = found.left.as_ref().map(|(name, value)| (*name, value.as_str()));
    for (name, value) in kept.chain(left) {
        let mut name = name.to_owned();
        while taken.contains(&name) {
            name.push('_');
        }
        object.member(&name, value);
        taken.push(name);
    }
    Some(object.finish())
}

fn dify<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    find(members, "workflow_run_id")?;
    let data = find(members, "data")?;
    let outputs = below(data, &["outputs"]).filter(|outputs| is_object(outputs))?;
    let inner = self::members(outputs)?;
    let only = match inner.as_slice() {
        [Member { value, .. }] if is_text(value) => Some(*value),
        _ => None,
    };
    let answer = only.unwrap_or(outputs).to_owned();
    Some(Found { answer, place: "data", left: Some(("metadata", without(data, "outputs")?)) })
}

fn dify_chat<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    let is_its = ["conversation_id", "message_id"].iter().all(|name| find(members, name).is_some());
    let answer = find(members, "answer").filter(|answer| is_its && is_text(answer))?;
    Some(Found { answer: answer.to_owned(), place: "answer", left: None })
}

fn crew<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    let is_crews = ["tasks_output", "token_usage"].iter().any(|name| find(members, name).is_some());
    let raw = find(members, "raw").filter(|raw| is_crews && is_text(raw))?;
    Some(Found { answer: raw.to_owned(), place: "raw", left: None })
}

fn agents_sdk<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    let is_its = ["new_items", "raw_responses"].iter().any(|name| find(members, name).is_some());
    let output =
        find(members, "final_output").filter(|output| is_its && (is_text(output) || is_object(output)))?;
    Some(Found { answer: output.to_owned(), place: "final_output", left: None })
}

fn bedrock<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    let is_its = ["citations", "sessionId"].iter().any(|name| find(members, name).is_some());
    let output = find(members, "output").filter(|_| is_its)?;
    let text = below(output, &["text"]).filter(|text| is_text(text))?;
    let left = without(output, "text").filter(|left| left != "{}");
    Some(Found { answer: text.to_owned(), place: "output", left: left.map(|left| ("metadata", left)) })
}

fn langflow<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    let outputs = find(members, "outputs").filter(|outputs| is_array(outputs))?;
    let message = below(outputs, &["0", "outputs", "0", "results", "message"])?;
    let text = below(message, &["text"]).or_else(|| below(message, &["data", "text"]))?;
    let text = Some(text).filter(|text| is_text(text))?;
    Some(Found { answer: text.to_owned(), place: "outputs", left: Some(("trace", outputs.to_owned())) })
}

fn haystack<'a>(members: &'a [Member<'_>]) -> Option<Found<'a>> {
    let replies = |member: &&Member<'_>| below(member.value, &["replies"]).is_some_and(is_array);
    let mut components = members.iter().filter(replies);
    let (component, None) = (components.next()?, components.next()) else { return None };
    let first = below(component.value, &["replies", "0"])?;
    let text = text_of(first)?;
    let left = without(component.value, "replies").filter(|left| left != "{}");
    Some(Found { answer: text, place: component.key.0.as_ref(), left: left.map(|left| ("metadata", left)) })
}

/// A text, or those of the parts of a message, as JSON.
fn text_of(value: &str) -> Option<String> {
    if is_text(value) {
        return Some(value.to_owned()).filter(|text| says_something(text));
    }
    if let Some(parts) = items(value) {
        let text = |part: &str| {
            if is_text(part) {
                Some(part.to_owned())
            } else {
                find(&members(part)?, "text").map(str::to_owned)
            }
        };
        let texts: Vec<String> =
            parts.into_iter().filter_map(|part| text(part).map(|text| plain(&text).into_owned())).collect();
        let text = quoted(&texts.concat());
        return says_something(&text).then_some(text);
    }
    let inner = members(value)?;
    ["content", "text", "_content"].iter().find_map(|name| text_of(find(&inner, name)?))
}

/// An object without one of its members.
fn without(object: &str, name: &str) -> Option<String> {
    let members = members(object)?;
    let mut left = ObjectText::new(object.len());
    members
        .iter()
        .filter(|member| member.key.0 != name)
        .for_each(|member| left.member(&member.key.0, member.value));
    Some(left.finish())
}

#[cfg(test)]
mod tests;
