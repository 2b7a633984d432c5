//! Why a part of a draft doesn't stand, in words that its author can act on.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reason {
    /// A stable code: `no_source`, `unsupported`, `figure_not_in_source`, `figure_misplaced`, `quote_not_in_source`,
    /// `quote_misattributed`,
    /// `name_not_in_source`, `names_swapped`, `order_changed`, `negation_turned`, `opposite`, `certainty_raised`,
    /// `url_not_in_source`,
    /// `repetition`, `broken_off`.
    pub code: &'static str,
    /// What, and where.
    pub detail: String,
}

impl Reason {
    pub(super) fn new(code: &'static str, detail: String) -> Self {
        Self { code, detail }
    }

    /// That what is cited says nothing of some words of a claim.
    pub(super) fn unsaid(chosen: &[usize], sources: usize, words: &str) -> Self {
        let (named, says) = (named(chosen, sources), verb(chosen, "says", "say"));
        Self::new("unsupported", format!("{named} {says} nothing of “{}”", shown(words)))
    }
}

/// Who wrote a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The model, at once.
    Draft,
    /// The model, told what was wrong.
    Repaired,
    /// Nobody: it is a quotation.
    #[default]
    Extractive,
}

/// Bytes of a text that a reason shows.
const SHOWN_BYTES_MAX: usize = 90;

/// The beginning of a text.
pub(super) fn shown(text: &str) -> String {
    let end = text.floor_char_boundary(SHOWN_BYTES_MAX);
    if end == text.len() { text.to_owned() } else { format!("{}…", text[..end].trim_end()) }
}

/// `source 1`, `sources 1 and 3`, `its subagent's result`.
pub(super) fn named(chosen: &[usize], sources: usize) -> String {
    let numbers: Vec<String> =
        chosen.iter().filter(|place| **place < sources).map(|place| (place + 1).to_string()).collect();
    match numbers.as_slice() {
        [] => "the subagent's result".to_owned(),
        [one] => format!("source {one}"),
        [most @ .., last] => format!("sources {} and {last}", most.join(", ")),
    }
}

/// The verb that goes with [`named`].
pub(super) fn verb(chosen: &[usize], one: &'static str, many: &'static str) -> &'static str {
    if chosen.len() > 1 { many } else { one }
}
