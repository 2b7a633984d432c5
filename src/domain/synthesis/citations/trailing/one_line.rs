//! A list of references that ends a text in one line, behind a label: `Sources: https://…, https://…`.

use std::collections::BTreeMap;

use super::{Kind, addressed, cites};
use crate::domain::synthesis::citations::entries::{definition, numbered};
use crate::domain::synthesis::citations::{Definition, Numbering, is_reference_heading, rewrite};
use crate::domain::text::blocks::Block;
use crate::domain::text::leads::is_one_source;

/// What stands between two entries. A comma may belong to a title, too.
const BETWEEN: [&str; 8] = [", ", "; ", " · ", " | ", " • ", "；", "，", "、"];

/// What stands between the prose of a line and a label behind it.
const ENDS: [&str; 5] = [". ", "! ", "? ", "。", ".** "];

/// A text without such a line, and what that says. `Source:` names one, which must be the only one of the text. Linear.
pub(super) fn find<'t>(text: &'t str, blocks: &[Block]) -> Option<(&'t str, Vec<Definition>)> {
    let end = text.trim_end().len();
    let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
    let begin = line + behind_prose(&text[line..end]);
    // `(Source: https://…)` in a paragraph of its own, too.
    let whole = &text[begin..end];
    let is_apart = begin == line && text[..begin].ends_with("\n\n");
    let whole = bracketed(whole).filter(|_| is_apart).unwrap_or(whole);
    let (label, list) = whole.split_once([':', '：'])?;
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

/// What stands in the brackets that a line is.
fn bracketed(line: &str) -> Option<&str> {
    let inside = line.trim_matches(['*', '_', ' ']).strip_prefix(['(', '（']);
    inside.and_then(|inside| inside.strip_suffix([')', '）']))
}

/// Where the last sentence of a line begins, where that is a label with what stands behind it: `It rose. Source: https://…`
fn behind_prose(line: &str) -> usize {
    let begins = ENDS.iter().filter_map(|end| line.rfind(end).map(|at| at + end.len()));
    let is_labelled = |begin: &usize| {
        let label = line[*begin..].split_once([':', '：']).map(|(label, _)| label);
        label.is_some_and(|label| is_reference_heading(label.trim_matches([' ', '*', '_', '('])))
    };
    begins.max().filter(is_labelled).unwrap_or_default()
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
        if let Some(found) = addressed(&entry).or_else(|| bare(&entry)) {
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

/// An entry that is nothing but an address of a page without its scheme: `dataprotection.ie/tiktok`.
fn bare(entry: &str) -> Option<Definition> {
    let (host, path) = entry.trim().split_once('/')?;
    let (name, end) = host.rsplit_once('.')?;
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    let is_host = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(is_name)
        && end.len() >= 2
        && end.chars().all(|c| c.is_ascii_lowercase());
    let is_page = is_host && !path.is_empty() && !path.contains(char::is_whitespace);
    is_page.then(|| Definition {
        number: None,
        title: String::new(),
        url: Some(format!("https://{}", entry.trim())),
    })
}

/// The parts of a list, each with what divides it from the next. What stands in brackets behind an address is no list of its
/// own: `https://… (CNIL, in French)`.
fn pieces(list: &str) -> Vec<(&str, &str)> {
    let (mut pieces, mut begin, mut from) = (Vec::new(), 0, 0);
    loop {
        let rest = &list[from..];
        let next = BETWEEN.iter().filter_map(|between| Some((rest.find(between)?, *between))).min();
        let Some((at, between)) = next else { break };
        let (end, behind) = (from + at, from + at + between.len());
        from = behind;
        if !is_in_note(&list[begin..end], &list[behind..]) {
            pieces.push((list[begin..end].trim(), between));
            begin = behind;
        }
    }
    pieces.push((list[begin..].trim(), ""));
    pieces
}

/// Whether a bracket that was opened behind an address is closed behind `rest` begins, before another address.
fn is_in_note(piece: &str, rest: &str) -> bool {
    let Some(open) = piece.rfind(" (").filter(|open| piece[..*open].contains("://")) else { return false };
    let note = rest.find(')').map(|close| &rest[..close]);
    !piece[open..].contains([')', '/']) && note.is_some_and(|note| !note.contains(['(', '/']))
}

/// A list without numbers has those of its order where the text cites by such, the first among them, and all of them are in it: who
/// cites `[2]` alone didn't number it so.
pub(super) fn in_order(body: &str, mut listed: Vec<Definition>) -> Vec<Definition> {
    if listed.iter().any(|found| found.number.is_some()) {
        return listed;
    }
    let mut by_order = listed.clone();
    by_order.iter_mut().zip(1..).for_each(|(found, number)| found.number = Some(number));
    if cites(body, &by_order) && cites_first(body) {
        listed = by_order;
    }
    listed
}

/// Whether a text cites `[1]`.
fn cites_first(body: &str) -> bool {
    let own = BTreeMap::from([(1, 1)]);
    !rewrite(body, &own, &mut Numbering::new()).1.citations.is_empty()
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
    fn a_list_without_numbers_has_none_where_the_first_is_not_cited() {
        for (cited, numbers) in [
            ("[1]", [Some(1), Some(2)]),
            ("[2] [1]", [Some(1), Some(2)]),
            ("[2]", [None, None]),
            ("[3]", [None, None]),
        ] {
            let text = format!(
                "Each server votes once per term {cited}.\n\n## Bibliography\nOngaro, D. (2014). In Search. https://a.org/x\nHoward, H. (2016). Liveness. https://b.org"
            );
            let listed = without_list(&text).1;
            assert_eq!(listed.iter().map(|found| found.number).collect::<Vec<_>>(), numbers, "{cited}");
        }
    }

    #[test]
    fn notes_and_addresses_without_a_scheme_break_no_list() {
        for list in [
            "Sources: https://a.org/x, https://b.org/y (CNIL, in French)",
            "Sources: [EDPB](https://a.org/x) (decision, binding), https://b.org/y",
            "Sources: [EDPB](https://a.org/x), b.org/y",
            "Sources: a.org/x; https://b.org/y.",
        ] {
            let urls: Vec<_> = listed(list).into_iter().filter_map(|(_, url)| url).collect();
            assert_eq!(urls, ["https://a.org/x", "https://b.org/y"], "{list}");
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
        let (body, listed) = without_list("Metals:\n\n- gold rose\n- tin fell\n\n(Source: https://a.org/x)");
        assert_eq!((&*body, listed.len()), ("Metals:\n\n- gold rose\n- tin fell\n\n", 1));
        let (body, listed) = without_list("Bitcoin fell. **Gold rose.** Source: https://a.org/x");
        assert_eq!((&*body, listed.len()), ("Bitcoin fell. **Gold rose.** ", 1));
        assert_eq!(without_list("Bitcoin fell. We asked a source: https://a.org/x").1, []);
        assert_eq!(
            without_list("Bitcoin fell. Source: https://b.org\n\nGold rose. Source: https://a.org/x").1,
            []
        );
        let text = "Bitcoin fell (https://b.org).\n\nGold rose.\nSource: https://a.org/x";
        assert_eq!(without_list(text).1, []);
    }

    #[test]
    fn other_lines_stay() {
        for line in [
            "Sources: we asked Reuters, https://a.org/x, and they said no.",
            "The best: https://a.org/x, https://b.org",
            "Sources: none",
            "Sources: https://a.org/x, and/or others",
            "Sources: https://a.org/x, Node.js/Express",
            "Sources: https://a.org/x (a, b",
            "Sources: https://a.org/x (we asked, and they said no), some.",
        ] {
            assert_eq!(listed(line), [], "{line}");
        }
    }
}
