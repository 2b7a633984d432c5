//! Lists of short items below what announces them: `The cities are:`, `- Paris`, `- Berlin`.
//!
//! Such an item says nothing alone, so all are quoted together with the line above them.

use std::ops::Range;

use super::asides::is_small_talk;
use super::edges::{edges, trimmed};
use super::few_words::{are_plain, bare};
use super::headed::Headed;
use super::labels::{is_label, names_part};
use super::least::is_item;
use super::mixed::{Mixed, is_known};
use super::opening::{SHORT_TEXT_MAX, ascending, within_marks};
use super::{Around, Said, Statement};
use crate::domain::synthesis::citations::is_reference_heading;
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::phrases::has_any;
use crate::domain::text::sentences::sentences;

/// Items of a list that is quoted as a whole, and its bytes with the line above it. One alone is below a colon, where nothing else says
/// what it is.
const ITEMS: std::ops::RangeInclusive<usize> = 1..=8;
const BYTES_MAX: usize = 200;

/// A list below a line.
struct List<'t> {
    /// The sentence above it, or the label.
    lead: Range<usize>,
    heading: &'t str,
    /// The headings that this stands below.
    around: Around<'t>,
    end: usize,
    indent: usize,
    items: usize,
    /// Whether none of its items is quoted, and all are short.
    fits: bool,
    /// Whether an item has more than a word.
    has_words: bool,
    /// What one item that is a list stands under; `None` where one is none.
    one: Option<(&'t str, Around<'t>)>,
}

impl List<'_> {
    /// Whether it is no longer than what is quoted as a whole, as far as it is read.
    fn is_short(&self) -> bool {
        self.end - self.lead.start <= BYTES_MAX
    }
}

/// The lists of a text, as far as it is read.
#[derive(Default)]
pub(super) struct Lists<'t> {
    above: Option<(Range<usize>, (&'t str, Around<'t>), usize)>,
    open: Option<List<'t>>,
    found: Vec<List<'t>>,
    mixed: Mixed<'t>,
    headed: Headed<'t>,
}

impl<'t> Lists<'t> {
    /// Takes note of a block, after it was read, with the heading and the line that it stands under. `is_left`: it states nothing, and is no list of references.
    pub(super) fn meet(
        &mut self,
        text: &'t str,
        (block, next): (&Block, Option<&Block>),
        under: (&'t str, Around<'t>),
        is_left: bool,
    ) {
        self.mixed.meet(text, block, under, is_left);
        self.headed.meet(text, (block, next), under, is_left);
        let content = block.content(text);
        if let Kind::ListItem { indent, .. } = block.kind {
            let above = self.above.take().filter(|(.., end)| *end == block.range.start);
            if let Some((lead, (heading, Around { section, outer, over, .. }), _)) = above {
                self.close();
                let (items, fits, has_words, end) = (0, true, false, content.end);
                let around = Around { section, outer, over, ..Around::default() };
                let one = text[lead.clone()].contains([':', '：']).then_some(under);
                self.open = Some(List { lead, heading, around, end, indent, items, fits, has_words, one });
            }
            if let Some(open) = &mut self.open {
                open.items += 1;
                open.end = content.end;
                open.fits &= is_left && indent == open.indent && open.is_short();
                // Most lists don't fit by their first item.
                if open.fits {
                    let item = edges(&text[content.clone()]);
                    open.fits = is_short(item);
                    open.has_words |= is_item(item);
                }
            }
            return;
        }
        if let Some(open) = &mut self.open {
            // What is indented below an item belongs to it.
            open.fits &= block.kind != Kind::Paragraph || !text[content.clone()].starts_with([' ', '\t']);
        }
        self.close();
        let lead = (block.kind == Kind::Paragraph).then(|| lead(text, content)).flatten();
        self.above = lead.map(|lead| (lead, under, block.range.end));
    }

    /// What stands alone below headings, which is quoted where nothing else quotes it.
    pub(super) fn take_headed(&mut self) -> Headed<'t> {
        std::mem::take(&mut self.headed)
    }

    fn close(&mut self) {
        let is_whole = |open: &List<'_>| {
            let are_some = ITEMS.contains(&open.items)
                && (open.items > 1 || open.one.is_some_and(|under| !is_known(under)));
            open.fits && are_some && open.is_short()
        };
        self.found.extend(self.open.take().filter(is_whole));
    }

    /// Quotes them. Where no sentence is (`is_silent`) items of some words are statements of their own.
    pub(super) fn quote(mut self, said: Said<'t, '_>, is_silent: bool, found: &mut Vec<Statement<'t>>) {
        self.close();
        let mut told = Vec::new();
        for list in self.found {
            let marks = within_marks(said.marks, list.lead.start..list.end);
            if is_silent && (list.has_words || !marks.is_empty()) {
                continue;
            }
            let mut sources: Vec<usize> = marks.iter().map(|mark| mark.source).collect();
            let whole = trimmed(said.text, list.lead.start..list.end, marks);
            let above = found.iter_mut().find(|above| list.lead.contains(&above.start));
            let start = above.as_ref().map_or(whole.start, |above| above.start);
            let Some(text) = said.text.get(start..whole.end) else { continue };
            told.push(start..list.end);
            match above {
                Some(above) => {
                    sources.append(&mut above.sources);
                    (above.text, above.sources) = (text, ascending(sources));
                }
                None => found.push(Statement {
                    text,
                    start,
                    heading: list.heading,
                    around: list.around,
                    subagent: said.subagent,
                    sources: ascending(sources),
                    row: None,
                }),
            }
        }
        self.mixed.quote(said, (is_silent, &told), found);
        found.sort_by_key(|statement| statement.start);
    }
}

/// What announces a list: the sentence with a colon that a paragraph ends with, or the only one. In a long text that one must say
/// that something follows.
fn lead(text: &str, paragraph: Range<usize>) -> Option<Range<usize>> {
    const FOLLOWING: [&str; 8] =
        ["following", "below", "folgend", "suivant", "siguiente", "seguint", "以下", "下列"];
    let body = &text[paragraph.clone()];
    if body.len() > BYTES_MAX || body.starts_with([' ', '\t']) {
        return None;
    }
    let all = sentences(body);
    let last = all.last()?;
    let said = &body[last.clone()];
    let bare = said.trim_end_matches(['*', '_', ' ']);
    let announces = bare.ends_with([':', '：']);
    let is_only = || {
        let points = has_any(said, &FOLLOWING);
        all.len() == 1
            && bare.ends_with(['.', '。'])
            && !is_label(body)
            && (points || text.len() <= SHORT_TEXT_MAX)
    };
    let names_sources = || is_reference_heading(bare.trim_end_matches([':', '：']));
    let is_lead = (announces || is_only() || is_name(body))
        && !is_small_talk(said)
        && !said.contains("://")
        && !names_sources();
    is_lead.then(|| paragraph.start + last.start..paragraph.start + last.end)
}

/// Whether a paragraph is a word or a few in one line, `Members`, and isn't the name of a part of the text.
fn is_name(paragraph: &str) -> bool {
    const WORDS_MAX: usize = 4;
    let line = paragraph.trim();
    let last = line.rsplit(' ').next().unwrap_or_default();
    line.split(' ').count() <= WORDS_MAX
        && !line.ends_with(|c: char| !c.is_alphanumeric())
        && !line.contains(['\n', '*', '_', '['])
        && !names_part(&bare(last))
}

/// Whether an item is a few words that aren't the name of a part of the text, or an address.
fn is_short(item: &str) -> bool {
    let last = item.rsplit(' ').next().unwrap_or_default().to_lowercase();
    are_plain(item) && !item.contains('\n') && !names_part(&last)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn short_lists_are_quoted_with_what_announces_them() {
        for text in [
            "The cities are:\n- Paris\n- Berlin\n- Rome",
            "It supports the following systems.\n\n- Linux\n- macOS\n- Windows",
            "Install steps:\n\n1. Download\n2. Install\n3. Restart",
        ] {
            assert_eq!(stated(text), [text]);
            assert_eq!(stated(&format!("# Answer\n\n{text}\n\n## More\n\nIt is so.")), [text, "It is so."]);
        }
        let names = "Members\n- Ana\n- Ben\n- Chloe (since 2021)";
        assert_eq!(
            stated(&format!("{names}\n\nThe group meets on Mondays.")),
            [names, "The group meets on Mondays."]
        );
        let one = "It may cause nausea.\n\nRare:\n- Liver failure";
        assert_eq!(stated(one), ["It may cause nausea.", "Rare:\n- Liver failure"]);
        let after = "They are many. The cities are:\n- Paris\n- Berlin";
        assert_eq!(stated(after), ["They are many.", "The cities are:\n- Paris\n- Berlin"]);
    }

    #[test]
    fn other_lists_are_read_by_their_items() {
        for (text, expected) in [
            ("The kinds are:\n- green tea\n- black tea", vec!["green tea", "black tea"]),
            ("They are many. It is so.\n\n- Linux\n- macOS", vec!["They are many.", "It is so."]),
            ("It is so. Parts:\n- Overview\n- Costs", vec!["It is so."]),
            ("It is so. Sources:\n- Smith\n- Doe", vec!["It is so."]),
            ("It is so. Plans:\n- Basic: $10\n- Pro: $20", vec!["It is so.", "Basic: $10", "Pro: $20"]),
            ("It is so. Plans:\n- Basic\n  - Small\n- Pro", vec!["It is so."]),
        ] {
            assert_eq!(stated(text), expected, "{text}");
        }
    }
}
