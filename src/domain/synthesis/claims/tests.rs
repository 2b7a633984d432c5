//! Findings and insights are verbatim, have their sources, and do not depend on the order of arrival.

use proptest::prelude::*;

use super::*;
use crate::domain::synthesis::citations::keep;
use crate::domain::synthesis::contradictions::contradictions;

mod findings;

const ONE: &str = "# Market\n\nThe market reached $5 billion in 2024[1]. Teams should test the tool before buying it [2].\n\n| a | b |\n|---|---|\n| The table says nothing at all here | but words |\n\n```\nlet code = \"it says nothing either at all\";\n```\n\n- **Growth**: sales rose quickly across the whole region [1][3].\n\n## References\n\n[1] A title of a report: https://example.org/a\n";
const TWO: &str = "## Size\n\nIn 2024, the market reached 5 billion dollars.[4] Nobody has a source for this sentence here.";

/// The statements of a text with nine sources, the last of which is `https://nine.example/report`.
pub(super) fn read(text: &str, subagent: &'static str) -> Vec<Statement<'static>> {
    let (text, report) = keep(text, 9);
    let marks = Mark::all(&report.citations);
    let source_of = |url: &str| (url == "https://nine.example/report").then_some(9);
    statements(Said {
        text: text.leak(),
        subagent,
        marks: &marks,
        source_of: &source_of,
        ..Said::uncited("")
    })
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
        "According to [the report of the bank](https://a.example/b), sales rose.",
        "Sources of error are the clock and the operator.",
        "[2024] was a good year for the whole industry.",
        "市场增长了5%，见https://a.example/b。",
        "来源于https://a.example的数据显示市场增长。",
    ] {
        assert_eq!(stated(text), [(text, vec![])], "{text}");
    }
    // In brackets before the stop an address is no part of what is said.
    let cited = "Sales rose by 5% in 2024 (https://nine.example/report).";
    assert_eq!(stated(cited), [("Sales rose by 5% in 2024", vec![9])]);
    assert_eq!(stated("[1] says that sales rose."), [("[1] says that sales rose.", vec![1])]);
    let heading = "## Sources of error\n\nThe clock of the device was wrong by an hour.";
    assert_eq!(stated(heading)[0].0, "The clock of the device was wrong by an hour.");
}

#[test]
fn markers_in_front_cite_what_follows_only_where_all_stand_in_front() {
    let rise = |text| stated(text).into_iter().map(|(_, sources)| sources).collect::<Vec<_>>();
    assert_eq!(rise("[1] Sales rose by 5 % in 2024. [2][3] Costs fell by 3 %."), [vec![1], vec![2, 3]]);
    for text in [
        "[1] says that sales rose by 5 %. Costs fell in the end of 2024 [2]. Nobody has said so far why.",
        "[1] Sales rose by 5 % in 2024. Costs fell in the end of 2024 [2]. Nobody has said so far why.",
        "[1] says that sales rose by 5 %. Costs fell in the end of 2024. [2] Nobody has said so far why.",
    ] {
        assert_eq!(rise(text), [vec![1], vec![2], vec![]], "{text}");
    }
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
        ("Prices rose by 5% in the region [1]!", "Prices rose by 5% in the region"),
        ("Prices rose by 5% in the region [1],[3].", "Prices rose by 5% in the region"),
        ("Prices rose by 5% in the region [1], [2], and [3].", "Prices rose by 5% in the region"),
        ("Prices rose by 5% in the region.\u{a0}[1]", "Prices rose by 5% in the region."),
        ("Prices rose by 5% in the region — [1]", "Prices rose by 5% in the region"),
        ("Prices rose by 5% in the region. – [1], [2]", "Prices rose by 5% in the region."),
        ("Prices rose by 5% in the region —", "Prices rose by 5% in the region —"),
        ("Prices rose. [1]&nbsp;", "Prices rose."),
        ("Prices rose by 5% in the region.&nbsp;[1]\u{200b}[2]", "Prices rose by 5% in the region."),
        ("Prices rose by 5% in the region, did they!", "Prices rose by 5% in the region, did they!"),
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
    for text in ["42", "Yes.", "The limit is 5", "不支持", "v1.2.3"] {
        assert_eq!(stated(text), [(text, vec![])]);
    }
    for text in ["Logged.", "收到。", "The results:", "## Paris", "See https://a.example/b", "<b>x</b>"] {
        assert_eq!(stated(text), [], "{text}");
    }
    let list = "**Pros**\n\n- Memory safety\n- Fast\n- Founded: 2015\n- See:\n- 内存安全";
    let found: Vec<_> = stated(list).into_iter().map(|found| found.0).collect();
    assert_eq!(found, ["Memory safety", "Fast", "Founded: 2015", "内存安全"]);
    let list = "- Memory safety [1]\n- Price: 5 EUR\n- Good tools";
    assert_eq!(stated(list).len(), 3, "a few that say something beside sentences leave out no other");
    assert_eq!(stated("- Memory safety\n\nIt is a good thing to have.").len(), 1);
    let since = "It has been the capital of France since 987";
    assert_eq!(stated(&format!("Paris [1].\n\n{since} [2].")), [("Paris", vec![1]), (since, vec![2])]);
    assert_eq!(stated(&format!("{since} [2].\n\nParis [1].")), [(since, vec![2])]);
}

#[test]
fn short_items_beside_sentences_are_stated_where_they_say_something() {
    const PROSE: &str = "Acme offers several plans. They can be cancelled at any time.";
    let items = |list: &str| {
        let found = stated(format!("{PROSE}\n\n{list}").leak());
        found[2..].iter().map(|found| found.0).collect::<Vec<_>>()
    };
    for (list, expected) in [
        (
            "- Basic: $10 per month\n- **Pro:** $25\n- Enterprise plan $99",
            vec!["Basic: $10 per month", "**Pro:** $25", "Enterprise plan $99"],
        ),
        (
            "- Affected versions: 5.3.0, 5.3.1\n- Not affected: 5.2.x",
            vec!["Affected versions: 5.3.0, 5.3.1", "Not affected: 5.2.x"],
        ),
        (
            "- Fixed in 3.0.12 [2]\n- Memory safety [1]\n- World Bank Report [3]",
            vec!["Fixed in 3.0.12", "Memory safety"],
        ),
        ("1. Open Settings\n2. Click Security\n3. Overview", vec!["Open Settings", "Click Security"]),
        ("- Overview\n- Costs\n- Pros and cons\n- Chapter 2: Methods", vec![]),
        (
            "1. **Market overview**\n2. Market overview\n   - Prices rose by 5%\n3. Outlook for it\n\n   Rents will rise.",
            vec!["Prices rose by 5%", "Rents will rise."],
        ),
        (
            "- Pro: $25 per month\n  - Owner: the team\n- Support: all plans\n  - By phone",
            vec!["Pro: $25 per month", "Owner: the team"],
        ),
    ] {
        assert_eq!(items(list), expected, "{list}");
    }
}

#[test]
fn an_address_behind_the_stop_is_the_source_of_the_sentence() {
    let url = "https://nine.example/report";
    for (text, said) in [
        (format!("**Key findings:**\n1. The bridge opened in 1932. {url}"), "The bridge opened in 1932."),
        (format!("- Tolls are southbound only ({url})"), "Tolls are southbound only"),
        (format!("The bridge opened in 1932. <{url}>"), "The bridge opened in 1932."),
        (format!("- 大桥于1932年通车运营。{url}"), "大桥于1932年通车运营。"),
    ] {
        assert_eq!(stated(text.leak()), [(said, vec![9])]);
    }
    let facts = "The bridge opened in 1932.\n\n- **Height:** 330 m [1]\n- **Colour:** [1]\n- **Length:** 5 m";
    assert_eq!(stated(facts)[1..], [("**Height:** 330 m", vec![1]), ("**Length:** 5 m", vec![])]);
    let below = "The bridge opened in 1932.\n\n- https://nine.example/report";
    assert_eq!(stated(below), [("The bridge opened in 1932.", vec![])]);
    for text in [
        "- The Bridge and Its History. https://nine.example/report",
        "- Smith et al. on how it was built there. https://nine.example/report",
    ] {
        assert_eq!(stated(text), [], "{text}");
    }
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
fn markers_that_stand_alone_belong_to_the_sentence_above_them() {
    const ROSE: (&str, Vec<usize>) = ("Sales rose by 5% in the region.", vec![]);
    const FELL: (&str, Vec<usize>) = ("They fell after that in 2024.", vec![]);
    let cited = (FELL.0, vec![1, 2]);
    for markers in ["\n\n[1][2]", "\n\n([1], [2])\n\n## Costs", "\n[1][2]", "\n\n**[2]** [1].\n\n---"] {
        let text = format!("{} {}{markers}\n\n## More\n\nCosts fell as well [3].", ROSE.0, FELL.0);
        let found = stated(text.leak());
        assert_eq!(found[..2], [ROSE, cited.clone()], "{markers}");
        assert_eq!(found[2].1, [3], "{markers}");
    }
    for text in ["- {} {}\n\n[1][2]", "{} {}\n\n## 2024\n\n[1][2]", "{} {}\n\nWhy?\n\n[1][2]"] {
        let text = text.replacen("{}", ROSE.0, 1).replace("{}", FELL.0);
        assert_eq!(stated(text.leak()), [ROSE, FELL]);
    }
    // In front of a line they may be its own.
    let text = format!("{}\n\n[1]\n{}", ROSE.0, FELL.0);
    assert_eq!(stated(text.leak()), [ROSE, (FELL.0, vec![1])]);
}

#[test]
fn sources_in_lines_below_a_label_are_those_of_no_sentence() {
    for label in ["Sources:", "**Quellen:**"] {
        let text = format!(
            "Sales rose by 5% in the region.\n\n{label}\nAlpha: https://nine.example/report\nBeta: https://a.example/b\n\nCosts fell as well."
        );
        let found = stated(text.leak());
        assert_eq!(found, [("Sales rose by 5% in the region.", vec![]), ("Costs fell as well.", vec![])]);
    }
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
fn insights_have_their_sources() {
    let found = insights(&Claims::new(all(), &mut Reader::default()), false, &|_| None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, "Teams should test the tool before buying it");
    assert_eq!(found[0].sources, [2]);
}

#[test]
fn what_is_denied_or_untrue_is_no_advice() {
    let advice = "You should drink eight glasses of water each day.";
    let found = |above: &str| {
        let said = read(&*format!("{above}\n- {advice}").leak(), "a");
        insights(&Claims::new(said, &mut Reader::default()), false, &|_| None).len()
    };
    for above in ["The following claims are false:", "## Common myths"] {
        assert_eq!(found(above), 0, "{above}");
    }
    for above in ["Tips:", "## Not in summer", "If it is hot:"] {
        assert_eq!(found(above), 1, "{above}");
    }
}

#[test]
fn advice_keeps_the_line_that_says_when_it_holds() {
    let advice = "You should buy the youth pass at once";
    let lead_in = |above: &str| {
        let said = read(&*format!("{above}\n- {advice}").leak(), "a");
        insights(&Claims::new(said, &mut Reader::default()), false, &|_| None).remove(0).lead_in
    };
    for above in ["If you are under 26:", "## If you are under 26", "## If you are under 26\n\n### Passes"] {
        assert_eq!(lead_in(above).as_deref(), Some("If you are under 26"), "{above}");
    }
    assert_eq!(lead_in("Tips:"), None);
    // The same under two conditions is two.
    let both = format!("If you are under 26:\n- {advice}\n\nIf you are over 65:\n- {advice}");
    assert_eq!(
        insights(&Claims::new(read(&*both.leak(), "a"), &mut Reader::default()), false, &|_| None).len(),
        2
    );
}

#[test]
fn what_is_recommended_without_a_source_comes_behind_what_has_one() {
    let mut said =
        read("Consider a pilot project in the autumn. Operators should test the valves twice [2].", "a");
    said.extend(read("Consider a pilot project in the autumn.", "b"));
    let found = insights(&Claims::new(said, &mut Reader::default()), false, &|_| None);
    let found: Vec<_> =
        found.iter().map(|insight| (insight.text.as_str(), insight.sources.as_slice())).collect();
    assert_eq!(
        found,
        [
            ("Operators should test the valves twice", &[2][..]),
            ("Consider a pilot project in the autumn.", &[])
        ]
    );
}

#[test]
fn every_text_has_a_topic_of_whole_words() {
    for (text, topic) in [
        ("The '_id' field is unique in every collection.", "_id"),
        ("Use '__init__' to set up the fields of a class.", "__init__"),
        ("Set max_connections to 100 before the start.", "max_connections"),
        ("-_x and e\u{301}tat are names of ’_source’.", ""),
    ] {
        let said = vec![Statement { text, subagent: "a", sources: vec![1], ..Statement::default() }];
        let claims = Claims::new(said, &mut Reader::default());
        let found = claims.findings(&|_| "a.org".to_owned().into(), &BTreeSet::new(), &[]);
        assert!(!found[0].topic.is_empty() && found[0].topic.contains(topic), "{}", found[0].topic);
    }
}

#[test]
fn markers_between_two_paragraphs_cite_neither() {
    let (text, report) = keep(
        "[1]\n\nSales rose in the region by 5% in 2023.\n\n[2]\n\nCosts fell in the region by 3% in 2023.",
        2,
    );
    let marks = Mark::all(&report.citations);
    let found = statements(Said { marks: &marks, ..Said::uncited(&text) });
    assert!(found.len() == 2 && found.iter().all(|said| said.sources.is_empty()), "{found:?}");
}

proptest! {
    #[test]
    fn order_of_arrival_changes_nothing(picked in prop::collection::vec(0_usize..10, 2..24), turn in 1_usize..20) {
        const TEXTS: [&str; 10] = [
            "The plant opened in 2015 near the city", "The plant opened in 2016 near the city", "In 2015 the plant opened near the city",
            "Prices rose by 5% in the whole market", "Prices fell by 5% in the whole market", "Prices rose by 7% in the whole market",
            "中国市场规模达到5亿美元", "中国市场规模达到6亿美元", "The tool is safe for most patients", "The tool is not safe for most patients",
        ];
        const HEADINGS: [&str; 5] = ["", "Berlin", "Paris", "Overview", "Berlin and Potsdam"];
        let make = |order: &[usize]| -> Vec<Statement<'static>> {
            order.iter().map(|&at| Statement { text: TEXTS[picked[at] % 10], start: 0, heading: HEADINGS[at % 5], around: Around::default(), subagent: ["a", "b", "c"][at % 3], sources: vec![at % 5], row: None }).collect()
        };
        let order: Vec<usize> = (0..picked.len()).collect();
        let mut turned = order.clone();
        turned.rotate_left(turn % picked.len());
        turned.swap(0, picked.len() / 2);
        let run = |order: &[usize]| {
            let claims = Claims::new(make(order), &mut Reader::default());
            let mut found = contradictions(&claims.statements, &claims.features);
            let contested = found.found.iter().flat_map(|found| found.places).collect();
            let mut findings = claims.findings(&|source| format!("{}.org", source % 2).into(), &contested, &[]);
            findings.iter_mut().for_each(|finding| (finding.statements, finding.shown) = (Vec::new(), 0));
            found.found.iter_mut().for_each(|found| found.places = [0, 0]);
            (found, findings, insights(&claims, false, &|_| None))
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

#[test]
fn what_to_do_is_an_insight_where_that_was_asked() {
    let text = "1. Alert on pool usage above 80%.\n2. Roll out configuration changes gradually.\n3. Don't run migrations during business hours.\n4. Add a load test with carts of 40 lines.";
    let claims = Claims::new(read(text, "a"), &mut Reader::default());
    assert_eq!([true, false].map(|is_to_act| insights(&claims, is_to_act, &|_| None).len()), [4, 1]);
}

#[test]
fn steps_of_a_list_are_insights_together_and_in_its_order() {
    let text = "1. Turn off the heat.\n2. Cover the pan with a lid.\n3. Leave the kitchen.\n4. Call 112.\n\nNever use water.";
    let found = |is_to_act| {
        let found = insights(&Claims::new(read(text, "a"), &mut Reader::default()), is_to_act, &|_| None);
        found.into_iter().map(|insight| insight.text).collect::<Vec<_>>()
    };
    let steps: Vec<String> = found(true).into_iter().filter(|text| !text.starts_with("Never")).collect();
    assert_eq!(steps, ["Turn off the heat.", "Cover the pan with a lid.", "Leave the kitchen.", "Call 112."]);
    assert!(!found(false).iter().any(|text| text.starts_with("Cover")));
}
