//! What stands below which heading is of what.

use super::*;
use crate::domain::near_duplicates::Reader;
use crate::domain::synthesis::claims::Claims;
use crate::domain::synthesis::claims::tests::read;
use crate::domain::synthesis::contradictions::contradictions;

/// How many contradictions two texts have, and their topics.
fn told(texts: [&str; 2], tasks: [&'static str; 2]) -> (usize, Vec<String>) {
    let mut said = Vec::new();
    for ((text, agent), asked) in texts.into_iter().zip(["a", "b"]).zip(tasks) {
        let mut found = read(text, agent);
        found.iter_mut().for_each(|said| said.around.asked = asked);
        said.extend(found);
    }
    let claims = Claims::new(said, &mut Reader::default());
    let found = contradictions(&claims.statements, &claims.features).found.len();
    let site = |_: usize| crate::domain::synthesis::claims::Site { domain: String::new(), quality: None };
    let findings = claims.findings(&site, &BTreeSet::new(), &[]);
    let mut topics: Vec<String> = findings.into_iter().map(|finding| finding.topic).collect();
    topics.sort();
    (found, topics)
}

#[test]
fn the_same_heading_below_others_is_of_other_things() {
    for (text, topics) in [
        (
            "## Dogs\n\n### Lifespan\n- Typically live 10 to 13 years [1]\n\n## Cats\n\n### Lifespan\n- Typically live 12 to 18 years [2]",
            ["Cats: Lifespan", "Dogs: Lifespan"],
        ),
        (
            "# Report\n\n## 1. Berlin\n\n### Population\nThe population is 3.7 million [1].\n\n## 2. Munich\n\n### Population\nThe population is 1.5 million [2].",
            ["Berlin: Population", "Munich: Population"],
        ),
        (
            "## Plan Basic\n\n### Limits\nThe limit is 5 users [1].\n\n## Plan Pro\n\n### Limits\nThe limit is 50 users [2].",
            ["Plan Basic: Limits", "Plan Pro: Limits"],
        ),
        (
            "## Option A\n\n**Price**\n\nThe price is 20 euros [1].\n\n## Option B\n\n**Price**\n\nThe price is 30 euros [2].",
            ["Option A: Price", "Option B: Price"],
        ),
        (
            "<h2>Dogs</h2><h3>Lifespan</h3><p>The lifespan is 10 years [1].</p><h2>Cats</h2><h3>Lifespan</h3><p>The lifespan is 15 years [2].</p>",
            ["Cats: Lifespan", "Dogs: Lifespan"],
        ),
        (
            "## Deloitte\n\n### Investment\nThe commitment is 2 billion dollars [1].\n\n## PwC\n\n### Investment\nThe commitment is 1.5 billion dollars [2].",
            ["Deloitte: Investment", "PwC: Investment"],
        ),
        (
            "## 狗\n\n### 寿命\n平均寿命为10年左右[1]。\n\n## 猫\n\n### 寿命\n平均寿命为15年左右[2]。",
            ["狗：寿命", "猫：寿命"],
        ),
        (
            "## Hunde\n\n### Haltung\nDas Futter kostet 40 Euro im Monat [1].\n\n## Katzen\n\n### Haltung\nDas Futter kostet 30 Euro im Monat [2].",
            ["Hunde: Haltung", "Katzen: Haltung"],
        ),
    ] {
        assert_eq!(told([text, ""], [""; 2]), (0, topics.map(str::to_owned).to_vec()), "{text}");
    }
    // Which part of an answer it is, or who says it, is no thing.
    for (one, other) in [("Summary", "Details"), ("Reuters", "Bloomberg"), ("Source 1", "Source 2")] {
        let text = format!(
            "## {one}\n\n### Plans\nThe limit is 5 users [1].\n\n## {other}\n\n### Plans\nThe limit is 50 users [2]."
        );
        assert_eq!(told([&text, ""], [""; 2]), (1, vec!["Plans".to_owned(); 2]), "{text}");
    }
    // What it says itself counts more.
    let text = "## Dogs\n\n### Lifespan\nCats live 10 years [1].\n\n## Cats\n\n### Lifespan\nCats live 15 years [2].";
    assert_eq!(told([text, ""], [""; 2]).0, 1);
}

#[test]
fn titles_of_two_texts_tell_what_they_are_of_by_names() {
    let under = |title: &str, users: usize| {
        format!("# {title}\n\n## Pricing\n\nThe free plan includes {users} users.")
    };
    for (one, other) in [
        ("Notion", "Coda"),
        ("Pricing of Notion", "Pricing of Coda"),
        ("Notion: Overview", "Coda: Overview"),
        ("Product 15", "Product 16"),
        ("Hotel Adler", "Hotel Bellevue"),
    ] {
        let (found, topics) = told([&under(one, 5), &under(other, 3)], [""; 2]);
        assert_eq!(found, 0, "{one} / {other}");
        let expected = [other, one].map(|title| format!("{title}: Pricing"));
        assert!(topics.iter().all(|topic| expected.contains(topic)), "{topics:?}");
    }
    for (one, other) in [
        ("Notion", "Notion Inc."),
        ("Notion Pricing Report", "Research on Notion"),
        ("Notion in Short", "Facts about Notion"),
        ("Report", "Notion"),
        ("Summary", "Findings"),
        ("Zusammenfassung", "Bericht"),
        ("Reuters", "Bloomberg"),
        ("Incident Report", "Checkout Outage"),
    ] {
        let (found, topics) = told([&under(one, 5), &under(other, 3)], [""; 2]);
        assert_eq!((found, topics), (1, vec!["Pricing".to_owned(); 2]), "{one} / {other}");
    }
    // Where one speaks of the other they may be the same in other words.
    let said = |title: &str, before: &str, hours: usize| {
        format!("# {title}\n\n## Repair\n\n{before} The repair took {hours} hours.")
    };
    for (before, expected) in [("The checkout was down.", 1), ("The database was down.", 0)] {
        let texts = [&said("Payment Failure", before, 5), &said("Checkout Trouble", "It was slow.", 7)];
        assert_eq!(told(texts.map(String::as_str), [""; 2]).0, expected, "{before}");
    }
}

#[test]
fn what_is_said_alike_of_others_is_said_twice() {
    let under = |title: &str| format!("# {title}\n\n## Security\n\nSSO is available for all users.");
    let topics = |one, other| told([&under(one), &under(other)], [""; 2]).1;
    assert_eq!(topics("Notion", "Coda"), ["Coda: Security", "Notion: Security"]);
    assert_eq!(topics("Notion", "Notion"), ["Security"]);
}

#[test]
fn keys_of_json_are_headings() {
    let text = r#"{"staging":{"settings":{"timeout":"The timeout is 30 seconds [1]."}},"production":{"settings":{"timeout":"The timeout is 60 seconds [2]."}}}"#;
    let topics = |text: &str| told([text, ""], [""; 2]);
    assert_eq!(topics(text), (0, vec!["Production: Timeout".to_owned(), "Staging: Timeout".to_owned()]));
    let text = r#"{"plans":[{"name":"Basic","limits":{"users":"The limit is 5 users [1]."}},{"name":"Pro","limits":{"users":"The limit is 50 users [2]."}}]}"#;
    assert_eq!(topics(text).0, 0);
    let text =
        r#"{"result":{"limit":"The limit is 5 users [1]."},"answer":{"limit":"The limit is 50 users [2]."}}"#;
    assert_eq!(topics(text).0, 1);
}

#[test]
fn tasks_are_headings_of_what_stands_below_none() {
    let said = ["The free plan includes 5 users.", "The free plan includes 3 users."];
    assert_eq!(told(said, ["Notion", "Coda"]), (0, vec!["Coda".to_owned(), "Notion".to_owned()]));
    let headed = said.map(|said| format!("## Pricing\n\n{said}"));
    let topics = |tasks| told([&headed[0], &headed[1]], tasks);
    assert_eq!(
        topics(["Notion", "Coda"]),
        (0, vec!["Coda: Pricing".to_owned(), "Notion: Pricing".to_owned()])
    );
    assert_eq!(topics(["", ""]), (1, vec!["Pricing".to_owned(); 2]));
}
