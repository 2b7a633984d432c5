//! Sources that a model's answer names by the sheet's own ids, by the numbers that they have.
//!
//! A model is shown numbers. It may know the ids all the same, from the objective or from a text, and `[u1]` would point to
//! nothing. What the sheet has and nothing of it cites has no number, and its marker goes, as do those of ids that the sheet
//! doesn't have. Ids that are numbers themselves aren't told from the answer's own. One pass, where there is anything to do.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::sources::Sources;
use super::{Issues, Reference, markers};
use crate::domain::aggregate::request::AnswerRequest;

/// A text with numbers of `references` in place of ids.
pub(super) fn resolved<'t>(text: &'t str, request: &AnswerRequest, references: &[Reference]) -> Cow<'t, str> {
    let sources = Sources::of(&request.sheet, &mut Issues::default());
    // What has no number gets one beyond those of the references: its marker points to nothing.
    let place = |at: &usize| {
        let id = &sources.list[*at].id;
        references.iter().position(|reference| reference.id == *id).unwrap_or(references.len())
    };
    let is_name = |id: &&String| id.parse::<u64>().is_err();
    let places: BTreeMap<&str, usize> = (sources.by_id.iter())
        .filter(|(id, _)| is_name(id))
        .map(|(id, at)| (id.as_str(), place(at)))
        .collect();
    if !text.contains(['[', '【'])
        || !sources
            .prefixes
            .iter()
            .map(String::as_str)
            .chain(places.keys().copied())
            .any(|id| text.contains(id))
    {
        return Cow::Borrowed(text);
    }
    let number = |id: &str| id.parse::<usize>().ok().filter(|number| (1..=references.len()).contains(number));
    let source_of = |id: &str| places.get(id).copied().or_else(|| Some(number(id)? - 1));
    let ids = markers::Ids { source_of: &source_of, prefixes: &sources.prefixes };
    let mut numbering = markers::Numbering::of(0..=references.len());
    Cow::Owned(markers::written(text, &ids, &mut numbering).with_missing(&mut numbering))
}
