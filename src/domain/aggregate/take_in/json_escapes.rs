//! JSON with its escapes resolved where it is the same JSON without them: `M\u00fcnchen` is `München`, whoever wrote it.
//!
//! Many writers of JSON escape all that isn't ASCII. What is quoted stands in the text as it is quoted, so the text itself is written
//! anew, once, before anything reads it. What JSON must escape stays so: a quotation mark, a backslash, a control character; and half of a
//! surrogate pair is no text.

use super::TaskInput;
use crate::domain::synthesis::claims::json_in;

/// Writes the JSON of a text without the escapes that it needn't have. Linear.
pub fn resolve_escapes(input: &mut TaskInput) {
    if let Some(content) = resolved(&input.content) {
        input.content = content;
    }
}

fn resolved(text: &str) -> Option<String> {
    if !text.contains("\\u") && !text.contains("\\/") {
        return None;
    }
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for json in json_in(text) {
        out.push_str(&text[done..json.start]);
        write(&text[json.clone()], &mut out);
        done = json.end;
    }
    out.push_str(&text[done..]);
    (out.len() < text.len()).then_some(out)
}

fn write(json: &str, out: &mut String) {
    let mut done = 0;
    while let Some(at) = memchr::memchr(b'\\', &json.as_bytes()[done..]).map(|next| done + next) {
        out.push_str(&json[done..at]);
        done = match escape(&json[at..]) {
            Some((c, length)) => {
                out.extend(matches!(c, '"' | '\\').then_some('\\'));
                out.push(c);
                at + length
            }
            // It may be cut off behind the backslash.
            None => {
                let length = 1 + json[at + 1..].chars().next().map_or(0, char::len_utf8);
                out.push_str(&json[at..at + length]);
                at + length
            }
        };
    }
    out.push_str(&json[done..]);
}

/// The character that an escape stands for where that needs none, with the bytes of the escape.
fn escape(at: &str) -> Option<(char, usize)> {
    const LENGTH: usize = r"\u0000".len();
    if at.starts_with(r"\/") {
        return Some(('/', 2));
    }
    let unit = |at: &str| {
        let digits = at.strip_prefix("\\u")?.get(..4)?;
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if is_number { u16::from_str_radix(digits, 16).ok() } else { None }
    };
    let first = unit(at)?;
    let second = at.get(LENGTH..).and_then(unit);
    let mut decoded = char::decode_utf16(std::iter::once(first).chain(second));
    let c = decoded.next()?.ok()?;
    (!c.is_control()).then_some((c, LENGTH * c.len_utf16()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_escape_is_written_as_it_is() {
        for (json, expected) in [
            (r#"{"city": "M\u00fcnchen", "t": "\u6771\u4eac"}"#, r#"{"city": "München", "t": "東京"}"#),
            (r#"{"a": "\uD83D\uDE00 \u2013 \u201cso\u201d"}"#, "{\"a\": \"😀 – “so”\"}"),
            (r#"{"url": "https:\/\/a.example\/x"}"#, r#"{"url": "https://a.example/x"}"#),
            (r#"{"a": "\u0022no\u0022 \u005c"}"#, r#"{"a": "\"no\" \\"}"#),
            ("```json\n{\"a\": \"caf\\u00e9\"}\n```", "```json\n{\"a\": \"café\"}\n```"),
        ] {
            assert_eq!(resolved(json).as_deref(), Some(expected), "{json}");
            assert!(resolved(expected).is_none());
        }
    }

    #[test]
    fn what_must_be_escaped_or_is_no_json_stays() {
        for text in [
            r#"{"a": "C:\\u00fcber \" \n \t"}"#,
            r#"{"a": "\u000a\u0000", "b": "\ud83d", "c": "\u12", "d": "\u+123"}"#,
            r"The escape \u00fc stands for one letter.",
        ] {
            assert_eq!(resolved(text), None, "{text}");
        }
    }
}
