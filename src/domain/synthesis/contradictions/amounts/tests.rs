//! Amounts in cells, items, members and sentences, held against each other, and what isn't.

use super::super::contradictions;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::{Said, statements};

mod members;

/// What contradicts in the answers of two subagents.
fn found(one: &str, other: &str) -> Vec<String> {
    let mut all = statements(Said { subagent: "a", ..Said::uncited(one) });
    all.extend(statements(Said { subagent: "b", ..Said::uncited(other) }));
    let mut reader = Reader::default();
    let features: Vec<_> = all.iter().map(|said| reader.read(said.text)).collect();
    contradictions(&all, &features).found.into_iter().map(|found| found.description).collect()
}

fn are_found(one: &str, other: &str) -> usize {
    let (there, back) = (found(one, other).len(), found(other, one).len());
    assert_eq!(there, back, "{one} / {other}");
    there
}

fn table(head: &str, rows: &[&str]) -> String {
    let line = "|---".repeat(head.matches('|').count() + 1);
    format!("| {head} |\n{line}|\n| {} |\n", rows.join(" |\n| "))
}

const LATENCY: &str = "Database | p99 latency | Recall";

fn latency() -> String {
    table(LATENCY, &["Qdrant | 12 ms | 98 %", "pgvector | 60 ms | 95 %"])
}

#[test]
fn a_cell_is_held_against_a_sentence() {
    for sentence in [
        "Qdrant's p99 latency is 21 ms.",
        "The p99 latency of Qdrant is 21 ms.",
        "Qdrant has a p99 latency of 21 ms.",
        "Qdrant reached a p99 latency of about 21 ms.",
        "The Qdrant database has a p99 latency of 21 ms.",
        "The recall of pgvector is 85 %.",
        "Qdrant's p99 latency is 21 ms, which is slow.",
    ] {
        assert_eq!(are_found(&latency(), sentence), 1, "{sentence}");
        assert_eq!(are_found(&format!("## Results\n\n{}", latency()), sentence), 1, "{sentence}");
    }
    for (head, row, sentence) in [
        ("Database | p99 latency (ms)", "Qdrant | 12", "The p99 latency of Qdrant is 21 ms."),
        ("Metric | Qdrant | pgvector", "p99 latency | 12 ms | 60 ms", "Qdrant's p99 latency is 21 ms."),
        ("Service | Replicas", "checkout | 3", "The checkout service has 5 replicas."),
        ("Plan | Price per month", "Basic | $10", "The Basic plan costs $12 per month."),
        ("City | Population (millions)", "Berlin | 3.7", "Berlin has 2.1 million inhabitants."),
        (
            "City | Population | Year",
            "Berlin | 3.7 million | 2023",
            "In 2023, Berlin's population was 2.1 million.",
        ),
        ("Company | Revenue in million EUR", "Acme | 120", "Acme's revenue is 140 million euros."),
        ("Company | Revenue in million EUR", "Acme | 120", "Acme's revenue amounts to 140 million euros."),
        ("Route | Flights", "From Rome to Oslo | 5", "There are 7 flights from Rome to Oslo."),
    ] {
        assert_eq!(are_found(&table(head, &[row]), sentence), 1, "{head} / {row} / {sentence}");
    }
    let described =
        found(&table("Database | p99 latency (ms)", &["Qdrant | 12"]), "Qdrant's p99 latency is 21 ms.");
    assert!(described[0].ends_with("give different numbers: “12 ms” and “21 ms”."), "{described:?}");
}

#[test]
fn a_cell_and_a_sentence_that_may_be_of_others_contradict_nothing() {
    for sentence in [
        // The same, or nearly.
        "Qdrant's p99 latency is 12 ms.",
        "Qdrant's p99 latency is about 12.5 ms.",
        "Qdrant's p99 latency is 10 to 15 ms.",
        "Qdrant's p99 latency is below 20 ms.",
        "Qdrant's p99 latency is 0.012 s.",
        // Another row or column.
        "Milvus's p99 latency is 21 ms.",
        "Qdrant's p50 latency is 21 ms.",
        "Qdrant's latency is 21 ms.",
        "The average p99 latency is 21 ms.",
        // Another unit.
        "The recall of Qdrant is 21 ms.",
        "Qdrant's p99 latency is 98 %.",
        // Another case, time or way to mean it.
        "Qdrant's p99 latency is 21 ms in the EU region.",
        "In 2021, Qdrant's p99 latency was 21 ms.",
        "Qdrant's p99 latency is 21 ms with 10 million vectors.",
        "Qdrant 1.2 has a p99 latency of 21 ms.",
        "Qdrant's p99 latency should be 21 ms.",
        "Qdrant's p99 latency was 21 ms before the upgrade.",
        "Qdrant's target p99 latency is 21 ms.",
        "Qdrant's p99 latency isn't 21 ms.",
        "Qdrant's p99 latency rose by 21 ms.",
        "Is Qdrant's p99 latency 21 ms?",
        "Qdrant's p99 latency is more than 21 ms higher than that of others.",
        "Total p99 latency of Qdrant and pgvector is 72 ms.",
        "## Targets\n\nQdrant's p99 latency is 21 ms.",
        "## Results in 2021\n\nQdrant's p99 latency is 21 ms.",
    ] {
        assert_eq!(are_found(&latency(), sentence), 0, "{sentence}");
    }
    for (around, sentence) in [
        ("## Results on GIST with 10 GB\n\n", "Qdrant's p99 latency is 21 ms."),
        ("## Latency in Frankfurt\n\n", "## Latency in Dublin\n\nQdrant's p99 latency is 21 ms."),
        ("## Latency in Frankfurt\n\n", "Qdrant's p99 latency is 21 ms."),
        ("## Projected results\n\n", "Qdrant's p99 latency is 21 ms."),
        ("## Results on the large dataset\n\n", "Qdrant's p99 latency is 21 ms."),
        ("With 5,000 clients we measured this:\n\n", "Qdrant's p99 latency is 21 ms."),
    ] {
        assert_eq!(are_found(&format!("{around}{}", latency()), sentence), 0, "{around} / {sentence}");
    }
    for (head, rows, sentence) in [
        ("Database | Dataset | p99 latency", ["Qdrant | GIST | 12 ms", ""], "Qdrant's p99 latency is 21 ms."),
        ("Database | p99 latency", ["Qdrant | 12 ms", "Qdrant | 18 ms"], "Qdrant's p99 latency is 21 ms."),
        ("Metric | Value", ["p99 latency | 12 ms", ""], "The p99 latency is 21 ms."),
        ("Region | Revenue", ["Total | 12", ""], "The total revenue is 21."),
        ("Quarter | Revenue", ["Q3 2023 | $12", ""], "Revenue in Q3 2023 was $21."),
        ("City | Population (2019)", ["Berlin | 3.6 million", ""], "Berlin's population is 2.1 million."),
        (
            "City | Population",
            ["Berlin | 3.6 million (metro area)", ""],
            "Berlin's population is 2.1 million.",
        ),
        ("Plan | Price per month", ["Basic | $10", ""], "The Basic plan costs $120 per year."),
        ("Plan | Price", ["Basic | $10", ""], "The Basic plan costs €12."),
        ("Tax | Price before tax", ["Car | $10", ""], "The price of the car after tax is $12."),
        ("Database | Founded", ["Qdrant | 2015", ""], "Qdrant was founded in 2021."),
        ("Plan | Rank", ["Basic | 1", ""], "The rank of Basic is 2."),
        ("Route | Flights", ["From Rome to Oslo | 5", ""], "There are 7 flights from Oslo to Rome."),
        ("Pair | Rate", ["EUR/USD | 1.08", ""], "The rate of USD/EUR is 0.92."),
    ] {
        assert_eq!(are_found(&table(head, &rows), sentence), 0, "{head} / {rows:?} / {sentence}");
    }
}

#[test]
fn cells_of_tables_with_other_columns_are_held_against_each_other() {
    for (one, other) in [
        (
            ("Database | p99 latency", "Qdrant | 12 ms"),
            ("Engine | Licence | p99 latency (ms)", "Qdrant | Apache | 21"),
        ),
        (
            ("Database | p99 latency", "Qdrant | 12 ms"),
            ("Metric | Qdrant | Milvus", "p99 latency | 21 ms | 9 ms"),
        ),
        (
            ("City | Population", "Berlin | 3.7 million"),
            ("City | Area | Inhabitants", "Berlin | 892 km² | 2.1 million"),
        ),
    ] {
        let (one, other) = (table(one.0, &[one.1]), table(other.0, &[other.1]));
        assert_eq!(are_found(&one, &other), 1, "{one}{other}");
    }
    for (one, other) in [
        // Of another plan, or other tests.
        (("Plan | Price", ["Basic | $10", ""]), ("Tier | Price | Seats", ["Basic | $12 | 5", ""])),
        (
            ("Database | Latency", ["Qdrant | 12 ms", "Milvus | 30 ms"]),
            ("Engine | Latency | Recall", ["Qdrant | 21 ms | 98 %", "Milvus | 50 ms | 97 %"]),
        ),
        (
            ("Database | Latency", ["Qdrant | 12 ms", ""]),
            ("Database | Region | Latency", ["Qdrant | EU | 21 ms", ""]),
        ),
        (
            ("Database | Latency", ["Qdrant | 12 ms", ""]),
            ("Database | Latency (2021)", ["Qdrant | 21 ms", ""]),
        ),
    ] {
        let (one, other) = (table(one.0, &one.1), table(other.0, &other.1));
        assert_eq!(are_found(&one, &other), 0, "{one}{other}");
    }
}

#[test]
fn a_label_below_a_heading_is_held_against_other_forms() {
    let item = "## Qdrant\n\n- p99 latency: 12 ms\n- Licence: Apache";
    for other in [
        "Qdrant's p99 latency is 21 ms.",
        "## Qdrant\n\nThe p99 latency is 21 ms.",
        "## Qdrant\n\n- **p99 latency:** 21 ms\n- Written in Rust",
        "- Qdrant:\n  - p99 latency: 21 ms\n  - Licence: Apache",
        "- Qdrant p99 latency: 21 ms\n- Milvus p99 latency: 30 ms",
        &table(LATENCY, &["Qdrant | 21 ms | 98 %"]),
        &table("Metric | Value", &["p99 latency | 21 ms"]).replacen('|', "## Qdrant\n\n|", 1),
    ] {
        assert_eq!(are_found(item, other), 1, "{other}");
    }
    for other in [
        "Qdrant's p99 latency is 12 ms.",
        "## Milvus\n\nThe p99 latency is 21 ms.",
        "## Milvus\n\n- p99 latency: 21 ms\n- Licence: Apache",
        "## Qdrant\n\n- p50 latency: 21 ms\n- Licence: Apache",
        "## Qdrant\n\n- Target p99 latency: 21 ms\n- Licence: Apache",
        "## Qdrant\n\n- p99 latency: 21 ms\n- p99 latency: 30 ms",
        "- Qdrant:\n  - EU:\n    - p99 latency: 21 ms\n  - US:\n    - p99 latency: 30 ms",
        "## Latency\n\n- p99 latency: 21 ms\n- p50 latency: 3 ms",
        "# Qdrant\n\n## Version 1.2\n\n- p99 latency: 21 ms\n- Licence: Apache",
        &table(LATENCY, &["Milvus | 21 ms | 98 %"]),
    ] {
        assert_eq!(are_found(item, other), 0, "{other}");
    }
}

#[test]
fn the_only_string_of_an_object_names_it() {
    let topics = |login: u32| {
        format!(
            "{{\"topics\":[{{\"topic\":\"login\",\"tickets\":{login}}},{{\"topic\":\"billing\",\"tickets\":96}}]}}"
        )
    };
    let rows = table("Topic | Tickets", &["Login | 102", "Billing | 96"]);
    assert_eq!(are_found(&topics(120), &rows), 1);
    assert_eq!(are_found(&topics(102), &rows), 0);
    for other in [
        table("Topic | Tickets", &["Login | 102", "Billing | 69"]),
        table("Topic | Users", &["Login | 102", "Billing | 96"]),
        table("Priority | Tickets", &["High | 102", "Low | 96"]),
    ] {
        assert_eq!(are_found(&topics(120), &other), 0, "{other}");
    }
}
