//! A table of contents: its items are headings once more, and state nothing.

use super::edges::edges;
use crate::domain::text::blocks::{Block, Kind};

/// What heads one and nothing else. `Contents` may be those of a box.
#[rustfmt::skip]
const HEADINGS: [&str; 10] = [
    "table of contents", "inhaltsverzeichnis", "inhaltsübersicht", "table des matières", "tabla de contenido", "tabla de contenidos", "índice de contenidos", "目录", "目錄", "目次",
];

/// Bytes of a heading that is looked at, with its marks.
const HEADING_BYTES_MAX: usize = 32;
/// What heads one where its first item is a heading of the text.
const SHORT: [&str; 5] = ["contents", "inhalt", "sommaire", "contenido", "índice"];

/// Where a heading begins whose list is a table of contents by what its first item says: that heads a part further down.
pub(super) fn listed(text: &str, blocks: &[Block]) -> Option<usize> {
    let line =
        |block: &Block| edges(&text[block.content(text)]).trim_start_matches('#').trim().to_lowercase();
    let is_head = |block: &Block| matches!(block.kind, Kind::Heading { .. } | Kind::Paragraph);
    let at = blocks.windows(2).position(|pair| {
        is_head(&pair[0])
            && matches!(pair[1].kind, Kind::ListItem { .. })
            && pair[0].range.len() <= HEADING_BYTES_MAX
            && SHORT.contains(&line(&pair[0]).trim_end_matches([':', '：']))
    })?;
    let item = line(&blocks[at + 1]);
    let item =
        item.strip_prefix('[').and_then(|link| link.split_once("](")).map_or(item.as_str(), |link| link.0);
    let mut behind = blocks[at + 2..].iter().filter(|block| matches!(block.kind, Kind::Heading { .. }));
    behind.any(|heading| line(heading) == item).then(|| blocks[at].range.start)
}

pub(super) fn is_heading(heading: &str) -> bool {
    let lower = edges(heading).trim_end_matches([':', '：']).trim().to_lowercase();
    HEADINGS.contains(&lower.as_str())
}

/// Where the last heading begins: behind it nothing has contents.
pub(super) fn last_heading(blocks: &[Block]) -> usize {
    let is_one = |block: &&Block| matches!(block.kind, Kind::Heading { .. });
    blocks.iter().rev().find(is_one).map_or(0, |block| block.range.start)
}

/// What a heading says, without its marks.
pub(super) fn heading_text(heading: &str) -> &str {
    let first = heading.trim().trim_start_matches('#').lines().next().unwrap_or_default();
    edges(first.trim_end_matches('#'))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<&str> {
        read(text, "a").into_iter().map(|said| said.text).collect()
    }

    #[test]
    fn a_table_of_contents_states_nothing() {
        let body = "\n\n## Scope\n\nThis plan fits adults with 1800 kcal per day.";
        for list in [
            "## Table of Contents\n\n1. Introduction and scope\n2. Energy and nutrition framework\n3. Recommendations for batch cooking",
            "**Table of contents:**\n\n- Introduction and scope of the plan\n  - The energy and nutrition framework",
            "## 目录\n\n1. 前言与适用范围说明\n2. 能量与营养框架设定",
        ] {
            let text = format!("{list}{body}");
            assert_eq!(stated(&text), ["This plan fits adults with 1800 kcal per day."], "{text}");
        }
    }

    #[test]
    fn one_that_is_only_headed_contents_is_told_by_its_first_item() {
        let body = "\n\n## Scope of the plan\n\nThis plan fits adults with 1800 kcal per day.";
        for list in [
            "## Contents\n\n1. Scope of the plan\n2. Energy and nutrition framework",
            "**Contents:**\n\n- [Scope of the plan](#scope-of-the-plan)\n- [Recommendations for batch cooking](#cook)",
        ] {
            let text = format!("{list}{body}");
            assert_eq!(stated(&text), ["This plan fits adults with 1800 kcal per day."], "{text}");
        }
        let text = format!("## Contents\n\n1. Cook for a week\n2. Scope of the plan in May{body}");
        assert_eq!(stated(&text).len(), 3);
    }

    #[test]
    fn other_lists_do() {
        let items = "\n\n1. Introduce the plan in May\n2. Cook for a week";
        let body = "\n\n## Scope\n\nThis plan fits adults with 1800 kcal per day.";
        assert_eq!(stated(&format!("## Contents{items}{body}")).len(), 3);
        assert_eq!(stated(&format!("## Table of contents{items}")).len(), 2, "nothing follows");
        let text = format!("## Table of contents\n\n- One\n\nIt is said in two steps.{items}{body}");
        assert_eq!(stated(&text).len(), 4, "prose ends it");
    }
}
