//! Objects without a sentence in them, as they stand: `"plan": "Basic", "price": 5`.

use std::ops::Range;

use super::told::says_of_others;
use super::{OBJECT_BYTES_MAX, OBJECTS_MAX, Said, Statement, tokens};

/// Bytes of one with its blanks: a longer one isn't looked at.
const INSIDE_BYTES_MAX: usize = 4 * OBJECT_BYTES_MAX;

/// A brace that is open: what follows it, how many objects were found before it, and whether one is within.
struct Open {
    at: usize,
    before: usize,
    has_inner: bool,
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
                open.push(Open { at, before: found.len(), has_inner: false });
            }
            _ => {
                let Some(open) = open.pop() else { continue };
                let Some(object) = object(said, open.at..here) else { continue };
                let is_around = || found.len() > open.before && says_of_others(&text[open.at - 1..at]);
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

/// What stands between two braces, where that says something and is read at a glance.
fn object<'t>(said: Said<'t, '_>, inside: Range<usize>) -> Option<Statement<'t>> {
    if inside.len() > INSIDE_BYTES_MAX {
        return None;
    }
    let (whole, end) = (said.text.get(inside.clone())?, inside.end);
    let (shown, start) = (whole.trim(), end - whole.trim_start().len());
    let says = shown.contains(char::is_alphabetic) && shown.contains(',');
    let is_short = shown.len() <= OBJECT_BYTES_MAX;
    (says && is_short).then(|| Statement {
        text: shown,
        start,
        subagent: said.subagent,
        ..Statement::default()
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
}
