//! Lists in other marks than those of Markdown: `• …`, `✅ …`, `a) …`, `(1) …`, `一、…`, `1．…`.
//!
//! Models write them in plain text and in chats, and mean what `- …` does, so their lines become items like those.

use std::ops::Range;

use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::scripts::is_wide;

/// Marks that nothing but an item begins with, before a blank.
const BULLETS: [char; 20] =
    ['•', '·', '◦', '‣', '⁃', '▪', '▫', '●', '○', '■', '◆', '▸', '►', '➤', '✓', '✔', '✅', '❌', '✗', '✘'];
/// Those that words stand right behind, too, in Chinese and Japanese.
const TIGHT: [char; 4] = ['•', '●', '■', '◆'];
/// Marks that a line of something else may begin with.
const ARROWS: [char; 4] = ['→', '➔', '➜', '⇒'];
/// How Chinese counts its parts.
const NUMERALS: &str = "一二三四五六七八九十";
/// Characters of a number.
const NUMBER_CHARS_MAX: usize = 3;
/// Columns by which an item stands further in than the one that it is in, at least.
const DEEPER: usize = 2;

/// What the line of an item begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Bullet,
    Arrow,
    Number,
}

/// The blocks of a text, of which paragraphs and items that have lines with such marks are parted before each. A number or an arrow may
/// begin a line of prose, so there must be two, and the first line must have one or lead them in.
pub(super) fn with_lists(text: &str, blocks: Vec<Block>) -> Vec<Block> {
    let mut found = Vec::with_capacity(blocks.len());
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        match block.kind {
            Kind::Paragraph | Kind::ListItem { .. } => part(text, block, blocks.peek(), &mut found),
            Kind::Heading { .. }
            | Kind::Quote
            | Kind::Code { .. }
            | Kind::Table
            | Kind::Rule
            | Kind::Html => found.push(block),
        }
    }
    found
}

/// What stands behind the number or the arrow that an item's bytes begin with. A bullet is taken off every sentence, and `✅` says something.
pub(super) fn behind_mark(text: &str, item: Range<usize>) -> Range<usize> {
    let body = &text[item.clone()];
    let line = body.trim_start();
    let blank = body.len() - line.len();
    let arrow = || line.strip_prefix(ARROWS).map(|said| line.len() - said.trim_start().len());
    let mark = number(line).or_else(arrow).map_or(0, |mark| blank + mark);
    item.start + mark..item.end
}

fn part(text: &str, block: Block, next: Option<&Block>, found: &mut Vec<Block>) {
    let marked = marked_lines(text, &block);
    let heads = |next: &Block| matches!(next.kind, Kind::ListItem { .. } | Kind::Table | Kind::Code { .. });
    // A line alone above a list heads that: `✅ Pros`.
    let is_head = marked.len() == 1 && next.is_some_and(heads);
    if marked.is_empty() || is_head {
        return found.push(block);
    }
    let outer = if let Kind::ListItem { indent, .. } = block.kind { Some(indent) } else { None };
    let (mut kind, mut start) = (block.kind, block.range.start);
    for (at, mark) in marked {
        if !text[start..at].trim().is_empty() {
            found.push(Block { kind, range: start..at });
            start = at;
        }
        let column = text[at..].chars().take_while(|c| matches!(c, ' ' | '\t')).count();
        let indent = outer.map_or(column, |outer| column.max(outer + DEEPER));
        kind = Kind::ListItem { indent, ordered: mark == Mark::Number };
    }
    found.push(Block { kind, range: start..block.range.end });
}

/// Where the lines begin that are items, and with what.
fn marked_lines(text: &str, block: &Block) -> Vec<(usize, Mark)> {
    let body = &text[block.range.clone()];
    // Sooner asked than every line: most blocks have none.
    if body.is_ascii() && !body.contains(") ") {
        return Vec::new();
    }
    let (mut at, mut first, mut marked) = (block.range.start, None, Vec::new());
    for line in body.split_inclusive('\n') {
        // The first line of an item has its mark already.
        let is_own = first.is_none() && block.kind != Kind::Paragraph;
        if let Some(mark) = mark(line.trim_start()).filter(|_| !is_own) {
            marked.push((at, mark));
        }
        if first.is_none() && !line.trim().is_empty() {
            first = Some(line.trim());
        }
        at += line.len();
    }
    let first = first.unwrap_or_default();
    let leads_in = mark(first).is_some() || first.ends_with([':', '：']) || first.ends_with("**");
    let is_list = |kind: Mark| leads_in && marked.iter().filter(|(_, mark)| *mark == kind).nth(1).is_some();
    let (are_arrows, are_numbers) = (is_list(Mark::Arrow), is_list(Mark::Number));
    marked.retain(|(_, mark)| match mark {
        Mark::Bullet => true,
        Mark::Arrow => are_arrows,
        Mark::Number => are_numbers,
    });
    marked
}

fn mark(line: &str) -> Option<Mark> {
    let first = line.chars().next()?;
    let behind = line[first.len_utf8()..].trim_start_matches('\u{FE0F}');
    let is_apart = behind.starts_with([' ', '\t', '\u{A0}', '\u{3000}']);
    let is_tight = || TIGHT.contains(&first) && behind.starts_with(is_wide);
    let says = behind.lines().next().is_some_and(|line| line.contains(char::is_alphanumeric));
    if !says {
        return None;
    }
    match first {
        _ if BULLETS.contains(&first) => (is_apart || is_tight()).then_some(Mark::Bullet),
        _ if ARROWS.contains(&first) => Some(Mark::Arrow),
        _ => number(line).map(|_| Mark::Number),
    }
}

/// The bytes of the number or letter that a line begins with, and of what stands behind it: `a) `, `(1) `, `（一）`, `一、`, `1．`, `1.` before
/// Chinese or Japanese words.
fn number(line: &str) -> Option<usize> {
    let open = line.chars().next().filter(|c| matches!(c, '(' | '（')).map_or(0, char::len_utf8);
    let inside = &line[open..];
    let is_digit = |c: char| c.is_ascii_digit();
    let is_numeral = |c: char| NUMERALS.contains(c);
    let run = |is: &dyn Fn(char) -> bool| inside.len() - inside.trim_start_matches(is).len();
    let (digits, numerals) = (run(&is_digit), run(&is_numeral));
    let letter = usize::from(inside.starts_with(|c: char| c.is_ascii_lowercase()));
    let length = digits.max(numerals).max(letter);
    let end = inside[length..].chars().next()?;
    let behind = &inside[length + end.len_utf8()..];
    let is_apart = behind.starts_with([' ', '\t']);
    let ends = match end {
        ')' if open > 0 || letter > 0 => is_apart || behind.starts_with(is_wide),
        '）' => true,
        '.' => open == 0 && digits > 0 && behind.starts_with(is_wide),
        '．' => open == 0 && digits > 0,
        '、' => open == 0 && letter == 0 && !behind.starts_with(is_numeral),
        _ => false,
    };
    let is_short = length > 0 && inside[..length].chars().count() <= NUMBER_CHARS_MAX;
    let blank = behind.len() - behind.trim_start_matches([' ', '\t', '\u{3000}']).len();
    (ends && is_short).then_some(open + length + end.len_utf8() + blank)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    fn items(text: &str) -> Vec<&str> {
        let blocks = with_lists(text, crate::domain::text::blocks::blocks(text)).into_iter();
        let items = blocks.filter(|block| matches!(block.kind, Kind::ListItem { .. }));
        items.map(|block| text[block.content(text)].trim()).collect()
    }

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|found| found.text).collect()
    }

    #[test]
    fn lines_with_other_marks_are_items() {
        for marks in [
            ["•", "•"],
            ["◦", "◦"],
            ["●", "●"],
            ["✓", "✓"],
            ["✅", "❌"],
            ["→", "→"],
            ["a)", "b)"],
            ["(1)", "(2)"],
            ["（一）", "（二）"],
            ["一、", "二、"],
            ["1．", "2．"],
        ] {
            let [one, other] = marks.map(|mark| format!("{mark} Loss of key staff"));
            for text in [
                format!("{one}\n{other}"),
                format!("Main risks:\n{one}\n{other}"),
                format!("- Main risks:\n  {one}\n  {other}"),
            ] {
                assert!(items(&text).ends_with(&[&one, &other]), "{text}");
            }
        }
        assert_eq!(items("1.汇率波动\n2.供应链中断"), ["1.汇率波动", "2.供应链中断"]);
        assert_eq!(items("•汇率波动"), ["•汇率波动"]);
    }

    #[test]
    fn lines_that_go_on_are_none() {
        for text in [
            "It rose → and then\n→ it fell",
            "There are (1) revenue and\n(2) costs.",
            "(2024) was a good year",
            "a) is the only one",
            "一、二线城市房价上涨\n三、四线城市房价下跌",
            "1.5 is more\n2.5 is most",
            "○○社は増収\n○○社は減収",
            "✅ Pros\n\n- It is fast\n- It is small",
            "•\n•",
        ] {
            assert!(items(text).iter().all(|item| item.starts_with("- ")), "{text}");
        }
    }

    #[test]
    fn they_are_stated_as_items_of_markdown_are() {
        let markdown = "Main risks:\n- Currency swings: may affect profit by 5%\n- Supply chain disruption\n- Regulatory change";
        let expected = stated(markdown);
        assert_eq!(expected.len(), 3);
        for mark in ["•", "◦", "●", "▪", "·", "➤"] {
            assert_eq!(stated(&markdown.replace("- ", &format!("{mark} "))), expected, "{mark}");
        }
        let numbered = "主要风险：\n1．汇率波动可能影响利润约5%\n2．供应链中断\n3．监管变化";
        let expected = ["汇率波动可能影响利润约5%", "供应链中断", "监管变化"];
        assert_eq!(stated(numbered), expected);
        let counted = numbered.replace("1．", "一、").replace("2．", "二、").replace("3．", "三、");
        assert_eq!(stated(&counted), expected);
    }

    #[test]
    fn a_mark_that_says_yes_or_no_is_quoted_with_what_it_says_it_of() {
        const SAID: &str = "The plan costs $12 per user per month.";
        for lines in ["✅ Supports SSO\n❌ No SCIM support", "✅ SSO\n❌ SCIM"] {
            let expected: Vec<&str> = [SAID].into_iter().chain(lines.lines()).collect();
            assert_eq!(stated(&format!("{SAID}\n\n{lines}")), expected);
            assert_eq!(stated(&format!("{SAID}\n\n- {}", lines.replace('\n', "\n- "))), expected);
        }
        for line in ["✅ Pros", "✅ Done", "✅ **Summary**", "✅ Conclusion"] {
            assert_eq!(stated(&format!("{SAID}\n\n{line}\n\n{SAID}")), [SAID, SAID], "{line}");
        }
    }
}
