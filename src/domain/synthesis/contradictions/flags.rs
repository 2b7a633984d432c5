//! A member of JSON that is all that an object says but for names, with another value in another output: `{"safe_to_merge": true}` and
//! `{"safe_to_merge": false}`, `{"duration_min": 53}` and `{"duration_min": 68}`.
//!
//! What such an object is of stands nowhere in it. So the strings beside it must be the same, or each must be all that its subagent says,
//! of one task or where the query asks one thing.

use std::collections::BTreeMap;

use super::between::independent;
use super::differ::Difference;
use super::existing::are_of_one;
use super::labelled::{asks_one, is_own};
use super::{CHECKS_MAX, Kind};
use crate::domain::adapters::shape::members;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::words::Lexicon;

/// Bytes of members that are read.
const BYTES_MAX: usize = 200;
/// Keys of numbers that each output has its own of, besides [`is_own`].
#[rustfmt::skip]
const ASIDE: &[&str] = &[
    "index", "position", "priority", "timestamp", "time", "elapsed", "latency", "tokens", "count", "total", "limit", "offset", "size", "version", "run", "seed", "row", "rows", "ms", "code", "port", "line", "success", "ok", "error", "partial", "truncated", "final", "cached",
];

/// What is said of one thing.
struct Read<'s> {
    at: usize,
    statement: &'s Statement<'s>,
    value: Value,
    /// Whether strings beside it say what it is of.
    is_named: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Value {
    Flag(bool),
    Number(f64),
}

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences(
    order: &[usize],
    (statements, features): (&[Statement<'_>], &[&Features<'_>]),
    query: &str,
    lexicon: &mut Lexicon,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let mut same: BTreeMap<Vec<String>, Vec<Read<'_>>> = BTreeMap::new();
    for &at in order.iter().filter(|at| statements[**at].text.starts_with('"')) {
        if let Some((key, read)) = read(at, &statements[at]) {
            same.entry(key).or_default().push(read);
        }
    }
    let (mut found, mut checked) = (Vec::new(), 0);
    for all in same.values().filter(|all| all.len() > 1) {
        for (place, one) in all.iter().enumerate().take(CHECKS_MAX) {
            for other in all[place + 1..].iter().take(CHECKS_MAX) {
                checked += 1;
                let kind = match (one.value, other.value) {
                    (Value::Flag(one), Value::Flag(other)) if one != other => Kind::Polarity,
                    (Value::Number(one), Value::Number(other)) if one != other => Kind::Number,
                    _ => continue,
                };
                let both = [one, other].map(|read| (read.statement, features[read.at]));
                let by = |read: &Read<'_>| {
                    all.iter().filter(|of| of.statement.subagent == read.statement.subagent).count()
                };
                let is_all = |read: &Read<'_>| {
                    statements.iter().filter(|of| of.subagent == read.statement.subagent).nth(1).is_none()
                };
                let has_task =
                    || !both[0].0.around.task.is_empty() && both[0].0.around.task == both[1].0.around.task;
                let are_told =
                    one.is_named || is_all(one) && is_all(other) && (has_task() || asks_one(query));
                if are_told
                    && by(one) == 1
                    && by(other) == 1
                    && independent(one.statement, other.statement)
                    && are_of_one(both[0], both[1], lexicon)
                {
                    let [mine, theirs] = both.map(|(said, _)| said.text.to_owned());
                    found.push(([one.at, other.at], Difference::new(kind, mine, theirs)));
                }
            }
        }
    }
    (found, checked)
}

/// What an object says, by its key, what it stands below and the strings beside it.
fn read<'s>(at: usize, statement: &'s Statement<'s>) -> Option<(Vec<String>, Read<'s>)> {
    let text = Some(statement.text).filter(|text| text.len() <= BYTES_MAX)?;
    let object = format!("{{{text}}}");
    let all = members(&object)?;
    let mut told = None;
    let mut key: Vec<String> = statement.around.keys.iter().map(|key| (*key).to_owned()).collect();
    key.push(statement.heading.to_owned());
    let mut beside = Vec::new();
    for member in &all {
        let name = member.key.0.to_lowercase();
        if member.value.starts_with('"') {
            beside.push(format!("{name}={}", member.value.to_lowercase()));
        } else if told.is_none() {
            told = Some((name, value(member.value)?));
        } else {
            return None;
        }
    }
    let (name, value) = told?;
    let is_aside = name.split(['_', '-']).any(|word| ASIDE.contains(&word) || is_own(word));
    if is_aside {
        return None;
    }
    beside.sort_unstable();
    let is_named = !beside.is_empty();
    key.push(name);
    key.append(&mut beside);
    Some((key, Read { at, statement, value, is_named }))
}

fn value(value: &str) -> Option<Value> {
    match value {
        "true" => Some(Value::Flag(true)),
        "false" => Some(Value::Flag(false)),
        _ => value.parse().ok().map(Value::Number),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::between_texts;

    #[test]
    fn another_value_of_the_same_member_contradicts() {
        for (one, other) in [
            (r#"{"supported": true, "feature": "SCIM"}"#, r#"{"supported": false, "feature": "SCIM"}"#),
            (r#"{"feature": "SCIM", "seats": 5}"#, r#"{"seats": 7, "feature": "SCIM"}"#),
        ] {
            assert_eq!(between_texts(one, other).len(), 1, "{one} / {other}");
            assert_eq!(between_texts(other, one).len(), 1, "{one} / {other}");
        }
    }

    #[test]
    fn another_member_or_what_each_has_of_its_own_contradicts_nothing() {
        for (one, other) in [
            (r#"{"supported": true, "feature": "SCIM"}"#, r#"{"supported": false, "feature": "SSO"}"#),
            (r#"{"supported": true, "feature": "SCIM"}"#, r#"{"included": false, "feature": "SCIM"}"#),
            (r#"{"supported": true, "feature": "SCIM"}"#, r#"{"supported": true, "feature": "SCIM"}"#),
            (
                r#"{"supported": true, "since": 5, "feature": "SCIM"}"#,
                r#"{"supported": false, "since": 6, "feature": "SCIM"}"#,
            ),
            // Nothing tells that both are of one thing.
            (r#"{"supported": true}"#, r#"{"supported": false}"#),
        ] {
            assert_eq!(between_texts(one, other).len(), 0, "{one} / {other}");
        }
    }
}
