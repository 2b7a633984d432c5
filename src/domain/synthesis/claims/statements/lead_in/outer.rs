//! The headings that a heading stands below: `Not recommended` above `Drugs` says of the drugs that they aren't.

use super::super::announced::OVER_MAX;
use super::super::{Around, Statement};
use super::Above;
use crate::domain::text::turned::{is_otherwise, turn_of_heading};

/// Bytes of a heading that turns what stands below it.
const BYTES_MAX: usize = 300;

/// The headings above what is read, as far as a text is read.
#[derive(Default)]
pub(in super::super) struct Outline<'t> {
    /// The open ones with their levels, outer ones first; at most six.
    open: Vec<(u8, Heading<'t>)>,
}

/// A heading.
#[derive(Clone, Copy)]
struct Heading<'t> {
    text: &'t str,
    /// Whether it denies or restricts what stands below it.
    turns: bool,
    /// The nearest above it that does; empty where it does itself, or says otherwise.
    outer: &'t str,
}

impl<'t> Outline<'t> {
    /// Takes note of a heading: what stood below others of its level or a lower one ends.
    pub(in super::super) fn meet(&mut self, level: u8, text: &'t str) {
        let holds = self.open.iter().take_while(|(above, _)| *above < level).count();
        self.open.truncate(holds);
        let above =
            self.open.last().map_or("", |(_, above)| if above.turns { above.text } else { above.outer });
        let turns = text.len() <= BYTES_MAX && turn_of_heading(text).is_some();
        let outer = if turns || above.is_empty() || is_otherwise(text) { "" } else { above };
        self.open.push((level, Heading { text, turns, outer }));
    }

    /// Ends what stands below headings of a level.
    pub(in super::super) fn end(&mut self, level: u8) {
        self.open.truncate(self.open.iter().take_while(|(above, _)| *above < level).count());
    }

    /// What stands around items and rows below `heading` and the lines above them.
    pub(in super::super) fn around(&self, heading: &'t str, above: Above<'t>) -> Around<'t> {
        let ((section, outer), Above { lead, line }) = (self.above(heading), above);
        let over = self.over(heading);
        Around { lead, line, section, outer, over, is_listed: true, ..Around::default() }
    }

    /// Gives statements below `heading` the headings that this stands below.
    pub(in super::super) fn give(&self, heading: &'t str, found: &mut [Statement<'t>]) {
        if found.is_empty() {
            return;
        }
        let ((section, outer), over) = (self.above(heading), self.over(heading));
        for statement in found {
            (statement.around.section, statement.around.outer) = (section, outer);
            statement.around.over = over;
        }
    }

    /// The headings above the one that `heading` stands below, the nearest first.
    fn over(&self, heading: &str) -> [&'t str; OVER_MAX] {
        let is_last = self.open.last().is_some_and(|(_, last)| std::ptr::eq(heading, last.text));
        let mut over = [""; OVER_MAX];
        let above = self.open.iter().rev().skip(1 + usize::from(is_last));
        for (place, (_, above)) in over.iter_mut().zip(above) {
            *place = above.text;
        }
        over
    }

    /// The heading above one, and the nearest above it that turns what stands below: it may be a label below the last that was met.
    fn above(&self, heading: &'t str) -> (&'t str, &'t str) {
        let Some((_, last)) = self.open.last() else { return ("", "") };
        // Compared by their places: it may be long, and is asked for every block.
        if std::ptr::eq(heading, last.text) {
            let before = self.open.iter().rev().nth(1);
            return (before.map_or("", |(_, above)| above.text), last.outer);
        }
        let outer = if last.turns { last.text } else { last.outer };
        let is_nearer = || turn_of_heading(heading).is_some() || is_otherwise(heading);
        (last.text, if outer.is_empty() || is_nearer() { "" } else { outer })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::tests::read;

    /// What is said below which outer heading that turns it, and below which heading at all.
    fn outer(text: &str) -> Vec<(&'static str, &'static str)> {
        read(text, "a").into_iter().map(|said| (said.around.outer, said.around.section)).collect()
    }

    const ITEM: &str = "- Aspirin in the third trimester";

    #[test]
    fn what_an_outer_heading_denies_is_denied_below_inner_ones() {
        for inner in ["### Drugs", "### Drugs\n\n#### Pain", "### Drugs\n\n**Pain:**"] {
            let found = outer(&format!("## Not recommended\n\n{inner}\n\n{ITEM}\n\n## More\n\n{ITEM}, too"));
            assert_eq!(found[0].0, "Not recommended", "{inner}");
            assert_eq!(found[1], ("", ""), "{inner}");
        }
        let both = format!("# Report\n\n## Not recommended\n\n### Drugs\n\n{ITEM}");
        assert_eq!(outer(&both), [("Not recommended", "Not recommended")]);
        assert_eq!(outer(&format!("# Report\n\n## Drugs\n\n{ITEM}")), [("", "Report")]);
    }

    #[test]
    fn an_inner_heading_may_say_otherwise() {
        for inner in [
            "### Exceptions",
            "### Recommended instead",
            "### What is covered",
            "**Alternatives**",
            "### 例外",
        ] {
            let found = outer(&format!("## Not recommended\n\n{inner}\n\n{ITEM}"));
            assert_eq!(found[0].0, "", "{inner}");
        }
        // What turns itself is nearer.
        assert_eq!(outer(&format!("## Not recommended\n\n### Only in winter\n\n{ITEM}"))[0].0, "");
    }
}
