//! Every protocol of an answer: what is shown while it comes, what is its success, and what goes out with the question.

use serde_json::{Value, json};

use crate::harness::eventually;
use crate::hosts::PlainAgent;
use crate::scene::{Scene, about, calling, ended, simulator, statuses};

/// Keys of outputs, and the protocol and query that each is called by.
pub const WAYS: [(&str, &str); 7] = [
    ("json", "json?"),
    ("ndjson", "ndjson?"),
    ("sse", "sse?"),
    ("openai", "openai?"),
    ("anthropic", "anthropic?"),
    ("a2a", "a2a?version=1.0"),
    ("a2a_of_old", "a2a?version=0.3"),
];

/// An output whose payloads are `{answer, citations}`.
pub fn documents(scene: &Scene, key: &str, path: &str) -> Value {
    let mut output = scene.called(key, path);
    output["adapter"] = json!("documentation");
    output
}

/// What an output's `planner_stream` events of a status say at `pointer`.
pub fn said(events: &[Value], key: &str, status: &str, pointer: &str) -> Vec<Value> {
    let contents = about(events, key).into_iter();
    // `subagent_completed` has a status too, but no payload.
    let of_status =
        contents.filter(|content| content["status"] == status && content.get("latency_ms").is_none());
    of_status.map(|content| content.pointer(pointer).cloned().unwrap_or_default()).collect()
}

/// Each text is the beginning of the next one.
fn assert_grows(key: &str, texts: &[Value]) {
    for pair in texts.windows(2) {
        let [shorter, longer] = [&pair[0], &pair[1]].map(|text| text.as_str().unwrap());
        assert!(longer.starts_with(shorter), "{key}: {shorter:?} {longer:?}");
    }
}

#[tokio::test]
async fn every_protocol_shows_what_grows_and_then_the_whole_as_its_success() {
    let scene = Scene::new().await;
    let output = |(key, way): &(&str, &str)| {
        documents(&scene, key, &format!("/documentation/{way}&chunks=4&chunk_ms=60"))
    };
    let mut outputs: Vec<_> = WAYS.iter().map(output).collect();
    outputs.push(documents(&scene, "accepted", "/documentation/json?status=202"));
    let planner = scene.plan(&outputs).await;
    let events = ended(&planner, "p").await;
    let whole = said(&events, "json", "success", "/payload/answer")[0].clone();
    assert!(whole.as_str().unwrap().contains("how do quotes convert?"), "{whole}");
    for (key, _) in WAYS.iter().chain(&[("accepted", "")]) {
        let about = about(&events, key);
        assert_eq!((&about[0]["mode"], &about[0]["attempt"]), (&json!("invoke"), &json!(1)), "{key}");
        let partials = said(&events, key, "partial", "/payload/answer");
        let wanted = match *key {
            "json" | "accepted" => 0..=0,
            "ndjson" | "sse" => 4..=4,
            _ => 1..=5,
        };
        assert!(wanted.contains(&partials.len()), "{key}: {partials:?}");
        let success = said(&events, key, "success", "/payload/answer");
        assert_eq!(success, std::slice::from_ref(&whole), "{key}");
        assert_grows(key, &[partials.clone(), success].concat());
        // An agent's task says itself that it is worked on; that it waited before isn't told once it was asked.
        let begun =
            if key.starts_with("a2a") { &["in_progress", "in_progress"][..] } else { &["in_progress"] };
        let in_order = [begun, &vec!["partial"; partials.len()], &["success"]].concat();
        assert_eq!(statuses(&events, key), in_order, "{key}");
        let revisions: Vec<_> =
            about[1..].iter().map(|content| content["revision"].as_u64().unwrap()).collect();
        let expected: Vec<_> = (1..=in_order.len() as u64).collect();
        assert_eq!(revisions.split_last().unwrap().1, expected, "{key}");
        assert_eq!(about.last().unwrap()["attempts"], 1, "{key}");
    }
}

#[tokio::test]
async fn what_comes_beside_a_text_comes_with_the_success() {
    let scene = Scene::new().await;
    let mut document = scene.called("document", "/generic/openai");
    document["invoke"]["body"]["stream"] = json!(false);
    let mut rows = scene.called("rows", "/row_selection/a2a");
    rows["adapter"] = json!("row_selection");
    let outputs = [
        scene.called("openai", "/generic/openai?usage=true"),
        scene.called("anthropic", "/generic/anthropic"),
        document,
        scene.called("openai_tool", "/action_workflow/openai"),
        scene.called("anthropic_tool", "/action_workflow/anthropic"),
        scene.called("agent", "/documentation/a2a"),
        rows,
    ];
    let planner = scene.plan(&outputs).await;
    let events = ended(&planner, "p").await;
    let payload = |key: &str| said(&events, key, "success", "/payload")[0].clone();
    let [openai, anthropic, document] = ["openai", "anthropic", "document"].map(payload);
    assert_eq!((&openai["finish_reason"], &openai["model"]), (&json!("stop"), &json!("m")));
    assert!(openai["usage"]["completion_tokens"].as_u64().unwrap() > 1, "{openai}");
    assert_eq!((&anthropic["finish_reason"], &anthropic["model"]), (&json!("end_turn"), &json!("m")));
    let usage = &anthropic["usage"];
    assert_eq!(usage["output_tokens"], openai["usage"]["completion_tokens"], "the last figure counts");
    assert_eq!(usage["input_tokens"], openai["usage"]["prompt_tokens"], "the first one isn't lost");
    assert_eq!(document, openai, "one document says the same as the stream");
    for (key, reason) in [("openai_tool", "tool_calls"), ("anthropic_tool", "tool_use")] {
        let payload = payload(key);
        let call = &payload["tool_calls"][0];
        let arguments: Value = serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap();
        assert!(call["id"].is_string() && call["name"].is_string() && arguments["due"].is_string(), "{call}");
        assert_eq!(payload["finish_reason"], reason);
    }
    let sources = payload("agent")["sources"].clone();
    assert!(sources[1]["url"].as_str().unwrap().starts_with("https://"), "{sources}");
    assert_eq!(payload("rows")["row_count"], 12, "an agent's data is its output");
}

#[tokio::test]
async fn events_in_an_answer_are_taken_as_events() {
    let scene = Scene::new().await;
    let ways =
        [("json", "json?burst=3"), ("ndjson", "ndjson?chunks=3"), ("sse", "sse?chunks=3"), ("one", "json?")];
    let output = |(key, way): (&str, &str)| {
        documents(&scene, key, &format!("/documentation/{way}&status_event=success"))
    };
    let planner = scene.plan(&ways.map(output)).await;
    let events = ended(&planner, "p").await;
    let whole = said(&events, "one", "success", "/payload/answer");
    assert_eq!(statuses(&events, "one"), ["in_progress", "success"]);
    for (key, _) in &ways[..3] {
        assert_eq!(statuses(&events, key), ["in_progress", "partial", "partial", "success"], "{key}");
        assert_eq!(said(&events, key, "success", "/payload/answer"), whole, "{key}");
        let citations = said(&events, key, "success", "/payload/citations");
        assert_eq!(citations[0].as_array().unwrap().len(), 2, "{key}");
    }
}

#[tokio::test]
async fn errors_in_an_answer_fail_in_its_words_and_are_tried_again_where_it_says_so() {
    let scene = Scene::new().await;
    let mut outputs = Vec::new();
    for (key, way) in WAYS {
        for retryable in [true, false] {
            let path = format!("/documentation/{way}&status_event=error&retryable={retryable}");
            let mut output = scene.called(&format!("{key}_{retryable}"), &path);
            output["max_attempts"] = json!(2);
            outputs.push(output);
        }
    }
    let planner = scene.plan(&outputs).await;
    let events = ended(&planner, "p").await;
    for (key, way) in WAYS {
        for (retryable, retries) in [(true, 1), (false, 0)] {
            let key = format!("{key}_{retryable}");
            let statuses = statuses(&events, &key);
            assert_eq!(
                statuses.iter().filter(|status| *status == "retry").count(),
                retries,
                "{key}: {statuses:?}"
            );
            assert_eq!(statuses.last().unwrap(), "error", "{key}");
            assert!(!statuses.iter().any(|status| status == "success"), "{key}");
            let error = &said(&events, &key, "error", "/error")[0];
            assert_eq!(error["message"], "it failed as it was told", "{key}");
            // A model's server can't say that nothing will help: it has words for that.
            let told = retryable || !matches!(way, "openai?" | "anthropic?");
            assert_eq!(error["retryable"], if told { json!(retryable) } else { Value::Null }, "{key}");
            assert!(!error["code"].as_str().unwrap().is_empty(), "{key}");
        }
    }
    assert_eq!(said(&events, "sse_false", "error", "/error/code"), ["simulated"]);
    assert_eq!(said(&events, "openai_false", "error", "/error/code"), ["invalid_request_error"]);
    assert_eq!(said(&events, "anthropic_true", "error", "/error/code"), ["overloaded_error"]);
}

#[tokio::test]
async fn answer_that_only_accepts_leaves_the_output_open_until_a_push_ends_it() {
    let agent = PlainAgent::start(|request| match request.split(' ').nth(1) {
        Some("/pending") => PlainAgent::answer("200 OK", "application/json", r#"{"status":"pending"}"#),
        Some("/in_progress") => {
            PlainAgent::answer("200 OK", "application/json", r#"{"status":"in_progress"}"#)
        }
        _ => PlainAgent::answer("202 Accepted", "text/plain", ""),
    })
    .await;
    let app = calling(agent.addr).start().await;
    for (way, protocol) in
        [("pending", "json"), ("in_progress", "json"), ("accepted", "json"), ("streams", "sse")]
    {
        let planner = app.planner(way);
        let output = agent.called("a", &format!("/{way}"), protocol);
        planner.post(&json!({"plan_step_id": "p", "expected_subagents": [output]})).await.expect(201);
        // That it was left open is an entry that no reader sees: it lies behind the last event.
        let seen = eventually("the answer to be taken in", || async {
            let page = planner.page("/events").await;
            let last = page["events"].as_array().unwrap().last().cloned().unwrap();
            let begun = last["content"]["status"] == "in_progress";
            (begun && page["tail"].as_u64() > last["sequence"].as_u64()).then_some(last)
        })
        .await;
        let step = planner.step("p").await;
        assert_eq!(step["status"], "in_progress", "{way}: {step} {seen}");
        planner.subagent("p", "a").succeed().await;
        let events = ended(&planner, "p").await;
        let statuses = statuses(&events, "a");
        assert_eq!(
            (&*statuses[0], &**statuses.last().unwrap()),
            ("in_progress", "success"),
            "{way}: {statuses:?}"
        );
        assert!(!statuses.iter().any(|status| status == "retry"), "{way}: {statuses:?}");
        let about = about(&events, "a");
        assert_eq!((&about[0]["mode"], &about.last().unwrap()["attempts"]), (&json!("invoke"), &json!(1)));
    }
    assert_eq!(agent.asked().len(), 4, "nobody is asked twice");
}

#[tokio::test]
async fn call_says_whose_it_is_and_until_when() {
    let scene = Scene::new().await;
    let planner = scene.app.planner("s");
    let mut output = scene.called("documentation", "/documentation/json");
    output["result_key"] = json!("quotes");
    output["deadline_ms"] = json!(20_000);
    output["invoke"]["headers"] = json!({"x-own": "mine"});
    let other = scene.called("voice", "/voice/sse");
    let directive = json!({"plan_step_id": "p", "expected_subagents": [output, other]});
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let post = scene.app.post(planner.path("/steps")).json(&directive).header("baggage", "user=42");
    let post =
        post.header("traceparent", format!("00-{trace}-00f067aa0ba902b7-01")).header("tracestate", "a=1,b=2");
    post.send().await.expect(201);
    let events = ended(&planner, "p").await;
    let calls = scene.agents.calls().calls;
    let asked = calls.iter().find(|call| call.asked.path == "/documentation/json").unwrap();
    let headers = &asked.asked.headers;
    let own = events.iter().find(|event| event["content"]["result_key"] == "quotes").unwrap();
    let (trace_id, span_id) = (&own["telemetry"]["trace_id"], own["telemetry"]["span_id"].as_str().unwrap());
    assert_eq!(trace_id, trace);
    let deadline = &events[0]["content"]["expected"][0]["deadline"];
    for (name, value) in [
        ("traceparent", &*format!("00-{trace}-{span_id}-01")),
        ("tracestate", "a=1,b=2"),
        ("baggage", "user=42"),
        ("tributary-attempt", "1/3"),
        ("tributary-session-id", "s"),
        ("tributary-plan-step-id", "p"),
        ("tributary-subagent", "documentation"),
        ("tributary-result-key", "quotes"),
        ("tributary-deadline", deadline.as_str().unwrap()),
        ("content-type", "application/json"),
        ("accept", "application/json"),
        ("x-own", "mine"),
    ] {
        assert_eq!(headers.get(name).map(String::as_str), Some(value), "{name}");
    }
    let budget_ms: u64 = headers["tributary-budget-ms"].parse().unwrap();
    assert!((1..=20_000).contains(&budget_ms), "{budget_ms}");
    let key = &headers["idempotency-key"];
    assert!(key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    let of_other = calls.iter().find(|call| call.asked.path == "/voice/sse").unwrap();
    assert_ne!(&of_other.asked.headers["idempotency-key"], key, "each output is a request of its own");
    assert_ne!(of_other.asked.headers["traceparent"], headers["traceparent"]);
    assert!(of_other.asked.headers["accept"].starts_with("text/event-stream"));
}

#[tokio::test]
async fn an_agent_that_speaks_anthropics_protocol_is_told_its_version() {
    let scene = Scene::new().await;
    let mut own = scene.called("own", "/generic/anthropic");
    own["invoke"]["headers"] = json!({"Anthropic-Version": "2099-01-01"});
    let expected =
        [scene.called("usual", "/generic/anthropic"), own, scene.called("other", "/generic/openai")];
    let planner = scene.plan(&expected).await;
    ended(&planner, "p").await;
    let calls = scene.agents.calls().calls;
    for (key, version) in [("usual", Some("2023-06-01")), ("own", Some("2099-01-01")), ("other", None)] {
        let call = calls.iter().find(|call| call.asked.headers["tributary-subagent"] == key).unwrap();
        assert_eq!(call.asked.headers.get("anthropic-version").map(String::as_str), version, "{key}");
    }
}

#[tokio::test]
async fn body_goes_as_it_stands_and_without_one_what_is_known_of_the_task() {
    let scene = Scene::new().await;
    let url = scene.agents.url("/generic/json");
    let body = r#"{"z": 1.50e1,  "query":"grüß \u00e9",	"a": [ 1 ]}"#;
    let directive = format!(
        r#"{{"plan_step_id": "p", "query": "why?", "goal": "g", "instructions": "be brief", "planner_context": {{"user_id": "u"}},
        "expected_subagents": [{{"key": "given", "invoke": {{"url": "{url}", "protocol": "json", "body": {body}}}}},
            {{"key": "asked", "task": "t", "invoke": {{"url": "{url}", "protocol": "json"}}}}]}}"#
    );
    let planner = scene.app.planner("s");
    let post = scene.app.post(planner.path("/steps")).body("application/json", directive);
    post.send().await.expect(201);
    ended(&planner, "p").await;
    let calls = scene.agents.calls().calls;
    let of = |key: &str| {
        let call = calls.iter().find(|call| call.asked.headers["tributary-subagent"] == key);
        call.unwrap().asked.body.clone()
    };
    // The same text, numbers, escapes, order and all; but it is kept on one line, without the space between its tokens.
    assert_eq!(of("given"), r#"{"z":1.50e1,"query":"grüß \u00e9","a":[1]}"#);
    let asked: Value = serde_json::from_str(&of("asked")).unwrap();
    let context = json!({"user_id": "u"});
    let wanted = json!({"task": "t", "query": "why?", "goal": "g", "instructions": "be brief", "planner_context": context});
    assert_eq!(asked, wanted);
}

/// A text's revisions: when each was stored, in milliseconds, and how long the text was.
struct Shown {
    begun_ms: i64,
    partials: Vec<(i64, usize)>,
    whole: String,
}

fn shown(events: &[Value], key: &str) -> Shown {
    let mut shown = Shown { begun_ms: 0, partials: Vec::new(), whole: String::new() };
    let mut texts = Vec::new();
    for event in events.iter().filter(|event| event["content"]["result_key"] == key) {
        let at: jiff::Timestamp = event["timestamp"].as_str().unwrap().parse().unwrap();
        let text = &event["content"]["payload"]["content"];
        match event["content"]["status"].as_str() {
            Some("in_progress") => shown.begun_ms = at.as_millisecond(),
            Some("partial") => shown.partials.push((at.as_millisecond(), text.as_str().unwrap().len())),
            _ => {}
        }
        texts.extend(text.is_string().then(|| text.clone()));
    }
    assert_grows(key, &texts);
    shown.whole = texts.last().unwrap().as_str().unwrap().to_owned();
    shown
}

/// Holds however slow the machine is: a revision is stored after it was due, and before the next one is. So on the whole
/// there are no more than so many a second, and one more in any single second, whose first may have been stored late.
fn assert_pace(key: &str, since_ms: i64, times: &[i64], gap_ms: i64) {
    for (place, at) in times.iter().enumerate() {
        assert!(
            at - since_ms >= gap_ms * place as i64 - 1,
            "{key}: {place} revisions in {} ms",
            at - since_ms
        );
    }
    let a_second = usize::try_from(1_000 / gap_ms).unwrap();
    for seconds in times.windows(a_second + 2) {
        let took_ms = seconds[a_second + 1] - seconds[0];
        assert!(took_ms >= 999, "{key}: {} revisions in {took_ms} ms", a_second + 2);
    }
}

#[tokio::test]
async fn text_of_a_model_is_shown_at_once_and_then_at_most_25_times_a_second() {
    let scene = Scene::new().await;
    let ways = [
        ("openai", "/generic/openai?chunks=2000&chunk_ms=1&text_bytes=4000"),
        ("anthropic", "/generic/anthropic?chunks=2000&chunk_ms=1&text_bytes=4000"),
        ("at_once", "/generic/openai?chunks=2000&burst=2000&text_bytes=4000"),
    ];
    let planner = scene.plan(&ways.map(|(key, path)| scene.called(key, path))).await;
    let events = ended(&planner, "p").await;
    for (key, _) in ways {
        let Shown { begun_ms, partials, whole } = shown(&events, key);
        assert_eq!(whole.len(), 4_000, "{key}");
        let times: Vec<_> = partials.iter().map(|(at, _)| *at).collect();
        assert_pace(key, begun_ms, &times, 40);
        if key != "at_once" {
            // Two seconds at least; the first of so many deltas isn't waited with.
            assert!(partials.len() > 10 && partials[0].1 < 1_000, "{key}: {partials:?}");
        }
    }
}

#[tokio::test]
async fn long_text_is_shown_at_most_twice_a_second_and_is_whole_in_the_success() {
    let scene = Scene::new().await;
    let ways = ["openai", "anthropic", "a2a"];
    let output = |way| scene.called(way, &format!("/generic/{way}?chunks=2000&chunk_ms=1&text_bytes=20000"));
    let planner = scene.plan(&ways.map(output)).await;
    let events = ended(&planner, "p").await;
    for key in ways {
        let Shown { begun_ms, partials, whole } = shown(&events, key);
        assert_eq!(whole.len(), 20_000, "{key}");
        let (short, long): (Vec<_>, Vec<_>) = partials.iter().partition(|(_, bytes)| *bytes <= 8_192);
        let [short, long] = [short, long].map(|list| list.iter().map(|(at, _)| *at).collect::<Vec<_>>());
        assert!(!short.is_empty() && !long.is_empty(), "{key}: {partials:?}");
        assert_pace(key, begun_ms, &short, 40);
        assert_pace(key, *short.last().unwrap(), &long, 500);
    }
}

#[tokio::test]
async fn text_that_was_held_back_is_shown_though_nothing_follows() {
    let scene = Scene::new().await;
    // The text in 40 deltas between one piece and two others: the first half of all pieces has 20 deltas.
    let half = scene.called("half", "/generic/openai?chunks=40&chunk_ms=7&hang=body");
    let planner = scene.plan(&[scene.called("whole", "/generic/openai"), half]).await;
    let contents = |page: Value, key: &str| {
        let contents = about(page["events"].as_array().unwrap(), key).into_iter();
        contents
            .filter_map(|content| Some(content["payload"]["content"].as_str()?.to_owned()))
            .collect::<Vec<_>>()
    };
    eventually("half of the text", || async {
        let whole = contents(planner.page("/events?subagent=whole").await, "whole").pop()?;
        let half = contents(planner.page("/events?subagent=half").await, "half");
        (half.last()? == &whole[..whole.floor_char_boundary(whole.len() / 2)]).then_some(())
    })
    .await;
    assert_eq!(scene.agents.calls().in_flight, 1, "it still hangs");
    planner.tell("/steps/p/cancel", json!({"reason": "seen enough"})).await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "half").last().unwrap(), "cancelled");
}

#[tokio::test]
async fn agent_that_only_knows_the_older_a2a_is_asked_in_that_within_the_same_attempt() {
    let agent = PlainAgent::start(|request| {
        let answer = if request.contains(r#""message/stream""#) {
            r#""result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"},
                "artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":"forty-two"}]}]}"#
        } else {
            r#""error":{"code":-32601,"message":"Method not found"}"#
        };
        let body = format!(r#"{{"jsonrpc":"2.0","id":"1",{answer}}}"#);
        PlainAgent::answer("200 OK", "application/json", &body)
    })
    .await;
    let scene = Scene { agents: simulator().await, app: calling(agent.addr).start().await };
    let planner = scene.plan(&[agent.called("a", "/", "a2a")]).await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "a"), ["in_progress", "success"]);
    assert_eq!(said(&events, "a", "success", "/payload/content"), ["forty-two"]);
    let asked = agent.asked();
    let versions: Vec<_> = asked.iter().map(|request| request.contains("a2a-version: 1.0\r\n")).collect();
    assert_eq!(versions, [true, false], "{asked:?}");
    assert!(asked[1].contains("a2a-version: 0.3\r\n"), "{asked:?}");
}

#[tokio::test]
async fn web_page_for_an_answer_is_called_one_whatever_the_protocol() {
    let agent = PlainAgent::start(|request| match request.split(' ').nth(1) {
        Some("/mislabelled") => PlainAgent::answer("200 OK", "text/html", r#"{"content":"It is fine."}"#),
        _ => PlainAgent::answer("200 OK", "text/html; charset=utf-8", "<html><body>Sign in</body></html>"),
    });
    let agent = agent.await;
    let app = calling(agent.addr).start().await;
    for protocol in ["json", "ndjson", "sse", "openai", "anthropic", "a2a"] {
        let mut output = agent.called("a", "/", protocol);
        output["max_attempts"] = json!(1);
        output["invoke"]["body"] = json!({"model": "m", "stream": true, "max_tokens": 9, "messages": []});
        if protocol == "a2a" {
            output["invoke"].as_object_mut().unwrap().remove("body");
        }
        let planner = app.planner(protocol);
        planner
            .post(&json!({"plan_step_id": "p", "query": "q", "expected_subagents": [output]}))
            .await
            .expect(201);
        let errors = said(&ended(&planner, "p").await, "a", "error", "/error/code");
        assert_eq!(errors, ["unexpected_content_type"], "{protocol}");
    }
    // No protocol named: JSON. What can be read is taken, whatever its label.
    let planner = app.planner("mislabelled");
    let url = format!("http://{}/mislabelled", agent.addr);
    let output = json!({"key": "b", "invoke": { "url": url }});
    planner.post(&json!({"plan_step_id": "p", "expected_subagents": [output]})).await.expect(201);
    assert_eq!(statuses(&ended(&planner, "p").await, "b"), ["in_progress", "success"]);
}

/// Its parts aren't shown any more; the call isn't given up for that.
#[tokio::test]
async fn what_comes_of_a_call_has_its_place_in_a_full_session() {
    let scene = Scene::with(|setup| setup.env("LIMITS__EVENTS_PER_SESSION", 8)).await;
    let ways = [("lines", "ndjson?chunks=20"), ("model", "openai?chunks=20&chunk_ms=50")];
    let outputs = ways.map(|(key, way)| scene.called(key, &format!("/documentation/{way}")));
    let planner = scene.plan(&outputs).await;
    let events = ended(&planner, "p").await;
    for (key, _) in ways {
        assert_eq!(statuses(&events, key).last().unwrap(), "success");
    }
    assert_eq!(planner.step("p").await["status"], "completed");
    let parts = events.iter().filter(|event| event["content"]["status"] == "partial").count();
    assert!(parts < 8, "{parts} parts are shown");
}
