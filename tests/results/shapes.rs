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
