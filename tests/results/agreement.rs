//! Who says the same, and who says something else.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, combine, each, text};

fn says(subagent: &str, content: &str) -> Value {
    let source = format!("https://{subagent}.org/page");
    let content = format!("{content} [1].");
    json!({"task_id": subagent, "subagent": subagent, "success": true, "content": content, "sources": [source]})
}

const MONTHS: &str = "The standard warranty covers every pump for 24 months after delivery";

#[tokio::test]
async fn altered_number_is_a_contradiction_and_never_a_duplicate() {
    let app = TestApp::new().start().await;
    let other = MONTHS.replace("24", "36");
    let result = aggregate(app.client(), &[says("crm", MONTHS), says("erp", &other)]).await;
    assert_eq!(each(&result["results"], "task_id").len(), 2);
    assert_eq!(result["metadata"]["deduplicated_count"], 0);
    let [contradiction] = &result["contradictions"].as_array().unwrap()[..] else {
        panic!("one contradiction: {}", result["contradictions"])
    };
    assert_eq!(contradiction["kind"], "number");
    let subagents = each(&contradiction["statements"], "subagent");
    assert_eq!(subagents, ["crm", "erp"], "both sides");
    for (statement, months) in contradiction["statements"].as_array().unwrap().iter().zip(["24", "36"]) {
        assert!(text(statement, "text").contains(months), "{statement}");
        let source = &result["sources"][statement["source"].as_u64().unwrap() as usize - 1];
        assert_eq!(source["cited_by"], json!([statement["subagent"]]), "{statement}");
    }
    assert_eq!(contradiction["sources"].as_array().unwrap().len(), 2);
    assert!(!text(contradiction, "suggestion").is_empty() && !text(contradiction, "description").is_empty());
    assert!(result["metadata"]["pairs_checked"].as_u64().unwrap() >= 1);
    for finding in result["findings"].as_array().unwrap() {
        assert!(finding["verify"].is_string(), "what is contested has to be checked: {finding}");
        assert_eq!(finding["contributors"].as_array().unwrap().len(), 1, "{finding}");
    }
    assert!(text(&result, "synthesis").contains("## Contradictions"), "{}", result["synthesis"]);
}

#[tokio::test]
async fn contradiction_is_told_as_what_it_is() {
    let app = TestApp::new().start().await;
    for (kind, one, two) in [
        (
            "number",
            "The standard warranty covers every pump for 24 months",
            "The standard warranty covers every pump for 30 months",
        ),
        (
            "negation",
            "The standard warranty covers damage by frost in winter",
            "The standard warranty does not cover damage by frost in winter",
        ),
        (
            "polarity",
            "The sales of the northern branch increased in the last quarter",
            "The sales of the northern branch decreased in the last quarter",
        ),
    ] {
        let result = aggregate(app.client(), &[says("crm", one), says("erp", two)]).await;
        assert_eq!(
            each(&result["contradictions"], "kind"),
            [kind],
            "{one} / {two}: {}",
            result["contradictions"]
        );
        assert_eq!(result["metadata"]["deduplicated_count"], 0, "{one} / {two}");
    }
}

#[tokio::test]
async fn dates_that_differ_are_a_contradiction_however_they_are_written() {
    let app = TestApp::new().start().await;
    for (one, two) in [
        ("in March 2024", "in May 2024"),
        ("on 2024-03-01", "on 2024-05-01"),
        ("on 1 March 2024", "on 1 May 2024"),
        ("on March 1, 2024", "on March 2, 2024"),
    ] {
        let said = |date: &str| format!("The contract with the new supplier was signed {date} in Berlin");
        let result = aggregate(app.client(), &[says("crm", &said(one)), says("erp", &said(two))]).await;
        assert_eq!(result["metadata"]["deduplicated_count"], 0, "{one} / {two}");
        assert_eq!(each(&result["contradictions"], "kind"), ["date"], "{one} / {two}");
    }
}

#[tokio::test]
async fn twin_counts_as_a_contributor_and_brings_its_source() {
    let app = TestApp::new().start().await;
    let result = aggregate(app.client(), &[says("crm", MONTHS), says("web", MONTHS)]).await;
    assert_eq!(each(&result["results"], "task_id"), ["crm"]);
    assert_eq!(result["results"][0]["merged"], json!(["web"]));
    assert_eq!(result["metadata"]["deduplicated_count"], 1);
    assert_eq!(result["metadata"]["filtered_results"], 0, "it isn't lost");
    let [finding] = &result["findings"].as_array().unwrap()[..] else {
        panic!("one finding: {}", result["findings"])
    };
    assert_eq!(finding["contributors"], json!(["crm", "web"]));
    assert_eq!(finding["sources"], json!([1, 2]));
    assert_ne!(finding["confidence"], "low", "two independent sites agree");
    assert_eq!(each(&result["sources"], "url"), ["https://crm.org/page", "https://web.org/page"]);
    assert_eq!(result["contradictions"], json!([]));
}

#[tokio::test]
async fn the_same_words_on_different_things_are_two_results() {
    let app = TestApp::new().start().await;
    for (tasks, words, listed) in [
        (["Pricing of Notion", "Pricing of Coda"], "The paid plan costs $10 per user a month", 2),
        (["Lebensdauer von Hunden", "Lebensdauer von Katzen"], "Sie werden im Mittel 13 Jahre alt", 2),
        // Both say what they are of, or are asked of one thing.
        (["Pricing of Notion", "Pricing of Coda"], "Notion costs $10 per user a month, as does Coda", 1),
        (["Pricing of Notion", "Pricing of Notion"], "The paid plan costs $10 per user a month", 1),
    ] {
        let mut said = [says("crm", words), says("web", words)];
        said.iter_mut().zip(tasks).for_each(|(said, task)| said["task"] = json!(task));
        let result = aggregate(app.client(), &said).await;
        assert_eq!(each(&result["results"], "task_id").len(), listed, "{tasks:?}, {words}");
        assert_eq!(result["metadata"]["deduplicated_count"], 2 - listed, "{tasks:?}, {words}");
    }
}

#[tokio::test]
async fn one_site_that_is_quoted_twice_is_one_witness() {
    let app = TestApp::new().start().await;
    let task = |id: &str, url: &str| json!({"task_id": id, "subagent": id, "success": true, "content": format!("{MONTHS} [1]."), "sources": [url]});
    let same = [task("crm", "https://docs.site.org/a"), task("web", "https://www.site.org/b")];
    let result = aggregate(app.client(), &same).await;
    let apart = [task("crm", "https://docs.site.org/a"), task("web", "https://other.org/b")];
    let other = aggregate(app.client(), &apart).await;
    let verify = |result: &Value| result["findings"][0]["verify"].as_str().unwrap_or_default().to_owned();
    assert!(verify(&result).contains("one site"), "{}", result["findings"]);
    assert!(!verify(&other).contains("one site"), "{}", other["findings"]);
    let score = |result: &Value| result["confidence_v2"]["score"].as_u64().unwrap();
    assert!(score(&other) > score(&result), "{} and {}", score(&other), score(&result));
}

#[tokio::test]
async fn nothing_is_merged_where_that_is_not_wanted() {
    let app = TestApp::new().start().await;
    let results = json!([says("crm", MONTHS), says("web", MONTHS)]);
    let body = json!({"results": results, "options": {"deduplicate": false}});
    let result = combine(app.client(), "/aggregations", body).await;
    assert_eq!(each(&result["results"], "task_id"), ["crm", "web"]);
    assert_eq!(result["metadata"]["deduplicated_count"], 0);
}

#[tokio::test]
async fn same_item_below_opposite_lines_is_a_contradiction_with_those_lines() {
    let app = TestApp::new().start().await;
    let lists = [("crm", "Included"), ("erp", "Not included")].map(|(subagent, line)| {
        let content = format!("{line}:\n- Breakfast\n- {subagent} of the hotel in the centre of the town");
        let source = format!("https://{subagent}.org/page");
        json!({"task_id": subagent, "subagent": subagent, "success": true, "content": content, "sources": [source]})
    });
    let result = aggregate(app.client(), &lists).await;
    let [contradiction] = &result["contradictions"].as_array().unwrap()[..] else {
        panic!("one contradiction: {result}")
    };
    assert_eq!((&contradiction["kind"], &contradiction["sources"]), (&json!("negation"), &json!([1, 2])));
    assert!(text(contradiction, "description").contains("“Not included: Breakfast”"), "{contradiction}");
    for statement in contradiction["statements"].as_array().unwrap() {
        let line = if statement["subagent"] == "crm" { "Included" } else { "Not included" };
        assert_eq!((text(statement, "lead_in"), text(statement, "text")), (line, "Breakfast"), "{statement}");
        let told = format!("{line}: “Breakfast” [{}]", statement["source"]);
        assert!(text(&result, "synthesis").contains(&told), "{told}: {}", result["synthesis"]);
    }
}

/// What contradicts in the bare texts of two subagents with a task each.
async fn kinds(app: &TestApp, texts: [&str; 2], tasks: [&str; 2]) -> Value {
    let say = |at: usize| json!({"task_id": format!("t{at}"), "task": tasks[at], "subagent": format!("a{at}"), "success": true, "content": texts[at]});
    let result = aggregate(app.client(), &[say(0), say(1)]).await;
    json!(each(&result["contradictions"], "kind"))
}

#[tokio::test]
async fn number_of_a_task_hides_no_contradiction() {
    let app = TestApp::new().start().await;
    let causes = [
        "The outage was caused by an expired TLS certificate.",
        "The outage was caused by connection pool exhaustion.",
    ];
    assert_eq!(kinds(&app, causes, ["Subtask 1", "Subtask 2"]).await, json!(["reported"]));
    let prices = ["Price: €499", "Price: €549"];
    let steps = ["Step 1: find the price", "Step 2: verify the price"];
    assert_eq!(kinds(&app, prices, steps).await, json!(["number"]));
    assert_eq!(kinds(&app, prices, ["Step 1: price of Acme", "Step 2: price of Globex"]).await, json!([]));
}

#[tokio::test]
async fn what_is_said_of_others_or_of_another_time_contradicts_nothing_in_any_language() {
    let app = TestApp::new().start().await;
    for texts in [
        [
            "Chez l’adulte, la dose maximale est de 4 g par jour.",
            "Chez l’enfant, la dose maximale est de 2 g par jour.",
        ],
        ["У взрослых доза составляет 400 мг.", "У детей доза составляет 200 мг."],
        ["Vor dem Update lag die Latenz bei 300 ms.", "Nach dem Update lag die Latenz bei 120 ms."],
        ["The Golf costs $28,000.", "The Golf GTI costs $44,000."],
        ["El billete de ida cuesta 45 €.", "El billete de ida y vuelta cuesta 80 €."],
        ["Der Preis inkl. MwSt. beträgt 119 €.", "Der Preis zzgl. MwSt. beträgt 100 €."],
        ["会議は2時間30分です。", "会議は150分です。"],
        ["Le vol dure 2 h 30.", "Le vol dure 150 min."],
    ] {
        assert_eq!(kinds(&app, texts, ["", ""]).await, json!([]), "{texts:?}");
    }
}

#[tokio::test]
async fn figures_that_differ_contradict_in_every_form() {
    let app = TestApp::new().start().await;
    let table = |price: u16, weight: f32| {
        format!("| Model | Price | Weight |\n|---|---|---|\n| Zephyr X2 | €{price} | {weight} kg |")
    };
    let object = |price: u16, weight: f32| {
        format!(r#"{{"product":"Zephyr X2","price_eur":{price},"weight_kg":{weight}}}"#)
    };
    for (one, other) in [
        (table(499, 1.2), table(549, 1.4)),
        (object(499, 1.2), object(549, 1.4)),
        (
            "region,failed orders\nEMEA,1240\nAPAC,310\nAMER,95".to_owned(),
            "region,failed orders\nEMEA,1840\nAPAC,310\nAMER,95".to_owned(),
        ),
        ("The meeting starts at 14:05.".to_owned(), "The meeting starts at 16:20.".to_owned()),
        ("Gwarancja wynosi 2 lata.".to_owned(), "Gwarancja wynosi 5 lat.".to_owned()),
        ("Гарантия составляет 2 года.".to_owned(), "Гарантия составляет 5 лет.".to_owned()),
        ("Le préavis est de 1 an.".to_owned(), "Le préavis est de 2 ans.".to_owned()),
        ("가격은 59,800원입니다.".to_owned(), "가격은 61,000원입니다.".to_owned()),
    ] {
        assert_eq!(kinds(&app, [&one, &other], ["", ""]).await, json!(["number"]), "{one} / {other}");
    }
    for (one, other) in [
        ("Deadline: 31 March 2025", "Deadline: 30 June 2025"),
        (
            "Resturlaub verfällt am 31. März des Folgejahres.",
            "Resturlaub verfällt am 30. Juni des Folgejahres.",
        ),
    ] {
        assert_eq!(kinds(&app, [one, other], ["", ""]).await, json!(["date"]), "{one} / {other}");
    }
    let figures = ["- Revenue: $3.2 million\n- Employees: 120", "- Revenue: $4.1 million\n- Employees: 140"];
    assert_eq!(kinds(&app, figures, ["", ""]).await, json!(["number", "number"]));
    // Of two that are compared each may be of one.
    let say = |at: usize| json!({"task_id": format!("t{at}"), "subagent": format!("a{at}"), "success": true, "content": figures[at]});
    let comparing = json!({"query": "Compare the Zephyr X2 with the X3", "results": [say(0), say(1)]});
    assert_eq!(combine(app.client(), "/aggregations", comparing).await["contradictions"], json!([]));
}
