//! Contradictions of every kind, what only looks like one, and that comparisons are bounded.

use super::*;
use crate::domain::aggregate::near_duplicates::Reader;

fn kind(one: &str, other: &str) -> Option<Kind> {
    let statement = |text, subagent| Statement { text, start: 0, heading: "", subagent, sources: Vec::new() };
    let both = [statement(one, "a"), statement(other, "b")];
    let mut reader = Reader::default();
    let features: Vec<_> = both.iter().map(|statement| reader.read(statement.text)).collect();
    contradictions(&both, &features).found.first().map(|found| found.kind)
}

#[test]
fn contradictions_of_every_kind() {
    for (one, other, expected) in [
        (
            "The battery market reached $5 billion in 2024.",
            "In 2024 the battery market reached $9 billion.",
            Kind::Number,
        ),
        (
            "Prices in the housing market rose 5% last spring.",
            "Prices in the housing market rose 8% last spring.",
            Kind::Number,
        ),
        (
            "The company Acme was founded in 2015 in Berlin.",
            "The company Acme was founded in 2017 in Berlin.",
            Kind::Date,
        ),
        (
            "The vaccine is safe for young children.",
            "The vaccine is not safe for young children.",
            Kind::Negation,
        ),
        (
            "Exports of copper from the region increased.",
            "Exports of copper from the region decreased.",
            Kind::Polarity,
        ),
        (
            "2024年全球具身智能市场规模达到44.4亿美元",
            "2024年全球具身智能市场规模达到52.7亿美元",
            Kind::Number,
        ),
        ("该方法能够提高检测准确率", "该方法能够降低检测准确率", Kind::Polarity),
        ("The price is 10 euros.", "The price is 12 euros.", Kind::Number),
        ("Revenue grew by 10% in 2023.", "Revenue grew by 12% in 2023.", Kind::Number),
        ("The population of Rome is 2.8 million.", "The population of Rome is 3.5 million.", Kind::Number),
        (
            "Der Dienst ist im Norden des Landes verfügbar.",
            "Der Dienst ist im Norden des Landes nicht verfügbar.",
            Kind::Negation,
        ),
        (
            "Le service est disponible dans le nord du pays.",
            "Le service n’est pas disponible dans le nord du pays.",
            Kind::Negation,
        ),
        (
            "The export function is available in the free plan.",
            "The export function is unavailable in the free plan.",
            Kind::Polarity,
        ),
        ("The price of the yearly plan is $10.", "The price of the yearly plan is €10.", Kind::Number),
        (
            "The upload limit of the free plan is 100 Mb.",
            "The upload limit of the free plan is 100 MB.",
            Kind::Number,
        ),
        (
            "The weekly meeting of the team is at 9 am.",
            "The weekly meeting of the team is at 9 pm.",
            Kind::Polarity,
        ),
        (
            "The deadline for the tax return is 31 May 2025.",
            "The deadline for the tax return is 31 July 2025.",
            Kind::Date,
        ),
        (
            "The contract of the tenant ends on 4 March 2025.",
            "The contract of the tenant ends on 6 March 2025.",
            Kind::Date,
        ),
        (
            "The election of the new board was on 4 March 2024.",
            "The election of the new board was on 11 March 2024.",
            Kind::Date,
        ),
        (
            "Acme was founded in 2015 by 3 engineers in Berlin.",
            "Acme was founded in 2017 by 3 engineers in Berlin.",
            Kind::Date,
        ),
        ("The service supports SSO.", "The service does not support SSO.", Kind::Negation),
        ("Revenue rose in 2023.", "Revenue fell in 2023.", Kind::Polarity),
        ("Revenue rose.", "Revenue fell.", Kind::Polarity),
        ("Sales increased by 5% in 2023.", "Sales decreased by 5% in 2023.", Kind::Polarity),
        ("Coffee is healthy.", "Coffee is unhealthy.", Kind::Polarity),
        ("Prices went up last year.", "Prices went down last year.", Kind::Polarity),
        ("Alice won the election.", "Alice lost the election.", Kind::Polarity),
        ("2023年收入上升。", "2023年收入下降。", Kind::Polarity),
        ("売上は2023年に増加した。", "売上は2023年に減少した。", Kind::Polarity),
        ("The basic plan of Acme is free.", "The basic plan of Acme costs 5 dollars.", Kind::Number),
        ("The basic plan is free.", "The basic plan costs $5 per month.", Kind::Number),
        ("Entry is free of charge.", "Entry costs €5.", Kind::Number),
        ("Der Eintritt ist kostenlos.", "Der Eintritt kostet 5 Euro.", Kind::Number),
        ("该服务是免费的。", "该服务每月收费5美元。", Kind::Number),
        ("The lawsuit was settled in May 2021.", "The lawsuit was settled in June 2021.", Kind::Date),
    ] {
        assert_eq!(kind(one, other), Some(expected), "{one} / {other}");
        assert_eq!(kind(other, one), Some(expected), "{other} / {one}");
    }
}

#[test]
fn what_is_no_contradiction() {
    for (one, other) in [
        ("The old pump moves 40 litres a minute.", "The new pump moves 60 litres a minute."),
        ("Hospital A treated 300 patients in May.", "Hospital B treated 450 patients in May."),
        ("Im ersten Quartal sank der Umsatz um 5 %.", "Im zweiten Quartal stieg der Umsatz um 5 %."),
        ("In 2023, inflation in the region was 4%.", "In 2024, inflation in the region was 5%."),
        ("Inflation in the region was 4.5% that year.", "Inflation in the region was about 4–5% that year."),
        ("The region's share was 10–20% of all exports.", "The region's share was 15–25% of all exports."),
        ("The plant employs over 500 people near Lyon.", "The plant employs 620 people near Lyon."),
        ("The market in France grew 5% last spring.", "The market in Spain grew 8% last spring."),
        ("The battery market reached $5.2 billion then.", "The battery market reached $5 billion then."),
        ("GPT-4 performs well on the reading test.", "GPT-5 performs well on the reading test."),
        ("The test takes 5 minutes in the hospital.", "The test costs 5 dollars in the hospital."),
        ("The price is 10 euros.", "The fee is 12 euros."),
        ("It is 10 euros.", "It is 12 euros."),
        ("Revenue rose in 2022.", "Revenue fell in 2023."),
        ("Imports rose by 5%.", "Exports fell by 5%."),
        ("iPhone sales rose in 2023.", "iPad sales fell in 2023."),
        ("Gross profit rose.", "Net profit fell."),
        ("Revenue rose.", "Profit fell."),
        ("It helps certain patients.", "It is uncertain whether it helps patients."),
        ("The Korean won fell.", "The Korean lost fell."),
        ("A公司2023年收入为5亿元。", "B公司2023年收入为7亿元。"),
        ("2023年男性患者为120人。", "2023年女性患者为80人。"),
        ("Revenue was high in 2019.", "Revenue was high in 2020."),
        ("Acme opened 3 new plants in 2015.", "Acme opened 3 new plants in 2017."),
        ("On 4 March the main index of the market fell.", "On 5 March the main index of the market fell."),
        ("The yearly fee of the plan is $10.", "The yearly fee of the plan is €9."),
        ("Founded: 2015", "**Founded:** 2016"),
        ("Population of the country | 5 million", "Population of the country | 7 million"),
        ("The basic plan is free.", "The team plan costs $5 per month."),
        ("The basic plan is free for students.", "The basic plan costs $5 per month."),
        ("The basic plan is free of bugs.", "The basic plan costs $5 per month."),
        ("The free plan has a limit.", "The plan costs $5."),
        ("The basic plan is not free.", "The basic plan costs $5."),
        ("The basic plan is free.", "The basic plan costs up to $5."),
        ("The basic plan is free.", "The basic plan costs $0."),
        ("Cats like to sleep on warm roofs.", "Dogs do not like to sleep on roofs at all."),
    ] {
        assert_eq!(kind(one, other), None, "{one} / {other}");
    }
}

#[test]
fn the_same_source_contradicts_nobody() {
    let statement = |text| Statement { text, start: 0, heading: "", subagent: "a", sources: vec![1] };
    let both = [
        statement("The vaccine is safe for young children."),
        statement("The vaccine is not safe for young children."),
    ];
    let mut reader = Reader::default();
    let features: Vec<_> = both.iter().map(|statement| reader.read(statement.text)).collect();
    assert_eq!(contradictions(&both, &features).found, []);
}

#[test]
fn comparisons_are_bounded() {
    let texts: Vec<String> =
        (0..2_000).map(|at| format!("The common subject has the value {at} in the common place")).collect();
    let statements: Vec<_> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| Statement {
            start: 0,
            text,
            heading: "",
            subagent: if at % 2 == 0 { "a" } else { "b" },
            sources: Vec::new(),
        })
        .collect();
    let mut reader = Reader::default();
    let features: Vec<_> = statements.iter().map(|statement| reader.read(statement.text)).collect();
    assert!(contradictions(&statements, &features).pairs_checked <= texts.len() * CHECKS_MAX);
}
