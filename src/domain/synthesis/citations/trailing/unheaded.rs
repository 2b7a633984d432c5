//! A list of references that ends a text without any heading, or in one line behind a label.
//!
//! `1. [Alpha](https://…)` may be a list of tools as well. It is one of references where the text before it cites its
//! numbers, and each of its items is a title with its address and no more, or a work. Of a list `[1] …` one cited number is enough:
//! nothing else is written so.

use std::collections::{BTreeMap, BTreeSet};

use super::titled::is_titled;
use super::works::is_work;
use super::{ITEM_BYTES_MAX, addressed, heading_of};
use crate::domain::synthesis::citations::entries::{definition, in_line, numbered, unmarked};
use crate::domain::synthesis::citations::marker::closer;
use crate::domain::synthesis::citations::{Definition, Numbering, rewrite};
use crate::domain::text::blocks::{Block, Kind};

/// Fewer than one in so many of the numbers of `1. …` may be uncited: authors list what they have read besides.
const UNCITED_SHARE: usize = 3;
/// No more citations than one for so many numbers may be of others: models make some up.
const UNKNOWN_SHARE: usize = 8;

/// A list, and where it begins.
struct List {
    begin: usize,
    items: Vec<Definition>,
    /// Whether all its numbers stand in brackets, as markers do.
    bracketed: bool,
}

/// A text without such a list, and what the list says. Linear.
pub(super) fn find<'t>(text: &'t str, blocks: &[Block]) -> Option<(&'t str, Vec<Definition>)> {
    let list = labelled(text).or_else(|| numbered_lines(text))?;
    let body = &text[..list.begin];
    let is_prose = |block: &Block| !matches!(block.kind, Kind::Code { .. });
    let is_list = blocks.iter().rev().take_while(|block| block.range.end > list.begin).all(is_prose);
    let is_whole = !goes_up(body, &list);
    let is_one = is_list && is_whole && !is_introduced(body, &list, blocks) && are_cited(body, &list);
    is_one.then_some((body, list.items))
}

/// Whether the line above is an item of the same list, which says something, or wraps: that list isn't one of titles only,
/// or has a heading that is known.
fn goes_up(body: &str, list: &List) -> bool {
    let line = body.trim_end().rsplit('\n').next().unwrap_or_default();
    let above = marked(line).map(|(number, _)| number);
    let first = list.items.first().and_then(|item| item.number);
    above.zip(first).is_some_and(|(above, first)| above < first)
}

/// Whether words above a list say what its items are: a heading that isn't one of references, or `These tools are good:`.
fn is_introduced(body: &str, list: &List, blocks: &[Block]) -> bool {
    let last = body.trim_end();
    let above = blocks.iter().rfind(|block| block.range.start < last.len());
    let is_apart = |block: &&Block| block.range.end <= list.begin;
    above.filter(is_apart).is_some_and(|block| heading_of(block, body).is_some())
        || !list.bracketed && last.ends_with([':', '：'])
}

/// Whether the text cites the numbers of a list, which it doesn't define itself.
fn are_cited(body: &str, list: &List) -> bool {
    let numbers: Vec<u32> = list.items.iter().filter_map(|item| item.number).collect();
    if numbers.len() < list.items.len() || !numbers.is_sorted_by(|one, next| one < next) {
        return false;
    }
    let own: BTreeMap<u32, u32> = numbers.iter().map(|number| (*number, *number)).collect();
    let report = rewrite(body, &own, &mut Numbering::new()).1;
    let cited: BTreeSet<u32> = report.citations.iter().map(|citation| citation.source).collect();
    let defined = report.definitions.iter().filter_map(|definition| definition.number);
    let is_new = defined.into_iter().all(|number| !own.contains_key(&number));
    let (uncited, unknown) = (own.len() - cited.len(), report.dangling.len());
    let are_most = uncited * UNCITED_SHARE < own.len() && unknown * UNKNOWN_SHARE <= own.len();
    is_new && !cited.is_empty() && (list.bracketed || are_most)
}

/// The last line, where it is a list behind a label.
fn labelled(text: &str) -> Option<List> {
    let end = text.trim_end();
    let begin = end.rfind('\n').map_or(0, |at| at + 1);
    let pieces = in_line(&end[begin..])?;
    let items = pieces.iter().map(|piece| item(piece)).collect::<Option<Vec<Definition>>>()?;
    let bracketed = pieces.iter().all(|piece| is_bracketed(piece));
    Some(List { begin, items, bracketed })
}

/// The last lines that are items with a number, or the address that wraps from one.
fn numbered_lines(text: &str) -> Option<List> {
    let mut list = List { begin: text.len(), items: Vec::new(), bracketed: true };
    let mut end = text.trim_end().len();
    let mut wrapped: Option<&str> = None;
    while end > 0 {
        let begin = text[..end].rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..end].trim();
        end = begin.saturating_sub(1);
        if line.is_empty() {
            continue;
        }
        let whole = wrapped.take().map(|address| format!("{line} {address}"));
        if let Some(found) = item(whole.as_deref().unwrap_or(line)) {
            list.items.push(found);
            list.bracketed &= is_bracketed(line);
            list.begin = begin;
        } else if whole.is_none() && is_address(line) {
            wrapped = Some(line);
        } else {
            break;
        }
    }
    list.items.reverse();
    (!list.items.is_empty()).then_some(list)
}

/// What an item says that has a number, and is a title with its address, or a work without one.
fn item(line: &str) -> Option<Definition> {
    let (_, rest) = marked(line)?;
    let Some(found) = addressed(line) else {
        return is_work(rest).then(|| definition(line)).flatten().filter(|work| work.url.is_none());
    };
    is_titled(rest, found.url.as_deref()?).then_some(found)
}

/// Whether a line may be the last of a list whose items have no address.
pub(super) fn ends_list(line: &str) -> bool {
    marked(line.trim()).is_some_and(|(_, rest)| is_work(rest))
}

/// The number of an item, and what stands behind it. That of `2024 was …` is none.
fn marked(line: &str) -> Option<(u32, &str)> {
    let line = unmarked(line).trim_start_matches('*').trim_start();
    let (number, rest) = numbered(line)?;
    let mark = line[..line.len() - rest.len()].chars().next_back();
    (!mark.is_none_or(char::is_whitespace)).then_some((number, rest))
}

fn is_bracketed(line: &str) -> bool {
    unmarked(line).trim_start_matches('*').trim_start().starts_with(|c| closer(c).is_some())
}

/// Whether a line is nothing but an address.
fn is_address(line: &str) -> bool {
    line.len() <= ITEM_BYTES_MAX
        && definition(line).is_some_and(|found| found.number.is_none() && found.title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::without_list;

    const BODY: &str = "Prices rose by 5 % [1]. Costs fell by 3 % [2].\n\n";

    /// Each is taken out, and says what two numbers mean.
    #[test]
    fn list_of_references_needs_no_heading_where_its_numbers_are_cited() {
        for list in [
            "1. [Alpha](https://a.example/x)\n2. [Beta](https://b.example/y)",
            "1. https://a.example/x\n2. https://b.example/y\n",
            "1. <https://a.example/x>\n\n2. <https://b.example/y>\n",
            "1. Alpha Report, https://a.example/x\n2. The report on prices, https://b.example/y",
            "1) Smith, J. (2023). Prices and what moves them. https://a.example/x\n2) Beta – https://b.example/y (accessed 2025)",
            "1. Smith (2023). [Alpha](https://a.example/x)\n2. [Beta](https://b.example/y), Reuters, 4 May 2025.",
            "1. Alpha Report\n   https://a.example/x\n2. Beta\n   https://b.example/y",
            "1. What moves prices?: https://a.example/x\n2. 价格上涨！: https://b.example/y",
            "[1] https://a.example/x\n[2] https://b.example/y",
            "- [1] Alpha: https://a.example/x\n- [2] Beta: https://b.example/y",
            "[1] A title that is a good deal longer than what the rewriter sees of it, https://a.example/x\n[2] Beta https://b.example/y",
            "【1】世界银行报告 https://a.example/x\n【2】报告二：https://b.example/y",
            "Sources: [1] https://a.example/x; [2] https://b.example/y",
            "**Sources:** [1] Alpha, https://a.example/x, [2] Beta, https://b.example/y",
            "Quellen: [1] https://a.example/x | [2] https://b.example/y",
            "References: 1. The report on prices, https://a.example/x 2. Beta Report, https://b.example/y",
            "来源：[1] https://a.example/x；[2] https://b.example/y",
        ] {
            let text = format!("{BODY}{list}");
            let (body, listed) = without_list(&text);
            assert_eq!(body, BODY, "{text}");
            let found: Vec<_> = listed.iter().map(|item| (item.number, item.url.as_deref())).collect();
            assert_eq!(
                found,
                [(Some(1), Some("https://a.example/x")), (Some(2), Some("https://b.example/y"))],
                "{text}"
            );
        }
        let paper =
            "1. Smith J, et al. Drug X in T2DM. N Engl J Med. 2022;386:1-10. doi:10.1056/NEJMoa2100001";
        let text = format!("Drug X reduced it by 1.2% [1].\n\n{paper}");
        let (body, listed) = without_list(&text);
        assert_eq!(body, "Drug X reduced it by 1.2% [1].\n\n");
        assert_eq!(listed[0].url.as_deref(), Some("doi:10.1056/NEJMoa2100001"));
        assert_eq!(without_list(&text.replace("[1]", "")).1, []);
        let text = "Prices rose by 5 % [1].\n[1] https://a.example/x";
        assert_eq!(without_list(text).0, "Prices rose by 5 % [1].\n");
    }

    #[test]
    fn of_a_long_list_some_numbers_may_be_uncited() {
        let list: String = (1..=9).map(|n| format!("{n}. Report {n}, https://a.example/{n}\n")).collect();
        let text = format!("Prices rose [1, 2, 3]. Costs fell [5-8].\n\n{list}");
        assert_eq!(without_list(&text).1.len(), 9);
        assert_eq!(without_list(&text.replace("5-8", "5-7")).1, []);
        assert_eq!(without_list(&text.replace("5-8", "5-8][10")).1.len(), 9);
        assert_eq!(without_list(&text.replace("5-8", "5-8][10, 11")).1, []);
    }

    #[test]
    fn other_lists_stay() {
        const LIST: &str = "1. [Alpha](https://a.example/x)\n2. [Beta](https://b.example/y)";
        for text in [
            // Nothing is cited, not all, or more.
            format!("Prices rose by 5 %.\n\n{LIST}"),
            format!("Prices rose by 5 % [1].\n\n{LIST}"),
            format!("Prices rose by 5 % [1]. Costs fell [2]. Rents rose [3].\n\n{LIST}"),
            LIST.to_owned(),
            format!("Prices rose by 5 % [1]. Costs fell [2].\n\n{LIST}\n3. https://c.example"),
            // The list is something else.
            format!("{}These tools are good:\n\n{LIST}", BODY.replace("\n\n", " ")),
            format!("{}\nThese tools are good:\n\n{LIST}", BODY.trim_end()),
            format!("{BODY}## Tools\n\n{LIST}\n3. [Gamma](https://c.example)").replace("[2].", "[2] [4]."),
            format!("{BODY}```\n{LIST}"),
            format!("{BODY}1. We recommend [Alpha](https://a.example/x)\n2. [Beta](https://b.example/y)"),
            format!("{BODY}1. [Alpha](https://a.example/x) is cheap\n2. [Beta](https://b.example/y) is good"),
            format!("{BODY}1. Ask people at https://a.example/x\n2. Read more on https://b.example/y"),
            format!("{BODY}1. [Alpha](https://a.example/x)\n1. [Beta](https://b.example/y)"),
            format!("{BODY}- [Alpha](https://a.example/x)\n- [Beta](https://b.example/y)"),
            format!("{BODY}2023 was good, https://a.example/x"),
            format!("{BODY}[1] says that [it](https://a.example/x) fell."),
            // It is a part of one that says something.
            format!("{BODY}1. Rents fell, too.\n2. [Beta](https://b.example/y)").replace("[1]", "[2]"),
            // The text has references of its own.
            format!(
                "{BODY}## References\n\n[1] C: https://c.example\n[2] D: https://d.example\n\nSee also the tools.\n\n{LIST}"
            ),
        ] {
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }
}
