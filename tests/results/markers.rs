//! Whose source a number is: what looks like a marker in a quotation is one of its own result's, or none.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, combine, failed, task, text};

/// The findings of one subagent: what they quote, and the addresses of what they cite.
fn quoted<'r>(result: &'r Value, subagent: &str) -> Vec<(&'r str, Vec<&'r str>)> {
    let url = |number: &Value| {
        let sources = result["sources"].as_array().unwrap();
        text(sources.iter().find(|source| source["id"] == *number).unwrap(), "url")
    };
    let own = |found: &&Value| found["contributors"] == json!([subagent]);
    let findings = result["findings"].as_array().unwrap().iter().filter(own);
    let mut found: Vec<(&str, Vec<&str>)> = findings
        .map(|found| (text(found, "content"), found["sources"].as_array().unwrap().iter().map(url).collect()))
        .collect();
    found.sort_unstable();
    found
}

fn content<'r>(result: &'r Value, task_id: &str) -> &'r str {
    let results = result["results"].as_array().unwrap();
    text(results.iter().find(|result| result["task_id"] == task_id).unwrap(), "content")
}

const ALPHA: &str = "Replication slots survive an upgrade of it [1]. Failover got easier for all users [2].";
const ALPHAS: [&str; 2] = ["https://alpha.example/one", "https://alpha.example/two"];

#[tokio::test]
async fn markers_in_json_are_those_of_its_own_result_in_a_fence_too() {
    let app = TestApp::new().start().await;
    let answer = r#"{"answer": "Version 17 was released in 2024 [1]. Vacuum uses less memory than before [2].", "claims": [{"claim": "Backups are incremental from now on [7]."}, {"claim": "The planner reads my_list[1] at its start."}], "scores": [1, 2], "values": [5]}"#;
    for beta in [answer.to_owned(), format!("Here is my answer:\n\n```json\n{answer}\n```\n")] {
        let own = ["https://beta.example/one", "https://beta.example/two"];
        let results = [task("alpha", ALPHA, &ALPHAS), task("beta", &beta, &own)];
        let result = aggregate(app.client(), &results).await;
        let expected = vec![
            // What looks like a marker in a quotation and is none has a backslash.
            (r#""scores": \[1, 2], "values": \[5]"#, vec![]),
            ("Backups are incremental from now on.", vec![]),
            ("The planner reads my_list[1] at its start.", vec![]),
            ("Vacuum uses less memory than before", vec![own[1]]),
            ("Version 17 was released in 2024", vec![own[0]]),
        ];
        assert_eq!(quoted(&result, "beta"), expected, "{result}");
        let shown = content(&result, "beta");
        assert!(shown.contains(r#""scores": [1, 2], "values": [5]"#), "data is no marker: {shown}");
        let number = |url: &str| {
            let sources = result["sources"].as_array().unwrap();
            sources.iter().find(|source| source["url"] == url).unwrap()["id"].clone()
        };
        assert!(shown.contains(&format!("in 2024 [{}].", number(own[0]))), "{shown}");
    }
}

/// What two subagents say, each with a source of another site: how sure the findings are, and what kinds of contradictions they are.
async fn compared(app: &TestApp, one: &str, other: &str) -> (Vec<String>, Vec<String>) {
    let results =
        [task("a", one, &["https://a.example.com/1"]), task("b", other, &["https://b.example.org/2"])];
    let result = aggregate(app.client(), &results).await;
    let of = |list: &str, member: &str| {
        let items = result[list].as_array().unwrap().iter();
        items.map(|item| text(item, member).to_owned()).collect()
    };
    (of("findings", "confidence"), of("contradictions", "kind"))
}

#[tokio::test]
async fn a_marker_inside_a_sentence_is_no_part_of_what_it_says() {
    let app = TestApp::new().start().await;
    for (one, other) in [
        ("Rates rose to 5% [1] in July.", "Rates rose to 5% [1] in July."),
        ("In July [1], rates rose to 5%.", "In July, rates rose to 5%."),
        ("According to the ECB [1], inflation fell to 2%.", "Inflation fell to 2% [1]."),
        ("利率在7月[1]升至5%。", "利率在7月升至5%[1]。"),
    ] {
        let found = compared(&app, one, other).await;
        assert_eq!(found, (vec!["high".to_owned()], vec![]), "{one} / {other}");
    }
    for (one, other, kind) in [
        ("Rates rose to 5% [1] in July.", "Rates rose to 6% [1] in July.", "number"),
        ("The app [1] supports offline mode.", "The app [1] does not support offline mode.", "negation"),
    ] {
        let found = compared(&app, one, other).await;
        assert_eq!(found, (vec!["low".to_owned(); 2], vec![kind.to_owned()]), "{one} / {other}");
    }
}

#[tokio::test]
async fn authors_with_a_year_cite_what_names_both() {
    let app = TestApp::new().start().await;
    let listed = "Coffee delays sleep by 40 minutes (Smith & Jones, 2023). As the WMO (2025) reports, 2024 was the warmest year. \
        Tea does nothing to sleep (Doe, 2020).\n\n## References\n\n\
        - Smith, J., & Jones, K. (2023). Coffee and sleep. https://a.example/x\n\
        - World Meteorological Organization (WMO). (2025). State of the climate. https://wmo.example/z\n";
    let result = aggregate(app.client(), &[task("alpha", listed, &[])]).await;
    let expected = [
        ("As the WMO [2] reports, 2024 was the warmest year.", vec!["https://wmo.example/z"]),
        ("Coffee delays sleep by 40 minutes", vec!["https://a.example/x"]),
        ("Tea does nothing to sleep (Doe, 2020).", vec![]),
    ];
    assert_eq!(quoted(&result, "alpha"), expected, "{result}");
    // What isn't listed among its author's own sources is taken out as a number would be, and shown as it was.
    let declared = ["https://wmo.example/z", "https://other.example/o"];
    let result = aggregate(app.client(), &[task("alpha", listed, &declared)]).await;
    let found = quoted(&result, "alpha");
    assert!(
        found.contains(&("As the WMO [1] reports, 2024 was the warmest year.", vec![declared[0]])),
        "{found:?}"
    );
    assert!(found.iter().all(|(_, urls)| !urls.contains(&"https://a.example/x")), "{found:?}");
}

#[tokio::test]
async fn numbers_of_sources_in_parentheses_cite_where_there_are_such() {
    let app = TestApp::new().start().await;
    let said =
        "The limit is 5 MB (Source 1). Files stay for a week (see Sources 1 and 2). It grew (Source 9).";
    let result = aggregate(app.client(), &[task("alpha", said, &ALPHAS)]).await;
    let expected = [
        ("Files stay for a week", ALPHAS.to_vec()),
        ("It grew (Source 9).", vec![]),
        ("The limit is 5 MB", vec![ALPHAS[0]]),
    ];
    assert_eq!(quoted(&result, "alpha"), expected, "{result}");
}

#[tokio::test]
async fn numbers_in_json_cite_nothing_and_stay_what_they_are() {
    let app = TestApp::new().start().await;
    for cites in [
        r#""sources": [2]"#,
        r#""citations": ["1"]"#,
        r#""source": 1"#,
        r#""citations": [12, 3, 40]"#,
        r#""links": [2, 3]"#,
        r#""reference": "88213""#,
    ] {
        let beta = format!(r#"{{"claim": "Vacuum uses less memory than before.", {cites}}}"#);
        let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&beta).unwrap()).unwrap();
        let own = ["https://beta.example/one", "https://beta.example/two"];
        for beta in [beta, pretty] {
            let result =
                aggregate(app.client(), &[task("alpha", ALPHA, &ALPHAS), task("beta", &beta, &own)]).await;
            assert_eq!(
                quoted(&result, "beta"),
                [("Vacuum uses less memory than before.", vec![])],
                "{cites}: {result}"
            );
            assert_eq!(content(&result, "beta"), beta);
        }
    }
}

#[tokio::test]
async fn prose_beside_json_cites_as_ever() {
    let app = TestApp::new().start().await;
    let beta = "Prices rose by 5% in May [1]. Costs fell by 3% in June [2].\n\n## Sources\n\n\
                [1] https://beta.example/one\n[2] https://beta.example/two\n\n```json\n{\"rise\": 5, \"months\": [1, 2]}\n```";
    let result = aggregate(app.client(), &[task("alpha", ALPHA, &ALPHAS), task("beta", beta, &[])]).await;
    let expected = [
        ("Costs fell by 3% in June", vec!["https://beta.example/two"]),
        ("Prices rose by 5% in May", vec!["https://beta.example/one"]),
    ];
    assert_eq!(quoted(&result, "beta"), expected, "{result}");
    let shown = content(&result, "beta");
    assert!(!shown.contains("## Sources") && shown.contains("\"months\": [1, 2]"), "{shown}");
}

#[tokio::test]
async fn what_cites_nothing_is_no_number_of_a_source() {
    let app = TestApp::new().start().await;
    let beta = "## Memory use [1]\n\nVacuum needs <code>rows[1]</code> and less memory. \
                It is told <i title=\"see [1]\">here</i> at length.";
    let results = [
        task("alpha", ALPHA, &ALPHAS),
        task("beta", beta, &["https://beta.example/one"]),
        failed("gamma", "upstream replied [503] to call [1]"),
    ];
    let result =
        combine(app.client(), "/aggregations", json!({"query": "marker [1] in tables?", "results": results}))
            .await;
    let synthesis = text(&result, "synthesis");
    for shown in [
        "`rows[1]`",
        "It is told &lt;i title=\"see \\[1]\">here",
        "### Memory use\n",
        "\\[503\\] to call \\[1\\]",
    ] {
        assert!(synthesis.contains(shown), "{shown}: {synthesis}");
    }
    let page = app.client().post("/aggregations?format=html").json(&json!({"results": [
        task("alpha", "The value of my_list[1] is five in each case \\\\[1] and more [1].", &["https://alpha.example/one"]),
    ]}));
    let page = page.send().await;
    let page = page.text();
    assert!(page.contains("my_list[1] is five in each case"), "{page}");
    assert!(!page.contains("[1]</a> is") && !page.contains("my_list<a"), "{page}");
}

#[tokio::test]
async fn data_that_is_quoted_stays_data() {
    let app = TestApp::new().start().await;
    let beta = r#"[{"plan": "Pro", "seats": [1, 2]}, {"plan": "Team", "seats": [2]}]"#;
    let results = [task("alpha", ALPHA, &ALPHAS), task("beta", beta, &[])];
    let result = aggregate(app.client(), &results).await;
    let expected = [r#""plan": "Pro", "seats": \[1, 2]"#, r#""plan": "Team", "seats": \[2]"#];
    let found: Vec<&str> = quoted(&result, "beta").into_iter().map(|(content, _)| content).collect();
    assert_eq!(found, expected, "{result}");
    assert_eq!(content(&result, "beta"), beta);
    let page = app.client().post("/aggregations?format=html").json(&json!({"results": results})).send().await;
    let page = page.text();
    for (at, _) in page.match_indices("seats") {
        let behind: String = page[at..].chars().take(160).collect();
        assert!(!behind.contains("<a "), "{behind}");
    }
}
