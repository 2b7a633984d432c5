//! Which parts a query has, and which of them the findings leave open.

use proptest::prelude::*;

use super::*;
use crate::domain::synthesis::claims::Confidence;

fn finding(shown: usize, content: &str, sources: Vec<usize>) -> Finding {
    Finding {
        topic: content.split(' ').next().unwrap_or_default().to_owned(),
        content: content.to_owned(),
        sources,
        contributors: Vec::new(),
        confidence: Confidence::Low,
        verify: None,
        statements: vec![shown],
        shown,
    }
}

#[test]
fn parts_of_questions() {
    for (query, expected) in [
        (
            "What are the costs, risks and benefits of heat pumps?",
            vec!["costs", "risks", "benefits of heat pumps"],
        ),
        ("请帮我整理产品进度，融资情况、团队情况", vec!["产品进度", "融资情况", "团队情况"]),
        (
            "Which heat pumps are quiet? Furthermore, what do they cost?",
            vec!["heat pumps are quiet", "do they cost"],
        ),
        ("Was kosten sie? Außerdem, bitte, die Lautstärke", vec!["Was kosten sie", "die Lautstärke"]),
        ("热泵的价格，但是，噪音", vec!["热泵的价格", "噪音"]),
        ("我是一名游戏开发，想了解引擎的价格", vec!["想了解引擎的价格"]),
        ("I am a nurse from Bonn, how is pain measured?", vec!["is pain measured"]),
        ("", vec![]),
    ] {
        assert_eq!(parts(query), expected, "{query}");
    }
}

#[test]
fn questions_of_any_language_are_covered_by_what_answers_them() {
    for (query, content, open) in [
        ("Wie hoch sind die Kosten für Strom und Gas?", "Die Stromkosten liegen bei 30 Cent.", 0),
        ("Quels sont les coûts du logement et de l'énergie ?", "Le logement coûte 900 euros.", 0),
        ("北京和上海的房价分别是多少？", "北京的房价为每平方米6万元，上海的房价为7万元。", 0),
        ("公司的收入和利润是多少？", "公司2023年收入为5亿元。", 1),
        ("公司的收入和利润是多少？", "公司2023年收入为5亿元，利润为1亿元。", 0),
        ("和平条约涉及哪些国家？", "和平条约涉及三个国家。", 0),
        ("How many people live in Rome?", "Rome has a population of 2.8 million.", 0),
        ("Did revenue change?", "Sales rose by 5%.", 0),
        ("Compare price and speed.", "It costs 5 dollars and answers within 20 ms.", 0),
        ("Pros and cons of nuclear power", "Nuclear power has one benefit and one drawback.", 0),
        (
            "What are the advantages and disadvantages of heat pumps?",
            "An advantage of heat pumps is low cost.",
            1,
        ),
        ("What are the advantages and disadvantages of heat pumps?", "Heat pumps save 40% of the energy.", 0),
        ("How many people live in Rome?", "The plan costs 5 dollars.", 1),
        ("Wie hoch sind die Kosten für Strom und Gas?", "Die Anlage wurde im Mai gewartet.", 1),
        ("北京和上海的房价分别是多少？", "这座工厂的泵每年需要换油。", 2),
    ] {
        let findings = [finding(0, content, vec![1, 2])];
        let features = [Features::of(&mut Lexicon::default(), content)];
        let gaps = gaps(query, (&findings, &[]), &features, &[], &mut Lexicon::default());
        assert_eq!(gaps.len(), open, "{query}: {gaps:?}");
    }
}

#[test]
fn gaps_are_named() {
    let findings = [finding(0, "Costs of heat pumps fell", vec![1]), finding(1, "Risks are few", vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, &finding.content));
    let expected = [
        Expected { name: "web", status: "failed", why: Some("timeout"), brought: Brought::Nothing },
        Expected { name: "crm", status: "timeout", why: Some("late"), brought: Brought::Part },
        Expected { name: "docs", status: "completed", why: None, brought: Brought::Whole },
    ];
    assert_eq!(
        gaps(
            "What are the costs, risks and long-term warranty terms?",
            (&findings, &[]),
            &features,
            &expected,
            &mut lexicon
        ),
        [
            "No finding covers “long-term warranty terms”.",
            "crm brought only a part of its result (timeout): late",
            "web brought no result (failed): timeout",
            "1 finding rests on a single source: “Costs”.",
        ]
    );
}

proptest! {
    #[test]
    fn any_query_has_parts(query in "\\PC{0,120}") {
        for part in parts(&query) {
            prop_assert!(query.contains(part));
        }
    }
}
