//! Findings and insights are verbatim, have their sources, and do not depend on the order of arrival.

use proptest::prelude::*;

use super::*;
use crate::domain::synthesis::citations::keep;
use crate::domain::synthesis::contradictions::contradictions;

const ONE: &str = "# Market\n\nThe market reached $5 billion in 2024[1]. Teams should test the tool before buying it [2].\n\n| a | b |\n|---|---|\n| The table says nothing at all here | 5 |\n\n```\nlet code = \"it says nothing either at all\";\n```\n\n- **Growth**: sales rose quickly across the whole region [1][3].\n\n## References\n\n[1] A title of a report: https://example.org/a\n";
const TWO: &str = "## Size\n\nIn 2024, the market reached 5 billion dollars.[4] Nobody has a source for this sentence here.";

/// The statements of a text with nine sources, the last of which is `https://nine.example/report`.
pub(super) fn read(text: &str, subagent: &'static str) -> Vec<Statement<'static>> {
    let (text, report) = keep(text, 9);
    let marks = Mark::all(&report.citations);
    let source_of = |url: &str| (url == "https://nine.example/report").then_some(9);
    statements(Said { text: text.leak(), subagent, marks: &marks, source_of: &source_of })
}

fn all() -> Vec<Statement<'static>> {
    let mut found = read(ONE, "web");
    found.extend(read(TWO, "docs"));
    found
}

/// What a text states, each with its sources.
fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
    read(text, "a").into_iter().map(|statement| (statement.text, statement.sources)).collect()
}

#[test]
fn sentences_with_addresses_and_brackets_are_statements() {
    for text in [
        "The report at https://a.example/a/very/long/path/to/it?with=a&query=too says that sales rose by 5%.",
        "Sales rose by 5% in 2024 (https://a.example/b).",
        "According to [the report of the bank](https://a.example/b), sales rose.",
        "Sources of error are the clock and the operator.",
        "[2024] was a good year for the whole industry.",
        "市场增长了5%，见https://a.example/b。",
        "来源于https://a.example的数据显示市场增长。",
    ] {
        assert_eq!(stated(text), [(text, vec![])], "{text}");
    }
    assert_eq!(stated("[1] says that sales rose."), [("[1] says that sales rose.", vec![1])]);
    let heading = "## Sources of error\n\nThe clock of the device was wrong by an hour.";
    assert_eq!(stated(heading)[0].0, "The clock of the device was wrong by an hour.");
}

#[test]
fn entries_of_references_are_none() {
    for text in [
        "World Bank Global Economic Prospects June 2024: https://a.example/a/very/long/path/to/it.",
        "- [The long title of a report about something](https://a.example/b)",
        "https://a.example/b",
        "[3] A Title of a Paper With Capitals. Journal of Papers, 2020",
        "## Kaynakça\n\n- Dünya Bankası, Küresel Görünüm\n- IMF, Dünya Ekonomik Görünümü raporu",
        "## Sources I relied upon\n\n- The World Bank and its outlook for the year\n- The IMF and its own",
        "Here are my sources:\n\n1. The outlook of the World Bank for 2024\n2. The outlook of the IMF for 2024",
        "## Where I got this from\n\n1. The outlook of the World Bank for 2024\n2. The outlook of the IMF for 2024",
    ] {
        assert_eq!(stated(text), [], "{text}");
    }
}

#[test]
fn only_markers_cite_and_addresses_of_sources_do() {
    for (text, sources) in [
        ("The first entry is `list[1]` and no other one.", vec![]),
        ("The matrix $A[1]$ has a full rank here.", vec![]),
        ("The field arr_x[1] has the value that is wanted.", vec![]),
        ("The market grew by 5% [[2]].", vec![2]),
        ("The market grew by 5% [1-3].", vec![1, 2, 3]),
        ("The market grew by 5%, says [the report](https://nine.example/report).", vec![9]),
        ("The market grew by 5% ([report](https://nine.example/report)).", vec![9]),
        ("The market grew by 5% ([report](https://other.example/report)).", vec![]),
    ] {
        assert_eq!(stated(text).iter().map(|found| found.1.clone()).collect::<Vec<_>>(), [sources], "{text}");
    }
}

#[test]
fn what_is_quoted_has_no_half_of_an_emphasis_and_no_brackets_of_markers() {
    for (text, quoted) in [
        (
            "**1. Growth:** prices rose by 5% in the region.",
            "**1. Growth:** prices rose by 5% in the region.",
        ),
        ("*Growth:* prices rose by 5% in the region.", "*Growth:* prices rose by 5% in the region."),
        (
            "- ***Growth:*** prices rose by 5% in the region.",
            "***Growth:*** prices rose by 5% in the region.",
        ),
        ("**Cost:** it is 5 EUR for **each user** [1].", "**Cost:** it is 5 EUR for **each user**"),
        ("*Nature* said so, and so did *Science* ([1], [2]).", "*Nature* said so, and so did *Science*"),
        ("The rate of **growth** is a 2 * 3 product.", "The rate of **growth** is a 2 * 3 product."),
        ("The field snake_case has a value of 5.", "The field snake_case has a value of 5."),
        ("**Prices rose by 5% in the region.**", "Prices rose by 5% in the region."),
        ("Prices rose by 5% in the region ([1], [2]).", "Prices rose by 5% in the region"),
        ("Prices rose by 5% in the region ([1]; [2])", "Prices rose by 5% in the region"),
        ("Prices rose by 5% in the region (see [1]).", "Prices rose by 5% in the region"),
        ("Prices rose by 5% (in 2024).", "Prices rose by 5% (in 2024)."),
    ] {
        assert_eq!(stated(text).iter().map(|found| found.0).collect::<Vec<_>>(), [quoted], "{text}");
    }
}

#[test]
fn short_answers_state_something_where_nothing_else_does() {
    assert_eq!(stated("Paris [1]."), [("Paris", vec![1])]);
    assert_eq!(
        stated("- **Population:** 3.7 million (2023) [1]"),
        [("**Population:** 3.7 million (2023)", vec![1])]
    );
    assert_eq!(stated("Logged."), []);
    let list = "**Pros**\n\n- Memory safety\n- Fast\n- Founded: 2015\n- See:\n- 内存安全";
    let found: Vec<_> = stated(list).into_iter().map(|found| found.0).collect();
    assert_eq!(found, ["Memory safety", "Founded: 2015", "内存安全"]);
    assert_eq!(stated("- Memory safety\n\nIt is a good thing to have.").len(), 1);
    assert_eq!(stated("Paris [1].\n\nIt has been the capital of France since 987 [2].").len(), 1);
}

#[test]
fn sources_that_a_line_names_belong_to_what_stands_before_it() {
    let text =
        "Sales rose by 5% in the region. Source: https://nine.example/report\nThey fell after that in 2024.";
    assert_eq!(
        stated(text),
        [("Sales rose by 5% in the region.", vec![9]), ("They fell after that in 2024.", vec![])]
    );
    let text = "Sales rose by 5% in the region.\n\n*Source: [The report](https://nine.example/report)*";
    assert_eq!(stated(text), [("Sales rose by 5% in the region.", vec![9])]);
    let text = "Sales rose by 5% in the region. ([1]) They fell after that in 2024. (Source: [2])";
    assert_eq!(
        stated(text),
        [("Sales rose by 5% in the region.", vec![1]), ("They fell after that in 2024.", vec![2])]
    );
    let text = "He said: \"Sales rose by 5% in the region.\" (Smith, 2023) [1] They fell after that in 2024. \"Why?\" (Doe, 2021) [2]";
    assert_eq!(
        stated(text)[..2],
        [
            ("He said: \"Sales rose by 5% in the region.\" (Smith, 2023)", vec![1]),
            ("They fell after that in 2024.", vec![])
        ]
    );
    assert_eq!(stated("\"It rose.\" (Smith, 2023) [1]"), [("\"It rose.\" (Smith, 2023)", vec![1])]);
    assert_eq!(stated("I hope this helps you with your report!"), []);
}

#[test]
fn only_sentences_state_something() {
    let found = all();
    let texts: Vec<&str> = found.iter().map(|statement| statement.text).collect();
    assert_eq!(
        texts,
        [
            "The market reached $5 billion in 2024",
            "Teams should test the tool before buying it",
            "**Growth**: sales rose quickly across the whole region",
            "In 2024, the market reached 5 billion dollars.",
            "Nobody has a source for this sentence here.",
        ]
    );
    assert_eq!(found[2].sources, [1, 3]);
    assert_eq!(found[0].heading, "Market");
}

#[test]
fn bold_lines_head_what_follows() {
    let text = "**What is good about it:**\n\n- It is a very safe language.\n\n**2. Cons**\n- It takes long to compile it.\n\n**Prices rose in the region**";
    let found: Vec<_> = read(text, "a").into_iter().map(|found| (found.heading, found.text)).collect();
    assert_eq!(
        found,
        [
            ("What is good about it", "It is a very safe language."),
            ("Cons", "It takes long to compile it."),
            ("Cons", "Prices rose in the region"),
        ]
    );
}

#[test]
fn agreement_of_two_domains_is_high() {
    let claims = Claims::new(all(), &mut Reader::default());
    let findings = claims.findings(&|source| format!("site{source}.org"), &BTreeSet::new(), &[]);
    assert_eq!(findings[0].sources, [1, 4]);
    assert_eq!(findings[0].contributors, ["docs", "web"]);
    assert_eq!(findings[0].confidence, Confidence::High);
    assert_eq!(findings[0].verify, None);
    let same = claims.findings(&|_| "one.org".to_owned(), &BTreeSet::new(), &[]);
    assert!(same.iter().all(|finding| finding.confidence < Confidence::High));
    let last = findings.last().map(|finding| (finding.sources.len(), finding.confidence));
    assert_eq!(last, Some((0, Confidence::Low)));
}

#[test]
fn of_equally_sure_findings_those_come_first_that_answer() {
    let text = "The office in Lyon has a garden with many old trees [1][2][3]. The ticket to Paris costs 30 euros [1].";
    let mut reader = Reader::default();
    let claims = Claims::new(read(text, "a"), &mut reader);
    let first = |query: &str, reader: &mut Reader| {
        let mut asked = reader.lexicon().terms(query);
        asked.sort_unstable();
        claims.findings(&|_| "one.org".to_owned(), &BTreeSet::new(), &asked)[0].content.clone()
    };
    assert!(first("", &mut reader).starts_with("The office"), "the one with more sources");
    assert!(first("What does a ticket to Paris cost?", &mut reader).starts_with("The ticket"));
}

#[test]
fn insights_have_sources() {
    let found = insights(&Claims::new(all(), &mut Reader::default()));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, "Teams should test the tool before buying it");
    assert_eq!(found[0].sources, [2]);
}

proptest! {
    #[test]
    fn order_of_arrival_changes_nothing(picked in prop::collection::vec(0_usize..10, 2..24), turn in 1_usize..20) {
        const TEXTS: [&str; 10] = [
            "The plant opened in 2015 near the city", "The plant opened in 2016 near the city", "In 2015 the plant opened near the city",
            "Prices rose by 5% in the whole market", "Prices fell by 5% in the whole market", "Prices rose by 7% in the whole market",
            "中国市场规模达到5亿美元", "中国市场规模达到6亿美元", "The tool is safe for most patients", "The tool is not safe for most patients",
        ];
        let make = |order: &[usize]| -> Vec<Statement<'static>> {
            order.iter().map(|&at| Statement { text: TEXTS[picked[at] % 10], start: 0, heading: "", subagent: ["a", "b", "c"][at % 3], sources: vec![at % 5] }).collect()
        };
        let order: Vec<usize> = (0..picked.len()).collect();
        let mut turned = order.clone();
        turned.rotate_left(turn % picked.len());
        turned.swap(0, picked.len() / 2);
        let run = |order: &[usize]| {
            let claims = Claims::new(make(order), &mut Reader::default());
            let mut found = contradictions(&claims.statements, &claims.features);
            let contested = found.found.iter().flat_map(|found| found.places).collect();
            let mut findings = claims.findings(&|source| format!("{}.org", source % 2), &contested, &[]);
            findings.iter_mut().for_each(|finding| (finding.statements, finding.shown) = (Vec::new(), 0));
            found.found.iter_mut().for_each(|found| found.places = [0, 0]);
            (found, findings, insights(&claims))
        };
        prop_assert_eq!(run(&order), run(&turned));
    }

    #[test]
    fn statements_are_verbatim(text in "(\\PC|[*\\[\\]0-9#\\-. a-z\n。【】]){0,200}") {
        let (text, report) = keep(&text, 99);
        let marks = Mark::all(&report.citations);
        for statement in statements(Said { marks: &marks, ..Said::uncited(&text) }) {
            prop_assert!(text.contains(statement.text));
        }
    }
}
