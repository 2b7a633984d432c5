//! Requests are read as they come, and every bad place in them is named.

use proptest::prelude::*;

use super::*;
use crate::domain::aggregate::input::{FailureStatus, InputStatus};

/// Code, then `index pointer` of every issue.
fn refused<T: std::fmt::Debug>(parsed: Result<T, Refusal>) -> (String, Vec<String>) {
    let refusal = parsed.unwrap_err();
    let place = |issue: &crate::domain::verdict::InputIssue| match issue.index {
        Some(index) => format!("{index} {}", issue.pointer),
        None => format!("- {}", issue.pointer),
    };
    (refusal.code.as_str().to_owned(), refusal.issues.iter().map(place).collect())
}

fn check<T: std::fmt::Debug>(parse: fn(&str) -> Result<T, Refusal>, cases: &[(&str, &str, &[&str])]) {
    for (body, code, places) in cases {
        let (found, issues) = refused(parse(body));
        assert_eq!(
            (found.as_str(), issues.iter().map(String::as_str).collect::<Vec<_>>()),
            (*code, places.to_vec()),
            "{body}"
        );
    }
}

#[test]
fn results_are_taken_as_they_come() {
    let body = r#"{"query":"q","options":{"max_results":3},"results":[
        {"task_id":"a","subagent":"x","success":true,"content":"A","relevance":7,"sources":["https://a.org",{"url":null,"title":"T","x":1}]},
        {"task_id":"b","subagent":"y","success":false,"content":"half","error":{"code":503,"message":"down"},"relevance":"NaN","confidence":" 0.9"},
        {"task_id":"c","task":"do","subagent":"y","success":true,"content":{"content":"C","sources":["https://c.org"],"confidence":0.4}},
        {"task_id":"d","subagent":"y","success":true,"content":{"z":1,"a":2},"error":null,"relevance":null},
        {"task_id":"e","subagent":"y","success":true}]}"#;
    let request = parse_aggregation(body).unwrap();
    assert_eq!((request.query.as_deref(), request.options.max_results), (Some("q"), 3));
    let [a, b, c, d, e] = &request.results[..] else { panic!("five results") };
    assert_eq!(
        (a.content.as_str(), a.relevance, a.sources.len(), a.status),
        ("A", Some(7.0), 2, InputStatus::Success)
    );
    assert_eq!((b.status, b.error.as_deref()), (InputStatus::Failed(FailureStatus::Error), Some("down")));
    assert_eq!((b.content.as_str(), b.relevance, b.confidence), ("half", None, Some(0.9)));
    assert_eq!(
        (c.content.as_str(), c.sources.len(), c.confidence, c.task.as_deref()),
        ("C", 1, Some(0.4), Some("do"))
    );
    assert_eq!(d.content, "```json\n{\n  \"z\": 1,\n  \"a\": 2\n}\n```");
    assert_eq!(e.content, "");
}

#[test]
fn answers_of_apis_and_frameworks_are_read_as_their_text() {
    let usage = r#"{"total_tokens":1532}"#;
    for (content, sources) in [
        (format!(r#"{{"raw":"It rose.","tasks_output":[],"token_usage":{usage}}}"#), 0),
        (format!(r#"{{"workflow_run_id":"w","data":{{"outputs":{{"text":"It rose."}},"usage":{usage}}}}}"#), 0),
        (format!(r#"{{"choices":[{{"message":{{"content":"It rose."}}}}],"usage":{usage},"citations":["https://a.org"]}}"#), 1),
        (r#"{"query":"q","answer":"It rose.","results":[{"title":"A","url":"https://a.org","content":"t"}]}"#.to_owned(), 1),
    ] {
        let result = format!(r#"{{"task_id":"a","subagent":"x","success":true,"content":{content}}}"#);
        let request = parse_aggregation(&format!(r#"{{"query":"q","results":[{result}]}}"#)).unwrap();
        let [read] = &request.results[..] else { panic!("one result") };
        assert!(!read.content.contains("1532"), "{content}: {}", read.content);
        assert!(read.content.contains("It rose."), "{content}: {}", read.content);
        assert_eq!(read.sources.len(), sources, "{content}");
    }
}

#[test]
fn every_bad_place_is_named() {
    check(
        parse_aggregation,
        &[
            ("", "invalid_json", &["- "]),
            ("[]", "invalid_event", &["- "]),
            ("{}", "invalid_event", &["- /results"]),
            (r#"{"results":[],"results":[]}"#, "invalid_json", &["- /results"]),
            (r#"{"results":[{"task_id":"a","task_id":"a"}]}"#, "invalid_json", &["- /results/0/task_id"]),
            (r#"{"results":[],"x":1,"y":2}"#, "unknown_field", &["- /x", "- /y"]),
            (r#"{"results":7}"#, "invalid_event", &["- /results"]),
            (
                r#"{"results":[7,{"success":1,"z~/":2},{"task_id":"a","subagent":" ","success":true},{"task_id":"b","subagent":" \u200b\u2060","success":true}]}"#,
                "unknown_field",
                &[
                    "0 /results/0",
                    "1 /results/1/z~0~1",
                    "1 /results/1/task_id",
                    "1 /results/1/subagent",
                    "1 /results/1/success",
                    "2 /results/2/subagent",
                    "3 /results/3/subagent",
                ],
            ),
            (
                r#"{"results":[{"task_id":"a","subagent":"b","success":true,"sources":["x",5,{"url":7}],"relevance":[],"error":[1]}]}"#,
                "invalid_event",
                &[
                    "0 /results/0/error",
                    "0 /results/0/sources/1",
                    "0 /results/0/sources/2/url",
                    "0 /results/0/relevance",
                ],
            ),
            (r#"{"results":[],"options":{"mode":"none"}}"#, "unknown_field", &["- /options/mode"]),
            (
                r#"{"results":[],"options":{"max_results":0,"deduplicate":"yes","min_relevance":1.5}}"#,
                "invalid_event",
                &["- /options/max_results", "- /options/deduplicate", "- /options/min_relevance"],
            ),
        ],
    );
    check(
        parse_synthesis,
        &[
            ("{}", "invalid_event", &["- "]),
            (r#"{"results":[],"aggregation":{}}"#, "invalid_event", &["- /aggregation"]),
            (
                r#"{"aggregation":{"results":[{"task_id":7}]}}"#,
                "invalid_event",
                &["0 /aggregation/results/0/task_id"],
            ),
            (
                r#"{"aggregation":{"sources":[{"id":1,"title":"A"},{"title":"no id"}],
                    "results":[{"task_id":"t","subagent":"s","sources":[1,77,"1"]},{"task_id":"u","subagent":"s","sources":[1,2]}]}}"#,
                "invalid_event",
                &[
                    "0 /aggregation/results/0/sources/1",
                    "0 /aggregation/results/0/sources/2",
                    "1 /aggregation/results/1/sources/1",
                ],
            ),
            (r#"{"results":[],"options":{"budget":{"x":1}}}"#, "unknown_field", &["- /options/budget/x"]),
        ],
    );
    check(
        parse_answer,
        &[
            ("{}", "invalid_event", &["- /objective", "- /sheet"]),
            (
                r#"{"objective":"o","sheet":{"status":"completed","entries":[{"content":7,"x":1},{"content":"c","citations":[{}]}],"citations":[{"url":"u"}]}}"#,
                "unknown_field",
                &[
                    "0 /sheet/entries/0/x",
                    "0 /sheet/entries/0/content",
                    "1 /sheet/entries/1/citations/0",
                    "0 /sheet/citations/0/id",
                ],
            ),
        ],
    );
}

#[test]
fn a_hundred_issues_are_listed_and_the_rest_counted() {
    let refusal = parse_aggregation(&format!("{{\"results\":[{}7]}}", "7,".repeat(299))).unwrap_err();
    assert_eq!(refusal.issues.len(), ISSUES_MAX);
    assert!(refusal.detail.starts_with("300 things are wrong"), "{}", refusal.detail);
    let (code, places) = refused(parse_aggregation(&format!("{{\"results\":[{}7]}}", "7,".repeat(1_000))));
    assert_eq!((code.as_str(), places), ("limit_reached", vec!["- /results".to_owned()]));
}

#[test]
fn options_are_split_by_name() {
    let body = r#"{"results":[],"options":{"max_result_tokens":9,"mode":"none","target_length":null,"min_quality":0.5}}"#;
    let request = parse_synthesis(body).unwrap();
    assert_eq!((request.aggregation.max_result_tokens, request.aggregation.max_results), (9, 20));
    assert_eq!((request.synthesis.min_quality, request.synthesis.target_length), (0.5, None));
}

#[test]
fn an_aggregated_result_is_read_back() {
    let body = r#"{"aggregation":{"status":"partial_failure","new_in_a_later_version":1,
        "results":[{"task_id":"a","task":null,"subagent":"x","content":"A [2].","sources":[2],"relevance":0.7,"confidence":null,
                "tokens":3,"truncated":false,"notes":["clipped: x"]},
            {"task_id":"b","subagent":"y","content":"half","sources":[],"partial":true,"notes":["partial: z"]}],
        "sources":[{"id":1,"url":"https://a.org","title":"A","type":"web","quality":"HIGH","used":true,"cited_by":["x"]},
            {"id":2,"url":null,"title":"B","type":"document","quality":null,"snippets":["s"]}],
        "failures":[{"task_id":"b","task":"t","status":"timeout","error":"late","subagent":"y"},
            {"task_id":"c","status":"empty","error":"e"}]}}"#;
    let results = parse_synthesis(body).unwrap().results;
    let [a, b, c] = &results[..] else { panic!("three tasks") };
    assert_eq!(
        (a.content.as_str(), a.relevance, a.notes.len(), a.sources.len()),
        ("A [2].", Some(0.7), 1, 1)
    );
    let source = &a.sources[0];
    assert_eq!(
        (source.id.as_deref(), source.title.as_deref(), source.snippet.as_deref()),
        (Some("2"), Some("B"), Some("s"))
    );
    assert_eq!(
        (b.status, b.content.as_str(), b.error.as_deref()),
        (InputStatus::Failed(FailureStatus::Timeout), "half", Some("late"))
    );
    assert!(b.notes.is_empty());
    assert_eq!((c.status, c.content.as_str()), (InputStatus::Failed(FailureStatus::Empty), ""));
    assert_eq!((b.subagent.as_str(), c.subagent.as_str()), ("y", "c"), "texts name it by its task");
}

#[test]
fn the_error_of_a_failure_is_read_as_that_of_a_result() {
    let failed = |error: &str| {
        let failures = format!(r#"[{{"task_id":"b","subagent":"y","status":"error","error":{error}}}]"#);
        parse_synthesis(&format!(r#"{{"aggregation":{{"results":[],"failures":{failures}}}}}"#))
    };
    for (error, expected) in [
        (r#""late""#, Some("late")),
        ("503", Some("503")),
        (r#"{"code":"e","message":"no answer"}"#, Some("no answer")),
        ("null", None),
    ] {
        let results = failed(error).unwrap().results;
        assert_eq!(results[0].error.as_deref(), expected, "{error}");
    }
    for error in ["true", "[1]", "{}"] {
        assert_eq!(failed(error).unwrap_err().issues[0].pointer, "/aggregation/failures/0/error", "{error}");
    }
}

#[test]
fn who_was_merged_is_read_back() {
    let body = |options: &str| {
        let results = r#"[{"task_id":"a","subagent":"x","content":"It rose.","sources":[],"relevance":0.5,"merged":["b","c"]},
            {"task_id":"d","subagent":"y","content":"It fell.","sources":[]}]"#;
        let findings =
            r#"[{"contributors":["x","z"]},{"contributors":["y","v"]},{"contributors":["x","y"]}]"#;
        format!(r#"{{"aggregation":{{"results":{results},"findings":{findings}}},"options":{{{options}}}}}"#)
    };
    let results = parse_synthesis(&body("")).unwrap().results;
    let tasks: Vec<_> = results.iter().map(|task| (task.task_id.as_str(), task.subagent.as_str())).collect();
    assert_eq!(tasks, [("a", "x"), ("d", "y"), ("b", "z")], "`v` isn't known to be of a merged task");
    assert_eq!(results[2].content, "It rose.");
    assert_eq!(parse_synthesis(&body(r#""deduplicate":false"#)).unwrap().results.len(), 2);
}

fn child(id: &str, rest: &str) -> String {
    format!(r#"{{"id":"{id}","goal":"g","task_type":"retrieval"{rest}}}"#)
}

fn with_children(children: &[String]) -> String {
    child("root", &format!(r#","children":[{}]"#, children.join(" , ")))
}

#[test]
fn trees_are_lists_in_the_order_of_their_dependencies() {
    let text = with_children(&[
        child("a", r#","depends_on":["c"],"content":{"children":[{"x":1}]},"length":5"#),
        child(
            "b",
            r#","\u0063hildren":[{"id":"b1","goal":"} ] \" {","task_type":"reasoning","content":"B"}]"#,
        ),
        child("c", r#","content":null"#),
    ]);
    let tree = parse_tree(&text).unwrap();
    let ids: Vec<&str> = tree.nodes.iter().map(|node| node.id.as_str()).collect();
    assert_eq!(ids, ["root", "a", "b", "b1", "c"]);
    assert_eq!(tree.nodes[0].children, [2, 4, 1]);
    assert_eq!(
        (tree.nodes[3].parent, tree.nodes[3].depth, tree.nodes[3].content.as_deref()),
        (Some(2), 3, Some("B"))
    );
    assert_eq!((tree.nodes[1].length, tree.nodes[4].content.as_deref()), (Some(5), None));
    assert!(tree.nodes[1].content.as_deref().unwrap().contains("\"x\": 1"));
}

#[test]
fn bad_trees_name_the_node() {
    let cycle = with_children(&[
        child("a", r#","depends_on":["b"]"#),
        child("b", r#","depends_on":["a"]"#),
        child("c", r#","depends_on":["b"]"#),
        child("d", r#","depends_on":["root","nobody","d"]"#),
    ]);
    let options = with_children(&[child("a", r#","options":{}"#)]);
    let twice = with_children(&[child("a", ""), child("root", "")]);
    let cases: Vec<(&str, &str, &[&str])> = vec![
        (
            &cycle,
            "invalid_event",
            &[
                "4 /children/3/depends_on/0",
                "4 /children/3/depends_on/1",
                "1 /children/0/depends_on",
                "2 /children/1/depends_on",
                "4 /children/3/depends_on",
            ],
        ),
        (&options, "unknown_field", &["1 /children/0/options"]),
        (&twice, "invalid_event", &["2 /children/1/id"]),
        (
            r#"{"id":"a","goal":"g","task_type":"x","children":[null,{"id":7},"s"],"depends_on":[1],"length":0}"#,
            "invalid_event",
            &[
                "0 /task_type",
                "0 /length",
                "0 /depends_on/0",
                "0 /children/0",
                "0 /children/2",
                "1 /children/1/id",
                "1 /children/1/goal",
                "1 /children/1/task_type",
            ],
        ),
        (r#"{"id":"a","children":[{"id":"b","id":"c"}]}"#, "invalid_json", &["- /children/0/id"]),
        (r#"{"id":"a","children":[],"children":[{}]}"#, "invalid_json", &["- /children"]),
        (r#"{"children":[{"id":"a"}}"#, "invalid_json", &["- "]),
        (r#"{"children":[{"id":"a"}"#, "invalid_json", &["- "]),
        (r#"{"children":[{} {}]}"#, "invalid_json", &["- "]),
        ("{}]", "invalid_json", &["- "]),
        ("7", "invalid_event", &["0 "]),
        ("[{}]", "invalid_event", &["0 "]),
    ];
    check(parse_tree, &cases);
}

fn chain(levels: usize) -> String {
    let mut text = String::new();
    for level in 0..levels {
        text.push_str(&format!(r#"{{"id":"n{level}","goal":"g","task_type":"composition","children":["#));
    }
    text + &"]}".repeat(levels)
}

#[test]
fn contents_that_would_be_handed_up_too_often_are_refused() {
    let text = "a".repeat(TREE_BYTES_MAX / 32);
    let node = |content: &str| {
        format!(r#"{{"id":"leaf","goal":"g","task_type":"retrieval","content":"{content}"}}"#)
    };
    let below = |levels: usize, content: &str| {
        let above = chain(levels);
        above.replacen("\"children\":[]", &format!("\"children\":[{}]", node(content)), 1)
    };
    assert!(parse_tree(&below(31, &text)).is_ok(), "32 levels");
    let (code, places) = refused(parse_tree(&below(32, &text)));
    assert_eq!((code.as_str(), places), ("limit_reached", vec!["- ".to_owned()]));
}

#[test]
fn depth_and_size_have_limits() {
    assert_eq!(parse_tree(&chain(TREE_DEPTH_MAX)).unwrap().nodes.len(), TREE_DEPTH_MAX);
    assert_eq!(refused(parse_tree(&chain(TREE_DEPTH_MAX + 1))).0, "limit_reached");
    assert_eq!(refused(parse_tree(&chain(100_000))).0, "limit_reached");
    let wide: Vec<String> = (0..NODES_MAX).map(|n| child(&format!("n{n}"), "")).collect();
    assert_eq!(parse_tree(&with_children(&wide[1..])).unwrap().nodes.len(), NODES_MAX);
    assert_eq!(refused(parse_tree(&with_children(&wide))).0, "limit_reached");
    for open in ["[", "{\"content\":", "{\"children\":["] {
        assert!(parse_tree(&open.repeat(100_000)).is_err());
        assert!(parse_aggregation(&open.repeat(100_000)).is_err());
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in "\\PC{0,60}|[\\[\\]{}\":,a\\\\0-9 ]{0,60}") {
        _ = parse_aggregation(&text);
        _ = parse_answer(&text);
        _ = parse_tree(&text);
    }

    /// Cutting a tree's text anywhere, or changing a byte, never panics, and what serde_json takes as a whole is taken
    /// in pieces.
    #[test]
    fn broken_trees_are_refused_like_broken_json(cut in 0usize..200, byte in "[\\[\\]{}\":, a0]") {
        let mut text = with_children(&[child("a", r#","children":[{"id":"x\"y"}]"#), child("b", "")]);
        let cut = cut.min(text.len() - 1);
        if text.is_char_boundary(cut) && text.is_char_boundary(cut + 1) {
            text.replace_range(cut..=cut, &byte);
        }
        let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        if let Err(refusal) = parse_tree(&text) {
            if !is_json {
                prop_assert_eq!(refusal.code, crate::domain::verdict::Code::InvalidJson);
            }
        } else {
            prop_assert!(is_json);
        }
    }
}
