//! What a summary has beside what it would have alone: other advice, the other answer, the other steps, the same of other things.

use super::*;

fn summary(question: &str, findings: &[Finding]) -> String {
    let asked = Asked { question, ..Asked::default() };
    summarise(&mut Lexicon::default(), findings, asked)
}

#[test]
fn summary_has_the_advice_of_all_where_it_was_asked_which_to_take() {
    let said = |one: &str, other: &str| {
        [
            finding("a", one, &[1], &["a"]),
            finding("b", other, &[1], &["b"]),
            finding("c", "SQS costs $1,350.", &[1], &["c"]),
        ]
    };
    for (one, other) in [
        ("We should use Kafka.", "I recommend RabbitMQ, because we need priorities."),
        ("We should use Kafka.", "**Decision:** RabbitMQ, because we need priorities."),
        ("Use Kafka for this.", "I'd take RabbitMQ."),
        ("Wir sollten Kafka nehmen.", "Entscheidung: RabbitMQ."),
    ] {
        let found = summary("Which queue should we use?", &said(one, other));
        assert!(found.contains(one) && found.contains(other), "{found}");
    }
    // Where nobody asked which, what somebody should do is no choice.
    let found =
        summary("What does Kafka cost?", &said("You should know Kafka costs $9.", "Use the free tier."));
    assert!(!found.contains("free tier"), "{found}");
}

#[test]
fn summary_has_the_no_that_begins_a_sentence_beside_a_yes() {
    let findings = |no: &str| {
        [finding("a", "Yes, the product is waterproof.", &[1], &["a"]), finding("b", no, &[1], &["b"])]
    };
    for no in ["No, it's only splash-proof.", "**No:** it's only splash-proof.", "No – splash-proof only."]
    {
        let found = summary("Is the product waterproof?", &findings(no));
        assert!(found.contains("waterproof") && found.contains(no), "{found}");
    }
    let asked = summary("How is the product sold?", &findings("No, it's only splash-proof."));
    assert!(!asked.contains("splash-proof"), "{asked}");
}

#[test]
fn summary_has_all_steps_where_it_has_one() {
    let steps = [
        "Unplug the router.",
        "Hold the button for ten seconds.",
        "Plug the router in again.",
        "Wait for the light.",
    ];
    let mut findings: Vec<Finding> = steps
        .iter()
        .zip(0..)
        .map(|(step, at)| Finding { step: Some((0, at)), ..finding("t", step, &[1], &["a"]) })
        .collect();
    findings.push(finding("t", "The router is black.", &[1], &["a"]));
    // As it stands where one step is surer than the others.
    findings.swap(0, 2);
    let found = summary("How do I reset the router?", &findings);
    let places: Vec<Option<usize>> = steps.iter().map(|step| found.find(step)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{found}");
    // What is only numbered is no procedure.
    let facts = ["The router weighs 300 g.", "The cable is blue.", "The box is small."];
    let facts = facts.iter().zip(0..);
    let facts: Vec<Finding> =
        facts.map(|(fact, at)| Finding { step: Some((0, at)), ..finding("t", fact, &[1], &["a"]) }).collect();
    assert!(!summary("How heavy is the router?", &facts).contains("blue"));
}

#[test]
fn summary_has_the_same_of_each_thing() {
    let findings = [
        finding("Kessler", "The price is €900.", &[1], &["a"]),
        finding("Kessler", "Delivery takes 3 weeks.", &[1], &["a"]),
        finding("Brandt", "The price is €1,100.", &[1], &["b"]),
        finding("Brandt", "Delivery takes 5 weeks.", &[1], &["b"]),
    ];
    let found = summary("What do the vendors offer?", &findings);
    for pair in [["€900", "€1,100"], ["3 weeks", "5 weeks"]] {
        assert_eq!(found.contains(pair[0]), found.contains(pair[1]), "{found}");
    }
}

#[test]
fn summary_leads_with_what_its_author_does_not_take_back() {
    let back =
        "The outage was caused by a deployment. Rolling it back did not help, so this is only a hypothesis.";
    let cause = "The root cause of the outage was an expired certificate.";
    let findings = [finding("a", back, &[1], &["a"]), finding("b", cause, &[1], &["b"])];
    assert!(summary("What caused the outage?", &findings).contains(cause));
}
