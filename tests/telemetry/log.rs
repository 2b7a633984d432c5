//! The log: JSON lines that say where something happened, at a level that means something, and never what was said.

use serde_json::{Value, json};

use crate::content::{canaries_in, planted, tell_canaries};
use crate::harness::TestApp;
use crate::scene::{Scene, TRACE, ended};

/// The lines of a log, each of which must be an object with a time, a level and a message.
fn lines(app: &TestApp) -> Vec<Value> {
    let read = |line: &String| -> Value {
        let value: Value = line.parse().unwrap_or_else(|error| panic!("no JSON, {error}: {line}"));
        for member in ["timestamp", "level", "target"] {
            assert!(value[member].is_string(), "no `{member}`: {line}");
        }
        value
    };
    app.log_lines().iter().map(read).collect()
}

/// The lines with that message about that step, and how many there are.
fn about<'a>(lines: &'a [Value], message: &str, step: &str) -> Vec<&'a Value> {
    let of_it = |line: &&Value| line["message"] == message && line["step"] == step;
    lines.iter().filter(of_it).collect()
}

/// All say their place.
#[track_caller]
fn assert_placed(lines: &[&Value], level: &str) {
    for line in lines {
        assert_eq!(line["level"], level, "{line}");
        assert_eq!((&line["trace_id"], &line["session"]), (&json!(TRACE), &json!("s")), "{line}");
        assert!(line["sequence"].as_u64().is_some_and(|sequence| sequence > 0), "{line}");
    }
}

#[tokio::test]
async fn a_step_leaves_breadcrumbs_with_its_place_and_a_level_that_means_something() {
    let scene = Scene::with(planted).await;
    tell_canaries(&scene).await;
    for last in ["a step ended", "safety decided"] {
        scene.app.logged(last).await;
    }
    let lines = lines(&scene.app);
    let began = about(&lines, "a step began", "p");
    assert_eq!(began.len(), 1);
    assert_placed(&began, "INFO");
    assert_eq!(
        (&began[0]["expected"], &began[0]["deadline_ms"], &began[0]["sequence"]),
        (&json!(5), &json!(60_000), &json!(1))
    );
    let retried = about(&lines, "a subagent is tried again", "p");
    assert_placed(&retried, "INFO");
    let of = |line: &Value, name: &str| line[name].as_str().unwrap().to_owned();
    assert!(retried.iter().any(|line| line["subagent"] == "docs" && line["attempt"] == 2), "{retried:?}");
    let count = |line: &Value| line["retry_count"].as_u64().unwrap() + 1;
    assert!(
        retried.iter().all(|line| line["attempt"] == count(line) && line["status"] == "retry"),
        "{retried:?}"
    );
    let failed = about(&lines, "a subagent brought no result", "p");
    assert_placed(&failed, "WARN");
    let slow = failed.iter().find(|line| line["result_key"] == "slow").unwrap();
    assert!(slow["latency_ms"].is_u64() && slow["retry_count"].is_u64(), "{slow}");
    let mut said: Vec<_> = failed.iter().map(|line| (of(line, "result_key"), of(line, "status"))).collect();
    said.sort();
    let wanted = [("meeting_notes", "error"), ("rows", "error"), ("slow", "timeout")];
    assert_eq!(said, wanted.map(|(key, status)| (key.to_owned(), status.to_owned())));
    let over = about(&lines, "a step ended", "p");
    assert_eq!(over.len(), 1);
    assert_placed(&over, "INFO");
    assert_eq!(
        (&over[0]["status"], &over[0]["successes"], &over[0]["expected"]),
        (&json!("partial_failure"), &json!(2), &json!(5))
    );
    assert!(over[0]["took_ms"].is_u64());
    let decided = about(&lines, "safety decided", "r");
    assert_placed(&decided, "INFO");
    assert_eq!(decided.len(), 1);
    assert_eq!((&decided[0]["decision"], &decided[0]["policy"]), (&json!("refuse"), &json!("no-secrets")));
    // What goes well isn't said one by one.
    assert!(lines.iter().all(|line| line["level"] != "DEBUG" && line["level"] != "TRACE"));
}

#[tokio::test]
async fn no_text_of_anybody_is_in_the_log_even_where_it_says_all_it_can() {
    let scene = Scene::with(|setup| planted(setup).variable("RUST_LOG", "info,tributary=trace")).await;
    tell_canaries(&scene).await;
    scene.told("r", |tree| tree.step("p").is_some()).await;
    let lines = lines(&scene.app);
    assert!(lines.iter().any(|line| line["level"] == "DEBUG"), "nothing more is said");
    assert!(!about(&lines, "a subagent spoke", "p").is_empty());
    for line in scene.app.log_lines() {
        assert_eq!(canaries_in(line.as_bytes()), [""; 0], "{line}");
    }
}

#[tokio::test]
async fn the_log_names_the_trace_also_where_nobody_collects_spans() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let directive = crate::scene::directive(&[json!({ "key": "crm" })]);
    crate::scene::post_traced(app.client(), &planner, &directive, "00").await;
    planner.subagent("p", "crm").succeed().await;
    ended(&planner, "p").await;
    app.logged("a step ended").await;
    let lines = lines(&app);
    assert_placed(&about(&lines, "a step began", "p"), "INFO");
    assert_placed(&about(&lines, "a step ended", "p"), "INFO");
    assert!(about(&lines, "a subagent brought no result", "p").is_empty());
}
