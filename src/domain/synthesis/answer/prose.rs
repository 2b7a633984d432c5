//! What a model's answer says as prose.
//!
//! It is asked for Markdown. One that writes an object all the same (a server that was set to JSON, a model that was asked for a
//! draft before) says what stands in that: a text, or a draft's findings, each with the numbers of its sources. An object that has
//! neither says nothing, and its braces and keys are never an answer.

use std::borrow::Cow;

use serde_json::Value;

use crate::domain::synthesis::draft::{Draft, DraftFinding, behind_thoughts, read};

/// Names under which an object has its text.
const NAMES: [&str; 6] = ["answer", "formatted_output", "content", "text", "response", "output"];

/// The prose of an answer, without what its model thought before it. O(n).
pub(super) fn prose(answer: &str) -> Cow<'_, str> {
    // What a model thinks before it answers is no part of its answer.
    let said = behind_thoughts(answer);
    let inside = unfenced(said.trim());
    if !inside.starts_with('{') {
        return Cow::Borrowed(said);
    }
    let object: Option<Value> = serde_json::from_str(inside).ok();
    let text = |object: &Value| NAMES.iter().find_map(|name| object[*name].as_str().map(str::to_owned));
    if let Some(text) = object.as_ref().and_then(text) {
        return Cow::Owned(text);
    }
    match read(inside) {
        Ok(reading) => Cow::Owned(told(&reading.draft)),
        Err(_) if object.is_some() => Cow::Borrowed(""),
        Err(_) => Cow::Borrowed(said),
    }
}

/// What a fence is around, where one is around all.
fn unfenced(text: &str) -> &str {
    let inside = text.strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    let inside = inside.and_then(|text| text.split_once('\n')).map(|(_, inside)| inside.trim());
    inside.filter(|inside| !inside.contains("\n```")).unwrap_or(text)
}

/// What a draft says.
fn told(draft: &Draft) -> String {
    if draft.findings.is_empty() {
        return draft.summary.clone();
    }
    draft.findings.iter().map(cited).collect::<Vec<_>>().join("\n\n")
}

/// A finding, with the numbers of its sources behind it where they don't stand in it.
fn cited(finding: &DraftFinding) -> String {
    let markers = finding.source_ids.iter().map(|number| format!("[{number}]"));
    let missing: String = markers.filter(|marker| !finding.content.contains(marker.as_str())).collect();
    match missing.is_empty() {
        true => finding.content.clone(),
        false => format!("{} {missing}", finding.content.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_says_what_stands_in_it() {
        for (answer, said) in [
            ("It is 5 [1].", "It is 5 [1]."),
            ("<think>{}</think>It is 5 [1].", "It is 5 [1]."),
            (r#"{"answer":"It is 5 [1]."}"#, "It is 5 [1]."),
            ("```json\n{\"answer\": \"It is 5 [1].\"}\n```", "It is 5 [1]."),
            (
                r#"{"findings":[{"topic":"Cap","content":"It is 5 [1].","source_ids":[1]}],"summary":"5."}"#,
                "It is 5 [1].",
            ),
            (
                r#"{"findings":[{"content":"It is 5.","source_ids":[1,2]},{"content":"It is old."}]}"#,
                "It is 5. [1][2]\n\nIt is old.",
            ),
            ("{ \"summary\": \"It is 5 [1].\" }", "It is 5 [1]."),
            (r#"{"usage":{"tokens":5}}"#, ""),
            ("{braces} are no object [1].", "{braces} are no object [1]."),
        ] {
            assert_eq!(prose(answer), said, "{answer}");
        }
    }
}
