//! A result that is JSON, bare or in a fence: its strings say something, not its braces.
//!
//! What is quoted stands in the text as it is quoted, so a string that is escaped is read from escape to escape, at line breaks
//! only. Nothing is parsed: a text that only looks like JSON is read as far as it does.

use std::ops::Range;

use super::{Said, Statement};

/// Strings and objects that are looked at.
const VALUES_MAX: usize = 10_000;
/// Objects that are quoted where no string is a sentence: `"plan": "Basic", "price": 5`.
const OBJECTS_MAX: usize = 40;
/// Bytes of such an object: a longer one isn't read at a glance.
const OBJECT_BYTES_MAX: usize = 400;

/// The bytes of a text that are JSON, where that is all of it.
pub(super) fn whole(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let range = start..text.trim_end().len().max(start);
    is_json(&text[range.clone()]).then_some(range)
}

/// The bytes of the first fence with JSON in it.
pub(super) fn fenced(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some(open) = text[at..].find("```").map(|found| at + found) {
        let start = open + text[open..].find('\n')? + 1;
        let end = start + text[start..].find("\n```")?;
        let inner = whole(&text[start..end]).map(|range| start + range.start..start + range.end);
        if inner.is_some() {
            return inner;
        }
        at = end + "\n```".len();
    }
    None
}

fn is_json(text: &str) -> bool {
    let bytes = text.as_bytes();
    let closes = matches!((bytes.first(), bytes.last()), (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')));
    closes && bytes.len() > 2 && matches!(text[1..].trim_start().as_bytes().first(), Some(b'"' | b'{' | b'['))
}

/// The strings of JSON that are values, each up to a line break in it.
pub(super) fn strings(text: &str, json: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for string in tokens(text, json.clone()) {
        let is_key = text[string.end + 1..json.end].trim_start().starts_with(':');
        if !is_key {
            lines(text, string, &mut found);
        }
        if found.len() >= VALUES_MAX {
            break;
        }
    }
    found
}

/// The lines of a string without escapes in them; a line with one that isn't a line break can't be quoted.
fn lines(text: &str, string: Range<usize>, found: &mut Vec<Range<usize>>) {
    let (mut start, mut is_plain, mut at) = (string.start, true, string.start);
    while let Some(escape) = memchr::memchr(b'\\', &text.as_bytes()[at..string.end]).map(|next| at + next) {
        at = (escape + 2).min(string.end);
        if text.as_bytes().get(escape + 1) != Some(&b'n') {
            is_plain = false;
            continue;
        }
        if is_plain {
            found.push(start..escape);
        }
        (start, is_plain) = (at, true);
    }
    if is_plain {
        found.push(start..string.end);
    }
}

/// The strings of JSON, without their quotation marks. Linear.
fn tokens(text: &str, json: Range<usize>) -> Vec<Range<usize>> {
    let (bytes, mut at, mut found) = (text.as_bytes(), json.start, Vec::new());
    while let Some(open) = memchr::memchr(b'"', &bytes[at..json.end]).map(|open| at + open + 1) {
        let mut end = open;
        while end < json.end && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= json.end {
            break;
        }
        found.push(open..end);
        at = end + 1;
    }
    found
}

/// The innermost objects of JSON, as they stand between their braces.
pub(super) fn objects<'t>(said: Said<'t, '_>, json: Range<usize>) -> Vec<Statement<'t>> {
    let Said { text, subagent, .. } = said;
    let strings = tokens(text, json.clone());
    let (mut open, mut found, mut string) = (None, Vec::new(), 0);
    let mut at = json.start;
    while let Some(next) = memchr::memchr3(b'{', b'}', b'"', &text.as_bytes()[at..json.end]) {
        let here = at + next;
        at = here + 1;
        match text.as_bytes()[here] {
            b'"' => {
                at = strings.get(string).map_or(json.end, |string| string.end + 1).max(at).min(json.end);
                string += 1;
            }
            b'{' => open = Some(at),
            _ => {
                let Some(inside) = open.take().and_then(|open| text.get(open..here)) else { continue };
                let shown = inside.trim();
                let start = here - inside.trim_start().len();
                let says = shown.contains(char::is_alphabetic) && shown.contains(',');
                if says && shown.len() <= OBJECT_BYTES_MAX && found.len() < OBJECTS_MAX {
                    found.push(Statement { text: shown, start, heading: "", subagent, sources: Vec::new() });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const ANSWER: &str = r#"{"answer": "PostgreSQL 17 was released in 2024.", "points": ["Vacuum uses less memory than before.", "Restores need a new tool.\n\nThey are fast. He said \"no\" to it.\nIt {works} so far."], "sources": [{"title": "A Title of it", "url": "https://a.example/x"}], "confidence": 0.9}"#;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn strings_of_json_are_statements_bare_and_in_a_fence() {
        let expected = [
            "PostgreSQL 17 was released in 2024.",
            "Vacuum uses less memory than before.",
            "Restores need a new tool.",
            "It {works} so far.",
        ];
        assert_eq!(stated(ANSWER), expected);
        assert_eq!(stated(&format!("Here is the result:\n\n```json\n{ANSWER}\n```\n")), expected);
        // Beside prose, a fence is an example.
        assert_eq!(
            stated(&format!("The service answers with a list of points.\n\n```json\n{ANSWER}\n```")),
            ["The service answers with a list of points."]
        );
    }

    #[test]
    fn a_backslash_that_is_escaped_begins_no_line() {
        let text =
            r#"{"answer": "The tools are in C:\\new folder of the main drive.\nThey are fast and small."}"#;
        assert_eq!(stated(text), ["They are fast and small."]);
    }

    #[test]
    fn objects_without_sentences_are_quoted_as_they_stand() {
        let text =
            "[{\"plan\": \"Basic}\", \"price\": 5},\n {\"plan\": \"Pro\", \"price\": 12}, {}, {\"a\": 1}]";
        assert_eq!(stated(text), ["\"plan\": \"Basic}\", \"price\": 5", "\"plan\": \"Pro\", \"price\": 12"]);
        let many: Vec<String> = (0..500).map(|at| format!("{{\"plan\": {at}, \"price\": 5}}")).collect();
        assert_eq!(stated(&format!("[{}]", many.join(","))).len(), super::OBJECTS_MAX);
    }

    #[test]
    fn what_only_looks_like_json_is_a_text() {
        for text in
            ["[2024] was a good year for the industry [1]", "{curly} braces stand around the word here {x}"]
        {
            assert_eq!(stated(text).len(), 1, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(text in "[\\[{][\"\\\\{}\\[\\],:né a`\n]{0,40}[}\\]]") {
            for found in read(&text, "a") {
                proptest::prop_assert!(text.contains(found.text));
            }
        }
    }
}
