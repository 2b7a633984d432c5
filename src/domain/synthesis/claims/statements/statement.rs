//! What a result states, and what it stands under.

use super::json_values::wraps;
use super::{Around, Row};
use crate::domain::text::turned::{begins_with_condition, is_untrue, turn_of_heading};

/// A sentence and who says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statement<'t> {
    /// The sentence, verbatim, without markup and citations at its edges.
    pub text: &'t str,
    /// Its first byte in the text that it is from.
    pub start: usize,
    /// The heading that it stands under; empty where there is none.
    pub heading: &'t str,
    /// What stands around it.
    pub around: Around<'t>,
    /// Who says it.
    pub subagent: &'t str,
    /// The sources that it cites, ascending.
    pub sources: Vec<usize>,
    /// What it stands under, where it is a row of a table.
    pub row: Option<Row<'t>>,
}

impl<'t> Statement<'t> {
    /// The line above its list or table that turns what it says; of a row the heading may, which what heads its columns displaces,
    /// and so may an outer heading.
    pub(in crate::domain::synthesis::claims) fn turned_by(&self) -> &'t str {
        let section = || self.row.map(|row| row.section).filter(|section| turn_of_heading(section).is_some());
        if self.around.lead.is_empty() { section().unwrap_or(self.outer()) } else { self.around.lead }
    }

    /// The key that it stands below, where it is of members of JSON; empty where that says nothing.
    pub(in crate::domain::synthesis::claims) fn key(&self) -> &'t str {
        let key = self.around.keys[0];
        if wraps(key) { "" } else { key }
    }

    /// The outer heading that turns it, where it is an item or a row.
    fn outer(&self) -> &'t str {
        let Around { outer, is_listed, .. } = self.around;
        if is_listed && !outer.is_empty() && self.is_turned_below(outer) { outer } else { "" }
    }

    /// Whether a heading that turns what stands below it turns this, which is an item or a row: a sentence below `Problems that are not
    /// fixed` says itself what is so.
    pub(in crate::domain::synthesis::claims) fn is_turned_below(&self, heading: &str) -> bool {
        let is_sentence = self.row.is_none() && self.text.ends_with(['.', '!', '。', '！']);
        !is_sentence || is_untrue(heading) || begins_with_condition(heading)
    }
}
