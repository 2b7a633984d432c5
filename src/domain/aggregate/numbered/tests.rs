//! What a result's text cites, in whatever way, stands under its sentences.

use serde_json::{Value, json};

use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{AggregateRequest, parse_aggregation};
use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};

/// The findings of one result in the order of their texts, each with its addresses.
fn cited(content: &str, sources: &Value) -> Vec<(String, Vec<String>)> {
    let result =
        json!({"task_id": "t", "subagent": "a", "success": true, "content": content, "sources": sources});
    let result = aggregated(&json!({"query": "When did it open?", "results": [result]}).to_string());
    let url = |id: &Value| {
        let source = result["sources"].as_array().unwrap().iter().find(|source| source["id"] == *id);
        source.unwrap()["url"].as_str().unwrap_or_default().to_owned()
    };
    let findings = result["findings"].as_array().unwrap().iter();
    let mut found: Vec<(String, Vec<String>)> = findings
        .map(|found| {
            let sources = found["sources"].as_array().unwrap().iter().map(url).collect();
            (found["content"].as_str().unwrap().trim_end_matches('.').to_owned(), sources)
        })
        .collect();
    found.sort();
    found
}

fn aggregated(body: &str) -> Value {
    let AggregateRequest { query, results, options } = parse_aggregation(body).unwrap();
    let options = Options { aggregation: options, ..Options::default() };
    let question = Question { query, goal: None };
    let request =
        Request { question, tasks: results, options, place: Place::nowhere(), style: Style::Findings };
    serde_json::to_value(aggregate(request)).unwrap()
}

#[test]
fn sentences_keep_their_sources_whatever_they_are_cited_by() {
    let (x, y) = ("https://x.example/0", "https://y.example/1");
    let text = |one: &str, other: &str| {
        format!("The bridge opened in 1932 {one}. The tunnel was opened by the king in 1950 {other}.")
    };
    for (content, sources) in [
        (text("[0]", "[1]"), json!([x, y])),
        (text("[1]", "[2]"), json!([x, y])),
        (text("[doc-7]", "[doc-9]"), json!([{"id": "doc-7", "url": x}, {"id": "doc-9", "url": y}])),
        (text("[b]", "[a]"), json!([{"id": "a", "url": y}, {"id": "b", "url": x}])),
        (format!("{}\n\n[S1] {x}\n[S2] The Tunnel, {y}", text("[S1]", "[S2]")), json!([])),
        (format!("{}\n\n## Sources\n\n[a]: {x}\n[b]: {y}", text("[a]", "[b]")), json!([])),
    ] {
        let expected = [
            ("The bridge opened in 1932".to_owned(), vec![x.to_owned()]),
            ("The tunnel was opened by the king in 1950".to_owned(), vec![y.to_owned()]),
        ];
        assert_eq!(cited(&content, &sources), expected, "{content}");
    }
}

#[test]
fn a_paper_at_the_end_is_a_source() {
    let text = "Drug X reduced it by 1.2% [1].\n\n1. Smith J, et al. Drug X in T2DM. N Engl J Med. 2022;386:1-10. doi:10.1056/NEJMoa2100001";
    let doi = "https://doi.org/10.1056/nejmoa2100001".to_owned();
    let found = cited(text, &json!([]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0.as_str(), found[0].1[0].to_lowercase()), ("Drug X reduced it by 1.2%", doi));
}

#[test]
fn code_is_quoted_as_it_is() {
    let text = "Other costs rose a lot [1].\nPass sys.argv[1] to the parser when it opens [2].\n\n[1] https://c.example/y\n[2] https://b.example/y";
    let (_, sources) = &cited(text, &json!([]))[1];
    assert_eq!(sources, &["https://b.example/y"]);
    assert_eq!(cited(text, &json!([]))[1].0, "Pass sys.argv[1] to the parser when it opens");
}
