//! A draft that readers see grow, and the verified answer that replaces it.

use serde_json::{Value, json};

use crate::drafts::{Draft, finding};
use crate::harness::{Planner, within};
use crate::model_server::{Exchange, ModelServer, Protocol};
use crate::read::{Page, Reader, snapshot};
use crate::scene::{
    BOTH, MODEL, assert_written, bring_all, ended, of_type, patient, plan, result, text, written_by,
};

async fn reader(planner: &Planner) -> Reader {
    Reader::of(planner.get("/steps/p/events?coalesce=never").sse().await).await
}

/// The page that a draft comes to.
fn page_of(draft: &Draft) -> Page {
    let mut page = Page::default();
    for (place, finding) in draft.findings.iter().enumerate() {
        for member in ["topic", "content"] {
            page.texts.insert(format!("findings/{place}/{member}"), text(finding, member).to_owned());
        }
    }
    page.texts.insert("summary".to_owned(), draft.summary.clone());
    page
}

/// Says the beginning of a draft, up to the end of its first content; returns the rest.
async fn say_first(exchange: &mut Exchange, draft: &Draft) -> String {
    let written = draft.text();
    let (first, rest) = written.split_at(written.find(",\"source_ids\"").unwrap());
    exchange.begin().await;
    exchange.say(first).await;
    rest.to_owned()
}

#[tokio::test]
async fn a_reader_sees_the_draft_while_the_model_writes_and_then_the_verified_answer() {
    for protocol in BOTH {
        let server = ModelServer::start().await;
        let app = written_by(&server, protocol).start().await;
        let planner = plan(app.client(), "s", json!({})).await;
        let mut reader = reader(&planner).await;
        bring_all(&planner, "p").await;
        let mut exchange = server.next().await;
        let draft = Draft::faithful(&exchange.asked);
        let rest = say_first(&mut exchange, &draft).await;
        let first = text(&draft.findings[0], "content");
        // The server says nothing more before the reader has seen this.
        reader.until(|events| Page::of(events).text("findings/0/content") == first).await;
        assert_eq!(
            reader.types()[reader.types().len() - 3..],
            ["step_completed", "aggregation", "synthesis_delta"]
        );
        assert_eq!(planner.get("/steps/p/result").send().await.status, 202, "there is no answer yet");
        let late = snapshot(planner.get("/steps/p/events?after=snapshot").sse().await).await;
        assert_eq!(Page::of(&late), reader.page(), "a late reader sees the same page");

        exchange.say(&rest).await;
        exchange.end().await;
        reader.finish().await;
        let tail = ["step_completed", "aggregation", "synthesis_delta", "synthesis", "plan_step_completed"];
        assert_eq!(reader.types()[reader.types().len() - 5..], tail);
        assert_eq!(reader.page(), page_of(&draft));
        for once in ["aggregation", "synthesis", "plan_step_completed"] {
            assert_eq!(of_type(&reader.events, once).len(), 1, "{once}");
        }
        assert_eq!(reader.events, ended(&planner, "p").await, "the log is what the reader saw");

        let result = result(&planner, "p").await;
        assert_written(&result);
        assert_eq!(result["metadata"]["prompt_version"], "retrieval-1");
        let counts = &result["metadata"]["synthesis"];
        let drafted = json!(draft.findings.len());
        assert_eq!((&counts["drafted"], &counts["kept"]), (&drafted, &drafted), "{counts}");
        let told = &of_type(&reader.events, "synthesis")[0]["content"];
        assert_eq!((&told["method"], &told["summary"]), (&json!("llm"), &result["summary"]));
        assert_eq!(told["href"], "/planner/sessions/s/steps/p/result");
        assert_eq!(server.calls().len(), 1, "what stands isn't asked for again");
    }
}

#[tokio::test]
async fn a_reader_who_comes_after_the_end_sees_the_answer_and_no_draft() {
    let server =
        ModelServer::saying(|asked| crate::model_server::Says::Text(crate::drafts::faithful(asked))).await;
    let app = written_by(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let events = ended(&planner, "p").await;
    assert!(!of_type(&events, "synthesis_delta").is_empty(), "replays have them");
    for rest in ["/steps/p/events?after=snapshot", "/events?after=snapshot"] {
        let shown = snapshot(planner.get(rest).sse().await).await;
        assert_eq!(of_type(&shown, "synthesis_delta"), Vec::<&Value>::new());
        assert_eq!(of_type(&shown, "synthesis").len(), 1);
        assert_eq!(of_type(&shown, "plan_step_completed").len(), 1);
    }
}

#[tokio::test]
async fn another_attempt_begins_the_readers_page_anew() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    let mut reader = reader(&planner).await;
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    let draft = Draft::faithful(&exchange.asked);
    say_first(&mut exchange, &draft).await;
    reader.until(|events| !Page::of(events).text("findings/0/content").is_empty()).await;
    exchange.cut();

    let mut second = server.next().await;
    let other = Draft { summary: text(&draft.findings[1], "content").to_owned(), ..draft };
    second.begin().await;
    second.say(&other.text()).await;
    second.end().await;
    reader.finish().await;
    let page = reader.page();
    assert_eq!(page.texts, page_of(&other).texts, "nothing of the first draft is left");
    assert!(page.restarts >= 1);
    assert_written(&result(&planner, "p").await);
    assert_eq!(of_type(&reader.events, "plan_step_completed").len(), 1);
}

#[tokio::test]
async fn what_a_shorter_draft_has_not_is_taken_back() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    let mut reader = reader(&planner).await;
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    let draft = Draft::faithful(&exchange.asked);
    let last = format!("findings/{}/content", draft.findings.len() - 1);
    let written = draft.text();
    exchange.begin().await;
    exchange.say(&written[..written.len() - 2]).await;
    reader.until(|events| !Page::of(events).text(&last).is_empty()).await;
    exchange.cut();

    let mut second = server.next().await;
    second.begin().await;
    // Before it has said a word of its own.
    reader.until(|events| Page::of(events).texts.values().all(String::is_empty)).await;
    second.say(&written).await;
    second.end().await;
    reader.finish().await;
    assert_eq!(reader.page().texts, page_of(&draft).texts);
}

#[tokio::test]
async fn a_citation_that_points_to_nothing_never_reaches_a_reader() {
    let server = ModelServer::start().await;
    let app = written_by(&server, Protocol::Anthropic).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    let mut reader = reader(&planner).await;
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    let mut draft = Draft::faithful(&exchange.asked);
    let content = text(&draft.findings[0], "content").trim_end_matches('.').to_owned();
    draft.findings[0] = finding("Warranty", &format!("{content} [1][99]."), &json!([1, 99]));
    draft.summary = format!("{content} [77].");
    exchange.begin().await;
    for piece in draft.text().as_bytes().chunks(3) {
        exchange.say(std::str::from_utf8(piece).unwrap()).await;
    }
    exchange.end().await;
    reader.finish().await;
    let page = reader.page();
    for shown in page.texts.values() {
        assert!(!shown.contains("99") && !shown.contains("77"), "{shown}");
    }
    assert!(page.text("findings/0/content").contains("[1]"), "{page:?}");
    let result = result(&planner, "p").await;
    assert_written(&result);
    let notes = result["metadata"]["synthesis"]["notes"].to_string();
    assert!(notes.contains("pointed to no source"), "{notes}");
}

#[tokio::test]
async fn a_step_above_waits_for_the_answer_below_it() {
    let server = ModelServer::start().await;
    let app = written_by(&server, Protocol::OpenAi).start().await;
    let planner = app.planner("s");
    let parent = json!({"plan_step_id": "top", "expected_children": ["p"], "deadline_ms": 60_000,
        "synthesis": {"mode": "extractive"}});
    planner.post(&parent).await.expect(201);
    let expected: Vec<Value> = crate::scene::SAID.iter().map(|(key, ..)| json!({ "key": key })).collect();
    let child = json!({"plan_step_id": "p", "parent_step_id": "top", "query": crate::scene::QUERY,
        "expected_subagents": expected, "deadline_ms": 60_000, "synthesis": {"mode": "llm"}});
    planner.post(&child).await.expect(201);
    bring_all(&planner, "p").await;
    let mut exchange = server.next().await;
    assert_eq!(planner.page("/steps/top/events").await["closed"], false);
    exchange.begin().await;
    exchange.say(&crate::drafts::faithful(&exchange.asked)).await;
    exchange.end().await;
    within("the root's end", ended(&planner, "top")).await;
    let above = result(&planner, "top").await;
    assert!(text(&above, "synthesis").contains("24 months"), "{above}");
    assert_eq!(result(&planner, "p").await["metadata"]["model"], MODEL);
}
