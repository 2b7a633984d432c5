//! What of a great many contradictions is listed, what is too long to be quoted, and what data rests on.

use serde_json::{Value, json};

use super::contradicted::LISTED_MAX;
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{AggregateRequest, parse_aggregation};
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};

const SUBJECTS: [&str; 16] = [
    "rent", "fee", "budget", "loan", "salary", "toll", "tariff", "fine", "bonus", "deposit", "grant",
    "pension", "premium", "dividend", "subsidy", "ransom",
];

/// What so many agents come to who each give another figure for each subject.
fn combined(agents: usize, subjects: &[&str], reversed: bool) -> Value {
    let said = |agent: usize| {
        let sentences = subjects.iter().map(|subject| format!("The {subject} is {} [1].", agent + 3));
        sentences.collect::<Vec<_>>().join(" ")
    };
    let result = |agent: usize| {
        json!({"task_id": format!("t{agent}"), "subagent": format!("a{agent}"), "success": true,
               "content": said(agent), "sources": [format!("https://e{agent}.example/")]})
    };
    let mut results: Vec<Value> = (0..agents).map(result).collect();
    if reversed {
        results.reverse();
    }
    aggregated(&json!({"query": "What does it cost?", "results": results}))
}

fn aggregated(request: &Value) -> Value {
    let body = request.to_string();
    let AggregateRequest { query, results, options } = parse_aggregation(&body).unwrap();
    let options = Options { aggregation: options, ..Options::default() };
    let question = Question { query, goal: None };
    let place = Place::nowhere();
    let request = Request { question, tasks: results, options, place, style: Style::Findings };
    serde_json::to_value(aggregate(request)).unwrap()
}

fn listed(result: &Value) -> &[Value] {
    result["contradictions"].as_array().unwrap()
}

fn unlisted(result: &Value) -> Option<&str> {
    let mut gaps = result["gaps"].as_array().unwrap().iter().filter_map(Value::as_str);
    gaps.find(|gap| gap.contains("contradictions aren't listed"))
}

#[test]
fn rows_of_tables_in_html_and_in_markdown_are_compared() {
    let html = "<table><thead><tr><th>Plan</th><th>Price</th></tr></thead><tr><td>Pro</td><td>$20</td></tr><tr><td>Team</td><td>$50</td></tr></table>";
    let markdown = "| Plan | Price |\n|---|---|\n| Pro | $25 |\n| Team | $50 |";
    let result =
        |id: &str, content: &str| json!({"task_id": id, "subagent": id, "success": true, "content": content});
    let request =
        json!({"query": "What does it cost?", "results": [result("a", html), result("b", markdown)]});
    let result = aggregated(&request);
    let found: Vec<&str> =
        result["findings"].as_array().unwrap().iter().filter_map(|found| found["content"].as_str()).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(["Pro | $20", "Pro | $25", "Team | $50"].iter().all(|row| found.contains(row)), "{found:?}");
    assert_eq!(listed(&result).len(), 1);
}

#[test]
fn of_many_contradictions_some_of_each_subject_are_listed_and_the_rest_is_counted() {
    let result = combined(12, &SUBJECTS, false);
    let listed = listed(&result);
    assert_eq!(listed.len(), LISTED_MAX);
    for subject in SUBJECTS {
        let of = listed.iter().filter(|found| found.to_string().contains(&format!("The {subject} is")));
        let count = of.count();
        assert!((8..=20).contains(&count), "{subject}: {count}");
    }
    let all = SUBJECTS.len() * (12 * 11 / 2);
    let told = unlisted(&result).unwrap();
    assert!(told.starts_with(&format!("{} of {all} contradictions", all - LISTED_MAX)), "{told}");
    assert!(result["synthesis"].as_str().unwrap().contains(&format!("{} of {all} contra", all - LISTED_MAX)));
    assert!(result["metadata"]["pairs_checked"].as_u64().unwrap() >= all as u64);
    let disputed =
        |finding: &Value| finding["verify"].as_str().is_some_and(|why| why.contains("contradicts"));
    assert!(
        result["findings"].as_array().unwrap().iter().all(disputed),
        "those that aren't listed count too"
    );
    assert_eq!(combined(12, &SUBJECTS, true)["contradictions"], result["contradictions"]);
}

#[test]
fn as_many_contradictions_as_can_be_read_are_all_listed() {
    let result = combined(8, &SUBJECTS[..2], false);
    assert_eq!((listed(&result).len(), unlisted(&result)), (2 * (8 * 7 / 2), None));
}

/// What one agent's text comes to, with two sources.
fn of_one(content: &str) -> Value {
    let sources = ["https://a.example/x", "https://b.example/y"];
    aggregated(&json!({"query": "What is the limit?", "results": [
        {"task_id": "t", "subagent": "docs", "success": true, "content": content, "sources": sources}
    ]}))
}

#[test]
fn a_sentence_without_end_is_not_quoted_and_a_gap_says_so() {
    let endless = format!("It is advised to {} and so forth.", "go on and on ".repeat(8_000));
    let result = of_one(&format!("The limit is 5 MB. {endless}"));
    let said: Vec<&str> = result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|finding| finding["content"].as_str())
        .collect();
    assert_eq!(said, ["The limit is 5 MB."]);
    assert_eq!(result["insights"], json!([]));
    assert!(result["synthesis"].as_str().unwrap().len() < 2_000);
    let gap =
        "1 sentence of docs is longer than 4 KiB and not quoted: it stands in the full texts of the results.";
    assert!(result["gaps"].as_array().unwrap().contains(&json!(gap)), "{}", result["gaps"]);
    let long = format!("The limit is {} MB.", "very ".repeat(700));
    assert_eq!(of_one(&long)["findings"][0]["content"], json!(long), "a long one is quoted whole");
}

#[test]
fn data_that_cites_nothing_rests_on_all_that_is_declared() {
    let of_first = |content: &str| {
        let first = of_one(content)["findings"][0].clone();
        (first["sources"].clone(), first["verify"].as_str().unwrap_or_default().to_owned())
    };
    for content in [
        "{\"answer\": \"The limit is 5 MB.\", \"confidence\": 0.9}",
        "Here it is:\n\n```json\n{\"answer\": \"The limit is 5 MB.\"}\n```\n",
        "{\"answer\": \"The limit of a file is 5 MB.\", \"sources\": [\"https://a.example/x\", \"https://b.example/y\"], \"why\": \"It was set in 2020 by the committee.\"}",
    ] {
        let (sources, verify) = of_first(content);
        assert_eq!(sources, json!([1, 2]), "{content}");
        assert!(verify.contains("which of its 2 sources"), "{content}: {verify}");
    }
    let (sources, verify) = of_first("{\"answer\": \"The limit is 5 MB.\", \"sources\": [2]}");
    assert_eq!((sources, verify.contains("No source is given")), (json!([]), true));
}

#[test]
fn summary_has_the_yes_and_the_no_whatever_was_asked_and_whatever_else_is_said() {
    let told = |query: Option<&str>, contents: &[&str]| {
        let result = |(at, content): (usize, &&str)| json!({"task_id": format!("t{at}"), "subagent": format!("a{at}"), "success": true, "content": content});
        let results: Vec<Value> = contents.iter().enumerate().map(result).collect();
        let mut request = json!({"results": results});
        if let Some(query) = query {
            request["query"] = json!(query);
        }
        aggregated(&request)["summary"].as_str().unwrap().to_owned()
    };
    let (asked, either) = (Some("Does the warranty cover water damage?"), Some("Is the plan free or paid?"));
    let besides = "The warranty covers water damage of the pump.";
    for (query, contents) in [
        (None, vec!["Yes.", "Yes.", "No."]),
        (None, vec!["No.", "Yes.", "No."]),
        (None, vec!["Yes, it is.", "Yes.", "No."]),
        (None, vec!["Ja.", "Ja.", "Nein, es ist zu alt."]),
        (either, vec!["Yes.", "Yes.", "No."]),
        (asked, vec!["Yes.", "Yes.", "No."]),
        (asked, vec!["Yes.", "No.", "Yes.", besides]),
    ] {
        let summary = told(query, &contents);
        let says = |reply: &str| summary.contains(&format!("“{reply}"));
        assert!(says("Yes") || says("Ja"), "{contents:?}: {summary}");
        assert!(says("No") || says("Nein"), "{contents:?}: {summary}");
    }
    // Where nobody says no there is none.
    assert!(!told(None, &["Yes.", "Yes.", besides]).contains("“No"));
}

#[test]
fn bare_answers_to_the_query_contradict_in_whatever_order_they_come() {
    let result = |at: usize, content: &Value| json!({"task_id": format!("t{at}"), "subagent": format!("a{at}"), "success": true, "content": content});
    let combined = |query: &str, contents: &[Value], reversed: bool| {
        let mut results: Vec<Value> =
            contents.iter().enumerate().map(|(at, said)| result(at, said)).collect();
        if reversed {
            results.reverse();
        }
        aggregated(&json!({"query": query, "results": results}))
    };
    let query = "Does the warranty cover water damage?";
    for (contents, kind) in [
        (vec![json!("Yes."), json!("No."), json!("Yes.")], "polarity"),
        (vec![json!({"answer": "Yes"}), json!("No, it doesn't.")], "polarity"),
        (vec![json!("It is allowed."), json!("It is not allowed.")], "negation"),
        (vec![json!(5), json!({"answer": 7})], "number"),
    ] {
        let found = combined(query, &contents, false);
        assert_eq!(listed(&found).len(), 1, "{contents:?}");
        assert_eq!(listed(&found)[0]["kind"], kind, "{contents:?}");
        assert_eq!(found["metadata"]["pairs_checked"].as_u64().unwrap_or_default().min(1), 1);
        assert_eq!(found["contradictions"], combined(query, &contents, true)["contradictions"]);
    }
    let both = [json!("Yes."), json!("No.")];
    assert!(listed(&combined("Is it covered? Is it free?", &both, false)).is_empty());
}
