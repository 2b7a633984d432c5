//! Objects without a sentence in them, as they stand: `"plan": "Basic", "price": 5`.

use std::ops::Range;

use super::beside::own_address;
use super::told::{Told, says_of_others};
use super::{OBJECT_BYTES_MAX, OBJECTS_MAX, Said, Statement, tokens};
use crate::domain::adapters::shape::{Member, members};
use crate::domain::synthesis::claims::statements::opening::{ascending, within_marks};

/// Bytes of one with its blanks: a longer one isn't looked at.
const INSIDE_BYTES_MAX: usize = 4 * OBJECT_BYTES_MAX;

/// A brace that is open: what follows it, how many objects were found before it, whether one is within, the key before it, and
/// whether it is about the answer or stands in what is.
struct Open {
    at: usize,
    before: usize,
    has_inner: bool,
    key: Range<usize>,
    is_aside: bool,
}

/// The innermost objects of JSON, as they stand between their braces, or the one around those where it says something of them:
/// of `{"carrier": "TAP", "price": {"amount": 149, "currency": "EUR"}}` all.
pub(in crate::domain::synthesis::claims::statements) fn objects<'t>(
    said: Said<'t, '_>,
    json: Range<usize>,
) -> Vec<Statement<'t>> {
    let text = said.text;
    let strings = tokens(text, json.clone());
    let (mut open, mut found, mut string) = (Vec::<Open>::new(), Vec::new(), 0);
    let mut at = json.start;
    while let Some(next) = memchr::memchr3(b'{', b'}', b'"', &text.as_bytes()[at..json.end]) {
        let here = at + next;
        at = here + 1;
        match text.as_bytes()[here] {
            b'"' => {
                at = strings.get(string).map_or(json.end, |string| string.end + 1).max(at).min(json.end);
                string += 1;
            }
            b'{' => {
                if let Some(around) = open.last_mut() {
                    around.has_inner = true;
                }
                let key = string.checked_sub(1).and_then(|before| strings.get(before));
                let key = key.filter(|key| text.get(key.end..here).is_some_and(is_joint));
                let key = key.cloned().unwrap_or_default();
                let is_aside =
                    open.last().is_some_and(|around| around.is_aside) || Told::is_about(&text[key.clone()]);
                open.push(Open { at, before: found.len(), has_inner: false, key, is_aside });
            }
            _ => {
                let Some(closed) = open.pop() else { continue };
                let outer = open.last().map_or("", |outer| &text[outer.key.clone()]);
                let is_entry = !open.is_empty() && closed.key.is_empty();
                let (open, key) = (&closed, &text[closed.key.clone()]);
                let whole = object(said, open.at..here);
                let Some(mut object) = whole.or_else(|| member(said, open, at)) else { continue };
                object.around.keys = if object.start < open.at { [outer, ""] } else { [key, outer] };
                let is_around =
                    || found.len() > open.before && says_of_others(&text[open.at - 1..at], is_entry);
                match open.has_inner {
                    true if is_around() => {
                        found.truncate(open.before);
                        found.push(object);
                    }
                    false if found.len() < OBJECTS_MAX => found.push(object),
                    true | false => {}
                }
            }
        }
    }
    found
}

/// An object of one member with the key that it stands below: `"qdrant": {"p99_ms": 12}`.
fn member<'t>(said: Said<'t, '_>, Open { key, is_aside, .. }: &Open, end: usize) -> Option<Statement<'t>> {
    if key.is_empty() || *is_aside || end - key.start > OBJECT_BYTES_MAX {
        return None;
    }
    let (start, subagent) = (key.start - 1, said.subagent);
    let text = &said.text[start..end];
    let says = text.matches(':').count() == 2 && text.contains(|c: char| c.is_ascii_digit());
    says.then(|| Statement { text, start, subagent, ..Statement::default() })
}

/// Whether nothing stands between the end of a key and a brace but a colon.
fn is_joint(between: &str) -> bool {
    between.strip_prefix('"').is_some_and(|between| between.trim() == ":")
}

/// What stands between two braces, where that says something and is read at a glance.
fn object<'t>(said: Said<'t, '_>, inside: Range<usize>) -> Option<Statement<'t>> {
    if inside.len() > INSIDE_BYTES_MAX {
        return None;
    }
    let (whole, end) = (said.text.get(inside.clone())?, inside.end);
    let (shown, start) = (whole.trim(), end - whole.trim_start().len());
    let says = shown.contains(char::is_alphabetic) && shown.contains(',');
    let is_short = shown.len() <= OBJECT_BYTES_MAX;
    (says && is_short).then(|| {
        let own = |members: Vec<Member<'_>>| own_address(&members).and_then(said.source_of);
        let url = said.text.get(inside.start - 1..inside.end + 1).and_then(members).and_then(own);
        let marks = within_marks(said.marks, inside).iter().map(|mark| mark.source);
        let sources = ascending(marks.chain(url).collect());
        Statement { text: shown, start, subagent: said.subagent, sources, ..Statement::default() }
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    #[test]
    fn an_object_that_says_something_of_those_in_it_is_quoted_whole() {
        for (text, expected) in [
            (
                r#"{"carrier":"TAP","price":{"amount":149.99,"currency":"EUR"}}"#,
                r#""carrier":"TAP","price":{"amount":149.99,"currency":"EUR"}"#,
            ),
            (
                r#"{"flights":[{"carrier":"TAP","price":{"amount":149.99,"currency":"EUR"}}]}"#,
                r#""carrier":"TAP","price":{"amount":149.99,"currency":"EUR"}"#,
            ),
            (
                r#"{"orders":[{"id":7,"customer":"Ann","items":[{"sku":"A1","qty":2}]}]}"#,
                r#""id":7,"customer":"Ann","items":[{"sku":"A1","qty":2}]"#,
            ),
            // What is about the answer says nothing of what is in it.
            (
                r#"{"status":"ok","price":{"amount":149.99,"currency":"EUR"}}"#,
                r#""amount":149.99,"currency":"EUR""#,
            ),
        ] {
            let stated: Vec<&str> = read(text, "a").into_iter().map(|said| said.text).collect();
            assert_eq!(stated, [expected], "{text}");
        }
    }

    #[test]
    fn what_an_object_says_rests_on_its_address() {
        let url = r#""url":"https://nine.example/report""#;
        for (text, sources) in [
            (format!(r#"{{"offers":[{{"product":"Poujeaux","price_eur":39.0,{url}}}]}}"#), vec![9]),
            (
                format!(r#"{{"product":"Poujeaux","price":{{"amount":39.0,"currency":"EUR"}},{url}}}"#),
                vec![9],
            ),
            (format!(r#"{{"offers":[{{"product":"Poujeaux","price_eur":39.0}}],{url}}}"#), vec![]),
        ] {
            let found = read(&text, "a");
            assert_eq!(found[0].sources, sources, "{text}");
        }
    }

    #[test]
    fn an_object_of_one_member_is_quoted_with_its_key() {
        for (text, expected) in [
            (
                r#"{"qdrant": {"p99_ms": 12}, "pgvector": {"p99_ms": 60}}"#,
                &[r#""qdrant": {"p99_ms": 12}"#, r#""pgvector": {"p99_ms": 60}"#][..],
            ),
            (r#"{"usage": {"total_tokens": 12}, "meta": {"page": {"n": 1}}}"#, &[]),
            (r#"{"items": [{"severity": 3}, {"severity": 4}]}"#, &[]),
            (r#"{"qdrant": {"p99_ms": 12}}"#, &[r#""p99_ms": 12"#]),
        ] {
            let stated: Vec<&str> = read(text, "a").into_iter().map(|said| said.text).collect();
            assert_eq!(stated, expected, "{text}");
        }
    }

    #[test]
    fn members_keep_the_keys_that_they_stand_below() {
        for (text, expected) in [
            (r#"{"dbs": {"qdrant": {"p99_ms": 12, "recall": 0.98}}}"#, ["qdrant", "dbs"]),
            (r#"{"dbs": {"qdrant": {"p99_ms": 12}}}"#, ["qdrant", "dbs"]),
            (
                r#"{"said": "The lab has tested all of them twice.", "qdrant": {"p99_ms": 12, "recall": 0.98}}"#,
                ["qdrant", ""],
            ),
            (r#"[{"plan": "Basic", "price": 5}]"#, [""; 2]),
        ] {
            let keys = read(text, "a").last().map(|said| said.around.keys);
            assert_eq!(keys, Some(expected), "{text}");
        }
    }
}
