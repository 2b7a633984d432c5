//! A table of contents: its items are headings once more, and state nothing.

use super::edges::edges;
use crate::domain::text::blocks::{Block, Kind};

/// What heads one and nothing else. `Contents` may be those of a box.
#[rustfmt::skip]
const HEADINGS: [&str; 10] = [
    "table of contents", "inhaltsverzeichnis", "inhaltsübersicht", "table des matières", "tabla de contenido", "tabla de contenidos", "índice de contenidos", "目录", "目錄", "目次",
];

pub(super) fn is_heading(heading: &str) -> bool {
    let lower = edges(heading).trim_end_matches([':', '：']).trim().to_lowercase();
    HEADINGS.contains(&lower.as_str())
}

/// Where the last heading begins: behind it nothing has contents.
pub(super) fn last_heading(blocks: &[Block]) -> usize {
    let is_one = |block: &&Block| matches!(block.kind, Kind::Heading { .. });
    blocks.iter().rev().find(is_one).map_or(0, |block| block.range.start)
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
    fn other_lists_do() {
        let items = "\n\n1. Introduce the plan in May\n2. Cook for a week";
        let body = "\n\n## Scope\n\nThis plan fits adults with 1800 kcal per day.";
        assert_eq!(stated(&format!("## Contents{items}{body}")).len(), 3);
        assert_eq!(stated(&format!("## Table of contents{items}")).len(), 2, "nothing follows");
        let text = format!("## Table of contents\n\n- One\n\nIt is said in two steps.{items}{body}");
        assert_eq!(stated(&text).len(), 4, "prose ends it");
    }
}
