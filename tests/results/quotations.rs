//! What of a result is quoted, and with which sources.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, each, task, text};

/// The findings of a result: what they quote, and how many sources they cite.
fn quoted(result: &Value) -> Vec<(&str, usize)> {
    let findings = result["findings"].as_array().unwrap().iter();
    findings.map(|found| (text(found, "content"), found["sources"].as_array().unwrap().len())).collect()
}

#[tokio::test]
async fn statement_and_its_denial_are_two_in_any_language() {
    let app = TestApp::new().start().await;
    for (one, other) in [
        (
            "Der Dienst ist in allen Regionen des Landes verfügbar.",
            "Der Dienst ist in allen Regionen des Landes nicht verfügbar.",
        ),
        (
            "Il servizio è disponibile in tutte le regioni del paese.",
            "Il servizio non è disponibile in tutte le regioni del paese.",
        ),
        ("Услуга доступна во всех регионах этой страны.", "Услуга не доступна во всех регионах этой страны."),
        ("الخدمة متاحة في جميع مناطق البلاد الكبيرة.", "الخدمة غير متاحة في جميع مناطق البلاد الكبيرة."),
    ] {
        let results = [task("a", one, &["https://a.org/x"]), task("b", other, &["https://b.org/x"])];
        let result = aggregate(app.client(), &results).await;
        let mut found: Vec<&str> = quoted(&result).into_iter().map(|(content, _)| content).collect();
        found.sort_unstable_by_key(|content| content.len());
        assert_eq!(found, [one, other], "{result}");
        assert_eq!(result["metadata"]["deduplicated_count"], 0, "{result}");
        assert_eq!(each(&result["contradictions"], "kind"), ["negation"], "{result}");
    }
}

#[tokio::test]
async fn sentence_with_an_address_is_quoted_and_code_cites_nothing() {
    let app = TestApp::new().start().await;
    let content = "Sales rose by 5% in the north (see https://elsewhere.org/a/long/path/to/a/page?with=more). \
                   The first entry is `list[1]` in this program. \
                   The valve is cleaned each April ([report](https://www.b.org/x/)). \
                   The pump needs oil every 30 days [[1]].";
    let result =
        aggregate(app.client(), &[task("a", content, &["https://a.org/x", "https://b.org/x"])]).await;
    let mut found: Vec<usize> = quoted(&result).into_iter().map(|(_, sources)| sources).collect();
    found.sort_unstable();
    assert_eq!(found, [0, 1, 1, 1], "{result}");
    assert!(result["sources"].as_array().unwrap().iter().all(|source| source["used"] == true), "{result}");
    assert_eq!(
        result["sources"].as_array().unwrap().len(),
        3,
        "what it shows the address of is a source: {result}"
    );
    let uncited = quoted(&result).into_iter().filter(|(_, sources)| *sources == 0);
    assert!(uncited.map(|(content, _)| content).all(|content| content.contains("list[1]")));
}

#[tokio::test]
async fn findings_beyond_the_limit_are_told_and_every_subagent_has_one() {
    const SUBJECTS: [&str; 10] =
        ["pump", "valve", "boiler", "filter", "sensor", "motor", "cable", "switch", "panel", "heater"];
    let app = TestApp::new().start().await;
    let sentence = |subagent: usize, subject: &str| {
        format!("The {subject} of plant number {subagent} needs {} litres of oil each year.", 100 + subagent)
    };
    let results: Vec<Value> = (0..12)
        .map(|at| {
            let content: Vec<String> = SUBJECTS.iter().map(|subject| sentence(at, subject)).collect();
            json!({"task_id": format!("t{at}"), "subagent": format!("s{at}"), "success": true, "content": content.join(" "), "sources": []})
        })
        .collect();
    let result = aggregate(app.client(), &results).await;
    let findings = result["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 60, "{}", result["metadata"]);
    let heard: std::collections::BTreeSet<&str> = findings
        .iter()
        .flat_map(|found| found["contributors"].as_array().unwrap())
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(heard.len(), 12, "{heard:?}");
    let gaps = result["gaps"].as_array().unwrap();
    let told = gaps.iter().filter(|gap| gap.as_str().unwrap().contains("60 of 120 findings aren't listed"));
    assert_eq!(told.count(), 1, "{gaps:?}");
}

#[tokio::test]
async fn reference_that_was_not_declared_and_marker_without_source_are_noted() {
    let app = TestApp::new().start().await;
    let content = "Sales rose by 5% in the north [1]. The valve is cleaned each April [4321].\n\n## References\n\n[1] A report: https://elsewhere.org/x";
    let result = aggregate(app.client(), &[task("a", content, &["https://a.org/x"])]).await;
    let notes = result["results"][0]["notes"].as_array().unwrap();
    let has = |words: &str| notes.iter().any(|note| note.as_str().unwrap().contains(words));
    assert!(has("1 listed reference isn't among its declared sources") && has("[4321]"), "{notes:?}");
    assert_eq!(each(&result["sources"], "url"), ["https://a.org/x"], "what was listed was never there");
    let finding = &result["findings"].as_array().unwrap()[0];
    assert_eq!(finding["sources"], json!([1]), "{finding}");
    for (list, sources) in [
        ("## Quellen\n1. https://fake.example/a\n2. https://fake.example/b", json!([])),
        ("参考文献\n[1] 王 (2020). 假的论文", json!([1])),
        ("Works cited:\n[1] Smith, J. (2020). Fake paper.", json!([1])),
    ] {
        let content = format!("There are three plans [1].\n\n{list}");
        let result = aggregate(app.client(), &[task("a", &content, &["https://a.org/x"])]).await;
        assert_eq!(each(&result["sources"], "url"), ["https://a.org/x"], "{list}");
        assert_eq!(result["findings"][0]["sources"], sources, "{list}");
        assert!(!text(&result, "synthesis").to_lowercase().contains("fake"), "{}", result["synthesis"]);
    }
}

#[tokio::test]
async fn links_that_cite_are_sources_with_numbers() {
    let app = TestApp::new().start().await;
    let content = "The pump needs oil every 30 days ([Maker's handbook](https://maker.org/manual)). \
                   The valve is cleaned each April [17](https://b.org/valve), and the boiler in May. \
                   As [the inspector](https://c.org/report) writes, the roof leaks near the chimney.\n\n\
                   ## Was ich gelesen habe, nach Belegen\n\n\
                   - [Maker's handbook](https://maker.org/manual)\n- An old leaflet: https://d.org/leaflet\n";
    let result = aggregate(app.client(), &[task("a", content, &["https://a.org/x"])]).await;
    let found = quoted(&result);
    assert!(
        found.iter().all(|(content, _)| !content.contains("handbook") && !content.contains("b.org")),
        "{found:?}"
    );
    let of = |words: &str| {
        let finding =
            result["findings"].as_array().unwrap().iter().find(|f| text(f, "content").contains(words));
        let numbers = finding.unwrap()["sources"].as_array().unwrap().clone();
        let url = |number: &Value| result["sources"][number.as_u64().unwrap() as usize - 1]["url"].clone();
        numbers.iter().map(url).collect::<Vec<_>>()
    };
    assert_eq!(of("needs oil"), ["https://maker.org/manual"], "{result}");
    assert_eq!(of("each April"), ["https://b.org/valve"], "{result}");
    assert_eq!(of("roof leaks"), ["https://c.org/report"], "{result}");
    let mut urls = each(&result["sources"], "url");
    urls.sort_unstable();
    assert_eq!(
        urls,
        ["https://a.org/x", "https://b.org/valve", "https://c.org/report", "https://maker.org/manual"]
    );
    let titles = each(&result["sources"], "title");
    assert!(titles.contains(&"Maker's handbook") && !titles.contains(&"An old leaflet"), "{titles:?}");
    assert!(!result["synthesis"].as_str().unwrap().contains("gelesen habe"), "{result}");
}
