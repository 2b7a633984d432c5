//! A summary hides no other answer, and what stands beside an answer is none.

use super::*;

fn summary(question: &str, said: &[(&str, &str, &str)]) -> String {
    let findings: Vec<Finding> =
        said.iter().map(|(topic, content, who)| finding(topic, content, &[], &[who])).collect();
    summarise(&mut Lexicon::default(), &findings, Asked { question, ..Asked::default() })
}

fn are_quoted(question: &str, said: &[(&str, &str, &str)], quoted: &[&str], hidden: &[&str]) {
    let summary = summary(question, said);
    let is_there = |of: &&&str| summary.contains(&format!("“{of}”"));
    assert!(quoted.iter().all(|of| is_there(&of)), "{question}: {summary}");
    assert!(!hidden.iter().any(|of| is_there(&of)), "{question}: {summary}");
}

#[test]
fn the_other_answer_is_quoted_too() {
    for (question, one, other) in [
        (
            "Which headphones should I buy?",
            "My pick: Sennheiser Momentum 4 for most people.",
            "Recommendation: Sony WH-1000XM4.",
        ),
        ("Is PR #482 safe to merge?", "I would not merge this PR.", "Safe to merge."),
        (
            "Which allergies does the patient have?",
            "The patient has no known allergies.",
            "Allergies: penicillin",
        ),
        ("What is our MAU?", "MAU: 131,022", "124,310"),
    ] {
        are_quoted(question, &[("t", one, "a"), ("t", other, "b")], &[one, other], &[]);
        are_quoted(question, &[("t", other, "b"), ("t", one, "a")], &[one, other], &[]);
    }
}

#[test]
fn what_stands_beside_an_answer_is_not_quoted_in_its_place() {
    are_quoted(
        "What are the pros and cons of remote work?",
        &[
            ("Introduction", "Remote work has become increasingly popular in recent years.", "a"),
            ("Pros", "Office costs would fall by €240,000 a year.", "a"),
            ("Cons", "New hires take longer to settle in.", "a"),
        ],
        &["Office costs would fall by €240,000 a year.", "New hires take longer to settle in."],
        &["Remote work has become increasingly popular in recent years."],
    );
    are_quoted(
        "What decisions were made in the meeting?",
        &[
            ("Meeting notes", "**Attendees:** Ana, Ben, Chloe", "a"),
            ("Decisions", "Launch moves to 1 July.", "a"),
        ],
        &["Launch moves to 1 July."],
        &["**Attendees:** Ana, Ben, Chloe"],
    );
    are_quoted(
        "What should we know before entering the Brazilian market?",
        &[
            ("t", "In conclusion, Brazil offers great opportunities on the Brazilian market.", "a"),
            ("t", "The combined corporate tax rate is 34%.", "a"),
        ],
        &["The combined corporate tax rate is 34%."],
        &["In conclusion, Brazil offers great opportunities on the Brazilian market."],
    );
}

#[test]
fn the_language_of_the_question_comes_first() {
    let english = ("t", "Germany subsidises heat pumps with up to 70% of the costs.", "en");
    let german = ("t", "Die Grundförderung für eine Wärmepumpe beträgt 30 %.", "de");
    let of = |said: &[(&str, &str, &str)]| summary("Wie hoch ist die Förderung für Wärmepumpen?", said);
    let both = of(&[english, german]);
    assert!(both.starts_with("“Die Grundförderung"), "{both}");
    let both = of(&[english, ("t", "Maximal sind 70 % möglich.", "de")]);
    assert!(both.starts_with("“Maximal"), "{both}");
    assert!(of(&[english]).contains("Germany subsidises"));
}
