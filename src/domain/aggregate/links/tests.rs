//! Links that cite become markers; all others stay.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn read_all(text: &str) -> (String, Vec<(Option<&str>, &str)>) {
    let linked = read(text, &[]);
    let links = linked.links.iter().map(|link| (link.title, link.url)).collect();
    (linked.text.into_owned(), links)
}

#[test]
fn links_that_cite_become_markers() {
    for (text, expected) in [
        ("Sales grew by 4 % ([Reuters](https://a.org/x)).", "Sales grew by 4 % [900000000]."),
        ("Sales grew by 4 % [17](https://a.org/x), it says.", "Sales grew by 4 % [900000000], it says."),
        (
            "Sales grew by 4 % ([A](https://a.org/(x)), [B](https://b.org)).",
            "Sales grew by 4 % [900000000][900000100].",
        ),
        ("Sales grew by 4 % (see [A](https://a.org/x)).", "Sales grew by 4 % [900000000]."),
        ("Sales grew by 4 % [[2](https://a.org/x)].", "Sales grew by 4 % [900000000]."),
        (
            "Sales grew by 4 % [[A](https://a.org/x), [3](https://b.org)].",
            "Sales grew by 4 % [900000000][900000100].",
        ),
        ("Umsätze wuchsen um 4 % (Quelle: [A](https://a.org/x)).", "Umsätze wuchsen um 4 % [900000000]."),
        ("销售额增长了百分之四（来源：[路透社](https://a.org/x)）。", "销售额增长了百分之四[900000000]。"),
        ("销售额增长了百分之四（[路透社](https://a.org/x)）。", "销售额增长了百分之四[900000000]。"),
    ] {
        let (found, links) = read_all(text);
        assert_eq!(found, expected);
        assert!(links[0].1.starts_with("https://a.org/"), "{links:?}");
    }
}

#[test]
fn links_behind_a_full_stop_cite_the_sentence_before_it() {
    for (text, expected) in [
        ("Sales grew by 4 %. [A](https://a.org/x) It fell.", "Sales grew by 4 %. [900000000] It fell."),
        ("Sales grew by 4 %. [the source](https://a.org/x)", "Sales grew by 4 %. [900000000]"),
        (
            "- Sales grew by 4 %. [A](https://a.org/x), [B](https://b.org)\n- Costs",
            "- Sales grew by 4 %. [900000000][900000100]\n- Costs",
        ),
        (
            "Sales grew “by 4 %.” [A](https://a.org/x)\n\nIt fell.",
            "Sales grew “by 4 %.” [900000000]\n\nIt fell.",
        ),
        (
            "Sales grew by 4 % in May (2020). [A](https://a.org/x) It fell.",
            "Sales grew by 4 % in May (2020). [900000000] It fell.",
        ),
        (
            "Sales grew by 4 %. [a.org](https://www.a.org/x) Costs fell.",
            "Sales grew by 4 %. [900000000] Costs fell.",
        ),
        ("销售额增长了百分之四。[路透社](https://a.org/x)", "销售额增长了百分之四。[900000000]"),
    ] {
        assert_eq!(read_all(text).0, expected);
    }
    for text in [
        "Sales grew by 4 %. [Google](https://a.org/x) Cloud grew, too.",
        "Sales grew by 4 %. [Reuters](https://a.org/x) writes that costs fell.",
        "Sales grew by 4 %. [Reuters](https://a.org/x)\nwrites that costs fell.",
        "There are tools for it, e.g. [Alpha](https://a.org/x)",
        "He was seen by Dr. [Smith](https://a.org/x) The",
        "There are tools for it: [Alpha](https://a.org/x)",
        "- Alpha Annual Report. [Link](https://a.org/x)",
        "- Smith, J. (2020). What moves the prices. [Link](https://a.org/x)",
        "销售额增长了百分之四。[路透社](https://a.org/x)报道说价格下跌。",
    ] {
        assert_eq!(read_all(text).0, text);
    }
}

#[test]
fn other_links_stay_and_are_known() {
    for text in [
        "As [Reuters](https://a.org/x) writes, sales grew.",
        "- ([Reuters](https://a.org/x))",
        "1. [17](https://a.org/x)",
        "Sales grew a lot (said [Reuters](https://a.org/x)).",
        "Sales grew a lot (2, [Reuters](https://a.org/x)).",
        "Sales grew a lot (see [Reuters](https://a.org/x) for more).",
    ] {
        let (found, links) = read_all(text);
        assert_eq!((found.as_str(), links.len()), (text, 1));
    }
}

#[test]
fn code_and_pictures_link_to_nothing() {
    for text in [
        "Write `sales ([A](https://a.org))` where you cite.",
        "```\nsales grew a lot ([A](https://a.org))\n```",
        "Sales grew a lot (![A](https://a.org/x.png)).",
        "Sales grew a lot (https://a.org).",
    ] {
        assert_eq!(read_all(text), (text.to_owned(), Vec::new()));
    }
}

#[test]
fn so_many_links_are_looked_at_and_no_more() {
    let cited = "Sales grew a lot ([Reuters](https://a.org/x)). ";
    let many = cited.repeat(LINKS_MAX + 1);
    let (text, links) = read_all(&many);
    assert_eq!((links.len(), text.matches("[9").count()), (LINKS_MAX, LINKS_MAX));
    assert!(text.ends_with(cited), "{}", &text[text.len() - 100..]);
}

#[test]
fn anchor_is_one_as_far_as_its_tag_is_looked_through() {
    let bare = |title: usize| {
        let title = "t".repeat(title);
        let text = format!("<p>Sales grew a lot (<a title=\"{title}\" href=\"https://a.org/x\">A</a>).</p>");
        read(&text, &[]).bare.len()
    };
    let around = "<a title=\"\" href=\"".len();
    assert_eq!([bare(3), bare(TAG_BYTES_MAX - around), bare(TAG_BYTES_MAX - around + 2)], [1, 1, 0]);
}

proptest! {
    #[test]
    fn nothing_panics_and_only_links_go(parts in vec(select(PIECES), 0..12)) {
        let text = parts.concat();
        let linked = read(&text, &[]);
        prop_assert!(linked.text.len() <= text.len() + 12 * linked.links.len());
        for link in &linked.links {
            prop_assert!(link.url.starts_with("http") && link.number.is_none() | linked.text.contains("[9000"));
        }
    }
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "[", "]", "(", ")", "](", "!", "`", "[Reuters](https://a.org/x)", "[17](https://b.org)", "https://c.org", "\n", "\n\n", ", ",
    "Sales grew a lot ", "销售额增长了很多", "（", "）", "# ", "- ", "[![x](https://a.org)](https://b.org)", "](http", "é", "http://[",
];

#[test]
fn entries_of_the_reference_section_stay_and_citations_of_them_are_markers() {
    let text = "Sales grew by 4 % ([7](https://a.org)).\n\n[7] The report on sales ([A](https://a.org))";
    let known = entries_of(text.lines().last().unwrap_or_default());
    assert_eq!(known[0].url.as_deref(), Some("https://a.org"));
    let expected = text.replace("([7](https://a.org))", "[900000000]");
    assert_eq!(read(text, &known).text, expected);
}

#[test]
fn blocks_of_html_link_by_their_anchors() {
    let text = "<div><img src=\"https://a.example/x.png\"><p>It rose, says <a class=\"b\" href=\"https://b.example/y\">B</a>.</p></div>\n";
    let linked = read(text, &[]);
    assert_eq!((linked.bare, linked.text.as_ref()), (vec!["https://b.example/y"], text));
}

#[test]
fn json_in_a_fence_has_the_addresses_of_json() {
    const JSON: &str = r#"{"results": [{"url": "https://a.org/1", "snippet": "A rose."}, {"url": "https://b.org/2", "snippet": "B fell."}]}"#;
    let fenced = format!("```json\n{JSON}\n```");
    assert_eq!(read(&fenced, &[]).bare, ["https://a.org/1", "https://b.org/2"]);
    assert_eq!(read(JSON, &[]).bare, ["https://a.org/1", "https://b.org/2"]);
}
