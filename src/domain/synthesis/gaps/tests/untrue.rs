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
