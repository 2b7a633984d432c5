//! Results, studies, terms, software: a word in the place of another, clauses that are mixed, what is over.

use super::scene::{Scene, assert_judged, task};

fn mixed() -> Scene {
    let text = "Apple reported revenue of $94.9 billion for the quarter ended September 28, 2024, up 6 percent year over year [1]. \
        The study followed 1,234 patients over five years and found no link between coffee and cancer [1]. \
        Customers in the enterprise tier can request refunds within 30 days of purchase; other customers have 14 days [1]. \
        Heavy users are advised to export their data before migrating, because the old API will be shut down on 30 June 2025 [1].\
        \n\n## References\n\n[1] One - https://a.example/one";
    let other = "OpenAI released GPT-4o in May 2024; it is twice as fast and half the price of GPT-4 Turbo [1]. \
        Kubernetes requires at least 2 GB of RAM per node, and swap must be disabled unless the feature gate NodeSwap is enabled [1]. \
        The bridge, completed in 1937, spans 2.7 kilometres and was the longest suspension bridge until 1964 [1]. \
        The committee rejected the proposal by 12 votes to 5, with two abstentions [1]. \
        Redis stores data in memory, whereas PostgreSQL stores it on disk [1].\
        \n\n## References\n\n[1] Two - https://a.example/two";
    Scene::of("mixed", "What is known?", vec![task("a", text), task("b", other)])
}

#[test]
fn what_is_put_otherwise_stands() {
    let right = [
        "Apple's revenue for the quarter ended September 28, 2024 was $94.9 billion, up 6% year over year.",
        "Apple reported $94.9 billion in revenue, up 6% year over year.",
        "Revenue rose 6% year over year to $94.9 billion.",
        "Apple's revenue grew by 6% year over year to $94.9 billion in the quarter ended 28 September 2024.",
        "The study found no link between coffee and cancer.",
        "A five-year study of 1,234 patients found no link between coffee and cancer.",
        "Over five years, the study followed 1,234 patients and found no link between coffee and cancer.",
        "Enterprise customers can request refunds within 30 days of purchase, other customers within 14 days.",
        "Customers in the enterprise tier can request refunds within 30 days of purchase.",
        "Refunds can be requested within 30 days of purchase by customers in the enterprise tier.",
        "Other customers have 14 days to request refunds.",
        "The old API will be shut down on June 30, 2025.",
        "Heavy users should export their data before migrating, as the old API will be shut down on 30 June 2025.",
        "Because the old API will be shut down on 30 June 2025, heavy users are advised to export their data before migrating.",
        "OpenAI released GPT-4o in May 2024.",
        "GPT-4o, released by OpenAI in May 2024, is twice as fast and half the price of GPT-4 Turbo.",
        "GPT-4o is twice as fast as GPT-4 Turbo and half the price.",
        "Kubernetes requires at least 2 GB of RAM per node.",
        "At least 2 GB of RAM per node is required by Kubernetes.",
        "Swap must be disabled unless the NodeSwap feature gate is enabled.",
        "Unless the feature gate NodeSwap is enabled, swap must be disabled.",
        "Completed in 1937, the bridge spans 2.7 km.",
        "The bridge was completed in 1937 and spans 2.7 km.",
        "Until 1964, the bridge was the longest suspension bridge.",
        "The bridge was the longest suspension bridge until 1964.",
        "The committee rejected the proposal by 12 votes to 5.",
        "The proposal was rejected by the committee by 12 votes to 5, with two abstentions.",
        "With two abstentions, the committee rejected the proposal by 12 votes to 5.",
        "While Redis stores data in memory, PostgreSQL stores it on disk.",
        "Redis stores data in memory.",
        "PostgreSQL stores data on disk.",
    ];
    assert_judged(&mixed(), &right, &[]);
}

#[test]
fn what_is_changed_does_not() {
    let wrong = [
        "Apple reported a profit of $94.9 billion for the quarter ended September 28, 2024.",
        "Apple reported revenue of $94.9 billion, up 6 percent quarter over quarter.",
        "Apple reported revenue of $94.9 billion, down 6 percent year over year.",
        "Apple reported revenue of $94.9 million for the quarter ended September 28, 2024.",
        "The study found a link between coffee and cancer.",
        "The study found no link between tea and cancer.",
        "The study followed 1,234 patients over five months and found no link between coffee and cancer.",
        "The study followed 1,234 doctors over five years and found no link between coffee and cancer.",
        "Customers in the enterprise tier can request refunds within 14 days of purchase.",
        "All customers can request refunds within 30 days of purchase.",
        "Customers in the enterprise tier can't request refunds within 30 days of purchase.",
        "The old API will be shut down on 30 July 2025.",
        "The new API will be shut down on 30 June 2025.",
        "Heavy users are advised to export their data after migrating.",
        "Heavy users are required to export their data before migrating.",
        "GPT-4 Turbo is twice as fast and half the price of GPT-4o.",
        "Google released GPT-4o in May 2024.",
        "Kubernetes requires at most 2 GB of RAM per node.",
        "Kubernetes requires at least 2 GB of RAM per cluster.",
        "Kubernetes requires at least 2 GB of disk per node.",
        "Swap must be enabled unless the feature gate NodeSwap is enabled.",
        "Swap must be disabled if the feature gate NodeSwap is enabled.",
        "The bridge, completed in 1964, spans 2.7 kilometres.",
        "The bridge spans 2.7 miles.",
        "The bridge is the longest suspension bridge.",
        "The bridge has been the longest suspension bridge since 1964.",
        "The committee approved the proposal by 12 votes to 5.",
        "The committee rejected the proposal by 5 votes to 12.",
        "The proposal rejected the committee by 12 votes to 5.",
        "Redis stores data on disk, whereas PostgreSQL stores it in memory.",
        "PostgreSQL stores data in memory.",
        "Redis stores data on disk.",
        "Redis doesn't store data in memory.",
    ];
    assert_judged(&mixed(), &[], &wrong);
}
