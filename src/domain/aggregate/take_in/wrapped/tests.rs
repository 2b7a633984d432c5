//! What comes out of its fence, and what stays in it.

use super::*;

const REPORT: &str =
    "# Acme\n\nAcme was founded in 1987 [1]. It sells pumps.\n\n## Sources\n[1] https://f.example/1";

#[test]
fn a_report_comes_out_of_its_fence() {
    for name in ["markdown", "md", "Markdown", "", "text", "plaintext", "markdown title=x"] {
        for (mark, other) in [("```", "```"), ("~~~", "~~~"), ("````", "`````")] {
            let fenced = format!("{mark}{name}\n{REPORT}\n{other}");
            assert_eq!(unwrapped(&fenced).as_deref(), Some(REPORT), "{fenced}");
        }
    }
    let beside = format!("Here is the report:\n\n```markdown\n\n{REPORT}\n```\n\nLet me know!\n");
    assert_eq!(unwrapped(&beside), Some(format!("Here is the report:\n\n{REPORT}\n\nLet me know!")));
    let endless = format!("```markdown\n{REPORT}");
    assert_eq!(unwrapped(&endless).as_deref(), Some(REPORT), "forgotten, or broken off");
    let listed =
        format!("```md\n# A\n\nIt rose [1].\n```\n\nSources:\n[1] https://{}.example", "a".repeat(400));
    assert!(unwrapped(&listed).is_some_and(|text| text.starts_with("# A\n\nIt rose [1].\n\nSources:")));
    let table = "```markdown\n| a | b |\n|---|---|\n| 1 | 2 |\n```";
    assert_eq!(unwrapped(table).as_deref(), Some("| a | b |\n|---|---|\n| 1 | 2 |"));
}

#[test]
fn a_fence_within_is_a_part_of_it() {
    for (mark, inner) in [("```", "```"), ("````", "```"), ("~~~", "```"), ("```", "~~~")] {
        for name in ["bash", ""] {
            let text = format!(
                "# Use\n\nIt is built as follows.\n\n{inner}{name}\ncargo build\n{inner}\n\nThen it is ready to be used."
            );
            for outer in ["markdown", ""] {
                let fenced = format!("{mark}{outer}\n{text}\n{mark}");
                assert_eq!(unwrapped(&fenced).as_deref(), Some(text.as_str()), "{fenced}");
                let beside = format!("Sure:\n\n{mark}{outer}\n{text}\n\n{mark}\nBye!");
                let expected = format!("Sure:\n\n{text}\n\nBye!");
                assert_eq!(unwrapped(&beside).as_deref(), Some(expected.as_str()), "{beside}");
            }
        }
    }
}

#[test]
fn prose_without_a_name_comes_out() {
    for text in [
        "Acme was founded in 1987 [1]. It sells\npumps in Berlin [2].\n\nSources:\n[1] https://a.example\n[2] https://b.example",
        "Key facts:\n\n- The limit of the API is 5.\n- It was raised in 2024 by all of them. [1]",
        "艾克美成立于1987年，总部位于柏林。【1】",
        "It is called with `timeout = 5` or `run()`, as the manual says.\nSo it ends with `x`",
    ] {
        let is_sentence = !text.ends_with('`');
        assert_eq!(unwrapped(&format!("```\n{text}\n```")).is_some(), is_sentence, "{text}");
    }
}

#[test]
fn code_and_what_is_beside_it_stays() {
    for inside in [
        "cargo build --locked\ncargo test",
        "$ ls\nThis file is read by all of them.",
        "fn main() {\n    println!(\"It is five of them.\");\n}",
        "def run(x):\n    \"\"\"Runs it as often as you like.\"\"\"\n    return x",
        "{\"text\": \"It is five of them.\"}",
        "[\"It is five of them.\", \"It is six of them.\"]",
        "limit: 5\nnote: It is five of them.",
        "- name: It is five of them.",
        "2026-03-01 12:00:01 The server has been started.\n2026-03-01 12:00:02 The server has been stopped.",
        "ERROR The server could not be reached.",
        "+---+---+\n| a | b |\n+---+---+",
        "src\n├── main.rs\n└── lib.rs",
        "<p>It is five of them.</p>",
        "# Install\nnpm install\nnpm start",
        "Roses are red",
        "",
    ] {
        for name in ["", "text"] {
            assert_eq!(unwrapped(&format!("```{name}\n{inside}\n```")), None, "{inside}");
        }
    }
    let prose = "Acme was founded in 1987. It sells pumps in Berlin and elsewhere.";
    for text in [
        format!("```python\n{prose}\n```"),
        format!("```csv\n{prose}\n```"),
        format!("- One:\n\n  ```markdown\n  {prose}\n  ```"),
        format!("```markdown\n{prose}\n```\n\nThen:\n\n```markdown\n{prose}\n```"),
        format!("```markdown\n{prose}\n```\n\nIt runs by:\n\n```bash\nls\n```"),
        format!("{}\n\n```markdown\n{prose}\n```", "It was founded long ago. ".repeat(20)),
        "It was founded in 1979, as all of us know.\n\n```markdown\nIt fell.\n```".to_owned(),
        format!("Write ```markdown\n{prose}\n``` there."),
        prose.to_owned(),
        String::new(),
    ] {
        assert_eq!(unwrapped(&text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "(```|~~~|````|markdown|\n|\n\n|[aé`. #]){0,24}") {
        if let Some(inside) = unwrapped(&text) {
            assert!(inside.len() < text.len());
        }
    }
}
