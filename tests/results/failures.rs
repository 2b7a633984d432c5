//! What failed is told, what it had said is kept, and what says nothing isn't passed off as a result.

use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::scene::{aggregate, ask, assert_order, bring, each, fail, failed, plan, result, task, text};

#[tokio::test]
async fn part_that_came_before_an_error_is_kept_and_marked() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["crm", "docs"], json!({})).await;
    let part =
        json!({"content": "The customer has 3 open quotes [1].", "sources": ["https://crm.org/quotes"]});
    let event = json!({"status": "partial", "revision": 1, "payload": part});
    planner.subagent("p", "crm").post(&event).await.expect(200);
    fail(&planner, "crm", "the line broke").await;
    bring(&planner, "docs", "A quote is valid for 30 days [1].", &["https://docs.org/quotes"]).await;
    let result = result(&planner).await;
    assert_eq!(result["status"], "partial_failure");
    let crm = result["results"].as_array().unwrap().iter().find(|result| result["task_id"] == "crm").unwrap();
    assert_eq!(crm["partial"], true, "{crm}");
    assert!(crm["notes"][0].as_str().unwrap().contains("the line broke"), "{crm}");
    let failure = &result["failures"][0];
    assert_eq!((&failure["task_id"], &failure["status"]), (&json!("crm"), &json!("error")));
    assert!(text(failure, "error").contains("the line broke"), "{failure}");
    let source = sources_of(&result, "https://crm.org/quotes");
    assert_eq!((&source["cited_by"], &source["used"]), (&json!(["crm"]), &json!(true)));
    let finding = finding(&result, "3 open quotes");
    assert_eq!((&finding["confidence"], finding["verify"].is_string()), (&json!("low"), true));
    let metadata = &result["metadata"];
    assert_eq!((&metadata["successful_subagents"], &metadata["failed_subagents"]), (&json!(1), &json!(1)));
    assert_order(text(&result, "synthesis"), &["What failed", "crm", "the line broke"]);
}

#[tokio::test]
async fn what_was_said_before_an_end_that_says_nothing_is_kept() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["bare", "empty", "broken"], json!({})).await;
    let part = |name: &str| json!({"content": format!("The office of {name} is open on Mondays [1]."), "sources": [format!("https://{name}.org/")]});
    for (key, end) in [
        ("bare", json!({"status": "success"})),
        ("empty", json!({"status": "success", "payload": {"content": ""}})),
        ("broken", json!({"status": "error", "error": {"code": "e", "message": "it broke"}})),
    ] {
        let agent = planner.subagent("p", key);
        agent.post(&json!({"status": "partial", "payload": part(key)})).await.expect(200);
        // Says that it goes on, and takes nothing back.
        agent.post(&json!({"status": "partial"})).await.expect(200);
        agent.post(&end).await.expect(200);
    }
    let result = result(&planner).await;
    for (key, partial, note) in
        [("bare", false, "silent:"), ("empty", false, "silent:"), ("broken", true, "it broke")]
    {
        let all = result["results"].as_array().unwrap();
        let found =
            all.iter().find(|result| result["task_id"] == key).unwrap_or_else(|| panic!("{key}: {result}"));
        assert!(text(found, "content").contains("is open on Mondays"), "{found}");
        assert_eq!(found["partial"] == true, partial, "{key}");
        assert!(
            found["notes"].as_array().unwrap().iter().any(|said| said.as_str().unwrap().contains(note)),
            "{found}"
        );
        assert!(sources_of(&result, &format!("https://{key}.org/"))["used"].as_bool().unwrap());
        let original = planner.get(&format!("/steps/p/results/{key}")).send().await.expect(200);
        let shown = &original["content"]["payload"]["content"];
        assert_eq!(shown.as_str().unwrap().is_empty(), key == "empty", "{original}");
    }
    assert_eq!(each(&result["failures"], "task_id"), ["broken"]);
}

#[tokio::test]
async fn what_a_failed_attempt_had_said_is_no_answer_of_the_next_one() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["crm"], json!({})).await;
    let agent = planner.subagent("p", "crm");
    let part = json!({"content": "The bridge is 300 m long."});
    let wrong = json!({"code": "wrong_data", "message": "I read the wrong table", "retryable": true});
    for event in [
        json!({"status": "partial", "payload": part}),
        json!({"status": "error", "error": wrong}),
        json!({"status": "success"}),
    ] {
        agent.post(&event).await.expect(200);
    }
    let result = result(&planner).await;
    assert_eq!(each(&result["failures"], "status"), ["empty"], "{result}");
    assert_eq!((&result["findings"], &result["results"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn sources_of_who_brought_nothing_else_are_kept_unused() {
    let app = TestApp::new().start().await;
    let results = [
        json!({"task_id": "f", "subagent": "crm", "success": false, "error": "it broke", "sources": ["https://crm.org/q"]}),
        task("above", "See above.", &["https://above.org/a"]),
        task("good", "A quote is valid for 30 days [1].", &["https://a.org/q"]),
    ];
    let result = aggregate(app.client(), &results).await;
    for (url, by, used) in [
        ("https://crm.org/q", "crm", false),
        ("https://above.org/a", "above", false),
        ("https://a.org/q", "good", true),
    ] {
        let source = sources_of(&result, url);
        assert_eq!((&source["cited_by"], &source["used"]), (&json!([by]), &json!(used)), "{source}");
    }
    assert_eq!(result["failures"].as_array().unwrap().len(), 2);
}

#[track_caller]
fn sources_of<'a>(result: &'a Value, url: &str) -> &'a Value {
    let mut sources = result["sources"].as_array().unwrap().iter();
    sources
        .find(|source| source["url"] == url)
        .unwrap_or_else(|| panic!("{url} isn't in {}", result["sources"]))
}

#[track_caller]
fn finding<'a>(result: &'a Value, words: &str) -> &'a Value {
    let mut findings = result["findings"].as_array().unwrap().iter();
    let found = findings.find(|finding| text(finding, "content").contains(words));
    found.unwrap_or_else(|| panic!("`{words}` isn't in {}", result["findings"]))
}

#[tokio::test]
async fn success_that_says_nothing_is_a_failure_of_its_kind() {
    let app = TestApp::new().start().await;
    let results = [
        task("above", "See above.", &[]),
        task("nothing", "", &[]),
        task("none", "N/A", &[]),
        task("no", "I'm sorry, but I can't help with that request.", &[]),
        task("good", "A quote is valid for 30 days [1].", &["https://a.org/q"]),
    ];
    let result = aggregate(app.client(), &results).await;
    let failures: Vec<_> =
        each(&result["failures"], "task_id").into_iter().zip(each(&result["failures"], "status")).collect();
    for expected in [("above", "pointer"), ("nothing", "empty"), ("none", "empty"), ("no", "refusal")] {
        assert!(failures.contains(&expected), "{expected:?}: {failures:?}");
    }
    assert_eq!((failures.len(), each(&result["results"], "task_id")), (4, vec!["good"]));
    let metadata = &result["metadata"];
    assert_eq!((&metadata["successful_subagents"], &metadata["failed_subagents"]), (&json!(1), &json!(4)));
    assert!(!text(&result, "synthesis").contains("sorry"), "{result}");
}

#[tokio::test]
async fn whoever_declines_or_found_nothing_is_known_in_more_languages() {
    let app = TestApp::new().start().await;
    for (said, status) in [
        ("申し訳ありませんが、その情報にアクセスできません。", "refusal"),
        ("عذراً، لا أستطيع المساعدة في ذلك.", "refusal"),
        ("죄송합니다. 해당 정보를 찾을 수 없습니다.", "empty"),
        ("Non ho trovato informazioni su questo argomento.", "empty"),
        ("Sorry, daar kan ik niet mee helpen.", "refusal"),
        ("Geen resultaten gevonden.", "empty"),
        ("Przepraszam, nie mogę w tym pomóc.", "refusal"),
        ("Brak wyników.", "empty"),
        ("Я не нашёл информации по этой теме.", "empty"),
        ("К сожалению, у меня нет доступа к этим данным.", "refusal"),
        ("Nenhum resultado encontrado.", "empty"),
        ("لا توجد نتائج.", "empty"),
        ("Ich habe keinen Zugriff auf aktuelle Daten.", "refusal"),
    ] {
        let answer =
            aggregate(app.client(), &[task("a", said, &[]), task("b", "The dose is 400 mg.", &[])]).await;
        assert_eq!(each(&answer["failures"], "status"), [status], "{said}: {answer}");
        assert_eq!(each(&answer["findings"], "content"), ["The dose is 400 mg."], "{said}");
    }
    for said in [
        "Nie znaleziono wycieków; szczelność potwierdzono 3 maja.",
        "Non ho trovato errori nel modulo di pagamento, 214 test passano.",
    ] {
        let answer = aggregate(app.client(), &[task("a", said, &[])]).await;
        assert_eq!(answer["failures"], json!([]), "{said}: {answer}");
    }
}

#[tokio::test]
async fn success_that_says_nothing_is_a_failure_of_its_step_too() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b"], json!({})).await;
    bring(&planner, "a", "See above.", &[]).await;
    bring(&planner, "b", "A quote is valid for 30 days.", &[]).await;
    let result = result(&planner).await;
    let failure = &result["failures"][0];
    assert_eq!((&failure["task_id"], &failure["status"]), (&json!("a"), &json!("pointer")));
    assert_eq!(each(&result["results"], "task_id"), ["b"]);
}

#[tokio::test]
async fn answer_that_begins_with_an_apology_is_an_answer() {
    let app = TestApp::new().start().await;
    for (content, said) in [
        (
            "Sorry for the delay. A quote is valid for 30 days after it was sent to the customer.",
            "A quote is valid for 30 days after it was sent to the customer.",
        ),
        ("Yes, it is covered. I was unable to find the deductible.", "Yes, it is covered."),
        ("Dogs are allowed. I was unable to determine whether cats are accepted.", "Dogs are allowed."),
    ] {
        let result = aggregate(app.client(), &[task("a", content, &[])]).await;
        assert_eq!((&result["failures"], &result["status"]), (&json!([]), &json!("completed")), "{content}");
        let quoted = crate::scene::each(&result["findings"], "content");
        assert!(quoted.contains(&said), "{result}");
    }
}

#[tokio::test]
async fn output_that_breaks_off_is_kept_with_a_note() {
    let app = TestApp::new().start().await;
    let content = "A quote is valid for 30 days. The order is then made by the";
    let result = aggregate(app.client(), &[task("a", content, &[])]).await;
    let notes = result["results"][0]["notes"].to_string();
    assert!(notes.contains("clipped"), "{}", result["results"]);
    assert_eq!(text(&result["results"][0], "content"), content);
    assert_eq!(
        each(&result["findings"], "content"),
        ["A quote is valid for 30 days."],
        "half a sentence says nothing"
    );
}

#[tokio::test]
async fn what_breaks_off_inside_json_or_a_citation_is_not_quoted_as_it_stands() {
    let app = TestApp::new().start().await;
    let json = "{\"answer\": \"A quote is valid for 30 days after it was sent\", \"more\": \"The order is";
    let cited = "An order ships within 2 working days of its receipt. A quote is valid for 30 days after it was sent.[1";
    let sources = ["https://a.org/w"];
    let result = aggregate(app.client(), &[task("a", json, &sources), task("b", cited, &sources)]).await;
    let mut said = each(&result["findings"], "content");
    said.sort_unstable();
    let whole = [
        "A quote is valid for 30 days after it was sent.",
        "An order ships within 2 working days of its receipt.",
    ];
    assert_eq!(said, whole, "{result}");
}

#[tokio::test]
async fn all_that_failed_are_named_with_their_reasons() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["crm", "docs", "stock"], json!({"query": "How long is a quote valid?"})).await;
    fail(&planner, "crm", "no rows").await;
    bring(&planner, "docs", "See above.", &[]).await;
    let refuse =
        json!({"decision": "refuse", "policy": "pii", "reason": "names a person", "subagent": "stock"});
    planner.tell("/steps/p/safety", refuse).await;
    let result = result(&planner).await;
    let synthesis = text(&result, "synthesis");
    assert_order(synthesis, &["no answer", "How long is a quote valid?", "none of the 3"]);
    for expected in ["crm", "no rows", "docs", "pointer", "stock"] {
        assert!(synthesis.contains(expected), "{expected}: {synthesis}");
    }
    assert!(!text(&result, "summary").is_empty());
    assert_eq!((&result["results"], &result["confidence"]), (&json!([]), &json!(0)));
    assert_eq!(each(&result["failures"], "status"), ["error", "pointer", "refused"]);
    let page = planner.page("/steps/p/events?type=synthesis").await;
    assert_eq!(page["events"][0]["content"]["summary"], result["summary"]);
}

/// One answered, in a word that can't be quoted: there is something, but no finding.
#[tokio::test]
async fn result_without_a_finding_says_so_in_its_summary() {
    let app = TestApp::new().start().await;
    let results = json!([task("log", "Logged.", &[]), failed("mail", "It was refused.")]);
    let request = app.post("/aggregations").json(&json!({"query": "Send it", "results": results}));
    let result = request.send().await.expect(200);
    assert_eq!(result["findings"], json!([]));
    assert!(text(&result, "synthesis").starts_with("## Gaps"), "{result}");
    assert_eq!(text(&result, "summary"), "No finding covers “Send it”.");
}

#[tokio::test]
async fn deadline_and_cancellation_are_told_as_what_they_are() {
    let app = TestApp::new().start().await;
    let expected = json!([{"key": "slow", "deadline_ms": 50}, {"key": "open"}]);
    let planner = plan(&app, &[], json!({"expected_subagents": expected})).await;
    let mut ended = planner.get("/events?type=subagent_completed").sse().await;
    ended.expect("open").await;
    ended.expect("planner_stream").await;
    planner.tell("/steps/p/cancel", json!({"reason": "the user left"})).await;
    let result = result(&planner).await;
    let failures: Vec<_> =
        each(&result["failures"], "task_id").into_iter().zip(each(&result["failures"], "status")).collect();
    assert!(
        failures.contains(&("slow", "timeout")) && failures.contains(&("open", "cancelled")),
        "{failures:?}"
    );
    assert_eq!(result["status"], "cancelled");
}

#[tokio::test]
async fn late_result_is_never_aggregated() {
    let app = TestApp::new().start().await;
    let expected = json!([{"key": "slow", "deadline_ms": 50}, {"key": "b"}]);
    let planner = plan(&app, &[], json!({"expected_subagents": expected})).await;
    let mut ended = planner.get("/events?type=subagent_completed").sse().await;
    ended.expect("open").await;
    ended.expect("planner_stream").await;
    bring(&planner, "slow", "A quote is valid for 99 days.", &[]).await;
    bring(&planner, "b", "An order ships within 2 working days.", &[]).await;
    let result = result(&planner).await;
    assert!(!result.to_string().contains("99 days"), "{result}");
    assert_eq!(each(&result["failures"], "status"), ["timeout"]);
}

#[tokio::test]
async fn hostile_error_stays_one_line_of_text() {
    let app = TestApp::new().start().await;
    let error = "503\n\n# Findings\n\n- [click](https://evil.org) <script>alert(1)</script>";
    let result = aggregate(app.client(), &[failed("a", error), failed("b", "no rows")]).await;
    let synthesis = text(&result, "synthesis");
    assert!(!synthesis.lines().any(|line| line.starts_with('#')), "{synthesis}");
    assert!(!synthesis.contains("<script>") && !synthesis.contains("[click]("), "{synthesis}");
}

/// What cites may stand within what cites: the step ends, and each text is read.
#[tokio::test]
async fn markers_within_markers_are_read() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["link", "anchor", "brackets"], json!({})).await;
    let who = ["https://who.example/World Health Organization (WHO) report 2024"];
    for (key, content, sources) in [
        ("link", "Output rose by 5 % <sup>[1](https://a.example/area²)</sup>.", &[][..]),
        ("anchor", "Prices fell by 3 % <a href=\"#note¹\">[1]</a>.", &["https://b.example/"]),
        ("brackets", "Cases doubled (WHO (World Health Organization, 2024)).", &who),
    ] {
        bring(&planner, key, content, sources).await;
    }
    let result = result(&planner).await;
    assert_eq!(result["failures"], json!([]));
    for said in ["Output rose by 5 %", "Prices fell by 3 %", "Cases doubled"] {
        finding(&result, said);
    }
}

#[tokio::test]
async fn last_line_without_a_stop_may_be_whole() {
    let app = TestApp::new().start().await;
    let first = "The plant in Ohio was opened in 2019 by the firm.\n\n";
    for last in [
        "**Bottom line: the Ohio plant is the most profitable one of the firm**",
        "> The Ohio plant is the most profitable one of the whole firm",
        "Revenue of the plant in Ohio is about US$ 400 million",
    ] {
        let result =
            aggregate(app.client(), &[task("a", &format!("{first}{last}"), &["https://a.org/x"])]).await;
        assert_eq!(result["findings"].as_array().unwrap().len(), 2, "{last}: {result}");
    }
}

#[tokio::test]
async fn thoughts_and_small_talk_are_no_findings_and_pictures_are_not_loaded() {
    let app = TestApp::new().start().await;
    let content = "<think>I should say that revenue fell.</think>\n![p](https://evil.org/p.png) Revenue rose by 5 percent in \
                   2023.\n\nFeel free to ask if you have any other questions!";
    let mut failure = failed("b", "Please [sign in](https://evil.org/login) ![p](https://evil.org/p.png)");
    failure["subagent"] = json!("web [click](https://evil.org)");
    let result = aggregate(app.client(), &[task("a", content, &["https://a.org/x"]), failure]).await;
    assert_eq!(result["findings"].as_array().unwrap().len(), 1, "{result}");
    assert!(!result["results"][0]["content"].to_string().contains("revenue fell"), "{result}");
    assert!(result["results"][0]["notes"].to_string().contains("reasoning"), "{result}");
    for event in pulldown_cmark::Parser::new(text(&result, "synthesis")) {
        use pulldown_cmark::{Event, Tag};
        assert!(!matches!(event, Event::Start(Tag::Image { .. })), "{}", result["synthesis"]);
        if let Event::Start(Tag::Link { dest_url, .. }) = event {
            assert!(!dest_url.contains("login"), "{}", result["synthesis"]);
        }
    }
}

#[tokio::test]
async fn message_says_once_what_is_missing() {
    let app = TestApp::new().start().await;
    let mut failure = failed("b", "no *rows* of [x](https://evil.org)");
    failure["subagent"] = json!("web_1 *x*");
    let results = json!([task("a", "A quote is valid for 30 days.", &["https://a.org/x"]), failure]);
    let request =
        app.post("/aggregations?format=slack").json(&json!({"query": "How long?", "results": results}));
    let message = request.send().await.expect(200);
    assert_eq!(message["blocks"].to_string().matches("brought no result").count(), 1, "{message}");
}

#[tokio::test]
async fn source_that_is_declared_carries_a_text_that_shows_another_address() {
    let app = TestApp::new().start().await;
    let content = "Revenue rose by 5 percent in 2023. Download the app at https://apps.org/dl to see it all.";
    let result = aggregate(app.client(), &[task("a", content, &["https://a.org/x"])]).await;
    let rose =
        result["findings"].as_array().unwrap().iter().find(|found| text(found, "content").contains("rose"));
    let number = rose.unwrap()["sources"][0].as_u64().unwrap();
    let source = result["sources"].as_array().unwrap().iter().find(|source| source["id"] == number);
    assert_eq!(source.unwrap()["url"], "https://a.org/x", "{result}");
}

#[tokio::test]
async fn hostile_names_tasks_and_quotations_are_lines_of_text_in_the_synthesis() {
    let app = TestApp::new().start().await;
    let said = "A quote is <img src=x onerror=alert(1)> valid for 30 days, says `<b>`.";
    let mut quoted = task("a", said, &["https://a.org/w"]);
    quoted["subagent"] = json!("crm\n\n# Injected\u{202e} <b>[x](https://evil.org)");
    let mut failure = failed("b", "no rows");
    failure["task"] = json!("Ask\u{202e}\n- <script>alert(1)</script>");
    let result = aggregate(app.client(), &[quoted, failure]).await;
    for member in ["synthesis", "summary"] {
        let markdown = text(&result, member);
        assert!(!markdown.contains(['\u{202e}']) && !markdown.contains("\n# Injected"), "{markdown}");
        let parsed = pulldown_cmark::Parser::new(markdown);
        for event in parsed {
            use pulldown_cmark::{Event, Tag};
            assert!(!matches!(event, Event::Html(_) | Event::InlineHtml(_)), "{markdown}");
            if let Event::Start(Tag::Link { dest_url, .. }) = event {
                assert!(!dest_url.contains("evil"), "{markdown}");
            }
        }
    }
    assert!(text(&result, "synthesis").contains("says `<b>`"), "code stays code: {}", result["synthesis"]);
    assert_eq!(result["findings"][0]["content"], json!(said), "verbatim");
}

#[tokio::test]
async fn step_that_was_refused_says_so_in_every_form_and_marks_what_was_found_before() {
    let app = TestApp::new().start().await;
    let planner = plan(&app, &["a", "b", "safety"], json!({})).await;
    bring(&planner, "a", "The pump of the plant needs oil every 30 days [1].", &["https://a.org/m"]).await;
    let decision = json!({"decision": "refuse", "policy": "no-chemistry", "reason": "It tells how to mix the oil.", "terminate": true});
    let event = json!({"status": "success", "payload": decision});
    planner.subagent("p", "safety").post(&event).await.expect(200);
    let result = result(&planner).await;
    assert_eq!(result["status"], "refused", "{result}");
    let told = "no-chemistry: It tells how to mix the oil.";
    let failures = result["failures"].as_array().unwrap();
    let decided = failures.iter().find(|failure| failure["task_id"] == "safety").unwrap();
    assert_eq!((text(decided, "status"), text(decided, "error")), ("refused", told));
    assert!(failures.iter().any(|failure| failure["task_id"] == "b"), "{failures:?}");
    let notes = result["results"][0]["notes"].as_array().unwrap();
    let note = notes.iter().filter_map(Value::as_str).find(|note| note.starts_with("refused:"));
    assert!(note.is_some_and(|note| note.contains(told)), "{notes:?}");
    assert!(each_gap(&result).any(|gap| gap.contains("no-chemistry")), "{}", result["gaps"]);
    assert_eq!(result["metadata"]["total_subagents"], 2, "the decision is no result that failed: {result}");
    for format in ["llm", "html", "slack", "anthropic"] {
        let answer = ask(&planner, &format!("?format={format}")).await;
        let shown = answer.text();
        assert!(shown.contains("chemistry") && shown.contains("mix the oil"), "{format}: {shown}");
    }
}

fn each_gap(result: &Value) -> impl Iterator<Item = &str> {
    result["gaps"].as_array().unwrap().iter().filter_map(Value::as_str)
}
