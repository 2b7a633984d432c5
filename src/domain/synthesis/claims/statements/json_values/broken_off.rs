//! JSON that begins and doesn't end: its writer broke off.

use std::ops::Range;

use crate::domain::text::sentences::sentences;

/// Whether a text begins with an object or a list of strings or objects, and ends inside.
pub(super) fn is_broken_off(text: &str) -> bool {
    let opens = |c: char| matches!(c, '[' | '{') || c.is_whitespace();
    let Some(first) = text.trim_start_matches(opens).strip_prefix('"') else { return false };
    let brackets = text[..text.len() - first.len() - 1].trim_end();
    let Some(length) = first.find('"') else { return brackets.ends_with('[') };
    let behind = first[length + 1..].trim_start();
    let goes_on = behind.starts_with(if brackets.ends_with('{') { ':' } else { ',' });
    !brackets.is_empty() && goes_on && ends_inside(text.as_bytes())
}

/// Whether the first bracket isn't closed.
fn ends_inside(bytes: &[u8]) -> bool {
    let (mut depth, mut is_string, mut at) = (0_usize, false, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if is_string => at += 1,
            b'"' => is_string = !is_string,
            b'{' | b'[' if !is_string => depth += 1,
            b'}' | b']' if !is_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return false;
                }
            }
            _ => {}
        }
        at += 1;
    }
    true
}

/// The whole sentences of a string that isn't closed: the last is cut, or nobody knows that it isn't.
pub(super) fn whole_sentences(text: &str, string: Range<usize>) -> Range<usize> {
    let last = text.get(string.clone()).and_then(|inside| sentences(inside).last().cloned());
    let end = last.map_or(string.start, |last| string.start + last.start);
    let inside = text.get(string.start..end).unwrap_or_default().trim_end();
    string.start..string.start + inside.len()
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    #[test]
    fn whole_sentences_of_what_breaks_off_are_stated() {
        let (berlin, paris) = ("Berlin has 3.8 million people.", "Paris has 2.1 million people.");
        for text in [
            format!(r#"{{"answer":"{berlin} {paris}","more":"The third sen"#),
            format!(r#"{{"answer":"{berlin} {paris} The third sen"#),
            format!(r#"{{"items":[{{"text":"{berlin}"}},{{"text":"{paris}"}},{{"text":"The thi"#),
            format!(r#"["{berlin}", "{paris}", "The thi"#),
            format!("```json\n{{\"answer\":\"{berlin} {paris}\",\"more\":\"The third sen\n```"),
        ] {
            let found: Vec<_> = read(&text, "a").into_iter().map(|found| found.text.to_owned()).collect();
            assert_eq!(found, [berlin, paris], "{text}");
        }
        for text in [r#"{"answer":"Ber"#, r#"{"answer":"#, "{", "["] {
            assert!(read(text, "a").is_empty(), "{text}");
        }
        // Prose that begins with a bracket is prose.
        let text = r#"["so"] he said that the bridge is 5 km long."#;
        assert_eq!(read(text, "a").len(), 1);
    }
}
