//! `POST /trees`: from the leaves to the root.

use serde_json::{Value, json};

use crate::harness::{TestApp, assert_problem};
use crate::scene::{assert_order, combine, each, text};

fn leaf(id: &str, content: &str) -> Value {
    json!({"id": id, "goal": format!("the goal of {id}"), "task_type": "retrieval", "content": content})
}

fn node(id: &str, task_type: &str, children: Value) -> Value {
    json!({"id": id, "goal": format!("the goal of {id}"), "task_type": task_type, "children": children})
}

async fn tree(app: &TestApp, root: Value) -> Value {
    combine(app.client(), "/trees", root).await
}

const MONTHS: &str = "The standard warranty covers every pump for 24 months after delivery.";
const OTHER: &str = "The standard warranty covers every pump for 36 months after delivery.";
const VALVE: &str = "The valve behind the boiler is cleaned each April.";

#[tokio::test]
async fn retrieval_consolidates_what_stands_below_it_at_any_depth() {
    let app = TestApp::new().start().await;
    let inner = node("inner", "retrieval", json!([leaf("a", MONTHS), leaf("b", VALVE)]));
    let tree = tree(&app, node("root", "retrieval", json!([inner, leaf("c", MONTHS)]))).await;
    assert_eq!(each(&tree["nodes"], "id"), ["inner", "root"], "bottom-up");
    assert_eq!(tree["nodes"][1]["result"], tree["result"]);
    assert_eq!(tree["id"], "root");
    let result = &tree["result"];
    let findings = result["findings"].as_array().unwrap();
    let warranty = findings.iter().find(|finding| text(finding, "content").contains("24 months")).unwrap();
    assert_eq!(warranty["contributors"], json!(["a", "c"]), "both say so");
    assert!(text(result, "synthesis").contains("The valve behind the boiler"), "{result}");
    assert_eq!(
        text(result, "synthesis").matches("24 months").count(),
        1,
        "once is enough: {}",
        result["synthesis"]
    );
    let metrics = json!({"nodes": 5, "leaves": 3, "inner_nodes": 2, "depth": 3, "unfinished": 0});
    assert_eq!(tree["metrics"], metrics);
}

#[tokio::test]
async fn reasoning_puts_conflicts_first_and_positions_side_by_side() {
    let app = TestApp::new().start().await;
    let tree = tree(
        &app,
        node("root", "reasoning", json!([leaf("crm", MONTHS), leaf("erp", OTHER), leaf("docs", VALVE)])),
    )
    .await;
    let synthesis = text(&tree["result"], "synthesis");
    assert!(synthesis.starts_with("## Contradictions"), "{synthesis}");
    let positions = [
        "## Position: the goal of crm",
        "24 months",
        "## Position: the goal of erp",
        "36 months",
        "## Position: the goal of docs",
        "valve",
    ];
    assert_order(synthesis, &positions);
    assert_eq!(each(&tree["result"]["contradictions"], "kind"), ["number"]);
    let subagents = each(&tree["result"]["contradictions"][0]["statements"], "subagent");
    assert_eq!(subagents, ["crm", "erp"], "neither wins");
}

#[tokio::test]
async fn composition_names_the_part_that_is_not_there() {
    let app = TestApp::new().start().await;
    let open = json!({"id": "open", "goal": "How it ends", "task_type": "retrieval"});
    let parts = node("parts", "composition", json!([leaf("a", MONTHS), open]));
    let tree = tree(&app, node("root", "reasoning", json!([parts, leaf("b", VALVE)]))).await;
    let composed = &tree["nodes"][0]["result"];
    assert_order(text(composed, "synthesis"), &["24 months", "## Not finished", "How it ends"]);
    let above = text(&tree["result"], "synthesis");
    assert_eq!(above.matches("Not finished").count(), 1, "the prose alone goes up: {above}");
}

#[tokio::test]
async fn composition_keeps_prose_and_order_under_one_tree_of_headings() {
    let app = TestApp::new().start().await;
    let with = |id: &str, content: &str, before: &[&str]| {
        let mut leaf = leaf(id, content);
        leaf["depends_on"] = json!(before);
        leaf
    };
    let children = json!([
        with("end", "# Outcome\n\nIt *works*, as `x = [1]` shows.\n\n### Deep\n\n- one\n- two", &["middle"]),
        with("middle", "# Method\n\nWe looked again.", &["start"]),
        with("start", "Method\n======\n\nWe looked.\n\n## Detail\n\nIt was dark.", &[]),
    ]);
    let tree = tree(&app, node("root", "composition", children)).await;
    assert_eq!(tree["nodes"][0]["children"], json!(["start", "middle", "end"]));
    let expected = "## Method\n\nWe looked.\n\n### Detail\n\nIt was dark.\n\nWe looked again.\n\n## Outcome\n\n\
                    It *works*, as `x = [1]` shows.\n\n#### Deep\n\n- one\n- two";
    let flat = |text: &str| text.split("\n\n").map(str::to_owned).collect::<Vec<_>>();
    let (found, expected) = (flat(text(&tree["result"], "synthesis")), flat(expected));
    // What comes after `### Detail` is no part of it: how that is said is the composition's affair.
    let prose =
        |parts: &[String]| parts.iter().filter(|part| !part.starts_with('#')).cloned().collect::<Vec<_>>();
    assert_eq!(prose(&found), prose(&expected));
    let headings: Vec<&str> = found.iter().filter(|part| part.starts_with('#')).map(String::as_str).collect();
    assert_eq!(headings.first(), Some(&"## Method"), "{headings:?}");
    assert!(headings.contains(&"## Outcome") && headings.contains(&"### Detail"), "{headings:?}");
}

#[tokio::test]
async fn composition_of_compositions_says_who_wrote_what() {
    let app = TestApp::new().start().await;
    let part = node("part", "composition", json!([leaf("one", MONTHS), leaf("two", VALVE)]));
    let tree =
        tree(&app, node("root", "composition", json!([part, leaf("three", "The roof is made of slate.")])))
            .await;
    let (inner, outer) = (&tree["nodes"][0]["result"], &tree["result"]);
    let prose = text(inner, "synthesis").split(" [").next().unwrap();
    assert!(text(outer, "synthesis").contains(&format!("\n\n{prose}")), "{tree}");
    assert!(text(outer, "synthesis").starts_with("## "), "its goal is the heading of a chapter: {outer}");
    assert_eq!(each(&outer["results"], "subagent"), ["one", "two", "three"]);
    let contributors =
        outer["findings"].as_array().unwrap().iter().map(|finding| &finding["contributors"][0]);
    assert!(contributors.into_iter().all(|name| name != "part"), "{outer}");
}

#[tokio::test]
async fn section_of_one_part_does_not_swallow_the_prose_of_the_next() {
    let app = TestApp::new().start().await;
    let children = json!([
        leaf("one", "# Method\n\nWe looked.\n\n## Detail\n\nIt was dark."),
        leaf("two", "# Method\n\nWe looked again, by day."),
    ]);
    let tree = tree(&app, node("root", "composition", children)).await;
    let synthesis = text(&tree["result"], "synthesis");
    let before = &synthesis[..synthesis.find("We looked again").unwrap()];
    let heading = before.lines().rev().find(|line| line.starts_with('#')).unwrap();
    assert_eq!(heading, "## Method", "a reader takes it for a part of the section above: {synthesis}");
}

#[tokio::test]
async fn unfinished_leaf_is_a_failure_and_never_a_silence() {
    let app = TestApp::new().start().await;
    for task_type in ["retrieval", "reasoning", "composition"] {
        let open = json!({"id": "open", "goal": "find the price", "task_type": "retrieval"});
        let inner = node("inner", task_type, json!([leaf("a", MONTHS), open]));
        let tree = tree(&app, node("root", task_type, json!([inner, leaf("b", VALVE)]))).await;
        assert_eq!(tree["metrics"]["unfinished"], 1, "{task_type}");
        for result in [&tree["nodes"][0]["result"], &tree["result"]] {
            let failures = &result["failures"];
            assert_eq!(each(failures, "subagent"), ["open"], "{task_type}: {failures}");
            assert_eq!(each(failures, "status"), ["pending"], "{task_type}");
            assert_eq!(result["status"], "partial_failure", "{task_type}");
        }
        assert!(text(&tree["result"], "synthesis").contains("24 months"), "{task_type}");
    }
}

#[tokio::test]
async fn tree_that_cannot_be_ordered_is_refused() {
    let app = TestApp::new().start().await;
    let with = |id: &str, before: &str| json!({"id": id, "goal": "g", "task_type": "retrieval", "content": "x", "depends_on": [before]});
    for (children, pointers) in [
        (json!([with("a", "b"), with("b", "a")]), vec!["/children/0/depends_on", "/children/1/depends_on"]),
        (json!([with("a", "a")]), vec!["/children/0/depends_on"]),
    ] {
        let problem = assert_problem(
            &app.post("/trees").json(&node("r", "retrieval", children)).send().await,
            422,
            "invalid_event",
        );
        let found = each(&problem["errors"], "pointer");
        assert!(found.iter().zip(&pointers).all(|(found, wanted)| found.starts_with(wanted)), "{problem}");
        assert_eq!(found.len(), pointers.len(), "{problem}");
    }
    let unknown = node("r", "retrieval", json!([with("a", "nobody")]));
    assert_problem(&app.post("/trees").json(&unknown).send().await, 422, "invalid_event");
    let twice = node("r", "retrieval", json!([leaf("a", "x"), leaf("a", "y")]));
    assert_problem(&app.post("/trees").json(&twice).send().await, 422, "invalid_event");
}

/// A path of so many nodes.
fn deep(levels: usize) -> String {
    let open = "{\"id\":\"nID\",\"goal\":\"g\",\"task_type\":\"retrieval\",\"children\":[";
    let begin: String = (1..levels).map(|level| open.replace("ID", &level.to_string())).collect();
    let leaf =
        format!("{{\"id\":\"leaf\",\"goal\":\"g\",\"task_type\":\"retrieval\",\"content\":\"{MONTHS}\"}}");
    format!("{begin}{leaf}{}", "]}".repeat(levels - 1))
}

#[tokio::test]
async fn tree_may_be_64_levels_deep_and_not_one_more() {
    let app = TestApp::new().start().await;
    let send = |levels: usize| app.post("/trees").body("application/json", deep(levels)).send();
    let tree = send(64).await.expect(200);
    assert_eq!(tree["metrics"]["depth"], 64);
    assert!(text(&tree["result"], "synthesis").contains("24 months"), "{}", tree["result"]);
    assert_problem(&send(65).await, 422, "limit_reached");
    assert_problem(&send(5_000).await, 422, "limit_reached");
}

#[tokio::test]
async fn node_without_children_is_its_own_result() {
    let app = TestApp::new().start().await;
    let tree = tree(&app, leaf("only", MONTHS)).await;
    assert_eq!((&tree["id"], &tree["metrics"]["nodes"]), (&json!("only"), &json!(1)));
    assert!(text(&tree["result"], "synthesis").contains("24 months"));
}

#[tokio::test]
async fn cut_of_a_node_below_is_no_finding_of_the_node_above() {
    let app = TestApp::new().start().await;
    let sentence =
        |n: u32| format!("Part {n} of the manual says that pump {n} needs oil every {} days.", n + 7);
    let long: Vec<String> = (1..=120).map(sentence).collect();
    let inner = node("inner", "retrieval", json!([leaf("a", &long.join(" "))]));
    let mut root = node("root", "retrieval", json!([inner, leaf("b", VALVE)]));
    root["options"] = json!({"max_result_tokens": 200, "target_length": 5_000});
    let tree = tree(&app, root).await;
    for result in [&tree["nodes"][0]["result"], &tree["result"]] {
        for finding in result["findings"].as_array().unwrap() {
            assert!(!text(finding, "content").contains("left out"), "{finding}");
        }
        let found =
            result["results"].as_array().unwrap().iter().find(|result| result["subagent"] == "a").unwrap();
        assert_eq!(found["truncated"], true, "the reader is told: {found}");
    }
}
