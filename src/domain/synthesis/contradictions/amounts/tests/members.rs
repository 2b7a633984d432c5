//! Amounts in members of JSON, and in sentences that have several.

use super::{LATENCY, are_found, latency, table};

const MEMBERS: [&str; 8] = [
    r#"{"qdrant": {"p99_latency_ms": 12, "recall": 0.98}, "pgvector": {"p99_latency_ms": 60, "recall": 0.95}}"#,
    r#"{"qdrant": {"p99_latency_ms": 12}}"#,
    r#"{"qdrant": {"p99_latency_ms": 12}, "pgvector": {"p99_latency_ms": 60}}"#,
    r#"[{"database": "Qdrant", "p99_latency_ms": 12, "license": "Apache"}, {"database": "pgvector", "p99_latency_ms": 60}]"#,
    r#"{"p99_latency_ms": {"qdrant": 12, "pgvector": 60}}"#,
    r#"{"results": [{"name": "Qdrant", "p99_latency": "12 ms", "recall": "98%"}]}"#,
    r#"{"summary": "We tested both databases in our lab.", "databases": {"qdrant": {"p99_latency_ms": 12, "recall": 0.98}}}"#,
    "```json\n{\"qdrant\": {\"p99LatencyMs\": 12, \"recall\": 0.98}}\n```",
];

#[test]
fn a_member_of_json_is_held_against_other_forms() {
    for members in MEMBERS {
        for other in [
            "Qdrant's p99 latency is 21 ms.",
            &table(LATENCY, &["Qdrant | 21 ms | 98 %"]),
            "## Qdrant\n\n- p99 latency: 21 ms\n- Licence: Apache",
            r#"{"qdrant": {"p99_latency_ms": 21, "indexes": "hnsw"}}"#,
        ] {
            assert_eq!(are_found(members, other), 1, "{members} / {other}");
        }
        for other in [
            "Qdrant's p99 latency is 12 ms.",
            "Milvus's p99 latency is 21 ms.",
            "Qdrant's p50 latency is 21 ms.",
            "The p99 latency is 21 ms.",
            r#"{"milvus": {"p99_latency_ms": 21, "indexes": "hnsw"}}"#,
            r#"{"qdrant": {"p50_latency_ms": 21, "indexes": "hnsw"}}"#,
            r#"{"p99_latency_ms": 21, "indexes": "hnsw"}"#,
        ] {
            assert_eq!(are_found(members, other), 0, "{members} / {other}");
        }
    }
}

#[test]
fn two_amounts_of_a_thing_may_differ_but_for_what_every_test_has_another_of() {
    let product = |price: u16, weight: f32| {
        format!(r#"{{"product": "Zephyr X2", "price_eur": {price}, "weight_kg": {weight}}}"#)
    };
    assert_eq!(are_found(&product(499, 1.2), &product(549, 1.4)), 1);
    assert_eq!(are_found(&product(499, 1.2), &product(499, 1.2)), 0);
    assert_eq!(are_found(&product(499, 1.2), &product(549, 1.4).replace("X2", "X3")), 0);
    let model = |score: f32, time: u16| {
        format!(r#"{{"model": "Zephyr X2", "recall": {score}, "latency_ms": {time}}}"#)
    };
    assert_eq!(are_found(&model(0.9, 12), &model(0.8, 21)), 0);
}

#[test]
fn plain_numbers_and_prices_of_json_are_held_against_prose() {
    for (members, sentence) in [
        (r#"{"checkout": {"replicas": 3, "zone": "a"}}"#, "The checkout service has 5 replicas."),
        (r#"{"city": "Berlin", "population": 3700000}"#, "Berlin has a population of 2.1 million."),
        (r#"{"berlin": {"population": 3700000, "area_km2": 892}}"#, "Berlin's population is 2,100,000."),
        (r#"{"acme": {"employees": 1200, "founded": 1999}}"#, "Acme has 1,500 employees."),
        (r#"{"plan": "Basic", "price_per_month_usd": 10}"#, "The Basic plan costs $12 per month."),
        (r#"{"plan": "Basic", "price": 10, "currency": "USD"}"#, "The Basic plan costs $12."),
    ] {
        assert_eq!(are_found(members, sentence), 1, "{members} / {sentence}");
    }
    for (members, other) in [
        (r#"{"checkout": {"min_replicas": 3, "zone": "a"}}"#, "The checkout service has 5 replicas."),
        (r#"{"checkout": {"replicas": 3, "region": "eu"}}"#, "The checkout service has 5 replicas."),
        (
            r#"{"city": "Berlin", "year": 2010, "population": 3400000}"#,
            "Berlin has a population of 3.9 million.",
        ),
        (
            r#"{"acme": {"employees": 1200, "founded": 1999}}"#,
            r#"{"acme": {"employees": 1250, "offices": 3}}"#,
        ),
        (r#"{"plan": "Basic", "price_usd": 10, "users": 5}"#, "The Basic plan costs €12."),
        (r#"{"total": {"revenue": 100, "cost": 20}}"#, "The total revenue was 120."),
        (r#"{"q3": {"revenue": 100, "cost": 20}}"#, "Revenue in Q3 was 120."),
        (r#"{"user": {"id": 100, "page": 20}}"#, "The user id is 120."),
        (
            r#"{"qdrant": {"targets": {"p99_latency_ms": 12, "recall": 0.9}}}"#,
            "Qdrant's p99 latency is 21 ms.",
        ),
        (r#"{"qdrant": {"latency_min": 2, "latency_max": 30}}"#, "Qdrant's latency is 21 ms."),
        (
            r#"{"qdrant": {"eu": {"p99_latency_ms": 12, "recall": 0.9}}}"#,
            r#"{"qdrant": {"us": {"p99_latency_ms": 21, "recall": 0.9}}}"#,
        ),
        // Of other tests: nothing is the same.
        (
            r#"{"qdrant": {"p99_latency_ms": 12, "recall": 0.9}}"#,
            r#"{"qdrant": {"p99_latency_ms": 21, "recall": 0.8}}"#,
        ),
    ] {
        assert_eq!(are_found(members, other), 0, "{members} / {other}");
    }
}

#[test]
fn each_amount_of_a_sentence_is_held_against_its_own() {
    for sentence in [
        "Qdrant has a p99 latency of 21 ms and a recall of 98 %.",
        "Qdrant has a p99 latency of 12 ms and a recall of 85 %.",
        "The p99 latency of Qdrant is 12 ms and that of pgvector is 80 ms.",
        "Qdrant reached a p99 latency of 21 ms and pgvector 60 ms.",
        "Qdrant: p99 latency 12 ms, recall 85 %",
    ] {
        assert_eq!(are_found(&latency(), sentence), 1, "{sentence}");
    }
    for sentence in [
        "Qdrant has a p99 latency of 12 ms and a recall of 98 %.",
        "Qdrant has a p99 latency of 12 ms and a precision of 85 %.",
        "Qdrant and pgvector have a recall of 95 % and 98 %, respectively.",
        "The p99 latency of Qdrant is 12 ms and that of Milvus is 80 ms.",
        "Qdrant has a p99 latency of 12 ms and fell by 21 ms.",
        "Qdrant has a recall between 90 % and 95 %.",
    ] {
        assert_eq!(are_found(&latency(), sentence), 0, "{sentence}");
    }
}
