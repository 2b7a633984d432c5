//! What the reference sections of a text say: which source a number means, and what it is called.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, each, task, text};

async fn of(content: &str, sources: &[&str]) -> Value {
    let app = TestApp::new().start().await;
    aggregate(app.client(), &[task("a", content, sources)]).await
}

/// The address behind the only number of the finding that begins so.
fn cited<'r>(result: &'r Value, begins: &str) -> &'r str {
    let findings = result["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| text(finding, "content").starts_with(begins)).expect(begins);
    let [number] = &finding["sources"].as_array().unwrap()[..] else { panic!("one: {finding}") };
    let sources = result["sources"].as_array().unwrap();
    text(sources.iter().find(|source| source["id"] == *number).unwrap(), "url")
}

#[tokio::test]
async fn links_with_numbers_are_numbered_like_any_other_citation() {
    let content = "Prices rose by 5% in Berlin last year ([7](https://a.example/x), [3](https://b.example/y)).\n\n\
        ## References\n\n[3] B: https://b.example/y\n[7] A: https://a.example/x";
    let result = of(content, &[]).await;
    assert_eq!(each(&result["sources"], "url"), ["https://a.example/x", "https://b.example/y"]);
    assert_eq!(result["findings"][0]["content"], "Prices rose by 5% in Berlin last year");
    assert_eq!(result["findings"][0]["sources"], json!([1, 2]));
    assert_eq!(result["results"][0]["content"], "Prices rose by 5% in Berlin last year [1][2].");
}

#[tokio::test]
async fn a_text_of_parts_that_number_anew_is_read_part_by_part() {
    let content = "# Part one\n\nPrices rose by 5% in May [1]. Rents rose by 2% in May [2].\n\n## References\n\n\
        [1] A: https://a.example/x\n[2] C: https://c.example/z\n\n\
        # Part two\n\nCosts fell by 3% in June [1]. Wages fell by 4% in June [2].\n\n## References\n\n\
        [1] B: https://b.example/y\n\n# Last\n\nTaxes fell by 6% in July [1].";
    let result = of(content, &[]).await;
    for (begins, url) in [
        ("Prices", "https://a.example/x"),
        ("Rents", "https://c.example/z"),
        ("Costs", "https://b.example/y"),
        ("Wages", "https://c.example/z"),
        ("Taxes", "https://b.example/y"),
    ] {
        assert_eq!(cited(&result, begins), url, "{begins}");
    }
}

#[tokio::test]
async fn of_two_entries_with_one_number_both_are_kept() {
    let content = "Prices rose by 5% in May [1].\n\n## References\n\n\
        [1] A: https://a.example/x\n[1] B: https://b.example/y";
    let result = of(content, &[]).await;
    assert_eq!(cited(&result, "Prices"), "https://a.example/x");
    assert_eq!(each(&result["sources"], "url"), ["https://a.example/x", "https://b.example/y"]);
}

#[tokio::test]
async fn an_address_that_was_declared_gets_its_title_from_the_references() {
    let content = "Prices rose by 5% in May [1].\n\n## References\n\n\
        [1] Annual report of the bank: https://a.example/x";
    let result = of(content, &["https://a.example/x"]).await;
    assert_eq!(each(&result["sources"], "title"), ["Annual report of the bank"]);
}

/// Two sentences, and lists in forms that have no heading of Markdown above them.
#[tokio::test]
async fn lists_of_references_without_a_heading_define_the_numbers() {
    const BODY: &str = "Prices rose by 5% in Berlin last year [1]. Costs fell by 3% in June [2].";
    for list in [
        "1. [Alpha](https://a.example/x)\n2. [Beta](https://b.example/y)",
        "1. https://a.example/x\n2. https://b.example/y",
        "1. Alpha Report, https://a.example/x\n2. Beta Report, https://b.example/y",
        "[1] https://a.example/x\n[2] https://b.example/y",
        "- [1] Alpha: https://a.example/x\n- [2] Beta: https://b.example/y",
        "Sources: [1] https://a.example/x; [2] https://b.example/y",
        "References: 1. Alpha Report, https://a.example/x 2. Beta Report, https://b.example/y",
        "<h2>References</h2>\n\n1. Alpha: https://a.example/x\n2. Beta: https://b.example/y",
        "<details><summary>Sources</summary>\n\n- [1] Alpha: https://a.example/x\n- [2] Beta: https://b.example/y\n\n</details>",
    ] {
        let result = of(&format!("{BODY}\n\n{list}"), &[]).await;
        assert_eq!(cited(&result, "Prices"), "https://a.example/x", "{list}");
        assert_eq!(cited(&result, "Costs"), "https://b.example/y", "{list}");
        assert_eq!(result["results"][0]["content"], BODY, "{list}");
    }
}

#[tokio::test]
async fn a_list_that_merely_has_links_stays() {
    let list = "1. We recommend [Alpha](https://a.example/x) for small teams of engineers.\n\
        2. [Beta](https://b.example/y) is good for large ones, and costs more.";
    let content =
        format!("Prices rose by 5% in Berlin last year [1]. Costs fell by 3% in June [2].\n\n{list}");
    let result = of(&content, &["https://c.example/1", "https://c.example/2"]).await;
    assert_eq!(cited(&result, "Prices"), "https://c.example/1");
    assert!(text(&result["results"][0], "content").ends_with(list), "{result}");
}

#[tokio::test]
async fn what_stands_behind_a_full_stop_and_cites_belongs_to_the_sentence_before_it() {
    let content = "Prices rose by 5% in Berlin last year. [A](https://a.example/x) It fell by 3% in June of that year, \
        he said: \"Costs fell, and rents fell too.\" (Smith, 2023) [2] That was new.\n\n\
        ## References\n\n[2] B: https://b.example/y";
    let result = of(content, &[]).await;
    assert_eq!(cited(&result, "Prices"), "https://a.example/x");
    assert_eq!(cited(&result, "It fell"), "https://b.example/y");
    let findings = each(&result["findings"], "content");
    assert!(findings.contains(&"Prices rose by 5% in Berlin last year."), "{findings:?}");
    assert!(findings.contains(&"That was new."), "{findings:?}");
}

#[tokio::test]
async fn any_blank_may_stand_before_a_marker() {
    let sources = ["https://a.example/x", "https://b.example/y"];
    for blank in ["\u{a0}", "\t", "\u{202f}", "\u{2009}", "\u{3000}", "\u{200b}", "\u{2060}", "&nbsp;"] {
        let result =
            of(&format!("Prices rose in May.{blank}[1] Costs fell in June.{blank}[2]"), &sources).await;
        assert_eq!(cited(&result, "Prices rose in May."), sources[0], "{blank:?}");
        assert_eq!(cited(&result, "Costs fell in June."), sources[1], "{blank:?}");
    }
}

#[tokio::test]
async fn what_cites_nothing_rests_on_a_list_of_sources_in_plain_lines() {
    const BODY: &str = "Prices rose by 5% in May. Costs fell by 3% in June.";
    for list in [
        "Sources:\nReuters: https://a.example/x\nBloomberg: https://b.example/y",
        "**Quellen:**\nReuters - https://a.example/x\nBloomberg (https://b.example/y)",
    ] {
        for talk in ["", "\n\nLet me know if you need more!"] {
            let result = of(&format!("{BODY}\n\n{list}{talk}"), &[]).await;
            let findings = result["findings"].as_array().unwrap();
            assert!(findings.iter().all(|finding| finding["sources"] == json!([1, 2])), "{list}: {result}");
            assert_eq!(result["results"][0]["content"], format!("{BODY}{talk}"), "{list}");
            let mut titles = each(&result["sources"], "title");
            titles.sort_unstable();
            assert_eq!(titles, ["Bloomberg", "Reuters"]);
        }
    }
}

#[tokio::test]
async fn a_list_before_small_talk_defines_the_numbers() {
    let content = "Prices rose by 5% in May [1]. Costs fell by 3% in June [2].\n\n---\n\
        1. One. https://a.example/x\n2. Two. https://b.example/y\n\nLet me know if you need more!";
    let result = of(content, &[]).await;
    assert_eq!(cited(&result, "Prices"), "https://a.example/x");
    assert_eq!(cited(&result, "Costs"), "https://b.example/y");
    let shown = text(&result["results"][0], "content");
    assert!(shown.ends_with("Let me know if you need more!") && !shown.contains("One"), "{shown}");
}

#[tokio::test]
async fn addresses_of_files_with_blanks_in_their_names_are_whole() {
    let files = [
        "https://a.example/files/Annual Report 2023.pdf",
        "https://a.example/files/Annual Report 2024.pdf",
        "https://b.example/page.html The page of the bank.md",
    ];
    let result = of("Prices rose by 5% in May [1]. Costs fell by 3% in June [2].", &files).await;
    let mut urls = each(&result["sources"], "url");
    urls.sort_unstable();
    assert_eq!(
        urls,
        [
            "https://a.example/files/Annual%20Report%202023.pdf",
            "https://a.example/files/Annual%20Report%202024.pdf",
            "https://b.example/page.html",
        ]
    );
}

/// A note or an address without its scheme in a last line of sources doesn't make it one of the paragraph above it.
#[tokio::test]
async fn a_last_line_of_sources_is_of_the_whole_text() {
    let app = TestApp::new().start().await;
    for line in [
        "Sources: https://edpb.example.com/a, https://cnil.example.org/b",
        "Sources: https://edpb.example.com/a, https://cnil.example.org/b (CNIL, in French)",
        "Sources: [EDPB](https://edpb.example.com/a), cnil.example.org/b",
        "📚 Sources\n- [EDPB](https://edpb.example.com/a)\n- [CNIL](https://cnil.example.org/b)",
    ] {
        let content =
            format!("Meta was fined 1.2 billion euros.\n\nTikTok was fined 345 million euros.\n\n{line}");
        let result = aggregate(app.client(), &[task("a", &content, &[])]).await;
        let findings = result["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 2, "{line}: {result}");
        assert!(findings.iter().all(|finding| finding["sources"] == json!([1, 2])), "{line}: {result}");
    }
}

/// In the fence that a model put around all of it, too, and in the form in which it cites.
#[tokio::test]
async fn a_report_in_a_fence_cites_its_own_list() {
    let of_form = |open: char, close: char| {
        let number = |number: u32| format!("{open}{number}{close}");
        format!(
            "# Fines\n\nMeta was fined 1.2 billion euros {}. TikTok was fined 345 million euros {}.\n\n## Sources\n{} https://a.example/m\n{} https://b.example/t",
            number(1),
            number(2),
            number(1),
            number(2)
        )
    };
    for content in [
        format!("Here is the report:\n\n```markdown\n{}\n```\n\nLet me know!", of_form('[', ']')),
        format!("```\n{}\n```", of_form('[', ']')),
        of_form('(', ')'),
    ] {
        let result = of(&content, &[]).await;
        assert_eq!(result["findings"].as_array().unwrap().len(), 2, "{content}: {result}");
        assert_eq!(cited(&result, "Meta was fined"), "https://a.example/m", "{content}");
        assert_eq!(cited(&result, "TikTok was fined"), "https://b.example/t", "{content}");
    }
}
