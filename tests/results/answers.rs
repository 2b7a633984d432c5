//! `POST /answers`: out of a context sheet.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem};
use crate::scene::{assert_order, combine, each, text};

fn sheet(status: &str, entries: Value) -> Value {
    json!({"objective": "How long is a quote valid?", "sheet": {"status": status, "entries": entries, "citations": [
        {"id": "c1", "title": "Quotes", "url": "https://a.org/quotes", "quality": "HIGH"},
        {"id": "c2", "title": "Orders", "url": "https://b.org/orders", "quality": "MEDIUM"},
        {"id": "c3", "title": "Click", "url": "javascript:alert(1)", "quality": "MEDIUM"},
        {"id": "c4", "title": "Rumours", "url": "https://d.org", "quality": "REJECTED"},
        {"id": "c5", "title": "Notes", "url": "https://e.org", "quality": "LOW"},
        {"id": "c6", "title": "More", "url": "https://f.org"}
    ]}})
}

async fn answered(app: &TestApp, body: Value) -> Value {
    combine(app.client(), "/answers", body).await
}

#[tokio::test]
async fn entries_come_in_their_order_with_the_sheets_sources_by_first_use() {
    let app = TestApp::new().start().await;
    let entries = json!([
        {"content": "Orders ship in 2 days.", "citations": ["c2"]},
        {"content": "Quotes last 30 days.", "citations": ["c1", "c2"]},
        {"content": "Nobody knows why.", "citations": ["c3"]},
    ]);
    let answer = answered(&app, sheet("completed", entries)).await;
    assert_eq!(
        answer["answer"],
        "Orders ship in 2 days. [1]\n\nQuotes last 30 days. [2][1]\n\nNobody knows why. [3]"
    );
    assert_eq!(each(&answer["references"], "id"), ["c2", "c1", "c3"]);
    let first = json!({"id": "c2", "title": "Orders", "url": "https://b.org/orders", "quality": "MEDIUM"});
    assert_eq!(answer["references"][0], first);
    assert_eq!(answer["references"][2]["url"], Value::Null, "no link that runs");
    assert_eq!(each(&answer["unused_references"], "id"), ["c4", "c5", "c6"]);
    let output = text(&answer, "formatted_output");
    assert_order(
        output,
        &[
            "How long is a quote valid?",
            "Orders ship",
            "References",
            "c2",
            "c1",
            "Not cited",
            "c4",
            "Confidence",
        ],
    );
    assert!(!output.contains("](javascript"), "{output}");
}

#[tokio::test]
async fn confidence_follows_the_published_rule() {
    let app = TestApp::new().start().await;
    let body = |status: &str, qualities: &[&str]| {
        let ids: Vec<String> = (0..qualities.len()).map(|n| format!("c{n}")).collect();
        let citations: Vec<Value> = ids
            .iter()
            .zip(qualities)
            .map(|(id, quality)| json!({"id": id, "title": id, "url": format!("https://{id}.org"), "quality": quality}))
            .map(|mut citation| {
                if citation["quality"] == "" {
                    citation["quality"].take();
                }
                citation
            })
            .collect();
        json!({"objective": "Why?", "sheet": {"status": status, "entries": [{"content": "So.", "citations": ids}], "citations": citations}})
    };
    for (status, qualities, expected) in [
        ("completed", &["HIGH"][..], 80),
        ("completed", &["HIGH", "HIGH"], 100),
        ("completed", &["MEDIUM", "MEDIUM"], 90),
        ("completed", &["HIGH", "LOW"], 90),
        ("completed", &["HIGH", ""], 90),
        ("completed", &["HIGH", "REJECTED"], 50),
        ("completed", &["REJECTED"], 30),
        ("completed", &["REJECTED", "REJECTED", "REJECTED"], 0),
        ("completed", &[], 0),
        ("aborted", &["HIGH", "HIGH"], 80),
        ("aborted", &["HIGH"], 60),
        ("aborted", &["MEDIUM", "MEDIUM"], 70),
    ] {
        let answer = answered(&app, body(status, qualities)).await;
        assert_eq!(answer["confidence"], expected, "{status} {qualities:?}: {answer}");
    }
}

#[tokio::test]
async fn aborted_sheet_says_so() {
    let app = TestApp::new().start().await;
    let entries = json!([{"content": "Quotes last 30 days.", "citations": ["c1"]}]);
    let answer = answered(&app, sheet("aborted", entries)).await;
    assert_order(text(&answer, "answer"), &["Incomplete", "aborted", "Quotes last 30 days. [1]"]);
    assert!(text(&answer, "formatted_output").contains("Incomplete"));
}

#[tokio::test]
async fn empty_sheet_says_so() {
    let app = TestApp::new().start().await;
    for (status, said) in [("completed", "empty"), ("aborted", "aborted")] {
        for entries in [json!([]), json!([{"content": "  \n", "citations": ["c1"]}])] {
            let answer = answered(&app, sheet(status, entries)).await;
            assert_order(text(&answer, "answer"), &["no answer", said]);
            assert_eq!((&answer["confidence"], &answer["references"]), (&json!(0), &json!([])));
            assert_eq!(each(&answer["unused_references"], "id").len(), 6);
            assert!(text(&answer, "formatted_output").contains(text(&answer, "answer")));
        }
    }
}

#[tokio::test]
async fn citation_that_the_sheet_does_not_have_is_told() {
    let app = TestApp::new().start().await;
    let entries = json!([{"content": "Quotes last 30 days [c1] and [9].", "citations": ["c9"]}]);
    let answer = answered(&app, sheet("completed", entries)).await;
    assert_eq!(each(&answer["references"], "id"), ["c1"]);
    assert!(!text(&answer, "answer").contains("[9]"), "{answer}");
    let codes = each(&answer["issues"], "code");
    assert!(codes.contains(&"unknown_citation") && codes.contains(&"dangling_citation"), "{codes:?}");
}

/// An entry that brings its own list numbers by that, whatever the sheet's ids are.
#[tokio::test]
async fn numbers_of_an_entry_mean_what_its_own_list_says() {
    let app = TestApp::new().start().await;
    let content = "Revenue rose [1]. Staff fell ([2], [7]).\n\n## Sources\n[1] Beta: https://b.org/y\n[2] Alpha: https://a.org/x";
    let citations = json!([
        {"id": 1, "title": "Alpha", "url": "https://a.org/x"}, {"id": 2, "title": "Beta", "url": "https://b.org/y"}
    ]);
    let body = json!({"objective": "How is it?", "sheet": {"status": "completed", "citations": citations,
        "entries": [{"content": content, "citations": []}]}});
    let answer = answered(&app, body).await;
    // The answer has the numbers of the sheet.
    assert_eq!(text(&answer, "answer"), "Revenue rose [2]. Staff fell ([1]).", "{answer}");
    assert_eq!(each(&answer["references"], "title"), ["Alpha", "Beta"], "{answer}");
    let issues = each(&answer["issues"], "code");
    assert!(issues.contains(&"own_references") && issues.contains(&"dangling_citation"), "{answer}");
}

#[tokio::test]
async fn what_entries_say_against_each_other_is_told() {
    let app = TestApp::new().start().await;
    let entries = json!([
        {"content": "A quote of the supplier is valid for 30 days [1].", "citations": ["c1"]},
        {"content": " ", "citations": []},
        {"content": "A quote of the supplier is valid for 14 days [1]. Orders ship in May.", "citations": ["c2"]}
    ]);
    let answer = answered(&app, sheet("completed", entries)).await;
    let issue = answer["issues"].as_array().unwrap().iter().find(|issue| issue["code"] == "contradiction");
    let detail = issue.expect("a contradiction")["detail"].as_str().unwrap();
    for part in ["30 days", "(entry 1)", "14 days", "(entry 3)"] {
        assert!(detail.contains(part), "{detail}");
    }
    let told = format!("## Contradictions\n\n- {detail}");
    assert!(text(&answer, "formatted_output").contains(&told), "who reads it is told, too: {answer}");
    let factors = &answer["confidence_v2"]["factors"];
    assert!(each(factors, "factor").contains(&"contradictions"), "{factors}");
    let agreeing = json!([{"content": "A quote of the supplier is valid for 30 days.", "citations": []},
        {"content": "A quote of the supplier is valid for 30 days, they say.", "citations": []}]);
    let answer = answered(&app, sheet("completed", agreeing)).await;
    assert!(!each(&answer["issues"], "code").contains(&"contradiction"), "{answer}");
    assert!(!text(&answer, "formatted_output").contains("## Contradictions"), "{answer}");
}

#[tokio::test]
async fn hostile_sheet_stays_text() {
    let app = TestApp::new().start().await;
    let title = "Quotes](https://evil.org) \n# Heading <script>alert(1)</script>";
    let body = json!({"objective": title, "sheet": {"status": "done\n# x", "entries": [{"content": "So it is.", "citations": ["c"]}],
        "citations": [{"id": "c", "title": title, "url": "https://a.org/x) [y](https://evil.org"}]}});
    let answer = answered(&app, body).await;
    let definition = json!([{"content": "[a]: javascript:alert(1)//:\n\nSo it is [a].", "citations": []}]);
    let defined = answered(&app, sheet("completed", definition)).await;
    assert!(text(&defined, "answer").starts_with("[a\\]: "), "a definition that a browser runs: {defined}");
    let output = text(&answer, "formatted_output");
    let headings: Vec<&str> = output.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings.len(), 2, "its own title and the references: {headings:?}");
    assert!(
        !output.replace("\\]", "").contains("](https://evil.org") && !output.contains("<script>"),
        "{output}"
    );
}

#[tokio::test]
async fn sheet_that_makes_no_sense_is_refused_with_its_place() {
    let app = TestApp::new().start().await;
    for (body, code, pointer) in [
        (
            json!({"sheet": {"status": "completed", "entries": [], "citations": []}}),
            "invalid_event",
            "/objective",
        ),
        (json!({"objective": "x"}), "invalid_event", "/sheet"),
        (
            json!({"objective": "x", "sheet": {"status": "completed", "entries": [7], "citations": []}}),
            "invalid_event",
            "/sheet/entries/0",
        ),
        (
            json!({"objective": "x", "sheet": {"status": "completed", "entries": [], "citations": [{"title": "t"}]}}),
            "invalid_event",
            "/sheet/citations/0/id",
        ),
        (
            json!({"objective": "x", "sheet": {"status": "completed", "entries": [], "citations": []}, "colour": 1}),
            "unknown_field",
            "/colour",
        ),
    ] {
        let problem = assert_problem(&app.post("/answers").json(&body).send().await, 422, code);
        assert_eq!(each(&problem["errors"], "pointer"), [pointer], "{problem}");
    }
}

/// A sheet whose only entry answers another question, and cites nothing.
fn poor(options: &Value) -> Value {
    let entries = json!([{"content": "The canteen serves soup on Tuesdays.", "citations": []}, {"content": "Orders ship in 2 days.", "citations": ["c2", "c1"]}]);
    let mut body = sheet("completed", entries);
    body["options"] = options.clone();
    body
}

#[tokio::test]
async fn an_answer_of_too_little_quality_is_withheld_and_says_so() {
    let app = TestApp::new().start().await;
    for mode in ["extractive", "llm"] {
        let options = json!({"mode": mode, "min_quality": 1, "on_low_quality": "block"});
        let blocked = answered(&app, poor(&options)).await;
        assert_eq!((text(&blocked, "answer"), &blocked["references"]), ("", &json!([])), "{blocked}");
        assert_eq!(each(&blocked["unused_references"], "id"), ["c1", "c2", "c3", "c4", "c5", "c6"]);
        let reason = text(&blocked, "reason");
        assert!(reason.contains("withheld: its quality is 0.") && reason.contains("wanted is 1"), "{reason}");
        assert_eq!(reason.contains("no language model is configured"), mode == "llm", "{reason}");
        assert_eq!(blocked.get("method").is_some(), mode == "llm");
        let output = text(&blocked, "formatted_output");
        assert!(output.contains("There is no answer") && output.contains("withheld"), "{output}");
        let whole = blocked.to_string();
        assert!(!whole.contains("canteen") && !whole.contains("ship in"), "{whole}");
    }
}

#[tokio::test]
async fn an_answer_of_too_little_quality_is_delivered_with_a_warning_by_default() {
    let app = TestApp::new().start().await;
    let plain = answered(&app, poor(&json!({}))).await;
    assert_eq!(each(&plain["issues"], "code"), ["unsafe_url"]);
    let warned = answered(&app, poor(&json!({"min_quality": 1}))).await;
    assert_eq!(warned["answer"], plain["answer"]);
    assert_eq!(each(&warned["issues"], "code"), ["unsafe_url", "low_quality"]);
    for on_low_quality in ["warn", "block"] {
        let options = json!({"min_quality": 0.2, "on_low_quality": on_low_quality});
        assert_eq!(answered(&app, poor(&options)).await, plain, "good enough");
    }
    let mut empty = sheet("completed", json!([]));
    empty["options"] = json!({"min_quality": 1, "on_low_quality": "block"});
    assert!(text(&answered(&app, empty).await, "answer").contains("the context sheet is empty"));
}

#[tokio::test]
async fn ranges_thoughts_and_the_language_that_is_asked_for_are_read() {
    let app = TestApp::new().start().await;
    let entries = json!([
        {"content": "<think>Which ones?</think>Orders ship in 2 days [2-3].", "citations": ["c1", "c2", "c5"]},
        {"content": "See [the rates][r].\n\n[r]: https://g.org/rates", "citations": ["c6"]},
    ]);
    let mut body = sheet("aborted", entries);
    body["options"] = json!({"language": "de"});
    let answer = answered(&app, body).await;
    let said = text(&answer, "answer");
    assert!(said.starts_with("> **Unvollständig:** "), "{said}");
    assert!(
        said.ends_with(
            "Orders ship in 2 days [1][2]. [3]\n\nSee [the rates][r]. [4]\n\n[r]: https://g.org/rates"
        ),
        "{said}"
    );
    assert_eq!(each(&answer["references"], "id"), ["c2", "c5", "c1", "c6"]);
    assert_order(text(&answer, "formatted_output"), &["## Quellen", "## Nicht zitiert", "**Konfidenz:** "]);
    assert!(each(&answer["issues"], "code").contains(&"left_out"), "{}", answer["issues"]);
}

#[tokio::test]
async fn entries_contradict_each_other_whatever_they_cite_in_their_text() {
    let app = TestApp::new().start().await;
    let entries = json!([
        {"content": "A quote is valid for 30 days [c1].", "citations": ["c1"]},
        {"content": "A quote is valid for 14 days.", "citations": ["c2"]},
    ]);
    let answer = answered(&app, sheet("completed", entries)).await;
    assert!(each(&answer["issues"], "code").contains(&"contradiction"), "{answer}");
}
