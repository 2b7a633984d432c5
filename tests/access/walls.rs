//! What belongs to one tenant or session, tried on another.

use serde_json::{Value, json};

use super::harness::{Folder, TestApp, assert_problem};
use super::scene::{ALL, Holder, claims, events, published, signed, token, with};

async fn tenants(app: &TestApp) -> [Holder; 2] {
    ["acme", "other"]
        .map(|tenant| Holder::new(app.client(), token(&with(claims(&ALL), &json!({"tenant": tenant})))))
}

fn texts(page: &Value) -> Vec<String> {
    let events = page["events"].as_array().unwrap().iter();
    events.filter_map(|event| Some(event["content"]["payload"]["content"].as_str()?.to_owned())).collect()
}

/// docs/bridges/durable-streams.md: every answer there says how browsers are to take it.
#[tokio::test]
async fn refusals_of_durable_streams_have_their_headers() {
    let app = signed().start().await;
    for (path, is_stream) in
        [("/bridges/durable-streams/sessions/s", true), ("/planner/sessions/s/events", false)]
    {
        let answer = app.get(path).send().await;
        assert_problem(&answer, 401, "unauthorized");
        let names = ["x-content-type-options", "cross-origin-resource-policy"];
        let found = names.map(|name| answer.header(name));
        assert_eq!(found == [Some("nosniff"), Some("same-origin")], is_stream, "{path}: {found:?}");
    }
}

#[tokio::test]
async fn two_tenants_have_two_sessions_of_one_name() {
    let folder = Folder::new();
    let app = signed().env("ARCHIVE__URL", folder.url()).start().await;
    let [ours, theirs] = tenants(&app).await;
    for (holder, text) in [(&ours, "ours"), (&theirs, "theirs")] {
        holder.start("s").await;
        holder.say("s", "success", text).await.expect(200);
    }
    ours.start("ours-alone").await;
    for (holder, text, sessions) in [(&ours, "ours", &["ours-alone", "s"][..]), (&theirs, "theirs", &["s"])] {
        let page = holder.get(events("s")).send().await.expect(200);
        assert_eq!(texts(&page), [text]);
        let list = holder.get("/planner/sessions").send().await.expect(200);
        let names: Vec<_> =
            list["sessions"].as_array().unwrap().iter().map(|one| &one["session_id"]).collect();
        assert_eq!(names, sessions);
        let result = holder.get("/planner/sessions/s/steps/p/result?wait_ms=10000").send().await;
        let result = result.expect(200);
        assert_eq!(result["results"][0]["content"], text, "{result}");
        let original = holder.get("/planner/sessions/s/steps/p/results/a").send().await.expect(200);
        assert!(original.to_string().contains(&format!("\"{text}\"")), "{original}");
        assert_eq!(holder.get("/planner/sessions/s").send().await.expect(200)["session_id"], "s");
    }
    assert_eq!(theirs.get("/planner/sessions/ours-alone").send().await.status, 404);
    // What is counted of one isn't counted of the other.
    let third = Holder::new(app.client(), token(&with(claims(&ALL), &json!({"tenant": "third"}))));
    let figures = async |holder: &Holder| {
        let answer = holder.get("/analytics/subagents").send().await.expect(200);
        answer["subagents"].as_array().unwrap().len()
    };
    super::harness::eventually("the figures of both", || async {
        (figures(&ours).await == 1 && figures(&theirs).await == 1).then_some(())
    })
    .await;
    assert_eq!(figures(&third).await, 0);
    // One forgets; the other doesn't notice.
    assert_eq!(ours.request("DELETE", "/planner/sessions/s").send().await.status, 204);
    assert_eq!(ours.get("/planner/sessions/s").send().await.status, 404);
    assert_eq!(texts(&theirs.get(events("s")).send().await.expect(200)), ["theirs"]);
    assert_eq!(figures(&theirs).await, 1);
}

#[tokio::test]
async fn list_names_only_the_sessions_that_the_token_is_for() {
    let app = signed().start().await;
    let all = Holder::of_all(app.client());
    for session in ["a-1", "mine-1", "mine-2", "mine-3", "secret-1", "z-1"] {
        all.start(session).await;
    }
    let some = with(claims(&ALL), &json!({"sessions": ["mine-*"]}));
    let some = Holder::new(app.client(), token(&some));
    for limit in 1..=7 {
        let (mut seen, mut after) = (Vec::new(), String::new());
        for _ in 0..7 {
            let answer = some.get(format!("/planner/sessions?limit={limit}{after}")).send().await;
            let page = answer.expect(200);
            assert!(!["a-1", "secret", "z-1"].iter().any(|other| answer.text().contains(other)), "{page}");
            let sessions = page["sessions"].as_array().unwrap();
            seen.extend(sessions.iter().map(|one| one["session_id"].as_str().unwrap().to_owned()));
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        assert_eq!(seen, ["mine-1", "mine-2", "mine-3"], "{limit}");
    }
}

#[tokio::test]
async fn cursor_of_another_session_tells_no_more_than_one_that_was_made_up() {
    let app = signed().start().await;
    let [ours, theirs] = tenants(&app).await;
    ours.start("a").await;
    let cursor = ours.say("a", "partial", "one").await.expect(200)["cursor"].as_str().unwrap().to_owned();
    let (_, place) = cursor.split_once('_').unwrap();
    let made_up = format!("abcdef012345_{place}");
    ours.start("b").await;
    theirs.start("a").await;
    for (holder, session) in [(&ours, "b"), (&ours, "lacking"), (&theirs, "a"), (&theirs, "lacking")] {
        let ask = async |cursor: &str| {
            let answer = holder.get(format!("{}?after={cursor}", events(session))).send().await;
            (answer.status, answer.text().replace(cursor, "<cursor>"))
        };
        let (of_another, of_nobody) = (ask(&cursor).await, ask(&made_up).await);
        assert_eq!(of_another, of_nobody, "{session}");
        assert!(!of_another.1.contains("one"), "{session}: {}", of_another.1);
    }
}

#[tokio::test]
async fn idempotency_key_and_ids_of_one_session_mean_nothing_in_another() {
    let app = signed().start().await;
    let [ours, theirs] = tenants(&app).await;
    for (holder, session) in [(&ours, "a"), (&ours, "b"), (&theirs, "a")] {
        holder.start(session).await;
    }
    let mut told = Vec::new();
    for (holder, session, text) in [(&ours, "a", "1"), (&ours, "b", "2"), (&theirs, "a", "3")] {
        let event = json!({"status": "partial", "payload": {"content": text, "sources": []}});
        let request = holder.request("POST", published(session)).header("idempotency-key", "one");
        let answer = request.json(&event).send().await.expect(200);
        told.push(answer["results"][0]["verdict"].clone());
        assert_eq!(texts(&holder.get(events(session)).send().await.expect(200)), [text]);
    }
    assert_eq!(told, ["accepted"; 3]);
    let step = json!({"plan_step_id": "ours-alone", "expected_subagents": [{"key": "b"}]});
    ours.post("/planner/sessions/a/steps", &step).await.expect(201);
    for (holder, session) in [(&ours, "b"), (&theirs, "a")] {
        for rest in ["", "/result", "/results/b"] {
            let path = format!("/planner/sessions/{session}/steps/ours-alone{rest}");
            assert_problem(&holder.get(path).send().await, 404, "unknown_step");
        }
    }
}

#[tokio::test]
async fn figures_of_all_sessions_are_not_for_whom_only_some_are() {
    let folder = Folder::new();
    let app = signed().env("ARCHIVE__URL", folder.url()).start().await;
    let holder_of = |sessions: &str| {
        Holder::new(app.client(), token(&with(claims(&ALL), &json!({"sessions": [sessions]}))))
    };
    let (some, every) = (holder_of("a*"), holder_of("*"));
    for path in ["/analytics/subagents", "/analytics/feedback", "/shadow/discrepancies"] {
        assert_problem(&some.get(path).send().await, 403, "forbidden");
        assert_eq!(every.get(path).send().await.status, 200, "{path}");
        assert_eq!(Holder::of_all(app.client()).get(path).send().await.status, 200, "{path}");
    }
}

/// What a route opens isn't all that it can do: cancelling a task and explaining a result need a scope of their own.
#[tokio::test]
async fn scopes_within_a_route_are_asked_for_too() {
    let app = signed().start().await;
    let holder = |scopes: &[&str]| Holder::new(app.client(), token(&claims(scopes)));
    let (all, reader, planner) = (holder(&ALL), holder(&["read"]), holder(&["plan"]));
    all.start("s").await;
    let cancel = async |holder: &Holder| {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "CancelTask", "params": {"id": "p"}});
        let request = holder.request("POST", "/bridges/a2a/sessions/s").header("a2a-version", "1.0");
        request.json(&call).send().await.expect(200)
    };
    let refused = cancel(&reader).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("scope `plan`"), "{refused}");
    let step = "/planner/sessions/s/steps/p";
    assert_eq!(all.get(step).send().await.expect(200)["status"], "in_progress");

    let explained = format!("{step}/result?partial=true&explain=true");
    assert_problem(&planner.get(&*explained).send().await, 403, "forbidden");
    all.get(&*explained).send().await.expect(200);
    let admin = holder(&["admin"]);
    admin.get(&*explained).send().await.expect(200);
    assert_problem(&admin.get(format!("{step}/result?partial=true")).send().await, 403, "forbidden");

    // An id may be called like what is explained.
    all.start("result").await;
    for path in ["/planner/sessions/result", "/bridges/durable-streams/sessions/result"] {
        let asked = format!("{path}?explain=true");
        assert_problem(&admin.get(asked).send().await, 403, "forbidden");
    }
    planner.get("/planner/sessions/result?explain=true").send().await.expect(200);

    assert_eq!(cancel(&all).await["result"]["status"]["state"], "TASK_STATE_CANCELED");
    assert_eq!(all.get(step).send().await.expect(200)["status"], "cancelled");
}
