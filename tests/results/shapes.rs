//! Shapes in which models answer: JSON beside other JSON, lists below a line that announces them, parts as tasks.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{combine, each, text};

/// The aggregated result of subagents' texts, each to a task of its own, on a query.
async fn on(query: &str, said: &[(&str, &str)]) -> Value {
    let app = TestApp::new().start().await;
    let result = |(at, (task, content)): (usize, &(&str, &str))| json!({"task_id": format!("t{at}"), "subagent": format!("s{at}"), "task": task, "success": true, "content": content});
    let results: Vec<Value> = said.iter().enumerate().map(result).collect();
    combine(app.client(), "/aggregations", json!({"query": query, "results": results})).await
}

fn quoted(result: &Value) -> Vec<&str> {
    each(&result["findings"], "content")
}

fn gaps(result: &Value) -> Vec<&str> {
    result["gaps"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn what_stands_beside_an_object_in_json_is_quoted() {
    let content = json!({
        "recommendation": "Use pgvector for the search service.",
        "evidence": {"latency": "The p99 latency of pgvector was 12 ms in our test."},
        "sources": [{"title": "pgvector", "url": "https://pgvector.example/docs"}],
    });
    let result = on("Which vector store should we use?", &[("", &content.to_string())]).await;
    let quoted = quoted(&result);
    for words in ["Use pgvector for the search service", "p99 latency of pgvector was 12 ms"] {
        assert!(quoted.iter().any(|content| content.contains(words)), "{words}: {quoted:?}");
    }
    assert!(quoted.iter().all(|content| !content.contains("https://")), "a source is no finding: {quoted:?}");
}

#[tokio::test]
async fn json_says_the_same_however_its_letters_are_escaped() {
    let query = "Wie hoch ist der Turm?";
    for said in [
        r#"{"answer": "Der Turm ist 333 m hoch und steht in M\u00fcnchen.", "region": "M\u00e9doc", "floors": 88}"#,
        "{\"answer\": \"Der Turm ist 333 m hoch und steht in München.\", \"region\": \"Médoc\", \"floors\": 88}",
    ] {
        let result = on(query, &[("", said), ("", "Der Eintritt kostet 12 Euro.")]).await;
        let quoted = quoted(&result);
        for words in
            ["Der Turm ist 333 m hoch und steht in München.", "\"region\": \"Médoc\", \"floors\": 88"]
        {
            assert!(quoted.contains(&words), "{words}: {quoted:?}");
        }
        assert!(gaps(&result).iter().all(|gap| !gap.contains("No finding covers")), "{:?}", gaps(&result));
    }
}

#[tokio::test]
async fn what_an_object_is_of_stays_with_its_figures() {
    for (one, other) in [
        (r#""model":"Golf","price":20000"#, r#""model":"Polo","price":17000"#),
        (r#""type":"hotel","rooms":20"#, r#""type":"hostel","rooms":9"#),
        (r#""kind":"apartment","price":300000"#, r#""kind":"villa","price":900000"#),
        (r#""version":"1.0","size":100"#, r#""version":"2.0","size":162"#),
        (r#""language":"German","speakers":95"#, r#""language":"French","speakers":310"#),
        (r#""source":"wind","twh":142"#, r#""source":"solar","twh":60"#),
        (r#""model":"gpt","accuracy":0.81"#, r#""model":"llama","accuracy":0.74"#),
    ] {
        let said = [one, other].map(|members| format!("{{{members}}}"));
        let result = on("What is it?", &[("", &said[0]), ("", &said[1])]).await;
        let quoted = quoted(&result);
        assert!(quoted.contains(&one) && quoted.contains(&other), "{quoted:?}");
        assert_eq!(result["contradictions"], json!([]), "{one} / {other}");
    }
    let flats = r#"{"summary":"Two flats are free.","flats":[{"type":"studio","rent":900},{"type":"loft","rent":1900}]}"#;
    let result = on("Which flats are free?", &[("", flats)]).await;
    let quoted = quoted(&result);
    for row in ["\"type\":\"studio\",\"rent\":900", "\"type\":\"loft\",\"rent\":1900"] {
        assert!(quoted.contains(&row), "{quoted:?}");
    }
}

#[tokio::test]
async fn part_that_is_somebodys_task_is_no_gap() {
    let said = [
        ("Benefits", "Teams deploy each service on its own. Faults stay in one service."),
        ("Risks", "Calls over the network fail more often. Data is spread over many stores."),
    ];
    let result = on("benefits and risks of microservices", &said).await;
    assert!(gaps(&result).iter().all(|gap| !gap.contains("risks") && !gap.contains("benefits")), "{result}");
    let result = on("benefits and risks of microservices", &said[..1]).await;
    assert!(gaps(&result).iter().any(|gap| gap.contains("risks")), "{:?}", result["gaps"]);
}

#[tokio::test]
async fn label_is_a_topic_that_begins_with_a_capital() {
    let said = [
        ("", "- Lead time: orders arrive after nine days.\n- Warranty: two years on all parts."),
        ("", "- lead time: the vendor delivers within nine days of an order."),
    ];
    let result = on("What does the vendor offer?", &said).await;
    let topics = each(&result["findings"], "topic");
    assert!(topics.contains(&"Lead time") && topics.contains(&"Warranty"), "{topics:?}");
    assert!(!topics.contains(&"lead time"), "{topics:?}");
}

#[tokio::test]
async fn short_items_below_a_line_that_announces_them_are_quoted() {
    let content = "The main risks are:\n\n- Inflation\n- War\n- Higher rates [1]\n\nAll else is minor.";
    let result = on("What are the main risks?", &[("", content)]).await;
    let quoted = quoted(&result);
    for risk in ["Inflation", "War", "Higher rates"] {
        assert!(quoted.iter().any(|content| content.contains(risk)), "{risk}: {quoted:?}");
    }
}

#[tokio::test]
async fn answers_in_words_are_held_against_each_other() {
    let said = [("", "Answer: Paris"), ("", "The answer is London")];
    let result = on("What is the capital of Eldoria?", &said).await;
    assert_eq!(each(&result["contradictions"], "kind"), ["reported"], "{result}");
    let statements = each(&result["contradictions"][0]["statements"], "text");
    assert_eq!(statements, ["Answer: Paris", "The answer is London"]);
    assert!(gaps(&result).is_empty(), "{:?}", result["gaps"]);
    assert!(text(&result, "synthesis").contains("London"), "{result}");
}

#[tokio::test]
async fn excuse_of_a_subagent_is_no_finding() {
    let said = [
        ("", "I could not access the logs for 12 May."),
        ("", "The pool was exhausted after the deployment of version 2.14."),
    ];
    let result = on("Why did checkout fail on 12 May?", &said).await;
    assert_eq!(quoted(&result), ["The pool was exhausted after the deployment of version 2.14."], "{result}");
    assert!(result.to_string().contains("could not access the logs"), "it is told elsewhere: {result}");
}

#[tokio::test]
async fn a_contradiction_says_below_which_label_its_items_stand() {
    let cities = |madrid: &str| {
        format!("**Madrid**\n\n- Population: {madrid} million\n\n**Hamburg**\n\n- Population: 1.9 million")
    };
    let said = [cities("3.3"), cities("3.9")];
    let result = on("How many people live there?", &[("", &said[0]), ("", &said[1])]).await;
    let contradictions = result["contradictions"].as_array().unwrap();
    assert_eq!(contradictions.len(), 1, "{contradictions:?}");
    assert_eq!(each(&contradictions[0]["statements"], "lead_in"), ["Madrid"; 2], "{contradictions:?}");
}

#[tokio::test]
async fn a_label_above_a_list_is_none_of_what_stands_behind_it() {
    let dose = "**Contraindications:**\n- Pregnancy in the third trimester\n- Ulcer of the stomach\n\nThe dose is 400 mg.";
    let result = on("What is the dose of ibuprofen?", &[("", dose)]).await;
    assert_eq!(text(&result, "summary"), "“The dose is 400 mg.” — *s0*", "{result}");
    let verdict = "### Minor\n- Type hints are missing on 12 functions.\n\n**Verdict:** Do not merge until the login is fixed.";
    let result = on("Is it safe to merge?", &[("", verdict)]).await;
    assert!(!text(&result, "summary").contains("Minor"), "{result}");
}

#[tokio::test]
async fn what_carries_its_address_is_quoted_with_that_as_its_source() {
    const URL: &str = "https://shop.example.com/zephyr-x2/specifications";
    let query = "What does the Zephyr X2 cost and how much does it weigh?";
    for (price, weight) in [
        (format!("- Price: €499 (source: {URL})"), format!("- Weight: 1.2 kg (source: {URL})")),
        (format!("- **Price:** €499 ([source]({URL}))"), format!("- **Weight:** 1.2 kg ([source]({URL}))")),
        (format!("- Price: €499 — {URL}"), format!("- Weight: 1.2 kg — {URL}")),
    ] {
        for before in ["", "It is a small and very light machine.\n\n"] {
            let content = format!("{before}{price}\n{weight}");
            let result = on(query, &[("", &content)]).await;
            let findings = result["findings"].as_array().unwrap();
            for said in ["€499", "1.2 kg"] {
                let finding =
                    findings.iter().find(|finding| finding["content"].as_str().unwrap().contains(said));
                assert_eq!(finding.map(|finding| &finding["sources"]), Some(&json!([1])), "{content}");
            }
            assert!(
                gaps(&result).iter().all(|gap| !gap.contains("No finding covers")),
                "{:?}",
                gaps(&result)
            );
        }
    }
    let founded =
        "Founded in 1987 (source: https://en.wikipedia.org/wiki/Acme_Corporation). It has 3,200 staff.";
    let result = on("When was Acme founded?", &[("", founded)]).await;
    assert_eq!(quoted(&result).len(), 2, "{:?}", quoted(&result));
}

#[tokio::test]
async fn what_stands_alone_below_its_heading_is_quoted() {
    for (query, content, answers) in [
        (
            "What was the root cause of the outage?",
            "## Root cause\nExpired TLS certificate\n\n## Timeline\nThe outage started at 14:05.",
            &["Expired TLS certificate"][..],
        ),
        (
            "Who won the 2022 World Cup?",
            "## Answer\n**Argentina**\n\n## Details\nThe final was played in Lusail in December.",
            &["Argentina"],
        ),
        (
            "What are the interactions of ibuprofen?",
            "## Interactions\n- Warfarin\n- Lithium\n\n## Dosage\nAdults take 400 mg every 8 hours.",
            &["Warfarin", "Lithium"],
        ),
        (
            "What are the side effects of ibuprofen?",
            "Rare:\n- Liver failure\n\nAdults take 400 mg every 8 hours.",
            &["Rare:\n- Liver failure"],
        ),
    ] {
        let result = on(query, &[("", content)]).await;
        let quoted = quoted(&result);
        assert!(answers.iter().all(|answer| quoted.contains(answer)), "{query}: {quoted:?}");
    }
}

#[tokio::test]
async fn json_that_a_line_announces_is_quoted_beside_sentences() {
    let content = "I looked up the leaflet and found the following values:\n\n```json\n{\"dose_mg\": 400, \"interval_h\": 8}\n```\n\nThese are for adults.";
    let result = on("What is the dose of ibuprofen?", &[("", content)]).await;
    let quoted = quoted(&result);
    assert!(quoted.contains(&"\"dose_mg\": 400, \"interval_h\": 8"), "{quoted:?}");
    assert!(gaps(&result).is_empty(), "{:?}", gaps(&result));
}

#[tokio::test]
async fn items_in_other_marks_are_quoted_as_those_of_markdown_are() {
    let query = "What are the main risks?";
    let items = ["Currency swings: may affect profit by 5%", "Supply chain disruption", "Regulatory change"];
    for marks in [["•"; 3], ["◦"; 3], ["→"; 3], ["a)", "b)", "c)"], ["(1)", "(2)", "(3)"]] {
        let lines: Vec<String> =
            marks.iter().zip(items).map(|(mark, item)| format!("{mark} {item}")).collect();
        let result = on(query, &[("", &format!("Main risks:\n{}", lines.join("\n")))]).await;
        assert_eq!(quoted(&result), items, "{marks:?}");
        assert!(gaps(&result).is_empty(), "{marks:?}: {:?}", gaps(&result));
    }
    let content = "The plan costs $12 per user per month.\n\n✅ Supports SSO\n❌ No SCIM support";
    let result = on("Does it support SSO and SCIM?", &[("", content)]).await;
    let quoted = quoted(&result);
    assert!(["✅ Supports SSO", "❌ No SCIM support"].iter().all(|line| quoted.contains(line)), "{quoted:?}");
}

#[tokio::test]
async fn a_quotation_in_german_marks_ends_a_text_as_a_whole() {
    let content = "Die Firma sitzt in Bremen.\n\nAntwort: „nein“";
    let result = on("Gibt es eine Frist?", &[("", content)]).await;
    assert!(quoted(&result).contains(&"Antwort: „nein“"), "{:?}", quoted(&result));
    assert!(gaps(&result).iter().all(|gap| !gap.contains("clipped")), "{:?}", gaps(&result));
}

#[tokio::test]
async fn lines_with_markers_in_their_labels_have_sources_of_their_own() {
    let content = "**Probezeit** [1]: 3 Monate\n**Urlaub** [2]: 30 Tage\n\n[1] https://a.example.de/x\n[2] https://b.example.de/y";
    let result = on("Wie lang sind Probezeit und Urlaub?", &[("", content)]).await;
    let findings = result["findings"].as_array().unwrap();
    let sources: Vec<&Value> = findings.iter().map(|finding| &finding["sources"]).collect();
    assert_eq!(sources, [&json!([1]), &json!([2])], "{findings:?}");
}
