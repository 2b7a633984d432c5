//! How sure findings are, which are one, and in which order they come.

use super::*;

#[test]
fn agreement_of_two_domains_is_high() {
    let claims = Claims::new(all(), &mut Reader::default());
    let findings = claims.findings(&|source| format!("site{source}.org").into(), &BTreeSet::new(), &[]);
    assert_eq!(findings[0].sources, [1, 4]);
    assert_eq!(findings[0].contributors, ["docs", "web"]);
    assert_eq!(findings[0].confidence, Confidence::High);
    assert_eq!(findings[0].verify, None);
    let same = claims.findings(&|_| "one.org".to_owned().into(), &BTreeSet::new(), &[]);
    assert!(same.iter().all(|finding| finding.confidence < Confidence::High));
    let last = findings.last().map(|finding| (finding.sources.len(), finding.confidence));
    assert_eq!(last, Some((0, Confidence::Low)));
}

#[test]
fn members_of_an_object_in_another_are_below_its_key() {
    let json = r#"{"said": "The order was sent on Monday.", "order_total": {"amount": 249.90, "currency": "EUR"}, "result": {"home": 2, "away": 1}}"#;
    let claims = Claims::new(read(json, "a"), &mut Reader::default());
    let findings = claims.findings(&|_| "one.org".to_owned().into(), &BTreeSet::new(), &[]);
    let topics: Vec<String> = findings.into_iter().map(|finding| finding.topic).collect();
    assert!(
        topics.contains(&"order total".to_owned()) && !topics.contains(&"result".to_owned()),
        "{topics:?}"
    );
}

#[test]
fn the_topic_of_a_nested_item_has_the_label_that_it_stands_under() {
    let topics = |text: &str| {
        let claims = Claims::new(read(text, "a"), &mut Reader::default());
        let found = claims.findings(&|_| "one.org".to_owned().into(), &BTreeSet::new(), &[]);
        found.into_iter().map(|finding| finding.topic).collect::<BTreeSet<_>>()
    };
    let own = |topics: &[&str]| topics.iter().map(|topic| (*topic).to_owned()).collect::<BTreeSet<_>>();
    let dose = |of: &str, dose: &str| {
        format!("- **{of}**\n  - Recommended intake is {dose} per day for adults over fifty\n")
    };
    let list = dose("Calcium", "1000 mg") + &dose("Vitamin D", "15 µg");
    let expected = own(&["Micronutrients: Calcium", "Micronutrients: Vitamin D"]);
    assert_eq!(topics(&format!("### 2. Micronutrients\n\n{list}")), expected);
    let chinese = "### 重点微量营养素\n\n- **钙**\n  - 推荐摄入量1000毫克/日，建议通过奶及奶制品补充";
    assert_eq!(topics(chinese), own(&["重点微量营养素：钙"]));
    let colon = "### Minerals\n\n- **Trends**:\n  - Recommended intake is 1000 mg per day";
    assert_eq!(topics(colon), own(&["Minerals: Trends"]));
    // What isn't nested stands under its heading alone, and so does what a sentence has below it.
    for text in [
        "### Micronutrients\n\nThe recommended doses:\n\n- Recommended intake is 1000 mg per day",
        "### Micronutrients\n\n- Calcium is found in milk and cheese.\n  - Recommended intake is 1000 mg per day",
    ] {
        assert_eq!(topics(text), own(&["Micronutrients"]), "{text}");
    }
}

/// How sure the findings are of two sentences that two subagents say, each with a source of its own.
fn confidences(one: &str, other: &str) -> Vec<Confidence> {
    let statements = [(one, "a", 1), (other, "b", 2)].map(|(text, subagent, source)| Statement {
        text: text.to_owned().leak(),
        subagent,
        sources: vec![source],
        ..Statement::default()
    });
    let claims = Claims::new(statements.to_vec(), &mut Reader::default());
    let findings = claims.findings(&|source| format!("site{source}.org").into(), &BTreeSet::new(), &[]);
    findings.into_iter().map(|finding| finding.confidence).collect()
}

#[test]
fn who_says_something_else_of_the_same_figures_confirms_nothing() {
    for (one, other) in [
        ("The company gained 4 million users.", "The company lost 4 million users."),
        ("The company hired 200 people.", "The company fired 200 people."),
        ("The plan costs $10 per month.", "The plan costs $10 per year."),
        ("Sales rose by 5 percent.", "Sales rose to 5 percent."),
        ("The contract ends on 03/04/2024.", "The contract ends on 04/03/2024."),
        (
            "Apple acquired Beats for 3 billion dollars in 2014.",
            "Beats acquired Apple for 3 billion dollars in 2014.",
        ),
        ("GDP rose 3% in 2022 and 2% in 2023.", "GDP rose 2% in 2022 and 3% in 2023."),
        ("Vaccination reduced deaths by 30%.", "Vaccination reduced infections by 30%."),
        ("The firm paid 5 billion dollars.", "The firm allegedly paid 5 billion dollars to the town."),
    ] {
        assert_eq!(confidences(one, other), [Confidence::Medium; 2], "{one} / {other}");
    }
    for (one, other) in [
        (
            "The market reached $5 billion in 2024.",
            "In 2024, the global market reached 5 billion dollars in total.",
        ),
        ("Revenue rose by 5% in 2023.", "Revenue rose 5% in 2023 because of strong demand."),
    ] {
        assert_eq!(confidences(one, other), [Confidence::High; 2], "{one} / {other}");
    }
}

#[test]
fn rows_say_the_same_only_below_the_same_heads_in_the_same_order() {
    let findings = |one: &str, other: &str| {
        let mut all = read(&format!("{one} | [1] |"), "a");
        all.extend(read(&format!("{other} | [2] |"), "b"));
        let claims = Claims::new(all, &mut Reader::default());
        let found = claims.findings(&|source| format!("site{source}.org").into(), &BTreeSet::new(), &[]);
        found.into_iter().map(|finding| (finding.contributors.len(), finding.confidence)).collect::<Vec<_>>()
    };
    const MATRIX: &str = "| Feature | Pixel 9 | iPhone 16 |\n|---|---|---|\n| Wireless charging";
    const CITY: &str = "| City | Notice (days) |\n|---|---|\n| Berlin | 30";
    let matrix = |cells| format!("{MATRIX} {cells}");
    let apart = [(1, Confidence::Medium); 2];
    assert_eq!(findings(&matrix("| yes | no"), &matrix("| no | yes")), apart);
    assert_eq!(findings(CITY, &CITY.replace("Notice (days)", "Deposit (EUR)")), apart);
    assert_eq!(
        findings(CITY, &CITY.replace("City", " CITY ").replace("Berlin", "**Berlin**")),
        [(2, Confidence::High)]
    );
    assert_eq!(findings(&matrix("| yes | no"), &matrix("| yes | no")), [(2, Confidence::High)]);
}

#[test]
fn rows_come_behind_sentences_that_are_as_sure() {
    let text = "Acme offers several plans to all [1]. It was founded by engineers [1].\n\n| Plan | Price |\n|---|---|\n| The basic plan of it that most teams buy | $10 [1] |";
    let claims = Claims::new(read(text, "a"), &mut Reader::default());
    let mut reader = Reader::default();
    let mut asked = reader.lexicon().terms("the basic plan");
    asked.sort_unstable();
    let found = claims.findings(&|_| "one.org".to_owned().into(), &BTreeSet::new(), &asked);
    assert_eq!((found.len(), found[2].content.contains('|')), (3, true));
}

#[test]
fn two_halves_of_a_sentence_with_a_source_each_confirm_nothing() {
    let confidence = |text| {
        let claims = Claims::new(read(text, "a"), &mut Reader::default());
        claims.findings(&|source| format!("site{source}.org").into(), &BTreeSet::new(), &[])[0].confidence
    };
    let halves = "Study A found a benefit of the drug [1], whereas study B found none [2].";
    assert_eq!(confidence(halves), Confidence::Medium);
    assert_eq!(confidence("Study A found a benefit of the drug [1][2]."), Confidence::High);
    assert_eq!(
        confidence("Study A found a benefit [1], [2], whereas study B found none [3]."),
        Confidence::High
    );
}

#[test]
fn of_equally_sure_findings_those_come_first_that_answer() {
    let text = "The office in Lyon has a garden with many old trees [1][2][3]. The ticket to Paris costs 30 euros [1].";
    let mut reader = Reader::default();
    let claims = Claims::new(read(text, "a"), &mut reader);
    let first = |query: &str, reader: &mut Reader| {
        let mut asked = reader.lexicon().terms(query);
        asked.sort_unstable();
        claims.findings(&|_| "one.org".to_owned().into(), &BTreeSet::new(), &asked)[0].content
    };
    assert!(first("", &mut reader).starts_with("The office"), "the one with more sources");
    assert!(first("What does a ticket to Paris cost?", &mut reader).starts_with("The ticket"));
}

/// The findings in their order, by what was asked.
fn ordered(all: Vec<Statement<'static>>, query: &str) -> Vec<String> {
    let mut reader = Reader::default();
    let claims = Claims::new(all, &mut reader);
    let contested = contradictions(&claims.statements, &claims.features).found;
    let contested = contested.iter().flat_map(|found| found.places).collect();
    let mut asked = reader.lexicon().terms(query);
    asked.sort_unstable();
    let found = claims.findings(&|source| format!("site{source}.org").into(), &contested, &asked);
    claims.with_steps(found).into_iter().map(|finding| finding.content.to_owned()).collect()
}

#[test]
fn equals_stand_in_the_order_of_their_text_and_subagents_take_turns() {
    let steps = [
        "Open the menu.",
        "Choose the language.",
        "Add a user.",
        "Click the button.",
        "Beware of the limit.",
    ];
    assert_eq!(ordered(read(&steps.join(" "), "a"), "Why?"), steps);
    let steps: Vec<String> = (1..=12).map(|step| format!("Step {step} is done by the operator.")).collect();
    assert_eq!(ordered(read(&steps.join(" "), "a"), "Why?"), steps);
    let apart = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let each = steps.iter().zip(apart).rev().flat_map(|(step, name)| read(step, name)).collect();
    assert_eq!(ordered(each, "Why?"), steps, "numbers by number");
    let mut both = read("Whales sing at night. They live in the sea.", "b");
    both.extend(read("Stone is hard. Iron melts late.", "a"));
    let expected = ["Whales sing at night.", "Stone is hard.", "They live in the sea.", "Iron melts late."];
    assert_eq!(ordered(both, "Why?"), expected);
}

#[test]
fn what_is_of_one_numbered_list_stays_in_its_order() {
    let steps = [
        "Open the settings page of the account [1]",
        "Click Security and then the login [1]",
        "Scan the code with the app [1]",
        "Save the codes at a safe place [1]",
    ];
    let numbered: Vec<String> = (1..).zip(steps).map(|(at, step)| format!("{at}. {step}.")).collect();
    let text = format!("Follow these steps for the login:\n\n{}\n\nIt is safe [1].", numbered.join("\n"));
    let listed = |text: &str| {
        let all = ordered(read(text, "a"), "How do I scan the code?");
        let place =
            |text: &String| steps.iter().position(|step| step.starts_with(text.trim_end_matches('.')));
        all.iter().filter_map(place).collect::<Vec<_>>()
    };
    assert_eq!(listed(&text), [0, 1, 2, 3]);
    // What nobody numbered has no order of its own.
    let bullets: Vec<String> = steps.iter().map(|step| format!("- {step}.")).collect();
    assert_eq!(listed(&bullets.join("\n")), [2, 3, 0, 1]);
    // A list ends with what stands between it and the next one.
    let (first, second) = numbered.split_at(2);
    let two = format!("{}\n\nOr do this instead of it.\n\n{}", first.join("\n"), second.join("\n"));
    assert_eq!(listed(&two), [2, 3, 0, 1]);
    // What is surer comes first all the same.
    assert_eq!(listed(&text.replace("account [1]", "account")), [1, 2, 3, 0]);
}

#[test]
fn what_answers_comes_before_what_does_not_though_it_is_contested() {
    let all = || {
        let mut all =
            read("The company should raise prices in May [1]. Revenue was $5 million in 2023 [1].", "a");
        all.extend(read("Revenue was $6 million in 2023 [2].", "b"));
        all
    };
    let last = |query| ordered(all(), query).pop().unwrap();
    assert!(last("What was the revenue?").contains("prices"));
    assert!(last("When are prices raised?").contains("Revenue"), "nobody asked for it");
}

#[test]
fn of_equally_sure_findings_those_come_first_that_have_the_figures_asked_for() {
    for (query, text, expected) in [
        (
            "What were sales in region 39?",
            "Region 38 recorded sales of 1038 units. Region 39 recorded sales of 139 units.",
            "Region 39",
        ),
        (
            "What is the price of the Pixel 9?",
            "The Pixel 8 costs $699. The Pixel 9 costs $799. The iPhone 16 costs $799.",
            "The Pixel 9",
        ),
        (
            "What was revenue in Q3 2023?",
            "Revenue was $40 billion in Q1 2023. Revenue was $6 billion in Q3 2023.",
            "Revenue was $6",
        ),
    ] {
        let mut reader = Reader::default();
        let claims = Claims::new(read(text, "a"), &mut reader);
        let mut asked = reader.lexicon().terms(query);
        asked.sort_unstable();
        let first = claims.findings(&|_| "one.org".to_owned().into(), &BTreeSet::new(), &asked)[0].content;
        assert!(first.starts_with(expected), "{query}: {first}");
    }
}

#[test]
fn what_was_rejected_is_no_evidence_and_low_quality_makes_nothing_sure() {
    use crate::domain::aggregate::result::SourceQuality::{High, Low, Rejected};
    let sure = |qualities: [Option<crate::domain::aggregate::result::SourceQuality>; 2]| {
        let claims =
            Claims::new(read("The licence costs 40 euros a month [1][2].", "a"), &mut Reader::default());
        let site =
            |source: usize| Site { domain: format!("site{source}.org"), quality: qualities[source - 1] };
        let found = claims.findings(&site, &BTreeSet::new(), &[]).remove(0);
        (found.confidence, found.verify.unwrap_or_default().into_owned())
    };
    assert_eq!(sure([None, Some(High)]), (Confidence::High, String::new()));
    for (qualities, confidence, why) in [
        ([Some(Rejected), Some(Rejected)], Confidence::Low, "Its sources were rejected"),
        ([Some(Rejected), Some(High)], Confidence::Medium, "Only one site"),
        ([Some(Low), Some(Low)], Confidence::Medium, "All sources that say this are of low quality"),
        ([Some(Low), Some(High)], Confidence::Medium, "Only one source that says this is of more than low"),
    ] {
        let (sure, verify) = sure(qualities);
        assert!(sure == confidence && verify.starts_with(why), "{qualities:?}: {sure:?} {verify}");
    }
}

#[test]
fn a_yes_and_a_no_are_never_one() {
    let clusters = |one: &str, other: &str| confidences(one, other).len();
    assert_eq!(clusters("Yes, the app works offline.", "No, the app works offline."), 2);
    assert_eq!(clusters("Yes, it does not work.", "No, it does not work."), 2);
    assert_eq!(clusters("The app works offline.", "No, the app works offline."), 2);
    assert_eq!(clusters("Yes, the app works offline.", "The app works offline."), 1);
    assert_eq!(clusters("No, the app does not work offline.", "The app does not work offline."), 1);
}
