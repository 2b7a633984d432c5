//! Where an action stands in what was sent, and what else it may be called by.

use std::borrow::Cow;

use super::super::shape::{Field, Member, quoted};
use super::super::values::{find, items, opened, plain, says_something};
use super::{CALL_ENVELOPE, ENVELOPES, FIELDS, calls};
use crate::domain::canonical_json::Text;

/// Envelopes of a whole answer, opened where that says nothing of an action itself, the outermost first.
const OF_AN_ANSWER: [&[&str]; 2] =
    [&["output", "response", "body"], &["result", "data", "card", "proposal", "confirmation"]];
/// Types that are no action's.
const OTHER_TYPES: [&str; 13] = [
    "text", "object", "error", "json", "result", "action", "workflow", "response", "data", "string", "card",
    "event", "task",
];

fn opened_for_action(members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    if members.iter().any(|member| member.key.0 == "parameters") {
        return members;
    }
    let called = members.iter().any(|member| member.key.0 == "method").then_some(CALL_ENVELOPE);
    ENVELOPES.into_iter().chain(called).fold(members, opened)
}

/// The members with those of an envelope around the whole answer, should the action stand in there.
pub(super) fn with_action(members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    let says_so = |members: &[Member<'_>]| {
        let is_said = |field: &Field| {
            let named = |member: &Member<'_>| {
                field.name == member.key.0 || field.aliases.contains(&member.key.0.as_ref())
            };
            members.iter().any(|member| named(member) && (field.fits)(member.value))
        };
        let [action, _, summary, ..] = &FIELDS;
        is_said(action) || is_said(summary) || calls::found("", members).name.is_some()
    };
    let members = opened_for_action(members);
    if says_so(&members) {
        return members;
    }
    let copies = members.iter().map(copied).collect();
    let inner = OF_AN_ANSWER.into_iter().fold(copies, opened);
    let inner = opened_for_action(inner);
    let has_type = |members: &[Member<'_>]| type_of_action(members).is_some();
    let is_inside = says_so(&inner) || has_type(&inner) && !has_type(&members);
    if is_inside { inner } else { members }
}

fn copied<'a>(member: &Member<'a>) -> Member<'a> {
    Member { key: Text(Cow::Owned(member.key.0.to_string())), value: member.value }
}

/// The `type` of an object that is called by it.
pub(super) fn type_of_action(members: &[Member<'_>]) -> Option<String> {
    let kind = find(members, "type").filter(|kind| says_something(kind) && !calls::is_message(members))?;
    let is_other = OTHER_TYPES.contains(&plain(kind).as_ref());
    (!is_other).then(|| kind.to_owned())
}

/// A list of texts, as one.
pub(super) fn texts_of(list: &str) -> Option<String> {
    let texts =
        items(list).filter(|texts| !texts.is_empty() && texts.iter().all(|text| says_something(text)))?;
    let texts: Vec<_> = texts.into_iter().map(plain).collect();
    Some(quoted(&texts.join("; ")))
}
