//! Compositions: what parts that were written apart need to stand in one document.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{assert_order, combine, each, text};

/// The result of a composition of parts, each a name and a text.
async fn composed(parts: &[(&str, &str)]) -> Value {
    composed_with(parts, json!({})).await
}

async fn composed_with(parts: &[(&str, &str)], options: Value) -> Value {
    let app = TestApp::new().start().await;
    let leaf = |(id, content): &(&str, &str)| json!({"id": id, "goal": id, "task_type": "composition", "content": content});
    let children: Vec<Value> = parts.iter().map(leaf).collect();
    let root = json!({
        "id": "root", "goal": "Company profile", "task_type": "composition", "children": children, "options": options,
    });
    combine(app.client(), "/trees", root).await["result"].take()
}

#[tokio::test]
async fn a_part_in_a_fence_is_prose_and_its_numbers_are_its_own() {
    let fenced = "```markdown\n# Acme\n\nAcme was founded in 1987 [1].\n\n[1]: https://f.example/1\n```";
    let bob = "# Bob\n\nBob sells valves in Berlin [1].\n\n[1]: https://bob.example/v";
    let result = composed(&[("Acme", fenced), ("Bob", bob)]).await;
    let prose = "## Acme\n\nAcme was founded in 1987 [1].\n\n## Bob\n\nBob sells valves in Berlin [2].";
    assert!(text(&result, "synthesis").starts_with(prose), "{result}");
    assert_eq!(each(&result["sources"], "url"), ["https://f.example/1", "https://bob.example/v"]);
}

const FOUNDED: [(&str, &str); 2] = [
    ("Profile", "# Profile\n\nAcme was founded in 1987 [1].\n\n[1]: https://a.example/p"),
    ("History", "# History\n\nAcme was founded in 1979 [1].\n\n[1]: https://b.example/h"),
];

#[tokio::test]
async fn what_contradicts_in_the_prose_is_told_below_it() {
    let result = composed(&FOUNDED).await;
    let (prose, below) = text(&result, "synthesis").split_once("\n\n## Contradictions\n\n").unwrap();
    assert_order(prose, &["1987 [1]", "## History", "1979 [2]"]);
    let (told, _) = below.split_once("## Sources").unwrap();
    let all =
        ["“Acme was founded in 1987", "[1] — *Profile*", "“Acme was founded in 1979", "[2] — *History*"];
    assert!(all.iter().all(|said| told.contains(said)), "{told}");
    let german = composed_with(&FOUNDED, json!({"language": "de"})).await;
    assert_order(text(&german, "synthesis"), &["## Widersprüche", "Zwei Aussagen", "## Quellen"]);
    let silent = composed_with(&FOUNDED, json!({"include_contradictions": false})).await;
    assert!(!text(&silent, "synthesis").contains("Contradictions"), "{silent}");
}

#[tokio::test]
async fn what_contradicts_further_down_is_told_once() {
    let app = TestApp::new().start().await;
    let leaf = |(id, content): &(&str, &str)| json!({"id": id, "goal": id, "task_type": "retrieval", "content": content});
    let children: Vec<Value> = FOUNDED.iter().map(leaf).collect();
    for task_type in ["retrieval", "reasoning", "composition"] {
        let inner = json!({"id": "in", "goal": "Acme", "task_type": task_type, "children": children});
        let root = json!({"id": "root", "goal": "All", "task_type": "composition", "children": [inner]});
        let tree = combine(app.client(), "/trees", root).await;
        let synthesis = text(&tree["result"], "synthesis");
        assert_eq!(synthesis.matches("## Contradictions").count(), 1, "{task_type}: {synthesis}");
    }
}

#[tokio::test]
async fn links_of_two_parts_lead_where_each_part_says() {
    let of = |page: &str| format!("# {page}\n\nSee [the docs][docs].\n\n[docs]: https://{page}.example/d");
    let result = composed(&[("a", &of("a")), ("b", &of("b"))]).await;
    let b = "## b\n\nSee [the docs][docs-2].\n\n[docs-2]: https://b.example/d";
    assert_order(text(&result, "synthesis"), &["See [the docs][docs].\n\n[docs]: https://a.example/d", b]);
}

#[tokio::test]
async fn a_footnote_is_no_link_of_the_same_number() {
    let part = "# pgvector\n\npgvector supports [HNSW][1] indexes. It needs Postgres to run.[^1]\n\n\
        [1]: https://github.com/pgvector/pgvector\n[^1]: Manual, https://a.example/f";
    let result = composed(&[("a", part)]).await;
    let sources = result["sources"].as_array().unwrap();
    let number = |url: &str| sources.iter().find(|source| source["url"] == url).expect(url)["id"].clone();
    let (link, footnote) = (number("https://github.com/pgvector/pgvector"), number("https://a.example/f"));
    let synthesis = text(&result, "synthesis");
    assert!(link != footnote && synthesis.contains(&format!("to run.[{footnote}]")), "{synthesis}");
}

#[tokio::test]
async fn titles_and_tables_of_prose_lack_nothing() {
    let parts = [
        ("Chapter two", "# Chapter two\n\nAcme sells pumps in Berlin."),
        ("Table", "| a | b |\n|---|---|\n| x | y |"),
    ];
    let result = composed(&parts).await;
    let gaps = result["gaps"].as_array().unwrap();
    let names = |gap: &&Value| {
        gap.as_str().is_some_and(|gap| gap.contains("No finding covers") || gap.contains("Nothing of"))
    };
    assert_eq!(gaps.iter().find(names), None, "{result}");
}

#[tokio::test]
async fn what_is_said_to_who_asked_is_no_part_of_the_document() {
    let first = "I'll write the section now.\n\n# Pumps\n\nAcme sells pumps in Berlin.";
    let last = "Sure! Here's the section:\n\n# Valves\n\nAcme sells valves in Bonn.\n\nI hope this helps! Let me know if you need more.";
    let result = composed(&[("Pumps", first), ("Valves", last)]).await;
    let prose = "## Pumps\n\nAcme sells pumps in Berlin.\n\n## Valves\n\nAcme sells valves in Bonn.";
    assert_eq!(text(&result, "synthesis"), prose);
}
