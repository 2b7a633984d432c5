//! A list of references that ends a text in one line, behind a label: `Sources: https://…, https://…`.

use super::{Kind, addressed, cites};
use crate::domain::synthesis::citations::entries::{definition, numbered};
use crate::domain::synthesis::citations::{Definition, is_reference_heading};
use crate::domain::text::blocks::Block;
use crate::domain::text::leads::is_one_source;

/// What stands between two entries. A comma may belong to a title, too.
const BETWEEN: [&str; 8] = [", ", "; ", " · ", " | ", " • ", "；", "，", "、"];

/// A text without such a line, and what that says. `Source:` names one, which must be the only one of the text. Linear.
pub(super) fn find<'t>(text: &'t str, blocks: &[Block]) -> Option<(&'t str, Vec<Definition>)> {
    let end = text.trim_end().len();
    let begin = text[..end].rfind('\n').map_or(0, |at| at + 1);
    let (label, list) = text[begin..end].split_once([':', '：'])?;
    let title = label.trim_matches(['#', ' ', '*', '_', '-']);
    let is_prose = |block: &&Block| block.range.end > begin && matches!(block.kind, Kind::Paragraph);
    if !is_reference_heading(title) || blocks.last().as_ref().is_none_or(|last| !is_prose(last)) {
        return None;
    }
    let listed = entries(list.trim_matches([' ', '*', '_', '.']))?;
    let body = &text[..begin];
    let is_alone = listed.len() == 1 && !body.contains("://");
    (!is_one_source(title) && listed.len() > 1 || is_alone).then_some((body, listed))
}

/// What is divided, where each has an address or a number in brackets.
fn entries(list: &str) -> Option<Vec<Definition>> {
    // `1. Title, https://… 2. …` is divided by its numbers.
    if list.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (mut listed, mut entry) = (Vec::new(), String::new());
    for (piece, between) in pieces(list) {
        let begins_next = piece.starts_with('[') && numbered(piece).is_some();
        if begins_next && !entry.is_empty() {
            listed.push(definition(entry.trim()).filter(|found| found.number.is_some())?);
            entry.clear();
        }
        entry.push_str(piece);
        if let Some(found) = addressed(&entry) {
            // Two that nothing known divides.
            if entry.matches("://").count() > 1 {
                return None;
            }
            listed.push(found);
            entry.clear();
        } else {
            entry.push_str(between);
        }
    }
    entry.is_empty().then_some(listed).filter(|listed| !listed.is_empty())
}

/// The parts of a list, each with what divides it from the next.
fn pieces(list: &str) -> Vec<(&str, &str)> {
    let (mut pieces, mut rest) = (Vec::new(), list);
    loop {
        let next = BETWEEN.iter().filter_map(|between| Some((rest.find(between)?, *between))).min();
        let Some((at, between)) = next else { break };
        pieces.push((rest[..at].trim(), between));
        rest = &rest[at + between.len()..];
    }
    pieces.push((rest.trim(), ""));
    pieces
}

/// A list without numbers has those of its order where the text cites by such, and all of them are in it.
pub(super) fn in_order(body: &str, mut listed: Vec<Definition>) -> Vec<Definition> {
    if listed.iter().any(|found| found.number.is_some()) {
        return listed;
    }
    let mut by_order = listed.clone();
    by_order.iter_mut().zip(1..).for_each(|(found, number)| found.number = Some(number));
    if cites(body, &by_order) {
        listed = by_order;
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::super::without_list;

    const BODY: &str = "Bitcoin fell by 5 % [1]. Gold rose by 2 % [2].\n\n";

    fn listed(list: &str) -> Vec<(Option<u32>, Option<String>)> {
        let text = format!("{BODY}{list}");
        let (body, listed) = without_list(&text);
        assert!(listed.is_empty() || body == BODY, "{body}");
        listed.into_iter().map(|found| (found.number, found.url)).collect()
    }

    #[test]
    fn a_line_of_addresses_behind_a_label_is_a_list_in_the_order_of_the_markers() {
        for list in [
            "Sources: https://a.org/x, https://b.org",
            "**Sources:** [Reuters](https://a.org/x) · [FT](https://b.org)",
            "Quellen: Reuters, May 2024 (https://a.org/x); FT (https://b.org).",
        ] {
            let expected =
                [(Some(1), Some("https://a.org/x".to_owned())), (Some(2), Some("https://b.org".to_owned()))];
            assert_eq!(listed(list), expected, "{list}");
        }
    }

    #[test]
    fn an_entry_without_a_scheme_breaks_no_other() {
        let found = listed(
            "**Sources**: [1] ECB release (ecb.europa.eu/press), [2] FT (https://b.org), [3] ING (https://c.org)",
        );
        assert_eq!(found.iter().map(|found| found.0).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
        assert_eq!(found[1].1.as_deref(), Some("https://b.org"));
    }

    #[test]
    fn one_source_is_that_of_the_whole_text() {
        let (body, listed) = without_list("Bitcoin fell. Gold rose.\n\nSource: https://a.org/x");
        assert_eq!((&*body, listed.len()), ("Bitcoin fell. Gold rose.\n\n", 1));
        let text = "Bitcoin fell (https://b.org).\n\nGold rose.\nSource: https://a.org/x";
        assert_eq!(without_list(text).1, []);
    }

    #[test]
    fn other_lines_stay() {
        for line in [
            "Sources: we asked Reuters, https://a.org/x, and they said no.",
            "The best: https://a.org/x, https://b.org",
            "Sources: none",
        ] {
            assert_eq!(listed(line), [], "{line}");
        }
    }
}
