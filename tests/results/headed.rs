//! What a quotation is of, by the headings above it and by what its subagent was asked.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{combine, each, task, text};

const DOGS_AND_CATS: &str = "## Dogs\n\n### Lifespan\n- Typically live 10 to 13 years [1]\n\n## Cats\n\n### Lifespan\n- Typically live 12 to 18 years [2]\n";

async fn asked(app: &TestApp, query: &str, results: &[Value]) -> Value {
    combine(app.client(), "/aggregations", json!({"query": query, "results": results})).await
}

#[tokio::test]
async fn same_heading_below_others_is_of_other_things() {
    let app = TestApp::new().start().await;
    let sources = ["https://a.com/1", "https://b.com/2"];
    let result = asked(&app, "How long do dogs and cats live?", &[task("a", DOGS_AND_CATS, &sources)]).await;
    assert_eq!(result["contradictions"], json!([]), "{result}");
    let mut topics = each(&result["findings"], "topic");
    topics.sort_unstable();
    assert_eq!(topics, ["Cats: Lifespan", "Dogs: Lifespan"], "{result}");
    for field in ["summary", "synthesis"] {
        let shown = text(&result, field);
        assert!(topics.iter().all(|topic| shown.contains(topic)), "{field}: {shown}");
    }
}

#[tokio::test]
async fn titles_and_tasks_say_what_outputs_are_of() {
    let app = TestApp::new().start().await;
    let titled = |title: &str, users: usize| {
        let content = format!("# {title}\n\n## Pricing\n\nThe free plan includes {users} users.");
        task(title, &content, &["https://a.com/1"])
    };
    let result = asked(&app, "Compare Notion and Coda", &[titled("Notion", 5), titled("Coda", 3)]).await;
    assert_eq!(result["contradictions"], json!([]), "{result}");
    let shown = text(&result, "summary");
    assert!(shown.contains("Notion: Pricing: “") && shown.contains("Coda: Pricing: “"), "{shown}");

    let answered = |name: &str, users: usize| {
        let mut result = task(name, &format!("The free plan includes {users} users."), &["https://a.com/1"]);
        result["subagent"] = json!(format!("s{users}"));
        result["task"] = json!(format!("Pricing of {name}"));
        result
    };
    let query = "Compare the pricing of Notion, Coda and Airtable";
    let result = asked(&app, query, &[answered("Notion", 5), answered("Coda", 3)]).await;
    assert_eq!(result["contradictions"], json!([]), "{result}");
    let shown = text(&result, "summary");
    assert!(shown.contains("Notion: “") && shown.contains("Coda: “"), "{shown}");
    let shown = text(&result, "synthesis");
    assert!(shown.contains("### Notion") && shown.contains("### Coda"), "{shown}");
}
