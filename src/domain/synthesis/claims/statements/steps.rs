//! Which items belong to one numbered list: what somebody numbered has an order, and each item may rest on the one before it.

use super::Statement;
use super::lead_in::may_go_on;
use crate::domain::text::blocks::{Block, Kind};

/// The numbered list that is read, as far as a text is read.
#[derive(Default)]
pub(super) struct Steps {
    /// Its first byte, and the column of its items.
    list: Option<(usize, usize)>,
}

impl Steps {
    /// Takes note of a block, before it is read.
    pub(super) fn meet(&mut self, block: &Block, body: &str) {
        let goes_on = |column: usize| match block.kind {
            Kind::ListItem { indent, ordered } => ordered || indent > column,
            Kind::Heading { .. } | Kind::Paragraph | Kind::Quote | Kind::Code { .. } => {
                may_go_on(block, body)
            }
            Kind::Table | Kind::Rule | Kind::Html => false,
        };
        if self.list.is_some_and(|(_, column)| goes_on(column)) {
            return;
        }
        self.list = None;
        if let Kind::ListItem { indent, ordered: true } = block.kind {
            self.list = Some((block.range.start, indent));
        }
    }

    /// Gives what was found in a block the list that it is of.
    pub(super) fn leave(&self, found: &mut [Statement<'_>]) {
        if let Some((list, _)) = self.list {
            found.iter_mut().for_each(|statement| statement.around.numbered = Some(list));
        }
    }
}
