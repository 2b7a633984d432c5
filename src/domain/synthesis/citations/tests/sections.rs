//! Reference sections: what is left out, what stays, what they define.

use super::{Definition, check, references, run};

fn define(number: u32, title: &str, url: &str) -> Definition {
    Definition {
        number: Some(number),
        title: title.to_owned(),
        url: (!url.is_empty()).then(|| url.to_owned()),
    }
}

#[test]
fn sections_with_a_known_heading_go() {
    for heading in [
        "## Sources",
        "### References:",
        "**Sources:**",
        "Sources:",
        "References\n----------",
        "Works Cited\n===",
        "## 参考文献",
        "## 七、主要参考资料",
        "## 8. 参考文献",
        "### 来源",
        "## 相关来源",
        "## 五、参考文献与原始资料\n\n### Sources",
        "# Quellen",
        "## Quellen und Literatur",
        "## Références",
        "## Fuentes",
        "## 引用",
        "## 出典",
        "## Источники",
        "## 参考文献：",
        "## VII. Bibliography",
        "#### Key Sources (selected)",
        "## Sources and Further Reading",
        "---\n\n## Sources",
        "## Sources\n\n---",
        "## 七、信息来源与原始链接（至2025年8月止）\n\n### Sources",
        "<h2>References</h2>",
        "<h3 id=\"refs\"><b>Quellen</b></h3>",
        "<details><summary>Sources</summary>",
        "<details>\n<summary><b>参考文献</b></summary>",
    ] {
        for entries in [
            "[1] A title: https://a.org/x\n[2] B: https://b.org\n",
            "1. [A title](https://a.org/x)\n2. [B](https://b.org)\n",
            "【1】A title https://a.org/x\n【2】B https://b.org\n",
            "[^1]: A title. https://a.org/x\n[^2]: B. https://b.org",
            "[1]: https://a.org/x \"A title\"\n[2]: https://b.org\n",
        ] {
            let text = format!("Text [1][2].\n\n{heading}\n\n{entries}");
            let (out, report) = run(&text);
            assert_eq!(out, "Text [1][2].\n\n", "{text}");
            assert_eq!(report.stripped_sections.len(), 1);
            assert_eq!(report.stripped_sections[0].bytes, text.len() - out.len());
            let found = references(&text).definitions;
            assert_eq!(found, report.definitions);
            let urls: Vec<_> = found.iter().map(|d| (d.number, d.url.as_deref())).collect();
            assert_eq!(
                urls,
                [(Some(1), Some("https://a.org/x")), (Some(2), Some("https://b.org"))],
                "{text}"
            );
            assert_eq!(found[0].title, "A title");
        }
    }
}

#[test]
fn structure_decides_where_words_do_not() {
    check(&[
        ("Text\n\n## Zzyzx\n\n[1] Title: https://a.org\n[2] Other, 2024\n", "Text\n\n"),
        ("Text\n\n---\n[1] Title, journal\n[2] Other\n", "Text\n\n"),
        ("Text\n\n[1] Title: https://a.org\n[2] No address here\n", "Text\n\n"),
        ("Text\n\n[1]: https://a.org\n\nMore [1]", "Text\n\nMore [1]"),
        ("Text\n\n[1] https://a.org\n[2] www.b.org\n\nMore [1]", "Text\n\nMore [1]"),
        ("Text\n\n[^1]: a note\n", "Text\n\n"),
        ("## Sources\n", ""),
        ("## Steps\n\n1. Do [3]\n", "## Steps\n\n1. Do [1]\n"),
        ("## Steps\n\n1. [x](https://e.org) is\n", "## Steps\n\n1. [x](https://e.org) is\n"),
        ("## Findings\n\n[3] shows that\n", "## Findings\n\n[1] shows that\n"),
        ("[3] shows [that](https://e.org).\n", "[1] shows [that](https://e.org).\n"),
        ("## Sources of error\n\n1. Noise [3]\n", "## Sources of error\n\n1. Noise [1]\n"),
        ("**Sources:** [3], [5]\n", "**Sources:** [1], [2]\n"),
        ("Sources say that [3].\n", "Sources say that [1].\n"),
    ]);
}

#[test]
fn prose_behind_a_section_stays() {
    check(&[
        ("## Sources\n\nWe used two [3].\n", "## Sources\n\nWe used two [1].\n"),
        ("## Sources\n\n[1] A: https://a.org\n\nIn short, yes [3].\n", "In short, yes [1].\n"),
        ("T\n## Sources\n1. A\n2. B\n\n---\n\n**Note:** all [3].\n", "T\n\n**Note:** all [1].\n"),
        (
            "T\n\n## Sources\n\n- [A](https://a.org)\n- B: https://b.org\n\n## Next\n\nx [3]",
            "T\n\n## Next\n\nx [1]",
        ),
        ("T\n\n## Sources\n\n### Web\n\n1. A\n\n### Papers\n\n2. B\n\n## End\n", "T\n\n## End\n"),
        ("## Sources\n\n[1] A\n    wrapped https://a.org\n[2] B\n\nEnd", "End"),
    ]);
}

#[test]
fn details_end_with_the_section_in_them() {
    check(&[
        (
            "T\n\n<details><summary>Sources</summary>\n\n1. A: https://a.org\n2. B: https://b.org\n\n</details>\n\n[3] says.",
            "T\n\n[1] says.",
        ),
        ("T\n<details>\n<summary>Sources</summary>\n\n[1] A https://a.org\n</details>", "T\n"),
        // These are of something else.
        (
            "<details><summary>More</summary>\n\nx [3]\n\n</details>\n",
            "<details><summary>More</summary>\n\nx [1]\n\n</details>\n",
        ),
        (
            "<details><summary>Sources</summary>\n\nWe [3] ask.\n\n</details>",
            "<details><summary>Sources</summary>\n\nWe [1] ask.\n\n</details>",
        ),
        (
            "<details open class=\"list\">\n<summary><strong>Sources</strong></summary>\n\n[1] A: https://a.org\n</details>",
            "<details open class=\"list\">\n\n</details>",
        ),
        ("<details>\n\n## Sources\n\n[1] A: https://a.org\n\n</details>\n", "<details>\n\n</details>\n"),
        ("<h2>Findings</h2>\n\n1. It rose [3].\n", "<h2>Findings</h2>\n\n1. It rose [1].\n"),
    ]);
}

#[test]
fn list_in_one_line_is_a_section_where_its_first_number_was_cited() {
    for line in [
        "Sources: [1] https://a.org/x; [2] https://b.org",
        "**Sources:** [1] https://a.org/x, [2] https://b.org",
        "*Quellen: [1] https://a.org/x | [2] https://b.org*",
        "(Fuente: [1](https://a.org/x), [2](https://b.org))",
        "References: 1. A report, https://a.org/x 2. B. https://b.org",
        "来源：【1】https://a.org/x；【2】https://b.org",
    ] {
        let text = format!("It rose [1] and fell [2].\n\n{line}\n\nMore [2].");
        let (out, report) = run(&text);
        assert_eq!(out, "It rose [1] and fell [2].\n\nMore [2].", "{text}");
        let found: Vec<_> = report.definitions.iter().map(|d| (d.number, d.url.as_deref())).collect();
        assert_eq!(found, [(Some(1), Some("https://a.org/x")), (Some(2), Some("https://b.org"))], "{text}");
    }
    check(&[
        (
            "It rose.\n\nSource: [3] https://a.org\n\nIt fell.\n\nSource: [3] https://a.org\n",
            "It rose.\n\nSource: [1] https://a.org\n\nIt fell.\n\nSource: [1] https://a.org\n",
        ),
        (
            "Sales rose [3].\n\nCosts fell.\nSource: [3] https://a.org\n",
            "Sales rose [1].\n\nCosts fell.\nSource: [1] https://a.org\n",
        ),
        (
            "It rose [3].\n\nSources: [3], [5] and https://a.org\n",
            "It rose [1].\n\nSources: [1], [2] and https://a.org\n",
        ),
        (
            "It rose [3].\n\nSources say: [3] https://a.org\n",
            "It rose [1].\n\nSources say: [1] https://a.org\n",
        ),
        (
            "It rose [3].\n\n```\nSources: [3] https://a.org\n```\n",
            "It rose [1].\n\n```\nSources: [3] https://a.org\n```\n",
        ),
    ]);
    // A long list is read whole.
    let entries: Vec<String> =
        (1..=99).map(|n| format!("[{n}] A title of a report, https://a.org/{n}")).collect();
    let text = format!("It rose [1].\n\nSources: {}", entries.join("; "));
    assert_eq!(references(&text).definitions.len(), 99);
}

#[test]
fn definitions_are_read() {
    let text = "Text\n\n### Sources\n\n\
        [1] World Bank，中国经济更新（2025）: https://thedocs.worldbank.org/en/doc/8ae?x=(1)  \n\
        [2] [The arc - OMFIF](https://www.omfif.org/2025/a_(b)) | [3] [Home](https://b.org/) |\n\
        4. \"Quoted\" – http://c.org/d.\n\
        **[5]** https://d.org (A title)\n\
        [6] A book, 2021\n\
        [7] Wrapped\n   https://e.org\n\
        [8] GongRzhe/A2A ([x](https://f.org))\n\
        - Unnumbered: https://g.org\n";
    let mut expected = vec![
        define(1, "World Bank，中国经济更新（2025）", "https://thedocs.worldbank.org/en/doc/8ae?x=(1)"),
        define(2, "The arc - OMFIF", "https://www.omfif.org/2025/a_(b)"),
        define(3, "Home", "https://b.org/"),
        define(4, "Quoted", "http://c.org/d"),
        define(5, "(A title)", "https://d.org"),
        define(6, "A book, 2021", ""),
        define(7, "Wrapped", "https://e.org"),
        define(8, "x", "https://f.org"),
    ];
    expected.push(Definition {
        number: None,
        title: "Unnumbered".to_owned(),
        url: Some("https://g.org".to_owned()),
    });
    assert_eq!(references(text).definitions, expected);
}
