//! Contradictions of every kind, what only looks like one, and that comparisons are bounded.

use super::*;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::{Said, statements};

mod missed;
mod simple;

pub(super) fn kind(one: &str, other: &str) -> Option<Kind> {
    found(one, other).map(|found| found.kind)
}

fn found(one: &str, other: &str) -> Option<Contradiction> {
    let statement = |text, subagent| Statement { text, subagent, ..Statement::default() };
    let both = [statement(one, "a"), statement(other, "b")];
    let mut reader = Reader::default();
    let features: Vec<_> = both.iter().map(|statement| reader.read(statement.text)).collect();
    contradictions(&both, &features).found.pop()
}

/// What contradicts in two texts of two subagents, which may have headings.
pub(super) fn between_texts(one: &str, other: &str) -> Vec<Contradiction> {
    let read = |(text, subagent)| statements(Said { subagent, ..Said::uncited(text) });
    let all: Vec<Statement<'_>> = [(one, "a"), (other, "b")].into_iter().flat_map(read).collect();
    let mut reader = Reader::default();
    let features: Vec<_> = all.iter().map(|said| reader.read(said.text)).collect();
    contradictions(&all, &features).found
}

/// The kinds of those.
pub(super) fn kinds_between(one: &str, other: &str) -> Vec<Kind> {
    between_texts(one, other).into_iter().map(|found| found.kind).collect()
}

#[test]
fn a_description_names_what_differs() {
    for (one, other, differs) in [
        (
            "サーバーは東京にあります。",
            "サーバーは東京にありません。",
            "differ in a negation: “ません” stands in one only",
        ),
        ("该方法能提高准确率", "该方法不能提高准确率", "differ in a negation: “不” stands in one only"),
    ] {
        let found = found(one, other).expect(one);
        assert!(found.description.contains(differs), "{}", found.description);
    }
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
        (
            "The drug lowers blood pressure in adults.",
            "The drug raises blood pressure in adults.",
            Kind::Polarity,
        ),
        ("Some models support HDR.", "No models support HDR.", Kind::Negation),
        (
            "The iOS release was moved to 21 May 2025.",
            "The iOS release was moved to 28 May 2025.",
            Kind::Date,
        ),
        ("The client is asynchronous by default.", "The client is synchronous by default.", Kind::Polarity),
        (
            "If the key is wrong, the call fails 3 times.",
            "If the key is wrong, the call fails 5 times.",
            Kind::Number,
        ),
        ("The library is actively maintained.", "The library is no longer maintained.", Kind::Negation),
        ("The feature is supported in Firefox.", "The feature is unsupported in Firefox.", Kind::Polarity),
        ("Der Cluster besteht aus drei Knoten.", "Der Cluster besteht aus vier Knoten.", Kind::Number),
        ("Le cluster comporte trois nœuds.", "Le cluster comporte quatre nœuds.", Kind::Number),
        ("Sales rose by 5 per cent in 2023.", "Sales rose by 7 % in 2023.", Kind::Number),
        ("The plan supports no more than 5 users.", "The plan supports 8 users.", Kind::Number),
        ("The plan allows up to 100 users.", "The plan allows up to 60 users.", Kind::Number),
        (
            "A password must have at least 8 characters.",
            "A password must have at least 12 characters.",
            Kind::Number,
        ),
        ("The plan supports no more than 5 users.", "The plan supports more than 5 users.", Kind::Number),
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
        ("Revenue rose by 5 % in 2023.", "Revenue fell by 3 % in 2023.", Kind::Polarity),
        ("Revenue rose by 5 % in 2023.", "Revenue fell in 2023.", Kind::Polarity),
        ("Yes, the app works offline.", "No, the app does not work offline.", Kind::Negation),
        (
            "Ja, die App läuft ohne Netz stabil.",
            "Nein, die App läuft ohne Netz nicht stabil.",
            Kind::Negation,
        ),
        (
            "Revenue rose by 5 % in 2023, which surprised analysts",
            "Revenue fell by 3 % in 2023.",
            Kind::Polarity,
        ),
        (
            "Revenue rose by 5 % in 2023, which surprised analysts",
            "Revenue rose by 9 % in 2023.",
            Kind::Number,
        ),
        (
            "The plan costs $10, which covers 5 users.",
            "The plan costs $10, which covers 7 users.",
            Kind::Number,
        ),
        (
            "Die Zahl der Mitarbeitenden stieg auf 12.900.",
            "Die Zahl der Mitarbeitenden sank auf 12.300.",
            Kind::Polarity,
        ),
        (
            "Der Umsatz stieg 2023 um 5 %, obwohl die Kosten hoch blieben.",
            "Der Umsatz sank 2023 um 3 %.",
            Kind::Polarity,
        ),
        (
            "Le chiffre d'affaires a augmenté de 5 % en 2023, ce qui a surpris les analystes.",
            "Le chiffre d’affaires a baissé de 3 % en 2023.",
            Kind::Polarity,
        ),
        (
            "Los ingresos aumentaron un 5 % en 2023, lo que sorprendió a los analistas.",
            "Los ingresos cayeron un 3 % en 2023.",
            Kind::Polarity,
        ),
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
        ("Revenue rose by 5 % in 2023.", "Revenue fell by 3 % in 2022."),
        ("Revenue rose by 5 %, compared with 2021.", "Revenue fell by 3 %, compared with 2022."),
        (
            "Consumer prices rose by 2 %, compared with a year earlier.",
            "Consumer prices fell by 0.3 %, compared with the month before.",
        ),
        (
            "Unemployment was 5 %, which was up from 3 % in 2021.",
            "Unemployment was 4 %, which was down from 6 % in 2022.",
        ),
        ("2023年3月居民消费价格同比上涨0.7%。", "2023年3月居民消费价格环比下降0.3%。"),
        ("2023年美国居民消费价格同比上涨3%。", "2023年英国居民消费价格同比下降2%。"),
        ("居民消费价格同比上涨0.7%，环比下降0.3%。", "居民消费价格环比下降0.3%，同比上涨0.7%。"),
        ("Revenue rose by 5 % in 2023.", "Revenue fell by 3 %."),
        ("Sales of cars with 4 doors rose by 5 %.", "Sales of cars with 2 doors fell by 3 %."),
        ("Prices rose by 5 %, if demand held.", "Prices fell by 3 %."),
        ("营收增长5%，但前提是需求稳定。", "营收下降3%。"),
        ("The rate rose by 5 %, as costs fell by 3 %.", "The rate rose by 5 %, as costs fell by 2 points."),
        ("東京の人口は約1,400万人です。", "東京の人口は約1,350万人です。"),
        ("Die Firma hat rund 1.400 Beschäftigte.", "Die Firma hat etwa 1.350 Beschäftigte."),
        ("The plan supports up to 10 users.", "The plan does not support more than 10 users."),
        ("The plan supports no more than 5 users.", "The plan supports 5 users."),
        ("The storm killed at least 5 people.", "The storm killed at least 7 people."),
        ("Some models support HDR.", "Some models do not support HDR."),
        ("If the parser is strict, errors are raised.", "If the parser is not strict, errors are raised."),
        ("Le billet coûte 10 € pour les adultes.", "Le billet coûte 5 € pour les enfants."),
        ("Le trajet dure 30 minutes en train.", "Le trajet dure 50 minutes en bus."),
        ("Der Zug fährt werktags um 8:00 Uhr.", "Der Zug fährt samstags um 9:00 Uhr."),
        ("Die Steuer beträgt 19 %.", "Die ermäßigte Steuer beträgt 7 %."),
        ("Many users like the new editor.", "The users do not like the new editor."),
        ("Einige Nutzer berichten von Fehlern.", "Einige Nutzer berichten von keinen Fehlern."),
        ("Type 1 diabetes requires insulin.", "Type 2 diabetes requires insulin."),
        ("HTTP/2 uses TCP as its transport.", "HTTP/3 uses TCP as its transport."),
        ("The latency was 120 ms before the fix.", "The latency was 80 ms after the fix."),
        ("You can cancel before the trial ends.", "You cannot cancel after the trial ends."),
        ("There are no fees for payments inside the EU.", "There are fees for payments outside the EU."),
        ("The claim that vaccines cause autism is false.", "The claim is that vaccines do not cause autism."),
        ("I could not verify whether the store is open.", "The store is open."),
        ("The plan supports no more than 5 users.", "The plan supports fewer than 5 users."),
        ("The trial takes no less than 3 weeks.", "The trial takes 3 weeks."),
        ("The warranty lasts no longer than 2 years.", "The warranty lasts 2 years."),
        ("Passwords must not exceed 64 characters.", "Passwords must have at least 8 characters."),
        ("The minimum order is 10 units.", "The maximum order is 10 units."),
        ("The standard VAT rate in Germany is 19%.", "The reduced VAT rate in Germany is 7%."),
        ("Le taux normal est de 20 %.", "Le taux réduit est de 5,5 %."),
        ("Cats like to sleep on warm roofs.", "Dogs do not like to sleep on roofs at all."),
    ] {
        assert_eq!(kind(one, other), None, "{one} / {other}");
    }
}

#[test]
fn what_compares_from_the_other_side_says_the_same() {
    for (one, other) in [
        ("Solar power is cheaper than coal power.", "Coal power is more expensive than solar power."),
        ("Postgres is faster than MySQL.", "MySQL is slower than Postgres."),
        ("Berlin is larger than Hamburg.", "Hamburg is smaller than Berlin."),
        ("Berlin ist größer als Hamburg.", "Hamburg ist kleiner als Berlin."),
    ] {
        assert_eq!(kind(one, other), None, "{one} / {other}");
    }
    for (one, other) in [
        ("Solar power is cheaper than coal power.", "Solar power is more expensive than coal power."),
        ("Postgres is faster than MySQL.", "Postgres is slower than MySQL."),
        ("Berlin ist größer als Hamburg.", "Berlin ist kleiner als Hamburg."),
        ("Exports rose more than imports.", "Imports fell more than exports."),
        (
            "The treatment reduced mortality in patients with asthma.",
            "The regular treatment increased mortality in patients with asthma.",
        ),
    ] {
        assert_eq!(kind(one, other), Some(Kind::Polarity), "{one} / {other}");
    }
    for (one, other) in [
        ("The app requires at least 4 GB of memory.", "The app does not require 4 GB of memory."),
        ("The plan supports more than 10 users.", "The plan does not support 10 users."),
        ("The law covers at least 500 firms.", "The law does not cover 500 firms."),
    ] {
        assert_eq!(kind(one, other), Some(Kind::Negation), "{one} / {other}");
    }
}

#[test]
fn groups_and_conditions_are_apart() {
    for (one, other) in [
        ("Full-time employees get 30 days of leave.", "Part-time employees get 20 days of leave."),
        ("Adults over 70 need 800 units of vitamin D.", "Adults aged 19 to 70 need 600 units of vitamin D."),
        ("In the treatment arm 12 patients died.", "In the placebo arm 20 patients died."),
        ("The rate limit in live mode is 100 requests.", "The rate limit in test mode is 25 requests."),
        ("Employees under 30 get 25 days of leave.", "Employees over 30 get 28 days of leave."),
        ("Employees with children get 30 days of leave.", "Employees without children get 25 days of leave."),
        ("He was born in 1950 in the village.", "She was born in 1952 in the village."),
    ] {
        assert_eq!(kind(one, other), None, "{one} / {other}");
    }
    for (one, other) in [
        ("Full-time employees get 30 days of leave.", "Full-time employees get 20 days of leave."),
        ("Adults over 70 need 800 units of vitamin D.", "Adults over 70 need 600 units of vitamin D."),
        ("Employees over 30 get 25 days of leave.", "Employees over 30 get 28 days of leave."),
        ("The rate limit in live mode is 100 requests.", "The rate limit in live mode is 25 requests."),
        ("He was born in 1950 in the village.", "He was born in 1952 in the village."),
    ] {
        assert!(kind(one, other).is_some(), "{one} / {other}");
    }
}

#[test]
fn the_same_source_contradicts_nobody() {
    let statement = |text| Statement { text, subagent: "a", sources: vec![1], ..Statement::default() };
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
            text,
            subagent: if at % 2 == 0 { "a" } else { "b" },
            ..Statement::default()
        })
        .collect();
    let mut reader = Reader::default();
    let features: Vec<_> = statements.iter().map(|statement| reader.read(statement.text)).collect();
    assert!(contradictions(&statements, &features).pairs_checked <= texts.len() * CHECKS_MAX);
}
