//! Rows that stand under no name of theirs.
//!
//! | sent, without rows | its rows |
//! |---|---|
//! | a text that is a table, or JSON, under one of [`TEXTS`] | the table's; what stands around it is `content` |
//! | one list of objects under another name (`{"customers": [{…}]}`) | the list |
//! | one record, under one of [`RECORDS`] or by itself: two plain values or more that don't tell of the answer | it alone |

use std::collections::HashSet;

use super::super::shape::{Member, ObjectText, is_array, is_object, is_text, members};
use super::super::values::{embedded, find, items, plain};
use super::{FIELDS, has_own_table, texts};

/// Members that may be a text with a table.
const TEXTS: [&str; 19] = [
    "rows",
    "data",
    "records",
    "results",
    "result",
    "items",
    "values",
    "table",
    "csv",
    "tsv",
    "markdown",
    "preview",
    "output",
    "content",
    "answer",
    "text",
    "response",
    "message",
    "output_text",
];
/// Members that may be one record.
const RECORDS: [&str; 7] = ["row", "record", "item", "result", "data", "output", "response"];
/// Lists of objects that are no rows.
const OTHER_LISTS: [&str; 16] = [
    "messages",
    "choices",
    "candidates",
    "tool_calls",
    "toolCalls",
    "citations",
    "sources",
    "source_nodes",
    "parts",
    "artifacts",
    "content",
    "errors",
    "warnings",
    "steps",
    "history",
    "annotations",
];
/// Members that tell of the answer rather than of what was asked for.
const ABOUT: [&str; 28] = [
    "status",
    "state",
    "ok",
    "success",
    "code",
    "type",
    "kind",
    "object",
    "model",
    "usage",
    "message",
    "error",
    "detail",
    "reason",
    "content",
    "answer",
    "text",
    "output",
    "response",
    "result",
    "summary",
    "explanation",
    "note",
    "finish_reason",
    "confidence",
    "relevance",
    "retryable",
    "unread",
];

/// An object that has them as `rows`, or as an envelope; `sent` are its members, `opened` the same with those of envelopes.
pub(super) fn with_rows(sent: &[Member<'_>], opened: &[Member<'_>]) -> Option<String> {
    in_a_text(opened)
        .or_else(|| in_a_list(opened))
        .or_else(|| record_below(sent))
        .or_else(|| is_record(opened).then(|| around(&one_row(opened), Vec::new())))
}

/// Whether an object has a list of rows, or a text with a table, under another name.
pub(super) fn has_rows(members: &[Member<'_>]) -> bool {
    in_a_text(members).is_some() || in_a_list(members).is_some()
}

fn in_a_text(members: &[Member<'_>]) -> Option<String> {
    let held = |member: &Member<'_>| {
        let is_one = TEXTS.contains(&member.key.0.as_ref()) && is_text(member.value);
        let json = is_one.then(|| embedded(member.value)).flatten();
        let json = json.filter(|held| !is_object(held) || has_own_table(held));
        json.or_else(|| is_one.then(|| texts::table_in(&plain(member.value))).flatten())
    };
    let (at, held) = members.iter().enumerate().find_map(|(at, member)| Some((at, held(member)?)))?;
    let others = members.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, member)| member);
    Some(around(&held, others.collect()))
}

/// A table, with the members around it: what it says of itself goes before what they say, which stays under a free name.
fn around(table: &str, others: Vec<&Member<'_>>) -> String {
    let inner = members(table);
    let mut object = ObjectText::new(table.len() + 64);
    let mut taken: HashSet<String> = HashSet::new();
    match &inner {
        Some(inner) => {
            object.members(inner);
            taken.extend(inner.iter().map(|member| member.key.0.to_string()));
        }
        None => {
            object.member("rows", table);
            taken.insert("rows".to_owned());
        }
    }
    for Member { key, value } in others {
        let mut name = key.0.to_string();
        if *value == "null" && taken.contains(&name) {
            continue;
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        object.member(&name, value);
    }
    object.finish()
}

fn in_a_list(members: &[Member<'_>]) -> Option<String> {
    let is_list = |member: &&Member<'_>| {
        let all_objects = || {
            items(member.value)
                .is_some_and(|list| !list.is_empty() && list.iter().all(|item| is_object(item)))
        };
        is_array(member.value) && !OTHER_LISTS.contains(&member.key.0.as_ref()) && all_objects()
    };
    let mut lists = members.iter().filter(is_list);
    let (list, None) = (lists.next()?, lists.next()) else { return None };
    Some(around(list.value, members.iter().filter(|member| member.key.0 != list.key.0).collect()))
}

fn record_below(sent: &[Member<'_>]) -> Option<String> {
    let is_one = |name: &&&str| find(sent, name).and_then(members).is_some_and(|inner| is_record(&inner));
    let name = RECORDS.iter().find(is_one)?;
    let row = format!("[{}]", find(sent, name)?);
    Some(around(&row, sent.iter().filter(|member| member.key.0 != **name).collect()))
}

/// Whether an object is one row rather than an answer that has none.
fn is_record(members: &[Member<'_>]) -> bool {
    let [_, columns, rows, ..] = FIELDS;
    let of_a_table = |key: &str| {
        let names =
            FIELDS.iter().filter(|field| !matches!(field.name, "title" | "query")).map(|field| field.name);
        names
            .chain(columns.aliases.iter().copied())
            .chain(rows.aliases.iter().copied())
            .any(|name| name == key)
    };
    let is_plain = |member: &&Member<'_>| {
        let tells = ABOUT.contains(&member.key.0.as_ref());
        !tells && !is_array(member.value) && !is_object(member.value) && member.value != "null"
    };
    !members.iter().any(|member| of_a_table(&member.key.0)) && members.iter().filter(is_plain).count() > 1
}

fn one_row(members: &[Member<'_>]) -> String {
    let mut object = ObjectText::new(256);
    object.members(members);
    format!("[{}]", object.finish())
}
