//! The statements of a block of prose or HTML, by the pieces that tags and marks set apart in it.

use std::ops::Range;

use super::edges::edges;
use super::html::{Piece, pieces};
use super::lead_in::{Above, Outline, give};
use super::least::Least;
use super::{Said, Statement, lines, read, records};
use crate::domain::synthesis::citations::is_reference_heading;

/// The statements of a block of prose, in which HTML may break lines.
pub(super) fn read_pieces<'t>(
    said: Said<'t, '_>,
    block: Range<usize>,
    under: (&'t str, Least),
    found: &mut Vec<Statement<'t>>,
) {
    let (heading, least) = under;
    let parts = pieces(said.text, block).into_iter().flat_map(|piece| records::parts(said.text, piece.range));
    let mut head = "";
    for part in parts {
        if part.is_record {
            let record = said.text[part.range.clone()].trim();
            if head.is_empty() && records::is_head(record) {
                head = record;
            }
            let heading = if records::is_headed(record, head) { head } else { heading };
            read(said, part.range, (heading, Least::Record), found);
            continue;
        }
        head = "";
        let Range { mut start, mut end } = part.range;
        let mut heading = heading;
        if let Some(below) = lines::title_end(&said.text[start..end]) {
            heading = edges(&said.text[start..start + below]);
            start += below;
        }
        if let Some(above) = lines::label_start(&said.text[start..end]) {
            end = start + above;
        }
        let part = start..end;
        let items = lines::items(said.text, part.clone());
        let are_led = || {
            let is_led = |item: &Range<usize>| lines::is_led(&said.text[item.clone()]);
            items.iter().all(is_led) || lines::are_led(&said.text[part.clone()])
        };
        let least = match least == Least::Sentence && items.len() > 1 {
            true if are_led() => Least::Item,
            true => Least::Point,
            false => lines::least(said.text, &items, least),
        };
        let first = items.first().filter(|_| items.len() > 1).map(|first| &said.text[first.clone()]);
        let above = first.filter(|first| first.trim_end().ends_with([':', '：', '*'])).and_then(Above::of);
        for (at, item) in items.into_iter().enumerate() {
            let before = found.len();
            read(said, item, (heading, least), found);
            if let Some(above) = above.filter(|_| at > 0) {
                give(above, &mut found[before..]);
            }
        }
    }
}

/// What stands in HTML, as far as a text is read.
pub(super) struct Html<'t> {
    pub heading: &'t str,
    pub references: bool,
}

impl<'t> Html<'t> {
    /// The statements of a block of HTML, each below the headings that it stands below.
    pub(super) fn read(
        &mut self,
        said: Said<'t, '_>,
        block: Range<usize>,
        (least, outline): (Least, &mut Outline<'t>),
        found: &mut Vec<Statement<'t>>,
    ) {
        // What the last text before the items of a list says of them.
        let mut above = None;
        for Piece { range, level, is_item } in pieces(said.text, block) {
            let before = found.len();
            if let Some(level) = level {
                self.heading = edges(&said.text[range]);
                outline.meet(level, self.heading);
                self.references = is_reference_heading(self.heading);
                above = None;
            } else if !self.references {
                let least = if is_item { least.of_item() } else { least };
                read(said, range.clone(), (self.heading, least), found);
                match (is_item, above) {
                    (true, above) => give(above.unwrap_or_default(), &mut found[before..]),
                    (false, _) => above = Above::of(&said.text[range]),
                }
                outline.give(self.heading, &mut found[before..]);
            }
        }
    }
}
