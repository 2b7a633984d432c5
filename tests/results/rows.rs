//! Rows of long tables, arrays of objects and CSV: the one that was asked for, and how many aren't listed.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{combine, each, text};

const QUERY: &str = "What is the population of Oslo?";

async fn of(content: &str, options: Value) -> Value {
    let app = TestApp::new().start().await;
    let result = json!({"task_id": "t", "subagent": "s", "success": true, "content": content});
    let body = json!({"query": QUERY, "results": [result], "options": options});
    combine(app.client(), "/aggregations", body).await
}

/// So many cities, and Oslo behind them.
fn rows(count: usize, row: impl Fn(&str, usize) -> String) -> String {
    let mut rows = String::new();
    for at in 0..count {
        write!(rows, "{}", row(&format!("City{at}"), 100 + at)).unwrap();
    }
    rows + &row("Oslo", 700)
}

fn table() -> String {
    format!(
        "| city | population |\n|---|---|\n{}",
        rows(299, |city, many| format!("| {city} | {many} thousand |\n"))
    )
}

#[tokio::test]
async fn the_last_row_of_a_long_table_is_found_where_it_is_asked_for() {
    let objects =
        rows(299, |city, many| format!("{{\"city\": \"{city}\", \"population\": \"{many} thousand\"}},"));
    let prose =
        "The office of statistics counts those who live in a city each year, and it tells when it did so.";
    let beside = format!("{}\n\n{}", vec![prose; 200].join("\n\n"), table());
    for content in [
        table(),
        format!("{prose}\n\n{}", table()),
        format!("[{}]", objects.trim_end_matches(',')),
        format!("city,population,year\n{}", rows(299, |city, many| format!("{city},{many} thousand,2024\n"))),
        beside,
    ] {
        let result = of(&content, json!({})).await;
        let found = each(&result["findings"], "content");
        assert!(
            found.iter().any(|said| said.contains("Oslo") && said.contains("700")),
            "{content:.80}: {found:?}"
        );
        // Beside much prose a summary has what says most.
        if !content.contains(prose) {
            assert!(text(&result, "summary").contains("Oslo"), "{content:.80}: {}", result["summary"]);
        }
    }
}

#[tokio::test]
async fn rows_that_are_not_listed_are_counted() {
    let result = of(&table(), json!({})).await;
    let gaps: Vec<&str> = result["gaps"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(gaps.iter().any(|gap| gap.starts_with("240 of 300 findings aren't listed")), "{gaps:?}");
}

#[tokio::test]
async fn long_csv_is_shortened_by_rows() {
    let csv = rows(299, |city, many| format!("{city},{many}\n"));
    for (content, least) in [
        (format!("city,population\n{csv}"), 196),
        (format!("```csv\ncity,population\n{csv}```"), 196),
        // Without a header they are lines.
        (rows(299, |city, many| format!("{many},{city},Norway\n")), 190),
    ] {
        let result = of(&content, json!({"max_result_tokens": 200})).await;
        let tokens = result["results"][0]["tokens"].as_u64().unwrap();
        assert!((least..=200).contains(&tokens), "{tokens}: {}", result["results"][0]["content"]);
    }
}
