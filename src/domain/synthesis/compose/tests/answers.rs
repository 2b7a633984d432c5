//! What a summary answers, in few words or of each part of a question.

use super::*;

#[test]
fn summary_has_the_few_words_that_answer_below_their_heading_or_behind_a_label() {
    for (question, said, answer) in [
        (
            "What was the root cause of the checkout outage?",
            ["The checkout outage began at 09:14.", "The outage hit all users of the checkout."],
            ("Root cause", "Expired TLS certificate"),
        ),
        (
            "¿Cuál fue la causa de la caída?",
            ["La caída empezó a las nueve de la mañana.", "La caída afectó a todos los usuarios."],
            ("Causa", "Certificado caducado"),
        ),
        (
            "Which database is the winner?",
            ["We ran the benchmark on each database for two hours.", "Each database had 16 cores."],
            ("Winner", "Winner: Postgres"),
        ),
    ] {
        let mut findings = said.map(|said| finding("Summary", said, &[1], &["a"])).to_vec();
        findings.push(finding(answer.0, answer.1, &[1], &["a"]));
        let asked = Asked { question, ..Asked::default() };
        let summary = summarise(&mut Lexicon::default(), &findings, asked);
        assert!(summary.contains(&format!("“{}”", answer.1)), "{question}: {summary}");
        // Below another heading the same words answer nothing.
        findings[2] = finding("Owner", "The platform team", &[1], &["a"]);
        let summary = summarise(&mut Lexicon::default(), &findings, asked);
        assert!(!summary.contains("platform"), "{question}: {summary}");
    }
}

#[test]
fn summary_of_a_short_list_has_all_of_it() {
    let items = ["Passport", "Two photos", "Proof of income"];
    let findings = items.map(|item| finding("Required documents", item, &[1], &["a"]));
    let summary = |question| {
        let asked = Asked { question, ..Asked::default() };
        summarise(&mut Lexicon::default(), &findings, asked)
    };
    let all = summary("What documents do I need?");
    assert!(items.iter().all(|item| all.contains(item)), "{all}");
    // Where one has what was asked the others needn't be said.
    let one = summary("Which photos do I need?");
    assert!(one.contains("Two photos") && !one.contains("Proof of income"), "{one}");
}

#[test]
fn headings_are_in_the_language_of_the_question_or_else_of_the_findings() {
    let english = findings();
    let german = [finding("Kosten", "Die Pumpe kostet 900 Euro und ist laut", &[1], &["docs"])];
    let chinese = [finding("成本", "热泵的价格约为九百欧元", &[1], &["docs"])];
    let heading = |question: &str, findings: &[Finding]| {
        let options = in_language_of(question, &SynthesisOptions::default());
        let parts = Parts { findings, contradictions: &[], gaps: &[], failures: &[] };
        compose(parts, &options).lines().next().unwrap_or_default().to_owned()
    };
    for (question, findings, expected) in [
        ("Was kostet Acme?", &english[..], "## Ergebnisse"),
        ("Wie laut ist sie?", &english, "## Ergebnisse"),
        ("热泵的价格是多少？", &english, "## 主要发现"),
        ("What does it cost?", &chinese, "## Findings"),
        ("What does it cost?", &german, "## Findings"),
        ("Was it sold?", &english, "## Findings"),
        ("Acme?", &german, "## Ergebnisse"),
        ("Acme?", &chinese, "## 主要发现"),
        ("Acme?", &english, "## Findings"),
        ("Quel est le prix ?", &english, "## Findings"),
    ] {
        assert_eq!(heading(question, findings), expected, "{question}");
    }
    let asked = SynthesisOptions { language: Some("en".to_owned()), ..SynthesisOptions::default() };
    assert_eq!(in_language_of("Was kostet es?", &asked).language.as_deref(), Some("en"));
}

#[test]
fn summary_answers_each_part_of_a_question_that_has_many() {
    let findings = [
        "The bond is rated BBB+ by Fitch.",
        "Leverage is 2.9 times EBITDA.",
        "The coupon is 4.25%.",
        "There are no financial covenants.",
        "The yield is 4.6%.",
        "The maturity is 2031.",
    ]
    .map(|said| finding("Bond", said, &[1], &["a"]));
    for (question, expected) in [
        ("Assess the bond: rating, leverage, coupon, covenants.", 4),
        ("Assess the bond: rating, leverage, coupon, covenants, yield.", 5),
        (
            "What is the rating? What is the leverage? What is the coupon? Which covenants are there? What is the yield? What is the maturity?",
            6,
        ),
    ] {
        let asked = Asked { question, ..Asked::default() };
        let summary = summarise(&mut Lexicon::default(), &findings, asked);
        assert_eq!(summary.matches('“').count(), expected, "{question}: {summary}");
    }
}

#[test]
fn summary_of_a_comparison_shows_each_of_the_things() {
    let of = |thing: &str| {
        let (price, most, linux) = if thing == "Huddle" { (14, 500, "yes") } else { (11, 300, "no") };
        [
            format!("**Price:** ${price} per user per month"),
            format!("**Participants:** up to {most} per meeting"),
            "**Encryption:** end to end".to_owned(),
            format!("**Linux:** {linux}"),
        ]
        .map(|said| finding(thing, &said, &[1], &["a"]))
    };
    let findings = [of("Huddle"), of("Meetly")].concat();
    let summary =
        |question| summarise(&mut Lexicon::default(), &findings, Asked { question, ..Asked::default() });
    let all = summary("Compare Huddle and Meetly: price, participants, encryption, Linux.");
    assert_eq!((all.matches("Huddle: “").count(), all.matches("Meetly: “").count()), (4, 4), "{all}");
    let two = summary("Compare Huddle and Meetly: price, Linux.");
    assert_eq!((two.matches("Price").count(), two.matches("Linux").count()), (2, 2), "{two}");
}

#[test]
fn summary_quotes_what_tells_the_cause_and_nothing_that_nobody_knows() {
    let findings = [
        "The race began at noon.",
        "The start was delayed by 25 minutes.",
        "The start was delayed because of fog.",
        "Okello won the race in 2:07:41.",
        "It is unclear how many runners finished.",
    ]
    .map(|said| finding("Race", said, &[1], &["a"]));
    let question =
        "Who won the race, what was the time, how many runners finished, and why was the start delayed?";
    let summary = summarise(&mut Lexicon::default(), &findings, Asked { question, ..Asked::default() });
    assert!(summary.contains("because of fog") && !summary.contains("unclear"), "{summary}");
}

#[test]
fn summary_quotes_what_others_recommend_beside_what_one_does() {
    let findings = [
        finding("Plan", "I recommend switching in 2026.", &[1], &["a"]),
        finding("Plan", "I recommend waiting for the next version.", &[2], &["b"]),
    ];
    let asked = Asked { question: "Should we be switching in 2026?", ..Asked::default() };
    let summary = summarise(&mut Lexicon::default(), &findings, asked);
    assert!(summary.contains("switching") && summary.contains("waiting"), "{summary}");
}
