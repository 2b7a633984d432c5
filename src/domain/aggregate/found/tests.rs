//! What of a great many contradictions is listed.

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
    let body = json!({"query": "What does it cost?", "results": results}).to_string();
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
