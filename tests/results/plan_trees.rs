//! Steps below steps: the result of the upper one is made of those below it.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Planner, TestApp};
use crate::scene::{assert_order, bring, bring_to, each, text};

async fn post(planner: &Planner, step: &str, fields: Value) {
    let mut directive = json!({"plan_step_id": step, "expected_subagents": [], "deadline_ms": 60_000});
    directive.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    planner.post(&directive).await.expect(201);
}

async fn result_of(planner: &Planner, step: &str) -> Value {
    planner.get(&format!("/steps/{step}/result")).send().await.expect(200)
}

fn keys(keys: &[&str]) -> Value {
    keys.iter().map(|key| json!({ "key": key })).collect()
}

const MONTHS: &str = "The standard warranty covers every pump for 24 months after delivery [1].";
const VALVE: &str = "The valve behind the boiler is cleaned each April [1].";

#[tokio::test]
async fn result_of_a_parent_is_made_of_its_childrens() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    post(&planner, "p", json!({"expected_children": ["one", "two"], "expected_subagents": keys(&["own"])}))
        .await;
    post(&planner, "one", json!({"parent_step_id": "p", "expected_subagents": keys(&["docs", "crm"])})).await;
    post(&planner, "two", json!({"parent_step_id": "p", "expected_subagents": keys(&["web"])})).await;
    bring_to(&planner, "one", "docs", MONTHS, &["https://docs.org/w"]).await;
    let failed = json!({"status": "error", "error": {"message": "no rows"}});
    planner.subagent("one", "crm").post(&failed).await.expect(200);
    bring(&planner, "own", "An order ships within 2 working days [1].", &["https://own.org/o"]).await;
    let draft = planner.get("/steps/p/result?partial=true").send().await.expect(200);
    assert_eq!(draft["metadata"]["final"], false);
    assert!(
        draft["failures"].to_string().contains("two"),
        "what is open below is told: {}",
        draft["failures"]
    );
    bring_to(&planner, "two", "web", VALVE, &["https://web.org/v"]).await;
    let result = result_of(&planner, "p").await;
    for said in ["24 months", "The valve behind the boiler", "2 working days"] {
        assert!(text(&result, "synthesis").contains(said), "{said}: {}", result["synthesis"]);
    }
    let contributors: Vec<&str> = each(&result["results"], "subagent");
    assert!(["docs", "web", "own"].iter().all(|name| contributors.contains(name)), "{contributors:?}");
    assert_eq!(each(&result["failures"], "subagent"), ["crm"]);
    assert_eq!(result["sources"].as_array().unwrap().len(), 3);
    let docs =
        result["results"].as_array().unwrap().iter().find(|result| result["subagent"] == "docs").unwrap();
    assert_eq!(docs["href"], "/planner/sessions/s/steps/one/results/docs", "where its original is");
}

/// Seven layers of six: some 50,000 ways lead from the uppermost step down, and 37 steps are made.
#[tokio::test]
async fn step_below_many_others_is_made_once_and_not_once_for_each_way_to_it() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let layer = |number: usize| (0..if number == 6 { 1 } else { 6 }).map(move |n| format!("{number}-{n}"));
    for number in 0..7 {
        for step in layer(number) {
            let below: Vec<String> = number.checked_sub(1).into_iter().flat_map(layer).collect();
            let own = if number == 0 { keys(&["a"]) } else { json!([]) };
            let fields = json!({"expected_children": below, "expected_subagents": own, "more_steps": true});
            post(&planner, &step, fields).await;
        }
    }
    let so_far = planner.get("/steps/6-0/result?partial=true").send().await.expect(200);
    assert_eq!(so_far["metadata"]["final"], false);
    for (number, step) in layer(0).take(5).enumerate() {
        let said = format!("Pump {number} was serviced on {} May 2025 [1].", number + 3);
        bring_to(&planner, &step, "a", &said, &["https://docs.org/w"]).await;
    }
    app.post("/planner/sessions/s/cancel").json(&json!({"reason": "enough"})).send().await.expect(200);
    let result = result_of(&planner, "6-0").await;
    assert_eq!((&result["status"], result["results"].as_array().unwrap().len()), (&json!("cancelled"), 5));
}

/// Both steps above it ended before it did, and something was said between: neither is told what the other knew.
#[tokio::test]
async fn step_below_two_is_to_each_what_it_was_when_that_one_ended() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    post(&planner, "below", json!({"expected_subagents": keys(&["a", "b", "c"]), "more_steps": true})).await;
    post(&planner, "top", json!({"expected_children": ["early", "late"], "more_steps": true})).await;
    bring_to(&planner, "below", "a", MONTHS, &["https://a.org/w"]).await;
    let above = json!({"expected_children": ["below"], "deadline_ms": 1, "more_steps": true});
    post(&planner, "early", above.clone()).await;
    let ended = async |step: &str| {
        planner.get(&format!("/steps/{step}/result?wait_ms=60000")).send().await.expect(200)
    };
    let early = ended("early").await;
    bring_to(&planner, "below", "b", VALVE, &["https://b.org/w"]).await;
    post(&planner, "late", above).await;
    let top = ended("top").await;
    for (result, expected) in [(early, vec!["a"]), (top, vec!["a", "b"])] {
        let mut brought = each(&result["results"], "subagent");
        brought.sort_unstable();
        assert_eq!(brought, expected, "{result}");
    }
}

#[tokio::test]
async fn children_that_finish_in_any_order_give_the_same_result() {
    let app = TestApp::new().start().await;
    let mut results = Vec::new();
    for (session, order) in [("s1", ["one", "two"]), ("s2", ["two", "one"])] {
        let planner = app.planner(session);
        post(&planner, "p", json!({"expected_children": ["one", "two"], "task_type": "reasoning"})).await;
        for child in order {
            post(&planner, child, json!({"parent_step_id": "p", "goal": format!("goal of {child}"), "expected_subagents": keys(&["a"])})).await;
        }
        for child in order {
            let content = if child == "one" { MONTHS } else { VALVE };
            bring_to(&planner, child, "a", content, &["https://a.org/w"]).await;
        }
        let result = result_of(&planner, "p").await;
        results.push((result["synthesis"].clone(), result["findings"].clone(), result["sources"].clone()));
    }
    assert_eq!(results[0], results[1]);
}

#[tokio::test]
async fn composed_children_come_in_the_order_of_depends_on() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    post(&planner, "p", json!({"expected_children": ["end", "start"], "task_type": "composition"})).await;
    let child = |task_type: &str, before: &[&str]| json!({"parent_step_id": "p", "task_type": task_type, "depends_on": before, "expected_subagents": keys(&["a"])});
    post(&planner, "end", child("composition", &["start"])).await;
    post(&planner, "start", child("composition", &[])).await;
    bring_to(&planner, "end", "a", "# Outcome\n\nIt *works* well.", &[]).await;
    bring_to(&planner, "start", "a", "# Method\n\nWe looked at it.", &[]).await;
    let result = result_of(&planner, "p").await;
    assert_order(
        text(&result, "synthesis"),
        &["## Method", "We looked at it.", "## Outcome", "It *works* well."],
    );
}

#[tokio::test]
async fn what_a_child_wrote_around_its_quotations_is_said_by_nobody_above() {
    let app = TestApp::new().start().await;
    for task_type in ["composition", "reasoning", "retrieval"] {
        let planner = app.planner(task_type);
        post(&planner, "p", json!({"expected_children": ["one", "two"], "task_type": task_type})).await;
        for (child, content) in
            [("one", "# Start\n\nGrass is green in May."), ("two", "# End\n\nThe sky is blue in June.")]
        {
            let fields = json!({"parent_step_id": "p", "expected_subagents": keys(&["a"])});
            post(&planner, child, fields).await;
            bring_to(&planner, child, "a", content, &[]).await;
        }
        let result = result_of(&planner, "p").await;
        let mut found = each(&result["findings"], "content");
        found.sort_unstable();
        assert_eq!(found, ["Grass is green in May.", "The sky is blue in June."], "{task_type}: {result}");
        assert!(!text(&result, "synthesis").contains("““"), "{task_type}: {result}");
        if task_type == "composition" {
            let prose = ["## Start", "Grass is green in May.", "## End", "The sky is blue in June."];
            assert_order(text(&result, "synthesis"), &prose);
            assert!(!text(&result, "synthesis").contains('“'), "prose isn't quoted: {result}");
        }
    }
}

#[tokio::test]
async fn child_that_was_never_posted_is_a_failure_in_the_result() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let fields =
        json!({"expected_children": ["never"], "expected_subagents": keys(&["own"]), "deadline_ms": 3_000});
    post(&planner, "p", fields).await;
    bring_to(&planner, "p", "own", MONTHS, &["https://a.org/w"]).await;
    let answer = planner.get("/steps/p/result?wait_ms=20000").send().await.expect(200);
    assert_eq!(each(&answer["failures"], "subagent"), ["never"], "{}", answer["failures"]);
    assert_eq!(each(&answer["failures"], "status"), ["timeout"], "{}", answer["failures"]);
    assert_eq!(answer["status"], "partial_failure");
    assert!(text(&answer, "synthesis").contains("24 months"));
}

#[tokio::test]
async fn child_that_is_posted_after_its_parents_end_was_never_posted_for_it() {
    let app = TestApp::new().start().await;
    let mut results = Vec::new();
    // What is asked for early is kept; what is asked for late is made of the log alone.
    for (session, is_read_before) in [("s1", true), ("s2", false)] {
        let planner = app.planner(session);
        post(&planner, "p", json!({"expected_children": ["one", "two"]})).await;
        post(&planner, "one", json!({"parent_step_id": "p", "expected_subagents": keys(&["a"])})).await;
        bring_to(&planner, "one", "a", MONTHS, &["https://a.org/w"]).await;
        planner.tell("/steps/p/cancel", json!({"reason": "enough"})).await;
        if is_read_before {
            results.push(result_of(&planner, "p").await);
        }
        for late in ["two", "three"] {
            post(&planner, late, json!({"parent_step_id": "p", "goal": "late", "depends_on": ["one"], "expected_subagents": keys(&["b"])})).await;
            bring_to(&planner, late, "b", VALVE, &["https://b.org/v"]).await;
        }
        results.push(result_of(&planner, "p").await);
    }
    for result in &results {
        let failure = result["failures"].as_array().unwrap().iter().find(|one| one["task_id"] == "two");
        assert_eq!(failure.unwrap()["error"], "it was never posted");
        assert!(!result.to_string().contains("valve"), "{result}");
        for field in ["failures", "results", "synthesis", "confidence", "confidence_v2"] {
            assert_eq!(
                result[field].to_string().replace("s2", "s1"),
                results[0][field].to_string(),
                "{field}"
            );
        }
    }
}

#[tokio::test]
async fn what_an_open_child_said_until_its_parents_deadline_is_kept_and_marked() {
    let app = TestApp::new().start().await;
    let types = [("retrieval", "s1"), ("reasoning", "s2"), ("composition", "s3")];
    join_all(types.map(async |(task_type, session)| {
        let planner = app.planner(session);
        // Time for all that is said before it.
        let fields = json!({"expected_children": ["one"], "expected_subagents": keys(&["own"]),
            "deadline_ms": 6_000, "task_type": task_type});
        post(&planner, "p", fields).await;
        let child = json!({"parent_step_id": "p", "expected_children": ["below"], "expected_subagents": keys(&["docs", "crm", "silent"])});
        post(&planner, "one", child).await;
        post(&planner, "below", json!({"parent_step_id": "one", "expected_subagents": keys(&["deep"])}))
            .await;
        bring_to(&planner, "one", "docs", MONTHS, &["https://docs.org/w"]).await;
        planner.subagent("one", "crm").say("partial", 1, "The customer in Oslo has 3 open quotes.").await;
        planner.subagent("below", "deep").say("partial", 1, "The pump in Bergen needs oil.").await;
        bring(&planner, "own", "An order ships within 2 working days [1].", &["https://own.org/o"]).await;
        let draft = planner.get("/steps/p/result?partial=true").send().await.expect(200);
        let ended = planner.get("/steps/p/result?wait_ms=20000").send().await.expect(200);
        for result in [&draft, &ended] {
            for said in ["24 months", "3 open quotes", "Bergen", "2 working days"] {
                assert!(text(result, "synthesis").contains(said), "{said}: {result}");
            }
        }
        let one = ended["failures"].as_array().unwrap().iter().find(|failure| failure["subagent"] == "one");
        assert_eq!(one.unwrap()["status"], "timeout", "{}", ended["failures"]);
        let one = draft["failures"].as_array().unwrap().iter().find(|failure| failure["subagent"] == "one");
        assert_eq!(one.unwrap()["status"], "pending", "a draft waits: {}", draft["failures"]);
        assert_eq!(ended["status"], "partial_failure");
        if task_type == "retrieval" {
            let found = |name: &str| {
                let mut results = ended["results"].as_array().unwrap().iter();
                results.find(|result| result["subagent"] == name).unwrap_or_else(|| panic!("{name}: {ended}"))
            };
            assert_eq!(found("crm")["partial"], true);
            assert_eq!(found("deep")["partial"], true);
            assert_ne!(found("docs")["partial"], true, "it was whole");
        }
        // What the child says later changes nothing above.
        planner.subagent("one", "crm").say("partial", 2, "Everything is different now.").await;
        bring_to(&planner, "below", "deep", "It is different now.", &[]).await;
        bring_to(&planner, "one", "silent", "It speaks now.", &[]).await;
        assert_eq!(result_of(&planner, "p").await, ended, "{task_type}");
    }))
    .await;
}

#[tokio::test]
async fn part_of_a_childs_output_is_still_a_part_in_its_parents_result() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    post(&planner, "p", json!({"expected_children": ["one"]})).await;
    post(&planner, "one", json!({"parent_step_id": "p", "expected_subagents": keys(&["crm", "docs"])})).await;
    planner.subagent("one", "crm").say("partial", 1, "The customer in Oslo has 3 open quotes.").await;
    let failed = json!({"status": "error", "error": {"message": "no rows"}});
    planner.subagent("one", "crm").post(&failed).await.expect(200);
    bring_to(&planner, "one", "docs", MONTHS, &["https://docs.org/w"]).await;
    for step in ["one", "p"] {
        let result = result_of(&planner, step).await;
        let crm =
            result["results"].as_array().unwrap().iter().find(|result| result["subagent"] == "crm").unwrap();
        assert_eq!(crm["partial"], true, "{step}: {crm}");
        let metadata = &result["metadata"];
        let counts =
            (&metadata["total_subagents"], &metadata["successful_subagents"], &metadata["failed_subagents"]);
        assert_eq!(counts, (&json!(2), &json!(1), &json!(1)), "{step}");
    }
}

#[tokio::test]
async fn each_subagent_counts_once_and_a_gap_names_its_task() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    let parent = json!({"expected_children": ["late", "no", "bad", "done"], "deadline_ms": 4_000, "task_type": "composition"});
    post(&planner, "p", parent).await;
    for step in ["late", "no", "bad", "done"] {
        post(&planner, step, json!({"parent_step_id": "p", "expected_subagents": keys(&["a"])})).await;
    }
    bring_to(&planner, "done", "a", MONTHS, &["https://a.org/w"]).await;
    planner.subagent("late", "a").say("partial", 1, "The pump in Bergen needs oil.").await;
    let failed = json!({"status": "error", "error": {"message": "no rows"}});
    planner.subagent("bad", "a").post(&failed).await.expect(200);
    let decision =
        json!({"decision": "refuse", "policy": "pii", "reason": "It names people.", "terminate": true});
    planner.tell("/steps/no/safety", decision).await;
    let result = planner.get("/steps/p/result?wait_ms=20000").send().await.expect(200);
    let metadata = &result["metadata"];
    let counts = ["total_subagents", "successful_subagents", "failed_subagents"].map(|name| &metadata[name]);
    assert_eq!(counts, [&json!(4), &json!(1), &json!(3)], "{result}");
    let gaps = result["gaps"].to_string();
    assert!(gaps.contains("a (bad/a) brought no result"), "{gaps}");
    assert!(gaps.contains("late brought only a part of its result (timeout)"), "{gaps}");
}

#[tokio::test]
async fn events_of_a_parent_come_after_its_childrens() {
    let app = TestApp::new().start().await;
    let planner = app.planner("s");
    post(&planner, "p", json!({"expected_children": ["one"]})).await;
    post(&planner, "one", json!({"parent_step_id": "p", "expected_subagents": keys(&["a"])})).await;
    bring_to(&planner, "one", "a", MONTHS, &["https://a.org/w"]).await;
    let page = planner.page("/events").await;
    let told: Vec<(&str, &str)> = each(&page["events"], "plan_step_id")
        .into_iter()
        .zip(each(&page["events"], "type"))
        .filter(|(_, name)| ["aggregation", "synthesis", "plan_step_completed"].contains(name))
        .collect();
    let names = ["aggregation", "synthesis", "plan_step_completed"];
    let expected: Vec<_> = ["one", "p"].iter().flat_map(|step| names.map(|name| (*step, name))).collect();
    assert_eq!(told, expected);
    let summary = |step: &str| {
        let mut events = page["events"].as_array().unwrap().iter();
        let event =
            events.find(|event| event["plan_step_id"] == step && event["type"] == "aggregation").unwrap();
        event["content"]["summary"].clone()
    };
    assert!(summary("p").as_str().unwrap().contains("24 months"), "{page}");
    assert_eq!(result_of(&planner, "p").await["summary"], summary("p"));
}
