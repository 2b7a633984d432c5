//! What stands alone below its heading: `## Root cause`, `Expired TLS certificate`.
//!
//! A few words say nothing beside sentences; where they are all that is there below a heading they are what that is about. Above the
//! headings of its parts they are something else: who wrote the text, and when.

use super::edges::edges;
use super::entries::is_reference;
use super::few_words::may_answer;
use super::labels::names_part;
use super::lines::goes_on;
use super::{Around, Said, Statement, mixed, short};
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::values::is_about;

/// Pieces below a heading, at most.
const PIECES_MAX: usize = 8;
/// Bytes of a piece.
const BYTES_MAX: usize = 160;

/// A piece of a section.
struct Piece<'t> {
    block: Block,
    heading: &'t str,
    around: Around<'t>,
}

/// What stands below a heading, or below a label in bold letters.
struct Section<'t> {
    heading: &'t str,
    /// That of the heading, or of the one that a label stands below.
    level: Option<u8>,
    pieces: Vec<Piece<'t>>,
    /// Whether nothing but pieces stands there.
    is_alone: bool,
    /// Whether a rule has ended it.
    has_ended: bool,
}

/// What stands alone below headings, as far as a text is read.
#[derive(Default)]
pub(super) struct Headed<'t> {
    open: Option<Section<'t>>,
    found: Vec<Piece<'t>>,
}

impl<'t> Headed<'t> {
    /// Takes note of a block, after it was read. `is_left`: it states nothing, and is no list of references.
    pub(super) fn meet(
        &mut self,
        text: &'t str,
        (block, next): (&Block, Option<&Block>),
        (heading, around): (&'t str, Around<'t>),
        is_left: bool,
    ) {
        match block.kind {
            Kind::Heading { level } => {
                if let Some(open) = &mut self.open {
                    open.is_alone &= open.level.is_none_or(|above| above >= level);
                }
                self.close();
                let is_alone = is_left && !is_about(heading);
                self.open = Some(Section::below(heading, Some(level), is_alone));
            }
            Kind::Rule => {
                if let Some(open) = &mut self.open {
                    open.has_ended = true;
                }
            }
            Kind::Paragraph | Kind::Quote | Kind::ListItem { .. } => {
                let ends = next.is_none_or(|next| matches!(next.kind, Kind::Heading { .. } | Kind::Rule));
                let is_other = self.open.as_ref().is_none_or(|open| !std::ptr::eq(open.heading, heading));
                let is_label = is_within(heading, text, block);
                if is_other && !(is_label && ends) {
                    let level = self.open.as_ref().and_then(|open| open.level);
                    self.close();
                    // Behind what stood below a label nothing is alone.
                    self.open = Some(Section::below(heading, level, is_label && !is_about(heading)));
                }
                if is_label && !ends {
                    return;
                }
                let Some(open) = self.open.as_mut().filter(|open| !open.has_ended) else { return };
                let is_piece = is_left && is_piece(text, block) && !is_head(block, next);
                open.is_alone &= is_piece && open.pieces.len() < PIECES_MAX;
                if open.is_alone {
                    let around = Around { is_listed: matches!(block.kind, Kind::ListItem { .. }), ..around };
                    open.pieces.push(Piece { block: block.clone(), heading: open.heading, around });
                }
            }
            Kind::Code { .. } | Kind::Table | Kind::Html => {
                if let Some(open) = self.open.as_mut().filter(|open| !open.has_ended) {
                    open.is_alone = false;
                }
            }
        }
    }

    fn close(&mut self) {
        self.found
            .extend(self.open.take().filter(|open| open.is_alone).into_iter().flat_map(|open| open.pieces));
    }

    /// Quotes it, but for what is quoted already.
    pub(super) fn quote(mut self, said: Said<'t, '_>, found: &mut Vec<Statement<'t>>) {
        self.close();
        let mut more = Vec::new();
        for Piece { block, heading, around } in self.found {
            let content = block.content(said.text);
            let next = found.partition_point(|other| other.start < content.start);
            let is_in = |other: &Statement<'_>| other.start + other.text.len() > content.start;
            let is_told = found.get(next).is_some_and(|other| other.start < content.end)
                || next.checked_sub(1).and_then(|before| found.get(before)).is_some_and(is_in);
            let stated = if is_told { None } else { short::answer(said, &block, content, heading) };
            more.extend(stated.map(|stated| Statement { around, ..stated }));
        }
        if !more.is_empty() {
            found.append(&mut more);
            found.sort_by_key(|statement| statement.start);
        }
    }
}

impl<'t> Section<'t> {
    fn below(heading: &'t str, level: Option<u8>, is_alone: bool) -> Self {
        Self { heading, level, pieces: Vec::new(), is_alone, has_ended: false }
    }
}

/// Whether a heading is a part of a block, as its label.
fn is_within(heading: &str, text: &str, block: &Block) -> bool {
    let at = (heading.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    !heading.is_empty() && block.range.contains(&at)
}

/// Whether a block is a few words that may be an answer.
fn is_piece(text: &str, block: &Block) -> bool {
    let content = &text[block.content(text)];
    let said = edges(content);
    let last = said.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let is_plain = match block.kind {
        Kind::ListItem { .. } => mixed::is_plain(content, said),
        Kind::Heading { .. }
        | Kind::Paragraph
        | Kind::Quote
        | Kind::Code { .. }
        | Kind::Table
        | Kind::Rule
        | Kind::Html => may_answer(said, false),
    };
    is_plain && said.len() <= BYTES_MAX && !is_reference(said) && !names_part(&last) && !goes_on(&last)
}

/// Whether an item has others below it.
fn is_head(block: &Block, next: Option<&Block>) -> bool {
    let column =
        |block: &Block| if let Kind::ListItem { indent, .. } = block.kind { Some(indent) } else { None };
    let next = next.and_then(column);
    column(block).is_some_and(|own| next.is_some_and(|next| next > own))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const SAID: &str = "The outage started at 14:05 and ended at 14:52.";

    fn stated(text: &str) -> Vec<(&'static str, &'static str)> {
        read(text, "a").into_iter().map(|found| (found.heading, found.text)).collect()
    }

    #[test]
    fn what_stands_alone_below_its_heading_is_stated() {
        for (section, pieces) in [
            ("## Root cause\nExpired TLS certificate", &[("Root cause", "Expired TLS certificate")][..]),
            ("## Answer\n**Argentina**", &[("Answer", "Argentina")]),
            ("## Answer\n\nArgentina\n\n---", &[("Answer", "Argentina")]),
            ("## 根本原因\nTLS证书过期", &[("根本原因", "TLS证书过期")]),
            ("## Drugs\n- Warfarin\n- Lithium", &[("Drugs", "Warfarin"), ("Drugs", "Lithium")]),
        ] {
            let timeline = ("Timeline", SAID);
            let before = stated(&format!("{section}\n\n## Timeline\n{SAID}"));
            assert_eq!(before, pieces.iter().copied().chain([timeline]).collect::<Vec<_>>(), "{section}");
            let behind = stated(&format!("## Timeline\n{SAID}\n\n{section}"));
            assert_eq!(behind, [timeline].into_iter().chain(pieces.iter().copied()).collect::<Vec<_>>());
        }
        let label =
            format!("## Timeline\n{SAID}\n\n**Root cause**\n\nExpired TLS certificate\n\n## More\n{SAID}");
        assert_eq!(stated(&label)[1], ("Root cause", "Expired TLS certificate"));
        let labels = format!("**Root cause**\n\nExpired TLS certificate\n\n**Timeline**\n\n{SAID}");
        assert_eq!(stated(&labels), [("Root cause", "Expired TLS certificate"), ("Timeline", SAID)]);
    }

    #[test]
    fn what_is_not_alone_or_about_the_text_is_not() {
        for text in [
            "# Report on the outage\nAcme Platform Team\n\n## Timeline\nIT",
            "## Timeline\nIT\n\n## Plan\n\n**Near term (1–3 years)**\n\n### Reasons\nIT",
            "## Timeline\nIT\n\n## Plan\n- `psql`\n- Market overview",
            "## Date\n14 May\n\n## Timeline\nIT",
            "## Timeline\nIT\n\n- Overview\n- Costs",
            "## Run\nDeploy script\n\n```\nx = 1\n```\n\n## Timeline\nIT",
            "## Sources\n- Smith\n\n## Timeline\nIT",
            "## Risks\n- Market\n  - Currency\n\n## Timeline\nIT",
            "## Done\nDone.\n\n## Timeline\nIT",
        ] {
            let text = text.replace("IT", SAID);
            let said: Vec<_> = stated(&text).into_iter().map(|(_, said)| said).collect();
            assert!(said.iter().all(|said| *said == SAID), "{text}: {said:?}");
        }
        let many = format!("## Names\n{}\n## Timeline\n{SAID}", "- Ann\n".repeat(9));
        assert_eq!(stated(&many).len(), 1);
    }
}
