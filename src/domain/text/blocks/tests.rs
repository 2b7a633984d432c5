//! The blocks of CommonMark are found, cover every text, and hostile ones take no time.

use super::{Block, Kind, blocks};
use proptest::prelude::*;

/// The kinds and contents of a text's blocks, one a line, with newlines as `⏎`.
fn shown(text: &str) -> String {
    let line = |block: &Block| {
        let kind = match block.kind {
            Kind::Heading { level } => format!("h{level}"),
            Kind::Paragraph => "p".to_owned(),
            Kind::ListItem { indent, ordered } => format!("{}{indent}", if ordered { "ol" } else { "ul" }),
            Kind::Quote => "quote".to_owned(),
            Kind::Code { fenced, closed } => {
                format!(
                    "code{}{}",
                    if fenced { "" } else { " indented" },
                    if fenced && !closed { " open" } else { "" }
                )
            }
            Kind::Table => "table".to_owned(),
            Kind::Rule => "rule".to_owned(),
            Kind::Html => "html".to_owned(),
        };
        format!("{kind}: {}", text[block.content(text)].replace('\n', "⏎"))
    };
    blocks(text).iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn finds_the_blocks_of_commonmark() {
    let cases: &[(&str, &str)] = &[
        ("", ""),
        ("one\ntwo\n\nthree\n", "p: one⏎two\np: three"),
        ("\n\n  lead\n", "p:   lead"),
        ("# A\ntext\n###### F ##\n####### no", "h1: # A\np: text\nh6: ###### F ##\np: ####### no"),
        ("#no\n#\n", "p: #no\nh1: #"),
        ("Title\n===\ntext\n---\n", "h1: Title⏎===\nh2: text⏎---"),
        ("a\n\n---\n***\n_ _ _\n--", "p: a\nrule: ---\nrule: ***\nrule: _ _ _\np: --"),
        ("- a\n- b\n  more\nlazy\n* c", "ul0: - a\nul0: - b⏎  more⏎lazy\nul0: * c"),
        ("A:\n- a\nNot a:\n- b\n**C:**\n1. c", "p: A:\nul0: - a\np: Not a:\nul0: - b\np: **C:**\nol0: 1. c"),
        ("a:\n  - a\nnot_a:\n  - b", "p: a:\nul2:   - a\np: not_a:\nul2:   - b"),
        ("- a\nlazy as this is:\n- b\nB:\nc", "ul0: - a⏎lazy as this is:\nul0: - b⏎B:⏎c"),
        ("- a\n    - b\n        1. c\n", "ul0: - a\nul4:     - b\nol8:         1. c"),
        ("- a\n---\n", "ul0: - a\nrule: ---"),
        ("text\n1. one\n2. two\ntext\n\n14. x", "p: text\nol0: 1. one\nol0: 2. two⏎text\nol0: 14. x"),
        ("The year\n1990. It was\n-\nno", "h2: The year⏎1990. It was⏎-\np: no"),
        ("1) a\n2) b", "ol0: 1) a\nol0: 2) b"),
        ("- a\n\n  para\n\npara", "ul0: - a\np:   para\np: para"),
        ("> a\n> b\nlazy\n\n> c", "quote: > a⏎> b⏎lazy\nquote: > c"),
        ("```rust\n# no\n\n- no\n```\nafter", "code: ```rust⏎# no⏎⏎- no⏎```\np: after"),
        ("````\n```\n````", "code: ````⏎```⏎````"),
        ("~~~ a`b\n```\n~~~~", "code: ~~~ a`b⏎```⏎~~~~"),
        ("``` a`b\nx", "p: ``` a`b⏎x"),
        ("a\n```\nb\n\nc", "p: a\ncode open: ```⏎b⏎⏎c"),
        ("- a\n  ```\n  b\n  ```\n- c", "ul0: - a\ncode:   ```⏎  b⏎  ```\nul0: - c"),
        ("p\n\n    code\n\n    more\np", "p: p\ncode indented:     code⏎⏎    more\np: p"),
        ("p\n    not code", "p: p⏎    not code"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |\nx\n\np", "table: | a | b |⏎|---|:-:|⏎| 1 | 2 |⏎x\np: p"),
        ("a | b\n- | -\n1 | 2", "table: a | b⏎- | -⏎1 | 2"),
        ("a | b\n--|--\n1 | 2", "table: a | b⏎--|--⏎1 | 2"),
        ("| a | b |\n|---|\n", "p: | a | b |⏎|---|"),
        ("text\n| a |\n|---|\n| 1 |\n# h", "p: text\ntable: | a |⏎|---|⏎| 1 |\nh1: # h"),
        ("| a \\| b |\n|---|\n", "table: | a \\| b |⏎|---|"),
        ("<div>\n*a*\n\nb", "html: <div>⏎*a*\np: b"),
        ("<!-- a\n\nb -->\nc", "html: <!-- a⏎⏎b -->\np: c"),
        ("<script>\n\n</script>\nc", "html: <script>⏎⏎</script>\np: c"),
        ("<b>x</b> is prose\na\n<i>\nb", "p: <b>x</b> is prose⏎a⏎<i>⏎b"),
        ("<https://a.example>\n", "p: <https://a.example>"),
        ("a\r\n\r\nb\r\n", "p: a\np: b"),
        ("[1] A: https://a  \n[2] B: https://b", "p: [1] A: https://a  ⏎[2] B: https://b"),
        (" \n ", "p: "),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), *expected, "{text:?}");
    }
}

/// What holds for every text.
fn check(text: &str) {
    let found = blocks(text);
    let mut last = 0;
    for block in &found {
        assert_eq!(block.range.start, last);
        let content = block.content(text);
        assert!(
            block.range.start <= content.start && content.end <= block.range.end,
            "{block:?} {content:?}"
        );
        assert!(
            text[block.range.start..content.start].trim_ascii().is_empty()
                && text[content.end..block.range.end].trim_ascii().is_empty()
        );
        last = block.range.end;
    }
    assert_eq!(last, text.len());
    assert!(found.len() < 2 || found.iter().all(|block| !block.content(text).is_empty()));
}

#[test]
fn hostile_texts_take_no_time() {
    for unit in [
        "|", "|\n", "|-|\n", "- ", "-\n", "> ", "`", "```\n", "<", "<!--", "<a>\n", "#", "\n", " ", "\t",
        "1.\n", "=\n", "é", "\0",
    ] {
        check(&unit.repeat(300_000 / unit.len()));
    }
}

proptest! {
    #[test]
    fn every_text_is_covered(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn soup_is_covered(parts in prop::collection::vec(prop::sample::select(vec![
        "\n", "\n", "\n\n", "\r\n", "    ", "\t", "# ", "- ", "1. ", "> ", "```", "~~~", "| a |", "|---|", "---", "===", "<div>",
        "<!--", "-->", "a", "é", "\u{a0}", "\u{85}", "\u{2029}", "`", "[1]: x",
    ]), 0..60)) {
        check(&parts.concat());
    }
}
