//! JSON of any shape, read member by member without a tree: order is kept, and what isn't asked for isn't looked at.
//!
//! Each of these takes the text of one JSON value. None fails: what isn't of the kind that was asked for is `None`.
//! Reading a value costs one pass over it, so a value is read once per level at which something is asked for.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::domain::adapters::shape;
use crate::domain::canonical_json::Text;

/// One member of an object: its key, and its value's JSON.
pub(super) type Member<'a> = (Cow<'a, str>, &'a str);

/// The members of an object, in order.
pub(super) fn members(json: &str) -> Option<Vec<Member<'_>>> {
    let members = shape::members(json.trim_start())?;
    Some(members.into_iter().map(|shape::Member { key: Text(key), value }| (key, value)).collect())
}

/// The items of an array.
pub(super) fn items(json: &str) -> Option<Vec<&str>> {
    if !json.trim_start().starts_with('[') {
        return None;
    }
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// The first member of that name, where it isn't null.
pub(super) fn member<'a>(members: &[Member<'a>], name: &str) -> Option<&'a str> {
    members
        .iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| *value)
        .filter(|value| value.trim() != "null")
}

/// A string.
pub(super) fn text(json: &str) -> Option<String> {
    if !json.trim_start().starts_with('"') {
        return None;
    }
    serde_json::from_str(json).ok()
}

/// A number.
pub(super) fn number(json: &str) -> Option<f64> {
    serde_json::from_str(json).ok()
}

/// A boolean.
pub(super) fn boolean(json: &str) -> Option<bool> {
    serde_json::from_str(json).ok()
}

/// A string, a number or a boolean as text on its own.
pub(super) fn scalar(json: &str) -> Option<String> {
    let plain = json.trim();
    match plain.bytes().next()? {
        b'"' => text(plain),
        b'{' | b'[' | b'n' => None,
        _ => Some(plain.to_owned()),
    }
}

/// Deepest indentation that [`pretty`] makes: beyond it, nesting would cost more bytes than the value has.
const INDENT_MAX: usize = 24;

/// Valid JSON with a line for each member and item, in its own order, two spaces a level. A letter that is written as an
/// escape (`\u5ba2`, as many programs write all that isn't ASCII) is itself.
pub(super) fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut chars = json.trim().chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            if c == '\\'
                && !escaped
                && let Some((letter, escape)) = escaped_letter(chars.clone())
            {
                out.push(letter);
                chars.nth(escape - 1);
                continue;
            }
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            ' ' | '\t' | '\n' | '\r' => {}
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                if let Some(close) = chars.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

/// The character that the escape behind a backslash is for, and the escape's length, where it can be shown as it is.
fn escaped_letter(mut behind: impl Iterator<Item = char>) -> Option<(char, usize)> {
    let first = code_unit(&mut behind)?;
    let (letter, length) = match char::from_u32(first.into()) {
        Some(letter) => (letter, 5),
        // The first half of a pair; the other one is behind a backslash of its own.
        None => {
            let second = (behind.next()? == '\\').then(|| code_unit(&mut behind))??;
            (char::decode_utf16([first, second]).next()?.ok()?, 11)
        }
    };
    // Marks that nobody sees stay written out.
    let is_seen = letter.is_alphanumeric()
        || matches!(letter, '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{BF}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}'
            | '\u{20A0}'..='\u{2BFF}' | '\u{3001}'..='\u{303F}' | '\u{FF01}'..='\u{FF5E}' | '\u{1F300}'..='\u{1FAFF}');
    (is_seen && !letter.is_ascii()).then_some((letter, length))
}

/// Of `u5ba2` the number.
fn code_unit(behind: &mut impl Iterator<Item = char>) -> Option<u16> {
    let escape: String = behind.take(5).collect();
    let digits = escape.strip_prefix('u').filter(|digits| digits.len() == 4 && !digits.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(INDENT_MAX)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_by_kind() {
        let read = members(r#" {"a": "x\n", "b": [1, {"c": 2}], "a": 3, "d": null} "#).unwrap();
        assert_eq!(read.len(), 4);
        assert_eq!(member(&read, "a").and_then(text).as_deref(), Some("x\n"));
        assert_eq!(member(&read, "b").and_then(items), Some(vec!["1", r#"{"c": 2}"#]));
        assert_eq!(member(&read, "d"), None);
        for (json, is_object) in [("[]", false), ("7", false), ("{", false), ("", false), ("{}", true)] {
            assert_eq!(members(json).is_some(), is_object, "{json}");
        }
        assert_eq!(scalar(" 1.50 ").as_deref(), Some("1.50"));
        assert_eq!(scalar("null"), None);
    }

    #[test]
    fn letters_are_shown_as_such() {
        for (given, shown) in [
            (r#"{"\u5ba2":"\u4e0a\u6d77 \ud83d\ude00"}"#, "{\n  \"客\": \"上海 😀\"\n}"),
            (
                r#"["\u0022\u202e\u0041","\\u5ba2","\ud83d"]"#,
                "[\n  \"\\u0022\\u202e\\u0041\",\n  \"\\\\u5ba2\",\n  \"\\ud83d\"\n]",
            ),
        ] {
            assert_eq!(pretty(given), shown);
        }
    }

    #[test]
    fn pretty_means_the_same() {
        assert_eq!(
            pretty(r#"{"b":[1,{"a\"{":"x, y"}],"c":{ },"d":[]}"#),
            "{\n  \"b\": [\n    1,\n    {\n      \"a\\\"{\": \"x, y\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"
        );
    }
}
