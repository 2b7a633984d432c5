//! What the query of a push says: whether the body is the output itself, and which output it is.

use super::Item;
use crate::domain::event::SubagentEvent;
use crate::domain::ids::{InvalidId, ResultKey};
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::extract::{Ids, flag, known_pairs};

/// Whether the body is the output itself.
pub(super) fn is_raw(query: &str) -> Result<bool, Refusal> {
    let mut raw = false;
    for (_, value) in known_pairs(query, &["raw"])?.iter().filter(|(name, _)| name == "raw") {
        raw = flag("raw", value)?;
    }
    Ok(raw)
}

/// Which output a body is of: one that is the output itself has no place of its own to say so.
pub(super) fn asked_output(query: &str) -> Result<Option<ResultKey>, Refusal> {
    let pairs = known_pairs(query, &["result_key"])?;
    let key = pairs.iter().find(|(name, _)| name == "result_key").map(|(_, value)| value.parse());
    key.transpose().map_err(|invalid: InvalidId| Refusal::at(Code::InvalidId, "", invalid.to_string()))
}

/// An event of the output that the request is for; one that says that it is of another is refused, as one of another subagent is.
pub(super) fn asked_for(event: SubagentEvent, ids: &Ids) -> Item {
    let Some(asked) = ids.maybe_output() else { return Ok(event) };
    if event.result_key.as_ref().is_some_and(|said| said != asked) {
        let detail = format!("`result_key` doesn't agree with the query, which says `{asked}`");
        return Err(Refusal::at(Code::InvalidEvent, "/result_key", detail));
    }
    Ok(SubagentEvent { result_key: Some(asked.clone()), ..event })
}
