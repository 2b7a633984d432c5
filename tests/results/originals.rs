//! The full originals: whatever was cut, all of it can be had.

use serde_json::json;

use crate::harness::{TestApp, assert_problem, event_texts};
use crate::scene::{bring, combine, each, fail, plan, result, text};

/// About 2,400 tokens of prose.
fn long() -> String {
    let sentence =
        |n| format!("Part {n} of the manual says that pump {n} needs oil every {} days [1].", n + 7);
    (1..=120).map(sentence).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn full_original_is_kept_though_the_result_is_cut_and_the_cut_names_it() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({"aggregation": {"max_result_tokens": 120}})).await;
    let original = long();
    bring(&planner, "a", &original, &["https://a.org/manual"]).await;
    let result = result(&planner).await;
    let cut = &result["results"][0];
    let href = text(cut, "href");
    assert_eq!(href, "/planner/sessions/s/steps/p/results/a");
    assert_eq!((&cut["truncated"], &result["metadata"]["truncated_results"]), (&json!(true), &json!(1)));
    let tokens = cut["tokens"].as_u64().unwrap();
    // A sentence has some 20 tokens: one more would be too much.
    assert!((90..=120).contains(&tokens), "{tokens}: {cut}");
    let content = text(cut, "content");
    let (kept, marker) = content.rsplit_once("\n\n").unwrap();
    assert!(marker.contains("left out") && marker.contains(href), "{marker}");
    for piece in kept.split_inclusive("].") {
        // The last sentence may be shortened, between two words.
        let said = piece.split('…').next().unwrap().trim();
        assert!(original.contains(said), "it isn't in the original: {piece}");
        let next = original[original.find(said).unwrap() + said.len()..].chars().next();
        assert!(next.is_none_or(|next| !next.is_alphanumeric()), "a word is cut: {piece}");
    }
    let whole = app.get(href).send().await;
    assert_eq!(whole.expect(200)["content"]["payload"]["content"], original);
    let page = planner.get("/events?type=planner_stream&subagent=a").send().await;
    assert_eq!(event_texts(page.text()).last().unwrap(), whole.text(), "as it was streamed, byte for byte");
}

#[tokio::test]
async fn result_that_fits_is_not_touched() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({})).await;
    let original = "# Oil\n\n- The pump needs oil every 30 days [1].\n- `code [2]`\n\n```\nlet a = [1];\n```";
    bring(&planner, "a", original, &["https://a.org/manual"]).await;
    let result = result(&planner).await;
    let kept = &result["results"][0];
    assert_eq!((&kept["truncated"], text(kept, "content")), (&json!(false), original));
}

#[tokio::test]
async fn cut_without_a_step_names_the_task() {
    let app = TestApp::new().start().await;
    let task = json!({"task_id": "manual-7", "subagent": "a", "success": true, "content": long(), "sources": ["https://a.org"]});
    let body = json!({"results": [task], "options": {"max_result_tokens": 100}});
    let result = combine(app.client(), "/aggregations", body).await;
    let cut = &result["results"][0];
    assert_eq!((&cut["truncated"], cut.get("href")), (&json!(true), None));
    let marker = text(cut, "content").rsplit_once("\n\n").unwrap().1;
    assert!(marker.contains("manual-7"), "{marker}");
}

#[tokio::test]
async fn original_of_a_failure_is_the_last_it_said() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    let path = "/steps/p/results/a";
    let before = planner.get(path).send().await;
    assert_eq!((before.status, before.header("retry-after").is_some()), (202, true), "nothing was said");
    planner.subagent("p", "a").say("partial", 1, "The pump").await;
    planner.subagent("p", "a").say("partial", 2, "The pump needs oil").await;
    fail(&planner, "a", "it broke").await;
    let said = planner.get(path).send().await.expect(200);
    assert_eq!(said["content"]["payload"]["content"], "The pump needs oil");
}

#[tokio::test]
async fn original_that_nobody_expects_is_unknown() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a"], json!({})).await;
    bring(&planner, "a", "The pump needs oil every 30 days.", &[]).await;
    assert_problem(&planner.get("/steps/p/results/b").send().await, 404, "unknown_subagent");
    assert_problem(&planner.get("/steps/q/results/a").send().await, 404, "unknown_step");
}

#[tokio::test]
async fn merged_twin_keeps_its_original() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    for key in ["a", "b"] {
        bring(&planner, key, "The pump of the plant needs oil every 30 days.", &[]).await;
    }
    let result = result(&planner).await;
    assert_eq!(
        (each(&result["results"], "task_id"), &result["results"][0]["merged"]),
        (vec!["a"], &json!(["b"]))
    );
    let twin = planner.get("/steps/p/results/b").send().await.expect(200);
    assert_eq!(twin["content"]["payload"]["content"], "The pump of the plant needs oil every 30 days.");
}

#[tokio::test]
async fn rows_that_a_card_does_not_show_are_in_the_original() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["row_selection"], json!({})).await;
    let rows: Vec<_> =
        (0..120).map(|at| json!({"id": format!("r{at}"), "place": format!("shelf {at}")})).collect();
    let sent = json!({"rows": rows, "selected": ["r99"]});
    let event = json!({"status": "success", "payload": sent});
    planner.subagent("p", "row_selection").post(&event).await.expect(200);
    let result = result(&planner).await;
    let shown = &result["results"][0];
    let notes = shown["notes"].as_array().unwrap();
    let told = notes.iter().filter(|note| note.as_str().unwrap().contains("120"));
    assert_eq!(told.count(), 1, "told once: {notes:?}");
    let streamed = planner.get("/events?type=planner_stream&subagent=row_selection").send().await;
    let events = event_texts(streamed.text());
    let card: serde_json::Value = serde_json::from_str(events.last().unwrap()).unwrap();
    let rows = card["content"]["payload"]["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[48]["id"], &rows[49]["id"]), (50, &json!("r48"), &json!("r99")));
    let mut whole = app.get(text(shown, "href")).send().await.expect(200);
    assert_eq!(whole["content"]["payload"], sent, "as it was sent");
    whole["content"]["payload"] = card["content"]["payload"].clone();
    assert_eq!(whole, card, "the rest as it was streamed");
}

#[tokio::test]
async fn original_of_what_failed_is_what_it_said_or_how_it_ended() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["half", "none"], json!({})).await;
    let half = json!({"status": "error", "error": {"message": "broke off"}, "payload": {"content": "The half answer is 5."}});
    planner.subagent("p", "half").post(&half).await.expect(200);
    fail(&planner, "none", "no rows").await;
    let result = result(&planner).await;
    let shown = result["results"].as_array().unwrap().iter().find(|one| one["task_id"] == "half").unwrap();
    let whole = app.get(text(shown, "href")).send().await.expect(200);
    assert_eq!(whole["content"]["payload"]["content"], "The half answer is 5.");
    let ended = planner.get("/steps/p/results/none").send().await.expect(200);
    assert_eq!(
        (&ended["content"]["status"], &ended["content"]["error"]["message"]),
        (&json!("error"), &json!("no rows"))
    );
}
