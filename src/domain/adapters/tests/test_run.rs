//! Runs of a test suite: `{content, sources, passed?, failed?, failures?}`.
//!
//! | sent | becomes |
//! |---|---|
//! | an object | `passed` from `passed` or `numPassedTests`, `failed` from `failed` or `numFailedTests`; where there is no `content`, a sentence with both; where there are no `sources`, `[]`; then all other fields as sent, in order |
//! | anything else | as the generic adapter has it |

use super::generic;
use super::shape::{Field, ObjectText, finished, is_array, is_number, is_text, members, pick, quoted};
use crate::domain::event::RawJson;

const RUN: [Field; 4] = [
    Field { name: "content", aliases: &[], fits: is_text },
    Field { name: "sources", aliases: &[], fits: is_array },
    Field { name: "passed", aliases: &["numPassedTests"], fits: is_number },
    Field { name: "failed", aliases: &["numFailedTests"], fits: is_number },
];

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    let text = raw.get();
    let Some(members) = members(text) else { return generic::normalise(raw) };
    let run = pick(members, &RUN);
    let [content, sources, passed, failed] = run.values;
    if run.as_named && content.is_some() && sources.is_some() {
        return raw.clone();
    }
    let said = passed.zip(failed).map(|(passed, failed)| format!("{passed} tests passed, {failed} failed."));
    let said = quoted(&said.unwrap_or_default());
    let mut object = ObjectText::new(text.len() + 64);
    object.member("content", content.unwrap_or(&said));
    object.member("sources", sources.unwrap_or("[]"));
    for (name, value) in [("passed", passed), ("failed", failed)] {
        if let Some(value) = value {
            object.member(name, value);
        }
    }
    object.members(&run.rest);
    object.unread(&run.unread, &run.rest);
    finished(object.finish(), raw)
}
