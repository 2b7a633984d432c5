//! Gaps that stood in real results and weren't any, and beside them those that are.

use super::*;

/// The parts that are open where some things were found.
fn open(query: &str, said: &[&str]) -> Vec<String> {
    let mut lexicon = Lexicon::default();
    let findings: Vec<Finding<'_>> =
        said.iter().zip(0..).map(|(said, at)| finding(at, said, vec![1, 2])).collect();
    let features: Vec<_> = said.iter().map(|said| Features::of(&mut lexicon, said)).collect();
    gaps((query, &[], &[]), (&findings, &[]), &features, &[], &mut lexicon)
}

#[test]
fn who_asks_and_why_is_no_part() {
    for (query, expected) in [
        (
            "I am 53 years old and weigh 80 kg. Give me a diet plan for two weeks.",
            vec!["diet plan for two weeks"],
        ),
        ("I am 53 years old, give me a diet plan", vec!["diet plan"]),
        ("Which laptop should I buy, my budget is €500?", vec!["laptop should I buy"]),
        ("我今年五十三岁，体重一百六十斤，为我提供一份两周的食谱", vec!["一份两周的食谱"]),
        ("A customer can't log in after the update to 5.2. What is the cause?", vec!["cause"]),
        (
            "Although deep models can handle complex relationships, they suffer from poor interpretability. What are the risks?",
            vec!["risks"],
        ),
        (
            "Focus on how AI is causing disruptions and affecting various industries.",
            vec!["AI is causing disruptions"],
        ),
        ("从后殖民主义分析，必须考虑以下维度：东方学", vec!["后殖民主义分析", "东方学"]),
        (
            "What changed between version 1 and version 2 of the API?",
            vec!["changed between version 1 and version 2 of the API"],
        ),
        // These are asked.
        ("I want to know the price, and the weight", vec!["I want to know the price", "weight"]),
        (
            "The price of pumps is rising. The noise is high.",
            vec!["price of pumps is rising", "noise is high"],
        ),
        (
            "Compare the noise and price between Adler and Bellevue",
            vec!["noise", "price between Adler and Bellevue"],
        ),
    ] {
        assert_eq!(parts(query), expected, "{query}");
    }
}

#[test]
fn what_is_answered_all_the_same_is_no_gap() {
    for (query, said) in [
        (
            "What were the revenue and the guidance?",
            &["Revenue was $4.82 billion.", "Management guided Q4 sales to $5 billion."][..],
        ),
        (
            "How many open bugs are there and who owns them?",
            &["There are 3 open bugs: WEB-101 (Dana), API-9 (unassigned)."],
        ),
        (
            "What caused the outage and is it resolved?",
            &["The root cause was a feature flag.", "It is disabled, and all is green since 15:35."],
        ),
        ("Translate \"Good morning\" into German, French and Spanish.", &["Guten Morgen", "Bonjour"]),
        ("Wie hoch ist die Förderung für Wärmepumpen 2025?", &["Die Grundförderung beträgt 30 %."]),
        (
            "I am 53 years old and weigh 80 kg. Give me a diet plan for two weeks.",
            &["Breakfast is oatmeal with fruit."],
        ),
        (
            "Does metformin reduce cancer risk in people with type 2 diabetes?",
            &["Metformin use was associated with a lower incidence in many trials."],
        ),
        (
            "Is the API backwards compatible?",
            &["Partially: `/v1/orders` keeps its shape, but `/v1/users` dropped a field."],
        ),
        ("How many orders did we have per country last month?", &["DE: 12,431", "FR: 9,780"]),
        (
            "Compare Notion and Coda: pricing, API rate limits.",
            &["Notion costs $10.", "Coda is $12.", "API: 3 requests/second"],
        ),
        (
            "What do users dislike about the new editor?",
            &["Overall, 5 of 8 participants were frustrated by the toolbar."],
        ),
        ("What did the client agree to in the email thread?", &["We accept the offer with two changes."]),
        (
            "评估出最有潜力的可以引领未来量子网络发展的十个课题组，并给出经费来源",
            &["潜力最大的课题组来自代尔夫特。", "量子网络的未来发展由其引领。", "经费来源为欧盟。"],
        ),
    ] {
        assert_eq!(open(query, said), [""; 0], "{query}");
    }
    for (query, said, count) in [
        ("What were the revenue and the guidance?", &["Revenue was $4.82 billion."][..], 1),
        ("How many open bugs are there and who owns them?", &["There are 3 open bugs."], 1),
        ("What caused the outage and is it resolved?", &["The root cause was a feature flag."], 1),
        ("Is the API backwards compatible?", &["The price rose by 5%."], 1),
        ("Compare Notion and Coda: pricing, API rate limits.", &["Notion costs $10.", "Coda is $12."], 1),
        ("Wie hoch ist die Förderung für Wärmepumpen 2025?", &["Der Zug fährt um neun Uhr."], 1),
        ("Who won the 2024 final?", &["Prices rose in 2024."], 1),
        ("评估出最有潜力的可以引领未来量子网络发展的十个课题组，并给出经费来源", &["经费来源为欧盟。"], 1),
    ] {
        assert_eq!(open(query, said).len(), count, "{query}");
    }
}

#[test]
fn a_heading_names_what_is_asked_of_something() {
    let findings = [finding(0, "New hires settle in slowly", vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, finding.content));
    let mut open = |headings: &[&str]| {
        let query = "What are the licences and the cons of remote work for our company?";
        gaps((query, &[], headings), (&findings, &[]), &features, &[], &mut lexicon).len()
    };
    assert_eq!((open(&[]), open(&["Cons"]), open(&["Remote"])), (2, 1, 2));
}

#[test]
fn a_cue_of_something_else_answers_nothing() {
    for (query, said, count) in [
        ("When can Tom start? Who speaks German?", &["Tom can start on 1 August."][..], 1),
        (
            "Who can work in Berlin on site? When can Tom start?",
            &["Ana has 6 years of Rust.", "Tom starts on 1 August."],
            1,
        ),
        (
            "Why was I charged twice?",
            &["There is a delay because of a strike in Leipzig.", "Order 4471 was shipped with DHL."],
            1,
        ),
        (
            "What happened to revenue in Q3, and why did the CFO resign?",
            &["Revenue fell in Q3 because of weak demand in China."],
            1,
        ),
        (
            "Wann öffnet das Museum und warum ist der Direktor zurückgetreten?",
            &["Das Museum öffnet am 3. Mai, weil die Sanierung länger dauert."],
            1,
        ),
        (
            "What does the project cost and how long does the migration take?",
            &["The project costs €40,000.", "Support ends after 5 years."],
            1,
        ),
        (
            "Which database should we use, and what does it cost?",
            &["You can use the free tier for tests.", "It costs $40 a month."],
            1,
        ),
    ] {
        assert_eq!(open(query, said).len(), count, "{query} {:?}", open(query, said));
    }
}

#[test]
fn what_is_answered_in_other_words_is_open_no_more() {
    for (query, said) in [
        (
            "Which of the three candidates has the most experience: Ruiz, Meyer or Li?",
            &["Ruiz has 6 years of experience, Meyer has 3 and Li has 1."][..],
        ),
        (
            "What is the maximum daily dose for adults, and is it safe in pregnancy?",
            &["Adults may take up to 1,200 mg a day.", "It is not safe in pregnancy."],
        ),
        ("How long was the site down?", &["The outage lasted 35 minutes."]),
        (
            "Why was the site down, and for how long?",
            &["The outage lasted 35 minutes.", "It was caused by a migration."],
        ),
        (
            "What is the deadline for applications, and what is the fee?",
            &["Apply by 30 June.", "The fee is €80."],
        ),
        (
            "What time does the museum close, and is parking free?",
            &["The museum is open from 10:00 to 18:00.", "You can park for free behind the building."],
        ),
        (
            "Can I work remotely, and how many vacation days are there?",
            &["You may work from home three days a week.", "There are 30 days of leave."],
        ),
        ("Is the retry logic correct and safe to merge?", &["Verdict: request changes", "Verdict: approve"]),
        (
            "Warum war die Seite nicht erreichbar, und wer hat es bemerkt?",
            &[
                "Der Ausfall wurde durch eine fehlerhafte Migration verursacht.",
                "Das Monitoring bemerkte ihn.",
            ],
        ),
        (
            "Pourquoi le site était-il en panne, et combien de temps ?",
            &["La panne a duré 35 minutes.", "Elle a été causée par une migration."],
        ),
        (
            "At what age can children have honey, and what are the signs of an allergy?",
            &["**Honey:** not before 12 months (risk of botulism)", "Signs of an allergy are hives."],
        ),
    ] {
        assert_eq!(open(query, said), [""; 0], "{query}");
    }
}

#[test]
fn what_is_done_with_something_is_not_told_below_its_heading() {
    let findings = [finding(0, "30 days a year", vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, finding.content));
    let query = "How many days are there, and who approves the leave?";
    let found = gaps((query, &[], &["Leave"]), (&findings, &[]), &features, &[], &mut lexicon);
    assert_eq!(found, ["No finding covers “who approves the leave”."]);
}
